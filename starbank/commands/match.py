"""The command `match`."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from starbank.commands.by_name import FETCH_OPTION, bring
from starbank.commands.colour import wants_colour
from starbank.commands.declare import ENGINE_OPTION, INGESTED_OPTION, TREEBANK, argument, command, say
from starbank.errors import UsageError

if TYPE_CHECKING:
    from pyarrow import Table

    from starbank.grew import Engine, Request
    from starbank.grew.grewpy_engine import GrewpyEngine
    from starbank.treebanks import Treebank


# How many trees are drawn unasked.
DRAWN = 100


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
    argument("--show", action="store_true", help="print the matched sentences, their bound words highlighted"),
    argument("--svg", type=Path, metavar="DIR",
             help=f"draw each match as a tree in DIR; the first {DRAWN} unless --limit says otherwise"),
    argument("--enhanced", action="store_true", help="with --svg: draw enhanced edges too"),
    argument("--colour", choices=("auto", "always", "never"), default="auto",
             help="with --show: by default where stdout is a terminal, as NO_COLOR and FORCE_COLOR have it"),
    argument("--explain", action="store_true", help="show the SQL that the request becomes, and the rows of each step"),
    ENGINE_OPTION,
    FETCH_OPTION,
    INGESTED_OPTION,
    place=5,
)  # fmt: skip
def match(options: argparse.Namespace) -> None:
    """Search treebanks with a Grew request; each match is a line with the words it binds."""
    from starbank.grew import parse_request
    from starbank.grew.clusters import add_up, parse_keys
    from starbank.grew.counts import to_json_lines, to_table
    from starbank.grew.engine import common_warnings, open_engine
    from starbank.grew.graph import READ
    from starbank.grew.keys import split_keys
    from starbank.treebanks import open_columns, open_parts

    require_one_output(options)
    text, file = read_query(options.query)
    request = parse_request(text, file)
    keys = [key for keys in options.by for key in split_keys(keys)]
    parse_keys(keys, request)
    printer = Printer(options, request)
    bring(options.treebanks, options)
    columns = None if options.show or options.svg or options.engine == "grewpy" else READ
    total, counts = 0, []
    for reference in options.treebanks:
        warnings = []
        # Parts of a treebank are searched one after the other, as treebanks are: only one is in memory.
        parts = (
            open_columns(reference, options.ingested, columns) if columns else open_parts(reference, options.ingested)
        )
        for treebank in parts:
            engine = open_engine(options.engine, treebank)
            warnings.append(engine.warnings(request))
            if options.explain:
                print(engine.explain(request))
                break
            if options.count:
                total += engine.count(request)
            elif keys:
                counts.append(engine.cluster(request, keys, treebank.name))
            else:
                printer.print(engine, treebank)
                if printer.left == 0:
                    break
        for warning in common_warnings(warnings):
            say(f"warning: {treebank.name}: {warning}")
    if options.count:
        print(total)
    if keys:
        lines = (to_json_lines if options.jsonl else to_table)(add_up(counts, keys))
        sys.stdout.writelines(f"{line}\n" for line in lines)
    printer.close()


def require_one_output(options: argparse.Namespace) -> None:
    """Refuse options that exclude each other."""
    outputs = [name for name in ("count", "by", "show", "svg", "explain") if getattr(options, name)]
    outputs += ["jsonl"] if options.jsonl and "by" not in outputs else []
    outputs += ["limit"] if options.limit is not None and {"count", "by"} & set(outputs) else []
    if len(outputs) > 1:
        raise UsageError(f"--{outputs[0]} and --{outputs[1]} exclude each other")


class Printer:
    """Prints or draws matches as the options say, as long as some are `left` to be printed (None: all)."""

    def __init__(self, options: argparse.Namespace, request: Request) -> None:
        """Print nothing yet."""
        self.options = options
        self.request = request
        self.left: int | None = DRAWN if options.svg and options.limit is None else options.limit
        self.drawn = 0

    def print(self, engine: Engine | GrewpyEngine, treebank: Treebank) -> None:
        """Print the matches in a treebank, as they are found."""
        from pyarrow import Table

        for batch in engine.batches(self.request, self.left):
            matches = Table.from_batches([batch])
            if self.options.svg:
                self.draw(matches, treebank)
            else:
                sys.stdout.writelines(f"{line}\n" for line in self.lines(matches, treebank))
            self.left = None if self.left is None else self.left - batch.num_rows

    def lines(self, matches: Table, treebank: Treebank) -> Iterator[str]:
        """Yield the lines that tell of matches."""
        from starbank.grew.output import to_jsonl, to_text
        from starbank.grew.show import to_sentences

        if self.options.show:
            return to_sentences(matches, treebank, wants_colour(self.options.colour))
        return (to_jsonl if self.options.jsonl else to_text)(matches, treebank)

    def draw(self, matches: Table, treebank: Treebank) -> None:
        """Write a picture of each match, named by its number and sentence."""
        from starbank.files import require_free, write_text
        from starbank.grew.show import picture_name, to_trees

        for sent_id, picture in to_trees(matches, treebank, self.request, self.options.enhanced):
            self.drawn += 1
            path = self.options.svg / picture_name(self.drawn, sent_id)
            require_free({path: picture})
            write_text(picture, path)

    def close(self) -> None:
        """Say what was drawn."""
        if self.options.svg:
            say(f"{self.options.svg}: {self.drawn} drawn")
            if self.left == 0 and self.options.limit is None:
                say(f"There may be more than {DRAWN}: --limit says how many to draw.")


def read_query(query: str) -> tuple[str, Path | None]:
    """Return the text of a request and the file it stands in, if any."""
    if query == "-":
        return sys.stdin.read(), None
    from starbank.documents import read_text

    path = Path(query)
    if "{" in query or (re.search(r"[\[;]|->", query) and not path.is_file()):
        return query, None
    if not path.is_file():
        raise UsageError(
            "there is no such file", file=query, hint="QUERY is a file with a Grew request, or the request."
        )
    return read_text(path), path
