"""Starred words that are wrong in more than what varies, that may be other words, or belong to another noun."""

RELATIVES = {
    "language": "lit",
    "pattern": "N -[acl:relcl]-> V; V -[nsubj]-> R; R [PronType=Rel]",
    "target": "R",
    "settings": "vary: {Number: [Plur, Sing]}\ncontroller: N",
}
ADPOSITIONS = {"pattern": "N -[case]-> P", "target": "N"}
ADJECTIVES = {"pattern": "N -[amod]-> A", "target": "A"}
A_HAND_THAT_HELPS = """ranka , kuri padeda
1 ranka ranka NOUN Case=Nom|Gender=Fem|Number=Sing 0 root
2 , , PUNCT _ 4 punct
3 kuri kuris PRON Case=Nom|Gender=Fem|Number=Sing|PronType=Rel 4 nsubj
4 padeda padėti VERB VerbForm=Fin 1 acl:relcl"""


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
    construction = ADJECTIVES | {"language": "slv", "settings": "vary: {Gender: [Fem, Neut]}\ncontroller: N"}
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
    assert ("another noun fits", "galimybė is near") in reasons(sentence, A_HAND_THAT_HELPS, **RELATIVES)


def test_a_relative_clause_may_be_of_two_genitives_together(reasons):
    # An area of Apulia's and Calabria's, to which it belonged; which belonged to them.
    sentence = """Apulian ja Calabrian alue , johon se kuului
1 Apulian Apulia PROPN Case=Gen|Number=Sing 4 nmod
2 ja ja CCONJ _ 3 cc
3 Calabrian Calabria PROPN Case=Gen|Number=Sing 1 conj
4 alue alue NOUN Case=Nom|Number=Sing 0 root
5 , , PUNCT _ 8 punct
6 johon joka PRON Case=Ill|Number=Sing|PronType=Rel 8 obl
7 se se PRON Case=Nom|Number=Sing 8 nsubj
8 kuului kuulua VERB VerbForm=Fin 4 acl:relcl"""
    to_which_they_belonged = """alueet , joihin se kuului
1 alueet alue NOUN Case=Nom|Number=Plur 0 root
2 , , PUNCT _ 5 punct
3 joihin joka PRON Case=Ill|Number=Plur|PronType=Rel 5 obl
4 se se PRON Case=Nom|Number=Sing 5 nsubj
5 kuului kuulua VERB VerbForm=Fin 1 acl:relcl"""
    construction = RELATIVES | {"language": "fin", "pattern": "N -[acl:relcl]-> V; V -[obl]-> R; R [PronType=Rel]"}
    construction["settings"] = "vary: {Number: [Sing, Plur]}\ncontroller: N"
    said = reasons(sentence, to_which_they_belonged, **construction)
    assert ("another noun fits", "Apulian is near") in said


def test_a_relative_clause_may_be_of_what_stands_before_the_verb(reasons):
    # Hands the book shows which help; the book which helps.
    sentence = """ranką rodo knygos , kurios padeda
1 ranką ranka NOUN Case=Acc|Gender=Fem|Number=Sing 2 obj
2 rodo rodyti VERB VerbForm=Fin 0 root
3 knygos knyga NOUN Case=Nom|Gender=Fem|Number=Plur 2 nsubj
4 , , PUNCT _ 6 punct
5 kurios kuris PRON Case=Nom|Gender=Fem|Number=Plur|PronType=Rel 6 nsubj
6 padeda padėti VERB VerbForm=Fin 3 acl:relcl"""
    assert ("another noun fits", "ranką is near") in reasons(sentence, A_HAND_THAT_HELPS, **RELATIVES)


def test_an_owner_without_a_genitive_stands_right_before_what_says_that_it_has_one(reasons):
    # The team plays its match; they play the team's match.
    sentence = """A csapat meccsét játszotta
1 A a DET Definite=Def|PronType=Art 2 det
2 csapat csapat NOUN Case=Nom|Number=Sing 4 nsubj
3 meccsét meccs NOUN Case=Acc|Number=Sing|Number[psor]=Sing 4 obj
4 játszotta játszik VERB Number=Sing|Person=3|VerbForm=Fin 0 root"""
    a_mans_house_stands = """Az ember háza állt
1 Az a DET Definite=Def|PronType=Art 2 det
2 ember ember NOUN Case=Nom|Number=Sing 3 nmod
3 háza ház NOUN Case=Nom|Number=Sing|Number[psor]=Sing 4 nsubj
4 állt áll VERB Number=Sing|Person=3|VerbForm=Fin 0 root"""
    they_played = """Játszották
1 Játszották játszik VERB Number=Plur|Person=3|VerbForm=Fin 0 root"""
    construction = {
        "language": "hun",
        "pattern": "V -[nsubj]-> S",
        "settings": "vary: {Number: [Sing, Plur]}\ncontroller: S",
    }
    said = ("subject could belong to a noun", "csapat may belong to meccsét")
    assert said in reasons(sentence, a_mans_house_stands, they_played, **construction)
    # With an article between them it does not.
    the_match = """A csapat a meccsét játszotta
1 A a DET Definite=Def|PronType=Art 2 det
2 csapat csapat NOUN Case=Nom|Number=Sing 5 nsubj
3 a a DET Definite=Def|PronType=Art 4 det
4 meccsét meccs NOUN Case=Acc|Number=Sing|Number[psor]=Sing 5 obj
5 játszotta játszik VERB Number=Sing|Person=3|VerbForm=Fin 0 root"""
    assert said not in reasons(the_match, a_mans_house_stands, they_played, **construction)


def test_a_modifier_that_shows_no_case_may_be_of_a_noun_in_another(reasons):
    # The exact determination of the year; the determination of the exact year.
    adjectives = ("جديد", "كبير", "صغير", "طويل", "قصير", "جميل", "قديم", "بعيد", "قريب", "سريع", "دقيق")
    cases = ("Nom", "Gen")
    words = [(adjective, case) for adjective in adjectives for case in cases]
    listed = "\n".join(
        f"{number} {word} {word} ADJ Case={case}|Gender=Masc {'1 list' if number > 1 else '0 root'}"
        for number, (word, case) in enumerate(words, 1)
    )
    of_an_exact_determination = """تحديد دقيق
1 تحديد تحديد NOUN Case=Gen|Gender=Masc 0 root
2 دقيق دقيق ADJ Case=Gen|Gender=Masc 1 amod"""
    sentence = """تحديد السنة دقيقة
1 تحديد تحديد NOUN Case=Nom|Gender=Masc 0 root
2 السنة سنة NOUN Case=Gen|Gender=Fem 1 nmod
3 دقيقة دقيق ADJ Case=Gen|Gender=Fem 2 amod"""
    said = reasons(
        sentence,
        of_an_exact_determination,
        " ".join(word for word, _ in words) + "\n" + listed,
        language="ara",
        pattern="N -[amod]-> A",
        target="A",
        settings="vary: {Gender: [Fem, Masc]}\ncontroller: N",
    )
    assert ("another noun fits", "تحديد is near") in said


def test_a_verb_needs_no_subject_in_a_form_that_stands_beside_another_number(reasons):
    # The children can come; the children may come, as it may be that they come.
    sentence = """Децата могат да дойдат
1 Децата дете NOUN Gender=Neut|Number=Plur 2 nsubj
2 могат мога VERB Number=Plur|Person=3|VerbForm=Fin 0 root
3 да да AUX _ 4 aux
4 дойдат дойда VERB Number=Plur|Person=3|VerbForm=Fin 2 ccomp"""
    they_may_come = """Може да дойдат
1 Може може VERB Number=Sing|Person=3|VerbForm=Fin 0 root
2 да да AUX _ 3 aux
3 дойдат дойда VERB Number=Plur|Person=3|VerbForm=Fin 1 ccomp"""
    they_may_be_friends = """Може да са приятели
1 Може може VERB Number=Sing|Person=3|VerbForm=Fin 0 root
2 да да AUX _ 4 aux
3 са съм AUX Number=Plur|Person=3|VerbForm=Fin 4 cop
4 приятели приятел NOUN Gender=Masc|Number=Plur 1 ccomp"""
    he_can = """Може
1 Може мога VERB Number=Sing|Person=3|VerbForm=Fin 0 root"""
    construction = {
        "language": "bul",
        "pattern": "V -[nsubj]-> S",
        "settings": "vary: {Number: [Sing, Plur]}\ncontroller: S",
    }
    said = ("subject could be of a clause inside", "Децата may be the subject of дойдат")
    assert said in reasons(sentence, they_may_come, they_may_be_friends, he_can, **construction)
    # What is so once may be a slip.
    assert said not in reasons(sentence, they_may_come, he_can, **construction)


def test_a_modifier_that_texts_do_not_show_in_a_case_inflects_as_those_that_end_alike(reasons):
    # By a strong wind: in the ablative it would be tugevalt tuulelt, as sooja and külma have soojalt and külmalt.
    sentence = """tugeva tuule läbi
1 tugeva tugev ADJ Case=Gen|Number=Sing 2 amod
2 tuule tuul NOUN Case=Gen|Number=Sing 0 root
3 läbi läbi ADP _ 2 case"""
    beside = [
        f"""{genitive} tuule {ablative} tuulelt
1 {genitive} {lemma} ADJ Case=Gen|Number=Sing 2 amod
2 tuule tuul NOUN Case=Gen|Number=Sing 0 root
3 {ablative} {lemma} ADJ Case=Abl|Number=Sing 4 amod
4 tuulelt tuul NOUN Case=Abl|Number=Sing 2 nmod"""
        for lemma, genitive, ablative in (("soe", "sooja", "soojalt"), ("külm", "külma", "külmalt"))
    ]
    construction = ADPOSITIONS | {"language": "est", "settings": "vary: {Case: [Gen, Abl]}"}
    said = ("modifier keeps the value", "tugeva has Case=Gen")
    assert said in reasons(sentence, *beside, **construction)
    assert said not in reasons(sentence.replace("tugeva tugev", "tugevi tugev"), *beside, **construction)


def test_where_verbs_often_have_several_nouns_in_a_cell_any_may_be_another(reasons):
    # In order to send; gelmek and geliş, gitmek and gidiş are two nouns each, coming and going.
    sentence = """göndermek için
1 göndermek gönder NOUN Case=Nom 0 root
2 için için ADP _ 1 case"""
    after_sending = """göndermekten sonra gönderdi
1 göndermekten gönder NOUN Case=Abl 3 obl
2 sonra sonra ADP _ 1 case
3 gönderdi gönder VERB _ 0 root"""
    of_come_and_go = [
        f"""{verb}mek {other} {past}
1 {verb}mek {verb} NOUN Case=Nom 3 nsubj
2 {other} {verb} NOUN Case=Nom 3 obj
3 {past} {verb} VERB _ 0 root"""
        for verb, other, past in (("gel", "geliş", "geldi"), ("git", "gidiş", "gitti"))
    ]
    construction = ADPOSITIONS | {"language": "tur", "settings": "vary: {Case: [Nom, Abl]}"}
    said = ("noun of a verb", "göndermekten may be another noun than göndermek of the verb gönder")
    assert said in reasons(sentence, after_sending, *of_come_and_go, **construction)
    assert said not in reasons(sentence, after_sending, of_come_and_go[0], **construction)


# The determination of the exact year, a great house: without vowels no case is written.
THE_EXACT_YEAR = """تحديد السنة الدقيقة
1 تحديد تحديد NOUN Case=Nom|Gender=Masc|Number=Sing 0 root
2 السنة سنة NOUN Case=Gen|Gender=Fem|Number=Sing 1 nmod
3 الدقيقة دقيق ADJ Case=Gen|Gender=Fem|Number=Sing 2 amod"""
FORMS = (
    *("الدقيق", "الكبير", "الصغير", "الجديد", "القديم", "الجميل"),
    *("الطويل", "القصير", "البعيد", "القريب", "السريع"),
)
A_HOUSE = """البيت {form}
1 البيت بيت NOUN Case={case}|Gender=Masc|Number=Sing 0 root
2 {form} {lemma} ADJ Case={case}|Gender=Masc|Number=Sing 1 amod"""


def test_an_adjective_whose_case_is_not_written_may_be_of_the_noun_above(reasons):
    gender = ADJECTIVES | {"language": "ara", "settings": "vary: {Gender: [Masc, Fem]}\ncontroller: N"}
    above = ("another noun fits", "تحديد is near")
    genitives = [A_HOUSE.format(form=form, lemma=form[2:], case="Gen") for form in FORMS]
    nominatives = [A_HOUSE.format(form=form, lemma=form[2:], case="Nom") for form in FORMS[1:]]
    assert above in reasons(THE_EXACT_YEAR, *genitives, *nominatives, **gender)
    written = [
        sentence.replace(f"{form}\n", f"{form}ون\n").replace(f"2 {form} ", f"2 {form}ون ")
        for form, sentence in zip(FORMS[1:], nominatives, strict=True)
    ]
    assert above not in reasons(THE_EXACT_YEAR, *genitives, *written, **gender)


def test_an_adverb_may_stand_behind_a_copula(reasons):
    # It is a nervous mistake; it nervously is a mistake.
    sentence = """Това е нервна грешка
1 Това това PRON _ 4 nsubj
2 е съм AUX _ 4 cop
3 нервна нервен ADJ Gender=Fem|Number=Sing 4 amod
4 грешка грешка NOUN Gender=Fem|Number=Sing 0 root"""
    a_nervous_animal = """нервно животно
1 нервно нервен ADJ Gender=Neut|Number=Sing 2 amod
2 животно животно NOUN Gender=Neut|Number=Sing 0 root"""
    probably = """Това е вероятно грешка
1 Това това PRON _ 4 nsubj
2 е съм AUX _ 4 cop
3 вероятно вероятно ADV _ 4 advmod
4 грешка грешка NOUN Gender=Fem|Number=Sing 0 root"""
    adverbs = ("ясно", "важно", "редно", "силно", "верно", "спорно", "модно", "мирно", "видно", "трудно")
    sung = [
        f"""Пее {adverb}
1 Пее пея VERB _ 0 root
2 {adverb} {adverb} ADV _ 1 advmod"""
        for adverb in adverbs
    ]
    animals = [a_nervous_animal.replace("нервно", form).replace("нервен", form[:-1]) for form in adverbs[:2]]
    construction = ADJECTIVES | {"language": "bul", "settings": "vary: {Gender: [Fem, Neut]}\ncontroller: N"}
    said = ("adverb in its place", "нервно may be an adverb")
    assert said in reasons(sentence, a_nervous_animal, probably, *sung, *animals, **construction)
    assert said not in reasons(sentence, a_nervous_animal, *sung, *animals, **construction)


def test_behind_an_adposition_a_noun_is_no_adverbial(reasons):
    # Time passes, he sleeps in the time; czasem is also "at times".
    passes = """czas mija
1 czas czas NOUN Case=Nom|Gender=Masc|Number=Sing 2 nsubj
2 mija mijać VERB VerbForm=Fin 0 root"""
    in_the_time = """w czasie śpi
1 w w ADP _ 2 case
2 czasie czas NOUN Case=Loc|Gender=Masc|Number=Sing 3 obl
3 śpi spać VERB VerbForm=Fin 0 root"""
    beside = (
        """czasem śpi
1 czasem czasem ADV _ 2 advmod
2 śpi spać VERB VerbForm=Fin 0 root""",
        """z czasem śpi
1 z z ADP _ 2 case
2 czasem czas NOUN Case=Ins|Gender=Masc|Number=Sing 3 obj
3 śpi spać VERB VerbForm=Fin 0 root""",
    )
    adverbial = ("adverbial form", "czasem is also czasem (ADV), 1×")
    for sentence, case, relation, said in ((passes, "Nom", "nsubj", True), (in_the_time, "Loc", "obl", False)):
        pattern, settings = f"V -[{relation}]-> N; N [Case={case}]", f"vary: {{Case: [{case}, Ins]}}"
        construction = {"language": "pol", "target": "N", "settings": settings, "pattern": pattern}
        assert (adverbial in reasons(sentence, *beside, **construction)) is said


def test_between_an_adposition_and_its_noun_stands_no_other_function_word(reasons):
    # This prize, to this prize; "to" is also "so" before nouns, "tego" its genitive.
    this_prize = """ta nagroda czeka
1 ta ten DET Case=Nom|Gender=Fem|Number=Sing 2 det
2 nagroda nagroda NOUN Case=Nom|Gender=Fem|Number=Sing 3 nsubj
3 czeka czekać VERB VerbForm=Fin 0 root"""
    beside = (
        """to miasto czeka
1 to ten DET Case=Nom|Gender=Neut|Number=Sing 2 det
2 miasto miasto NOUN Case=Nom|Gender=Neut|Number=Sing 3 nsubj
3 czeka czekać VERB VerbForm=Fin 0 root""",
        """to nagroda
1 to to PART _ 2 cop
2 nagroda nagroda NOUN Case=Nom|Gender=Fem|Number=Sing 0 root""",
    )
    construction = {
        "language": "pol",
        "pattern": "N -[det]-> D",
        "target": "D",
        "settings": "vary: {Gender: [Fem, Neut]}\ncontroller: N",
    }
    particle = ("another function word", "to is also to (PART)")
    assert particle in reasons(this_prize, *beside, **construction)
    behind_for = """dla ta nagroda
1 dla dla ADP _ 3 case
2 ta ten DET Case=Nom|Gender=Fem|Number=Sing 3 det
3 nagroda nagroda NOUN Case=Nom|Gender=Fem|Number=Sing 0 root"""
    assert particle not in reasons(behind_for, *beside, **construction)


# Such a policy; such people; the city's house; such a one left.


def test_a_pronoun_may_be_the_determiner_of_a_noun_behind_its_owner(reasons):
    # He has the possibility of choice; (he) has that possibility of choice.
    sentence = """მას არჩევანის შესაძლებლობა აქვს
1 მას ის PRON Case=Dat 4 nsubj
2 არჩევანის არჩევანი NOUN Case=Gen|Number=Sing {head} nmod
3 შესაძლებლობა შესაძლებლობა NOUN Case=Nom|Number=Sing 4 obj
4 აქვს ქონა VERB _ 0 root"""
    that_man = """ის კაცი ხატავს
1 ის ის PRON Case=Nom 2 det
2 კაცი კაცი NOUN Case=Nom|Number=Sing 3 nsubj
3 ხატავს ხატვა VERB _ 0 root"""
    he_draws = """ის ხატავს
1 ის ის PRON Case=Nom 2 nsubj
2 ხატავს ხატვა VERB _ 0 root"""
    construction = {
        "language": "kat",
        "pattern": "S [Case=Dat]; V -[nsubj]-> S",
        "target": "S",
        "settings": "vary: {Case: [Dat, Nom]}",
    }
    said = ("determiner of the next noun", "ის may be the determiner of შესაძლებლობა")
    assert said in reasons(sentence.format(head=3), that_man, he_draws, **construction)
    assert said not in reasons(sentence.format(head=4), that_man, he_draws, **construction)
