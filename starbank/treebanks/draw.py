"""A sentence's dependency tree as an SVG picture, in the usual style of UD: words in a row, arcs above them.

The picture stands alone: no script, no style sheet, no font file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

import pyarrow as pa

from starbank.treebanks.layout import (
    FORM_SIZE,
    LABEL_SIZE,
    MARGIN,
    PADDING,
    TAG_SIZE,
    TOKEN_SIZE,
    Arc,
    Layout,
    Side,
    Word,
    is_right_to_left,
    lay_out,
)

FONTS = (
    "Noto Sans, Noto Sans Georgian, Noto Sans Armenian, Noto Sans Devanagari, Noto Sans Tamil, Noto Naskh Arabic, "
    "Noto Sans Arabic, Noto Sans Hebrew, Noto Sans CJK SC, DejaVu Sans, Segoe UI, Helvetica Neue, Arial, sans-serif"
)
INK, GREY, LINE, PAPER = "#1f2328", "#6b7280", "#8b95a3", "#ffffff"
# Colours that people with any kind of colour vision tell apart (after Okabe and Ito), dark enough for text.
COLOURS = ("#0063a6", "#b34700", "#00734f", "#9a3d7c", "#6a5700", "#3b3fb6")
EDGE_COLOUR = "#b00030"

STEP, CORNER, ARROW = 21.0, 9.0, 6.0
# Baselines and edges below the line where arcs end.
FORM_LINE, TAG_LINE, NAME_LINE = 22.0, 37.0, 54.0
NAME_ROW, TOKEN_ROW = 20.0, 26.0

# What a picture shows of the token table.
COLUMNS = ("node", "id", "position", "form", "lemma", "upos", "feats", "head", "deprel", "deps")

Edge = tuple[int, str | None, int]


def draw_tree(
    tokens: pa.Table,
    root: int,
    *,
    title: str = "",
    nodes: Mapping[str, int] | None = None,
    edges: Sequence[Edge] = (),
    enhanced: bool = False,
) -> str:
    """Return the tree of one sentence as the text of an SVG image.

    `tokens` are the sentence's rows of the token table (docs/formats.md), `root` is the number of its root node.
    `nodes` (name -> node) and `edges` (source, label, target; `E:` begins the label of an enhanced one) stand out.
    `enhanced` draws, below the words, the enhanced edges that are not basic ones too.
    """
    return _Picture(tokens, root, nodes or {}, edges, enhanced).svg(title)


class _Picture:
    def __init__(
        self, tokens: pa.Table, root: int, nodes: Mapping[str, int], edges: Sequence[Edge], enhanced: bool
    ) -> None:
        rows = tokens.select(COLUMNS).to_pylist()
        self.root = root
        self.bound = {(source, (label or ""), target) for source, label, target in edges}
        self.enhanced = enhanced or any((label or "").startswith("E:") for _, label, _ in edges)
        self.colours = {name: COLOURS[place % len(COLOURS)] for place, name in enumerate(nodes)}
        self.root_names = tuple(name for name, node in nodes.items() if node == root)
        self.words = [_word(row, nodes) for row in rows if row["position"] is not None]
        if not self.enhanced:
            self.words = [word for word in self.words if word.names or not word.empty]
        self.places = {word.node: place for place, word in enumerate(self.words)}
        self.basic = [arc for row in rows if (arc := self.edge(row, row["head"], row["deprel"]))]
        extra = [
            arc
            for row in rows
            for edge in (row["deps"] or () if self.enhanced else ())
            if (arc := self.edge(row, edge["head"], edge["deprel"], "E:"))
            and (arc.bound or (edge["head"], edge["deprel"]) != (row["head"], row["deprel"]))
        ]
        places = {row["id"]: self.places[row["node"]] for row in rows if row["node"] in self.places}
        ranges = [(*row["id"].split("-"), row["form"]) for row in rows if "-" in row["id"]]
        self.tokens = [(places[a], places[b], form) for a, b, form in ranges if a in places and b in places]
        self.right_to_left = is_right_to_left([word.form for word in self.words])
        self.layout: Layout = lay_out(self.words, self.basic, extra, self.right_to_left)

    def edge(self, row: Mapping[str, Any], head: int | None, label: str | None, prefix: str = "") -> Arc | None:
        """Return the edge from a head to a row of the tokens; None where an end of it is not drawn."""
        if row["node"] not in self.places or (head != self.root and head not in self.places):
            return None
        bound = (head, f"{prefix}{label or ''}", row["node"]) in self.bound
        return Arc(self.places.get(head or 0), self.places[row["node"]], label or "", bound)

    # The picture

    def svg(self, title: str) -> str:
        """Return the whole picture."""
        layout = self.layout
        base = MARGIN + (layout.above.height + 0.6) * STEP + ARROW
        foot = base + TAG_LINE + PADDING + (NAME_ROW if any(word.names for word in self.words) else 0)
        foot = max([foot, *(self.below(token, base) + TOKEN_ROW for token in self.tokens)])
        height = foot + ((layout.below.height + 0.6) * STEP + ARROW if layout.below.arcs else 0) + MARGIN
        body = [
            *self.side(layout.above, base, -1),
            *self.side(layout.below, foot, 1),
            *(line for place, _ in enumerate(self.words) for line in self.word(place, base)),
            *(line for token in self.tokens for line in self.multiword(token, self.below(token, base))),
        ]
        heading = title or " ".join(word.form for word in self.words)
        described = self.described()
        name = "tree-" + hashlib.sha256("".join([heading, described, *body]).encode()).hexdigest()[:10]
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {layout.width:.0f} {height:.0f}" '
                f'width="{layout.width:.0f}" height="{height:.0f}" role="img" font-family="{FONTS}" '
                f'aria-labelledby="{name}-title {name}-desc">',
                f'<title id="{name}-title">{escape(heading)}</title>',
                f'<desc id="{name}-desc">{escape(described)}</desc>',
                f'<rect width="100%" height="100%" fill="{PAPER}"/>',
                *body,
                "</svg>\n",
            ]
        )

    def described(self) -> str:
        """Return the tree in words."""
        parts = []
        for arc in self.basic:
            word = self.words[arc.target]
            names = f"{', '.join(word.names)}: " if word.names else ""
            head = "" if arc.source is None else f" of {self.words[arc.source].form}"
            parts.append(f"{names}{word.form} ({word.tag or 'no tag'}) is {arc.label or 'a dependent'}{head}")
        return "; ".join(parts) + "." if parts else "There are no edges."

    def word(self, place: int, base: float) -> Iterator[str]:
        """Yield a word with its tag and the names of the nodes that it is bound to."""
        word, x = self.words[place], self.layout.centres[place]
        colour = self.colours[word.names[0]] if word.names else None
        yield f"<g><title>{escape(word.tooltip)}</title>"
        if colour:
            half = word.width / 2 + PADDING
            top, box = base + 3, TAG_LINE + 3
            yield (
                f'<rect x="{x - half:.1f}" y="{top:.1f}" width="{2 * half:.1f}" height="{box:.1f}" rx="5" '
                f'fill="{colour}" fill-opacity="0.12" stroke="{colour}" stroke-opacity="0.55"/>'
            )
        direction = ' direction="rtl" unicode-bidi="isolate"' if self.right_to_left else ""
        style = f' font-style="italic" fill="{GREY}"' if word.empty else f' fill="{colour or INK}"'
        weight = ' font-weight="600"' if colour else ""
        yield _text(x, base + FORM_LINE, word.form, FORM_SIZE, f"{style}{weight}{direction}")
        yield _text(x, base + TAG_LINE, word.tag, TAG_SIZE, f' fill="{GREY}" letter-spacing="0.4"')
        if word.names:
            yield _text(x, base + NAME_LINE, " ".join(word.names), LABEL_SIZE, f' fill="{colour}" font-weight="700"')
        yield "</g>"

    def below(self, token: tuple[int, int, str], base: float) -> float:
        """Return where there is room below the words of a multiword token."""
        named = any(word.names for word in self.words[token[0] : token[1] + 1])
        return base + TAG_LINE + PADDING + (NAME_ROW if named else 0)

    def multiword(self, token: tuple[int, int, str], top: float) -> Iterator[str]:
        """Yield a multiword token: a bracket below its words, and its form."""
        first, last, form = token
        ends = [
            self.layout.centres[place] + sign * (self.words[place].width / 2)
            for place, sign in ((first, 1 if self.right_to_left else -1), (last, -1 if self.right_to_left else 1))
        ]
        left, right = sorted(ends)
        yield f'<path d="M{left:.1f},{top:.1f} v5 H{right:.1f} v-5" fill="none" stroke="{LINE}"/>'
        yield _text((left + right) / 2, top + 19, form, TOKEN_SIZE, f' fill="{INK}"')

    def side(self, side: Side, base: float, way: int) -> Iterator[str]:
        """Yield the arcs above (`way` -1) or below (1) the words; bound ones come last, on top of the others."""
        drawn = sorted(zip(side.arcs, side.levels, side.ends, strict=True), key=lambda arc: arc[0].bound)
        for arc, level, ends in drawn:
            low, high = (self.layout.centres[place] + end for place, end in zip(arc.ends, ends, strict=True))
            target = low if arc.target == arc.ends[0] else high
            source = high if arc.target == arc.ends[0] else low
            yield from self.arc(arc, source, target, base, base + way * (level * STEP + ARROW), way)

    def arc(self, arc: Arc, source: float, target: float, base: float, level: float, way: int) -> Iterator[str]:
        colour = EDGE_COLOUR if arc.bound else LINE
        tip = base + way * 1
        width = "2" if arc.bound else "1.2"
        dashes = ' stroke-dasharray="4 3"' if way > 0 else ""
        if arc.source is None:
            path = f"M{target:.1f},{level:.1f} V{tip + way * ARROW:.1f}"
            middle = target
        else:
            turn = min(CORNER, abs(target - source) / 2)
            sign = 1 if target > source else -1
            path = (
                f"M{source:.1f},{tip:.1f} V{level - way * turn:.1f} Q{source:.1f},{level:.1f} "
                f"{source + sign * turn:.1f},{level:.1f} H{target - sign * turn:.1f} "
                f"Q{target:.1f},{level:.1f} {target:.1f},{level - way * turn:.1f} V{tip + way * ARROW:.1f}"
            )
            middle = (source + target) / 2
        yield f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dashes}/>'
        yield f'<path d="M{target:.1f},{tip:.1f} l-3.5,{way * ARROW + way:.1f} h7 z" fill="{colour}"/>'
        weight = ' font-weight="700"' if arc.bound else ""
        halo = f' paint-order="stroke" stroke="{PAPER}" stroke-width="5" stroke-linejoin="round"'
        shade = EDGE_COLOUR if arc.bound else INK
        yield _text(middle, level + LABEL_SIZE * 0.34, arc.label, LABEL_SIZE, f' fill="{shade}"{weight}{halo}')


def _word(row: Mapping[str, Any], nodes: Mapping[str, int]) -> Word:
    names = tuple(name for name, node in nodes.items() if node == row["node"])
    tooltip = " · ".join(filter(None, (row[name] for name in ("id", "form", "lemma", "upos", "feats"))))
    return Word(row["node"], row["form"], row["upos"] or "", "." in row["id"], names, tooltip)


def _text(x: float, y: float, text: str, size: float, style: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="middle"{style}>{escape(text)}</text>'
