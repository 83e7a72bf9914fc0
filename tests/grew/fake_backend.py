"""Stands in for grewpy's OCaml backend: the same protocol, with answers found by brute force.

Run as `fake_backend.py --caller PID`, like `grewpy_backend`: it prints its port; a message is ten digits, then as many
bytes of JSON (https://github.com/grew-nlp/grewpy_backend).
"""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from starbank.errors import RequestError
from starbank.grew import Request, parse_request
from starbank.grew.labels import to_json
from starbank.grew.request import is_hidden
from tests.grew.brute_force import Bindings, Sentence, extensions, holds_globally, read

CORPORA: list[list[Sentence]] = []


def answer(message: dict[str, Any]) -> Any:
    match message["command"]:
        case "get_version":
            return "0.6.2"
        case "load_grs":  # grewpy loads a system of its own when it is imported
            return {"index": 0}
        case "set_config":
            assert message["config"] == "ud"
            return None
        case "corpus_load":
            CORPORA.append([sentence for file in message["files"] for sentence in load(Path(file))])
            return {"index": len(CORPORA) - 1, "length": len(CORPORA[-1])}
        case "corpus_sent_ids":
            return [sentence.sent_id for sentence in CORPORA[message["corpus_index"]]]
        case "corpus_search":
            found = [{"sent_id": sent_id, "matching": matching} for sent_id, matching in search(message)]
            return found[::-1]
        case "corpus_count":
            return count(message)
        case other:
            raise ValueError(f"command '{other}' not found")


def load(file: Path) -> Iterator[Sentence]:
    """Read a file; a sentence without an id is called by the file and its rank, as Grew calls it."""
    for rank, block in enumerate(file.read_text(encoding="utf-8").strip().split("\n\n"), 1):
        named = any(line.startswith("# sent_id = ") for line in block.splitlines())
        yield from read(block if named else f"# sent_id = {file.name}_{rank:05}\n{block}", file.name)


def request_of(blocks: list[dict[str, list[str]]]) -> Request:
    """Join the blocks as Grew does."""
    pairs = [(keyword, ";\n".join(clauses)) for block in blocks for keyword, clauses in block.items()]
    return parse_request("\n".join(f"  {keyword} {{{joined}}}" for keyword, joined in pairs))


def find_all(request: Request, sentence: Sentence) -> Iterator[Bindings]:
    """Yield the matches, one of them several times if an edge without a name can be found in several ways."""
    if all(holds_globally(clause, sentence) for clause in request.globals):
        for nodes, edges in extensions(request.pattern, {}, {}, sentence):
            if all(
                any(True for _ in extensions(block, nodes, edges, sentence)) == (block.kind == "with")
                for block in request.conditions
            ):
                yield nodes, {name: edge for name, edge in edges.items() if not is_hidden(name)}


def search(message: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    request = request_of(message["request"])
    for sentence in CORPORA[message["corpus_index"]]:
        for nodes, edges in find_all(request, sentence):
            yield (
                sentence.sent_id,
                {
                    "nodes": {name: sentence.ids[place] for name, place in nodes.items()},
                    "edges": {
                        name: {"source": sentence.ids[source], "label": to_json(label), "target": sentence.ids[target]}
                        for name, (source, label, target) in edges.items()
                    },
                },
            )


def count(message: dict[str, Any]) -> int | dict[str, Any]:
    """Count by features of nodes, the only keys that the tests ask for here."""
    if not message["clustering_keys"]:
        return sum(1 for _ in search(message))
    request, tree = request_of(message["request"]), {}
    for sentence in CORPORA[message["corpus_index"]]:
        for nodes, _ in find_all(request, sentence):
            level, values = tree, []
            for key in message["clustering_keys"]:
                node, feature = key.split(".")
                values.append(sentence.features[nodes[node]].get(feature, "__undefined__"))
            for value in values[:-1]:
                level = level.setdefault(value, {})
            level[values[-1]] = level.get(values[-1], 0) + 1
    return tree


def serve(caller: int) -> None:
    """Answer as long as the caller lives."""
    with socket.create_server(("localhost", 0)) as server:
        print(server.getsockname()[1], flush=True)
        server.settimeout(1)
        while Path(f"/proc/{caller}").exists():
            try:
                connection, _ = server.accept()
            except TimeoutError:
                continue
            with connection, connection.makefile("rb") as stream:
                message = json.loads(stream.read(int(stream.read(10))))
                try:
                    reply = {"status": "OK", "data": answer(message)}
                except (RequestError, ValueError) as error:
                    reply = {"status": "ERROR", "message": f"libgrew error: {error}"}
                encoded = json.dumps(reply).encode()
                connection.sendall(b"%010d" % len(encoded) + encoded)


if __name__ == "__main__":
    serve(int(sys.argv[sys.argv.index("--caller") + 1]))
