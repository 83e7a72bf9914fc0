"""`starbank transform` on the command line."""

import pytest

from starbank.cli import main
from starbank.treebanks import open_treebank


def test_options_are_written_as_in_yaml(sample, tmp_path, capsys):
    output, conllu = tmp_path / "green", tmp_path / "green.conllu"
    options = ["preset=gulordava", "content=[NOUN]", "variants=2"]
    source = str(sample / "UD_English-Sample")
    main(["transform", "green", source, "-o", str(output), "--generator", "colorless", "--option", *options,
          "--conllu", str(conllu)])  # fmt: skip
    made = open_treebank(output)
    assert made.name == "UD_English-Sample+green"
    assert made.info["derived"]["options"] == {"preset": "gulordava", "content": ["NOUN"], "variants": 2}
    assert conllu.read_text().count("# sent_id = ") == made.sentences.num_rows
    told = capsys.readouterr().err.splitlines()
    assert told[0].startswith("UD_English-Sample+green: ")
    assert told[1].startswith("  NOUN ")


@pytest.mark.parametrize(
    ("option", "message"),
    [("preset", "this is no KEY=VALUE"), ("content=[NOUN", "the value cannot be read as YAML")],
)
def test_an_option_that_cannot_be_read_is_told(sample, tmp_path, capsys, option, message):
    with pytest.raises(SystemExit) as caught:
        main(
            ["transform", "colorless", str(sample / "UD_English-Sample"), "-o", str(tmp_path / "x"), "--option", option]
        )
    assert caught.value.code == 2
    assert message in capsys.readouterr().err
