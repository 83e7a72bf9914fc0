"""Treebanks: CoNLL-U files <-> columnar tables, with the place of every word in its sentence's text."""

from starbank.treebanks.parts import Parts, count_rows, open_columns, open_parts, parts_of
from starbank.treebanks.store import ingest, open_stored, open_treebank, write_treebank
from starbank.treebanks.treebank import Treebank, read_conllu, treebank_of
from starbank.treebanks.write import to_conllu, write_conllu

__all__ = [
    "Parts",
    "Treebank",
    "count_rows",
    "ingest",
    "open_columns",
    "open_parts",
    "open_stored",
    "open_treebank",
    "parts_of",
    "read_conllu",
    "to_conllu",
    "treebank_of",
    "write_conllu",
    "write_treebank",
]
