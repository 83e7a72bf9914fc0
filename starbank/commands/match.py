"""The command `match`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from starbank.commands.declare import INGESTED_OPTION, TREEBANK, argument, command, say
from starbank.errors import UsageError


@command(
    "starbank match queries/kat/transitive-erg-nom-subj.grew treebanks/sample/UD_Georgian-Sample --count",
    argument("query", metavar="QUERY", help="a file with a Grew request, the request itself, or - for standard input"),
    argument("treebanks", nargs="+", metavar="TREEBANK", help=TREEBANK),
    argument("--jsonl", action="store_true", help="print each match as a line of JSON"),
    argument("--count", action="store_true", help="print the number of matches only"),
    INGESTED_OPTION,
)
def match(options: argparse.Namespace) -> None:
    """Search treebanks with a Grew request; each match is a line with the words it binds."""
    from starbank.grew import Engine, parse_request, to_jsonl
    from starbank.grew.text import to_text
    from starbank.treebanks import open_treebank

    if options.jsonl and options.count:
        raise UsageError("--jsonl and --count exclude each other")
    text, file = read_query(options.query)
    request = parse_request(text, file)
    total = 0
    for reference in options.treebanks:
        treebank = open_treebank(reference, options.ingested)
        engine = Engine(treebank)
        for warning in engine.warnings(request):
            say(f"warning: {treebank.name}: {warning}")
        if options.count:
            total += engine.count(request)
        else:
            lines = (to_jsonl if options.jsonl else to_text)(engine.match(request), treebank)
            sys.stdout.writelines(f"{line}\n" for line in lines)
    if options.count:
        print(total)


def read_query(query: str) -> tuple[str, Path | None]:
    """Return the text of a request and the file it stands in, if any."""
    if query == "-":
        return sys.stdin.read(), None
    if "{" in query:
        return query, None
    path = Path(query)
    if not path.is_file():
        raise UsageError(
            "there is no such file", file=query, hint="QUERY is a file with a Grew request, or the request."
        )
    return path.read_text(encoding="utf-8"), path
