"""Words and phrases of a sentence taken out, and put elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from starbank.grew.commands import Order
from starbank.grew.sentence import Node, RewriteError, Sentence


def phrase(sentence: Sentence, head: Node) -> list[Node]:
    """Return a word and all that hangs from it by basic edges, in the order of the sentence."""
    below: dict[Node, list[Node]] = {}
    for edge in sentence.edges:
        if edge.parts.get("enhanced") != "yes":
            below.setdefault(edge.source, []).append(edge.target)
    members, waiting = {head}, [head]
    while waiting:
        others = [node for node in below.get(waiting.pop(), []) if node not in members]
        members.update(others)
        waiting += others
    return [node for node in (*sentence.order, *sentence.loose) if node in members]


def put(sentence: Sentence, nodes: Sequence[Node], order: Order, site: Node) -> None:
    """Put words that have no place right before or after another one, or its phrase."""
    if site not in sentence.order:
        raise RewriteError("the word beside it has no place in the sentence")
    around = _bare(sentence, site) if len(order) == 3 else [site]
    after = order.startswith(":>")
    index = sentence.order.index(around[-1 if after else 0]) + after
    sentence.order[index:index] = nodes


def _bare(sentence: Sentence, head: Node) -> list[Node]:
    """Return a phrase without the marks at its edges that hang from its head, such as a full stop."""
    own = {edge.target for edge in sentence.edges if edge.source is head}
    words = [
        node
        for node in phrase(sentence, head)
        if node in sentence.order and not (node in own and node.features.get("upos") == "PUNCT")
    ]
    first, last = (sentence.order.index(words[end]) for end in (0, -1))
    return sentence.order[first : last + 1]


def move(sentence: Sentence, nodes: Sequence[Node], order: Order, site: Node) -> None:
    """Take words from their places, and put them before or after another one, or what is left of its phrase."""
    if site in nodes:
        raise RewriteError("a phrase cannot stand beside a word of its own")
    sentence.order = [node for node in sentence.order if node not in nodes]
    sentence.loose = [node for node in sentence.loose if node not in nodes]
    put(sentence, nodes, order, site)
