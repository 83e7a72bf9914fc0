"""Grew requests over treebanks: parse, check, compile to SQL, run in DuckDB.

    engine = Engine(read_conllu(["ka_glc-ud-dev.conllu"]))
    engine.match(parse_request("pattern { V [upos=VERB]; V -[nsubj]-> S }"))

The folder is the pipeline: `parse.py` (text -> `syntax.py`), `check.py` (-> `request.py`), `compile.py` (-> SQL over
the tables of `graph.py`), `engine.py` (-> an Arrow table), `output.py` (-> JSON lines).
"""

from starbank.grew.check import parse_request
from starbank.grew.engine import Engine
from starbank.grew.output import to_jsonl
from starbank.grew.request import Request

__all__ = ["Engine", "Request", "parse_request", "to_jsonl"]
