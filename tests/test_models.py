"""What a configuration's models are, and what their files are called."""

import pytest

from starbank.errors import ConfigError
from starbank.models import read_models


def names(*entries):
    return list(read_models(entries, {}))


def test_a_model_has_the_name_of_its_repository_or_folder():
    assert names("unigram", "google/rembert", "runs/a/checkpoint-1000") == [
        "unigram",
        "google--rembert",
        "runs--a--checkpoint-1000",
    ]


def test_two_revisions_or_dtypes_are_two_models():
    entries = ("gpt2", {"name": "gpt2", "revision": "step1000"}, {"name": "gpt2", "dtype": "bfloat16"})
    assert names(*entries) == ["gpt2", "gpt2+step1000", "gpt2+bfloat16"]


def test_the_name_does_not_depend_on_the_order():
    one, two = {"name": "gpt2", "revision": "step1000"}, {"name": "gpt2", "revision": "step2000"}
    assert names(one, two) == ["gpt2+step1000", "gpt2+step2000"]
    assert names(two, one) == ["gpt2+step2000", "gpt2+step1000"]


def test_a_model_that_is_alone_is_called_as_ever():
    assert names({"name": "gpt2", "revision": "step1000", "dtype": "bfloat16"}) == ["gpt2"]


def test_a_baseline_of_another_text_is_another_model():
    assert names("ngram", {"model": "ngram", "text": ["data/news.txt", "wiki.txt"]}) == [
        "ngram",
        "ngram+news.txt+wiki.txt",
    ]


def test_a_given_name_is_that_of_the_files():
    models = read_models([{"model": "runA/checkpoint-1000", "name": "early", "device": "cpu"}], {})
    assert models == {"early": {"model": "runA/checkpoint-1000", "name": "early", "device": "cpu"}}


def test_the_same_model_twice_is_one():
    assert names("gpt2", {"model": "gpt2"}, {"name": "gpt2", "dtype": "auto"}, "./gpt2/") == ["gpt2"]


def test_models_that_nothing_tells_apart_ask_for_a_name():
    with pytest.raises(ConfigError, match=r"two that differ would be called 'ngram\+a.txt': ngram and ngram"):
        names("ngram", {"model": "ngram", "text": ["x/a.txt"]}, {"model": "ngram", "text": ["y/a.txt"]})
    with pytest.raises(ConfigError, match="would be called 'gpt2': gpt2 and my/gpt"):
        names("gpt2", {"model": "my/gpt", "name": "gpt2"})


def test_a_given_name_keeps_the_rule_of_names():
    with pytest.raises(ConfigError, match="models: 'a/b' cannot be a name"):
        names({"model": "gpt2", "name": "a/b"})


def test_an_entry_may_have_many_revisions():
    entry = {"model": "us/pythia", "revisions": ["step0", "step1 … step4 times 2", "step100 ... step300 by 100"]}
    steps = [0, 1, 2, 4, 100, 200, 300]
    assert names(entry) == [f"us--pythia+step{step}" for step in steps]
    small = {"model": "runs/a", "name": "small", "revisions": "step08 … step10", "dtype": "bfloat16"}
    models = read_models([small], {})
    assert models["small+step09"] == {
        "model": "runs/a",
        "name": "small+step09",
        "dtype": "bfloat16",
        "revision": "step09",
    }
    assert list(models) == ["small+step08", "small+step09", "small+step10"]


def test_an_entry_may_have_many_seeds():
    assert names({"model": "us/small-seed{seed}", "seeds": "1 … 3"}) == [f"us--small-seed{seed}" for seed in (1, 2, 3)]
    models = read_models(
        [{"model": "us/bert", "revision": "seed_{seed}-step_20k", "seeds": [0, 4], "name": "bert"}], {}
    )
    assert {name: entry["revision"] for name, entry in models.items()} == {
        "bert+0": "seed_0-step_20k",
        "bert+4": "seed_4-step_20k",
    }
    with pytest.raises(ConfigError, match=r"us/small has `seeds`, but no \{seed\}"):
        names({"model": "us/small", "seeds": [1, 2]})


def test_an_entry_may_have_many_adapters_and_dtypes():
    entry = {"model": "gpt2", "adapters": ["us/lora", "runs/lora/checkpoint-500 … runs/lora/checkpoint-1000 by 500"]}
    adapted = ["gpt2+us--lora", "gpt2+runs--lora--checkpoint-500", "gpt2+runs--lora--checkpoint-1000"]
    assert names("gpt2", entry) == ["gpt2", *adapted]
    dtypes = {"model": "gpt2", "revisions": ["step1", "step2"], "dtypes": ["float32", "bfloat16"]}
    assert names(dtypes) == [
        "gpt2+step1+float32",
        "gpt2+step1+bfloat16",
        "gpt2+step2+float32",
        "gpt2+step2+bfloat16",
    ]
    with pytest.raises(ConfigError, match="has both `adapter` and `adapters`"):
        names(entry | {"adapter": "us/lora"})


@pytest.mark.parametrize(
    ("revisions", "message"),
    [
        ("step1000 … step2500 by 1000", "goes by 2000 to 3000, past its end"),
        ("step10 … step1", "is no range"),
        ("step0 … step8 times 2", "is no range"),
        ("step1 … step8 by 0", "is no range"),
        ("step1 … checkpoint8", "cannot be a revision"),
    ],
)
def test_a_range_of_revisions_is_one(revisions, message):
    with pytest.raises(ConfigError, match=message):
        names({"model": "us/pythia", "revisions": revisions})
    with pytest.raises(ConfigError, match="has both `revision` and `revisions`"):
        names({"model": "us/pythia", "revision": "main", "revisions": revisions})
