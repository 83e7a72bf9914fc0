"""What Gallagher & Heyer (2026) published, beside what our results stage makes of their models' own scores.

    python benchmarks/published_georgian.py --published ../shared/published/georgian -o outputs/published

reads the published per-item tables of Grew-TSE, runs the results stage on them, and prints accuracies, average
probabilities and preferred wrong cases as a table in Markdown, with a mark where a published figure differs.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from starbank.analysis import results
from starbank.pipeline.evaluations.grewtse import LEVELS, import_tables

SUITES = {"INTR-S1-NOM": "intransitive-nom-subj", "S2-ERG": "transitive-erg-nom-subj"}
KEY = ["suite", "level", "model"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--published", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    files = sorted(options.published.glob("*-*-level.csv"))
    files = [file for file in files if file.name.startswith(("mlm-", "ntp-"))]
    scores = import_tables(files, list(SUITES), options.output / "scores" / "kat", language="kat")
    folder = results(scores, options.output / "results")
    print(beside(folder, options.published).to_markdown(index=False))


def beside(results: Path, published: Path) -> pd.DataFrame:
    """Return our accuracies and means beside the published ones, in the units in which they were published."""
    accuracy = pd.read_parquet(results / "accuracy.parquet").rename(columns={"construction": "suite"})
    preferred = pd.read_parquet(results / "preferred.parquet").rename(columns={"construction": "suite"})
    names = _repositories(published)
    rows = accuracy.merge(_overview(published, names), on=KEY, validate="one_to_one")
    means = preferred.pivot_table(index=KEY, columns="condition", values=["mean_probability", "mean_logprob"])
    wrong = preferred[preferred["wrong"] > 0].sort_values("condition").groupby(KEY)
    errors = wrong.apply(lambda own: ", ".join(f"{row.condition} {row.wrong}" for row in own.itertuples()))
    theirs = _means(published)
    shown = []
    for row in rows.itertuples():
        key = (row.suite, row.level, row.model)
        unit = "mean_probability" if row.level == "word" else "mean_logprob"
        scale = 1 / np.log(2) if row.model in CAUSAL and row.level == "sentence" else 1
        ours = {case: means.loc[key, (unit, case)] * scale for case in ("nom", "dat", "erg")}
        same = all(np.isclose(ours[case], theirs[key][case], rtol=1e-9) for case in ours)
        agree = round(row.strict, 2) == row.published
        shown.append(
            {
                "suite": SUITES[row.suite],
                "level": row.level,
                "model": row.model,
                "published": f"{100 * row.published:.0f}",
                "ours": f"{100 * row.strict:.1f}" + ("" if agree else " ≠"),
                "95% interval": f"{100 * row.low:.0f}–{100 * row.high:.0f}",
                "ties": row.ties,
                "chance": {True: "above", False: "below"}[row.strict > row.chance] if row.p_value < 0.05 else "–",
                "misled by": errors.get(key, "–"),
                "means": "equal" if same else "≠",
            }
        )
    return pd.DataFrame(shown)


CAUSAL = ("GPT2-GEO", "mGPT-1.3B-Georgian")


def _repositories(published: Path) -> dict[str, str]:
    """Return the models' names in file names by their names on the Hub."""
    tables = [pd.read_csv(file) for file in sorted(published.glob("means-*.csv"))]
    return dict(pd.concat(tables)[["repo", "model"]].drop_duplicates().itertuples(index=False))


def _overview(published: Path, names: dict[str, str]) -> pd.DataFrame:
    columns = ["repository", "construction", "task", "kind", "published"]
    table = pd.read_csv(published / "overview.csv", names=columns)
    codes = {name: code for code, name in SUITES.items()}
    return pd.DataFrame(
        {
            "suite": table["construction"].map(codes),
            "level": table["task"].map(LEVELS),
            "model": table["repository"].map(names),
            "published": table["published"],
        }
    )


def _means(published: Path) -> dict[tuple[str, str, str], dict[str, float]]:
    """Return the published mean of each case by suite, level and model."""
    means = {}
    for code, name in SUITES.items():
        for level in LEVELS:
            for row in pd.read_csv(published / f"means-{level}-{name}.csv").to_dict("records"):
                own = {column.rpartition("_")[2]: value for column, value in row.items() if column.startswith("form_")}
                means[code, LEVELS[level], row["model"]] = own
    return means


if __name__ == "__main__":
    main()
