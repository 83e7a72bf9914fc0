"""What small models of several sizes learn of agreement across nouns: the figures of docs/reproduce.md, in minutes.

GPT-2s of one and of two layers, in four widths each, learn from sentences of six templates of `queries/swa/bhs`, less
those that are tested; two of the eight suites are of templates that they did not learn from.

    python benchmarks/sizes.py FOLDER

leaves suites, models, scores and results in FOLDER; the figure is FOLDER/results/figures/sizes-swa-bhs-sentence.svg.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from training import make_more, read_sentences, train

from starbank.analysis import results
from starbank.scoring import score
from starbank.scoring.checkpoints import count_parameters

TEMPLATES = Path(__file__).resolve().parent.parent / "queries/swa/bhs"
NOT_LEARNT = ("N_of_Poss_D_A_V", "N_of_Poss_D_AP_V_ni_AN")
TESTED, SENTENCES, STEPS = 200, 4000, 1500
LAYERS, WIDTHS = (1, 2), (8, 16, 32, 64)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train models of several sizes, and draw what they learn.")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    folder = parser.parse_args().folder
    # Threads that share cores with other work wait for one another longer than such small matrices take.
    torch.set_num_threads(1)
    templates = sorted(TEMPLATES.glob("*.template"))
    make_more(templates, TESTED, folder / "swa-bhs", seed=0)
    learnt = [template for template in templates if template.stem not in NOT_LEARNT]
    make_more(learnt, SENTENCES, folder / "learnt", seed=7)
    tested = read_sentences(folder / "swa-bhs")
    sentences = sorted(read_sentences(folder / "learnt") - tested)
    print(f"{len(sentences)} sentences to learn from; {len(tested)} others are tested")
    scores = [score_size(folder, sentences, layers, width) for layers in LAYERS for width in WIDTHS]
    results(scores, folder / "results", suites=[folder / "swa-bhs"])


def score_size(folder: Path, sentences: list[str], layers: int, width: int) -> Path:
    """Train a model of this size, score the suites with it, and return the scores."""
    trained = folder / f"{layers}x{width}"
    train(sentences, 0, trained, {STEPS}, layers, width)
    model = trained / f"step{STEPS}"
    name = f"gpt2-{layers}-layer-{round((count_parameters(model) or 0) / 1000)}k"
    path = folder / "scores" / f"{name}.parquet"
    score([folder / "swa-bhs"], str(model), path, name=name, levels=["sentence"])
    return path


if __name__ == "__main__":
    main()
