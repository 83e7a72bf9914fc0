"""A suite as the files of others: JSON of SyntaxGym, and its pairs as lines of BLiMP's and as tables for minicons."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from json.encoder import encode_basestring
from typing import Any

from starbank.errors import SuiteError
from starbank.hub.front_matter import treebank_licences
from starbank.hub.licences import UNKNOWN, rows_licence
from starbank.hub.suites import PublishedSuite
from starbank.suites.syntaxgym import to_syntaxgym

SYNTAXGYM, BLIMP, MINICONS = "suites", "blimp", "minicons"
# What BLiMP calls the part of grammar that agreement and case belong to.
_FIELD = "morphology"
_TABLE = ("item_id", "condition_good", "condition_bad", "sentence_good", "sentence_bad")
_COLUMNS = [*_TABLE, "prefix", "suffix", "form_good", "form_bad", "distance"]


def export_files(suite: PublishedSuite) -> Iterator[tuple[str, str]]:
    """Yield the paths in the dataset folder of these files, as far as the suite can be one, each with its text."""
    if suite.items.num_rows:
        with suppress(SuiteError):
            yield f"{SYNTAXGYM}/{suite.name}.json", to_syntaxgym(suite.items, **_about(suite))
    if suite.has_pairs:
        pairs = suite.tables["pairs"].select(_COLUMNS).to_pylist()
        yield f"{BLIMP}/{suite.name}.jsonl", to_blimp(suite, pairs)
        yield f"{MINICONS}/{suite.name}.csv", to_minicons(pairs)


def _about(suite: PublishedSuite) -> dict[str, Any]:
    """Return what the JSON of SyntaxGym tells of a suite besides its items."""
    about, licences = suite.construction, treebank_licences([suite])
    licence = rows_licence(licences.values())
    rows = f"Rows of {', '.join(sorted(licences))}: {licence}"
    return {
        "name": suite.name,
        "predictions": about.get("predictions") or (),
        "metric": about.get("metric", "sum"),
        "author": None if suite.is_import else "Starbank",
        "comment": about.get("comment") or rows,
        "reference": about.get("cite") or None,
        "language": suite.language,
        "phenomenon": about["phenomenon"],
        "license": None if licence == UNKNOWN else licence,
    }


def to_blimp(suite: PublishedSuite, pairs: Sequence[dict[str, Any]]) -> str:
    """Return pairs as lines of JSON with the keys of BLiMP (Warstadt et al. 2020), and `item_id`.

    `UID` is the suite, `linguistics_term` its phenomenon, and `field` is `morphology`, or null for a suite of others.
    The methods are told of each pair, where BLiMP tells them of a whole paradigm. Where the sentences begin alike and
    then have one word that differs, these are given, and `one_prefix_method` is true if they decide: no word follows,
    or the controller is known to stand before. `two_prefix_method` is always false, since nothing tells which of the
    words that follow is the critical one.
    """
    paradigm = {
        "field": None if suite.is_import else _FIELD,
        "linguistics_term": suite.construction["phenomenon"],
        "UID": suite.name,
        "simple_LM_method": True,
    }
    # `json` would make an encoder for each line, which takes longer than the line.
    constant = json.dumps(paradigm, ensure_ascii=False)[1:-1]
    return "".join(_line(pair, constant, _decides(pair, suite), number) for number, pair in enumerate(pairs))


def to_minicons(pairs: Sequence[dict[str, Any]]) -> str:
    """Return pairs as CSV: whole sentences, and each cut into a context and an ending that begins with what differs.

    The space between the two belongs to the ending, so that they join with nothing between in every script:
    `conditional_score(context, ending, separator="")`.
    """
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*_TABLE, "context", "ending_good", "ending_bad"])
    table.writerows(_row(pair) for pair in pairs)
    return text.getvalue()


def _row(pair: dict[str, Any]) -> list[str]:
    context = pair["prefix"].rstrip()
    endings = [pair[sentence][len(context) :] for sentence in ("sentence_good", "sentence_bad")]
    return [*(pair[name] for name in _TABLE), context, *endings]


def _decides(pair: dict[str, Any], suite: PublishedSuite) -> bool:
    """Tell whether what makes a word wrong stands before it; the controller of a template does, others may follow."""
    return not _has_word(pair["suffix"]) or (suite.is_template and pair["distance"] is not None)


def _line(pair: dict[str, Any], constant: str, decides: bool, number: int) -> str:
    good, bad = pair["sentence_good"], pair["sentence_bad"]
    prefix = _prefix(pair)
    shown = {"sentence_good": good, "sentence_bad": bad, **(prefix or {})}
    texts = ", ".join([f'"{key}": {encode_basestring(text)}' for key, text in shown.items()])
    truths = {
        "one_prefix_method": prefix is not None and decides,
        "two_prefix_method": False,
        "lexically_identical": sorted(good.split()) == sorted(bad.split()),
    }
    methods = ", ".join([f'"{key}": {"true" if truth else "false"}' for key, truth in truths.items()])
    return (
        f'{{{texts}, {constant}, {methods}, "pairID": "{number}", "item_id": {encode_basestring(pair["item_id"])}}}\n'
    )


def _prefix(pair: dict[str, Any]) -> dict[str, str] | None:
    """Return what the sentences begin with and the word that differs, where that is a whole word in both."""
    prefix, suffix = pair["prefix"], pair["suffix"]
    words = [_without_stop(pair[form]) for form in ("form_good", "form_bad")]
    cut = not prefix.strip() or prefix == prefix.rstrip() or _has_word(suffix.split(" ", 1)[0])
    if cut or any(len(word.split()) != 1 for word in words):
        return None
    return {
        "one_prefix_prefix": prefix.rstrip(),
        "one_prefix_word_good": words[0],
        "one_prefix_word_bad": words[1],
    }


def _has_word(text: str) -> bool:
    """Tell whether a text has more than spaces and punctuation."""
    return any(map(str.isalnum, text)) or any(unicodedata.category(character)[0] in "LMN" for character in text)


def _without_stop(word: str) -> str:
    """Return a word without the punctuation at its end, which is no part of a word in BLiMP."""
    while word and unicodedata.category(word[-1])[0] == "P":
        word = word[:-1]
    return word
