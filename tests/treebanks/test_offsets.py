"""Where words stand in `# text`: characters as Python counts them."""

import pytest

from starbank.treebanks import read_conllu
from tests.treebanks.conllu_text import save


def sentence(tmp_path, text: str | None, *rows: str):
    """Return text, whether it was rebuilt, and (form, start, end) of each row, given as `id form [misc]`."""
    lines = [] if text is None else [f"# text = {text}"]
    for row in rows:
        number, form, misc = (*row.split("\t"), "_")[:3]
        head = "_" if "-" in number or "." in number else "0"
        lines.append("\t".join([number, form, "_", "X", "_", "_", head, "_", "_", misc]))
    treebank = read_conllu([save(tmp_path, "\n".join(lines) + "\n\n")])
    info = treebank.sentences.to_pylist()[0]
    spans = [(row["form"], row["start"], row["end"]) for row in treebank.tokens.to_pylist()]
    assert all(start is None or info["text"][start:end] == form for form, start, end in spans)
    return info["text"], info["text_rebuilt"], [span[1:] for span in spans]


def test_words_and_punctuation(tmp_path):
    text = "No, it wasn't."
    rows = ["1\tNo\tSpaceAfter=No", "2\t,", "3\tit", "4\twas\tSpaceAfter=No", "5\tn't\tSpaceAfter=No", "6\t."]
    assert sentence(tmp_path, text, *rows) == (text, False, [(0, 2), (2, 3), (4, 6), (7, 10), (10, 13), (13, 14)])


def test_text_decides_where_space_after_says_otherwise(tmp_path):
    assert sentence(tmp_path, "a, b", "1\ta", "2\t,", "3\tb") == ("a, b", False, [(0, 1), (1, 2), (3, 4)])


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "  ", "\u2009\t"])
def test_any_white_space_may_lie_between_words(tmp_path, space):
    text = f"a{space}b"
    assert sentence(tmp_path, text, "1\ta", "2\tb") == (text, False, [(0, 1), (1 + len(space), 2 + len(space))])


def test_forms_with_inner_spaces(tmp_path):
    assert sentence(tmp_path, "10 000 km", "1\t10 000", "2\tkm") == ("10 000 km", False, [(0, 6), (7, 9)])


def test_characters_beyond_the_bmp_count_once(tmp_path):
    assert sentence(tmp_path, "😀 𐌰𐌱 x", "1\t😀", "2\t𐌰𐌱", "3\tx") == ("😀 𐌰𐌱 x", False, [(0, 1), (2, 4), (5, 6)])


def test_combining_marks_count_for_themselves(tmp_path):
    assert sentence(tmp_path, "e\u0301 हि x", "1\te\u0301", "2\tहि", "3\tx")[2] == [(0, 2), (3, 5), (6, 7)]


def test_a_composed_text_does_not_hold_a_decomposed_form(tmp_path):
    assert sentence(tmp_path, "\u00e9", "1\te\u0301") == ("e\u0301", True, [(0, 2)])


def test_a_multiword_token_spans_its_surface_and_its_words_nothing(tmp_path):
    spans = sentence(tmp_path, "del mar", "1-2\tdel", "1\tde", "2\tel", "3\tmar")[2]
    assert spans == [(0, 3), (None, None), (None, None), (4, 7)]


def test_words_that_concatenate_to_their_multiword_token_have_spans(tmp_path):
    rows = ["1\tI", "2-3\tcan't\tSpaceAfter=No", "2\tca", "3\tn't", "4\t."]
    assert sentence(tmp_path, "I can't.", *rows)[2] == [(0, 1), (2, 7), (2, 4), (4, 7), (7, 8)]


def test_neighbouring_multiword_tokens(tmp_path):
    rows = ["1-2\tab", "1\ta", "2\tb", "3-4\tcd", "3\tc", "4\tx", "5-5\te", "5\te"]
    assert sentence(tmp_path, "ab cd e", *rows)[2] == [
        (0, 2),
        (0, 1),
        (1, 2),
        (3, 5),
        (None, None),
        (None, None),
        (6, 7),
        (6, 7),
    ]


def test_empty_nodes_have_no_place(tmp_path):
    rows = ["0.1\tI", "1\tcame", "1.1\tI", "2\tsaw"]
    assert sentence(tmp_path, "came saw", *rows)[2] == [(None, None), (0, 4), (None, None), (5, 8)]


def test_an_empty_node_inside_a_multiword_token_does_not_disturb_its_words(tmp_path):
    rows = ["1-2\tdon't", "1\tdo", "1.1\tyou", "2\tn't"]
    assert sentence(tmp_path, "don't", *rows)[2] == [(0, 5), (0, 2), (None, None), (2, 5)]


def test_a_missing_text_is_rebuilt_from_forms_and_space_after(tmp_path):
    rows = ["1-2\tdel", "1\tde", "2\tel\tSpaceAfter=No", "3\tmar\tGloss=sea|SpaceAfter=No", "4\t."]
    assert sentence(tmp_path, None, *rows) == (
        "del mar.",
        True,
        [(0, 3), (None, None), (None, None), (4, 7), (7, 8)],
    )


@pytest.mark.parametrize("text", ["a x b", "a b x", "x a b", "b a", "a"])
def test_a_text_that_is_not_its_words_is_rebuilt(tmp_path, text):
    assert sentence(tmp_path, text, "1\ta", "2\tb") == ("a b", True, [(0, 1), (2, 3)])


def test_only_the_exact_space_after_no_counts(tmp_path):
    rows = ["1\ta\tSpaceAfter=Nope", "2\tb\tXSpaceAfter=No", "3\tc\tSpaceAfter=No|X=y", "4\td"]
    assert sentence(tmp_path, None, *rows)[0] == "a b cd"


def test_white_space_around_the_text_is_not_part_of_it(tmp_path):
    assert sentence(tmp_path, "  a b \t", "1\ta", "2\tb") == ("a b", False, [(0, 1), (2, 3)])


@pytest.mark.parametrize("comment", ["#text=a b", "#  text  =  a b", "# text\t= a b ", "# text = a b\n# text = c"])
def test_the_spelling_of_the_comment_may_vary(tmp_path, comment):
    text = f"# text_en = no\n{comment}\n1\ta\t_\tX\t_\t_\t0\t_\t_\t_\n2\tb\t_\tX\t_\t_\t1\t_\t_\t_\n\n"
    row = read_conllu([save(tmp_path, text)]).sentences.to_pylist()[0]
    assert (row["text"], row["text_rebuilt"]) == ("a b", False)
