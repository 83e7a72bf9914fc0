r"""What went wrong, told to a linguist: parser errors -> `RequestError` with a caret and a hint.

`MISTAKES` is a table: where the parser stops, in which kind of brackets, after which text and before which text; what
to say and what to do. The first line that fits is taken. `{0}`, `{1}` are the groups of the second expression.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

from lark import UnexpectedInput, UnexpectedToken

from starbank.errors import RequestError
from starbank.grew.syntax import Place, Source

BLOCKS = "A request consists of the blocks pattern { … }, with { … }, without { … } and global { … }."


@dataclass(frozen=True)
class Mistake:
    """One kind of mistake; `inside` is `request`, `block`, `global`, `bracket`, `label`, or empty for any of them."""

    inside: str
    before: str
    at: str
    message: str
    hint: str


MISTAKES = (
    # Characters
    Mistake("", "", r"([“”„«»‘’])", "{0} is not a quotation mark here", 'Put values between straight quotes: "…".'),
    Mistake("", "", r"([\xa0\u2000-\u200b\u202f\u3000])", "an invisible character that is not a plain blank",
            "Replace it by a plain blank; it often comes with text that is copied from a page."),
    Mistake("", "", r'"(?!(\\.|[^"\\])*")', "this string is not closed",
            'A string ends with ". Inside it, write \\" for the mark.'),
    Mistake("", "=\\s*", "/", "this regular expression is not closed", "/…/ ends with a slash on the same line."),
    Mistake("bracket", r"[=|>]\s*", r"(\$?[^\W\d]*\w*)", "the value {0} needs quotes",
            'Quote values that hold more than plain letters, digits and _: "{0}".'),
    Mistake("label", "", r"([^\W_a-zA-Z0-9]\w*)", "the label {0} needs quotes", 'Write -["{0}"]->.'),
    Mistake("block", r"[;{]\s*", r"(\$\w+)", "a name cannot begin with $",
            "A name that may share its node ends in $: X$."),
    # Blocks
    Mistake("request", "", r"(match|request)\b", "{0} is no block", "What is sought stands in pattern { … }."),
    Mistake("request", r"\}\s*", ";", "blocks follow one another without semicolons", "Remove it."),
    Mistake("request", "", r"(commands|rule|strat|package)\b", "{0} belongs to graph rewriting", BLOCKS),
    Mistake("request", r"(pattern|with|without|global)\s*", "", "a block opens with a brace: {", BLOCKS),
    Mistake("request", r"\A\s*", r"[\w$*]+\s*(\[|->|-\[|[.:<>])", "the clauses stand outside of any block",
            "Put them into pattern { … }."),
    Mistake("request", "", r"(\w+)\s*\{", "unknown block {0}", BLOCKS),
    Mistake("request", "", r"", "unexpected text outside of the blocks", BLOCKS),
    Mistake("", r";\s*", ";", "a clause is missing between two semicolons", "Remove one of them."),
    Mistake("block", r"[{]\s*", ";", "a clause is missing before the semicolon", "Remove it."),
    Mistake("block", "", ",", "clauses are separated by semicolons", "Put ; for the comma."),
    # Brackets
    Mistake("bracket", r"(\w+)", r"\[(\w+)\]", "layered features have no brackets in a request",
            "Write the layer after two underscores, as in Number__psor."),
    Mistake("bracket", r"\w", ":", "a value with a colon needs quotes", 'For example xpos="a:b".'),
    Mistake("bracket", r"(=|<>)\s*", r"[],]", "a value is missing",
            "f=v asks for a value; f alone asks whether f is there."),
    Mistake("bracket", r"<>\s*", r"\*", "a feature that is not there is written !f",
            "f<>v wants f present, with another value."),
    Mistake("bracket", r'"|/i?\s*', r"\|", "a regular expression cannot stand in a list",
            r'Put the choice into it: re"…\|…", or /…|…/.'),
    Mistake("bracket", r"\|\s*", r'(re"|/)', "a regular expression cannot stand in a list",
            r'Put the choice into it: re"…\|…", or /…|…/.'),
    Mistake("bracket", r"=\s*", "=", "one = is enough", "Write f=v."),
    Mistake("bracket", r"=\s*\w*", r"[.*+?(\\^]", "a value is taken literally",
            'A regular expression is written f=re".*…" or f=/…/.'),
    Mistake("bracket", r"=[^],|]*\|\s*\w+\s*", "=|<>", "| separates values of one feature",
            "Write [upos=VERB|AUX]; for a choice of descriptions, [upos=VERB]|[Mood=Imp]."),
    Mistake("bracket", "", r"(and|AND|&+)(?!\w)", "{0} is written as a comma", "Write [upos=VERB, Mood=Imp]."),
    Mistake("bracket", "", r"(or|OR|\|\|)(?!\w)", "{0} is written |",
            "Write [upos=VERB|AUX]; for a choice of descriptions, [upos=VERB]|[Mood=Imp]."),
    Mistake("bracket", r"\b(not|no|without)\s+", r"(\w+)", "a feature that is not there is written !f", "Write !{0}."),
    Mistake("bracket", r"!\s*\w+\s*", "=|<>", "“another value” is written <>",
            "Write f<>v; !f asks that f is not there."),
    Mistake("bracket", r"\*", r"\w", "* stands alone", 'f=* asks for any value; a part of a value is f=re".*…".'),
    Mistake("bracket", r"=\s*[\w.$'-]+", r"[^\w\s,|\]}/;]", "this character needs quotes", 'Quote the value: f="…".'),
    Mistake("bracket", r"", "!=", "“different” is written <>", "Write f<>v."),
    Mistake("bracket", r"[\w\"'*]\s+", r"(\w+)", "a comma is missing before {0}",
            "Features are separated by commas: [upos=VERB, Mood=Imp]."),
    Mistake("bracket", r"", r"[;}]", "the bracket is not closed", "A node is described as X [upos=VERB, Number=Sing];"),
    # Edges
    Mistake("block", "", r"!\s*(->|-\[)", "an edge that is not there is asked for in a block of its own",
            "Write without { X -[nsubj]-> Y }."),
    Mistake("block", r"(->|-\[[^]]*\]->)\s*([\w$]+)\s*", r"->|-\[", "a clause has one edge",
            "Write a path as several clauses: X -> Y; Y -> Z."),
    Mistake("block", r"\w\s*:\s*[\w$]+\s*", r"\[", "an edge clause names its nodes without describing them",
            "Describe a node in a clause of its own: X [upos=VERB]; e: X -> Y."),
    Mistake("block", r"(->|-\[[^]]*\]->)\s*[\w$]+\s*", r"\[", "an edge clause names its nodes without describing them",
            "Describe a node in a clause of its own: X -> Y; Y [upos=NOUN]."),
    Mistake("block", "", r"-\*->", "dominance at any depth is written ->>",
            "Write X ->> Y, and declare both: X []; Y []."),
    Mistake("block", "", r"-+\s*\[?([\w:]+)\]?\s*-*>", "the label of an edge stands in -[…]->, without blanks",
            "Write -[{0}]->."),
    Mistake("block", "<", "-", "edges point from the head to the dependent", "Write Y -[…]-> X."),
    Mistake("block", r"\w\s*:\s*[\w$']+\s*(->|-\[[^]]*\]->)\s*", r"\*", "an edge to * cannot have a name",
            "Name the other node."),
    Mistake("block", r"\*\s*(->|-\[[^]]*\]->)\s*", r"\*", "an edge needs a node at one end at least",
            "Write X -[…]-> * or * -[…]-> X."),
    Mistake("block", r"\]\s*", r"->|-\[|[<>]", "a semicolon is missing after the bracket",
            "Describe a node and its edge in two clauses: X [upos=VERB]; X -> Y."),
    Mistake("block", r"(->|\*|[<>=])\s*", r"[;}]", "something is missing here",
            "A clause is, for example, X -[nsubj]-> Y."),
    Mistake("label", r"[\w\"]\s+", r"[\w}]", "the label is not closed", "A label ends with ]->."),
    Mistake("label", r"\|\s*\w+", "=|<>", "a list holds plain labels only",
            "Write -[1=nsubj|obj]-> or -[nsubj|obj]->."),
    Mistake("label", r"-\[\s+", r"\^", "^ must follow the bracket at once", "Write -[^nsubj]->."),
    Mistake("label", r"-\[\^[^]]*", r"(=|<>|\")", "^ goes with plain labels only",
            "Write -[^nsubj|obj]->, or -[1<>nsubj]->."),
    Mistake("label", r"", r"[*(]", "a label is taken literally",
            r'Write -[re"nsubj.*"]-> for a regular expression, -[1=nsubj]-> for any subtype.'),
    Mistake("label", r"", r"\](?!->)", "a label ends with ]->", "Write X -[nsubj]-> Y."),
    Mistake("label", r"", r",", "labels are separated by |",
            "Write -[nsubj|obj]->; commas separate tests such as 1=nsubj, 2=pass."),
    Mistake("label", r"", r"[|]", "| separates plain labels only", "Write -[1=nsubj|obj]-> or -[nsubj|obj]->."),
    # Constraints
    Mistake("block", r"\w/\w+\s*=\s*", r"([\w.]+)", "X.f/g takes one quoted value", 'Write "{0}".'),
    Mistake("block", r"\d\s*[<>=]+\s*\w+", r"\(", "the operator stands on the left", "Write length(X,Y) > 3."),
    Mistake("block", r"\.\w+\s*(=|<>)\s*[\w\"]+", r"\|", "a constraint takes one value",
            "Write X [upos=VERB|AUX] for a choice."),
    Mistake("block", r"=\s*", "=", "one = is enough", "Write X.f = Y.f."),
    Mistake("block", "", "!=", "“different” is written <>", "Write X.f <> Y.f."),
    Mistake("block", "[;{]\\s*-?\\d+", r"\w", "a name cannot begin with a digit", "Write X1 rather than 1X."),
    Mistake("block", r"[\w\]\"'$*]\s*", r"[\w!*]+", "a semicolon is missing between two clauses",
            "Clauses are separated by ;."),
    # Sentences
    Mistake("global", r"<>\s*(re)?", r'("|/|re)', "global takes no <> with a regular expression",
            'Write without { meta.text = re"…" } beside the pattern.'),
    Mistake("global", r"\w+\s+", r"(\w+)", "a key with a blank cannot be written in a request",
            "Only keys that are one word can be asked for."),
    Mistake("global", "", r"\[|->|-\[", "global is about the sentence, not about its nodes",
            "Put this clause into pattern { … }."),
)  # fmt: skip


def explain(error: UnexpectedInput, source: Source) -> RequestError:
    """Turn a parser error into one that says what is there, what is missing, and what to do."""
    text = source.text
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return _ends_too_early(source)
    start = error.pos_in_stream if error.pos_in_stream is not None else len(text)
    place = Place(text.count("\n", 0, start) + 1, start - (text.rfind("\n", 0, start) + 1) + 1)
    inside, before = surroundings(text[:start])
    word = re.match(r"[A-Za-z_]+", text[start:]) if inside == "request" else None
    close = difflib.get_close_matches(word[0].lower(), ["pattern", "with", "without", "global"], 1) if word else []
    if word and close:
        return source.error(place, f"unknown block {word[0]}", f"Did you mean {close[0]}?")
    for mistake in MISTAKES:
        if mistake.inside not in ("", inside) or not re.search(f"(?:{mistake.before})\\Z", before):
            continue
        match = re.compile(mistake.at).match(text, start)
        if match and (match[0] or not mistake.at):
            group = (match[1] if match.re.groups else "") or ""
            return source.error(place, *(line.replace("{0}", group) for line in (mistake.message, mistake.hint)))
    return source.error(place, f"unexpected “{text[start : start + 1]}”", "See docs/requests.md for the language.")


def surroundings(text: str) -> tuple[str, str]:
    """Return in which brackets `text` ends, and `text` without comments."""
    tokens = re.findall(r'%[^\n]*|"(?:\\.|[^"\\])*"|-\[|\]->|[{}\[\]]|[^%"{}\[\]-]+|.', text, re.DOTALL)
    tokens = [token for token in tokens if not token.startswith("%")]
    opened: list[str] = []
    before = ""
    for token in tokens:
        if token == "{":
            opened.append("global" if re.search(r"\bglobal\s*\Z", before) else "block")
        elif token in ("[", "-["):
            opened.append("bracket" if token == "[" else "label")
        elif token in ("}", "]", "]->") and opened:
            opened.pop()
        before += token
    return (opened[-1] if opened else "request"), before


def _ends_too_early(source: Source) -> RequestError:
    inside, _ = surroundings(source.text)
    missing = {"bracket": "]", "label": "]->"}.get(inside, "}")
    hint = BLOCKS if inside == "request" else f"A {missing} is missing."
    lines = source.text.rstrip().splitlines() or [""]
    return source.error(Place(len(lines), len(lines[-1]) + 1), "the request ends too early", hint)
