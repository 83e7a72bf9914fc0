"""Construction files: what they may say, and what is said of those that are wrong."""

import gzip
from textwrap import dedent

import pytest

from starbank.errors import ConstructionError, RequestError, SuiteError
from starbank.queries.constructions import read_construction, table_names

WHOLE = """\
% ---
% title: Ergative subject of a transitive verb
% language: kat
% phenomenon: case alignment
% treebanks: [UD_Georgian-GLC, UD_Georgian-GNC]
% target: SUBJ
% vary:
%   Case: [Erg, Nom, Dat]
% generator: minimal_sets
% limit: 50
% seed: 7
% avoid: .+სა
% confidence: 0.95
% ---
% The subject of an aorist.
pattern { V [upos=VERB]; SUBJ [Case=Erg]; V -[nsubj]-> SUBJ }
without { V -[obj]-> OBJ }
"""

SHORT = """\
% ---
% language: kat
% treebanks: [UD_Georgian-GLC]
% target: SUBJ
% vary: {Case: [Erg, Nom]}
% ---
pattern { V [upos=VERB]; SUBJ [Case=Erg]; V -[nsubj]-> SUBJ }
"""


@pytest.fixture
def read(tmp_path):
    """Write a construction file and read it."""

    def read(text, name="erg-subj"):
        (tmp_path / f"{name}.grew").write_text(text, encoding="utf-8")
        return read_construction(tmp_path / f"{name}.grew")

    return read


@pytest.fixture
def complaint(read):
    """Return line, message and hint of the complaint about a construction file."""

    def complaint(text):
        with pytest.raises(ConstructionError) as caught:
            read(text)
        assert caught.value.file.name == "erg-subj.grew"
        return caught.value.line, caught.value.message, caught.value.hint

    return complaint


def test_every_setting_is_read(read, tmp_path):
    construction = read(WHOLE)
    assert construction.name == "erg-subj"
    assert construction.title == "Ergative subject of a transitive verb"
    assert construction.language == "kat"
    assert construction.phenomenon == "case alignment"
    assert construction.treebanks == ("UD_Georgian-GLC", "UD_Georgian-GNC")
    assert construction.targets == ("SUBJ",)
    assert construction.features == {"Case": ("Erg", "Nom", "Dat")}
    assert construction.avoid == ".+სა"
    assert construction.confidence == 0.95
    assert construction.generator == "minimal_sets"
    assert (construction.limit, construction.seed) == (50, 7)
    assert construction.request_text == WHOLE
    assert construction.request.nodes == ("V", "SUBJ")
    assert construction.path == tmp_path / "erg-subj.grew"


def test_four_settings_are_enough(read):
    construction = read(SHORT)
    assert construction.title == "erg subj"
    assert construction.phenomenon == "erg-subj"
    assert construction.generator == "minimal_sets"
    assert (construction.limit, construction.seed) == (None, None)


def changes(construction):
    return [(one.name, one.changes, one.starred) for one in construction.conditions]


def test_each_value_of_a_feature_is_a_condition_of_the_target(read):
    assert changes(read(SHORT)) == [
        ("Erg", {"SUBJ": {"Case": "Erg"}}, None),
        ("Nom", {"SUBJ": {"Case": "Nom"}}, None),
    ]


def test_several_features_may_change_at_once(read):
    cells = "{perfective: {Aspect: Perf}, habitual: {Aspect: Imp, VerbForm: Part, Tense: ~}}"
    assert changes(read(SHORT.replace("{Case: [Erg, Nom]}", cells))) == [
        ("perfective", {"SUBJ": {"Aspect": "Perf"}}, None),
        ("habitual", {"SUBJ": {"Aspect": "Imp", "VerbForm": "Part", "Tense": None}}, None),
    ]


def test_several_words_may_change_at_once(read):
    construction = read(SHORT.replace("target: SUBJ", "target: [SUBJ, V]"))
    assert construction.targets == ("SUBJ", "V")
    assert changes(construction)[0] == ("Erg", {"SUBJ": {"Case": "Erg"}, "V": {"Case": "Erg"}}, None)


def test_conditions_may_be_named_and_starred(read):
    two_by_two = """conditions:
%   sing-sing: {SUBJ: {Number: Sing}, V: {Number: Sing}}
%   sing-plur: {SUBJ: {Number: Sing}, V: {Number: Plur}, starred: yes}"""
    construction = read(SHORT.replace("vary: {Case: [Erg, Nom]}", two_by_two).replace("target: SUBJ", "target: V"))
    assert changes(construction) == [
        ("sing-sing", {"SUBJ": {"Number": "Sing"}, "V": {"Number": "Sing"}}, False),
        ("sing-plur", {"SUBJ": {"Number": "Sing"}, "V": {"Number": "Plur"}}, True),
    ]
    assert construction.nodes == ("V", "SUBJ")


def test_what_runs_on_all_treebanks_needs_no_language(read):
    construction = read(SHORT.replace("% language: kat\n", "").replace("[UD_Georgian-GLC]", "all"))
    assert (construction.language, construction.treebanks) == (None, ())


def test_a_covariate_is_the_request_with_more_clauses(read):
    construction = read(SHORT.replace("% ---\npattern", "% covariates: {transitive: 'V -[obj]-> O'}\n% ---\npattern"))
    (request,) = construction.covariates.values()
    assert [block.kind for block in request.conditions] == ["with"]


def test_the_checksum_is_that_of_the_text(read):
    assert read(SHORT).query_sha256 == read(SHORT, "other").query_sha256
    assert read(SHORT).query_sha256 != read(WHOLE).query_sha256


def test_comments_may_stand_before_the_settings(read):
    assert read("% What this is about.\n" + SHORT).targets == ("SUBJ",)


def test_values_that_yaml_takes_for_truth_stay_words(read):
    assert read(SHORT.replace("{Case: [Erg, Nom]}", "{Foreign: [Yes, No]}")).features == {"Foreign": ("Yes", "No")}


def test_a_layered_feature_is_a_name_like_any_other(read):
    assert read(SHORT.replace("vary: {Case: [Erg, Nom]}", "vary:\n%   Number[psor]: [Sing, Plur]")).features == {
        "Number[psor]": ("Sing", "Plur")
    }


@pytest.mark.parametrize("code", ["swc", "nob", "hin", "grc"])
def test_any_three_letter_code_of_a_language_will_do(read, code):
    assert read(SHORT.replace("kat", code)).language == code


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("no", "Did you mean `nor`?"),
        ("ka", "Did you mean `kat`?"),
        ("geo", "Did you mean `kat`?"),
        ("KAT", "Did you mean `kat`?"),
        ("katt", "Did you mean `kat`?"),
        ("Georgian", "Such a code has three letters"),
    ],
)
def test_other_names_of_a_language_are_refused(complaint, code, hint):
    line, message, found = complaint(SHORT.replace("kat", code))
    assert (line, message) == (2, f"`language` is not an ISO 639-3 code: `{code}`")
    assert hint in found


def test_an_unknown_key_names_the_nearest(complaint):
    line, message, hint = complaint(WHOLE.replace("% limit", "% limt"))
    assert (line, message) == (10, "unknown key `limt`")
    assert hint.startswith("Did you mean `limit`? The valid names are title, language,")


def test_a_missing_key_is_named(complaint):
    line, message, _ = complaint(SHORT.replace("% target: SUBJ\n", "").replace("% language: kat\n", ""))
    assert (line, message) == (1, "the settings must have `language` and `target`")


def test_a_key_counts_once(complaint):
    assert complaint(SHORT.replace("% target: SUBJ", "% target: SUBJ\n% target: V"))[:2] == (5, "`target` is set twice")


def test_bad_yaml_is_shown_in_its_place(read):
    with pytest.raises(ConstructionError) as caught:
        read(SHORT.replace("[Erg, Nom]}", "[Erg, Nom}"))
    assert caught.value.line == 5
    assert caught.value.source == "vary: {Case: [Erg, Nom}"
    assert str(caught.value).startswith(f"{caught.value.file}:5: the settings cannot be read as YAML: ")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("pattern { V [upos=VERB] }", 1, "there are no settings"),
        ("\n% ---\n% target: V\npattern { V [upos=VERB] }", 2, "the settings have no closing `% ---`"),
        ("% ---\n% target: V\npattern { V [] }\n% ---\n", 3, "a line of the settings is no comment"),
        ("% ---\n% just words\n% ---\npattern { V [] }", 1, "the settings must be lines of `key: value`"),
        (
            "% ---\n% ---\npattern { V [] }",
            1,
            "the settings must have `language` and `treebanks` and `target` and `vary`",
        ),
    ],
)
def test_the_block_of_settings_has_its_form(complaint, text, line, message):
    assert complaint(text)[:2] == (line, message)


def test_a_target_that_is_no_node_names_the_nearest(complaint):
    line, message, hint = complaint(SHORT.replace("target: SUBJ", "target: SUJB"))
    assert (line, message) == (4, "`target` is `SUJB`, which is no node of the pattern")
    assert hint == "Did you mean `SUBJ`? The valid names are V, SUBJ."


def test_a_target_that_only_a_without_mentions_is_told_so(complaint):
    line, message, _ = complaint(WHOLE.replace("target: SUBJ", "target: OBJ"))
    assert (line, message) == (6, "`target` is `OBJ`, which no match binds: only a `without` or `with` mentions it")


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("[UD_Georgian-GLC]", "UD_Georgian-GLC", 3, "`treebanks` must be a list of names"),
        ("[UD_Georgian-GLC]", "[]", 3, "`treebanks` must be a list of names"),
        ("[UD_Georgian-GLC]", "[A, A]", 3, "`treebanks` names A twice"),
        ("{Case: [Erg, Nom]}", "Case", 5, "`vary` must name one feature and its values"),
        ("{Case: [Erg, Nom]}", "{Case: [Erg], Number: [Sing]}", 5, "`vary` must name one feature and its values"),
        ("{Case: [Erg, Nom]}", "{Case: Erg}", 5, "`vary.Case` must be a list of names"),
        ("{Case: [Erg, Nom]}", "{Case: [Erg]}", 5, "`vary` gives Case only one value"),
        ("{Case: [Erg, Nom]}", "{Case: [Erg, Nom, Erg]}", 5, "`vary.Case` names Erg twice"),
        ("target: SUBJ", "target: [SUBJ, SUBJ]", 4, "`target` names SUBJ twice"),
        ("target: SUBJ", "target:", 4, "`target` must be a text"),
        ("target: SUBJ", "target: SUBJ\n% limit: many", 5, "`limit` must be a whole number from 1 up"),
        ("target: SUBJ", "target: SUBJ\n% confidence: 1.5", 5, "`confidence` must be a number from 0 to 1"),
        ("target: SUBJ", "target: SUBJ\n% limit: 0", 5, "`limit` must be a whole number from 1 up"),
        ("target: SUBJ", "target: SUBJ\n% avoid: (ს", 5, "`avoid` is no regular expression: missing ), unterminated subpattern"),  # noqa: E501
        ("target: SUBJ", "target: SUBJ\n% avoid: a(?!b)", 5, "`avoid` is no regular expression of RE2: invalid perl operator: (?!"),  # noqa: E501
        ("target: SUBJ", "target: SUBJ\n% forms: [treebank, wiktionary]", 5, "`forms` names `wiktionary`"),
        ("target: SUBJ", "target: SUBJ\n% control: maybe", 5, "`control` must be yes or no"),
        ("target: SUBJ", "target: SUBJ\n% controller: W", 5, "`controller` is `W`, which is no node of the pattern"),
        ("target: SUBJ", "target: SUBJ\n% governor: W", 5, "`governor` is `W`, which is no node of the pattern"),
        ("target: SUBJ", "target: SUBJ\n% conditions: {a: {Case: Nom}, b: {Case: Erg, starred: yes}}", 5, "`conditions` and `vary` exclude each other"),  # noqa: E501
        ("vary: {Case: [Erg, Nom]}", "conditions: {a: {Case: Nom}, b: {Case: Erg}}", 5, "`conditions` must have a grammatical condition and a starred one"),  # noqa: E501
        ("vary: {Case: [Erg, Nom]}", "conditions: {a: {W: {Case: Nom}}, b: {Case: Erg, starred: yes}}", 5, "`conditions.a.W` is `W`, which is no node of the pattern"),  # noqa: E501
        ("target: SUBJ", "target: SUBJ\n% concord: {M: 'SUBJ -[amod]-> X'}", 5, "`concord` names `M`, which must be a node of its clauses, and none of the pattern"),  # noqa: E501
        ("target: SUBJ", "target: SUBJ\n% concord: {V: 'V -[obj]-> X'}", 5, "`concord` names `V`, which must be a node of its clauses, and none of the pattern"),  # noqa: E501
        ("target: SUBJ", "target: SUBJ\n% concord: {M: 'SUBJ -[amod]-> M'}\n% generator: swapped", 5, "`concord` is not for the generator `swapped`"),  # noqa: E501
        ("target: SUBJ", "target: SUBJ\n% covariates: {passive: 'V -[aux:pass> A'}", 5, "`covariates.passive` has clauses that are no request: unexpected “>”"),  # noqa: E501
        ("target: SUBJ", "target: SUBJ\n% seed: -1", 5, "`seed` must be a whole number from 0 up"),
    ],
)  # fmt: skip
def test_a_value_of_the_wrong_kind_is_refused(complaint, old, new, line, message):
    found = complaint(SHORT.replace(old, new))
    assert (found[0], found[1].partition(" at position")[0]) == (line, message)


def test_a_mistake_in_the_request_is_found_in_its_line(read):
    with pytest.raises(RequestError) as caught:
        read(SHORT.replace("V -[nsubj]-> SUBJ", "V -[nsubj]> SUBJ"))
    assert caught.value.line == 7


def test_a_file_that_is_not_there_or_not_text_is_named(tmp_path):
    with pytest.raises(ConstructionError, match="cannot be read: No such file"):
        read_construction(tmp_path / "none.grew")
    (tmp_path / "latin.grew").write_bytes(dedent(SHORT).encode() + b"% \xe9")
    with pytest.raises(ConstructionError, match=r"latin\.grew:\d+: the line is not UTF-8 text\n.*iconv"):
        read_construction(tmp_path / "latin.grew")


def test_a_file_that_is_packed_is_told_so(tmp_path):
    (tmp_path / "my.grew").write_bytes(gzip.compress(b"pattern { X [] }"))
    with pytest.raises(ConstructionError, match=r"my\.grew: is compressed by gzip\nUnpack it: gunzip -c my\.grew"):
        read_construction(tmp_path / "my.grew")


def test_a_byte_order_mark_and_windows_line_ends_change_nothing(tmp_path):
    (tmp_path / "a.grew").write_bytes(b"\xef\xbb\xbf" + SHORT.replace("\n", "\r\n").encode())
    (tmp_path / "b.grew").write_text(SHORT, encoding="utf-8")
    windows, unix = read_construction(tmp_path / "a.grew"), read_construction(tmp_path / "b.grew")
    assert windows.query_sha256 == unix.query_sha256


def test_predictions_are_formulas_over_its_conditions_and_regions(read):
    formula = "(target;%Nom%) > (target;%Erg%)"
    assert read(SHORT.replace("% vary", f'% predictions: ["{formula}"]\n% vary')).predictions == (formula,)
    with pytest.raises(SuiteError) as raised:
        read(SHORT.replace("% vary", '% predictions: ["(2;%Nom%) > (2;%Egr%)"]\n% vary'))
    assert str(raised.value).split("erg-subj.grew", 1)[1].splitlines() == [
        ":5: there is no condition Egr",
        "    (2;%Nom%) > (2;%Egr%)",
        "                ^",
        "Did you mean `Erg`? The valid names are Erg, Nom.",
    ]


@pytest.mark.parametrize("lexicons", ["words.tsv", "{words: words.tsv}", "{words: {file: [words.tsv]}}"])
def test_files_of_lexicons_are_read_from_settings_that_others_wrote(tmp_path, lexicons):
    with pytest.raises(ConstructionError, match="lexicons"):
        table_names(SHORT.replace("% vary:", f"% lexicons: {lexicons}\n% vary:"), tmp_path / "query.grew")
