"""The published BHS suites, read in place, beside what our lexicons make of the same words.

Each comparison returns how many items are the same, have words that our lexicon lacks, or differ, and for what reason;
`published` takes the words as the templates in `published/` do.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from starbank.queries.templates.words import Lexicon, Word, open_lexicon

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = ROOT.parent / "shared" / "published" / "bhs"
SAME, UNKNOWN, DIFFERS = "same forms", "a word is not in our lexicon", "differs"
GLIDE = "perfective spelt with य (खायी, खाये)"
REFUSES = "a verb that refuses ने (लाना)"
OTHER_GENDER = "another gender of a noun"
OTHER_CLASS = "another noun class of a noun"
# The table of nouns in our own grammar and in the published one.
NOUNS = {False: "nouns", True: "published-nouns|nouns"}


def lexicon(language: str) -> Lexicon:
    return open_lexicon(ROOT / "queries" / language / "bhs")


def items(name: str) -> Iterator[tuple[list[str], str, str]]:
    """Yield the words of the prefix, and the good and the bad ending without its full stop."""
    for (prefix, _), (good, bad) in json.loads((PUBLISHED / f"{name}.json").read_text(encoding="utf-8")):
        first, *rest = prefix.split()
        words = [first[0].lower() + first[1:], *rest]
        yield [unicodedata.normalize("NFC", word) for word in words], _ending(good), _ending(bad)


def _ending(text: str) -> str:
    return unicodedata.normalize("NFC", text).rstrip(".।").strip()


def _by_form(words: list[Word], **wanted: str) -> dict[str, list[Word]]:
    found = defaultdict(list)
    for word in words:
        if all(value in word.values(name) for name, value in wanted.items()):
            found[word.form].append(word)
    return found


def _values(words: list[Word], attribute: str) -> frozenset[str]:
    return frozenset().union(*(word.values(attribute) for word in words))


def compare_basque() -> tuple[Counter, Counter]:
    """Compare DO-S_DO_V_AUX: the auxiliary's number of the object."""
    own = lexicon("eus")
    nouns = list(own.table("nouns").words)
    subjects, objects = _by_form(nouns, Case="Erg"), _by_form(nouns, Case="Abs")
    verbs = _by_form(list(own.table("verbs").words), valency="nor-nork")
    cells = {"lemma", "Mood", "Tense", "Number[abs]", "Number[erg]"}
    forms = [word for word in own.table("auxiliaries").words if word.attributes.keys() == cells]
    counts, unknown = Counter(), Counter()
    for prefix, good, bad in items("basque-DO-S_DO_V_AUX"):
        known = [subjects, objects, verbs]
        missing = [word for word, table in zip(prefix, known, strict=False) if word not in table]
        if len(prefix) != 3 or missing:
            unknown.update(missing or [" ".join(prefix[2:])])
            counts[UNKNOWN] += 1
            continue
        subject, thing, verb = (table[word] for word, table in zip(prefix, known, strict=True))
        agreeing = {
            word.form: word
            for word in forms
            if word.values("Tense") & _values(verb, "Tense") and word.values("Number[erg]") & _values(subject, "Number")
        }
        numbers = _values(thing, "Number")
        right = {form for form, word in agreeing.items() if word.values("Number[abs]") & numbers}
        counts[SAME if good in right and bad in agreeing and bad not in right else DIFFERS] += 1
    return counts, unknown


def compare_hindi(*, published: bool = False) -> tuple[Counter, Counter]:
    """Compare S_ne_O_V: perfective and habitual in the same agreement."""
    own = lexicon("hin")
    nouns = list(own.table(NOUNS[published]).words)
    direct, oblique = _by_form(nouns, Case="Nom"), _by_form(nouns, Case="Acc")
    verbs = own.table("published-verbs" if published else "verbs").by_lemma
    auxiliaries = own.table("agreeing-auxiliaries").words
    counts, unknown = Counter(), Counter()
    for prefix, good, bad in items("hindi-S_ne_O_V"):
        marked = prefix[-1] == "को"
        thing = prefix[2]
        objects = (oblique if marked else direct).get(thing, [])
        stem = re.sub("(ता|ते|ती)$", "", bad.split()[0])
        missing = [] if prefix[0] in oblique else [prefix[0]]
        missing += [] if objects else [thing]
        if missing or stem not in (*verbs, "ला"):
            unknown.update(missing or [stem])
            counts[UNKNOWN] += 1
            continue
        if stem == "ला" and not published:
            counts[REFUSES] += 1
            continue
        agreement = {("Masc", "Sing")} if marked else _agreement(objects)
        right = {aspect: _predicates(verbs[stem], auxiliaries, aspect, agreement) for aspect in ("Perf", "Imp")}
        if (good, bad) in set(zip(right["Perf"], right["Imp"], strict=True)):
            counts[SAME] += 1
        elif re.sub("य([ेी])", lambda found: {"े": "ए", "ी": "ई"}[found[1]], good) in right["Perf"]:
            counts[GLIDE] += 1
        elif not marked:
            counts[f"{OTHER_GENDER} ({objects[0].lemma})"] += 1
        else:
            counts[DIFFERS] += 1
    return counts, unknown


def _agreement(words: list[Word]) -> set[tuple[str, str]]:
    return {(gender, number) for word in words for gender in word.values("Gender") for number in word.values("Number")}


def _predicates(verb: list[Word], auxiliaries: list[Word], aspect: str, agreement: set[tuple[str, str]]) -> list[str]:
    """Return participles with auxiliaries, in the same order for each aspect."""
    return [
        f"{word.form} {auxiliary.form}"
        for gender, number in sorted(agreement)
        for word in verb
        if aspect in word.values("Aspect") and gender in word.values("Gender") and number in word.values("Number")
        for auxiliary in auxiliaries
        if word_agrees(auxiliary, gender, number)
    ]


def word_agrees(word: Word, gender: str, number: str) -> bool:
    """Tell whether a word may have a gender and a number."""
    return bool({gender, "*"} & word.values("Gender")) and number in word.values("Number")


def compare_swahili(*, published: bool = False) -> tuple[Counter, Counter]:
    """Compare N_of_Poss_V: the verb's concord of head and possessor."""
    own = lexicon("swa")
    nouns = _by_form(list(own.table(NOUNS[published]).words))
    verbs = own.table("verbs").by_lemma
    concords = own.table("concords").words
    genitive = {next(iter(word.values("class"))): word.form for word in concords if word.lemma == "genitive"}
    subject = {next(iter(word.values("class"))): word.form for word in concords if word.lemma == "subject"}
    counts, unknown = Counter(), Counter()
    for prefix, good, bad in items("swahili-N_of_Poss_V"):
        head, linker, possessor = (*prefix[:2], " ".join(prefix[2:]))
        stem = re.sub("^(a|wa|u|i|li|ya|ki|vi|zi)(li|na|ta)", "", good)
        missing = [word for word in (head, possessor) if word not in nouns]
        if missing or stem not in verbs:
            unknown.update(missing or [stem])
            counts[UNKNOWN] += 1
            continue
        heads = {one for one in _values(nouns[head], "concord") if genitive[one] == linker}
        others = _values(nouns[possessor], "concord")
        tense = next(one for one in ("li", "na", "ta") if good.endswith(one + stem))
        right = {(subject[one] + tense + stem, subject[two] + tense + stem) for one in heads for two in others}
        culprit = possessor if good in {one for one, _ in right} else head
        counts[SAME if (good, bad) in right else f"{OTHER_CLASS} ({culprit})"] += 1
    return counts, unknown


if __name__ == "__main__":
    for name, (found, words) in {
        "Basque": compare_basque(),
        "Hindi": compare_hindi(),
        "Hindi, as published": compare_hindi(published=True),
        "Swahili": compare_swahili(),
        "Swahili, as published": compare_swahili(published=True),
    }.items():
        print(name, dict(found), words.most_common(60))
