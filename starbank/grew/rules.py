"""Rule text -> a checked rule: a request, and the commands that change what it finds."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from lark import Token, v_args

from starbank.grew import commands, syntax
from starbank.grew.check import check
from starbank.grew.commands import Command, Dotted, Reference
from starbank.grew.lexicons import Lexicon, cut_lexicons, read_lexicon
from starbank.grew.parse import Builder, build
from starbank.grew.request import Request
from starbank.grew.scope import check_names
from starbank.grew.syntax import Name, Source
from starbank.languages import with_words


@dataclass(frozen=True)
class Constraint:
    """A feature of a node must have a value, or where `negated` another one, that a field of a lexicon has."""

    node: str
    feature: str
    lexicon: str
    field: str
    negated: bool


@dataclass(frozen=True)
class Rule:
    """A Grew rule: `commands` are for the matches of `request`, whose `constraints` say which rows of lexicons fit."""

    name: str
    request: Request
    commands: tuple[Command, ...]
    lexicons: Mapping[str, Lexicon]
    constraints: tuple[Constraint, ...]

    @property
    def source(self) -> Source:
        """The text of the rule, and its file."""
        return self.request.source


def parse_rule(text: str, file: Path | None = None, language: str | None = None) -> Rule:
    """Read and check a Grew rule: `rule NAME (lexicons) { pattern { … } … commands { … } }`, and lexicons after it.

    The language is that of Grew 1.20, as docs/rewriting.md describes it, with the lists of `languages/`. Raises
    `RequestError` with file, line, column, the line itself and a hint.
    """
    before, lexicons = cut_lexicons(text, file)
    source = Source(with_words(before, file, language), None if file is None else str(file))
    # Files of lexicons are named before the blocks that ask for them, and read in that order.
    rule: Rule = build("rule", _RuleBuilder(source, lexicons, file))
    return rule


def parse_commands(
    text: str,
    request: Request,
    lexicons: Mapping[str, Lexicon],
    constraints: tuple[Constraint, ...] = (),
    language: str | None = None,
) -> Rule:
    """Read and check commands for the matches of a request, with `;` between them, as `parse_rule` reads a rule's.

    The lines of `text` are those of the request's file, which errors name.
    """
    file = Path(request.source.file) if request.source.file else None
    source = Source(with_words(text, file, language), request.source.file)
    several: tuple[Command, ...] = build("conditions", _RuleBuilder(source, dict(lexicons), file))
    rule = Rule("conditions", request, several, lexicons, constraints)
    check_names(rule, source)
    return rule


@v_args(inline=True)
class _RuleBuilder(Builder):
    """Builds the rule; `lexicons` are those after it, to which those in files are added."""

    def __init__(self, source: Source, lexicons: dict[str, Lexicon], file: Path | None) -> None:
        super().__init__(source)
        self.lexicons = lexicons
        self.path = file
        self.constraints: list[Constraint] = []

    def value(self, token: Token) -> str:
        if token.type in ("ID", "LABEL") and "." in token:
            return Dotted(token)
        return super().value(token)

    # Lexicons

    def file(self, name: Token, _: Token, path: Token) -> None:
        folder = self.path.parent if self.path else Path()
        file = folder / path[1:-1]
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise self.error(f"the lexicon {path} cannot be read: {error}", path) from None
        self.lexicons[str(name)] = read_lexicon(text, file)

    def node_clause(self, node: Token, *alternatives: tuple[syntax.FeatureTest, ...]) -> syntax.Clause:
        several = len(alternatives) > 1
        tests = tuple(tuple(self.resolved(node, test, several) for test in tests) for tests in alternatives)
        return super().node_clause(node, *tests)

    def resolved(self, node: Token, test: syntax.FeatureTest, several: bool) -> syntax.FeatureTest:
        """Return what a test asks for that may name a lexicon."""
        if not isinstance(test, syntax.OneOf) or not any(isinstance(value, Dotted) for value in test.values):
            return test
        if several or len(test.values) > 1:
            hint = "Give each its own rule, or put all values into the lexicon."
            raise self.error(f"{test.values[0]} cannot be one of several", node, hint)
        return self.listed(node, test.feature, test.values[0], test.negated)

    def listed(self, node: Token, feature: Name, entry: str, negated: bool) -> syntax.FeatureTest:
        """Return the test that some row of a lexicon fits, and note which rows those are."""
        lexicon, field = self.entry(entry, node)
        self.constraints.append(Constraint(str(node), feature.text, lexicon, field, negated))
        values = self.lexicons[lexicon].values(field)
        if negated and len(values) > 1:
            return syntax.Present(feature)
        return syntax.OneOf(feature, values, negated)

    def entry(self, word: str, token: Token) -> tuple[str, str]:
        """Return the lexicon and the field that a word with a dot names."""
        lexicon, _, field = word.partition(".")
        if lexicon not in self.lexicons:
            hint = f"Known are {', '.join(self.lexicons)}." if self.lexicons else None
            raise self.error(f"there is no lexicon {lexicon}", token, hint)
        if field not in self.lexicons[lexicon].fields:
            hint = f"It has {', '.join(self.lexicons[lexicon].fields)}."
            raise self.error(f"the lexicon {lexicon} has no field {field}", token, hint)
        return lexicon, field

    def comparison(self, token: Token, sign: Token, right: Token) -> syntax.Clause:
        if right.type == "ID" and right.partition(".")[0] in self.lexicons and sign in ("=", "<>"):
            attribute = self.attribute(token)
            node = Token("ID", attribute.owner.text, line=token.line, column=token.column)
            return syntax.FeatureClause(attribute.owner, self.listed(node, attribute.feature, right, sign == "<>"))
        return super().comparison(token, sign, right)

    # Commands

    def item(self, token: Token, *slices: Token) -> commands.Item:
        if token.type != "ID" or "." not in token:
            if slices:
                token = Token("STRING", f'"{token}"') if token.type == "ID" else token
                start, end = _borders(slices)
                return commands.Text(self.value(token)[start:end])
            return commands.Text(unicodedata.normalize("NFC", self.value(token)))
        return Reference(self.attribute(token), *_borders(slices))

    def set_feature(self, token: Token, _: Token, *items: commands.Item) -> Command:
        return commands.SetFeature(self.attribute(token), items)

    def delete_feature(self, _: Token, token: Token) -> Command:
        return commands.DeleteFeature(self.attribute(token))

    def copying(self, token: Token) -> Token:
        return token

    shifting = moving = order = copying

    def copy_features(self, kind: Token, *tokens: Token) -> Command:
        separator = self.value(tokens[0]) if tokens[0].type == "STRING" else ""
        source, arrow, target = tokens[-3:]
        regexp = self.regexp(arrow) if arrow.type == "REGEXP" else None
        first = kind == "prepend_feats"
        return commands.CopyFeatures(first, separator, self.name(source), regexp, self.name(target))

    def delete_node(self, _: Token, node: Token) -> Command:
        return commands.DeleteNode(self.name(node))

    def add_node(self, _: Token, node: Token, *place: Token) -> Command:
        if not place:
            return commands.AddNode(self.name(node))
        order, site = place
        return commands.AddNode(self.name(node), cast(commands.Order, str(order)), self.name(site))

    def unorder(self, _: Token, node: Token) -> Command:
        return commands.Unorder(self.name(node))

    def insert(self, _: Token, node: Token, order: Token, site: Token) -> Command:
        return commands.Insert(self.name(node), cast(commands.Order, str(order)), self.name(site))

    def delete_phrase(self, _: Token, node: Token) -> Command:
        return commands.DeletePhrase(self.name(node))

    def move(self, kind: Token, node: Token, order: Token, site: Token) -> Command:
        phrase = kind == "move_phrase"
        return commands.Move(phrase, self.name(node), cast(commands.Order, str(order)), self.name(site))

    def add_edge(self, _: Token, source: Token, label: syntax.LabelTest, target: Token) -> Command:
        return commands.AddEdge(None, self.name(source), self.parts(label, source), self.name(target))

    def add_named_edge(self, _: Token, edge: Token, source: Token, __: Token, target: Token) -> Command:
        return commands.AddEdge(self.name(edge), self.name(source), (), self.name(target))

    def delete_edge(self, _: Token, edge: Token) -> Command:
        return commands.DeleteEdge(self.name(edge))

    def delete_labelled_edge(self, _: Token, source: Token, label: syntax.LabelTest, target: Token) -> Command:
        return commands.DeleteEdge(None, self.name(source), self.parts(label, source), self.name(target))

    def parts(self, label: syntax.LabelTest, token: Token) -> tuple[tuple[str, str], ...]:
        """Return the parts of a label that a command gives in full."""
        from starbank.grew.labels import parse_label

        match label:
            case syntax.LabelList((text,), False):
                return tuple(parse_label(text).items())
            case syntax.LabelAtoms(tests):
                values = [(test.feature.text, test.values) for test in tests if isinstance(test, syntax.OneOf)]
                if len(values) == len(tests) and all(len(several) == 1 for _, several in values):
                    return tuple((name, several[0]) for name, several in values)
        raise self.error("an edge has one label", token, "Write one, as in -[obl:tmod]-> or -[1=obl, 2=tmod]->.")

    def shift(self, kind: Token, source: Token, label: syntax.LabelTest, target: Token) -> Command:
        incoming, outgoing = kind != "shift_out", kind != "shift_in"
        return commands.Shift(incoming, outgoing, self.name(source), label, self.name(target))

    def commands(self, _: Token, *several: Command) -> tuple[Command, ...]:
        return several

    def conditions(self, *several: Command) -> tuple[Command, ...]:
        return several

    def rule(self, _: Token, name: Token, *parts: Any) -> Rule:
        blocks = tuple(part for part in parts if isinstance(part, syntax.Block | syntax.GlobalBlock))
        request = check(syntax.Document(self.source, blocks))
        rule = Rule(str(name), request, parts[-1], self.lexicons, tuple(self.constraints))
        check_names(rule)
        return rule


def _borders(tokens: Iterable[Token]) -> tuple[int | None, int | None]:
    """Return what stands before and after the colon of a slice."""
    before, after, borders = None, None, iter(tokens)
    for token in borders:
        if token.type == "COLON":
            after = next(borders, None)
        else:
            before = token
    return tuple(None if token is None else int(token) for token in (before, after))  # type: ignore[return-value]
