"""What a task is, and what all tasks begin with: the words of each sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import duckdb
import pyarrow as pa

from starbank.treebanks import Treebank, parts_of
from starbank.treebanks.tables import Columns

# Rows have their labels in a column of one of these names, or in several that are called `labels_<question>`.
TOKEN, SENTENCE = "labels", "label"
# Where a reader is to put its model's own mask.
MASK = "[MASK]"

# The tasks that are made unless others are asked for, each a module of generators/.
TASKS = ("pos", "depth", "case", "agreement")
# What Patil et al. (2021) describe, that without labels that nothing tells, and what their notebooks do.
STRICT, PAPER, NOTEBOOK = "strict", "paper", "notebook"
DEFINITIONS = (STRICT, PAPER, NOTEBOOK)


def label_columns(names: Iterable[str]) -> list[str]:
    """Return those of some columns that have labels."""
    return [name for name in names if name in (TOKEN, SENTENCE) or name.startswith(f"{TOKEN}_")]


@dataclass(frozen=True)
class Task:
    """A labelled task.

    `rows` are tables with the columns `split`, `sent_id`, `tokens`, `lemmas` (lists of string) and either `labels`, a
    list with the name of a class, or null, for each token, or `label`, the name of the class of all its tokens
    together, or a `labels_<question>` for each of several questions; other columns are kept as they are. `names` are
    the classes in their order, by default those that occur, sorted; `notes` are lines to tell the user. Rows are asked
    for once, then names, then notes.
    """

    rows: Iterable[pa.Table]
    names: Iterable[str] = ()
    notes: Iterable[str] = ()


def words_with(*columns: str) -> Columns:
    """Return the columns of tokens, with some beyond those that all tasks read, and of sentences."""
    return ("node", "sent", "split", "sent_id", "id", "position", "form", *columns), ("sent", "root")


def query(part: Treebank, sql: str, **parameters: Any) -> pa.Table:
    """Run `sql` with `$parameters` over the `tokens`, the `sentences` and the `words` of a part of a treebank.

    Words are tokens that are syntactic words.
    """
    connection = duckdb.connect()
    connection.register("tokens", part.tokens)
    connection.register("sentences", part.sentences)
    connection.execute(r"""
        create view words as select * from tokens where position is not null and not contains(id, '.')
    """)
    return connection.sql(sql, params=parameters or None).to_arrow_table()


def label_words(
    corpus: Treebank, column: str | None, label: str, where: str = "true", table: str = "words"
) -> Iterator[pa.Table]:
    """Yield rows for the sentences with a labelled word: `tokens`, `lemmas`, and `labels`, which `label` is the SQL of.

    Only words `where` is true of are among the tokens, in the order of the text. The expressions know the `column`.
    """
    sql = f"""
        select any_value(split) as split, any_value(sent_id) as sent_id,
            list(form order by node) as tokens, list(lemma order by node) as lemmas,
            list({label} order by node) as labels
        from {table} where {where}
        group by sent having count({label}) > 0
        order by sent
    """
    for part in parts_of(corpus, words_with(*dict.fromkeys(filter(None, ["lemma", column])))):
        yield query(part, sql)
