"""Texts of others in Markdown: they are shown as they are, and change nothing around them."""

from __future__ import annotations

import pytest

from starbank.hub import publish
from starbank.hub.markdown import code, code_block, environment, escape, escape_line, escape_name
from starbank.probing.card import render_card
from tests.hub.suites import GEORGIAN, card, front_matter, item, write

HOSTILE = "a | b `c` <script>alert(1)</script> [x](javascript:alert(1)) **d** &amp; ![y](http://z)\n\n# e\n---\n````"
SHOWN = (
    r"a \| b \`c\` \<script\>alert(1)\</script\> \[x\](javascript:alert(1)) \*\*d\*\* \&amp; !\[y\](http://z)"
    r"  # e --- \`\`\`\`"
)


def test_signs_are_escaped_and_lines_joined():
    assert escape(HOSTILE) == SHOWN


def test_a_low_line_inside_a_word_of_a_name_means_nothing_and_stays():
    assert escape_name("UD_Old_French-PROFITEROLE __init__ a|b_c") == r"UD_Old_French-PROFITEROLE \_\_init\_\_ a\|b_c"
    assert escape("UD_Old") == r"UD\_Old"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# A", r"\# A"),
        ("- A", r"\- A"),
        ("12. A", r"12\. A"),
        ("1) A", r"1\) A"),
        ("A - 1.", "A - 1."),
        ("2nd", "2nd"),
    ],
)
def test_a_line_begins_no_heading_or_list(text, shown):
    assert escape_line(text) == shown


def test_code_has_no_signs_that_end_it_or_a_cell():
    assert code("s_1*<b>") == "`s_1*<b>`"
    assert code("a`b") == r"a\`b"
    assert code("a|b\nc") == r"a\|b c"


def test_a_block_of_code_has_a_fence_that_is_not_in_it():
    assert code_block("pattern { X [] }") == "````\npattern { X [] }\n````"
    assert code_block("% `````\n# no heading") == "``````\n% `````\n# no heading\n``````"


def test_a_template_escapes_whatever_it_is_not_told_of():
    template = environment("starbank.hub").from_string("{{ text }} {{ text | code }} {{ 3 }}")
    assert template.render(text="a|`b`") == r"a\|\`b\` a\|\`b\` 3"


def rows(text: str) -> list[list[str]]:
    """Return the cells of all tables, those that a `\\|` does not divide."""
    return [line.replace(r"\|", "").strip("|").split("|") for line in text.splitlines() if line.startswith("|")]


def test_a_card_of_hostile_texts_is_the_card_of_harmless_ones_with_these_texts(tmp_path):
    """As many tables, cells, headings and fences: nothing in the texts becomes one."""

    def make(name: str, text: str, fence: str) -> str:
        conditions = {"Nom": ("", "კაცი", " მოდის."), f"Erg {text}": (f"{text} ", "კაცმა", f" {text}")}
        one = item(1, "nom", "UD_Georgian-GLC", conditions, 2) | {"sent_id": text}
        one["target"] |= {"lemma": text}
        treebank = {**GEORGIAN, "license": text, "source": text}
        treebank["files"] = [{"name": "ka_glc-ud-test.conllu", "sha256": "0" * 64}]
        about = {"title": text, "cite": text, "phenomenon": text, "query": f"{fence}\n{text}\n{fence}"}
        write(tmp_path / name / "nom", [one], [text], [treebank], **about)
        output = publish([tmp_path / name], tmp_path / f"{name}-dataset", title=text)
        assert front_matter(output)["pretty_name"] == " ".join(text.split())
        return card(output).split("\n---\n", 1)[1]

    plain, hostile = make("plain", "word", "word"), make("hostile", HOSTILE.replace("---", "***"), "````")
    assert [len(cells) for cells in rows(hostile)] == [len(cells) for cells in rows(plain)]
    headings = [[line.split()[0] for line in text.splitlines() if line.startswith("#")] for text in (plain, hostile)]
    # One more is in the request, which is a block of code.
    assert headings[1].count("#") == headings[0].count("#") + 1
    outside = hostile.split("`````")[0] + hostile.split("`````")[2]
    assert "<script>" not in outside
    assert "](javascript" not in outside.replace(r"\](javascript", "")


def test_the_card_of_tasks_shows_names_and_notes_as_they_are():
    task = {"splits": {"test": {"rows": 1, "labels": 1, "sha256": "0"}}, "columns": {"label": ["a"]}}
    about = {
        "treebank": {"name": "UD_X-Y", "license": "<b>|", "language": "kat"},
        "tasks": {"pos": {**task, "notes": ["a | <script>\n# b"]}},
        "repeated": 0,
        "definition": "strict",
    }
    text = render_card(about)
    assert r"- `pos`: a \| \<script\> # b." in text
    assert r"licence of the treebank: \<b\>\|." in text
    assert "# Labelled tasks of UD_X-Y" in text
