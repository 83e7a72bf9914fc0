"""UniMorph's paradigms as rows of a lexicon (Kirov et al. 2018; Batsuren et al. 2022)."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import StarbankError
from starbank.files import sha256
from starbank.morphology.letters import MISSPELT
from starbank.morphology.lexicon import LEXICON
from starbank.treebanks.arrays import answer, code, numbers, texts
from starbank.treebanks.features import format_features, parse_features
from starbank.treebanks.unimorph import is_data

SOURCE = "unimorph"
# The feature that keeps the tags which have no counterpart, so that cells stay apart.
UNKNOWN = "UniMorph"

_TABLE = Path(__file__).with_name("unimorph.tsv")

logger = logging.getLogger(__name__)

# A lemma has the parts of speech that treebanks give it among those of the tag, or else the first of these.
_ROWS = """
    with known as (select distinct lemma, upos, true as known from lexicon where language = $language),
    offered as (
        select entry.*, tag.feats, tag.upos[1] as usual, unnest(tag.upos) as upos
        from entries as entry join tags as tag using (tags)
        where tag.upos[1] <> '-'
    )
    select $language as language, lemma, upos, feats, form, null as "use", 0 as count, 'unimorph' as source,
        1.0::double as confidence
    from offered left join known using (lemma, upos)
    qualify known is not null
        or upos = usual and count(known.known) over (partition by lemma, form, tags) = 0
    order by row, upos
"""


@dataclass(frozen=True)
class Reading:
    """What a line's tags say: possible UPOS (`-`: it is no word), canonical features, tags that nobody knows."""

    upos: tuple[str, ...]
    feats: str
    unknown: tuple[str, ...]


def read_unimorph(paths: Sequence[Path], language: str, treebanks: pa.Table) -> pa.Table:
    """Return the forms of UniMorph files of a language (ISO 639-3) as a table with the schema `LEXICON`.

    A path is a file with lemma, form and tags in columns separated by tabs, or a folder of them as `starbank fetch
    --unimorph` makes it. Tags are translated by `unimorph.tsv`; what it does not know is kept in the feature
    `UniMorph` and told in one warning. A tag such as V leaves the UPOS open: it is that of the lemma in `treebanks`, a
    lexicon. Left out are forms of several words, those that a line repeats, stems that are no words, and what is
    misspelt for sure. Rows are in the order of the files.

    Raises `StarbankError` for a file that cannot be read or whose lines are something else.
    """
    lines = pa.concat_tables([_read(file) for path in paths for file in unimorph_files(path)] or [_NONE])
    codes, tags = code(lines["tags"].combine_chunks())
    readings = [read_tags(text, language) for text in tags]
    counts = np.bincount(codes, minlength=len(tags)).tolist()
    unknown = Counter({tag: 0 for reading in readings for tag in reading.unknown})
    for reading, count in zip(readings, counts, strict=True):
        unknown.update(dict.fromkeys(reading.unknown, count))
    if unknown:
        tag_counts = ", ".join(f"{tag} ({count}×)" for tag, count in unknown.most_common())
        logger.warning("UniMorph %s has tags that %s does not know: %s", language, _TABLE.name, tag_counts)
    connection = duckdb.cursor()
    connection.register("lexicon", treebanks)
    connection.register("lines", lines)
    meanings = {
        "tags": texts(tags),
        "upos": pa.array([list(reading.upos) for reading in readings], pa.list_(pa.string())),
        "feats": texts([reading.feats for reading in readings]),
    }
    connection.register("tags", pa.table(meanings))
    connection.execute(
        """
        create temp table entries as
        select lemma, form, tags, min(row) as row from (select *, row_number() over () as row from lines)
        where not contains(form, ' ') and form not in ('', '-', '—') and not regexp_matches(form, $misspelt)
        group by all
    """,
        {"misspelt": MISSPELT},
    )
    forms = answer(connection, _ROWS, params={"language": language}).cast(LEXICON)
    # Two tags of one meaning leave one row.
    connection.register("forms", forms.append_column("row", pa.array(np.arange(forms.num_rows))))
    return answer(connection, "select * exclude (row) from forms group by all order by min(row)")


def unimorph_files(path: Path) -> list[Path]:
    """Return the files with paradigms at a path: itself, or those of a folder `hin` that are `hin`, `hin.1`, …."""
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.iterdir() if is_data(path.name, file.name))


def describe_unimorph(paths: Sequence[Path]) -> list[dict[str, str]]:
    """Return what metadata say of the files at some paths: `name` and `sha256` of each."""
    return [{"name": file.name, "sha256": sha256(file)} for path in paths for file in unimorph_files(path)]


def read_tags(tags: str, language: str) -> Reading:
    """Translate the tags of one line, such as `N;ERG;SG`, by the table of a language.

    Values of one feature add up (`NOM/ACC` is `Case=Acc,Nom`). A tag that is unknown becomes a value of the feature
    `UniMorph`.
    """
    rest = list(dict.fromkeys(tag for part in tags.split(";") if (tag := part.strip().strip("{}"))))
    upos: tuple[str, ...] = ()
    features: list[str] = []
    unknown = []
    table, together = _table(language)
    for group in together:
        if set(group) <= set(rest):
            rest = [tag for tag in rest if tag not in group]
            upos, features = upos or table[group][0], [*features, table[group][1]]
    for tag in rest:
        parts = [(tag,)] if (tag,) in table else [(part,) for part in re.split(r"[/+]", tag) if part]
        if parts and all(part in table for part in parts):
            upos = upos or next((table[part][0] for part in parts if table[part][0]), ())
            features += [table[part][1] for part in parts]
        else:
            unknown.append(tag)
            features.append(f"{UNKNOWN}=" + re.sub(r"[|=,\s]+", "_", tag))
    feats = format_features(parse_features("|".join(features))) or ""
    return Reading(upos or ("X",), feats, tuple(unknown))


_Meanings = Mapping[tuple[str, ...], tuple[tuple[str, ...], str]]


@cache
def _table(language: str) -> tuple[_Meanings, list[tuple[str, ...]]]:
    """Return what tags mean in a language (UPOS, features), and those that are replaced together, the most first."""
    lines = _TABLE.read_text(encoding="utf-8").splitlines()
    _, *entries = (line.split("\t") for line in lines if not line.startswith("#"))
    meanings = {}
    for scope in ("any", language):
        for owner, tags, upos, feats in entries:
            if owner == scope:
                meanings[tuple(tags.split(";"))] = (tuple(filter(None, upos.split(","))), feats)
    return meanings, sorted((tags for tags in meanings if len(tags) > 1), key=len, reverse=True)


_COLUMNS = ("lemma", "form", "tags")
_NONE = pa.table({name: texts([]) for name in _COLUMNS})


def _read(file: Path) -> pa.Table:
    """Return the columns `lemma`, `form`, `tags` of a file; a fourth, how a form is made of morphemes, is let go."""
    try:
        content = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise StarbankError(f"cannot be read: {error}", file=file) from error
    lines = pc.utf8_trim_whitespace(texts(content.split("\n")))
    parts = pc.split_pattern(lines, "\t")
    length, empty = numbers(pc.list_value_length(parts)), numbers(pc.equal(lines, "").cast(pa.int8()))
    wrong = np.flatnonzero((length < len(_COLUMNS)) & (empty == 0))
    if len(wrong):
        number = int(wrong[0])
        hint = "UniMorph has a lemma, a form and its tags on a line, with tabs between."
        raise StarbankError(
            "is no line of UniMorph", file=file, line=number + 1, source=lines[number].as_py(), hint=hint
        )
    parts = parts.filter(pc.not_equal(lines, ""))
    return pa.table([pc.list_element(parts, at) for at in range(len(_COLUMNS))], names=list(_COLUMNS))
