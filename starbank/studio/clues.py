"""What may be said of a word of a match: clauses for a block that leaves such matches out, or asks for them, and
commands that change the sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from starbank.grew.bundles import read_feats
from starbank.grew.show import by_sentence
from starbank.studio.vocabulary import quoted
from starbank.treebanks import Treebank

_COLUMNS = ("node", "id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "position")


@dataclass(frozen=True)
class Word:
    """A word of a sentence: its columns of CoNLL-U, its features by name, and the names that are bound to it."""

    node: int
    id: str
    form: str
    lemma: str
    upos: str
    feats: Mapping[str, str]
    head: int | None
    deprel: str
    position: int
    names: tuple[str, ...]


def words_of(sent: int, treebank: Treebank, bound: Mapping[str, int]) -> dict[int, Word]:
    """Return the words of a sentence by their nodes."""
    rows = by_sentence(treebank.tokens)(sent).select(_COLUMNS).to_pylist()
    return {row["node"]: _word(row, bound) for row in rows if row["position"] is not None}


def _word(row: Mapping[str, Any], bound: Mapping[str, int]) -> Word:
    return Word(
        node=row["node"],
        id=row["id"],
        form=row["form"] or "",
        lemma=row["lemma"] or "",
        upos=row["upos"] or "",
        feats=read_feats(row["feats"]) if row["feats"] else {},
        head=row["head"],
        deprel=row["deprel"] or "",
        position=row["position"],
        names=tuple(name for name, node in bound.items() if node == row["node"]),
    )


def free_name(taken: str) -> str:
    """Return a name for a node that a text does not mention."""
    return next(name for name in ("X", "Y", "Z", *(f"X{number}" for number in range(2, 99))) if name not in taken)


def clauses(word: Word, words: Mapping[int, Word], target: str, name: str) -> Iterator[str]:
    """Yield clauses that hold of a word, which is called `name` where the match does not bind it.

    They speak of what is bound, of the edges between both, or of the order of the word and the node `target`.
    """
    described = _described(word)
    if word.names:
        for test in described:
            yield f"{word.names[0]} [{test}]"
        return
    edge = quoted(word.deprel) if not word.deprel.replace(":", "").isalpha() else word.deprel
    head = words.get(word.head) if word.head is not None else None
    links = [f"{head.names[0]} -[{edge}]-> {name}"] if head and head.names else []
    links += [
        f"{name} -[{other.deprel}]-> {other.names[0]}"
        for other in words.values()
        if other.head == word.node and other.names and other.deprel
    ]
    for link in links:
        yield link
        for test in described:
            yield f"{link}; {name} [{test}]"
    if links:
        return
    places = {bound: other.position for other in words.values() for bound in other.names}
    order = f"{name} << {target}" if word.position < places.get(target, 0) else f"{target} << {name}"
    for test in described:
        yield f"{name} [{test}]; {order}"


def changes(word: Word, words: Mapping[int, Word]) -> Iterator[tuple[str, str]]:
    """Yield commands that make another sentence of one by a word that the match binds, each with a name for that."""
    name = word.names[0]
    phrase = _phrase(word, words)
    yield f"{name} left out", f"del_node {name}"
    if len(phrase) > 1:
        yield f"phrase of {name} left out", f"del_phrase {name}"
    for other in sorted(words.values(), key=lambda each: each.position):
        if other.names and other.node != word.node:
            unit = "node" if other.node in phrase else "phrase"
            place, sign = ("after", ":>") if word.position < other.position else ("before", ":<")
            yield f"{name} {place} {other.names[0]}", f"move_{unit} {name} {sign} {other.names[0]}"


def _phrase(word: Word, words: Mapping[int, Word]) -> set[int]:
    """Return the nodes of a word and of all that hangs from it."""
    found, new = {word.node}, {word.node}
    while new := {other.node for other in words.values() if other.head in new} - found:
        found |= new
    return found


def _described(word: Word) -> list[str]:
    tests = [f"lemma={quoted(word.lemma)}"] if word.lemma else [f"form={quoted(word.form)}"]
    tests += [f"upos={quoted(word.upos)}"] if word.upos else []
    return tests + [f"{feature}={quoted(value)}" for feature, value in word.feats.items()]
