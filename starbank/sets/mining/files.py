"""Items of mined agreement as the files that the evaluation of Gulordava et al. (2018) reads."""

from __future__ import annotations

import csv
import io
import re
import string
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import SuiteError
from starbank.morphology.words import covering
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import integers, mask
from starbank.treebanks.features import parse_features

END = "<eos>"
_TAB = (
    *("pattern", "constr_id", "sent_id", "correct_number", "form", "class", "type", "prefix", "n_attr"),
    *("punct", "freq", "len_context", "len_prefix", "sent"),
)
# Words of other UPOS stay as they are in nonce sentences.
_CONTENT = frozenset({"ADJ", "ADV", "NOUN", "NUM", "PROPN", "VERB"})


@dataclass(frozen=True)
class _Line:
    """One version of a sentence, as all the files tell of it."""

    direction: str
    pattern: str
    original: int
    version: int
    tokens: tuple[str, ...]
    target: int
    cue: int
    attractors: int
    item: Mapping[str, Any]

    @property
    def forms(self) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        good, bad, *_ = self.item["conditions"]
        return good, bad


def to_files(items: pa.Table, treebanks: Sequence[Treebank]) -> dict[str, str]:
    """Return the files by their endings: `.text`, `.gold`, `.eval` and `.tab`.

    `items` are those of one construction whose generator is `mined_agreement`, from the `treebanks`. A line of `.text`
    is a sentence in tokens (multiword tokens as one) with spaces between and the end sign; `.gold` has twelve fields
    with tabs between: pattern, number of the original, number of the version, the target's place from 0, its UPOS and
    features, the grammatical form, the starred one, lemma, the cue's place, its UPOS, and the original up to the
    target; `.eval` has the target's place; `.tab` a line for each form. Of several starred forms the first is told.
    Raises `SuiteError` where an item is of another making, or of a treebank that is not among these.
    """
    lines = _lines(items.to_pylist(), {treebank.name: _surfaces(treebank) for treebank in treebanks})
    firsts = {(line.direction, line.pattern, line.original): line for line in lines if not line.version}
    text, gold, places = [], [], []
    for line in lines:
        first = firsts[line.direction, line.pattern, line.original]
        text.append(" ".join([*line.tokens, END]))
        places.append(str(line.target))
        gold.append("\t".join(_gold(line, " ".join(first.tokens[: first.target + 1]))))
    files = {".text": text, ".gold": gold, ".eval": places}
    return {ending: "".join(f"{row}\n" for row in rows) for ending, rows in files.items()} | {".tab": _table(lines)}


def _lines(rows: Sequence[Mapping[str, Any]], surfaces: Mapping[str, Mapping[str, _Surface]]) -> list[_Line]:
    """Return the lines of all items; an original comes before its versions."""
    numbers: dict[tuple[str, ...], int] = {}
    counts: Counter[tuple[str, str]] = Counter()
    lines = []
    for item in rows:
        covariates = {covariate["name"]: covariate["value"] for covariate in item["covariates"]}
        kind = next((name.split() for name in covariates if re.fullmatch(r"pattern \S+ [LR]", name)), None)
        if kind is None or item["distance"] is None:
            raise SuiteError(f"the item {item['item_id']} is of no mined pattern")
        _, pattern, direction = kind
        name = (item["treebank"], item["sent_id"], item["target"]["id"])
        if item["treebank"] not in surfaces or item["sent_id"] not in surfaces[item["treebank"]]:
            hint = "Name the treebanks that the suite is from."
            raise SuiteError(f"there is no sentence {item['sent_id']} of {item['treebank']}", hint=hint)
        if name not in numbers:
            numbers[name] = counts[pattern, direction]
            counts[pattern, direction] += 1
        surface = surfaces[item["treebank"]][item["sent_id"]]
        tokens, target = surface.cut(item)
        cue = surface.place(item["position"] - item["distance"])
        lines.append(
            _Line(
                direction,
                pattern,
                numbers[name],
                covariates["nonce"],
                tokens,
                target,
                cue,
                covariates["attractors like the cue"],
                item,
            )
        )
    return lines


def _differing(*feats: str) -> list[str]:
    """Return in order what each of two sides has where they differ, as `Number=Sing`."""
    good, bad = map(parse_features, feats)
    return sorted(
        f"{name}={value}" for side in (good, bad) for name, value in side.items() if good.get(name) != bad.get(name)
    )


def _gold(line: _Line, prefix: str) -> list[str]:
    good, bad = line.forms
    return [
        "!".join([line.direction, line.pattern, *_differing(good["feats"], bad["feats"])]),
        *map(str, (line.original, line.version, line.target)),
        line.item["target"]["upos"],
        good["feats"],
        good["form"],
        bad["form"],
        line.item["target"]["lemma"],
        str(line.cue),
        line.pattern.split("_")[0],
        prefix,
    ]


def _table(lines: Sequence[_Line]) -> str:
    text = io.StringIO()
    table = csv.writer(text, delimiter="\t", lineterminator="\n")
    table.writerow(_TAB)
    for line in lines:
        prefix = line.tokens[: line.target]
        for condition, kind in zip(line.forms, ("correct", "wrong"), strict=True):
            table.writerow(
                [
                    f"{line.direction}__{line.pattern}",
                    *(line.original, line.version, line.forms[0]["name"].lower(), condition["form"], kind),
                    "generated" if line.version else "original",
                    " ".join(prefix),
                    line.attractors,
                    any(sign in prefix for sign in string.punctuation),
                    condition["form_count"],
                    *(line.target - line.cue, line.target),
                    " ".join([*line.tokens, END]),
                ]
            )
    return text.getvalue()


@dataclass(frozen=True)
class _Surface:
    """A sentence as its text shows it: the tokens, what stands between them, and where each word is.

    `gaps` are the white space before each token; `fixed` tells of each whether it stays in nonce versions; `last` is
    the position of its last word.
    """

    tokens: tuple[str, ...]
    gaps: tuple[str, ...]
    fixed: tuple[bool, ...]
    last: tuple[int, ...]

    def place(self, position: int) -> int:
        """Return the place of the token, from 0, that has the word at a position."""
        return int(np.searchsorted(self.last, position))

    def cut(self, item: Mapping[str, Any]) -> tuple[tuple[str, ...], int]:
        """Return the tokens of an item's grammatical sentence, and the place of its target."""
        before, form, after = item["conditions"][0]["regions"]
        target = self.place(item["position"])
        parts = self._part(before, 0, target), self._part(after, target + 1, len(self.tokens))
        return (*parts[0], form, *parts[1]), target

    def _part(self, text: str, first: int, last: int) -> tuple[str, ...]:
        pattern = "".join(
            re.escape(gap) + (f"((?i:{re.escape(token)}))" if fixed else r"(\S.*?)")
            for gap, token, fixed in list(zip(self.gaps, self.tokens, self.fixed, strict=True))[first:last]
        )
        match = re.fullmatch(pattern + r"\s*", text)
        if match is None:
            raise SuiteError(f"the words of the treebank are not those of the item: {text}")
        return match.groups()


def _surfaces(treebank: Treebank) -> dict[str, _Surface]:
    """Return the sentences of a treebank by their `sent_id`."""
    tokens = treebank.tokens
    cover = covering(tokens)
    shown = np.flatnonzero((cover < 0) & mask(tokens["start"].combine_chunks().is_valid()))
    position = np.array(pc.fill_null(tokens["position"].combine_chunks(), 0).to_pylist(), dtype=np.int64)
    last = position.copy()
    np.maximum.at(last, cover[cover >= 0], position[cover >= 0])
    rows = tokens.select(["sent", "form", "upos", "start", "end"]).take(integers(shown)).to_pylist()
    texts = dict(zip(*(treebank.sentences[name].to_pylist() for name in ("sent", "text")), strict=True))
    words: dict[int, list[tuple[dict[str, Any], int]]] = {}
    for row, place in zip(rows, last[shown].tolist(), strict=True):
        words.setdefault(row["sent"], []).append((row, place))
    names = dict(zip(*(treebank.sentences[name].to_pylist() for name in ("sent", "sent_id")), strict=True))
    return {names[sent]: _surface(texts[sent], words[sent]) for sent in words}


def _surface(text: str, rows: Sequence[tuple[Mapping[str, Any], int]]) -> _Surface:
    ends = [0, *(row["end"] for row, _ in rows)]
    return _Surface(
        tuple(text[row["start"] : row["end"]] for row, _ in rows),
        tuple(text[end : row["start"]] for end, (row, _) in zip(ends, rows, strict=False)),
        tuple(row["upos"] is not None and row["upos"] not in _CONTENT for row, _ in rows),
        tuple(place for _, place in rows),
    )
