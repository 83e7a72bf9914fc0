"""Commands about forms: `lexicon build`, `lexicon report`, `inflect`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from starbank.commands.by_name import FETCH_OPTION, bring
from starbank.commands.declare import INGESTED_OPTION, TREEBANK, argument, command, output, say

if TYPE_CHECKING:
    from starbank.treebanks import Treebank

_LEXICON = argument(
    "lexicon", metavar="LEXICON", help="a lexicon.parquet, or a language whose lexicon lies in outputs/lexicons"
)
_THRESHOLD = argument("--threshold", type=float, help="the confidence from which forms are predicted (default: 0.90)")


@command(
    "starbank lexicon build UD_Georgian-GLC UD_Georgian-GNC -o outputs/lexicons/kat.parquet",
    argument("treebanks", nargs="+", metavar="TREEBANK", help=TREEBANK),
    argument("--unimorph", nargs="+", action="extend", type=Path, default=[], metavar="FILE_OR_FOLDER",
             help="UniMorph's paradigms, named by their language: treebanks/unimorph/hin"),
    output("FILE", "the lexicon, as Parquet"),
    FETCH_OPTION,
    INGESTED_OPTION,
    place=4,
)  # fmt: skip
def lexicon_build(options: argparse.Namespace) -> None:
    """Collect the forms that treebanks attest, with those that UniMorph has, and learn to inflect from them."""
    from starbank.morphology.files import write_lexicon
    from starbank.morphology.unimorph import unimorph_files
    from starbank.morphology.words import READ
    from starbank.progress import shown
    from starbank.treebanks import open_parts

    bring(options.treebanks, options)
    for path in options.unimorph:
        if not unimorph_files(path):
            say(f"{path} has no paradigms of {path.name}")
    with shown(len(options.treebanks), "lexicon", " treebanks") as done:

        def parts() -> Iterator[Treebank]:
            for reference in options.treebanks:
                yield from open_parts(reference, options.ingested, READ)
                done(1)

        forms, untaught = write_lexicon(parts(), options.output, options.unimorph)
    say(f"{forms} forms -> {options.output}")
    if untaught:
        say(f"too few forms to learn inflection from: {', '.join(untaught)}")


@command(
    "starbank lexicon report kat",
    _LEXICON,
    argument("--lemma-only", action="store_true", help="predict from the lemma alone, without another form of it"),
    argument("--by", default="upos", metavar="NAME", help="a feature, such as Case, or `upos` (the default)"),
    _THRESHOLD,
    argument("--plot", type=Path, metavar="FILE.svg", help="where a reliability diagram goes"),
    place=4,
)
def lexicon_report(options: argparse.Namespace) -> None:
    """Measure learned inflection on forms held out with their lemmas: accuracy, coverage, calibration."""
    from starbank.morphology import THRESHOLD, read_lexicon
    from starbank.morphology.evaluation import hold_out, reliability, tally

    threshold = THRESHOLD if options.threshold is None else options.threshold
    held_out = hold_out(read_lexicon(_lexicon_path(options.lexicon)), given=not options.lemma_only)
    print(f"{options.by:<12}  cells  right  sure  right if sure  confidence")
    for row in tally(held_out, threshold, options.by).to_pylist():
        sure = f"{'-':>13}  {'-':>10}"
        if row["right"] is not None:
            sure = f"{row['right']:>13.1%}  {row['confidence']:>10.3f}"
        print(f"{row['by']:<12}  {row['cells']:>5}  {row['all_right']:>5.1%}  {row['sure']:>4.0%}  {sure}")
    print("\nconfidence   cells  right")
    for row in reliability(held_out).to_pylist():
        figures = f"{row['cells']:>5}  {row['right']:>5.1%}  (told {row['confidence']:.1%})"
        print(f"{row['low']:.2f}-{row['high']:.2f}    {figures}")
    if options.plot:
        from starbank.files import require_free, write_text
        from starbank.morphology.diagrams import reliability_svg

        picture = reliability_svg({Path(options.lexicon).stem: held_out}, threshold)
        require_free({options.plot: picture})
        write_text(picture, options.plot)
        say(f"reliability -> {options.plot}")


@command(
    "starbank inflect kat --lemma კაცი --upos NOUN --feats 'Case=Erg|Number=Sing'",
    _LEXICON,
    argument("--lemma"),
    argument("--upos"),
    argument("--feats", default="", help="the features of the form that is wanted"),
    argument("--form", default="", help="a known form of the lemma, such as the one that is to be replaced"),
    argument("--form-feats", default="", metavar="FEATS", help="the features of the known form"),
    argument("--cells", metavar="FILE",
             help="many at once: a line for each cell with these five columns, tabs between, the last two optional; "
             "`-` reads the standard input"),
    _THRESHOLD,
    place=20,
)  # fmt: skip
def inflect(options: argparse.Namespace) -> None:
    """Print the forms of a lemma in a cell, best first: form, source, count, confidence.

    With `--cells` each line begins with lemma, UPOS and features, and one without a form has nothing after them.
    """
    from starbank.errors import UsageError
    from starbank.morphology import THRESHOLD, Lexicon, read_lexicon
    from starbank.morphology.cell_files import cell_table, read_cells

    if bool(options.cells) == bool(options.lemma and options.upos):
        raise UsageError("one cell is asked for by --lemma and --upos, many by --cells")
    if options.cells:
        cells = read_cells(options.cells)
    else:
        cells = cell_table(options.lemma, options.upos, options.feats, options.form, options.form_feats)
    threshold = THRESHOLD if options.threshold is None else options.threshold
    table = Lexicon(read_lexicon(_lexicon_path(options.lexicon))).forms(cells, threshold=threshold)
    forms: dict[int, list[str]] = {}
    for row in table.to_pylist():
        form = "\t".join(str(row[name]) for name in ("form", "source", "count", "confidence"))
        forms.setdefault(row["row"], []).append(form)
    for cell in cells.to_pylist() if options.cells else ():
        parts = "\t".join(cell[name] for name in ("lemma", "upos", "feats"))
        forms[cell["row"]] = [f"{parts}\t{form}" for form in forms.get(cell["row"], ["\t\t\t"])]
    for row in sorted(forms):
        print(*forms[row], sep="\n")
    if not table.num_rows:
        lemmas = options.lemma or "these lemmas"
        say(f"no form of {lemmas} is known or predicted with a confidence of {threshold}")


def _lexicon_path(reference: str) -> Path:
    """Return the file of a lexicon that is named by its path or its language."""
    path = Path(reference)
    return path if path.suffix == ".parquet" else Path("outputs/lexicons") / f"{reference}.parquet"
