"""What only a person knows of a language, as files that anybody may extend."""

from pathlib import Path

import pytest

from starbank.documents import language_code
from starbank.errors import ConstructionError, RequestError
from starbank.grew import parse_request
from starbank.languages import language_files, language_of, with_words
from starbank.queries.constructions import read_construction


@pytest.fixture
def languages(tmp_path, monkeypatch):
    """A folder of one's own with files of languages."""
    monkeypatch.chdir(tmp_path)
    Path("languages").mkdir()
    return Path("languages")


@pytest.mark.parametrize("code", language_files())
def test_every_file_can_be_read_and_is_called_by_an_iso_code(code):
    assert language_of(code).name
    assert language_code(code) == code


def test_a_language_of_which_nothing_is_written_has_nothing_special():
    assert language_of("und") == language_of(None)
    assert not language_of("swa").plural_of_respect


def test_a_file_of_ones_own_stands_in_for_ours(languages):
    assert language_of("hin").plural_of_respect
    (languages / "hin.yaml").write_text("name: Hindi\n", encoding="utf-8")
    assert not language_of("hin").plural_of_respect


def test_a_request_asks_for_the_words_of_all_languages(languages):
    (languages / "swa.yaml").write_text("name: Swahili\nwords:\n  market: [soko, 'a \"b\"']\n", encoding="utf-8")
    (languages / "por.yaml").write_text("name: Portuguese\nwords:\n  market: [mercado]\n", encoding="utf-8")
    request = 'pattern { S [lemma="languages.market"|"x"] }'
    assert with_words(request) == r'pattern { S [lemma="mercado"|"soko"|"a \"b\""|"x"] }'
    assert parse_request(request).text == with_words(request)


def test_a_list_that_no_language_has_is_named_with_its_place(languages):
    with pytest.raises(RequestError) as caught:
        parse_request('pattern {\n  S [lemma="languages.quantitty"] }', Path("my.grew"))
    assert str(caught.value).startswith("my.grew:2: no language lists words as `quantitty`\n")
    assert "Did you mean `quantity`?" in str(caught.value)


def test_a_construction_avoids_the_forms_of_all_languages(languages):
    (languages / "swa.yaml").write_text("name: Swahili\nforms:\n  odd: [x+, y]\n", encoding="utf-8")
    settings = (
        "% ---\n% language: swa\n% treebanks: [UD_X]\n% target: S\n% vary: {Number: [Sing, Plur]}\n% avoid: {}\n% ---\n"
    )
    file = Path("a.grew")
    file.write_text(settings.replace("{}", "z|languages.odd") + "pattern { S [] }", encoding="utf-8")
    assert read_construction(file).avoid == "z|x+|y"
    file.write_text(settings.replace("{}", "languages.even") + "pattern { S [] }", encoding="utf-8")
    with pytest.raises(ConstructionError, match=r"a.grew:6: `avoid` names `languages.even`, which no language lists"):
        read_construction(file)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: Swahili\nword: {a: [b]}", "swa.yaml:2: unknown key `word`"),
        ("endings: {ADJ: [a]}", "swa.yaml:1: the file must have `name`"),
        ("name: Swahili\nlemma_endings:\n  ADJ: '('", "swa.yaml:3: `lemma_endings.ADJ` is no regular expression"),
        ("name: Swahili\nwords:\n  a: b", "swa.yaml:3: `words.a` must be a list"),
        ("name: Swahili\nbound:\n  - {upos: NOUN}", "swa.yaml:3: `bound` must have `form`"),
        ("name: Swahili\nalike:\n  - {upos: NOUN, feats: Case=Gen}", "swa.yaml:3: `alike` must have `also`"),
        ("name: [", "swa.yaml:1: the file cannot be read as YAML"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_line(languages, text, message):
    (languages / "swa.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ConstructionError) as caught:
        language_of("swa")
    assert message in str(caught.value)


def test_a_file_is_called_by_a_code(languages):
    (languages / "Hindi.yaml").write_text("name: Hindi", encoding="utf-8")
    with pytest.raises(ConstructionError, match="the name of the file is not an ISO 639-3 code: `Hindi`"):
        language_of("Hindi")
