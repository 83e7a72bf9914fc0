"""Sets whose conditions are made by commands: forms, text, regions, and what speaks against them."""

from __future__ import annotations

import pytest

from starbank.errors import ConstructionError, RequestError
from starbank.sets.rewritten.regions import cut_regions
from tests.small_treebank import NOUNS, it_was

SLEEPS = """
    The old dog, tired, never sleeps.
    1 The the DET _ 3 det
    2 old old ADJ _ 3 amod
    3 dog dog NOUN Number=Sing 7 nsubj SpaceAfter=No
    4 , , PUNCT _ 5 punct
    5 tired tired ADJ _ 3 amod SpaceAfter=No
    6 , , PUNCT _ 5 punct
    7 never never ADV _ 8 advmod
    8 sleeps sleep VERB Number=Sing|Tense=Pres 0 root SpaceAfter=No
    9 . . PUNCT _ 8 punct
"""
DOGS = """
    Dogs sleep
    1 Dogs dog NOUN Number=Plur 2 nsubj
    2 sleep sleep VERB Number=Plur|Tense=Pres 0 root
"""
DONT = """
    "Don't go!" he said.
    1 " " PUNCT _ 4 punct SpaceAfter=No
    2-3 Don't _ _ _ _ _
    2 Do do AUX _ 4 aux
    3 n't not PART _ 4 advmod
    4 go go VERB _ 0 root SpaceAfter=No
    5 ! ! PUNCT _ 4 punct SpaceAfter=No
    6 " " PUNCT _ 4 punct
    7 he he PRON _ 8 nsubj
    8 said say VERB _ 4 parataxis SpaceAfter=No
    9 . . PUNCT _ 4 punct
"""
DO = """
    They do
    1 They they PRON _ 2 nsubj
    2 do do AUX _ 0 root
"""


@pytest.fixture
def rewrite(generate):
    """Return the texts of the conditions of each item, and the rejects, of a construction with these commands."""

    def rewrite(*sentences, commands, pattern="V [lemma=sleep]; V -[nsubj]-> N", target="V", more="", **options):
        listed = "".join(f"%     - '{command}'\n" for command in commands)
        settings = f"% conditions:\n%   changed:\n{listed}{more}"
        options = {"language": "eng"} | options
        items, rejected = generate(*sentences, pattern=pattern, target=target, settings=settings, **options)
        return [[c["regions"] for c in item["conditions"]] for item in items], rejected

    return rewrite


def bad(items):
    """Return the starred sentences of items."""
    return ["".join(conditions[-1]) for conditions in items]


def test_what_differs_is_the_target_region(rewrite):
    items, _ = rewrite(SLEEPS, commands=["del_node A"], pattern="V [lemma=sleep]; V -[advmod]-> A")
    assert items == [
        [
            ["The old dog, tired, ", "never sleeps", "."],
            ["The old dog, tired, ", "sleeps", "."],
        ]
    ]


def test_what_differs_is_a_word_in_each_sentence():
    # Without spaces, what follows a last word is what stands between two.
    assert cut_regions([["猫", "", "寝", ""], ["猫", "", "寝", "", "犬", ""]]) == [
        ("猫", "寝", ""),
        ("猫", "寝犬", ""),
    ]


@pytest.mark.parametrize(
    ("mark", "word", "reasons"),
    [
        ("–", "Dogs", []),
        (",", "Dogs", ["torn sentence"]),
        ("–", "dogs", ["torn sentence"]),
    ],
)
def test_a_sentence_that_begins_as_others_seldom_do_is_not_changed(rewrite, mark, word, reasons):
    sentence = f"""
        {mark} {word} sleep
        1 {mark} {mark} PUNCT _ 3 punct
        2 {word} dog NOUN Number=Plur 3 nsubj
        3 sleep sleep VERB Number=Plur 0 root
    """
    others = [it_was(noun) for noun in NOUNS * 2]
    _, rejected = rewrite(sentence, *others, commands=['V.form = "sleeps"'])
    assert [reject["reason"] for reject in rejected] == reasons


def test_the_root_is_no_word_to_be_deleted(rewrite):
    items, rejected = rewrite(SLEEPS, commands=["del_node R"], pattern="R -[root]-> V")
    assert items == []
    assert [reject["reason"] for reject in rejected] == ["text not sure"]


def test_the_root_is_no_target(rewrite):
    with pytest.raises(ConstructionError, match="`R` is to be a word, and matches the root of a sentence"):
        rewrite(SLEEPS, commands=["del_node A"], pattern="R -[root]-> V; V -[advmod]-> A", target="R")


def test_a_changed_cell_has_its_form(rewrite):
    items, _ = rewrite(SLEEPS, DOGS, commands=["V.Number = Plur"], pattern="V -[advmod]-> A")
    assert bad(items) == ["The old dog, tired, never sleep."]


def test_a_phrase_goes_with_its_marks(rewrite):
    items, _ = rewrite(SLEEPS, commands=["del_phrase A"], pattern="N [lemma=dog]; N -[amod]-> A; N << A", target="N")
    assert bad(items) == ["The old dog never sleeps."]


def test_a_phrase_is_put_after_another_one_before_its_full_stop(rewrite):
    items, _ = rewrite(SLEEPS, commands=["move_node A :>> V"], pattern="V -[advmod]-> A; A << V")
    assert bad(items) == ["The old dog, tired, sleeps never."]


def test_the_first_word_has_the_capital(rewrite):
    items, _ = rewrite(SLEEPS, commands=["move_node D :> A"], pattern="N -[det]-> D; N -[amod]-> A; D < A", target="N")
    assert bad(items) == ["Old the dog, tired, never sleeps."]


def test_the_first_word_after_a_mark_has_the_capital(rewrite):
    said = """
        He said: "Never sleep (here)."
        1 He he PRON _ 2 nsubj
        2 said say VERB _ 0 root SpaceAfter=No
        3 : : PUNCT _ 2 punct
        4 " " PUNCT _ 6 punct SpaceAfter=No
        5 Never never ADV _ 6 advmod
        6 sleep sleep VERB _ 2 ccomp
        7 ( ( PUNCT _ 8 punct SpaceAfter=No
        8 here here ADV _ 6 advmod SpaceAfter=No
        9 ) ) PUNCT _ 8 punct SpaceAfter=No
        10 . . PUNCT _ 6 punct SpaceAfter=No
        11 " " PUNCT _ 6 punct
    """
    pattern = "V [lemma=sleep]; V -[advmod]-> A; A < V; V -[advmod]-> B; V << B"
    items, _ = rewrite(said, commands=["move_node A :>> B"], pattern=pattern)
    assert bad(items) == ['He said: "Sleep (here never)."']
    items, _ = rewrite(said, commands=["move_node A :>> V"], pattern=pattern)
    assert bad(items) == ['He said: "Sleep (here) never."']


def test_a_word_is_left_of_a_contraction_that_stands_by_itself_elsewhere(rewrite):
    items, _ = rewrite(DONT, DO, commands=["del_node NEG"], pattern="V [lemma=go]; V -[advmod]-> NEG")
    assert bad(items) == ['"Do go!" he said.']


def test_a_contraction_is_not_torn_where_its_words_do_not_stand_by_themselves(rewrite):
    commands = ["add_node X :> A", 'X.form = "X"', "X.upos = X"]
    items, rejected = rewrite(DONT, DO, commands=commands, pattern="V -[aux]-> A; V -[advmod]-> NEG")
    assert items == []
    assert rejected[0]["reason"] == "text not sure"
    assert rejected[0]["detail"] == "n't is a part of a word that is written as one with others"


NOT = """
    They did not sleep
    1 They they PRON _ 4 nsubj
    2 did do AUX Tense=Past 4 aux
    3 not not PART _ 4 advmod
    4 sleep sleep VERB _ 0 root
"""
DIDNT = """
    He didn't ask
    1 He he PRON _ 4 nsubj
    2-3 didn't _ _ _ _ _
    2 did do AUX Tense=Past 4 aux
    3 n't not PART _ 4 advmod
    4 ask ask VERB _ 0 root
"""


def test_a_contraction_is_torn_into_words_as_they_are_written_elsewhere(rewrite):
    items, _ = rewrite(
        DONT, DO, NOT, commands=["move_node NEG :< A"], pattern="V [lemma=go]; V -[advmod]-> NEG; V -[aux]-> A"
    )
    assert bad(items) == ['"Not do go!" he said.']


def test_a_torn_contraction_is_written_as_one_with_a_new_neighbour(rewrite):
    pattern = "V [lemma=go]; V -[advmod]-> NEG; V -[aux]-> A"
    items, _ = rewrite(DONT, DO, NOT, DIDNT, commands=["A.Tense = Past"], pattern=pattern)
    assert bad(items) == ['"Didn\'t go!" he said.']


def test_what_has_lost_its_apostrophe_is_a_word_of_its_own(rewrite):
    bored = """
        Il s'ennuie souvent
        1 Il il PRON _ 3 nsubj
        2 s' se PRON _ 3 expl SpaceAfter=No
        3 ennuie ennuyer VERB _ 0 root
        4 souvent souvent ADV _ 3 advmod
    """
    commands = ["move_node P :> V", 'P.form = "se"']
    items, _ = rewrite(bored, commands=commands, pattern="V -[expl]-> P; P < V", language="fra")
    assert bad(items) == ["Il ennuie se souvent"]


def test_what_another_treebank_has_is_not_starred(rewrite):
    sleeps = """
        The old dog, tired, sleeps.
        1 The _ X _ 7 dep
        2 old _ X _ 7 dep
        3 dog _ X _ 7 dep SpaceAfter=No
        4 , _ X _ 7 dep
        5 tired _ X _ 7 dep SpaceAfter=No
        6 , _ X _ 7 dep
        7 sleeps _ X _ 0 root SpaceAfter=No
        8 . _ X _ 7 dep
    """
    pattern = "V [lemma=sleep]; V -[advmod]-> A"
    _, (rejected,) = rewrite(SLEEPS, commands=["del_node A"], pattern=pattern, elsewhere=[sleeps])
    assert rejected["reason"] == "the changed sentence is in the treebank"


@pytest.mark.parametrize(("forms", "form"), [("[table, treebank]", "slep"), ("[treebank, table]", "sleep")])
def test_tables_have_their_place_among_the_sources_of_forms(rewrite, tmp_path, forms, form):
    (tmp_path / "verbs.tsv").write_text(
        "lemma\tupos\tfeats\tform\nsleep\tVERB\tNumber=Sing|Tense=Pres\tsleeps\nsleep\tVERB\tNumber=Plur|Tense=Pres\tslep\n",
        encoding="utf-8",
    )
    more = f"% forms: {forms}\n% lexicon: [verbs.tsv]\n"
    items, _ = rewrite(SLEEPS, DOGS, commands=["V.Number = Plur"], pattern="V -[advmod]-> A", more=more)
    assert bad(items) == [f"The old dog, tired, never {form}."]


def test_a_quotation_mark_keeps_its_other_half(rewrite):
    _, rejected = rewrite(
        DONT, commands=["del_phrase Q"], pattern='V [lemma=go]; V -[punct]-> Q; Q [form="\\""]; V << Q'
    )
    assert [row["detail"] for row in rejected] == ['a mark would lose its other half: "']


def test_a_quotation_mark_that_touches_the_word_before_it_closes(rewrite):
    rambow = """
        Er sah „Der Sohn von Rambow“.
        1 Er er PRON _ 2 nsubj
        2 sah sehen VERB _ 0 root
        3 „ „ PUNCT _ 5 punct SpaceAfter=No
        4 Der der DET _ 5 det
        5 Sohn Sohn NOUN _ 2 obj
        6 von von ADP _ 7 case
        7 Rambow Rambow PROPN _ 5 nmod SpaceAfter=No
        8 “ “ PUNCT _ 5 punct SpaceAfter=No
        9 . . PUNCT _ 2 punct
    """
    items, _ = rewrite(rambow, commands=["move_node P :> N"], pattern="N -[case]-> P", target="P", language="deu")
    assert bad(items) == ["Er sah „Der Sohn Rambow von“."]


def old_palace(article, adjective):
    return f"""
        It was {article} {adjective} palace.
        1 It it PRON _ 5 nsubj
        2 was be AUX Number=Sing 5 cop
        3 {article} a DET Definite=Ind|PronType=Art 5 det
        4 {adjective} old ADJ _ 5 amod
        5 palace palace NOUN Number=Sing 0 root SpaceAfter=No
        6 . . PUNCT _ 5 punct
    """


def test_an_article_is_written_as_it_is_before_its_new_neighbour(rewrite):
    sentences = [old_palace("an", "old"), *map(it_was, NOUNS)]
    items, _ = rewrite(*sentences, commands=["move_node A :> N"], pattern="N -[amod]-> A", target="A")
    assert bad(items) == ["It was a palace old."]


def test_where_usage_wavered_nobody_knows_what_a_new_neighbour_asks_for(rewrite):
    more = (
        "apron arch eagle eel inn idol oven orchid urn onion box bed bag fan fig gate goat jar lamp man nut pan pot rat"
    )
    sentences = [old_palace("an", "historic"), old_palace("a", "historic"), *map(it_was, [*NOUNS, *more.split()])]
    items, rejected = rewrite(*sentences, commands=["move_node A :> N"], pattern="N -[amod]-> A", target="A")
    assert bad(items) == ["It was a palace historic."]
    assert [row["detail"] for row in rejected] == ["whether an can stand there is not known"]


def test_words_are_found_in_a_lexicon(rewrite, tmp_path):
    (tmp_path / "adverbs.tsv").write_text("old\tnew\nnever\tever\n", encoding="utf-8")
    settings = "% lexicons: {adverbs: {file: adverbs.tsv, A.lemma: old}}\n"
    known = [
        """
        ever
        1 ever ever ADV _ 0 root
    """
    ]
    pattern = "V [lemma=sleep]; V -[advmod]-> A"
    items, _ = rewrite(SLEEPS, commands=["A.lemma = adverbs.new"], pattern=pattern, more=settings, known=known)
    assert bad(items) == ["The old dog, tired, ever sleeps."]


def test_a_lexicon_that_is_no_text_is_told(rewrite, tmp_path):
    (tmp_path / "adverbs.tsv").write_bytes(b"old\tnew\nnever\t\xff\n")
    with pytest.raises(ConstructionError, match="the line is not UTF-8 text"):
        rewrite(SLEEPS, commands=["A.form = adverbs.new"], more="% lexicons: {adverbs: {file: adverbs.tsv}}\n")


def test_a_word_that_no_row_has_is_rejected(rewrite, tmp_path):
    (tmp_path / "adverbs.tsv").write_text("old\tnew\nalways\tever\n", encoding="utf-8")
    settings = "% lexicons: {adverbs: {file: adverbs.tsv, A.lemma: old}}\n"
    pattern = "V [lemma=sleep]; V -[advmod]-> A"
    _, (rejected,) = rewrite(SLEEPS, commands=["A.lemma = adverbs.new"], pattern=pattern, more=settings)
    assert (rejected["reason"], rejected["detail"]) == ("commands do not apply", "no row of the lexicon adverbs fits")


def test_obligatory_words_must_be_shown_to_be_so(rewrite):
    _, (rejected,) = rewrite(SLEEPS, commands=["del_node A"], pattern="V -[advmod]-> A", more="% obligatory: V\n")
    assert (rejected["reason"], rejected["detail"]) == (
        "what changes is not obligatory",
        "it is there 1 times, and not there 0",
    )


def test_conditions_may_be_grammatical_and_features_stand_among_them(generate):
    settings = """% conditions:
%   without adverb: {commands: [del_node A], starred: no}
%   plural: {V: {Number: Plur}, starred: yes}
%   plural without adverb: [del_node A, V.Number = Plur]
"""
    pattern = "V [lemma=sleep]; V -[advmod]-> A"
    (item,), _ = generate(SLEEPS, known=[DOGS], language="eng", target="V", pattern=pattern, settings=settings)
    assert [(c["name"], c["grammatical"], c["regions"][1]) for c in item["conditions"]] == [
        ("without adverb", True, "sleeps"),
        ("plural", False, "never sleep"),
        ("plural without adverb", False, "sleep"),
    ]


def test_of_the_words_that_lexicons_offer_only_the_first_are_tried(rewrite, tmp_path):
    (tmp_path / "words.tsv").write_text("form\n" + "".join(f"w{number}\n" for number in range(1000)), encoding="utf-8")
    commands = ["V.form = words.form", "A.form = words.form", "N.form = words.form"]
    pattern = "V -[advmod]-> A; A -[nsubj]-> N"
    items, _ = rewrite(SLEEPS, commands=commands, pattern=pattern, more="% lexicons: {words: {file: words.tsv}}\n")
    assert bad(items) == ["The old w0, tired, w0 w0."]


def test_what_a_treebank_calls_bound_is_no_node_of_the_match(rewrite):
    hostile = SLEEPS.replace(
        "5 tired tired ADJ _ 3 amod SpaceAfter=No", "5 tired tired ADJ _ 3 amod SpaceAfter=No|Bound=V"
    )
    more = """% unless: "V [upos=ADJ]"\n"""
    items, _ = rewrite(hostile, commands=["del_node A"], pattern="V [lemma=sleep]; V -[advmod]-> A", more=more)
    assert bad(items) == ["The old dog, tired, sleeps."]


def test_a_graph_that_is_no_sentence_is_an_exception_of_its_own(rewrite):
    commands = ["add_edge A -[obj]-> D", "del_node A2"]
    pattern = "V [lemma=sleep]; V -[advmod]-> A; A -[nsubj]-> N; N -[det]-> D; N -[amod]-> A2; A2 < N"
    _, (rejected,) = rewrite(SLEEPS, commands=commands, pattern=pattern, more="% unless: 'V [lemma=go]'\n")
    assert rejected["detail"] == "the changed graph is no tree"


WRONG = [
    ("{x: [del_node Q]}", RequestError, "no node Q is known here"),
    ("{x: [del_nod V]}", RequestError, "del_nod"),
    ("{x: [{e: V}]}", ConstructionError, "must be a command"),
    ("{x: {commands: [del_node V], starred: no}}", ConstructionError, "must have a starred condition"),
    ("{x: {commands: [del_node V], V: {Case: Nom}}}", ConstructionError, "stands beside `commands`"),
    ("{x: [del_node V]}\n% unless: 'W.Case = Nom'", ConstructionError, "no request"),
    ("{x: [del_node V]}\n% obligatory: V", ConstructionError, "no node that is there before and after"),
    ("{x: [del_node V, del_node A]}", ConstructionError, "leaves no node of the match"),
    ("{x: [V.lemma = no.such]}", RequestError, "no node, edge or lexicon no"),
    ("{x: [del_node V]}\n% lexicons: {l: {file: ../l.tsv}}", ConstructionError, "which is no path of such a file"),
    ("{x: [del_node V]}\n% lexicons: {l: {file: l.tsv}}", ConstructionError, "which is no file"),
    ("{x: {V: {Case: Nom}}, y: {starred: yes}}\n% unless: 'V []'", ConstructionError, "by commands"),
]


@pytest.mark.parametrize(("conditions", "error", "message"), WRONG)
def test_what_is_wrong_is_told_with_its_line(generate, conditions, error, message):
    settings = f"% conditions: {conditions}\n"
    with pytest.raises(error, match=message) as raised:
        generate(SLEEPS, language="eng", target="V", pattern="V [lemma=sleep]; V -[advmod]-> A", settings=settings)
    assert raised.value.file is not None
    assert raised.value.line is not None
