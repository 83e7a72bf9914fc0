"""The accuracies that Gallagher & Heyer (2026) published, recomputed from their own per-item scores."""

import numpy as np
import pandas as pd
import pytest
from pandas.api.types import is_numeric_dtype

from starbank.analysis.judgements import open_scores
from starbank.analysis.tables import accuracy

MODELS = {
    "HPLT": "HPLT/hplt_bert_base_ka",
    "mBERT": "google-bert/bert-base-multilingual-cased",
    "RemBERT": "google/rembert",
    "XLM-RoBERTa(bs)": "FacebookAI/xlm-roberta-base",
    "XLM-RoBERTa(lg)": "FacebookAI/xlm-roberta-large",
    "mGPT-1.3B-Georgian": "ai-forever/mGPT-1.3B-georgian",
    "GPT2-GEO": "Kuduxaaa/gpt2-geo",
}
SUITES = {"INTR-S1-NOM": "intransitive-nom-subj", "S2-ERG": "transitive-erg-nom-subj"}
FILES = [
    (task, model, suite, level)
    for model in MODELS
    for task in ["ntp" if "GPT" in model else "mlm"]
    for suite in SUITES
    for level in (["sentence-level"] if task == "ntp" else ["word-level", "sentence-level"])
]


@pytest.fixture
def recomputed(shared, write_scores) -> pd.DataFrame:
    """Our accuracies, from the published tables turned into scores. Columns are read by name: their order differs."""
    folder = shared / "published" / "georgian"
    paths = []
    for task, model, suite, level in FILES:
        name = f"{task}-{model}-{suite}-{level}"
        table = pd.read_csv(folder / f"{name}.csv")
        columns = {column: column.split("_")[-1] for column in table if column.startswith("p_form_")}
        (good,) = (case for column, case in columns.items() if "_grammatical_" in column)
        values = table[list(columns)].rename(columns=columns)
        assert all(is_numeric_dtype(kind) for kind in values.dtypes)
        # At the word level p is a probability, at the sentence level it is a log-probability already.
        scores = np.log(values) if level == "word-level" else values
        items = scores.set_axis(table["sentence_id"] + " " + table["match_id"].astype(str)).to_dict("index")
        assert len(items) == {"INTR-S1-NOM": 70, "S2-ERG": 50}[suite]
        paths.append(
            write_scores(
                items,
                name=f"{name}.parquet",
                good=(good,),
                model=MODELS[model],
                model_kind="causal" if task == "ntp" else "masked",
                level=level,
                construction=SUITES[suite],
            )
        )
    return accuracy(open_scores(paths)).to_pandas()


def test_all_published_accuracies_come_out_exactly(recomputed, shared):
    names = ["model", "construction", "level", "task", "published"]
    overview = pd.read_csv(shared / "published" / "georgian" / "overview.csv", names=names)
    merged = recomputed.merge(overview, on=["model", "construction", "level"])
    assert len(merged) == len(overview) == 24
    assert merged["accuracy"].round(2).tolist() == merged["published"].tolist()


def test_forms_at_the_floor_of_the_published_probabilities_are_ties(recomputed):
    tied = recomputed[recomputed["ties"] > 0]
    assert tied[["model", "construction", "level", "ties"]].to_numpy().tolist() == [
        ["FacebookAI/xlm-roberta-base", "intransitive-nom-subj", "word-level", 12],
        ["FacebookAI/xlm-roberta-base", "transitive-erg-nom-subj", "word-level", 1],
    ]
