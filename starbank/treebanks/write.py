"""Tables -> CoNLL-U."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import TreebankError
from starbank.files import write_text
from starbank.treebanks.arrays import filled, integers, mask, numbers, take, text, texts, truths
from starbank.treebanks.treebank import Treebank


def to_conllu(treebank: Treebank) -> str:
    """Return the treebank as CoNLL-U text: comments as they were, features in canonical order."""
    return "".join(content for _, content in _files(treebank))


def write_conllu(treebank: Treebank, path: str | Path) -> None:
    """Write the treebank to the file `path`, or, where `path` does not end in `.conllu`, into that folder.

    In a folder the sentences are spread over files of the names they were read from. Raises `TreebankError` where one
    of those, which tables may tell wrongly, is a path.
    """
    path = Path(path)
    if path.suffix == ".conllu":
        write_text(to_conllu(treebank), path)
        return
    for name, content in _files(treebank):
        write_text(content, path / _require_name(name, treebank))


def write_parts(parts: Iterable[Treebank], folder: Path) -> list[Path]:
    """Write the parts of a treebank into an empty folder as `write_conllu` does the whole; return its files."""
    files: dict[str, Path] = {}
    for part in parts:
        for name, content in _files(part):
            path = files.setdefault(name, folder / _require_name(name, part))
            with path.open("a", encoding="utf-8") as stream:
                stream.write(content)
    return list(files.values())


def _require_name(name: str, treebank: Treebank) -> str:
    if Path(name).name != name:
        raise TreebankError(f"the sentences of {treebank.name} are from a file {name!r}, which is no name of one")
    return name


def _files(treebank: Treebank) -> Iterator[tuple[str, str]]:
    """Yield name and CoNLL-U text of each file that the treebank was read from."""
    tokens, sentences = treebank.tokens, treebank.sentences
    for name in pc.unique(sentences["file"]).to_pylist():
        chosen = sentences.filter(pc.equal(sentences["file"], text(name)))
        yield name, _format(tokens.filter(pc.is_in(tokens["sent"], chosen["sent"].combine_chunks())), chosen)


def _format(tokens: pa.Table, sentences: pa.Table) -> str:
    """Return the sentences as CoNLL-U; `tokens` must be theirs, in the same order."""
    sent = numbers(tokens["sent"])
    first = np.append(True, sent[1:] != sent[:-1])
    last = np.append(first[1:], True)
    ids = tokens["id"].combine_chunks()
    numbering = number(numbers(tokens["node"]), ids, numbers(sentences["root"]))
    nothing = text("_")
    lines = pc.binary_join_element_wise(
        ids,
        *(pc.fill_null(tokens[name].combine_chunks(), nothing) for name in ("form", "lemma", "upos", "xpos", "feats")),
        numbering.ids_of(tokens["head"].combine_chunks()),
        pc.fill_null(tokens["deprel"].combine_chunks(), nothing),
        _edges(tokens["deps"].combine_chunks(), numbering),
        pc.fill_null(tokens["misc"].combine_chunks(), nothing),
        text("\t"),
    )
    ends = take(texts(["\n", "\n\n"]), last.astype(np.int8))
    pieces = pc.binary_join_element_wise(_comments(sentences, first), lines, ends, text(""))
    # The pieces lie side by side in their buffer: it is the file.
    offsets = np.frombuffer(pieces.buffers()[1], dtype=np.int32)
    return str(pieces.buffers()[2][: int(offsets[len(pieces)])], "utf-8")


def _comments(sentences: pa.Table, first: np.ndarray) -> pa.Array:
    """Return the comment block of each sentence on its first row, and the empty text on all others."""
    lists = sentences["comments"].combine_chunks()
    none, end = text(""), text("\n")
    ended = pc.binary_join_element_wise(pc.binary_join(lists, end), none, end)
    blocks = pc.if_else(truths(numbers(pc.list_value_length(lists)) == 0), none, ended)
    return pc.fill_null(take(blocks, np.cumsum(first) - 1, null=~first), none)


@dataclass(frozen=True)
class Numbering:
    """CoNLL-U IDs of the nodes, which are sorted."""

    nodes: np.ndarray
    ids: pa.StringArray

    def ids_of(self, nodes: pa.Array) -> pa.Array:
        """Return the ID of each node, `_` for null."""
        place, missing = np.searchsorted(self.nodes, filled(nodes, 0)), ~mask(nodes.is_valid())
        return pc.fill_null(take(self.ids, place, null=missing), text("_"))


def number(node: np.ndarray, ids: pa.StringArray, root: np.ndarray) -> Numbering:
    """Join the IDs of the rows with those of the root nodes, which are 0."""
    nodes = np.concatenate((node, root))
    order = np.argsort(nodes, kind="stable")
    return Numbering(
        nodes[order], take(pa.concat_arrays([ids, take(texts(["0"]), np.zeros(len(root), dtype=np.int64))]), order)
    )


def _edges(deps: pa.ListArray, numbering: Numbering) -> pa.Array:
    values = deps.flatten()
    edges = pc.binary_join_element_wise(numbering.ids_of(values.field("head")), values.field("deprel"), text(":"))
    counts = filled(pc.list_value_length(deps), 0)
    borders = integers(np.append(0, np.cumsum(counts)).astype(np.int32))
    lists = pa.ListArray.from_arrays(borders, edges, mask=truths(~mask(deps.is_valid())))
    return pc.fill_null(pc.binary_join(lists, text("|")), text("_"))
