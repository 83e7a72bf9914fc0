"""Suites of others: what SyntaxGym and BHS publish becomes a suite like any other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starbank.errors import SuiteError
from starbank.files import read_metadata, read_parquet
from starbank.queries.imports import is_import, read_import
from starbank.sets.imported import import_suite, joined, make_suite, tell
from starbank.suites.syntaxgym import to_syntaxgym

NUMBER = {
    "match_sing": ("The key", "to the cabinets", "is", "here."),
    "mismatch_sing": ("The key", "to the cabinets", "are", "here."),
    "match_plur": ("The keys", "to the cabinet", "are", "here."),
    "mismatch_plur": ("The keys", "to the cabinet", "is", "here."),
}
NAMES = ("subject", "attractor", "verb", "rest")
FORMULAS = ("(3;%mismatch_sing%) > (3;%match_sing%)", "(3;%mismatch_plur%) > (3;%match_plur%)")


def syntaxgym(*items: dict[str, tuple[str, ...]], names=NAMES, predictions=FORMULAS, **meta) -> dict:
    """Return a suite in SyntaxGym's JSON."""
    return {
        "meta": {"name": "number", "metric": "sum", **meta},
        "region_meta": {str(number): name for number, name in enumerate(names, 1)},
        "predictions": [{"type": "formula", "formula": formula} for formula in predictions],
        "items": [
            {
                "item_number": number,
                "conditions": [
                    {
                        "condition_name": name,
                        "regions": [{"region_number": n, "content": text} for n, text in enumerate(texts, 1)],
                    }
                    for name, texts in item.items()
                ],
            }
            for number, item in enumerate(items, 1)
        ],
    }


@pytest.fixture
def write(tmp_path):
    def write(value, name="number.json") -> Path:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
        return file

    return write


def conditions(items, item=0) -> dict[str, dict]:
    return {one["name"]: one for one in items["conditions"].to_pylist()[item]}


def test_regions_are_joined_by_spaces_as_syntaxgym_joins_them():
    # Its program puts a space before a comma, too, and none beside an empty region.
    assert joined(["As the man ran", ",", "the dog", "", "barked", ""]) == [
        "As the man ran ",
        ", ",
        "the dog ",
        "",
        "barked",
        "",
    ]


def test_an_item_has_its_regions_conditions_and_number(write):
    items = make_suite(read_import(write(syntaxgym(NUMBER)), language="eng")).items
    (item,) = items.to_pylist()
    assert item["region_names"] == ["subject", "attractor", "verb", "rest"]
    assert [one["name"] for one in item["conditions"]] == list(NUMBER)
    assert conditions(items)["mismatch_sing"]["regions"] == ["The key ", "to the cabinets ", "are ", "here."]
    assert conditions(items)["mismatch_sing"]["form"] == "The key to the cabinets are"
    assert (item["language"], item["treebank"], item["sent_id"], item["length"]) == ("eng", "number", "1", 7)


def test_what_is_not_said_to_be_grammatical_is_not_starred_either(write):
    # A garden path is more surprising than its disambiguated counterpart, and both are grammatical.
    suite = make_suite(read_import(write(syntaxgym(NUMBER)), language="eng"))
    assert {one["grammatical"] for one in conditions(suite.items).values()} == {None}


@pytest.mark.parametrize("where", ["meta", "options"])
def test_a_starred_condition_is_held_against_the_one_that_a_prediction_compares_it_with(write, where):
    good = ["match_sing", "match_plur"]
    file = write(syntaxgym(NUMBER, **({"grammatical": good} if where == "meta" else {})))
    options = {"grammatical": good} if where == "options" else {}
    found = conditions(make_suite(read_import(file, language="eng", **options)).items)
    assert {name: (one["grammatical"], one["against"]) for name, one in found.items()} == {
        "match_sing": (True, None),
        "match_plur": (True, None),
        "mismatch_sing": (False, "match_sing"),
        "mismatch_plur": (False, "match_plur"),
    }


def test_or_against_the_one_that_shares_most_words(write):
    file = write(syntaxgym(NUMBER, predictions=()))
    found = conditions(make_suite(read_import(file, language="eng", grammatical=["match_plur", "match_sing"])).items)
    assert {name: one["against"] for name, one in found.items() if one["against"]} == {
        "mismatch_sing": "match_sing",
        "mismatch_plur": "match_plur",
    }


def test_a_starred_condition_that_is_the_same_sentence_makes_a_reject(write):
    same = {"good": ("The sheep", "sleeps"), "bad": ("The sheep", "sleeps")}
    file = write(syntaxgym(same, names=("subject", "verb"), predictions=()))
    suite = make_suite(read_import(file, language="eng", grammatical=["good"]))
    assert suite.items.num_rows == 0
    (reject,) = suite.rejected.to_pylist()
    assert (reject["reason"], reject["detail"], reject["text"]) == (
        "identical form",
        "bad is the same as good",
        "The sheep sleeps",
    )


def test_a_suite_of_syntaxgym_is_written_like_any_other(write, tmp_path):
    file = write(syntaxgym(NUMBER, reference="Nobody (2020)", license="CC0-1.0"))
    folder = tmp_path / "eng" / "agreement"
    assert str(import_suite(read_import(file, name="agreement", language="eng"), folder)) == (
        "agreement: 1 items from 1 in the file"
    )
    told = read_metadata(folder / "items.parquet")
    assert told["construction"]["predictions"] == list(FORMULAS)
    assert told["construction"]["cite"] == "Nobody (2020)"
    assert (told["treebanks"][0]["kind"], told["treebanks"][0]["license"]) == ("imported", "CC0-1.0")
    assert read_parquet(folder / "pairs.parquet").num_rows == 0
    again = import_suite(read_import(file, name="agreement", language="eng"), folder)
    assert str(again) == "agreement: 1 items from 1 in the file, unchanged"


def test_what_a_file_holds_is_told_before_it_is_imported(write):
    read = read_import(write(syntaxgym(NUMBER)), language="eng", grammatical=["match_sing", "match_plur"])
    assert tell(read) == [
        "number: 1 items in eng, 2 predictions",
        "    regions: subject, attractor, verb, rest",
        "    conditions: match_sing, match_plur, mismatch_sing, mismatch_plur; grammatical: match_sing, match_plur",
        "item 1",
        "    The key to the cabinets is here.",
        "    The keys to the cabinet are here.",
        "    *The key to the cabinets are here.",
        "    *The keys to the cabinet is here.",
    ]


def test_pairs_of_a_marked_suite_are_cut_where_they_differ(write, tmp_path):
    file = write(syntaxgym(NUMBER, grammatical=["match_sing", "match_plur"]))
    import_suite(read_import(file, language="eng"), tmp_path / "x")
    pairs = read_parquet(tmp_path / "x" / "pairs.parquet").to_pylist()
    columns = ("condition_bad", "prefix", "form_good", "form_bad", "suffix")
    assert [tuple(pair[column] for column in columns) for pair in pairs] == [
        ("mismatch_sing", "The key to the cabinets ", "is", "are", " here."),
        ("mismatch_plur", "The keys to the cabinet ", "are", "is", " here."),
    ]


def test_the_pairs_of_bhs(write):
    file = write([[["Mutilak liburuak irakurri", "Mutilak liburuak irakurri"], ["ditu.", "du."]]], "basque-DO.json")
    suite = read_import(file, language="eus")
    assert (suite.metric, suite.predictions) == ("mean", ("(2;%starred%) > (2;%grammatical%)",))
    found = conditions(make_suite(suite).items)
    assert found["grammatical"]["regions"] == ["Mutilak liburuak irakurri ", "ditu."]
    assert found["starred"]["regions"] == ["Mutilak liburuak irakurri ", "du."]
    assert found["starred"]["against"] == "grammatical"


def test_published_suites_of_hu_et_al_have_string_predictions(write):
    value = syntaxgym(NUMBER, predictions=(), string_predictions=["[(3;%mismatch_sing%)  > (3;%match_sing%)]"])
    assert read_import(write(value), language="eng").predictions == ("[(3;%mismatch_sing%) > (3;%match_sing%)]",)


def test_the_language_is_said_or_that_of_the_folder(write):
    assert read_import(write(syntaxgym(NUMBER), "queries/eng/agreement/number.json")).language == "eng"
    assert read_import(write(syntaxgym(NUMBER, language="nld"), "eng/number.json")).language == "nld"
    with pytest.raises(SuiteError, match="not an ISO 639-3 code: `english`"):
        read_import(write(syntaxgym(NUMBER)), language="english")


def test_answers_of_speakers_beside_a_construction_are_no_suite():
    assert is_import(Path("queries/eng/number.json"))
    assert not is_import(Path("queries/eng/number.reviews.json"))


def broken(change) -> dict:
    value = syntaxgym(NUMBER, NUMBER)
    change(value)
    return value


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (3, "holds neither an object nor a list"),
        ({"meta": {}, "items": []}, "lacks region_meta, predictions"),
        (broken(lambda v: v["items"].clear()), "has no items"),
        (broken(lambda v: v["region_meta"].pop("1")), "do not count from 1 up"),
        (broken(lambda v: v["region_meta"].pop("4")), r"item 1, condition match_sing: has the regions \[1, 2, 3, 4\]"),
        (broken(lambda v: v["items"][1].pop("conditions")), "item 2 is not as SyntaxGym has it: KeyError"),
        (broken(lambda v: v["items"][1]["conditions"].pop()), "item 2 has other conditions .*: mismatch_plur"),
        (broken(lambda v: v["items"][1].update(item_number=1)), "there are two items 1"),
        (broken(lambda v: v["meta"].update(metric="all")), "about the metric 'all'"),
        (
            broken(lambda v: v["meta"].update(grammatical=["macth_sing"])),
            "macth_sing, .*, is no condition\nDid you mean",
        ),
        (broken(lambda v: v["meta"].update(grammatical=list(NUMBER))), "none can be starred"),
        (broken(lambda v: v["predictions"][0].update(formula="(3;%a%) >")), "the formula ends too early"),
        (broken(lambda v: v["predictions"][0].update(formula="(9;%match_sing%) > 0")), "there is no region 9"),
        (broken(lambda v: v["predictions"][0].pop("formula")), "prediction 1 is no formula"),
        ([[["Mutilak", "Mutilak"], ["du."]]], "entry 1 is not"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(write, value, message):
    with pytest.raises(SuiteError, match=message):
        read_import(write(value), language="eng")


def test_broken_json_is_told_with_its_line(tmp_path):
    file = tmp_path / "x.json"
    file.write_text('{\n "meta": {,}\n}')
    with pytest.raises(SuiteError, match=r"x\.json:2: is not JSON"):
        read_import(file, language="eng")


WORDS = st.lists(st.sampled_from(["the", "key", "is", ",", "«კაცი»", "."]), max_size=3).map(" ".join)
CONDITION = st.tuples(WORDS, WORDS, WORDS).filter(any)


@settings(deadline=None)
@given(st.lists(st.fixed_dictionaries({"a": CONDITION, "b-1": CONDITION}), min_size=1, max_size=3), st.booleans())
def test_out_and_in_again_is_the_same(tmp_path_factory, items, marked):
    value = syntaxgym(
        *items, names=("one", "two", "three"), predictions=["(*;%a%) - (2;%b-1%) > 3 & (1;%a%) < (3;%a%)"]
    )
    file = tmp_path_factory.mktemp("suites") / "number.json"
    file.write_text(json.dumps(value))
    read = read_import(file, language="eng", grammatical=["a"] if marked else [])
    suite = make_suite(read)
    if not suite.items.num_rows:
        return
    told = json.loads(to_syntaxgym(suite.items, name="number", predictions=read.predictions, language="eng"))
    file.write_text(json.dumps(told))
    again = read_import(file)
    assert again.predictions == read.predictions
    assert again.grammatical == read.grammatical
    assert again.region_names == read.region_names
    kept = suite.items["sent_id"].to_pylist()
    assert [texts for _, texts in again.items] == [texts for number, texts in read.items if str(number) in kept]


@pytest.mark.parametrize(
    ("meta", "told"),
    [
        ({"grammatical": 3}, "`grammatical` in `meta` must be a list"),
        ({"grammatical": [["match_sing"]]}, "`grammatical` in `meta` must be a list"),
        ({"license": ["CC0-1.0"]}, "`license` in `meta` must be a text"),
    ],
)
def test_what_is_of_another_type_than_syntaxgym_has_it_is_told(write, meta, told):
    with pytest.raises(SuiteError, match=told):
        read_import(write({**syntaxgym(NUMBER), "meta": meta}, "eng/number.json"))


def test_half_a_character_is_told(tmp_path):
    (tmp_path / "number.json").write_text(json.dumps(syntaxgym(NUMBER, title="\ud800")))
    with pytest.raises(SuiteError, match="cannot be read as UTF-8 text"):
        read_import(tmp_path / "number.json", language="eng")


def test_a_file_that_is_nested_without_end_is_told(tmp_path):
    (tmp_path / "number.json").write_text("[" * 100_000)
    with pytest.raises(SuiteError, match="is nested too deeply"):
        read_import(tmp_path / "number.json", language="eng")
    chain = {**syntaxgym(NUMBER), "predictions": ["(3;%match_sing%) + " * 3000 + "1 > 0"]}
    (tmp_path / "number.json").write_text(json.dumps(chain))
    with pytest.raises(SuiteError, match="a prediction is nested too deeply"):
        read_import(tmp_path / "number.json", language="eng")
