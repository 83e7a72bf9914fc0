"""The card says what the Hub asks and what a reader wants to know."""

from __future__ import annotations

import hashlib
import json
import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from starbank.hub import publish
from starbank.hub.gloss import gloss, short, varied_features
from starbank.hub.reviews import Judgement, write_reviews
from starbank.treebanks import ingest
from tests.hub.suites import GEORGIAN, HEBREW, QUERY, card, front_matter, item, write


def test_the_front_matter_says_what_the_hub_asks(suites, tmp_path):
    told = front_matter(publish([suites], tmp_path / "georgian", title="Georgian: case & agreement"))
    assert all(re.fullmatch(r"0\.0\.[0-9]+", config.pop("version")) for config in told["configs"])
    assert told == {
        "license": "cc-by-sa-4.0",
        "language": ["ka"],
        "pretty_name": "Georgian: case & agreement",
        "size_categories": ["n<1K"],
        "multilinguality": ["monolingual"],
        "annotations_creators": ["machine-generated"],
        "language_creators": ["found", "machine-generated"],
        "source_datasets": ["extended|universal_dependencies"],
        "task_categories": ["text-classification"],
        "task_ids": ["acceptability-classification"],
        "tags": ["starbank", "minimal-pairs", "universal-dependencies", "linguistics", "case-alignment"],
        "configs": [
            {
                "config_name": "all",
                "default": True,
                "data_files": [{"split": "test", "path": "data/*/items.parquet"}],
            },
            {"config_name": "pairs", "data_files": [{"split": "test", "path": "data/*/pairs.parquet"}]},
            *(
                {"config_name": f"{suite}{suffix}", "data_files": [{"split": "test", "path": f"data/{suite}/{table}"}]}
                for suite in ("erg-subj", "nom-subj")
                for suffix, table in (("", "items.parquet"), ("-pairs", "pairs.parquet"))
            ),
            {
                "config_name": "rejected",
                "data_files": [{"split": "test", "path": "data/nom-subj/rejected.parquet"}],
            },
        ],
    }


def test_the_title_is_made_of_language_and_phenomenon_unless_given(suites, tmp_path):
    assert "\n# Georgian case alignment\n" in card(publish([suites], tmp_path / "kat"))
    assert "\n# Georgian case alignment, published\n" in card(publish([suites], tmp_path / "kat-published"))
    assert "\n# Case in Georgian\n" in card(publish([suites], tmp_path / "georgian", title="Case in Georgian"))


def test_each_suite_shows_an_item_of_readable_length_with_its_starred_conditions(suites, tmp_path):
    text = card(publish([suites], tmp_path / "georgian"))
    assert (
        "| condition | UD_Georgian-GLC, sentence `s2` | |\n"
        "| --- | --- | --- |\n"
        "| Nom | **კაცი** მოდის. | კაცი-NOM |\n"
        "| Erg | \\***კაცმა** მოდის. | კაცი-ERG |\n"
        "| Dat | \\***კაცს** მოდის. | კაცი-DAT |\n"
    ) in text


def test_signs_that_mean_something_to_markdown_are_shown_as_they_are(suites, tmp_path):
    text = card(publish([suites], tmp_path / "georgian"))
    assert r"| Erg | **კაცმა** \*\_სახლი\_\*\|ააშენა. |" in text


def test_a_script_that_runs_from_right_to_left_does_so_in_the_card(tmp_path):
    conditions = {"Sing": ("", "הילד", " הולך."), "Plur": ("", "הילדים", " הולך.")}
    items = [item(1, "number", "UD_Hebrew-HTB", conditions, 2)]
    write(tmp_path / "suites" / "number", items, [], [HEBREW], language="heb")
    output = publish([tmp_path / "suites"], tmp_path / "hebrew")
    assert '| Plur | <span dir="rtl">\\***הילדים** הולך.</span> |' in card(output)
    assert front_matter(output)["language"] == ["he"]


def test_counts_reasons_request_and_provenance_are_told(suites, tmp_path):
    text = card(publish([suites], tmp_path / "georgian"))
    assert "| [`nom-subj`](#nom-subj) | The suite nom-subj | kat | CC-BY-SA-4.0 | 5 | 2 | 3 | 3 |" in text
    assert "| matches rejected because | |\n| --- | ---: |\n| no form | 2 |\n| syncretic form | 1 |\n" in text
    assert f"\n````\n{QUERY.strip()}\n````\n" in text
    assert f"| UD_Georgian-GLC | 2.18 | local mirror | `ka_glc-ud-test.conllu` | `{'0' * 64}` |" in text
    assert hashlib.sha256(QUERY.encode()).hexdigest() in text
    assert "The starred forms come from: treebank (4)." in text


def test_the_sizes_of_suites_add_up_to_a_category_of_the_hub(tmp_path):
    conditions = {"Nom": ("", "კაცი", " მოდის."), "Dat": ("", "კაცს", " მოდის.")}
    items = [item(number, "many", "UD_Georgian-GLC", conditions, 2) for number in range(1000)]
    write(tmp_path / "suites" / "many", items, [], [GEORGIAN])
    assert front_matter(publish([tmp_path / "suites"], tmp_path / "x"))["size_categories"] == ["1K<n<10K"]


def test_what_to_cite_is_told_to_people_and_machines(suites, tmp_path):
    write(suites / "dat-subj", [], [], [GEORGIAN], cite="Harris, Alice C. (1981). Georgian Syntax.")
    about = {"readme": {"Contributors": "Lobzhanidze, Irina; Tatishvili, Eka"}}
    (tmp_path / "treebanks" / "UD_Georgian-GLC").mkdir(parents=True)
    (tmp_path / "treebanks" / "UD_Georgian-GLC" / "treebank.json").write_text(json.dumps(about))
    output = publish([suites], tmp_path / "georgian", treebanks=tmp_path / "treebanks")
    citation = yaml.safe_load((output / "CITATION.cff").read_text(encoding="utf-8"))
    assert [reference["title"] for reference in citation["references"]] == [
        "Starbank",
        "UD_Georgian-GLC",
        "Harris, Alice C. (1981). Georgian Syntax.",
    ]
    assert citation["references"][1]["authors"] == [
        {"family-names": "Lobzhanidze", "given-names": "Irina"},
        {"family-names": "Tatishvili", "given-names": "Eka"},
    ]
    assert "- UD_Georgian-GLC: Lobzhanidze, Irina; Tatishvili, Eka" in card(output)
    assert "- Harris, Alice C. (1981). Georgian Syntax." in card(output)


def test_the_accuracy_of_models_is_told(suites, tmp_path):
    row = {"dataset": "kat", "construction": "nom-subj", "model": "unigram", "items": 2, "correct": 0, "ties": 1}
    numbers = {"accuracy": 0.25, "low": 0.01, "high": 0.99, "chance": 0.42}
    rows = [{**row, **numbers, "level": level} for level in ("sentence", "word")]
    text = card(publish([suites], tmp_path / "georgian", accuracy=pa.Table.from_pylist(rows)))
    assert "| `nom-subj` | unigram | 2 | 0.25 | [0.01, 0.99] | 50% | 0.42 |" in text


def test_the_example_is_glossed_where_its_treebank_is_at_hand(sample, tmp_path):
    treebank = ingest([sample / "UD_Georgian-Sample"], tmp_path / "treebanks" / "UD_Georgian-Sample")
    row = treebank.sentences.slice(0, 1).to_pylist()[0]
    item = {"treebank": treebank.name, "sent_id": row["sent_id"], "split": row["split"]}
    elsewhere = {"treebank": "UD_Georgian-GLC", "sent_id": "x", "split": None}
    told, *others = gloss([item, elsewhere, None], tmp_path / "treebanks")
    assert told is not None
    assert row["text"].startswith("ბებია")
    assert told["words"][0] == ("ბებია", "ბებია-SG.NOM")
    assert [f"# text_en = {told['translation']}"] == [one for one in row["comments"] if one.startswith("# text_en")]
    assert others == [None, None]


@pytest.mark.parametrize(
    ("feats", "expected"),
    [
        ("Case=Erg|Number=Sing", "SG.ERG"),
        ("Aspect=Perf|Mood=Ind|Number=Plur|Person=3|Tense=Past|VerbForm=Fin", "3.PL.PST.PFV"),
        ("Gender=Fem|VerbForm=Part", "F.PTCP"),
        (None, ""),
    ],
)
def test_features_are_abbreviated_as_linguists_do(feats, expected):
    assert short(feats) == expected


def test_the_feature_that_varies_is_never_left_out_of_a_gloss():
    conditions = [{"feats": "Mood=Ind|Number=Sing|Polite=Form"}, {"feats": "Mood=Sub|Number=Sing|Polite=Infm"}]
    varied = varied_features(conditions)
    assert varied == ["Mood", "Polite"]
    assert [short(condition["feats"], varied) for condition in conditions] == ["SG.IND.FORM", "SG.SBJV.INFM"]


def test_a_hebrew_sentence_is_read_from_right_to_left_with_its_glosses(tmp_path):
    conditions = {"Masc": ("הילד ", "הלך", "."), "Fem": ("הילד ", "הלכה", ".")}
    hebrew = item(1, "gender", "UD_Hebrew-HTB", conditions, 2)
    write(tmp_path / "suites" / "gender", [hebrew], [], [HEBREW], language="heb")
    source = tmp_path / "UD_Hebrew-HTB" / "he_htb-ud-test.conllu"
    source.parent.mkdir()
    source.write_text(
        "# sent_id = s1\n# text = הילד הלך\n"
        "1\tהילד\tילד\tNOUN\t_\tGender=Masc|Number=Sing\t2\tnsubj\t_\t_\n"
        "2\tהלך\tהלך\tVERB\t_\tGender=Masc\t0\troot\t_\t_\n\n",
        encoding="utf-8",
    )
    ingest([source.parent], tmp_path / "treebanks" / "UD_Hebrew-HTB")
    text = card(publish([tmp_path / "suites"], tmp_path / "hebrew", treebanks=tmp_path / "treebanks"))
    assert '| Fem | <span dir="rtl">\\*הילד **הלכה**.</span> |' in text
    glosses = [f"\N{FIRST STRONG ISOLATE}{gloss}\N{POP DIRECTIONAL ISOLATE}" for gloss in ("ילד-M.SG", "הלך-M")]
    assert f'<div dir="rtl">\n\n| הילד | הלך |\n| --- | --- |\n| {" | ".join(glosses)} |\n\n</div>' in text


def test_empty_suites_are_left_out_and_told_in_a_line(suites, tmp_path):
    write(suites / "dat-subj", [], ["no form"], [GEORGIAN])
    text = card(publish([suites], tmp_path / "georgian"))
    assert "### dat-subj" not in text
    assert "No match became an item in 1 other suite, left out here: `dat-subj` (1 match)." in text


def test_requests_lie_behind_a_fold(suites, tmp_path):
    text = card(publish([suites], tmp_path / "georgian"))
    assert f"<details><summary>The request</summary>\n\n````\n{QUERY.strip()}\n````\n\n</details>" in text


def test_predicted_forms_are_counted_with_how_sure_they_are(tmp_path):
    conditions = {"Nom": ("", "კაცი", " მოდის."), "Dat": ("", "კაცს", " მოდის.")}
    items = [item(number, "many", "UD_Georgian-GLC", conditions, 2) for number in range(4)]
    for predicted in items[:3]:
        predicted["conditions"][1] |= {"form_source": "predicted", "form_confidence": 0.95, "form_count": 0}
    write(tmp_path / "suites" / "many", items, [], [GEORGIAN])
    text = card(publish([tmp_path / "suites"], tmp_path / "x"))
    assert "The starred forms come from: predicted (3), treebank (1)." in text
    assert "3 of 4 starred forms are predicted from the forms of other words" in text
    assert "Each is sure by 0.95 or" in text
    assert "No native speaker has read any of them." in text
    judgements = [
        Judgement(items[0]["item_id"], "Dat", "nino", "bad"),
        Judgement(items[1]["item_id"], "Dat", "nino", "good"),
        Judgement(items[1]["item_id"], "Dat", "gio", "good"),
    ]
    write_reviews(judgements, tmp_path / "reviews" / "many.reviews.json")
    text = card(publish([tmp_path / "suites"], tmp_path / "y", reviews=tmp_path / "reviews"))
    assert "2 of 3 starred forms are predicted" in text
    assert "Native speakers read 2 starred sentences with such a form, and found 1 of them good;" in text


def test_every_column_is_described(suites, tmp_path):
    output = publish([suites], tmp_path / "georgian")
    text = card(output)
    columns = {name for file in output.glob("data/*/*.parquet") for name in pq.read_schema(file).names}
    assert {name for name in columns if f"`{name}`" not in text} == set()
