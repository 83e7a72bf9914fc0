"""What `starbank init` writes: a language, its treebanks, and a first construction."""

from pathlib import Path

import pytest
import yaml

from starbank.cli import main
from starbank.config import check_config
from starbank.queries import read_queries
from starbank.shipped import shipped
from tests.conftest import ROOT

OFFLINE = "sources: []\n"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A folder from which nothing is fetched, and a mirror of UD that has our sample under names of its own."""
    monkeypatch.chdir(tmp_path)
    mirror = tmp_path / "mirror"
    for name in ("UD_Abaza-Small", "UD_Abaza-Large"):
        (mirror / name).mkdir(parents=True)
    sample = (ROOT / "treebanks/sample/UD_Georgian-Sample/ka_sample-ud-train.conllu").read_text(encoding="utf-8")
    (mirror / "UD_Abaza-Small" / "abq_small-ud-test.conllu").write_text(sample.partition("\n\n")[0] + "\n\n", "utf-8")
    (mirror / "UD_Abaza-Large" / "abq_large-ud-test.conllu").write_text(sample, encoding="utf-8")
    monkeypatch.setenv("UD_MIRROR", str(mirror))
    Path("config.yaml").write_text(OFFLINE, encoding="utf-8")
    return tmp_path


def begun(*arguments: str) -> dict[str, object]:
    """Begin a project, and return its configuration."""
    main(["init", "project", *arguments])
    config = yaml.safe_load(Path("project/config.yaml").read_text(encoding="utf-8"))
    schema = yaml.safe_load(shipped("rules/config.schema.yaml").read_text(encoding="utf-8"))
    check_config(yaml.safe_load(shipped("config.yaml").read_text(encoding="utf-8")) | config, schema)
    return config


def refused(capsys, *arguments: str) -> str:
    with pytest.raises(SystemExit):
        main(["init", "project", *arguments])
    assert not Path("project/Snakefile").exists()
    return capsys.readouterr().err


@pytest.mark.parametrize("language", ["abq", "Abaza"])
def test_a_language_begins_with_its_largest_treebank_and_what_that_suggests(language):
    assert begun("--language", language)["treebanks"] == {"abq": ["UD_Abaza-Large"]}
    (construction,) = Path("project/queries/abq").glob("*.grew")
    (query,) = read_queries(construction)
    assert (query.language, query.treebanks) == ("abq", ("UD_Abaza-Large",))
    assert f"starbank check queries/abq/{construction.name}\n" in Path("project/README.md").read_text(encoding="utf-8")


def test_treebanks_that_are_named_tell_their_language():
    assert begun("--treebank", "UD_Abaza-Large", "UD_Abaza-Small")["treebanks"] == {
        "abq": ["UD_Abaza-Large", "UD_Abaza-Small"]
    }


def test_a_construction_is_tried_out_on_the_treebanks_of_config_yaml(capsys, monkeypatch):
    begun("--treebank", "UD_Abaza-Large")
    monkeypatch.chdir("project")
    construction = next(Path("queries/abq").glob("*.grew"))
    text = construction.read_text(encoding="utf-8").replace("UD_Abaza-Large", "UD_Abaza-Missing")
    construction.write_text(text, encoding="utf-8")
    main(["check", str(construction)])
    assert "matches in UD_Abaza-Large:" in capsys.readouterr().out


def test_a_language_of_starbanks_constructions_begins_with_them_and_their_tables():
    assert begun("--language", "kat")["treebanks"] == {}
    written = {str(path.relative_to("project")) for path in Path("project/queries").rglob("*.*")}
    assert "queries/kat/transitive-erg-nom-subj.grew" in written
    assert "queries/kat/lexicon/pronouns.tsv" in written
    assert not Path("project/queries/kat/published").exists()


def test_a_treebank_that_is_not_here_begins_with_what_many_languages_have():
    begun("--treebank", "UD_Manx-Cadhan", "--language", "glv")
    (query,) = read_queries(Path("project/queries/glv/subject-verb-number.grew"))
    assert (query.language, query.treebanks) == ("glv", ("UD_Manx-Cadhan",))


def test_the_snakefile_names_nothing_of_this_machine(home):
    begun()
    for file in ("Snakefile", "config.yaml", "README.md", ".gitignore", "profiles/default/profile.yaml"):
        text = Path("project", file).read_text(encoding="utf-8")
        assert str(home) not in text
        assert str(ROOT) not in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--language", "Klingon"], "no treebank of Klingon is known"),
        (["--language", "Abaz"], "no treebank of Abaz is known\nDid you mean abq?"),
        (["--treebank", "UD_Abaza-Lagre"], "Did you mean UD_Abaza-Large?"),
        (["--treebank", "Abaza"], "'Abaza' is not the name of a treebank"),
        (["--treebank", "UD_Manx-Cadhan"], "nothing tells the language of UD_Manx-Cadhan"),
        (["--treebank", "UD_Abaza-Large", "--language", "Manx"], "--language is not an ISO 639-3 code: `Manx`"),
    ],
)
def test_what_is_not_known_is_refused(capsys, arguments, message):
    assert message in refused(capsys, *arguments)


def test_nothing_is_overwritten(capsys):
    Path("project").mkdir()
    Path("project/config.yaml").write_text("mine", encoding="utf-8")
    assert "project/config.yaml: there is such a file already" in refused(capsys)
    assert sorted(path.name for path in Path("project").iterdir()) == ["config.yaml"]
