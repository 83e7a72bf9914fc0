"""What DuckDB yields -> matches as Arrow."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from starbank.grew.graph import Graph
from starbank.grew.request import Request
from starbank.treebanks import arrays

EDGE = pa.struct([("source", pa.int64()), ("label", pa.string()), ("target", pa.int64())])


def match_schema(request: Request) -> pa.Schema:
    """Return the columns of the matches of `request`: `sent`, `sent_id`, its nodes, its named edges."""
    nodes = [(name, pa.int64()) for name in request.nodes]
    edges = [(name, EDGE) for name in request.edges]
    return pa.schema([("sent", pa.int32()), ("sent_id", pa.string()), *nodes, *edges])


def to_matches(request: Request, graph: Graph, columns: dict[str, np.ndarray]) -> pa.RecordBatch:
    """Return the columns `sent`, `node_0`, …, `label_0`, … that DuckDB yields as a batch of matches."""
    numbers = graph.rows.numbers
    nodes = {name: arrays.integers(numbers[columns[f"node_{place}"]]) for place, name in enumerate(request.nodes)}
    labels = arrays.texts([label or None for label in graph.labels.compact])
    clauses = {clause.edge.text: clause for clause in request.pattern.edge_clauses if clause.edge}
    edges = []
    for place, name in enumerate(request.edges):
        source, target = clauses[name].source, clauses[name].target
        assert source is not None
        assert target is not None
        parts = [nodes[source.text], arrays.take(labels, columns[f"label_{place}"]), nodes[target.text]]
        edges.append(pa.StructArray.from_arrays(parts, fields=list(EDGE)))
    place_of = arrays.integers(columns["sent"])
    sentences = [graph.sentence_table[name].take(place_of).combine_chunks() for name in ("sent", "sent_id")]
    return pa.RecordBatch.from_arrays([*sentences, *nodes.values(), *edges], schema=match_schema(request))
