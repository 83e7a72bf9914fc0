"""What of RuBLiMP (Taktasheva et al. 2024) our constructions express: its published pairs beside our changes and forms.

    python benchmarks/rublimp.py PUBLISHED TREEBANK

PUBLISHED has a CSV file for each paradigm, TREEBANK is one of Russian as `starbank ingest` makes it. `rublimp.tsv` says
which constructions change what a paradigm changes, with a note on what they leave out, or why there is none.

A change is expressed if the two sentences differ in one word, and the commands or features of a construction make the
one of the other. The request must accept the word by all that it asks of that node; other words and relations are left
to the paradigm, since the pairs have no trees. What words are is `attested` where the treebank has them in that cell;
others are read by their endings, if two lemmas of the treebank have them, or are what the lexicon makes of the good
word in the cell that is asked for. A form is equal if `Lexicon.forms`, learned inflection included, gives that one.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from starbank.grew import Engine, Request
from starbank.grew.commands import SetFeature, Text, mentioned
from starbank.grew.request import CheckedBlock
from starbank.grew.rewriting import rewritings
from starbank.grew.rules import Rule
from starbank.grew.syntax import Attribute, Name, Place
from starbank.morphology import Lexicon, build_lexicon
from starbank.queries.constructions import Construction, read_construction, with_values
from starbank.treebanks import open_treebank, treebank_of
from starbank.treebanks.arrays import table_of
from starbank.treebanks.features import changed, parse_features

QUERIES = Path(__file__).parents[1] / "queries"
LANGUAGE = "rus"
# Lemmas that must share an ending for others to be read by it, and letters of the stem that belong to it.
FEWEST, CONTEXT = 2, 1
# Parts of speech of lemmas that the treebank lacks.
OPEN = ("ADJ", "NOUN", "VERB")
COUNTS = ("change expressed", "attested", "form equal", "other form")
# What a good word is in the treebank, and the bad one.
Change = tuple[str, str]


class Reading(NamedTuple):
    """What a word may be, and how it is used there."""

    lemma: str
    upos: str
    feats: str
    use: str | None = None


class Way(NamedTuple):
    """How a construction may express a pair; `after` is None where its commands give the form."""

    pair: int
    good: str
    bad: str
    before: Reading
    after: Reading | None


class Words:
    """What a treebank's lexicon tells of words."""

    def __init__(self, entries: pd.DataFrame) -> None:
        self.attested: dict[str, dict[Reading, None]] = defaultdict(dict)
        self.cells: dict[str, set[str]] = defaultdict(set)
        self.values: dict[str, set[str]] = defaultdict(set)
        lemmas: dict[tuple[str, Reading], set[str]] = defaultdict(set)
        for form, lemma, upos, feats, use in entries[["form", "lemma", "upos", "feats", "use"]].itertuples(index=False):
            reading = Reading(lemma, upos, feats, use if isinstance(use, str) else None)
            form = plain(form)
            self.attested[form][reading] = None
            self.cells[reading.upos].add(reading.feats)
            same = [letters[0] == letters[1] for letters in zip(form, reading.lemma, strict=False)]
            begin = [*same, False].index(False) - CONTEXT
            if begin > 0:
                lemmas[form[begin:], reading._replace(lemma=reading.lemma[begin:])].add(reading.lemma)
            for feature, value in parse_features(reading.feats).items():
                self.values[feature].add(value)
        self._lemmas = {reading[:2] for readings in self.attested.values() for reading in readings}
        self._endings: dict[str, list[Reading]] = defaultdict(list)
        for (ending, reading), several in lemmas.items():
            if len(several) >= FEWEST:
                self._endings[ending].append(reading)

    def readings(self, word: str) -> list[Reading]:
        """Return what a word may be; lemmas that the treebank has for it, and after them all that it has, go before."""
        attested = self.attested.get(word, {})
        lemmas = {reading[:2] for reading in attested}
        guessed = [
            reading._replace(lemma=word[:begin] + reading.lemma)
            for begin in range(1, len(word))
            for reading in self._endings.get(word[begin:], ())
        ]
        of_lemmas = [reading for reading in guessed if reading[:2] in (lemmas or self._lemmas)]
        of_others = [reading for reading in guessed if reading.upos in OPEN and not lemmas]
        return list(dict.fromkeys([*attested, *(of_lemmas or of_others)]))


def plain(text: str) -> str:
    """Return a text in small letters and without the dots of ё, which RuBLiMP does not write."""
    return text.lower().replace("ё", "е")


def difference(good: str, bad: str) -> Change | None:
    """Return the one word that is another one in a bad sentence, empty where it lacks; None for all other changes."""
    good_words, bad_words = (re.findall(r"\w+(?:-\w+)*|[^\w\s]", plain(text)) for text in (good, bad))
    parts = [
        part
        for part in SequenceMatcher(None, good_words, bad_words, autojunk=False).get_opcodes()
        if part[0] != "equal"
    ]
    changes = [(good_words[begin:end], bad_words[start:stop]) for _, begin, end, start, stop in parts]
    if len(changes) != 1 or max(map(len, changes[0])) > 1:
        return None
    before, after = map("".join, changes[0])
    return before, after


def of_node(request: Request, node: str) -> Request:
    """Return what a request asks of one node alone, as a request of its own."""

    def cut(block: CheckedBlock) -> CheckedBlock:
        tests = tuple(test for test in block.tests if test[0] == node)
        nodes = tuple(name for name in block.nodes if name == node)
        return replace(block, nodes=nodes, edges=(), tests=tests, edge_clauses=(), clauses=())

    conditions = [
        block
        for block in request.conditions
        if {name for name, _ in block.tests} == {node} and not (block.nodes or block.edge_clauses or block.clauses)
    ]
    return replace(request, pattern=cut(request.pattern), conditions=tuple(conditions), globals=())


def rules(construction: Construction, values: Mapping[str, set[str]]) -> Iterator[Rule]:
    """Yield the rules that make the conditions of a construction, for the word that changes as a sentence by itself."""
    if construction.asked:
        construction = with_values(construction, sorted(values[construction.asked]))
    place, node = Place(1, 1), construction.targets[0]
    for condition in construction.conditions:
        if condition.rewriting:
            rule = condition.rewriting.rule
            yield replace(rule, request=of_node(rule.request, mentioned(rule.commands[0])[0].text))
        elif node in condition.changes:
            several = tuple(
                SetFeature(Attribute(Name(node, place), Name(feature, place)), (Text(value or ""),))
                for feature, value in condition.changes[node].items()
            )
            yield Rule(condition.name, of_node(construction.request, node), several, {}, ())


def ways_of(construction: Construction, changes: Mapping[int, Change], words: Words) -> list[Way]:
    """Return how a construction may express changes: by each cell that it makes of what the good word may be."""
    candidates = [(pair, *change, reading) for pair, change in changes.items() for reading in words.readings(change[0])]
    conllu = "".join(
        f"# sent_id = {at}\n# text = {good}\n1\t{good}\t{lemma}\t{upos}\t_\t{feats or '_'}\t0\troot\t_\t_\n\n"
        for at, (_, good, _, (lemma, upos, feats, _)) in enumerate(candidates)
    )
    if not candidates:
        return []
    treebank = treebank_of(conllu, "words", LANGUAGE)
    engine = Engine(treebank)
    varied = [condition.changes.get(construction.targets[0], {}) for condition in construction.conditions]
    ways = []
    for rule in rules(construction, words.values):
        for rewriting in (each for several in rewritings(rule, treebank, engine) for each in several):
            pair, good, bad, before = candidates[int(rewriting.sent_id)]
            features = parse_features(before.feats)
            # Of the conditions that features make, one must be the sentence as it is.
            as_it_is = not any(varied) or features in [changed(features, change) for change in varied]
            if rewriting.error or not as_it_is:
                continue
            if rewriting.forms != [good]:
                ways += [Way(pair, good, bad, before, None)] if "".join(rewriting.forms) == bad else []
                continue
            _, _, lemma, upos, _, feats, *_ = rewriting.rows[0]
            for cell in words.cells[upos]:
                if (lemma, upos, feats) != before[:3] and fits(features, parse_features(feats), parse_features(cell)):
                    ways.append(Way(pair, good, bad, before, Reading(lemma, upos, cell)))
    return ways


def fits(before: Mapping[str, str], wanted: Mapping[str, str], cell: Mapping[str, str]) -> bool:
    """Tell whether a cell is the wanted one; features that do not change and only one has follow from others."""
    varied = {name for name in {**before, **wanted} if before.get(name) != wanted.get(name)}
    return all(
        cell.get(name) == wanted.get(name) if name in varied or name in cell else True for name in {**wanted, **before}
    )


def forms(ways: Sequence[Way], lexicon: Lexicon) -> list[str | None]:
    """Return for each way what the lexicon gives in the cell of the bad word; None where it is sure of nothing."""
    rows = []
    for row, (_, good, _, before, after) in enumerate(ways):
        if after:
            form_before = (good, before.feats) if before.lemma == after.lemma else ("", "")
            rows.append((row, *after[:3], before.use, *form_before))
    names = ("row", "lemma", "upos", "feats", "use", "own_form", "own_feats")
    given = lexicon.forms(table_of(rows, **(dict.fromkeys(names, str) | {"row": int}))).to_pylist() if rows else []
    best = {form["row"]: plain(form["form"]) for form in given if form["rank"] == 1}
    return [best.get(row) for row in range(len(ways))]


def count(ways: Sequence[Way], lexicon: Lexicon, words: Words) -> list[str]:
    """Return how many pairs are expressed, of these the attested ones, and with which forms (`COUNTS`)."""
    proofs: dict[int, list[tuple[int, Way, str | None]]] = defaultdict(list)
    for way, form in zip(ways, forms(ways, lexicon), strict=True):
        # How far the bad word is known as what is asked for: not read, read, attested, or given by the commands.
        certainty, attested = 2, words.attested.get(way.bad, {})
        if way.after:
            read = [{reading[:3] for reading in readings} for readings in (attested, words.readings(way.bad))]
            certainty = sum(way.after[:3] in cells for cells in read)
        # A word of the treebank is a form of the lemmas that it has there, and of no other.
        of_lemma = not attested or way.after is None or way.after[:2] in {reading[:2] for reading in attested}
        if certainty or (form == way.bad and of_lemma):
            proofs[way.pair].append((certainty + (way.before in words.attested.get(way.good, ())), way, form))
    equal, other, attested_pairs = set(), set(), set()
    for pair, several in proofs.items():
        most = max(proof[0] for proof in several)
        best = [(way, form) for certainty, way, form in several if certainty == most]
        attested_pairs |= {pair} if most == 3 else set()
        equal |= {pair for way, form in best if form == way.bad}
        other |= {pair for _, form in best if form}
    in_cells = not proofs or any(way.after for several in proofs.values() for _, way, _ in several)
    of_forms = (str(len(equal)), str(len(other - equal))) if in_cells else ("–", "–")
    return [str(len(proofs)), str(len(attested_pairs)), *of_forms]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("published", type=Path)
    parser.add_argument("treebank", type=Path)
    options = parser.parse_args()
    table = build_lexicon([open_treebank(options.treebank)])
    lexicon, words = Lexicon(table), Words(table.to_pandas())
    mapping = pd.read_csv(Path(__file__).with_suffix(".tsv"), sep="\t", keep_default_na=False)
    lines = []
    for paradigm, names, note in mapping.itertuples(index=False):
        pairs = pd.read_csv(options.published / f"{paradigm}.csv")
        found = enumerate(map(difference, pairs["source_sentence"], pairs["target_sentence"]))
        changes = {pair: change for pair, change in found if change}
        constructions = [read_construction(QUERIES / f"{name}.grew", LANGUAGE) for name in names.split()]
        ways = [way for construction in constructions for way in ways_of(construction, changes, words)]
        shown = ", ".join(f"`{Path(name).name}`" for name in names.split()) or "–"
        counts = count(ways, lexicon, words) if names else [""] * len(COUNTS)
        lines.append([paradigm, f"{shown}: {note}" if note else shown, str(len(pairs)), *counts])
    print(pd.DataFrame(lines, columns=["paradigm", "construction", "pairs", *COUNTS]).to_markdown(index=False))


if __name__ == "__main__":
    main()
