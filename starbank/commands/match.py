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
    argument("--by", action="append", default=[], metavar="KEY[,KEY…]",
             help="count matches by features (V.Case), edges (e.label, e.length), order (V#S) and the like"),
    argument("--whether", action="append", dest="by", metavar="CLAUSES", type=lambda clauses: f"{{ {clauses} }}",
             help="count matches by whether these clauses hold; the same as --by '{ CLAUSES }'"),
    INGESTED_OPTION,
)  # fmt: skip
def match(options: argparse.Namespace) -> None:
    """Search treebanks with a Grew request; each match is a line with the words it binds."""
    from starbank.grew import Engine, parse_request, to_jsonl
    from starbank.grew.clusters import add_up, cluster, parse_keys
    from starbank.grew.counts import to_json_lines, to_table
    from starbank.grew.keys import split_keys
    from starbank.grew.text import to_text
    from starbank.treebanks import open_treebank

    if options.count and (options.jsonl or options.by):
        raise UsageError(f"--{'jsonl' if options.jsonl else 'by'} and --count exclude each other")
    text, file = read_query(options.query)
    request = parse_request(text, file)
    keys = [key for keys in options.by for key in split_keys(keys)]
    parse_keys(keys, request)
    total, counts = 0, []
    for reference in options.treebanks:
        treebank = open_treebank(reference, options.ingested)
        engine = Engine(treebank)
        for warning in engine.warnings(request):
            say(f"warning: {treebank.name}: {warning}")
        if options.count:
            total += engine.count(request)
        elif keys:
            counts.append(cluster(engine, request, keys, treebank.name))
        else:
            lines = (to_jsonl if options.jsonl else to_text)(engine.match(request), treebank)
            sys.stdout.writelines(f"{line}\n" for line in lines)
    if options.count:
        print(total)
    if keys:
        lines = (to_json_lines if options.jsonl else to_table)(add_up(counts, keys))
        sys.stdout.writelines(f"{line}\n" for line in lines)


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
