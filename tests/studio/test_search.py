"""Searching on the page, in a browser, as a linguist does it."""

import zipfile

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("studio")]

SUBJECTS = "pattern { V [upos=VERB]; V -[nsubj]-> S }"


def search(page, request, treebank="UD_English-Sample"):
    page.goto(f"/search?treebank={treebank}")
    page.wait_for_selector("#matches ul.snippets")
    page.fill("#request", request)


def test_a_request_gives_sentences_with_their_words_marked_and_the_number_of_matches(page):
    search(page, SUBJECTS)
    page.wait_for_selector("ol.matches li")
    assert page.inner_text("ol.matches li:first-child .sentence") == "The bakerS sellsV bread and cakes."
    page.wait_for_selector("text=/^\\d+ matches$/")
    assert page.locator("ol.matches li").count() == 20


def test_the_tree_of_a_match_is_drawn_on_a_click_and_goes_away(page):
    search(page, SUBJECTS)
    page.click("ol.matches li:first-child >> text=Tree")
    page.wait_for_selector(".tree svg text >> text=baker")
    page.click(".tree >> text=Close")
    page.wait_for_selector(".tree svg", state="detached")


def test_the_next_page_goes_on_where_the_first_ends(page):
    search(page, SUBJECTS)
    page.wait_for_selector("ol.matches[start='1']")
    page.click("text=Next")
    page.wait_for_selector("ol.matches[start='21']")
    assert "page=1" in page.url


def test_a_mistake_is_told_with_its_place_while_one_types_and_the_matches_stay(page):
    search(page, SUBJECTS)
    page.wait_for_selector("ol.matches li")
    page.fill("#request", "pattern { V [upos=VERB] V -[nsubj]-> S }")
    page.wait_for_selector("#messages.error >> text=a semicolon is missing")
    assert page.locator("#messages").get_attribute("data-column") == "25"
    assert page.locator(".editor .wrong").inner_text() == "V"
    assert page.locator("ol.matches li").count() == 20


def test_what_no_word_has_is_warned_of_with_what_is_close(page):
    search(page, "pattern { V [upos=VERB, Mod=Ind] }")
    page.wait_for_selector("#messages >> text=no word has the feature Mod; the closest are Mood")


def test_values_of_the_treebank_complete_what_one_types(page):
    search(page, "")
    page.focus("#request")
    page.keyboard.type("pattern { V [upos=VE")
    page.wait_for_selector("[role=option] >> text=VERB")
    page.keyboard.press("Enter")
    assert page.input_value("#request") == "pattern { V [upos=VERB"


def test_completions_that_come_late_are_left_out(page):
    search(page, "")
    asked = []
    page.route("**/search/complete", lambda route: asked.append(route))
    page.focus("#request")
    with page.expect_request("**/search/complete"):
        page.keyboard.type("patt")
    page.keyboard.type("ern {")
    with page.expect_response("**/search/complete"):
        asked[0].continue_()
    page.keyboard.press("Enter")
    assert page.input_value("#request") == "pattern {\n"


def test_a_count_narrows_the_request(page):
    search(page, SUBJECTS)
    page.fill("[name=by]", "S.Number")
    page.click("#table button >> text=Plur")
    page.wait_for_selector("text=/^53 matches$/")
    assert page.input_value("#request") == f"{SUBJECTS}\npattern {{ S [Number=Plur] }}\n"


def test_a_cell_of_a_table_narrows_the_request_to_both_its_values(page):
    search(page, SUBJECTS)
    page.fill("[name=by]", "V.Number, S.Number")
    page.click("#table td button >> text=2 >> nth=0")
    page.wait_for_selector("text=/^\\d+ match/")
    assert page.input_value("#request").count("pattern") == 3


def test_a_link_restores_what_one_saw(page):
    search(page, SUBJECTS)
    page.fill("[name=by]", "V.Number")
    page.wait_for_selector("#table table")
    link = page.url
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector("#table table")
    assert page.input_value("#request") == SUBJECTS


def test_matches_are_saved_as_a_table(page):
    search(page, SUBJECTS)
    page.wait_for_selector("ol.matches li")
    with page.expect_download() as waiting:
        page.click("text=Save as TSV")
    head, first, *_ = waiting.value.path().read_text(encoding="utf-8").splitlines()
    assert head == "sent_id\tV\tV.form\tS\tS.form\ttext"
    assert first == "sample-train-001\t3\tsells\t2\tbaker\tThe baker sells bread and cakes."


def test_the_trees_of_a_page_are_saved_together(page):
    search(page, SUBJECTS)
    page.click("text=Next")
    page.wait_for_selector("ol.matches[start='21']")
    with page.expect_download() as waiting:
        page.click("button >> text=SVG")
    with zipfile.ZipFile(waiting.value.path()) as trees:
        first, *others = trees.namelist()
        assert first.startswith("0021-sample-")
        assert len(others) <= 99
        assert trees.read(first).startswith(b"<svg")


def test_a_mistake_can_be_read_while_a_list_of_completions_is_open(page):
    search(page, "pattern { V [upos=VERB] W [upos=NOUN] }\npattern { X [upos=")
    page.wait_for_selector("#messages.error")
    page.focus("#request")
    page.keyboard.press("Control+End")
    page.keyboard.type("V")
    page.wait_for_selector("[role=option]")
    page.wait_for_selector("#messages.error >> text=a semicolon is missing")
    offers, message = (page.locator(each).bounding_box() for each in ("[role=listbox]:visible", "#messages"))
    assert offers["y"] + offers["height"] <= message["y"]


def test_a_treebank_is_fetched_by_its_name_and_by_nothing_else(page):
    search(page, "")
    page.click("text=Another treebank")
    page.fill("[name=wanted]", "https://example.org/x.conllu")
    page.click("button >> text=Fetch")
    page.wait_for_selector("#messages >> text=is no name of a treebank")


def test_a_treebank_is_fetched_and_its_name_offered(page, served, tmp_path):
    lines = "# sent_id = 1\n# text = Hello.\n1\tHello\thello\tINTJ\t_\t_\t0\troot\t_\t_\n\n"
    archive = tmp_path / "release.zip"
    with zipfile.ZipFile(archive, "w") as release:
        release.writestr("UD_English-Hello/en_hello-ud-test.conllu", lines)
    (served.project / "config.yaml").write_text(f"sources: [{archive}]\n")
    search(page, "")
    page.click("text=Another treebank")
    page.fill("[name=wanted]", "UD_English-Hello")
    page.click("button >> text=Fetch")
    page.click("#fetched >> text=open it")
    page.wait_for_selector("text=UD_English-Hello is open")


def test_all_goes_by_keyboard(page):
    page.goto("/search?treebank=UD_English-Sample")
    page.wait_for_selector("#matches ul.snippets")
    page.focus("#request")
    page.keyboard.type("pattern { V [upos=VER")
    page.wait_for_selector("[role=option]")
    page.keyboard.press("Enter")
    page.keyboard.type("]; V -[nsubj]-> S }")
    page.wait_for_selector("ol.matches li")
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.textContent.trim()") == "Tree of sample-train-001":
            break
    page.keyboard.press("Enter")
    page.wait_for_selector(".tree svg")


def test_a_search_without_end_is_stopped_by_the_next_one(page):
    search(page, "pattern { A []; B []; C []; D []; E []; F []; G [] }")
    page.wait_for_timeout(1500)
    page.fill("#request", SUBJECTS)
    page.wait_for_selector("text=/^\\d+ matches$/")


def test_text_of_a_treebank_and_of_a_request_is_never_markup(page):
    search(page, 'pattern { X [form="<img src=x onerror=alert(1)>"] }')
    page.wait_for_selector("text=No sentence of UD_English-Sample has it.")
    assert page.locator("main img").count() == 0


@pytest.mark.parametrize("view", ["search", "star"])
def test_the_page_fits_a_phone(page, view):
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"/{view}?treebank=UD_Georgian-Sample&request={SUBJECTS}")
    page.wait_for_selector("ol.matches li")
    assert page.evaluate("() => document.documentElement.scrollWidth") == 360
