"""A mistake in a template or a lexicon is told with file, line and the nearest valid name."""

import re

import pytest

from starbank.errors import StarbankError
from starbank.queries.templates import read_template
from starbank.sets.templates import Space
from tests.templates.conftest import NOUNS, TEMPLATE


@pytest.mark.parametrize(
    ("right", "wrong", "line", "message"),
    [
        ("language: eng", "langage: eng", 2, "unknown key `langage`\nDid you mean `language`?"),
        ("language: eng", "language: en", 2, "`language` is not an ISO 639-3 code: `en`\nDid you mean `eng`?"),
        ("limit: 100", "limit: many", 10, "`limit` must be a whole number from 1 up"),
        ("from: nouns", "from: noun", 6, "`slots.N.from` is `noun`, which is no table\nDid you mean `nouns`?"),
        ("from: nouns", "from: nouns|verb", 6, "`slots.N.from` is `verb`, which is no table\nDid you mean `verbs`?"),
        ("Number: $number, kind", "Numbr: $number, kind", 6,
         "`slots.N.Numbr` is no attribute of the table nouns\nDid you mean `Number`?"),
        ("kind: $kind}", "kind: persn}", 6,
         "`slots.N.kind` is `persn`, which no word of the table nouns has\nDid you mean `person`?"),
        ("{V}]", "{W}]", 4, "`sentence` mentions {W}, which is no slot\nThe valid names are N, V."),
        ("[target {V}]", "{V}", 4, "`sentence` must have one region `target`"),
        ("[target {V}]", "[verb {V}] [target now]", 4,
         "`sentence` does not have {V}, which varies, in the region `target`"),
        ("vary: {V:", "vary: {W:", 8, "`vary.W` is no slot"),
        ("[Sing, Plur]", "[Sing, Plural]", 8,
         "`vary.V.Number` is `Plural`, which no word of the table verbs has\nDid you mean `Plur`?"),
        ("limit: 100", "limit: 100\nwhere: [K != N]", 11, "`where` names K, which is no slot"),
        ("limit: 100", "", 1, "the template must have `limit`"),
        ("limit: 100", "limit: 100\nbalance: [$nmber]", 11,
         "`balance` names $nmber, which no slot has\nDid you mean `$number`?"),
        ("limit: 100", "limit: 100\nlimit: 200", 11, "`limit` is set twice"),
        ("N: {from: nouns, Number: $number", "N: {from: nouns, Number: $numbr", 6,
         "`slots.N.Number` is $numbr, which nothing else mentions\n"
         "Leave the attribute out where any value will do. Did you mean `$number`?"),
        ("[Sing, Plur]", "$numbr", 8, "`vary.V.Number` is $numbr, which no slot has\nDid you mean `$number`?"),
        ("slots:", "slots: [", 7, "the template cannot be read as YAML"),
    ],
)  # fmt: skip
def test_a_template(write, right, wrong, line, message):
    path = write(TEMPLATE.replace(right, wrong, 1))
    with pytest.raises(StarbankError) as caught:
        read_template(path)
    told = str(caught.value)
    assert told.startswith(f"{path}:{line}: "), told
    assert message in told


@pytest.mark.parametrize(
    ("table", "content", "line", "message"),
    [
        ("nouns", NOUNS + "cat\tcats\n", 5, "the row has 2 columns in place of 4"),
        ("nouns", NOUNS + "cat\t\tanimal\tcat\n", 5, "the row has nothing in the column `plural`"),
        ("nouns", "plural\tkind\ndogs\tanimal\n", 1, "the row has neither a column `lemma` nor `form`"),
        ("nouns", NOUNS.replace("gloss", "weight", 1), 2,
         "the row cannot be read: could not convert string to float: 'dog'"),
        ("verbs_paradigm", "Number\nSing\n", 1, "the row has no column `form`"),
        ("verbs_paradigm", "Number\tlemma\tform\nSing\t(.*\t\\1s\n", 2,
         "the row has a lemma that is no regular expression"),
        ("verbs_paradigm", "Number\tform\nSing\t{lema}s\n", 2, "the row has a form that cannot be filled in: 'lema'"),
        ("verbs_paradigm", "Number\tsubject\tform\nSing\tanimals\t{lemma}s\n", 2,
         "the row selects words by `subject` animals, which none has\nDid you mean `animal`?"),
    ],
)  # fmt: skip
def test_a_lexicon(write, tmp_path, table, content, line, message):
    with pytest.raises(StarbankError) as caught:
        read_template(write(**{table: content}))
    told = str(caught.value)
    assert told.startswith(f"{tmp_path / 'lexicon' / table.replace('_', '.')}.tsv:{line}: "), told
    assert message in told


def test_a_template_without_a_lexicon(tmp_path):
    path = tmp_path / "verbs.template"
    path.write_text(TEMPLATE)
    with pytest.raises(StarbankError, match="there is no lexicon here or in a folder above"):
        read_template(path)


def test_a_slot_that_no_word_fits(write):
    path = write(TEMPLATE.replace("kind: $kind}", "kind: person, lemma: dog}", 1).replace(", subject: $kind", ""))
    with pytest.raises(StarbankError, match=re.escape("no word of nouns fits slot `N`")):
        Space(read_template(path))


def test_constraints_that_exclude_one_another(write):
    path = write(TEMPLATE + "where: [$number = Sing, $number = Plur]\n")
    with pytest.raises(StarbankError, match="no sentence satisfies all constraints"):
        Space(read_template(path))
