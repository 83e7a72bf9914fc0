"""A proposal as a construction file, each line of which is explained."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from starbank.pipeline.proposals.proposal import CASE, Proposal
from starbank.treebanks import Treebank

WIDTH = 110

_QUESTIONS = (
    "Is the starred sentence wrong in every reading: as a question, a command, a fragment, in another tense?",
    "May an argument go unsaid, so that the starred form finds another place in the sentence?",
    "Which words may have either value (collective nouns, quantities, titles, plurals of respect)?",
)


def to_construction(proposal: Proposal, treebank: Treebank) -> str:
    """Return the text of a construction file for a proposal from `treebank`."""
    lines = ["% ---", *_settings(proposal, treebank), "% ---", "%", *_evidence(proposal, treebank), "pattern {"]
    for clause in proposal.pattern:
        lines += [*_comment(clause.comment, "  "), f"  {clause.text};"]
    lines += ["}", ""]
    for clause in proposal.without:
        lines += [*_comment(clause.comment), f"without {{ {clause.text} }}"]
    return "\n".join([*lines, "", *_advice(proposal)]) + "\n"


def _settings(proposal: Proposal, treebank: Treebank) -> Iterator[str]:
    yield f"% title: {proposal.title}"
    yield "% # The ISO 639-3 code of the language."
    yield f"% language: {treebank.language or 'und'}"
    yield f"% phenomenon: {proposal.phenomenon}"
    yield "% # Where to look; more treebanks of the language give more items, and know more forms."
    yield f"% treebanks: [{treebank.name}]"
    yield "% # The node of the request whose form changes."
    yield f"% target: {proposal.target}"
    yield "% # What changes in it: the value in the text is grammatical, each other value makes a starred sentence."
    yield "% vary:"
    if None in proposal.values:
        for value in proposal.values:
            yield f"%   {(value or 'none').lower()}: {{{proposal.feature}: {value or '~'}}}"
    else:
        yield f"%   {proposal.feature}: [{', '.join(value or '' for value in proposal.values)}]"
    if proposal.feature == "Case" and not proposal.controller:
        yield "% # What agrees with it in case changes along, so that only what governs it tells."
        yield "% concord:"
        noun = proposal.target
        clauses = f"{noun} -[1=amod|det|nummod|acl, !enhanced]-> M; M [upos<>NOUN|PROPN]; M.Case = {noun}.Case"
        yield f'%   M: "{clauses}"'
    if proposal.relax:
        yield "% # These come and go with it, so a form may differ in them too."
        yield f"% relax: [{', '.join(proposal.relax)}]"
    if proposal.controller:
        yield "% # The node that the target agrees with. A match is left out where it is coordinated or a quantity,"
        yield "% # or may have the other value too; items tell how far off it is, and how many are in between."
        yield f"% controller: {proposal.controller}"


def _evidence(proposal: Proposal, treebank: Treebank) -> Iterator[str]:
    what = {
        "agreement": f"agree in {proposal.feature}",
        "government": f"have the {proposal.feature} that goes with the word that governs them",
        CASE: f"have {proposal.feature}={proposal.values[0]}",
    }[proposal.phenomenon]
    evidence = (
        f"Proposed by `starbank new` from counts in {treebank.name}: of {proposal.cases} such words, "
        f"{proposal.holds:.1%} {what}; by chance it would be {proposal.chance:.1%}. The request below has "
        f"{proposal.matches} matches; in {proposal.attested} of them the treebank attests all forms that are needed, "
        "the others must come from other sources."
    )
    yield from _comment(evidence)
    if proposal.example:
        yield from _comment(f"For example: {proposal.example}")


def _advice(proposal: Proposal) -> Iterator[str]:
    yield from _comment("Now read what comes of it, `starbank check` with this file, and ask:")
    for question in _QUESTIONS:
        yield from _comment(f"- {question}")
    yield from _comment("What should not be starred is left out by a block such as this one, without its `% `:")
    node = proposal.controller or proposal.target
    yield f'% without {{ {node} [lemma="…"|"…"] }}'


def _comment(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=f"{indent}% ", subsequent_indent=f"{indent}% ")
