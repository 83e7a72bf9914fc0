"""The files of Gulordava et al. (2018)."""

import pyarrow as pa
import pytest

from starbank.errors import SuiteError
from starbank.sets.mining.files import to_files
from starbank.suites import ITEMS
from tests.mining.sentences import KEYS
from tests.small_treebank import small_treebank


def item(prefix, form, other, suffix, nonce, lemma):
    feats = "Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin"
    conditions = [
        {"name": "Plur", "grammatical": True, "regions": [prefix, form, suffix], "feats": feats, "form": form,
         "form_count": 3},
        {"name": "Sing", "grammatical": False, "regions": [prefix, other, suffix],
         "feats": feats.replace("Plur", "Sing"), "form": other, "form_count": 1},
    ]  # fmt: skip
    told = {"pattern NOUN_NOUN_VERB L": 1, "attractors like the cue": 1, "nonce": nonce}
    return {
        "treebank": "en_small-ud-test",
        "sent_id": "s1",
        "conditions": conditions,
        "target": {"lemma": lemma, "upos": "VERB", "feats": feats, "id": "7"},
        "position": 7,
        "distance": 5,
        "covariates": [{"name": name, "value": value} for name, value in told.items()],
    }


ORIGINAL = item("The keys to the old cellar ", "lie", "lies", " here.", 0, "lie")
NONCE = item("The lambs to the old moon ", "sing", "sings", " here.", 1, "sing")


def files(tmp_path, *items):
    treebank = small_treebank(tmp_path, KEYS, language="eng")
    return to_files(pa.Table.from_pylist(list(items), schema=ITEMS), [treebank])


def test_the_text_is_in_tokens_and_ends_with_a_sign(tmp_path):
    assert files(tmp_path, ORIGINAL, NONCE)[".text"] == (
        "The keys to the old cellar lie here . <eos>\nThe lambs to the old moon sing here . <eos>\n"
    )


def test_gold_has_twelve_fields(tmp_path):
    pattern, feats = "L!NOUN_NOUN_VERB!Number=Plur!Number=Sing", NONCE["target"]["feats"]
    prefix = "The keys to the old cellar lie"
    assert files(tmp_path, ORIGINAL, NONCE)[".gold"] == (
        f"{pattern}\t0\t0\t6\tVERB\t{feats}\tlie\tlies\tlie\t1\tNOUN\t{prefix}\n"
        f"{pattern}\t0\t1\t6\tVERB\t{feats}\tsing\tsings\tsing\t1\tNOUN\t{prefix}\n"
    )


def test_the_places_of_the_targets(tmp_path):
    assert files(tmp_path, ORIGINAL, NONCE)[".eval"] == "6\n6\n"


def test_the_table_has_a_line_for_each_form(tmp_path):
    header, *rows = files(tmp_path, NONCE, ORIGINAL)[".tab"].splitlines()
    assert header == (
        "pattern\tconstr_id\tsent_id\tcorrect_number\tform\tclass\ttype\tprefix\tn_attr\tpunct\tfreq\tlen_context"
        "\tlen_prefix\tsent"
    )
    whose, prefix = "L__NOUN_NOUN_VERB\t0\t1\tplur", "The lambs to the old moon"
    assert rows[:2] == [
        f"{whose}\tsing\tcorrect\tgenerated\t{prefix}\t1\tFalse\t3\t5\t6\t{prefix} sing here . <eos>",
        f"{whose}\tsings\twrong\tgenerated\t{prefix}\t1\tFalse\t1\t5\t6\t{prefix} sing here . <eos>",
    ]
    assert [row.split("\t")[6] for row in rows[2:]] == ["original", "original"]


def test_multiword_tokens_are_one_token(tmp_path):
    sentence = """
        Le chiavi della casa vecchia giacciono
        1 Le il DET _ 2 det
        2 chiavi chiave NOUN Number=Plur 7 nsubj
        3-4 della _ _ _ _ _
        3 di di ADP _ 5 case
        4 la il DET _ 5 det
        5 casa casa NOUN Number=Sing 2 nmod
        6 vecchia vecchio ADJ Number=Sing 5 amod
        7 giacciono giacere VERB Number=Plur 0 root
    """
    one = item("Le chiavi della casa vecchia ", "giacciono", "giace", "", 0, "giacere")
    treebank = small_treebank(tmp_path, sentence, language="eng")
    made = to_files(pa.Table.from_pylist([one], schema=ITEMS), [treebank])
    assert made[".text"] == "Le chiavi della casa vecchia giacciono <eos>\n"
    fields = made[".gold"].split("\t")
    assert (fields[3], fields[9]) == ("5", "1")


def test_items_of_another_making_are_refused(tmp_path):
    with pytest.raises(SuiteError, match="of no mined pattern"):
        files(tmp_path, {**ORIGINAL, "covariates": []})


def test_items_of_another_treebank_are_refused(tmp_path):
    with pytest.raises(SuiteError, match="no sentence s1 of UD_English-GUM"):
        files(tmp_path, {**ORIGINAL, "treebank": "UD_English-GUM"})
