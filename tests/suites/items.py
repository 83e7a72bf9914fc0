"""Items, written by hand."""

from __future__ import annotations

import pyarrow as pa

from starbank.suites import ITEMS, REJECTED, Suite

COVARIATES = {
    "length": 3,
    "position": 1,
    "distance": 1,
    "tree_distance": 1,
    "attractors": 0,
    "lemma_count": 6,
    "readings": 1,
    "covariates": [{"name": "negated", "value": 0}],
}
FORMS = {"Erg": "კაცმა", "Nom": "კაცი", "Dat": "კაცს"}


def item(
    item_id="0123456789abcdef",
    sent_id="s1",
    *,
    construction="erg-subj",
    grammatical="Erg",
    prefix="",
    suffix=" იმღერა.",
):
    """Return the item of a sentence about a man, in three cases."""
    names = sorted(FORMS, key=lambda name: name != grammatical)
    return {
        "item_id": item_id,
        "construction": construction,
        "phenomenon": "case",
        "language": "kat",
        "treebank": "UD_Georgian-Test",
        "split": "test",
        "sent_id": sent_id,
        "region_names": ["prefix", "target", "suffix"],
        "conditions": [
            {
                "name": name,
                "grammatical": name == grammatical,
                "against": None if name == grammatical else grammatical,
                "regions": [prefix, FORMS[name], suffix],
                "feats": f"Case={name}|Number=Sing",
                "form": FORMS[name],
                "form_source": "treebank",
                "form_count": count,
                "form_confidence": 1.0,
            }
            for count, name in enumerate(names, start=1)
        ],
        "target": {"lemma": "კაცი", "upos": "NOUN", "feats": f"Case={grammatical}|Number=Sing", "id": "1"},
        **COVARIATES,
    }


def rejected(sent_id="s9", reason="no form"):
    """Return a rejected match."""
    return {
        "construction": "erg-subj",
        "language": "kat",
        "treebank": "UD_Georgian-Test",
        "split": "test",
        "sent_id": sent_id,
        "target_id": "1",
        "form": "ქალმა",
        "lemma": "ქალი",
        "feats": "Case=Erg|Number=Sing",
        "reason": reason,
        "detail": "ქალი (NOUN): Case=Dat|Number=Sing",
        "text": "ქალმა იმღერა.",
    }


def suite(items=(), rejects=()):
    """Return a suite of items and rejected matches."""
    return Suite(pa.Table.from_pylist(list(items), schema=ITEMS), pa.Table.from_pylist(list(rejects), schema=REJECTED))
