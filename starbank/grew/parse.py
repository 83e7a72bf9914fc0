"""Request text -> syntax tree."""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path
from typing import Any, cast

from lark import Lark, Token, Transformer, Tree, UnexpectedInput, v_args
from lark.exceptions import VisitError

from starbank.errors import RequestError
from starbank.grammars import open_parser
from starbank.grew import syntax
from starbank.grew.mistakes import explain
from starbank.grew.names import number_text
from starbank.grew.regexps import compile_regexp
from starbank.grew.syntax import Clause, FeatureTest, LabelTest, Measure, Name, Place, Regexp, Relation, Source

# The words of Grew's rule language: a name or an unquoted value cannot be one of them.
RESERVED = frozenset(
    {"pattern", "with", "without", "global", "include", "import", "from", "package", "rule", "strat", "commands"}
    | {"add_edge", "del_edge", "shift", "shift_in", "shift_out", "add_node", "del_node", "unorder", "insert"}
    | {"del_feat", "append_feats", "prepend_feats", "del_phrase", "move_node", "move_phrase"}
    | {"Pick", "Alt", "Seq", "Iter", "If", "Try", "Empty", "Onf"}
)

# Each with what it is when its sides change places.
INEQUALITIES: dict[str, syntax.Comparison] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def parse(text: str, file: Path | None = None) -> syntax.Document:
    """Read the request `text`; `file` is named in errors.

    Raises `RequestError` with line, column and a hint where Grew's grammar does not allow the text.
    """
    source = Source(text, None if file is None else str(file))
    return syntax.Document(source, build("start", Builder(source)))


def build(start: str, builder: Builder) -> Any:
    """Return what a builder makes of its source: a request (`start`), a rule (`rule`) or commands (`conditions`).

    Raises `RequestError` as `parse` does.
    """
    source = builder.source
    try:
        tree = _parser().parse(source.text, start=start)
    except UnexpectedInput as error:
        raise explain(error, source) from None
    try:
        return builder.transform(tree)
    except (VisitError, RecursionError) as error:
        cause = error.orig_exc if isinstance(error, VisitError) else error
        if isinstance(cause, RequestError):
            raise cause from None
        if isinstance(cause, RecursionError):
            raise RequestError("the request is nested too deeply to be read", file=source.file) from None
        raise


def block_texts(text: str) -> list[tuple[str, str]]:
    """Return the keyword of each block of a request that can be read, and what stands between its braces."""
    blocks = []
    for block in _parser().parse(text, start="start").children:
        assert isinstance(block, Tree)
        keyword = block.children[0]
        assert isinstance(keyword, Token)
        begin = text.index("{", keyword.end_pos) + 1
        blocks.append((str(keyword), text[begin : block.meta.end_pos - 1]))
    return blocks


@cache
def _parser() -> Lark:
    return open_parser(
        "starbank.grew",
        "grammar.lark",
        maybe_placeholders=False,
        propagate_positions=True,
        start=["start", "rule", "conditions"],
    )


def _place(token: Token) -> Place:
    return Place(token.line or 1, token.column or 1)


def _unescape(text: str) -> str:
    r"""Undo `\"` and `\\`; any other backslash stays."""
    pieces: list[str] = []
    characters = iter(text)
    for character in characters:
        if character == "\\":
            following = next(characters, "")
            character = following if following in ('"', "\\") else character + following
        pieces.append(character)
    return "".join(pieces)


def _comparison(token: Token) -> syntax.Comparison:
    return cast(syntax.Comparison, {"≤": "<=", "≥": ">="}.get(token, str(token)))


@v_args(inline=True)
class Builder(Transformer[Token, Any]):
    """Builds the typed tree, checking what a single name or value can get wrong."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self.source = source

    # Names and values

    def error(self, message: str, token: Token, hint: str | None = None) -> RequestError:
        return self.source.error(_place(token), message, hint)

    def word(self, token: Token) -> str:
        if token in RESERVED:
            raise self.error(f"“{token}” is a word of Grew's rule language", token, f'Quote it as a value: "{token}".')
        return str(token)

    def name(self, token: Token, what: str = "name") -> Name:
        word = self.word(token)
        if "." in word:
            hint = "X.f = value asks for the feature f of the node X; a name itself has no dot."
            raise self.error(f"a {what} cannot have a dot: {word}", token, hint)
        return Name(word, _place(token))

    def attribute(self, token: Token) -> syntax.Attribute:
        parts = self.word(token).split(".")
        if len(parts) != 2 or not all(parts):
            node = parts[0]
            hint = f"{node} [] declares a node, {node} [upos=VERB] describes it, {node}.upos = VERB tests it."
            raise self.error(f"“{token}” should be a node or edge with one feature, as in X.Case", token, hint)
        owner, feature = parts
        place = _place(token)
        return syntax.Attribute(Name(owner, place), Name(feature, Place(place.line, place.column + len(owner) + 1)))

    def value(self, token: Token) -> str:
        if token.type == "STRING":
            return unicodedata.normalize("NFC", _unescape(token[1:-1]))
        if token.type == "NUMBER":
            # As Grew prints it, as a float: `03` and `3.0` are both `3`.
            return number_text(float(token))
        if token.type == "ID" and "." in self.word(token):
            hint = f'Quote a value with a dot: "{token}".'
            raise self.error(f"“{token}” would be an entry of a lexicon, and a request has no lexicons", token, hint)
        return str(token)

    def regexp(self, token: Token) -> Regexp:
        if token.type == "REGEXP":
            regexp = Regexp(_unescape(token[3:-1]), "str")
        else:
            ignore_case = token.endswith("i")
            body = str(token[1:-2] if ignore_case else token[1:-1]).replace("\\\\", "\\")
            regexp = Regexp(body, "perl", ignore_case)
        try:
            compile_regexp(regexp)
        except ValueError as error:
            raise self.error(f"this regular expression cannot be read: {error}", token) from None
        return regexp

    # Tests of one feature

    def feature(self, token: Token) -> Name:
        return Name(str(token), _place(token)) if token.type == "LABEL" else self.name(token, "feature name")

    def texts(self, tokens: tuple[Token, ...]) -> tuple[str, ...]:
        return tuple(map(self.value, tokens))

    def present(self, feature: Token, *_: Token) -> FeatureTest:
        return syntax.Present(self.feature(feature))

    def absent(self, feature: Token) -> FeatureTest:
        return syntax.Absent(self.feature(feature))

    def one_of(self, feature: Token, _: Token, values: tuple[Token, ...]) -> FeatureTest:
        texts = self.texts(values)
        # In a bracket a lone "*" means presence, as if it were not quoted; in a longer list it is the character.
        return syntax.Present(self.feature(feature)) if texts == ("*",) else syntax.OneOf(self.feature(feature), texts)

    def none_of(self, feature: Token, _: Token, values: tuple[Token, ...]) -> FeatureTest:
        return syntax.OneOf(self.feature(feature), self.texts(values), negated=True)

    def matches(self, feature: Token, sign: Token, regexp: Token) -> FeatureTest:
        return syntax.Matches(self.feature(feature), self.regexp(regexp), negated=sign == "<>")

    def otherwise(self, first: Token, _: Token, value: Token, second: Token, __: Token, fallback: Token) -> FeatureTest:
        return syntax.Otherwise(self.feature(first), self.value(value), self.feature(second), self.value(fallback))

    # Labels

    def any_label(self, _: Token) -> LabelTest:
        return syntax.LabelList((), negated=True)

    def label_list(self, *labels: Token) -> LabelTest:
        return syntax.LabelList(self.texts(labels))

    def label_exclusion(self, *labels: Token) -> LabelTest:
        return syntax.LabelList(self.texts(labels), negated=True)

    def label_regexp(self, regexp: Token) -> LabelTest:
        return syntax.LabelRegexp(self.regexp(regexp))

    def label_atoms(self, *tests: FeatureTest) -> LabelTest:
        return syntax.LabelAtoms(tests)

    # Clauses

    def node_clause(self, node: Token, *alternatives: tuple[FeatureTest, ...]) -> Clause:
        return syntax.NodeClause(self.name(node, "node name"), alternatives)

    def edge_clause(self, source: Token, label: LabelTest, target: Token, edge: Token | None = None) -> Clause:
        return syntax.EdgeClause(
            None if edge is None else self.name(edge, "edge name"),
            None if source == "*" else self.name(source, "node name"),
            label,
            None if target == "*" else self.name(target, "node name"),
            _place(edge or (target if source == "*" else source)),
        )

    def named_edge_clause(self, edge: Token, source: Token, label: LabelTest, target: Token) -> Clause:
        return self.edge_clause(source, label, target, edge)

    def presence_clause(self, token: Token, *_: Token) -> Clause:
        attribute = self.attribute(token)
        return syntax.FeatureClause(attribute.owner, syntax.Present(attribute.feature))

    def absence_clause(self, token: Token) -> Clause:
        attribute = self.attribute(token)
        return syntax.FeatureClause(attribute.owner, syntax.Absent(attribute.feature))

    def equal_clause(self, token: Token, sign: Token, right: Token) -> Clause:
        if "." not in token and right.type == "ID" and "." not in right:
            hint = f"Two nodes are always different. Compare a feature of theirs: {token}.lemma = {right}.lemma."
            raise self.error("= compares features, not nodes", token, hint)
        return self.comparison(token, sign, right)

    def unequal_clause(self, token: Token, sign: Token, right: Token) -> Clause:
        if "." not in token and right.type == "ID" and "." not in right:
            return syntax.RelationClause(self.name(token), "<>", self.name(right))
        return self.comparison(token, sign, right)

    def comparison(self, token: Token, sign: Token, right: Token) -> Clause:
        attribute = self.attribute(token)
        if right.type == "ID" and "." in right:
            return syntax.CompareClause(attribute, _comparison(sign), self.attribute(right))
        if right.type in ("REGEXP", "PERL_REGEXP"):
            test: FeatureTest = syntax.Matches(attribute.feature, self.regexp(right), negated=sign == "<>")
        else:
            test = syntax.OneOf(attribute.feature, (self.value(right),), negated=sign == "<>")
        return syntax.FeatureClause(attribute.owner, test)

    def otherwise_clause(self, token: Token, fallback: Token, _: Token, value: Token) -> Clause:
        attribute, text = self.attribute(token), self.value(value)
        test = syntax.Otherwise(attribute.feature, text, self.feature(fallback), text)
        return syntax.FeatureClause(attribute.owner, test)

    def relation_clause(self, left: Token, relation: Token, right: Token) -> Clause:
        sign = _comparison(relation)
        if ("." in left) != ("." in right):
            hint = "Compare two nodes (X < Y), two features (X.f < Y.f), or a feature and a number (X.f < 3)."
            raise self.error(f"{sign} cannot stand between {left} and {right}", left, hint)
        if "." in left:
            if sign not in INEQUALITIES:
                raise self.error(f"{sign} stands between nodes or edges, not between features", relation)
            return syntax.CompareClause(self.attribute(left), sign, self.attribute(right))
        if sign in ("<=", ">="):
            hint = f"{left} < {right} and {left} << {right} order nodes; {sign} compares numbers."
            raise self.error(f"{sign} cannot compare nodes", relation, hint)
        if sign in (">", ">>"):
            return syntax.RelationClause(self.name(right), "<" if sign == ">" else "<<", self.name(left))
        return syntax.RelationClause(self.name(left), cast(Relation, sign), self.name(right))

    def number_clause(self, token: Token, relation: Token, number: Token) -> Clause:
        return syntax.CompareClause(self.attribute(token), _comparison(relation), float(number))

    def turned_number_clause(self, number: Token, relation: Token, token: Token) -> Clause:
        return syntax.CompareClause(self.attribute(token), INEQUALITIES[_comparison(relation)], float(number))

    def constants_clause(self, left: Token, relation: Token, right: Token) -> Clause:
        raise self.error(f"{left} {relation} {right} compares two constants", left, "One side should be X.f.")

    def measure(self, operator: Token, *nodes: Token) -> Measure:
        return Measure(self.name(operator), tuple(self.name(node, "node name") for node in nodes))

    def measure_clause(self, left: Measure, relation: Token, right: Measure | Token) -> Clause:
        if isinstance(right, Measure):
            return syntax.CompareClause(left, _comparison(relation), right)
        if "." in right:
            raise self.error(f"{left.operator.text} gives whole numbers, not {right}", right)
        return syntax.CompareClause(left, _comparison(relation), int(right))

    # Blocks

    def structure(self, name: Token) -> syntax.GlobalClause:
        return syntax.Structure(self.name(name))

    def block(self, keyword: Token, *clauses: Any) -> syntax.Block | syntax.GlobalBlock:
        if keyword.type == "GLOBAL":
            return syntax.GlobalBlock(clauses)
        return syntax.Block(cast(syntax.Kind, str(keyword)), clauses, _place(keyword))

    def values(self, *parts: Any) -> tuple[Any, ...]:
        return parts

    bracket = start = values
