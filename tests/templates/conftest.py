"""Small lexicons and templates, written as a user would write them."""

from pathlib import Path

import pytest

NOUNS = "lemma\tplural\tkind\tgloss\ndog\tdogs\tanimal\tdog\nman\tmen\tperson\tman\nking\tkings\tperson\tking\n"
NOUN_FORMS = "Number\tform\nSing\t{lemma}\nPlur\t{plural}\n"
VERBS = "lemma\tsubject\nbark\tanimal\nsleep\tanimal|person\nlaugh\tperson\n"
VERB_FORMS = "Number\tlemma\tform\nPlur\t.*\t{lemma}\nSing\t(.*)y\t\\1ies\nSing\t.*\t{lemma}s\n"

TEMPLATE = """\
title: Verb agrees with its subject
language: eng
phenomenon: agreement
sentence: "[subject the {N}] [target {V}]."
slots:
  N: {from: nouns, Number: $number, kind: $kind}
  V: {from: verbs, Number: $number, subject: $kind}
vary: {V: {Number: [Sing, Plur]}}
controller: N.Number
limit: 100
"""


@pytest.fixture
def write(tmp_path: Path):
    """Write a template, and files of its lexicon in place of the usual ones; return its path."""

    def write(text: str = TEMPLATE, name: str = "verbs", **files: str) -> Path:
        lexicon = tmp_path / "lexicon"
        lexicon.mkdir(exist_ok=True)
        usual = {"nouns": NOUNS, "nouns.paradigm": NOUN_FORMS, "verbs": VERBS, "verbs.paradigm": VERB_FORMS}
        about = "{name: English-Lexicon, license: CC-BY-4.0, upos: {nouns: NOUN, verbs: VERB}}"
        (lexicon / "lexicon.yaml").write_text(about, encoding="utf-8")
        for table, content in {**usual, **files}.items():
            (lexicon / f"{table.replace('_', '.')}.tsv").write_text(content, encoding="utf-8")
        path = tmp_path / f"{name}.template"
        path.write_text(text, encoding="utf-8")
        return path

    return write
