"""Words take the places of others that have the same around them."""

from tests.transforms.made import texts


def test_an_object_without_an_article_stays_where_most_have_one(tmp_path):
    """French *faire sensation*, make a stir, and *prendre possession*, take possession."""

    def does(verb, lemma, noun):
        return f"""
            Il {verb} {noun}
            1 Il il PRON _ 2 nsubj
            2 {verb} {lemma} VERB Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 0 root
            3 {noun} {noun} NOUN Gender=Fem|Number=Sing 2 obj
        """

    def the(noun):
        return f"""
            la {noun} là
            1 la le DET Definite=Def|PronType=Art 2 det
            2 {noun} {noun} NOUN Gender=Fem|Number=Sing 0 root
            3 là là ADV _ 2 advmod
        """

    sentences = [does("fait", "faire", "sensation"), does("prend", "prendre", "possession")]
    sentences += [sentence.replace("Il ", "Elle ").replace(" il ", " elle ") for sentence in sentences]
    made = texts(tmp_path, "fra", *sentences, the("sensation"), the("possession"))
    assert [text.split(" ")[2] for text in made[:4]] == ["sensation", "possession"] * 2
    assert made[4:] == ["la possession là", "la sensation là"]


def test_a_predicate_with_a_conjunction_asks_for_its_verb(tmp_path):
    """*Er fungiert als Sprecher*, but *er heißt Otto*."""

    def as_speaker(verb, noun):
        return f"""
            Er {verb} als {noun}.
            1 Er er PRON Case=Nom|Number=Sing|Person=3 2 nsubj
            2 {verb} {verb[:-1]}en VERB Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 0 root
            3 als als CCONJ _ 4 cc
            4 {noun} {noun} NOUN Case=Nom|Gender=Masc|Number=Sing 2 xcomp SpaceAfter=No
            5 . . PUNCT _ 2 punct
        """

    def is_called(verb, noun):
        return f"""
            Er {verb} {noun}.
            1 Er er PRON Case=Nom|Number=Sing|Person=3 2 nsubj
            2 {verb} {verb[:-1]}en VERB Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 0 root
            3 {noun} {noun} NOUN Case=Nom|Gender=Masc|Number=Sing 2 xcomp SpaceAfter=No
            4 . . PUNCT _ 2 punct
        """

    sentences = [as_speaker(verb, noun) for verb in ("fungiert", "dient") for noun in ("Sprecher", "Zeuge")]
    sentences += [is_called(verb, noun) for verb in ("heißt", "bleibt") for noun in ("Meister", "Lehrer")]
    made = [text.split(" ")[1] for text in texts(tmp_path, "deu", *sentences)]
    assert made == ["dient", "dient", "fungiert", "fungiert", "bleibt", "bleibt", "heißt", "heißt"]


def test_a_reflexive_verb_that_always_has_a_place_beside_it_stands_nowhere_without_one(tmp_path):
    def oneself(verb, *adverb):
        place = "\n            4 dort dort ADV _ 2 advmod" if adverb else ""
        return f"""
            {" ".join(["Sie", verb, "sich", *adverb])}
            1 Sie sie PRON Case=Nom|Number=Plur|Person=3 2 nsubj
            2 {verb} {verb} VERB Mood=Ind|Number=Plur|Person=3|Tense=Past|VerbForm=Fin 0 root
            3 sich sich PRON Case=Acc|Reflex=Yes 2 obj{place}
        """

    sentences = [oneself("befanden", "dort"), oneself("befanden", "dort"), oneself("freuten"), oneself("freuten")]
    sentences += [oneself("ärgerten"), oneself("ärgerten")]
    made = texts(tmp_path, "deu", *sentences)
    assert made[2:] == ["Sie ärgerten sich"] * 2 + ["Sie freuten sich"] * 2


def test_what_is_written_in_the_grammar_of_another_language_stays(tmp_path):
    def lies(first, second):
        return f"""
            {first} de {second} est là
            1 {first} {first} PROPN _ 4 nsubj
            2 de de X _ 1 flat
            3 {second} {second} PROPN _ 1 flat
            4 est être AUX _ 0 root
            5 là là ADV _ 4 advmod
        """

    squares = [lies("Plaza", "Armas"), lies("Puerta", "Alcalá")]
    assert texts(tmp_path, "fra", *squares) == ["Plaza de Armas est là", "Puerta de Alcalá est là"]
