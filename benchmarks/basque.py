"""What an LSTM learns of Basque agreement, as Ravfogel, Goldberg & Tyers (2018) asked, beside what they published.

    python benchmarks/basque.py FOLDER [--treebank UD_Basque-BDT] [--folds 3] [--part arguments]

Derives treebanks, makes tasks and trains models in FOLDER, where what is there already is not made again, and prints
tables in Markdown. The authors learnt from 935,730 sentences of Wikipedia, which an analyser had parsed; these models
learn from eight tenths of one treebank, are chosen on a tenth and tested on a tenth, as often as there are folds.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch

from starbank.files import read_parquet
from starbank.probing import make_tasks, probe
from starbank.probing.learning import train
from starbank.probing.learning.answers import by_class
from starbank.transforms import derive
from starbank.treebanks import ingest

# With so few sentences, models that are not held back know them by heart after an epoch.
OPTIONS = {"dropout": 0.5, "forget": 0.5}
SLOTS = ("erg", "abs", "dat")
# What is derived from the treebank, the recipe, which rows are looked at, and published accuracy/recall by argument.
Subset = Callable[[pd.DataFrame], pd.Series]
ARGUMENTS: dict[str, tuple[str, str, Subset | None, str]] = {
    "base": ("", "ravfogel", None, "87.1/80.0 93.8/100 98.0/54.9"),
    "forward LSTM": ("", "ravfogel-forward", None, "86.6/78.9 91.7/100 98.2/60.1"),
    "Transformer": ("", "transformer", None, "– – –"),
    "suffixes only": ("+suffixes_only", "ravfogel", None, "69.0/40.3 83.7/100 97.0/26.0"),
    "no suffixes": ("+without_suffixes", "ravfogel", None, "83.8/80.0 87.8/100 97.3/34.7"),
    "neutral case": ("+neutral_case", "ravfogel", None, "86.0/79.3 93.3/100 97.3/38.1"),
    "one finite verb": ("", "ravfogel", lambda rows: rows["verbs"] == 1, "90.6/89.0 96.0/100 98.9/74.7"),
    "no *-ak*": ("", "ravfogel", lambda rows: rows["syncretic"] == 0, "90.9/81.1 96.6/100 98.6/67.7"),
    "one verb, no *-ak*": (
        "", "ravfogel", lambda rows: (rows["verbs"] == 1) & (rows["syncretic"] == 0), "92.6/83.4 97.2/100 99.1/75.4",
    ),
}  # fmt: skip
SUFFIXES = {
    "base": ("", "ravfogel", {"ak": 83.2, "ek": 78.2, "a": 85.5, "ari": 78.8, "ei": 65.0, "any": 93.4}),
    "words only": ("", "ravfogel-words", {"ak": 56.0, "ek": 49.5, "a": 55.2, "ari": 56.5, "ei": 24.2, "any": 69.8}),
    "no verbs": (
        "+without_verbs",
        "ravfogel",
        {"ak": 72.0, "ek": 65.4, "a": 78.1, "ari": 67.5, "ei": 47.3, "any": 92.0},
    ),
}
CLOSEST = {"right": {"ak": 84.1, "ek": 77.2}, "wrong": {"ak": 76.9, "ek": 75.1}}
PRECISION = {
    "ak": (83.2, 83.1),
    "ek": (82.0, 74.7),
    "a": (88.0, 83.2),
    "ari": (80.2, 77.5),
    "ei": (65.5, 64.5),
    "any": (95.1, 91.7),
}
# Accuracy and majority.
DIAGNOSTICS = {
    "number": (95.0, 67.3), "case": (93.5, 61.7), "syncretic": (91.2, 65.4), "pos": (87.5, 23.2),
    "any_case": (85.7, 64.7), "relation": (69.0, 19.0),
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description="Train models on Basque agreement; print tables.")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--treebank", type=Path, required=True, help="a folder of CoNLL-U, or an ingested one")
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--part", choices=["arguments", "suffixes", "diagnostics"], action="append", default=[])
    given = parser.parse_args()
    # Threads that share cores with other work wait for one another longer than such small matrices take.
    torch.set_num_threads(1)
    runs = Runs(given.folder, given.treebank, given.folds)
    for part in given.part or ["arguments", "suffixes", "diagnostics"]:
        print(
            "\n".join({"arguments": arguments, "suffixes": suffixes, "diagnostics": diagnostics}[part](runs)),
            end="\n\n",
        )


class Runs:
    """Models that were trained on versions of a treebank, and their answers on test."""

    def __init__(self, folder: Path, treebank: Path, folds: int) -> None:
        """Make what `folder` lacks of the treebank."""
        self.folder, self.name, self.folds = folder, treebank.name, folds
        if not (folder / "treebanks" / treebank.name).exists():
            ingest([treebank], folder / "treebanks" / treebank.name)

    def tasks(self, version: str) -> Path:
        """Return the folder with the tasks of a version of the treebank, such as `+without_verbs`."""
        treebanks = self.folder / "treebanks"
        if not (treebanks / f"{self.name}{version}").exists():
            derive(version[1:], treebanks / self.name, treebanks / f"{self.name}{version}")
        tasks = self.folder / "tasks" / f"{self.name}{version}"
        if not (tasks / "tasks.json").exists():
            names = ["argument_number", "suffix_recovery", "diagnostics"]
            make_tasks(treebanks / f"{self.name}{version}", self.folder / "tasks", tasks=names)
        return tasks

    def model(self, task: str, version: str, recipe: str, fold: int) -> Path:
        """Return the folder of a model, and let it learn where that was not done."""
        folder = self.folder / "trained" / f"{self.name}{version}" / task / recipe / str(fold)
        train(self.tasks(version), task, folder, recipe=recipe, options=OPTIONS, fold=fold, device="cpu")
        return folder

    def answers(self, task: str, version: str, recipe: str) -> pd.DataFrame:
        """Return the answers of all folds, with their number."""
        tables = []
        for fold in range(self.folds):
            folder = self.model(task, version, recipe, fold)
            tables.append(read_parquet(folder / "predictions.parquet").to_pandas().assign(fold=fold))
        return pd.concat(tables)


def table(*rows: Sequence[Any]) -> Iterator[str]:
    """Yield the lines of a table in Markdown, the first row being its heading."""
    for number, row in enumerate(rows):
        yield f"| {' | '.join(map(str, row))} |"
        if not number:
            yield f"| --- |{' ---: |' * (len(row) - 1)}"


def percent(share: float) -> str:
    """Return a share in percent, with one digit."""
    return f"{100 * share:.1f}"


def spread(rows: pd.DataFrame) -> float:
    """Return the standard error of the accuracy of some answers, whose sentences are drawn again a thousand times."""
    right = (
        rows.assign(right=rows["label"] == rows["guess"]).groupby(["fold", "sent_id"])["right"].agg(["sum", "count"])
    )
    draw = np.random.default_rng(0).integers(0, len(right), (1000, len(right)))
    sums, counts = (right[name].to_numpy()[draw].sum(1) for name in ("sum", "count"))
    return float((sums / counts).std())


def arguments(runs: Runs) -> Iterator[str]:
    """Yield accuracy and recall per argument of each ablation, and the published ones."""
    lines: list[Sequence[Any]] = [
        ["accuracy/recall", "rows", *map(str.upper, SLOTS), *(f"{slot.upper()} 2018" for slot in SLOTS)]
    ]
    for name, (version, recipe, subset, published) in ARGUMENTS.items():
        answers = runs.answers("argument_number", version, recipe)
        if subset:
            answers = answers[subset(answers)]
        cells = []
        for slot in SLOTS:
            rows = answers[answers["question"] == slot]
            there = rows[rows["label"] != "none"]
            cells.append(
                f"{percent((rows['label'] == rows['guess']).mean())}/{percent((there['guess'] != 'none').mean())} "
                f"± {percent(spread(rows))}"
            )
        lines.append([name, len(rows), *cells, *published.split()])
    answers = runs.answers("argument_number", "", "ravfogel")
    frequent = [answers[answers["question"] == slot]["label"].value_counts(normalize=True).max() for slot in SLOTS]
    lines.append(["most frequent", len(answers) // len(SLOTS), *map(percent, frequent), *["–"] * 3])
    yield from table(*lines)


def suffixes(runs: Runs) -> Iterator[str]:
    """Yield precision, recall and F1 per suffix, the same of each ablation, and of those near to a verb."""
    classes = list(PRECISION)
    answers = {
        name: runs.answers("suffix_recovery", version, recipe) for name, (version, recipe, _) in SUFFIXES.items()
    }
    measures = {name: by_class(rows).set_index("class") for name, rows in answers.items()}
    base = measures["base"]
    lines: list[Sequence[Any]] = [["base", "rows", "P", "R", "F1", "P 2018", "R 2018", "F1 2018"]]
    for name in classes:
        row = base.loc[name]
        figures = [percent(row[column]) for column in ("precision", "recall", "f1")]
        lines.append(
            [
                f"*-{name}*" if name != "any" else name,
                int(row["rows"]),
                *figures,
                *PRECISION[name],
                SUFFIXES["base"][2][name],
            ]
        )
    yield from table(*lines)
    yield ""
    lines = [["F1", *(f"*-{name}*" if name != "any" else name for name in classes)]]
    for name, (_, _, published) in SUFFIXES.items():
        lines.append([name, *(percent(measures[name].loc[one, "f1"]) for one in classes)])
        lines.append([f"{name}, 2018", *(published[one] for one in classes)])
    yield from table(*lines)
    yield ""
    two = answers["base"][answers["base"]["verbs"] == 2]
    lines = [["closest verb", "rows", "F1 *-ak*", "F1 *-ek*", "F1 any", "*-ak* 2018", "*-ek* 2018"]]
    for name, closest in (("right", True), ("wrong", False)):
        rows = two[two["closest"].fillna(not closest).astype(bool) == closest]
        figures = by_class(rows).set_index("class")["f1"]
        cells = [percent(figures.get(one, np.nan)) for one in ("ak", "ek", "any")]
        lines.append(["its own" if closest else "another's", len(rows), *cells, *CLOSEST[name].values()])
    yield from table(*lines)


def diagnostics(runs: Runs) -> Iterator[str]:
    """Yield what probes find in the states of the model that recovers suffixes, and the published figures."""
    model, folder = runs.model("suffix_recovery", "", "ravfogel", 0), runs.tasks("")
    lines: list[Sequence[Any]] = [
        [
            "asked",
            "rows",
            "MLP",
            "linear",
            "control",
            "bits",
            "embeddings",
            "most frequent",
            "MLP 2018",
            "most frequent 2018",
        ]
    ]
    for name, (accuracy, majority) in DIAGNOSTICS.items():
        results = []
        for recipe in ("mlp", "starbank"):
            output = runs.folder / "probes" / recipe / f"{name}.parquet"
            if not output.exists():
                probe(
                    [folder],
                    str(model),
                    output,
                    tasks=[f"diagnostics.{name}"],
                    recipe=recipe,
                    seeds=[0],
                    name="ravfogel",
                    device="cpu",
                )
            results.append(read_parquet(output).to_pandas())
        mlp, linear = results
        states = [rows[rows["layer"] == 1] for rows in (mlp, linear)]
        below = mlp[mlp["layer"] == 0]
        cells = [rows["test_accuracy"].mean() for rows in states] + [states[0]["control_accuracy"].mean()]
        lines.append([
            name, int(states[0]["test_rows"].iloc[0]), *map(percent, cells), f"{states[0]['code_length'].mean():.2f}",
            percent(below["test_accuracy"].mean()), percent(states[0]["majority_accuracy"].iloc[0]), accuracy, majority,
        ])  # fmt: skip
    yield from table(*lines)


if __name__ == "__main__":
    main()
