"""`config.yaml`: a mistake gets one message that names what is valid."""

import copy
from pathlib import Path

import pytest
import yaml

from starbank.config import check_config
from starbank.errors import ConfigError

ROOT = Path(__file__).resolve().parents[1]
SCHEMA = yaml.safe_load((ROOT / "rules" / "config.schema.yaml").read_text())
CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text())


def broken(**changes: object) -> dict:
    return copy.deepcopy(CONFIG) | changes


def message(config: dict) -> str:
    with pytest.raises(ConfigError) as caught:
        check_config(config, SCHEMA)
    return str(caught.value)


def test_the_bundled_configurations_are_valid():
    check_config(CONFIG, SCHEMA)
    sample = yaml.safe_load((ROOT / "treebanks" / "sample" / "config.yaml").read_text())
    check_config(CONFIG | sample, SCHEMA)


def test_an_unknown_key_names_the_nearest_and_all_valid_ones():
    assert message(broken(model=["unigram"])) == (
        "config.yaml: unknown key 'model'\n"
        "Did you mean 'models'? "
        "The valid keys are release, sources, queries, datasets, treebanks, shares, transforms, unimorph, models, "
        "sets, tasks, engine, outputs, seed, push."
    )


def test_an_unknown_key_of_a_model_names_the_model():
    text = message(broken(models=[{"name": "gpt2", "revison": "main"}]))
    assert "unknown key 'revison' in models[0]" in text
    assert "Did you mean 'revision'?" in text


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"treebanks": {"kat": ["UD_X;touch PWNED"]}}, "treebanks.kat[0]"),
        ({"treebanks": {"kat": ["../UD_Georgian-GLC"]}}, "treebanks.kat[0]"),
        ({"treebanks": {"kat\n": ["UD_Georgian-GLC"]}}, "treebanks"),
        ({"datasets": ["kat;x"]}, "datasets[0]"),
        ({"transforms": {"a;b": {}}}, "transforms"),
        ({"transforms": {"green": {"generator": "../evil"}}}, "transforms.green.generator"),
        ({"unimorph": ["kat\n"]}, "unimorph[0]"),
        ({"tasks": {"treebanks": ["UD_$(id)"]}}, "tasks.treebanks[0]"),
        ({"models": [{"name": "gpt2", "revision": "../../x"}]}, "models[0].revision"),
        ({"push": {"kat": "a/b/c"}}, "push.kat"),
        ({"push": {"kat": {"repo": "a/b", "tag": "-x"}}}, "push.kat.tag"),
        ({"outputs": "--lock"}, "outputs"),
        ({"release": "2.18\n"}, "release"),
    ],
)
def test_what_becomes_a_path_or_an_argument_is_a_name(change, place):
    assert message(CONFIG | change).startswith(f"config.yaml: {place}")


def test_a_name_that_is_refused_says_what_a_name_is():
    assert message(CONFIG | {"treebanks": {"kat": ["UD_X;y"]}}) == (
        "config.yaml: treebanks.kat[0]: 'UD_X;y' cannot be the name of a treebank, such as UD_Georgian-GLC\n"
        "A name has letters, digits, `_`, and inside `.`, `-` and `+`: nothing that a shell or a folder would read."
    )


def test_a_wrong_type_says_what_the_key_means():
    assert message(broken(sources="here")) == (
        "config.yaml: sources: 'here' is not of type 'array'\nIt says: Where treebanks are looked for, in order."
    )


def test_a_release_written_as_a_number_is_refused():
    assert "release: 2.18 is not of type 'string'" in message(broken(release=2.18))


def test_a_mistake_is_told_with_its_file_and_line(tmp_path):
    (tmp_path / "config.yaml").write_text(
        "sources: [here]\nset: &set {gpus: -2}\nmodels:\n  - unigram\n  - name: gpt2\n    revison: main\n"
        "  - {<<: *set, name: gpt2}\n"
    )
    (tmp_path / "my.yaml").write_text("seed: one\ntreebanks:\n  kat:\n    - UD_X;y\nmodels:\n- {name: no, gpus: -1}\n")
    files = [tmp_path / "my.yaml", tmp_path / "config.yaml"]

    def place(**changes: object) -> str:
        with pytest.raises(ConfigError) as caught:
            check_config(CONFIG | changes, SCHEMA, files)
        return str(caught.value).partition(": ")[0]

    assert place(seed="one") == f"{tmp_path}/my.yaml:1"
    assert place(treebanks={"kat": ["UD_X;y"]}) == f"{tmp_path}/my.yaml:4"
    assert place(models=["unigram", {"name": "gpt2", "revison": "main"}]) == f"{tmp_path}/config.yaml:6"
    assert place(models=[{"name": "no", "gpus": -1}]) == f"{tmp_path}/my.yaml:6"
    assert place(set={"gpus": -2}) == f"{tmp_path}/config.yaml:2"
    assert place(models=["unigram", "gpt2", {"name": "gpt2", "gpus": -2}]) == f"{tmp_path}/config.yaml:7"


def test_what_no_file_says_has_no_line(tmp_path):
    (tmp_path / "config.yaml").write_text("seed: 1\n")
    for files in ([tmp_path / "config.yaml"], [tmp_path / "missing.yaml"], []):
        with pytest.raises(ConfigError) as caught:
            check_config(CONFIG | {"seed": "one"}, SCHEMA, files)
        assert (caught.value.file, caught.value.line) == ("config.yaml", None)


def test_a_missing_key_is_named():
    config = copy.deepcopy(CONFIG)
    del config["models"]
    assert message(config).startswith("config.yaml: 'models' is missing")


def test_the_shipped_sets_are_lists_of_models():
    check_config(CONFIG | {"models": ["georgian-paper"]}, SCHEMA)
    large = {model["name"]: model for model in CONFIG["sets"]["bhs-bloom"] if isinstance(model, dict)}
    assert large["bigscience/bloom"] == {"name": "bigscience/bloom", "dtype": "bfloat16", "device": "auto", "gpus": 8}
    assert len(CONFIG["sets"]["georgian-paper"]) == 7


def test_a_transform_has_a_name_and_options():
    check_config(CONFIG | {"transforms": {"green": {"generator": "colorless", "variants": 4}, "latin": {}}}, SCHEMA)
    assert "transforms.green" in message(CONFIG | {"transforms": {"green": "colorless"}})
    assert "transforms" in message(CONFIG | {"transforms": {"Green+": {}}})
