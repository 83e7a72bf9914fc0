"""Starred words that are wrong in more than what varies, that may be other words, or belong to another noun."""


def test_a_starred_form_in_another_number_than_its_noun_tells_more_than_the_gender(reasons):
    # Of the known road: cunoscute is called a plural, which it may be in the nominative.
    sentence = """Drumul căii cunoscute
1 Drumul drum NOUN Case=Nom|Gender=Masc|Number=Sing 0 root
2 căii cale NOUN Case=Gen|Gender=Fem|Number=Sing 1 nmod
3 cunoscute cunoscut ADJ Case=Gen|Gender=Fem|Number=Plur 2 amod"""
    of_known_parents = """Casa părinților cunoscuți
1 Casa casă NOUN Case=Nom|Gender=Fem|Number=Sing 0 root
2 părinților părinte NOUN Case=Gen|Gender=Masc|Number=Plur 1 nmod
3 cunoscuți cunoscut ADJ Case=Gen|Gender=Masc|Number=Plur 2 amod"""
    said = reasons(
        sentence,
        of_known_parents,
        language="ron",
        pattern="N -[amod]-> A",
        target="A",
        settings="vary: {Gender: [Fem, Masc]}\ncontroller: N",
    )
    assert ("cell is not determined", "Number=Plur stands beside Number=Sing") in said


def test_an_adjective_may_look_like_a_particle(reasons):
    # The history itself; only history.
    sentence = """Sama zgodovina živi
1 Sama sam ADJ Case=Nom|Gender=Fem|Number=Sing 2 amod
2 zgodovina zgodovina NOUN Case=Nom|Gender=Fem|Number=Sing 3 nsubj
3 živi živeti VERB Number=Sing|Person=3|VerbForm=Fin 0 root"""
    the_city_itself = """Samo mesto živi
1 Samo sam ADJ Case=Nom|Gender=Neut|Number=Sing 2 amod
2 mesto mesto NOUN Case=Nom|Gender=Neut|Number=Sing 3 nsubj
3 živi živeti VERB Number=Sing|Person=3|VerbForm=Fin 0 root"""
    he_only_lives = """Samo živi
1 Samo samo PART _ 2 advmod
2 živi živeti VERB Number=Sing|Person=3|VerbForm=Fin 0 root"""
    construction = {
        "language": "slv",
        "pattern": "N -[amod]-> A",
        "target": "A",
        "settings": "vary: {Gender: [Fem, Neut]}\ncontroller: N",
    }
    said = ("adverb in its place", "Samo is also an adverb")
    assert said in reasons(sentence, the_city_itself, he_only_lives, **construction)
    assert said not in reasons(sentence, the_city_itself, **construction)


def test_a_relative_clause_may_be_of_a_noun_above_the_clause_that_its_own_is_in(reasons):
    # The possibility of choosing means which help; the possibility which helps.
    sentence = """galimybė rinktis priemones , kurios padeda
1 galimybė galimybė NOUN Case=Nom|Gender=Fem|Number=Sing 0 root
2 rinktis rinktis VERB VerbForm=Inf 1 acl
3 priemones priemonė NOUN Case=Acc|Gender=Fem|Number=Plur 2 obj
4 , , PUNCT _ 6 punct
5 kurios kuris PRON Case=Nom|Gender=Fem|Number=Plur|PronType=Rel 6 nsubj
6 padeda padėti VERB VerbForm=Fin 3 acl:relcl"""
    a_hand_that_helps = """ranka , kuri padeda
1 ranka ranka NOUN Case=Nom|Gender=Fem|Number=Sing 0 root
2 , , PUNCT _ 4 punct
3 kuri kuris PRON Case=Nom|Gender=Fem|Number=Sing|PronType=Rel 4 nsubj
4 padeda padėti VERB VerbForm=Fin 1 acl:relcl"""
    said = reasons(
        sentence,
        a_hand_that_helps,
        language="lit",
        pattern="N -[acl:relcl]-> V; V -[nsubj]-> R; R [PronType=Rel]",
        target="R",
        settings="vary: {Number: [Plur, Sing]}\ncontroller: N",
    )
    assert ("another noun fits", "galimybė is near") in said
