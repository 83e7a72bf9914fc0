"""The lists of UD's names, held against the documentation that UD's own validator comes with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import udtools

from starbank.grew.names import UD_FEATURES, UD_RELATIONS, UD_SUBTYPES, UD_UPOS, UD_VALUES


def documented(name: str) -> Any:
    return json.loads((Path(udtools.__file__).parent / "data" / name).read_text(encoding="utf-8"))


def test_values_are_those_of_the_universal_features() -> None:
    features = documented("docfeats.json")["gdocs"]
    universal = {name for name, page in features.items() if page["type"] == "universal"} | {"Deixis"}
    # The classes of nouns are counted by language family, `Bantu1`, `Wol1`.
    assert set().union(*(features[name]["values"] for name in universal - {"NounClass"})) == UD_VALUES
    assert universal < UD_FEATURES


def test_parts_of_speech_and_relations_are_ud_s() -> None:
    assert set(documented("upos.json")["upos"]) == UD_UPOS
    assert {*documented("udeprels.json")["udeprels"], "root"} == UD_RELATIONS


def test_subtypes_are_those_that_languages_document() -> None:
    pages = documented("docdeps.json")
    assert set(pages["gdocs"]).union(*pages["ldocs"].values()) >= UD_SUBTYPES
