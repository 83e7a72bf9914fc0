"""A lexicon: tables of words with attributes, and paradigms that say how each word inflects.

A table is tab-separated; its first line names the columns, lines with `#` are comments. `nouns.tsv` lists words, one a
line. Where `nouns.paradigm.tsv` stands beside it, each of its rows makes a form: a word follows, in each cell, the
first row that fits it. A row's `lemma` is a regular expression for the whole lemma; its other columns that the words
have too select words, and those that they have not name the cell. The `form` may take up groups of the lemma (`\\1`)
and columns of the word (`{plural}`), and is `-` where a cell has no form. A word is refused where its `lemma` fits
no row for a cell that words with its attributes have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import product
from pathlib import Path
from typing import NoReturn

import yaml

from starbank.errors import ConstructionError, UsageError, nearest
from starbank.names import require_name
from starbank.treebanks.features import parse_features
from starbank.yaml_lines import LOADER

ANY, NONE, NO_FORM = "*", "~", "-"
# Columns that say what a word is, and no attributes to agree in.
OWN = ("form", "feats", "upos", "gloss", "weight")


@dataclass(frozen=True, eq=False)
class Word:
    """One form of a word: what it agrees in is in `attributes`, an alternative `a|b` being a set of two values.

    `place` is where it is written, for messages.
    """

    lemma: str
    form: str
    attributes: Mapping[str, frozenset[str]]
    gloss: str
    upos: str | None
    weight: float
    place: tuple[Path, int]

    def values(self, attribute: str) -> frozenset[str]:
        """Return the values of an attribute: `ANY` for one that it agrees in with anything, `NONE` without it."""
        return self.attributes.get(attribute, frozenset([NONE]))


@dataclass(frozen=True)
class Table:
    """The words of one table."""

    name: str
    words: Sequence[Word]

    @cached_property
    def by_lemma(self) -> dict[str, list[Word]]:
        """The forms of each lemma."""
        forms: dict[str, list[Word]] = {}
        for word in self.words:
            forms.setdefault(word.lemma, []).append(word)
        return forms

    @cached_property
    def attributes(self) -> dict[str, set[str]]:
        """The values of each attribute, `lemma` among them."""
        attributes: dict[str, set[str]] = {}
        for word in self.words:
            for name, values in word.attributes.items():
                attributes.setdefault(name, set()).update(values - {ANY, NONE})
        return attributes


@dataclass(frozen=True)
class Lexicon:
    """A folder with tables, and the file `lexicon.yaml` that tells its name, its licence and parts of speech."""

    folder: Path
    name: str
    license: str
    upos: Mapping[str, str]
    _read: dict[str, Table] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The names of the tables."""
        return sorted(file.stem for file in self.folder.glob("*.tsv") if not file.name.endswith(".paradigm.tsv"))

    def files(self, names: Iterable[str]) -> list[Path]:
        """Return the files that the tables of these names are read from, and `lexicon.yaml`."""
        single = sorted({part for name in names for part in name.split("|")})
        tables = [self.folder / f"{name}{kind}.tsv" for name in single for kind in ("", ".paradigm")]
        return [self.folder / "lexicon.yaml", *(file for file in tables if file.is_file())]

    def table(self, name: str) -> Table:
        """Return the table of a name, or of `a|b` both: words of `b` whose lemma `a` has, too, are those of `a`.

        Raises `ConstructionError` with file and line where it cannot be read.
        """
        if name not in self._read:
            first, _, others = name.partition("|")
            words = self._words(first)
            if others:
                own = {word.lemma for word in words}
                words += [word for word in self.table(others).words if word.lemma not in own]
            self._read[name] = Table(name, words)
        return self._read[name]

    def _words(self, name: str) -> list[Word]:
        words = list(_entries(self.folder / f"{name}.tsv", self.upos.get(name)))
        rules = self.folder / f"{name}.paradigm.tsv"
        return _inflect(words, rules) if rules.is_file() else words


def open_lexicon(folder: Path) -> Lexicon:
    """Return the lexicon for the templates in `folder`: the nearest folder `lexicon` there or above.

    Raises `UsageError` where there is none, `ConstructionError` where its `lexicon.yaml` lacks something.
    """
    places = (parent / "lexicon" for parent in [folder, *folder.resolve().parents])
    lexicon = next((place for place in places if place.is_dir()), None)
    if lexicon is None:
        hint = "Make a folder `lexicon` beside the template, or above it, with tables of words and `lexicon.yaml`."
        raise UsageError("there is no lexicon here or in a folder above", file=folder, hint=hint)
    # The templates of a language share what has been read, as long as no file changes.
    stamps = ((file.name, file.stat().st_mtime_ns, file.stat().st_size) for file in lexicon.iterdir())
    return _open(lexicon, tuple(sorted(stamps)))


@lru_cache(maxsize=32)
def _open(folder: Path, _stamps: tuple[tuple[str, int, int], ...]) -> Lexicon:
    file = folder / "lexicon.yaml"
    try:
        about = yaml.load(file.read_text(encoding="utf-8-sig"), LOADER)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConstructionError(f"cannot be read: {error}", file=file, hint=_ABOUT) from error
    if not isinstance(about, dict) or not {"name", "license"} <= about.keys() <= {"name", "license", "upos"}:
        raise ConstructionError("must tell `name`, `license` and, if you like, `upos`", file=file, hint=_ABOUT)
    name = require_name(about["name"], "a lexicon", ConstructionError, file=file)
    return Lexicon(folder, name, about["license"], about.get("upos") or {})


_ABOUT = "Write lines such as `name: Basque-Lexicon`, `license: CC-BY-4.0`, `upos: {nouns: NOUN, verbs: VERB}`."


def make_word(row: Mapping[str, str], place: tuple[Path, int], upos: str | None = None) -> Word:
    """Return the word of a row: `form` is the lemma where there is none, `lemma` the form; `feats` are attributes."""
    form = row.get("form", row.get("lemma", ""))
    lemma = row.get("lemma") or form
    attributes = {name: frozenset(value.split("|")) for name, value in row.items() if name not in OWN}
    try:
        features = parse_features(row.get("feats") or "")
        weight = float(row.get("weight") or 1)
    except ValueError as error:
        _fail(f"cannot be read: {error}", place)
    attributes |= {name: frozenset([value]) for name, value in features.items()}
    attributes["lemma"] = frozenset([lemma])
    return Word(lemma, form, attributes, row.get("gloss", ""), row.get("upos", upos), weight, place)


def _entries(file: Path, upos: str | None) -> Iterator[Word]:
    for line, row in _rows(file):
        if "lemma" not in row and "form" not in row:
            _fail("has neither a column `lemma` nor `form`", (file, 1))
        yield make_word(row, (file, line), upos)


def _rows(file: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Return the rows of a table with their line numbers."""
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConstructionError(f"cannot be read: {error}", file=file) from error
    header: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [part.strip() for part in line.split("\t")]
        if not header:
            header = fields
            continue
        if len(fields) != len(header):
            hint = f"The columns are {', '.join(header)}; separate them with one tab each."
            _fail(f"has {len(fields)} columns in place of {len(header)}", (file, number), line, hint)
        row = dict(zip(header, fields, strict=True))
        empty = [name for name, value in row.items() if not value and name not in OWN]
        if empty:
            hint = f"Write `{NONE}` where the word has no such attribute, `{ANY}` where it agrees with any value."
            _fail(f"has nothing in the column `{empty[0]}`", (file, number), line, hint)
        yield number, row


@dataclass(frozen=True)
class _Rule:
    lemma: re.Pattern[str]
    attributes: Mapping[str, frozenset[str]]
    form: str
    place: tuple[Path, int]


def _inflect(entries: Sequence[Word], file: Path) -> list[Word]:
    """Return all forms of all words, each word in the order of the cells."""
    rules = [_rule(row, (file, line)) for line, row in _rows(file)]
    columns = {name for entry in entries for name in entry.attributes}
    for rule in rules:
        _check_rule(rule, columns, entries)
    rules = [_whole(rule, rules, columns) for rule in rules]
    if not rules:
        _fail("is the only one, so that words have no forms", (file, 1))
    return [form for entry in entries for form in _forms(entry, rules, columns)]


def _rule(row: Mapping[str, str], place: tuple[Path, int]) -> _Rule:
    if "form" not in row:
        _fail("has no column `form`", (place[0], 1))
    try:
        pattern = re.compile(row.get("lemma", ".*"))
    except re.error as error:
        _fail(f"has a lemma that is no regular expression: {error}", place)
    attributes = {name: frozenset(value.split("|")) for name, value in row.items() if name not in (*OWN, "lemma")}
    return _Rule(pattern, attributes, row["form"], place)


def _check_rule(rule: _Rule, columns: set[str], entries: Sequence[Word]) -> None:
    """Refuse a rule that selects words by a value that no word has: a slip of the pen."""
    for name in (name for name in rule.attributes if name in columns):
        valid = {value for entry in entries for value in entry.values(name)}
        for value in sorted(rule.attributes[name] - valid - {ANY}):
            _fail(f"selects words by `{name}` {value}, which none has", rule.place, hint=nearest(value, sorted(valid)))


def _whole(rule: _Rule, rules: Sequence[_Rule], columns: set[str]) -> _Rule:
    """Give a rule for all values of a cell those values that the others name."""
    attributes = dict(rule.attributes)
    for name in attributes.keys() - columns:
        if ANY in attributes[name]:
            values = frozenset[str]().union(*(rule.attributes[name] for rule in rules)) - {ANY}
            attributes[name] = values or frozenset([ANY])
    return replace(rule, attributes=attributes)


def _forms(entry: Word, rules: Sequence[_Rule], columns: set[str]) -> list[Word]:
    """Return the forms of a word; refuse one that has no row in a cell where words with its attributes have one."""
    chosen = [rule for rule in rules if _selects(rule, entry, columns)]
    forms: list[Word] = []
    filled: set[tuple[str, ...]] = set()
    for rule in chosen:
        match = rule.lemma.fullmatch(entry.lemma)
        if match is None:
            continue
        for cell in _cells(rule, columns):
            if tuple(cell.values()) not in filled and rule.form != NO_FORM:
                attributes = {**entry.attributes, **{name: frozenset([value]) for name, value in cell.items()}}
                forms.append(replace(entry, form=_fill(rule, match, entry), attributes=attributes))
            filled.add(tuple(cell.values()))
    lacking = [cell for rule in chosen for cell in _cells(rule, columns) if tuple(cell.values()) not in filled]
    if lacking or not forms:
        _refuse(entry, rules[0].place[0], lacking)
    return forms


def _selects(rule: _Rule, entry: Word, columns: set[str]) -> bool:
    return all(overlap(values, entry.values(name)) for name, values in rule.attributes.items() if name in columns)


def _cells(rule: _Rule, columns: set[str]) -> Iterator[dict[str, str]]:
    names = [name for name in rule.attributes if name not in columns]
    for values in product(*(sorted(rule.attributes[name]) for name in names)):
        yield dict(zip(names, values, strict=True))


def _refuse(entry: Word, file: Path, lacking: Sequence[Mapping[str, str]]) -> NoReturn:
    cells = sorted({" ".join(f"{name}={value}" for name, value in cell.items()) for cell in lacking})
    where = f" in {cells[0]}{' and others' if cells[1:] else ''}" if any(cells) else ""
    hint = f"Add a row for such words there, with the form `{NO_FORM}` where they have none, or leave the word out."
    _fail(f"has `{entry.lemma}`, for which {file.name} has no form{where}", entry.place, hint=hint)


def _fill(rule: _Rule, match: re.Match[str], entry: Word) -> str:
    columns = {name: "|".join(sorted(values)) for name, values in entry.attributes.items()}
    try:
        return match.expand(rule.form).format_map(columns)
    except (KeyError, re.error, ValueError, IndexError) as error:
        message = f"has a form that cannot be filled in: {error}"
        _fail(message, rule.place, rule.form, f"A form may use \\1 and {', '.join(f'{{{name}}}' for name in columns)}.")


def overlap(values: frozenset[str], others: frozenset[str]) -> bool:
    """Tell whether two words may agree in an attribute that has these values in each."""
    return ANY in values | others or bool(values & others)


def _fail(message: str, place: tuple[Path, int], source: str | None = None, hint: str | None = None) -> NoReturn:
    raise ConstructionError(f"the row {message}", file=place[0], line=place[1], source=source, hint=hint)
