"""Nonce versions of sentences: their content words drawn anew, and targets that have the other forms, too."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.morphology import Lexicon
from starbank.morphology.casing import define_small
from starbank.morphology.letters import mix
from starbank.morphology.paradigm_tables import SOURCE
from starbank.morphology.sandhi import Sandhi
from starbank.queries.constructions import Construction
from starbank.transforms import copy_sentences, respell
from starbank.transforms.draws import Pools
from starbank.transforms.neighbours import Donors, Neighbours
from starbank.transforms.pools import ContentWords, find_words
from starbank.transforms.presets import Preset
from starbank.transforms.replace import replacements
from starbank.transforms.substitution import copied_rows, draw_substitutes
from starbank.treebanks import Treebank, read_conllu, write_conllu
from starbank.treebanks.arrays import answer, integers, numbers, table_of, take, text
from starbank.treebanks.features import changed, format_features, parse_features
from starbank.treebanks.tables import SENTENCES, TOKENS


def make_nonce(
    treebank: Treebank,
    construction: Construction,
    lexicon: Lexicon,
    arcs: pa.Table,
    preset: Preset,
    versions: int,
    seed: int,
    sandhi: Sandhi,
) -> tuple[Treebank, pa.Table]:
    """Return a treebank of `versions` nonce versions of the sentences that `arcs` are in, and the arcs there.

    `arcs` have `cue` and `target` (nodes of the treebank), as `find_arcs` gives them. Words are replaced as `preset`
    has it, by words of all splits that fit beside one another as `sandhi` has it. What replaces a target has a form in
    each of the construction's conditions, where there is such a word; else the target stays. The arcs returned have
    `cue`, `target` and `sent` in the new treebank, and `nonce`, the number of the version from 1, and `replaced`, how
    many words of the sentence are others.
    """
    sent = numbers(treebank.tokens["sent"])
    node = numbers(treebank.tokens["node"])
    cues, targets = (np.searchsorted(node, numbers(arcs[end])) for end in ("cue", "target"))
    upos = pc.unique(take(treebank.tokens["upos"].combine_chunks(), targets)).to_pylist()
    wider = replace(preset, content=tuple(dict.fromkeys([*preset.content, *upos])))
    inside = np.isin(sent, sent[targets])
    connection, words = find_words(treebank, wider, "all", inside)
    content = _only(words, _are(treebank, words.row, preset.content) | np.isin(words.row, targets))
    is_target = np.isin(content.row, targets)
    inflecting = _inflecting(treebank, construction, lexicon, words, content.keys[is_target])
    source = _part(treebank, inside)
    inner = np.cumsum(inside) - 1
    neighbours = Neighbours(sandhi, source, inner[content.row], Donors(connection)) if preset.sounds else None
    pools = words.pools.only(inflecting)

    def draw(version: int, again: int) -> np.ndarray:
        return _draw(content, pools, is_target, sent[content.row], preset, int(mix(seed, version)), again)

    drawn = [draw(version, 0) for version in range(versions)]
    if neighbours:
        drawn = neighbours.fitted(drawn, lambda version, which, again: draw(version, again + 1)[which])
    donor = np.concatenate(drawn)
    copied = copy_sentences(source, [f"-{number + 1}" for number in range(versions)])

    def places(rows: np.ndarray) -> np.ndarray:
        """Return where rows of the treebank stand in each copy, one copy after the other."""
        return np.concatenate([copied_rows(source, inner[rows], copy, versions) for copy in range(versions)])

    replaced = donor >= 0
    place, source_row = places(content.row)[replaced], np.tile(content.row, versions)[replaced]
    columns = replacements(connection, treebank, copied, place, source_row, donor[replaced])
    made = _read(treebank, source, copied, columns)
    return made, _arcs(made, arcs, places(cues), places(targets), place, versions)


def beside(nonsense: Treebank, treebank: Treebank) -> Treebank:
    """Return nonce sentences with those of a treebank behind them, which tell what the language has.

    The nonce sentences keep their numbers; those of the treebank are moved, and have no enhanced edges.
    """
    nodes = 1 + max(pc.max(column).as_py() for column in (nonsense.tokens["node"], nonsense.sentences["root"]))
    of_nodes, of_sentences = integers(np.array([nodes, len(nonsense.sentences)]))
    shifts = {**dict.fromkeys(("node", "head", "root"), of_nodes), "sent": of_sentences}

    def joined(own: pa.Table, other: pa.Table, schema: Mapping[str, pa.DataType]) -> pa.Table:
        moved = {
            name: pc.add(other[name], shifts[name].cast(kind)) if name in shifts else other[name]
            for name, kind in schema.items()
        }
        if "deps" in moved:
            moved["deps"] = pa.nulls(len(other), schema["deps"])
        return pa.concat_tables([own.select([*schema]), pa.table(moved)], promote_options="permissive")

    tokens = joined(nonsense.tokens, treebank.tokens, TOKENS)
    sentences = joined(nonsense.sentences, treebank.sentences, SENTENCES)
    return Treebank(nonsense.name, nonsense.language, tokens, sentences, nonsense.info)


def _draw(
    words: ContentWords,
    inflecting: Pools,
    is_target: np.ndarray,
    sentence: np.ndarray,
    preset: Preset,
    seed: int,
    again: int,
) -> np.ndarray:
    """Return the row of what replaces each word, -1 for nothing; targets are replaced by words that inflect."""
    of_context, of_target = (int(mix(seed, again, which)) for which in range(2))
    context = draw_substitutes(words, words.keys, sentence, preset.itself, of_context)
    target = draw_substitutes(replace(words, pools=inflecting), words.keys, sentence, preset.itself, of_target)
    return np.where(is_target, target, context)


def _arcs(
    made: Treebank, arcs: pa.Table, cues: np.ndarray, targets: np.ndarray, replaced: np.ndarray, versions: int
) -> pa.Table:
    """Return the arcs in each of the versions, whose tokens stand in the rows `cues` and `targets`."""
    node, sent = (numbers(made.tokens[name]) for name in ("node", "sent"))
    count = np.bincount(sent[replaced], minlength=len(made.sentences))
    columns = {
        "cue": node[cues],
        "target": node[targets],
        "sent": sent[targets],
        "nonce": np.repeat(np.arange(versions, dtype=np.int64) + 1, len(arcs)),
        "replaced": count[sent[targets]],
    }
    repeated = pa.concat_tables([arcs.drop_columns(["cue", "target", "sent"])] * versions)
    for name, column in columns.items():
        repeated = repeated.append_column(name, integers(column))
    return repeated


def _are(treebank: Treebank, rows: np.ndarray, upos: tuple[str, ...]) -> np.ndarray:
    column = pc.fill_null(take(treebank.tokens["upos"].combine_chunks(), rows), text("_"))
    return np.isin(np.array(column.to_pylist(), dtype=object), upos)


def _only(words: ContentWords, which: np.ndarray) -> ContentWords:
    """Return some of the words, with the pools of all."""
    return ContentWords(
        words.row[which],
        take(words.reason, np.flatnonzero(which)),
        words.keys[which],
        words.other_keys[which],
        words.form[which],
        words.pools,
    )


def _part(treebank: Treebank, inside: np.ndarray) -> Treebank:
    tokens = treebank.tokens.take(integers(np.flatnonzero(inside)))
    sentences = treebank.sentences.filter(pc.is_in(treebank.sentences["sent"], tokens["sent"].unique()))
    return Treebank(treebank.name, treebank.language, tokens, sentences, treebank.info)


def _inflecting(
    treebank: Treebank, construction: Construction, lexicon: Lexicon, words: ContentWords, keys: np.ndarray
) -> np.ndarray:
    """Return the rows of those donors in the pools of `keys` that the lexicon has in the cells of all conditions."""
    rows = words.pools.rows(keys[keys >= 0])
    donors = treebank.tokens.select(["lemma", "upos", "feats", "form"]).take(integers(rows))
    connection = duckdb.cursor()
    define_small(connection, treebank.language)
    connection.register("donors", donors.append_column("donor", integers(rows)))
    kinds = connection.execute("select distinct upos, coalesce(feats, '') from donors order by all").fetchall()
    changes = [next(iter(condition.changes.values())) for condition in construction.conditions]
    cells = table_of(
        [
            (upos, feats, format_features(cell) or "")
            for upos, feats in kinds
            for cell in (changed(parse_features(feats), change) for change in changes)
            if cell != parse_features(feats)
        ],
        upos=str,
        feats=str,
        cell=str,
    )
    connection.register("cells", cells)
    blanks = answer(
        connection,
        """
        select row_number() over (order by lemma, upos, feats, own_form, own_feats) as row, * from (
            select distinct lemma, donors.upos, cell as feats, null::varchar as "use", small(form) as own_form,
                coalesce(donors.feats, '') as own_feats
            from donors join cells on cells.upos = donors.upos and cells.feats = coalesce(donors.feats, '')
            where lemma is not null
        ) order by row
        """,
    )
    connection.register("blanks", blanks)
    sources = [source for source in construction.forms if source != SOURCE]
    forms = lexicon.forms(blanks, sources=sources, relax=construction.relax, threshold=construction.confidence)
    connection.register("forms", forms)
    inflecting = answer(
        connection,
        """
        with lacking as (
            select blanks.* from blanks left join forms on forms.row = blanks.row and forms.rank = 1
            where forms.form is null or small(forms.form) = own_form
        )
        select donor from donors
        where lemma is not null and not exists (
            select 1 from lacking
            where lacking.lemma = donors.lemma and lacking.upos = donors.upos
                and lacking.own_feats = coalesce(donors.feats, '') and lacking.own_form = small(donors.form)
        )
        """,
    )
    return numbers(inflecting["donor"])


def _read(treebank: Treebank, source: Treebank, copied: Treebank, columns: dict[str, pa.Array]) -> Treebank:
    """Return the copies with new words, read again so that all offsets are theirs, and called as their sources."""
    tokens, sentences = respell(copied, columns)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "nonce.conllu"
        write_conllu(Treebank(treebank.name, treebank.language, tokens, sentences, treebank.info), file)
        read = read_conllu([file])
    versions = len(copied.sentences) // max(len(source.sentences), 1)
    rows = integers(np.repeat(np.arange(len(source.sentences)), versions))
    sent = numbers(read.tokens["sent"])
    sentences, tokens = read.sentences, read.tokens
    for name in ("sent_id", "split"):
        column = source.sentences[name].combine_chunks().take(rows)
        sentences = sentences.set_column(sentences.column_names.index(name), name, column)
        tokens = tokens.set_column(tokens.column_names.index(name), name, take(column, sent))
    return Treebank(treebank.name, treebank.language, tokens, sentences, treebank.info)
