"""Language models -> `scores.parquet`: log-probabilities of every condition of every item, in nats by region.

    from pathlib import Path
    from starbank.scoring import score

    score([Path("outputs/datasets/georgian")], "FacebookAI/xlm-roberta-base", Path("outputs/scores/xlmr.parquet"))

What exactly is computed, and from which papers, is in `docs/metrics.md`; the columns are in `docs/formats.md`.
"""

from starbank.scoring.run import score

__all__ = ["score"]
