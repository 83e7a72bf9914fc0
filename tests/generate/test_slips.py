"""What a treebank lacks, and what is misspelt."""

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from starbank.errors import ConstructionError
from starbank.files import read_metadata
from starbank.pipeline.generate import generate
from starbank.treebanks import open_treebank
from starbank.treebanks.tables import TOKENS
from tests.generate.small import EVERYWHERE, ONE, TWO, clause, query
from tests.small_treebank import conllu

ROOT = Path(__file__).resolve().parents[2]


def test_a_feature_that_no_word_has_is_refused(home):
    file = query("nom-subj")
    file.write_text(file.read_text(encoding="utf-8").replace("{Case:", "{Csae:"), encoding="utf-8")
    with pytest.raises(ConstructionError) as caught:
        generate([file], [ONE], Path("out"))
    assert caught.value.message == "`Csae` is to vary, which no word of the treebanks has"
    assert caught.value.hint.startswith("Did you mean `Case`?")


def test_a_value_that_a_treebank_lacks_is_a_warning(home, caplog):
    generate([query("ergative", case="Ergative")], [ONE], Path("out"))
    assert caplog.messages == [
        "ergative.grew: UD_Georgian-One: line 8: no word has Case=Ergative; the closest are Erg",
    ]


def rewritten(file, old, new):
    """Replace `old` in the construction file and return its path."""
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    return file


def test_a_varied_value_close_to_one_of_the_treebanks_is_a_slip(home, caplog):
    generate([rewritten(query("dative"), "Dat]", "Datt]")], [ONE, TWO], Path("out"))
    assert caplog.messages == ["dative.grew: no word of the treebanks has Case=Datt; the closest are Dat"]


def test_a_varied_value_unlike_any_other_is_told_as_the_reason_of_an_empty_suite(home, caplog):
    (made,) = generate([rewritten(query("voc"), "Dat]", "Dat, Voc]}\n% complete: yes # ")], [ONE, TWO], Path("out"))
    assert made.rejects == {"no form": 6}
    assert caplog.messages == ["voc.grew: the suite is empty: no word of the treebanks has Case=Voc"]


def test_what_runs_everywhere_may_list_values_that_a_treebank_lacks(home, caplog):
    everywhere = rewritten(query("voc"), "% language: kat\n% treebanks: [UD_Georgian-One]", "% treebanks: all")
    (made,) = generate([rewritten(everywhere, "Dat]", "Dat, Voc]")], [ONE, TWO], Path("out"))
    assert made.items == 6
    assert caplog.messages == []


def test_an_empty_suite_names_what_none_of_the_treebanks_has(home, caplog):
    everywhere = rewritten(query("ins", case="Ins"), "% treebanks: [UD_Georgian-One]", "% treebanks: all")
    (made,) = generate([rewritten(everywhere, "Dat]", "Ins]")], [ONE, TWO], Path("out"))
    assert made.items == 0
    assert caplog.messages == [
        "ins.grew: the suite is empty: line 8: no word has Case=Ins",
        "ins.grew: the suite is empty: no word of the treebanks has Case=Ins",
    ]


def test_slips_in_covariates_and_relaxed_features_are_told(home, caplog):
    more = "relax: [Csae]\n% covariates:\n%   before: 'S [Numbr]'"
    generate([query("nom", more=more)], [ONE], Path("out"))
    assert [message.partition(";")[0] for message in caplog.messages] == [
        "nom.grew: UD_Georgian-One: the covariate before: no word has the feature Numbr",
        "nom.grew: no word of the treebanks has the feature Csae of `relax`",
    ]


def test_a_suite_without_a_match_says_what_the_treebank_lacks(home):
    Path("plain.conllu").write_text(conllu(clause("კაცი", "კაცი", "Nom")), encoding="utf-8")
    Path("number.grew").write_text(EVERYWHERE)
    (made,) = generate([Path("number.grew")], ["plain.conllu"], Path("out"))
    assert str(made) == "number: 0 items from 0 matches; no word has the feature Number (plain)"
    assert read_metadata(Path("out/number/items.parquet"))["unmatched"] == {"plain": ["no word has the feature Number"]}
    (made,) = generate([Path("number.grew")], ["plain.conllu", ONE], Path("out"))
    assert made.unmatched.keys() == {"plain", ONE}


@pytest.mark.slow
def test_universal_queries_bear_treebanks_that_lack_something(tmp_path, sample):
    whole = open_treebank(sample / "UD_English-Sample")
    lacking = [
        replace(whole, name=f"without-{column}", tokens=without(whole.tokens, column))
        for column in ("lemma", "upos", "feats", "deprel")
    ]
    lacking[2] = replace(lacking[2], tokens=lacking[2].tokens.select(list(TOKENS)))
    for name, count in (("empty", 0), ("one-sentence", 1)):
        tokens = whole.tokens.filter(pc.less(whole.tokens["sent"], count))
        lacking.append(replace(whole, name=name, tokens=tokens, sentences=whole.sentences.slice(0, count)))
    queries = sorted((ROOT / "queries/universal").glob("*.grew"))
    made = generate(queries, lacking, tmp_path)
    assert [suite.construction for suite in made] == [query.stem for query in queries]
    assert not sum(suite.items for suite in made)


def without(table, column):
    place = table.column_names.index(column)
    return table.set_column(place, column, pa.nulls(table.num_rows, table.schema.field(column).type))
