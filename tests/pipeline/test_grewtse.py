"""Tables of Grew-TSE as scores."""

from math import log
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from starbank.errors import SuiteError
from starbank.pipeline.evaluations.grewtse import import_tables

HEAD = "Index,sentence_id,match_id,masked_text,form_grammatical_erg,form_ungrammatical_nom"
WORD = f"""{HEAD},p_form_ungrammatical_nom,I_form_ungrammatical_nom,p_form_grammatical_erg,I_form_grammatical_erg
0,s1,2,"დღეს [MASK] სახლი ააშენა.",კაცმა,კაცი,0.25,2.0,0.5,1.0
"""


def read(tmp_path: Path, name: str, text: str) -> list[dict]:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    (path,) = import_tables([file], ["S2-ERG"], tmp_path / "kat", language="kat")
    return pq.read_table(path).to_pylist()


def test_probabilities_of_words_become_nats_whatever_the_order_of_columns(tmp_path):
    ergative, nominative = read(tmp_path, "mlm-HPLT-S2-ERG-word-level.csv", WORD)
    assert (ergative["model"], ergative["model_kind"], ergative["level"]) == ("HPLT", "masked", "word")
    assert (ergative["dataset"], ergative["construction"]) == ("kat", "S2-ERG")
    assert ergative["regions"] == ["დღეს ", "კაცმა", " სახლი ააშენა."]
    assert (ergative["condition"], ergative["grammatical"], ergative["logprobs"][1]) == ("erg", True, log(0.5))
    assert (nominative["condition"], nominative["grammatical"], nominative["logprobs"][1]) == ("nom", False, log(0.25))


@pytest.mark.parametrize(("kind", "unit"), [("mlm", 1.0), ("ntp", log(2))])
def test_sentences_are_in_nats_from_masked_and_in_bits_from_causal_models(tmp_path, kind, unit):
    sentences = WORD.replace("0.25,2.0,0.5,1.0", "-30.0,30.0,-20.0,20.0")
    ergative, _ = read(tmp_path, f"{kind}-GPT2-GEO-S2-ERG-sentence-level.csv", sentences)
    assert (ergative["model"], ergative["logprobs"][1]) == ("GPT2-GEO", pytest.approx(-20 * unit))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("HPLT.csv", WORD, "the name of the file does not tell model, suite and level"),
        ("mlm-HPLT-S9-word-level.csv", WORD, "The suites are S2-ERG"),
        ("mlm-HPLT-S2-ERG-word-level.csv", WORD.replace("[MASK]", "___"), ":2: has 0 \\[MASK\\] instead of one"),
        ("mlm-HPLT-S2-ERG-word-level.csv", WORD.replace(",p_form_grammatical_erg", ",q"), "lacks the column p_form_gr"),
        ("mlm-HPLT-S2-ERG-word-level.csv", "", "cannot be read as CSV"),
    ],
)
def test_what_is_no_such_table_is_refused(tmp_path, name, text, message):
    with pytest.raises(SuiteError, match=message):
        read(tmp_path, name, text)
