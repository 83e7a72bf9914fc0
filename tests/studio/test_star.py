"""From an empty page to a saved construction, in a browser, by clicking on words."""

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("studio")]

AGREEMENT = "pattern { V [upos=VERB]; S [upos=NOUN]; V -[nsubj]-> S }"
CONSTRUCTION = """\
% ---
% title: Number of V
% language: eng
% treebanks: [UD_English-Sample]
% target: V
% vary:
%   Number: [Sing, Plur]
% controller: S
% ---
pattern { V [upos=VERB]; S [upos=NOUN]; V -[nsubj]-> S }
"""


@pytest.fixture
def starred(page):
    """The page on which the number of verbs varies."""
    page.goto(f"/star?treebank=UD_English-Sample&request={AGREEMENT}")
    page.click("#sentences >> text=sells")
    page.click("#word button.main >> text=Number")
    page.wait_for_selector("#items li", timeout=60_000)
    return page


def test_a_click_on_a_word_lets_it_vary_and_shows_minimal_sets(starred):
    assert sorted(starred.input_value("#request").splitlines()) == sorted(CONSTRUCTION.splitlines())
    starred.wait_for_selector("#items > p")
    sentences = starred.locator("#items .sentence").all_inner_texts()
    assert "The baker sells / *sell bread and cakes." in [sentence.strip() for sentence in sentences]


def test_from_an_empty_page_to_a_saved_construction_without_a_mouse(page, served):
    def tab_to(text):
        for _ in range(80):
            page.keyboard.press("Tab")
            if text in page.evaluate("() => document.activeElement.textContent + document.activeElement.name"):
                return
        raise AssertionError(f"no tab leads to {text}")

    page.goto("/star?treebank=UD_English-Sample")
    page.wait_for_selector("#sentences .snippets")
    tab_to("request")
    page.keyboard.type(AGREEMENT)
    page.keyboard.press("Escape")
    page.wait_for_selector("#sentences >> text=sells")
    tab_to("sells")
    page.keyboard.press("Enter")
    page.wait_for_selector("#word button.main")
    tab_to("Number: ")
    page.keyboard.press("Enter")
    page.wait_for_selector("#items > p", timeout=60_000)
    page.keyboard.press("Home")
    page.focus(".skip")
    tab_to("name")
    page.keyboard.press("Control+A")
    page.keyboard.type("by-keys")
    tab_to("Save")
    page.keyboard.press("Enter")
    page.wait_for_selector("#saved >> text=queries/eng/by-keys.grew")
    assert (served.project / "queries/eng/by-keys.grew").is_file()


def test_a_form_tells_where_it_comes_from_and_where_the_treebank_has_it(starred):
    starred.click("#items >> text='*sell' >> nth=0")
    starred.wait_for_selector("#word >> text=/Attested: the treebank has it|Predicted|nowhere/")


def test_rejects_stand_by_reason_with_what_speaks_against_each(starred):
    reasons = starred.locator("details.reason summary").all_inner_texts()
    assert reasons
    starred.click("details.reason summary >> nth=0")
    assert starred.locator("details.reason li").first.is_visible()


def test_a_click_on_what_is_wrong_leaves_out_what_has_it(starred):
    before = starred.locator("#sets > p").first.inner_text()
    starred.click("#items li:first-child >> text=Look closer")
    starred.wait_for_selector("#word .tree svg")
    starred.click("#word .sentence button.word >> nth=0")
    starred.click("#word .clauses button:has-text('without') >> nth=0")
    starred.wait_for_function("() => document.querySelector('#request').value.includes('without {')")
    starred.wait_for_function(f"() => document.querySelector('#sets > p')?.innerText !== {before!r}")


def test_the_construction_is_saved_as_it_stands(starred, served):
    starred.fill("[name=name]", "verb-number")
    starred.click("text=Save")
    starred.wait_for_selector("#saved >> text=queries/eng/verb-number.grew")
    assert (served.project / "queries/eng/verb-number.grew").read_text() == starred.input_value("#request")


def test_a_file_that_somebody_else_wrote_stays(starred, served):
    other = served.project / "queries/eng/taken.grew"
    other.parent.mkdir(parents=True, exist_ok=True)
    other.write_text("% mine\n")
    starred.fill("[name=name]", "taken")
    starred.click("text=Save")
    starred.wait_for_selector("#messages >> text=there is such a file already")
    assert other.read_text() == "% mine\n"


def test_a_construction_that_starbank_ships_is_opened_and_tried_out(page):
    page.goto("/star?treebank=UD_Georgian-Sample")
    page.wait_for_selector("#sentences ul.snippets")
    page.select_option("[name=file]", "kat/transitive-erg-nom-subj.grew")
    page.click("button >> text=Open")
    page.wait_for_selector("#items li", timeout=60_000)
    assert page.input_value("[name=name]") == "transitive-erg-nom-subj"


def test_a_template_is_changed_tried_out_and_saved_with_its_words(page, served):
    page.goto("/star?treebank=UD_English-Sample")
    page.wait_for_selector("#sentences ul.snippets")
    page.select_option("[name=file]", "eng/clams/simple.template")
    page.click("button >> text=Open")
    page.wait_for_selector("#sets >> text=*The author")
    page.fill("#request", page.input_value("#request").replace("limit: ", "limit: 1\nseed: "))
    page.wait_for_selector("text=of which 1 become items")
    page.fill("[name=name]", "shorter")
    page.click("text=Save")
    page.wait_for_selector("#saved >> text=queries/eng/clams/shorter.template")
    assert (served.project / "queries/eng/lexicon/lexicon.yaml").is_file()
    page.click("#saved >> text=Make its suite")
    page.wait_for_selector("#saved >> text=1 items")


def test_what_a_construction_names_is_saved_with_it(page, served):
    page.goto("/star?treebank=UD_Georgian-Sample")
    page.wait_for_selector("#sentences ul.snippets")
    page.select_option("[name=file]", "kat/transitive-erg-nom-subj.grew")
    page.click("button >> text=Open")
    page.wait_for_selector("#items li", timeout=60_000)
    page.click("text=Save")
    page.wait_for_selector("#saved >> text=queries/kat/transitive-erg-nom-subj.grew")
    assert (served.project / "queries/kat/lexicon/pronouns.tsv").is_file()


def test_the_suite_is_made_and_can_be_judged(starred, served):
    starred.fill("[name=name]", "to-judge")
    starred.click("text=Save")
    starred.click("#saved >> text=Make its suite")
    starred.click("#saved >> text=judge them", timeout=60_000)
    starred.wait_for_selector("#judging >> text=Begin as a speaker")
    assert (served.project / "outputs/suites/eng/to-judge/items.parquet").is_file()


def test_a_folder_within_a_folder_is_a_dataset_of_its_own_as_for_the_pipeline(starred, served):
    starred.fill("[name=folder]", "eng/verbs")
    starred.fill("[name=name]", "deeper")
    starred.click("text=Save")
    starred.click("#saved >> text=Make its suite")
    starred.click("#saved >> text=judge them", timeout=60_000)
    starred.click("summary >> text=What speakers are told")
    starred.fill("[name=instructions]", "Go by your feeling.")
    starred.click("#judging button >> text=Save >> nth=0")
    starred.wait_for_selector("#messages >> text=queries/eng/verbs/instructions.txt")
    assert (served.project / "outputs/suites/eng-verbs/deeper/items.parquet").is_file()


def test_a_click_on_a_command_makes_a_condition(page):
    request = "pattern { V [upos=VERB]; N [Number=Sing]; V -[nsubj]-> N; N -[nmod]-> M; N -[det]-> D; D << N }"
    page.goto(f"/star?treebank=UD_English-Sample&request={request}")
    page.click("#sentences button.bound:has-text('The') >> nth=0")
    page.click("#word button:has-text('del_node D')")
    page.wait_for_selector("#items li", timeout=60_000)
    assert "% conditions:\n%   D left out:\n%     - del_node D\n" in page.input_value("#request")
    assert page.input_value("[name=name]") == "d-left-out"
    assert "The train / *Train from the coast arrives at noon." in page.inner_text("#items")


def test_commands_of_conditions_are_shown(page):
    page.goto("/star?treebank=UD_English-Sample")
    page.wait_for_selector("#sentences ul.snippets")
    page.fill(
        "#request",
        "% ---\n% language: eng\n% treebanks: [UD_English-Sample]\n% target: S\n% conditions:\n"
        "%   moved:\n%     - move_phrase S :>> V\n% ---\npattern { V [upos=VERB]; V -[nsubj]-> S }\n",
    )
    page.wait_for_selector("#sets code:has-text('move_phrase S')", timeout=60_000)


def test_a_setting_that_makes_no_sense_is_told_with_its_line(starred):
    starred.fill("#request", CONSTRUCTION.replace("target: V", "target: W"))
    starred.wait_for_selector("#messages.error >> text=Line 5")
