"""Tables of paradigms, as the queries have them and as UniMorph has them."""

from pathlib import Path

QUERIES = Path(__file__).resolve().parents[2] / "queries"


def read_table(name):
    """Return the entries of a table of paradigms under `queries/`: (lemma, features, form)."""
    lines = (QUERIES / name).read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
    return [(lemma, dict(pair.split("=") for pair in feats.split("|")), form) for lemma, _, feats, form in rows]


def read_unimorph(shared, language):
    """Return the entries of a UniMorph file: (lemma, form, tags)."""
    lines = (shared / "unimorph" / language).read_text(encoding="utf-8").splitlines()
    entries = [line.split("\t") for line in lines if line]
    return [(lemma, form, frozenset(tags.split(";"))) for lemma, form, tags in entries]
