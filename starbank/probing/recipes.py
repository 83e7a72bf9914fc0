"""How probes are trained: our own way, and that of a published work. Needs no PyTorch."""

from __future__ import annotations

from dataclasses import dataclass

DEV, TEST = "dev", "test"


@dataclass(frozen=True)
class Recipe:
    """How probes are trained.

    Probes are linear, or have `hidden` layers of these sizes with ReLU between.

    With `standardise`, inputs have the mean 0 and the spread 1 over the training rows, and the last layer of a probe
    begins with weights of 0 and the frequencies of the classes; else all is as PyTorch's `Linear`. Inputs are dropped
    with probability `dropout`. AdamW with a constant `learning_rate` and `weight_decay` sees `batch` rows at once, for
    at most `epochs`; a probe whose loss on dev has not fallen for `patience` epochs keeps the weights that it was best
    with. The layer that is `chosen` is best on `dev` or `test`. Texts are cut after `longest` tokens, None for what the
    model reads.
    """

    dropout: float = 0.0
    learning_rate: float = 3e-3
    weight_decay: float = 1e-2
    batch: int = 128
    epochs: int = 100
    patience: int = 5
    seeds: tuple[int, ...] = (0, 1, 2)
    standardise: bool = True
    chosen: str = DEV
    longest: int | None = None
    hidden: tuple[int, ...] = ()


RECIPES = {
    "starbank": Recipe(),
    "mlp": Recipe(learning_rate=1e-3, hidden=(100, 50)),
    # Patil et al. 2021: their seed, and two more to see the spread.
    "vyakarana": Recipe(
        dropout=0.1,
        learning_rate=1e-2,
        weight_decay=1e-6,
        epochs=30,
        patience=2,
        seeds=(42, 43, 44),
        standardise=False,
        chosen=TEST,
        longest=128,
    ),
}
