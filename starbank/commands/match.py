"""The command `match`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from starbank.commands.declare import INGESTED_OPTION, TREEBANK, argument, command, say
from starbank.errors import UsageError


def whole_number(text: str) -> int:
    """Read a number that counts something."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


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
    argument("--limit", type=whole_number, metavar="N", help="end the search after the first N matches"),
    argument("--explain", action="store_true", help="show the SQL that the request becomes, and the rows of each step"),
    INGESTED_OPTION,
)  # fmt: skip
def match(options: argparse.Namespace) -> None:
    """Search treebanks with a Grew request; each match is a line with the words it binds."""
    from pyarrow import Table

    from starbank.grew import Engine, parse_request, to_jsonl
    from starbank.grew.clusters import add_up, cluster, parse_keys
    from starbank.grew.counts import to_json_lines, to_table
    from starbank.grew.engine import common_warnings
    from starbank.grew.keys import split_keys
    from starbank.grew.text import to_text
    from starbank.treebanks import open_parts

    if options.limit is not None and (options.count or options.by):
        raise UsageError(f"--{'count' if options.count else 'by'} and --limit exclude each other")
    if options.count and (options.jsonl or options.by):
        raise UsageError(f"--{'jsonl' if options.jsonl else 'by'} and --count exclude each other")
    text, file = read_query(options.query)
    request = parse_request(text, file)
    keys = [key for keys in options.by for key in split_keys(keys)]
    parse_keys(keys, request)
    total, counts, left = 0, [], options.limit
    for reference in options.treebanks:
        warnings = []
        # Parts of a treebank are searched one after the other, as treebanks are: only one is in memory.
        for treebank in open_parts(reference, options.ingested):
            engine = Engine(treebank)
            warnings.append(engine.warnings(request))
            if options.explain:
                print(engine.explain(request))
                break
            if options.count:
                total += engine.count(request)
            elif keys:
                counts.append(cluster(engine, request, keys, treebank.name))
            else:
                for batch in engine.batches(request, left):
                    lines = (to_jsonl if options.jsonl else to_text)(Table.from_batches([batch]), treebank)
                    sys.stdout.writelines(f"{line}\n" for line in lines)
                    left = None if left is None else left - batch.num_rows
                if left == 0:
                    break
        for warning in common_warnings(warnings):
            say(f"warning: {treebank.name}: {warning}")
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
