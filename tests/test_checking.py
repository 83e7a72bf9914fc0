"""What `starbank check` tells of a construction, and which items it holds for suspicious."""

import pytest

from starbank.pipeline.check import check, to_lines
from tests.small_treebank import conllu

pytestmark = pytest.mark.slow

AGREEMENT = """\
% ---
% title: A verb agrees with its subject
% language: eng
% treebanks: [UD_English-Small]
% target: V
% vary: {Number: [Sing, Plur]}
% ---
pattern { V [upos=VERB]; S [upos=NOUN]; V -[nsubj]-> S }
"""


def sentence(text):
    """Return a sentence `the NOUN VERB .`, whose verb and noun are plural where they should be."""
    _, noun, verb, *rest = text.split()
    lemma, number = (verb.removesuffix("s"), "Sing") if verb.endswith("s") else (verb, "Plur")
    noun_number = "Plur" if noun.endswith("s") else "Sing"
    lines = [
        "1 The the DET _ 2 det",
        f"2 {noun} {noun.removesuffix('s')} NOUN Number={noun_number} 3 nsubj",
        f"3 {verb} {lemma} VERB Number={number} 0 root",
        *(f"{place} {word} {word} ADV _ 3 advmod" for place, word in enumerate(rest, start=4)),
    ]
    lines[-1] += " SpaceAfter=No"
    return "\n".join([f"{text}.", *lines, f"{len(lines) + 1} . . PUNCT _ 3 punct"])


@pytest.fixture
def checked(tmp_path):
    """Check the construction on sentences."""

    def run(*texts, request=AGREEMENT):
        folder = tmp_path / "UD_English-Small"
        folder.mkdir()
        (folder / "en_small-ud-test.conllu").write_text(conllu(*map(sentence, texts)), encoding="utf-8")
        file = tmp_path / "agreement.grew"
        file.write_text(request, encoding="utf-8")
        return check(file, [folder])

    return run


def test_what_a_construction_gives_is_told_in_lines(checked):
    lines = list(to_lines(checked("The baker sings", "The bakers sing", "The girl hums")))
    assert lines[1:] == [
        "3 matches in UD_English-Small: 2 items (1 Plur, 1 Sing)",
        "Starred forms: 2 from treebank; 1 matches for which a form is missing",
        "",
        "1 rejected",
        "      1  no form; such as s3, hums: hum (VERB): Number=Plur",
        "",
        "2 items",
        "  s1  The baker sings / *sing.",
        "  s2  The bakers sing / *sings.",
        "",
        "No item looks suspicious.",
    ]


def test_what_changes_is_coloured(checked):
    lines = list(to_lines(checked("The baker sings", "The bakers sing"), colour=True))
    assert "The baker \x1b[1;32msings\x1b[0m / \x1b[1;31m*sing\x1b[0m." in lines[5]


def test_a_word_that_the_treebank_has_with_the_starred_form_is_the_most_suspicious(checked):
    found = checked("The baker sings", "The bakers sing", "The team sings loudly", "The team sing at home")
    first = found.suspicious[0]
    by_id = {item["item_id"]: item for item in found.items}
    assert by_id[first.item_id]["sent_id"] in ("s3", "s4")
    assert first.reasons[0].startswith("the treebank has “team” with “sing")
    assert {by_id[suspicion.item_id]["sent_id"] for suspicion in found.suspicious} == {"s3", "s4"}


def test_a_starred_sentence_that_the_treebank_has_is_suspicious(checked):
    found = checked("The sheep sings", "The sheep sing")
    assert [suspicion.reasons[0] for suspicion in found.suspicious] == [
        "the starred sentence itself is in the treebank: s1",
        "the starred sentence itself is in the treebank: s2",
    ]


def test_a_request_without_matches_says_so(checked):
    lines = list(to_lines(checked("The baker sings", request=AGREEMENT.replace("nsubj", "obj"))))
    assert lines[1:] == [
        "0 matches in UD_English-Small: 0 items",
        "Take conditions away until there are matches; `starbank match` counts them.",
    ]


def test_sentences_that_run_from_right_to_left_are_kept_apart(tmp_path):
    words = ["1 הילד ילד NOUN Number=Sing 2 nsubj", "2 {} שר VERB Number={} 0 root"]
    texts = [("הילד שר", "שר", "Sing"), ("הילד שרים", "שרים", "Plur")]
    file = tmp_path / "he_small-ud-test.conllu"
    file.write_text(
        conllu(*("\n".join([text, words[0], words[1].format(verb, number)]) for text, verb, number in texts)),
        encoding="utf-8",
    )
    query = tmp_path / "agreement.grew"
    query.write_text(AGREEMENT.replace("eng", "heb").replace("UD_English-Small", file.stem), encoding="utf-8")
    lines = list(to_lines(check(query, [file])))
    assert "  s1  \u2068הילד שר / *שרים\u2069" in lines


def test_a_check_writes_nothing(checked, tmp_path):
    checked("The baker sings", "The bakers sing")
    assert sorted(path.name for path in tmp_path.rglob("*")) == [
        "UD_English-Small",
        "agreement.grew",
        "en_small-ud-test.conllu",
    ]
