"""Lists of words with their frequencies, such as the vocabulary of a language model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb
import pyarrow as pa


def read_vocabulary(files: Sequence[Path]) -> pa.Table | None:
    """Return the words of some files, `form` and `count` (int64; 0 where the file does not tell), None without files.

    A line is a word, or a word, a tab and how often it occurs.
    """
    if not files:
        return None
    lines = "read_csv($files, columns = {'line': 'varchar'}, delim = chr(30), header = false, quote = '', escape = '')"
    query = f"""
        select split_part(line, chr(9), 1) as form,
            sum(coalesce(try_cast(split_part(line, chr(9), 2) as bigint), 0))::bigint as count
        from {lines} where line <> '' group by form order by form
    """
    return duckdb.cursor().sql(query, params={"files": [str(file) for file in files]}).to_arrow_table()
