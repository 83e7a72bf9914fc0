"""What only a person knows of a language: a file of the folder `languages`, found by the language's ISO 639-3 code.

A file of the working directory's folder stands in for Starbank's of the same language. docs/add-a-language.md says what
the keys mean.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar

from starbank.documents import Entry, language_code, read_document, read_text
from starbank.errors import ConstructionError, RequestError, nearest
from starbank.shipped import shipped

# ISO 639-3 for a language that nothing tells.
UNDETERMINED = "und"
_LANGUAGES = shipped("languages")
_QUOTED_LIST = re.compile(r'(re)?"languages\.(\w+)"')
_LIST = re.compile(r"(?<![^|])languages\.(\w+)(?![^|])")
RULE = ("upos", "feats", "form", "plain", "if", "use")
ALIKE = ("upos", "feats", "lemma", "form", "also")
_GENDER = (
    *("masculine", "feminine", "direct", "oblique", "feminine_singular", "feminine_plural", "genitive", "plural"),
    *("nasal", "past", "past_plural", "future", "future_plural", "infinitive", "glide"),
)
_HINT = "Write lines of `key: value`."
# The names of lists that files have had: to look whether the files have changed takes longer than to read a request.
_LISTED: dict[str, set[str]] = {"words": set(), "forms": set()}

T = TypeVar("T")


@dataclass(frozen=True)
class Language:
    """What the file of a language says; its keys are those of the file, and nothing stands where a key is missing."""

    name: str = ""
    capitals: Mapping[str, str] = field(default_factory=dict)
    plural_of_respect: bool = False
    chooses_auxiliary: bool = False
    bound: tuple[Mapping[str, str], ...] = ()
    alike: tuple[Mapping[str, str], ...] = ()
    endings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lemma_endings: Mapping[str, str] = field(default_factory=dict)
    suffixes: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    gender: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    forms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def small(self, text: str) -> str:
        """Return a text in small letters: Turkish *ışık* of IŞIK."""
        return text.translate(self._of_capitals).lower()

    @cached_property
    def _of_capitals(self) -> dict[int, str]:
        return {ord(capital): letter for letter, capital in self.capitals.items()}

    def capital(self, text: str) -> str:
        """Return a text with a capital at its beginning; where that is two letters, the second is small."""
        return self.capitals.get(text[:1], text[:1].title()) + text[1:]


def language_files() -> dict[str, Path]:
    """Return the files of all languages by code, those of the working directory's folder before Starbank's."""
    return {Path(file).stem: Path(file) for file, _ in _stamps()}


def language_of(code: str | None) -> Language:
    """Return what is known of a language.

    Raises `ConstructionError` with file and line where its file is wrong.
    """
    for folder in (Path("languages"), _LANGUAGES):
        if code and (file := folder / f"{code}.yaml").is_file():
            return _read(file.absolute(), file.stat().st_mtime_ns)
    return Language()


def with_words(request: str, file: Path | None = None, language: str | None = None) -> str:
    """Return a request in which each value `"languages.NAME"` has given way to the words that a language lists as NAME.

    Without a language they are those of all. `re"languages.NAME"` stands for any of the expressions that are listed. A
    value stays, and no word has it, where the language lists nothing; raises `RequestError` where none does.
    """
    if not _QUOTED_LIST.search(request):
        return request
    lists = language_of(language).words if language else _all_lists("words")

    def quoted(match: re.Match[str]) -> str:
        if not _is_listed("words", match[2]):
            before, lines = request[: match.start()], request.splitlines()
            number, column = before.count("\n"), match.start() - before.rfind("\n")
            raise RequestError(
                f"no language lists words as `{match[2]}`",
                file=file, line=number + 1, column=column, source=lines[number],
                hint=nearest(match[2], sorted(_all_lists("words"))),
            )  # fmt: skip
        listed = lists.get(match[2], ())
        if not listed:
            return match[0]
        if match[1]:
            return 're"' + r"\|".join(f"\\({pattern}\\)" for pattern in listed) + '"'
        return "|".join('"' + word.replace("\\", r"\\").replace('"', r"\"") + '"' for word in listed)

    return _QUOTED_LIST.sub(quoted, request)


def with_forms(entry: Entry, language: str | None = None) -> str:
    """Return a regular expression in which alternatives `languages.NAME` have given way to those of a language, or all.

    Where the language lists none there is nothing between the bars, which no form is.
    """
    if not _LIST.search(entry.text()):
        return entry.text()
    lists = language_of(language).forms if language else _all_lists("forms")

    def alternatives(match: re.Match[str]) -> str:
        if not _is_listed("forms", match[1]):
            entry.fail(f"names `{match[0]}`, which no language lists", nearest(match[1], sorted(_all_lists("forms"))))
        return "|".join(lists.get(match[1], ()))

    return _LIST.sub(alternatives, entry.text())


def _is_listed(kind: str, name: str) -> bool:
    """Tell whether any language lists something by a name; what one has listed is not looked for again."""
    if name not in _LISTED[kind]:
        _LISTED[kind].update(_all_lists(kind))
    return name in _LISTED[kind]


def _all_lists(kind: str) -> dict[str, tuple[str, ...]]:
    """Return by name what the files of all languages list."""
    files = {os.path.basename(file): (os.path.abspath(file), changed) for file, changed in _stamps()}
    return _lists(kind, tuple(files.values()))


def _stamps() -> list[tuple[str, int]]:
    """Return the files of languages with the times of their last change, those that take precedence last."""
    folders = [folder for folder in (_LANGUAGES, Path("languages")) if folder.is_dir()]
    entries = [entry for folder in folders for entry in sorted(os.scandir(folder), key=lambda entry: entry.name)]
    return [(entry.path, entry.stat().st_mtime_ns) for entry in entries if entry.name.endswith(".yaml")]


@cache
def _lists(kind: str, files: tuple[tuple[str, int], ...]) -> dict[str, tuple[str, ...]]:
    lists: dict[str, dict[str, None]] = {}
    for file, changed in files:
        for name, listed in getattr(_read(Path(file), changed), kind).items():
            lists.setdefault(name, {}).update(dict.fromkeys(listed))
    return {name: tuple(listed) for name, listed in lists.items()}


@cache
def _read(file: Path, changed: int) -> Language:
    document = read_document(read_text(file), file, "the file")
    document.require([key.name for key in fields(Language)], ["name"])
    # Starbank's own are named well, and the list of all languages is slow to read.
    if file.parent != _LANGUAGES.absolute():
        _require_code(file)
    return Language(**{key: _READERS[key](document[key]) for key in document.value})


def _require_code(file: Path) -> None:
    try:
        language_code(file.stem)
    except ValueError as error:
        message, hint = error.args
        raise ConstructionError(f"the name of the file {message}", file=file, hint=hint) from error


def _by_name(read: Callable[[Entry], T]) -> Callable[[Entry], dict[str, T]]:
    return lambda entry: {key: read(value) for key, value in entry.items(_HINT)}


def _pattern(entry: Entry) -> str:
    try:
        re.compile(entry.text())
    except re.error as error:
        entry.fail(f"is no regular expression: {error}")
    return entry.text()


def _patterns(entry: Entry) -> tuple[str, ...]:
    return tuple(map(_pattern, entry.entries("Write a list.")))


def _rules(
    keys: Sequence[str], *, patterns: Collection[str], optional: Collection[str] = ()
) -> Callable[[Entry], tuple[dict[str, str], ...]]:
    def read(entry: Entry) -> tuple[dict[str, str], ...]:
        rules = entry.entries("Write a list of rules.")
        for rule in rules:
            rule.require(keys, [key for key in keys if key not in optional])
            for key in set(patterns).intersection(rule.value):
                _pattern(rule[key])
        return tuple({key: value.text() for key, value in rule.items(_HINT)} for rule in rules)

    return read


def _gender(entry: Entry) -> dict[str, str]:
    entry.require(_GENDER, _GENDER)
    return _by_name(_pattern)(entry)


_READERS: dict[str, Callable[[Entry], Any]] = {
    "name": Entry.text,
    "capitals": _by_name(Entry.text),
    "plural_of_respect": Entry.truth,
    "chooses_auxiliary": Entry.truth,
    "bound": _rules(RULE, patterns=["form"], optional=["feats"]),
    "alike": _rules(ALIKE, patterns=["lemma", "form"], optional=["lemma", "form"]),
    "endings": _by_name(Entry.texts),
    "lemma_endings": _by_name(_pattern),
    "suffixes": _by_name(_by_name(Entry.texts)),
    "gender": _gender,
    "words": _by_name(Entry.texts),
    "forms": _by_name(_patterns),
}
