"""The command `rewrite`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from starbank.commands.by_name import FETCH_OPTION, bring
from starbank.commands.declare import INGESTED_OPTION, TREEBANK, argument, command, say
from starbank.errors import UsageError


@command(
    "starbank rewrite no-object.grs treebanks/sample/UD_English-Sample --jsonl",
    argument("rule", type=Path, metavar="RULE", help="a file with a Grew rule: a request and commands"),
    argument("treebanks", nargs="+", metavar="TREEBANK", help=TREEBANK),
    argument("--jsonl", action="store_true", help="print each graph as a line of JSON, with the match that it is of"),
    FETCH_OPTION,
    INGESTED_OPTION,
    place=5,
)  # fmt: skip
def rewrite(options: argparse.Namespace) -> None:
    """Apply a Grew rule once to each of its matches, and print the graphs that it makes as CoNLL-U."""
    import json

    from starbank.grew import Engine
    from starbank.grew.rewriting import rewritings
    from starbank.grew.rules import parse_rule
    from starbank.treebanks import open_parts

    try:
        text = options.rule.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"cannot be read: {error}", file=options.rule, hint="RULE is a file with a Grew rule."
        ) from None
    rule = parse_rule(text, options.rule)
    made = failed = 0
    bring(options.treebanks, options)
    for reference in options.treebanks:
        for treebank in open_parts(reference, options.ingested):
            for several in rewritings(rule, treebank, Engine(treebank)):
                graphs = [each for each in several if each.error is None]
                for number, each in enumerate(several if options.jsonl else graphs):
                    if options.jsonl:
                        print(json.dumps(each.to_json(), ensure_ascii=False))
                    else:
                        # As Grew names them, where a sentence gives several.
                        sent_id = f"{each.sent_id}_{number}" if len(graphs) > 1 else each.sent_id
                        sys.stdout.write(each.conllu(sent_id))
                for each in several:
                    if each.error is not None and not options.jsonl:
                        say(f"warning: {treebank.name}: {each.sent_id}: {each.error}")
                made += len(graphs)
                failed += len(several) - len(graphs)
    say(f"{made} graphs" + (f"; {failed} matches cannot be rewritten" if failed else ""))
