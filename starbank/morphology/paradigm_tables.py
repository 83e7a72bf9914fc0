"""Paradigms that are written down beside a construction, where a treebank's features do not tell its cells apart."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import StarbankError
from starbank.treebanks.arrays import table_of
from starbank.treebanks.features import changed, parse_features

COLUMNS = ("lemma", "upos", "feats", "form")
SOURCE = "table"
# The lemma of rows about any word, and in their forms its stem: `*ი`, `*მა`.
ANY = "*"


@dataclass(frozen=True)
class Entry:
    """A form in its cell."""

    lemma: str
    upos: str
    features: Mapping[str, str]
    form: str


class ParadigmTables:
    """Words in all their forms, from tab-separated files with the columns `COLUMNS`.

    Lines that begin with `#` are comments. Of two forms of one cell the first is the usual one. Rows of the lemma `*`
    are for words that have no row of their own: `*` in their forms stands for the same letters in all.
    """

    def __init__(self, files: Sequence[Path]) -> None:
        """Read `files`; raise `StarbankError` with file and line where a line is no entry."""
        self._enter(entry for file in files for entry in _read(file))

    def _enter(self, entries: Iterable[Entry]) -> None:
        self._by_form: dict[tuple[str, str], list[Entry]] = {}
        self._by_cell: dict[tuple[str, str, tuple[tuple[str, str], ...]], str] = {}
        self._names: set[str] = set()
        for entry in entries:
            upos = _class(entry.upos)
            by = ANY if entry.lemma == ANY else _key(entry.form)
            self._by_form.setdefault((upos, by), []).append(entry)
            self._by_cell.setdefault((entry.lemma, upos, tuple(entry.features.items())), entry.form)
            self._names.update(entry.features)

    def forms(self, cells: pa.Table) -> pa.Table:
        """Return the form of each cell that the tables know: columns `row`, `form`.

        `cells` has the columns `row`, `lemma`, `upos`, `feats`, `own_form` and `own_feats`, as `Lexicon.forms` wants
        them. A word stands where the tables have its own form with nothing that contradicts its features; from there
        the change leads to the new form. So a table may tell more than the treebank: Basque *zuen*, past, becomes
        *zituen* and not *ditu*, although the treebank has no tense. Where two entries lead to different forms there is
        none. Verbs and auxiliaries share their entries: *du* is "has" or an auxiliary, as the treebank sees fit.
        """
        return each_cell(cells if self._by_cell else cells.slice(0, 0), self._form)

    def _form(self, lemma: str, upos: str, feats: str, own_form: str, own_feats: str) -> str | None:
        shown, goal = parse_features(own_feats), parse_features(feats)
        change = {name: goal.get(name) for name, _ in shown.items() ^ goal.items() if name in self._names}

        def fitting(by: str) -> list[Entry]:
            entries = self._by_form.get((_class(upos), by), [])
            return [
                entry
                for entry in entries
                if all(shown.get(name, value) == value for name, value in entry.features.items())
            ]

        def leads_to(entry: Entry) -> str | None:
            return self._by_cell.get((entry.lemma, _class(upos), tuple(changed(entry.features, change).items())))

        if own := fitting(_key(own_form)):
            forms = {leads_to(entry) for entry in self._of_word(lemma, own)}
        else:
            forms = {_with_stem(entry.form, own_form, leads_to(entry)) for entry in fitting(ANY)} - {None}
        return forms.pop() if len(forms) == 1 else None

    def _of_word(self, lemma: str, entries: Sequence[Entry]) -> Sequence[Entry]:
        """Return the entries of a lemma, or else all, since treebanks lemmatise differently: करना or कर.

        A form that only one word of the tables has needs no lemma.
        """
        return [entry for entry in entries if entry.lemma == lemma] or entries


def as_determiners(cells: pa.Table) -> pa.Table:
    """Return cells in which pronouns in attributive use are what UD means by DET: Georgian *ეს*, *ამ*, not *ამან*.

    `cells` has the columns `upos` and `use`, as `Lexicon.forms` wants them.
    """
    determiners = pc.and_(pc.equal(cells["upos"], "PRON"), pc.equal(cells["use"], "attributive"))
    upos = pc.if_else(pc.fill_null(determiners, False), "DET", cells["upos"])
    return cells.set_column(cells.column_names.index("upos"), "upos", upos)


def each_cell(cells: pa.Table, find: Callable[[str, str, str, str, str], str | None]) -> pa.Table:
    """Return what is found for each cell, columns `row`, `form`, asking once for those that are alike.

    `find` gets `lemma`, `upos`, `feats`, `own_form`, `own_feats`.
    """
    columns = (cells[name].to_pylist() for name in ("row", "lemma", "upos", "feats", "own_form", "own_feats"))
    find_once = cache(find)
    forms = (
        (row, find_once(lemma, upos, feats or "", own_form or "", own_feats or ""))
        for row, lemma, upos, feats, own_form, own_feats in zip(*columns, strict=True)
    )
    filled = [(row, form) for row, form in forms if form is not None]
    return table_of(filled, row=int, form=str)


def _with_stem(pattern: str, form: str, other: str | None) -> str | None:
    """Return the `other` pattern with what stands for `*` in a form; None where the form is not of the pattern."""
    before, after = pattern.split(ANY)
    if other is None or not (form.startswith(before) and form.endswith(after) and len(form) > len(before + after)):
        return None
    return other.replace(ANY, form[len(before) : len(form) - len(after)])


def _class(upos: str) -> str:
    return "VERB" if upos == "AUX" else upos


def _key(form: str) -> str:
    """Return what forms are compared by: capitals and ways to compose a letter (ढ़) aside."""
    return unicodedata.normalize("NFC", form).lower()


def _read(file: Path) -> Iterator[Entry]:
    try:
        lines = Path(file).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise StarbankError(f"cannot be read: {error}", file=file) from error
    entries = [(number, line) for number, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")]
    hint = "Separate with tabs: " + ", ".join(COLUMNS) + "; the first line has these names."
    if not entries or tuple(entries[0][1].split("\t")) != COLUMNS:
        raise StarbankError("is no table of paradigms", file=file, line=1, hint=hint)
    for number, line in entries[1:]:
        fields = line.split("\t")
        if len(fields) != len(COLUMNS) or not all(fields):
            raise StarbankError("is no entry of a paradigm", file=file, line=number, source=line, hint=hint)
        lemma, upos, feats, form = fields
        if (lemma == ANY) != (form.count(ANY) == 1):
            message = "has `*` for the lemma or in the form, and not in both"
            raise StarbankError(
                message, file=file, line=number, source=line, hint="Write such as `*\tADJ\tCase=Nom\t*ი`."
            )
        try:
            yield Entry(lemma, upos, parse_features(feats), form)
        except ValueError as error:
            raise StarbankError(f"`{error}` is no feature", file=file, line=number, source=line, hint=hint) from error
