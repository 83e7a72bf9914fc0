"""From `config.yaml` and a folder of queries to what is to be made."""

import pytest

from starbank.errors import ConfigError, ConstructionError
from starbank.pipeline.plan import make_plan

QUERY = """\
% ---
% language: {language}
% treebanks: [{treebanks}]
% target: X
% vary: {{Number: [Sing, Plur]}}
% ---
pattern {{ X [Number=Sing] }}
"""


@pytest.fixture
def plan(tmp_path):
    """Write queries, given as `path: (language, treebanks)`, and plan them."""

    def plan(queries, treebanks=None, models=(), **more):
        for path, (language, names) in queries.items():
            file = tmp_path / "queries" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(QUERY.format(language=language, treebanks=names))
        return make_plan({"queries": tmp_path / "queries", "treebanks": treebanks or {}, "models": models, **more})

    return plan


def test_each_folder_of_queries_is_a_dataset(plan):
    made = plan({"eng/verbs.grew": ("eng", "UD_English-EWT"), "eng/old/verbs.grew": ("eng", "UD_English-EWT")})
    assert made.datasets == ["eng", "eng-old"]
    assert made.constructions("eng") == ["verbs"]


def test_constructions_on_the_same_treebanks_are_one_batch(plan):
    made = plan({
        "eng/nouns.grew": ("eng", "UD_English-EWT"),
        "eng/verbs.grew": ("eng", "UD_English-EWT"),
        "eng/words.grew": ("eng", "UD_English-EWT, UD_English-PUD"),
    })  # fmt: skip
    assert [(batch.name, batch.treebanks) for batch in made.batches] == [
        ("eng-1", ("UD_English-EWT",)),
        ("eng-2", ("UD_English-EWT", "UD_English-PUD")),
    ]
    assert [len(batch.constructions) for batch in made.batches] == [2, 1]
    assert made.treebanks(language="eng") == ["UD_English-EWT", "UD_English-PUD"]


def test_the_configuration_may_name_other_treebanks_for_a_language(plan):
    queries = {"eng/verbs.grew": ("eng", "UD_English-EWT"), "fra/verbs.grew": ("fra", "UD_French-PUD")}
    made = plan(queries, treebanks={"eng": ["UD_English-Sample"]})
    assert made.treebanks(dataset="eng") == ["UD_English-Sample"]
    assert made.treebanks(dataset="fra") == ["UD_French-PUD"]


EVERYWHERE = """\
% ---
% treebanks: all
% target: X
% vary: {Number: [Sing, Plur]}
% ---
pattern { X [Number] }
"""


def test_what_runs_everywhere_runs_on_the_treebanks_of_the_others(plan, tmp_path):
    (tmp_path / "queries" / "universal").mkdir(parents=True)
    (tmp_path / "queries" / "universal" / "number.grew").write_text(EVERYWHERE)
    queries = {"eng/verbs.grew": ("eng", "UD_English-EWT"), "fra/verbs.grew": ("fra", "UD_French-PUD")}
    made = plan(queries, treebanks={"eng": ["UD_English-Sample"]})
    assert made.treebanks(dataset="universal") == ["UD_English-Sample", "UD_French-PUD"]
    assert made.languages == ["eng", "fra", "all"]
    chosen = plan(queries, treebanks={"all": ["UD_Irish-IDT"]})
    assert chosen.treebanks(dataset="universal") == ["UD_Irish-IDT"]


def test_a_few_languages_share_a_job(plan, tmp_path):
    (tmp_path / "queries" / "universal").mkdir(parents=True)
    (tmp_path / "queries" / "universal" / "number.grew").write_text(EVERYWHERE)
    languages = ["Dutch", "French", "Greek", "Irish", "Latin", "Polish", "Tamil", "Tamil"]
    (batch,) = plan({}, treebanks={"all": [f"UD_{name}-X{at}" for at, name in enumerate(languages)]}).batches
    assert batch.part_jobs == {
        "Dutch-Greek": ["Dutch", "French", "Greek"],
        "Irish-Polish": ["Irish", "Latin", "Polish"],
        "Tamil": ["Tamil"],
    }


def test_a_large_language_is_shared_by_jobs(plan, tmp_path):
    (tmp_path / "queries" / "universal").mkdir(parents=True)
    (tmp_path / "queries" / "universal" / "number.grew").write_text(EVERYWHERE)
    treebanks = {"all": ["UD_Polish-PDB", "UD_Irish-IDT", "UD_Polish-PUD"]}
    (batch,) = plan({}, treebanks=treebanks, shares={"Polish": 2}).batches
    polish = ["UD_Polish-PDB", "UD_Polish-PUD"]
    assert batch.parts == {"Irish": ["UD_Irish-IDT"], "Polish.1of2": polish, "Polish.2of2": polish}
    assert batch.part_jobs == {"Irish": ["Irish"], "Polish.1of2": ["Polish.1of2"], "Polish.2of2": ["Polish.2of2"]}
    assert list(plan({}, treebanks=treebanks, shares={"Polish": 2}).lexicons) == ["all-Irish", "all-Polish"]
    (batch,) = plan({}, treebanks={"all": polish}, shares={"Polish": 2}).batches
    assert list(batch.parts) == ["Polish.1of2", "Polish.2of2"]


def test_a_model_is_a_name_or_a_name_with_options(plan):
    made = plan({}, models=["unigram", {"name": "google-bert/bert-base-multilingual-cased", "revision": "main"}])
    assert list(made.models) == ["unigram", "google-bert--bert-base-multilingual-cased"]
    assert made.options("google-bert--bert-base-multilingual-cased") == ["--revision=main"]
    assert made.options("unigram") == []


def test_a_local_model_has_any_path_and_its_files_a_name(plan):
    made = plan({}, models=["/data/my models/gpt (1)", "../ქართული/gpt;x", "google/muril-base-cased"])
    assert list(made.models) == ["data--my-models--gpt--1-", "ქართული--gpt-x", "google--muril-base-cased"]
    with pytest.raises(ConfigError, match="models: '//' cannot be the name of a model"):
        plan({}, models=["//"])


def test_two_models_whose_files_would_have_one_name_are_told(plan):
    with pytest.raises(ConfigError, match="models: two that differ would be called 'my--gpt': my/gpt and my--gpt"):
        plan({}, models=["my/gpt", "my--gpt"])


@pytest.mark.parametrize("folder", ["kat;x", "my queries", "$(id)", "a,b"])
def test_a_folder_whose_name_cannot_be_that_of_a_dataset_is_told_with_its_file(plan, folder):
    with pytest.raises(ConstructionError, match=r"verbs\.grew: .* cannot be the name of a dataset"):
        plan({f"{folder}/verbs.grew": ("eng", "UD_English-EWT")})


def test_queries_have_names_in_any_script(plan):
    made = plan({"ქართული/ზმნა-1.grew": ("kat", "UD_Georgian-GLC")})
    assert (made.datasets, made.constructions("ქართული")) == (["ქართული"], ["ზმნა-1"])


def test_a_folder_without_queries_asks_for_nothing(plan):
    assert plan({}).batches == ()


def test_a_dataset_is_pushed_to_a_repository_with_options(plan):
    queries = {"eng/verbs.grew": ("eng", "UD_English-EWT"), "fra/verbs.grew": ("fra", "UD_French-PUD")}
    french = {"repo": "lab/french", "private": True, "create-pr": False, "tag": "v1.0.0"}
    made = plan(queries, push={"eng": "lab/english", "fra": french})
    assert made.pushes == {"eng": ["--repo=lab/english"], "fra": ["--repo=lab/french", "--private", "--tag=v1.0.0"]}


def test_a_push_of_no_dataset_is_told(plan):
    with pytest.raises(ConfigError, match="push: there is no dataset 'englsh'"):
        plan({"eng/verbs.grew": ("eng", "UD_English-EWT")}, push={"englsh": "lab/english"})


def test_what_speakers_say_lies_beside_the_construction(plan, tmp_path):
    queries = {"eng/verbs.grew": ("eng", "UD_English-EWT"), "eng/nouns.grew": ("eng", "UD_English-EWT")}
    plan(queries)
    (tmp_path / "queries" / "eng" / "verbs.reviews.json").write_text("{}")
    assert [path.name for path in plan(queries).reviews("eng")] == ["verbs.reviews.json"]


TEMPLATE = """\
language: eng
sentence: "[subject The {N}] [target {V}]."
slots:
  N: {from: nouns, Number: $number}
  V: {from: verbs, Number: $number}
vary: {V: {Number: [Sing, Plur]}}
limit: 10
"""


@pytest.fixture
def template(tmp_path):
    """Write a template of English into a folder of queries of its own, with its lexicon."""
    folder = tmp_path / "queries" / "eng" / "templates"
    (folder / "lexicon").mkdir(parents=True)
    (folder / "verbs.template").write_text(TEMPLATE)
    (folder / "lexicon" / "lexicon.yaml").write_text("{name: English-Lexicon, license: CC-BY-4.0}")
    (folder / "lexicon" / "nouns.tsv").write_text("form\tNumber\ndog\tSing\ndogs\tPlur\n")
    (folder / "lexicon" / "verbs.tsv").write_text("lemma\tform\tNumber\nsleep\tsleeps\tSing\nsleep\tsleep\tPlur\n")


def test_templates_run_on_no_treebank_and_baselines_learn_from_those_of_their_language(plan, template):
    made = plan({"eng/verbs.grew": ("eng", "UD_English-EWT")}, models=["unigram"])
    assert [(batch.name, batch.treebanks) for batch in made.batches] == [
        ("eng", ("UD_English-EWT",)),
        ("eng-templates", ()),
    ]
    assert made.text("eng-templates") == ["UD_English-EWT"]
    assert made.scores() == [("eng", "unigram"), ("eng-templates", "unigram")]


def test_a_baseline_without_text_scores_nothing(plan, template):
    made = plan({}, models=["unigram", "gpt2", {"name": "ngram", "text": ["corpus.txt"]}])
    assert made.scores() == [("eng-templates", "gpt2"), ("eng-templates", "ngram")]


def test_a_configuration_may_ask_for_some_datasets_only(plan, template):
    queries = {"eng/verbs.grew": ("eng", "UD_English-EWT")}
    assert plan(queries, datasets=["eng"]).datasets == ["eng"]
    with pytest.raises(ConfigError) as caught:
        plan(queries, datasets=["eng-template"])
    assert str(caught.value) == (
        "config.yaml: datasets: there is no 'eng-template'\n"
        "Did you mean `eng-templates`? The valid names are eng, eng-templates."
    )


def test_a_set_stands_for_its_models(plan):
    large = {"name": "bigscience/bloom-7b1", "dtype": "bfloat16", "gpus": 8, "remote-code": False}
    made = plan({}, models=["unigram", "bloom"], sets={"bloom": ["bigscience/bloom-560m", large]})
    assert list(made.models) == ["unigram", "bigscience--bloom-560m", "bigscience--bloom-7b1"]
    assert made.options("bigscience--bloom-7b1") == ["--dtype=bfloat16", "--gpus=8"]
    assert [made.gpus(model) for model in made.models] == [0, 1, 8]


def test_an_own_entry_goes_before_that_of_a_later_set(plan):
    own = {"name": "gpt2", "level": ["sentence", "word"], "remote-code": True}
    made = plan({}, models=[own, "old"], sets={"old": ["gpt2", "xlnet"]})
    assert list(made.models) == ["gpt2", "xlnet"]
    assert made.options("gpt2") == ["--level=sentence", "--level=word", "--remote-code"]


def test_a_derived_treebank_needs_its_source_and_all_on_the_way(plan):
    made = plan({"hin/verbs.grew": ("hin", "UD_Hindi-PUD, UD_Hindi-PUD+colorless+latin")})
    assert made.treebanks() == ["UD_Hindi-PUD", "UD_Hindi-PUD+colorless+latin"]
    assert made.tables == [
        "UD_Hindi-PUD",
        "UD_Hindi-PUD+colorless",
        "UD_Hindi-PUD+colorless+latin",
        "UD_Hindi-PUD+latin",
    ]


def test_lexicons_and_baselines_learn_words_from_what_was_not_rearranged(plan):
    names = "UD_Hindi-PUD+colorless, UD_Hindi-HDTB, UD_Hindi-PUD+colorless+latin"
    made = plan({"hin/verbs.grew": ("hin", names)}, models=["unigram"])
    assert made.words(language="hin") == ["UD_Hindi-PUD", "UD_Hindi-HDTB", "UD_Hindi-PUD+latin"]
    assert made.text("hin") == made.words(language="hin")


def test_a_transform_is_a_generator_with_options(plan):
    green = {"generator": "colorless", "preset": "vyakarana", "variants": 4}
    made = plan({"tam/verbs.grew": ("tam", "UD_Tamil-TTB+green+swapped")}, transforms={"green": green})
    assert made.transforms["green"].arguments == [
        "--generator=colorless",
        "--option",
        'preset="vyakarana"',
        "variants=4",
    ]
    assert made.transforms["swapped"].arguments == ["--generator=swapped"]


def test_a_transform_that_there_is_not_is_told_with_its_place(plan):
    with pytest.raises(ConfigError) as caught:
        plan({"tam/verbs.grew": ("tam", "UD_Tamil-TTB+colourless")})
    assert str(caught.value).startswith(
        "config.yaml: UD_Tamil-TTB+colourless: there is no transform `colourless`\nDid you mean `colorless`?"
    )
    with pytest.raises(ConfigError, match="transforms: green: the transform `colorless` has no option `presets`"):
        plan({}, transforms={"green": {"generator": "colorless", "presets": "strict"}})
