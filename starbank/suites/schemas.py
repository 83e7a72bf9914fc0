"""The Arrow schemas of a suite's tables, as `docs/formats.md` describes them."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

_CONDITION = pa.struct(
    {
        "name": pa.string(),
        "grammatical": pa.bool_(),
        "against": pa.string(),
        "regions": pa.list_(pa.string()),
        "feats": pa.string(),
        "form": pa.string(),
        "form_source": pa.string(),
        "form_count": pa.int64(),
        "form_confidence": pa.float64(),
    }
)
_LEFT_OUT = pa.struct({"name": pa.string(), "reason": pa.string(), "detail": pa.string()})
_TARGET = pa.struct({"lemma": pa.string(), "upos": pa.string(), "feats": pa.string(), "id": pa.string()})
COVARIATES = (
    ("length", pa.int32()),
    ("position", pa.int32()),
    ("distance", pa.int32()),
    ("tree_distance", pa.int32()),
    ("attractors", pa.int32()),
    ("lemma_count", pa.int64()),
    ("readings", pa.int32()),
    ("covariates", pa.list_(pa.struct({"name": pa.string(), "value": pa.int64()}))),
)
_ORIGIN = ("construction", "phenomenon", "language", "treebank", "split", "sent_id")


def _schema(*columns: str | tuple[str, pa.DataType]) -> pa.Schema:
    """Return a schema; a column without a type is text."""
    return pa.schema([(column, pa.string()) if isinstance(column, str) else column for column in columns])


ITEMS = _schema(
    "item_id",
    *_ORIGIN,
    ("region_names", pa.list_(pa.string())),
    ("conditions", pa.list_(_CONDITION)),
    ("target", _TARGET),
    *COVARIATES,
    ("left_out", pa.list_(_LEFT_OUT)),
)

PAIRS = _schema(
    "item_id",
    *_ORIGIN,
    *("sentence_good", "sentence_bad", "prefix", "suffix"),
    *("form_good", "form_bad", "condition_good", "condition_bad"),
    ("form_good_count", pa.int64()),
    ("form_bad_count", pa.int64()),
    *("form_good_source", "form_bad_source"),
    ("form_bad_confidence", pa.float64()),
    *COVARIATES,
)

REJECTED = _schema(
    *("construction", "language", "treebank", "split", "sent_id"),
    *("target_id", "form", "lemma", "feats", "reason", "detail", "text"),
)


@dataclass(frozen=True)
class Suite:
    """What a generator makes of matches: `items` (schema `ITEMS`) and `rejected` (schema `REJECTED`).

    Together they have one row per match, each in corpus order.
    """

    items: pa.Table
    rejected: pa.Table
