"""A sentence drawn as an SVG tree."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import vl_convert
from hypothesis import given
from hypothesis import strategies as st

from starbank.treebanks import read_conllu
from starbank.treebanks.draw import draw_tree
from starbank.treebanks.layout import LABEL_SIZE, Arc, Word, lay_out, text_width
from tests.grew.conftest import conllu

SVG = "{http://www.w3.org/2000/svg}"

ENGLISH = """1-2 Don't _ _ _ _ _
1 Do do AUX _ 3 aux 3:aux
2 n't not PART _ 3 advmod 3:advmod
3 feed feed VERB _ 0 root 0:root
4 them they PRON _ 3 obj 3:obj|4.1:nsubj
4.1 <eat> eat VERB _ _ _ 3:conj"""
HEBREW = """1 הילדה ילדה NOUN _ 2 nsubj
2 שרה שר VERB _ 0 root"""


def draw(tmp_path: Path, sentence: str, nodes: dict[str, str] | None = None, **options) -> ElementTree.Element:
    """Draw a sentence whose `nodes` are given by their ids; `edges` too."""
    file = tmp_path / "test.conllu"
    file.write_text(conllu(sentence), encoding="utf-8")
    treebank = read_conllu([file])
    number = dict(zip(treebank.tokens["id"].to_pylist(), treebank.tokens["node"].to_pylist(), strict=True))
    edges = [(number[source], label, number[target]) for source, label, target in options.pop("edges", [])]
    bound = {name: number[id_] for name, id_ in (nodes or {}).items()}
    root = treebank.sentences["root"][0].as_py()
    return ElementTree.fromstring(draw_tree(treebank.tokens, root, nodes=bound, edges=edges, **options))


def texts(picture: ElementTree.Element) -> dict[str, ElementTree.Element]:
    return {element.text or "": element for element in picture.iter(f"{SVG}text")}


def test_words_tags_labels_and_multiword_tokens_are_drawn(tmp_path: Path) -> None:
    picture = draw(tmp_path, ENGLISH)
    words = ["Do", "AUX", "n't", "PART", "feed", "VERB", "them", "PRON"]
    assert sorted(texts(picture)) == sorted([*words, "Don't", "aux", "advmod", "root", "obj"])


def test_words_run_from_left_to_right_and_arcs_lie_above_them(tmp_path: Path) -> None:
    drawn = texts(draw(tmp_path, ENGLISH))
    places = [float(drawn[word].get("x", "")) for word in ("Do", "n't", "feed", "them")]
    assert places == sorted(places)
    heights = [float(drawn[text].get("y", "")) for text in ("root", "aux", "advmod", "feed", "VERB", "Don't")]
    assert heights == sorted(heights)


def test_a_right_to_left_script_runs_from_right_to_left(tmp_path: Path) -> None:
    drawn = texts(draw(tmp_path, HEBREW))
    assert float(drawn["הילדה"].get("x", "")) > float(drawn["nsubj"].get("x", "")) > float(drawn["שרה"].get("x", ""))
    assert drawn["שרה"].get("direction") == "rtl"


def test_it_is_told_in_words_for_those_who_do_not_see_it(tmp_path: Path) -> None:
    picture = draw(tmp_path, HEBREW, {"S": "1"}, title="1 & 2")
    assert picture.get("role") == "img"
    assert [element.text for element in picture.findall(f"{SVG}title")] == ["1 & 2"]
    assert [element.text for element in picture.findall(f"{SVG}desc")] == [
        "S: הילדה (NOUN) is nsubj of שרה; שרה (VERB) is root."
    ]
    named = {element.get("id") for element in picture}
    assert set((picture.get("aria-labelledby") or "").split()) <= named


def test_bound_nodes_and_edges_stand_out(tmp_path: Path) -> None:
    drawn = texts(draw(tmp_path, ENGLISH, {"V": "3", "W": "3", "O": "4"}, edges=[("3", "obj", "4")]))
    assert "V W" in drawn
    assert drawn["V W"].get("fill") == drawn["feed"].get("fill") != drawn["them"].get("fill")
    assert drawn["them"].get("fill") == drawn["O"].get("fill") != drawn["n't"].get("fill")
    assert drawn["obj"].get("font-weight") == "700"
    assert drawn["aux"].get("font-weight") is None


def test_enhanced_edges_that_are_no_basic_ones_are_drawn_below_on_demand(tmp_path: Path) -> None:
    assert "<eat>" not in texts(draw(tmp_path, ENGLISH))
    drawn = texts(draw(tmp_path, ENGLISH, enhanced=True))
    assert {"<eat>", "nsubj", "conj"} <= drawn.keys()
    assert float(drawn["conj"].get("y", "")) > float(drawn["Don't"].get("y", ""))
    bound = texts(draw(tmp_path, ENGLISH, edges=[("4.1", "E:nsubj", "4")]))
    assert bound["nsubj"].get("font-weight") == "700"


def test_a_bound_empty_node_is_drawn(tmp_path: Path) -> None:
    assert "<eat>" in texts(draw(tmp_path, ENGLISH, {"E": "4.1"}))


def test_the_same_sentence_gives_the_same_picture(tmp_path: Path) -> None:
    first, second = (ElementTree.tostring(draw(tmp_path, ENGLISH, {"V": "3"})) for _ in range(2))
    assert first == second


def test_a_georgian_sample_becomes_pixels(sample: Path) -> None:
    treebank = read_conllu([sample / "UD_Georgian-Sample"])
    sentence = treebank.tokens.slice(0, treebank.tokens["sent"].to_pylist().count(0))
    svg = draw_tree(sentence, treebank.sentences["root"][0].as_py())
    assert vl_convert.svg_to_png(svg).startswith(b"\x89PNG")


trees = st.integers(1, 12).flatmap(
    lambda size: st.tuples(
        st.lists(st.sampled_from(["a", "word", "неприкосновенность", "。"]), min_size=size, max_size=size),
        st.lists(
            st.tuples(
                st.integers(0, size - 1) | st.none(),
                st.integers(0, size - 1),
                st.sampled_from(["x", "nsubj", "obl:unmarked", "compound:smixut"]),
            ).filter(lambda edge: edge[0] != edge[1]),
            max_size=20,
        ),
    )
)


@given(trees, st.booleans())
def test_no_label_and_no_word_touches_another(
    tree: tuple[list[str], list[tuple[int | None, int, str]]], mirrored: bool
) -> None:
    forms, edges = tree
    words = [Word(number, form, "NOUN") for number, form in enumerate(forms)]
    layout = lay_out(words, [Arc(*edge) for edge in edges], [], mirrored)
    boxes = [
        (0, centre - word.width / 2, centre + word.width / 2)
        for word, centre in zip(words, layout.centres, strict=True)
    ]
    side = layout.above
    for arc, level, ends in zip(side.arcs, side.levels, side.ends, strict=True):
        low, high = (layout.centres[place] + end for place, end in zip(arc.ends, ends, strict=True))
        if arc.source is not None:
            half = text_width(arc.label, LABEL_SIZE) / 2
            assert abs(high - low) > 2 * half
            boxes.append((level, (low + high) / 2 - half, (low + high) / 2 + half))
    for (one, left, right), (other, start, end) in combinations(boxes, 2):
        assert one != other or right < start or end < left
    assert all(left > 0 and right < layout.width for _, left, right in boxes)
