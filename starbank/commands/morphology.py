"""Commands about forms: `lexicon build`, `lexicon report`, `inflect`."""

from __future__ import annotations

import argparse
from pathlib import Path

from starbank.commands.declare import INGESTED_OPTION, TREEBANK, argument, command, output, say

_LEXICON = argument(
    "lexicon", metavar="LEXICON", help="a lexicon.parquet, or a language whose lexicon lies in outputs/lexicons"
)
_THRESHOLD = argument("--threshold", type=float, help="the confidence from which forms are predicted (default: 0.94)")


@command(
    "starbank lexicon build UD_Georgian-GLC UD_Georgian-GNC -o outputs/lexicons/kat.parquet",
    argument("treebanks", nargs="+", metavar="TREEBANK", help=TREEBANK),
    argument(
        "--unimorph",
        nargs="+",
        action="extend",
        type=Path,
        default=[],
        metavar="FILE_OR_FOLDER",
        help="UniMorph's paradigms, named by their language: treebanks/unimorph/hin",
    ),
    output("FILE", "the lexicon, as Parquet"),
    INGESTED_OPTION,
)
def lexicon_build(options: argparse.Namespace) -> None:
    """Collect the forms that treebanks attest, with those that UniMorph has, and learn to inflect from them."""
    from starbank.morphology.files import write_lexicon
    from starbank.morphology.unimorph import unimorph_files
    from starbank.treebanks import open_treebank

    for path in options.unimorph:
        if not unimorph_files(path):
            say(f"{path} has no paradigms of {path.name}")
    treebanks = [open_treebank(reference, options.ingested) for reference in options.treebanks]
    forms, untaught = write_lexicon(treebanks, options.output, options.unimorph)
    say(f"{forms} forms -> {options.output}")
    if untaught:
        say(f"too few forms to learn inflection from: {', '.join(untaught)}")


@command(
    "starbank lexicon report kat",
    _LEXICON,
    argument("--lemma-only", action="store_true", help="predict from the lemma alone, without another form of it"),
    argument("--by", default="upos", metavar="NAME", help="a feature, such as Case, or `upos` (the default)"),
    _THRESHOLD,
)
def lexicon_report(options: argparse.Namespace) -> None:
    """Measure learned inflection on forms held out with their lemmas: accuracy, coverage, calibration."""
    from starbank.morphology import THRESHOLD, read_lexicon
    from starbank.morphology.evaluation import hold_out, reliability, tally

    threshold = THRESHOLD if options.threshold is None else options.threshold
    held_out = hold_out(read_lexicon(_lexicon_path(options.lexicon)), given=not options.lemma_only)
    print(f"{options.by:<12}  cells  right  sure  right if sure  confidence")
    for row in tally(held_out, threshold, options.by).to_pylist():
        sure = (
            f"{row['right']:>13.1%}  {row['confidence']:>10.3f}"
            if row["right"] is not None
            else f"{'-':>13}  {'-':>10}"
        )
        print(f"{row['by']:<12}  {row['cells']:>5}  {row['all_right']:>5.1%}  {row['sure']:>4.0%}  {sure}")
    print("\nconfidence   cells  right")
    for row in reliability(held_out).to_pylist():
        told = f"{row['cells']:>5}  {row['right']:>5.1%}  (told {row['confidence']:.1%})"
        print(f"{row['low']:.2f}-{row['high']:.2f}    {told}")


@command(
    "starbank inflect kat --lemma კაცი --upos NOUN --feats 'Case=Erg|Number=Sing'",
    _LEXICON,
    argument("--lemma", required=True),
    argument("--upos", required=True),
    argument("--feats", default="", help="the features of the form that is wanted"),
    argument("--form", help="a known form of the lemma, such as the one that is to be replaced"),
    argument("--form-feats", metavar="FEATS", help="the features of the known form"),
    _THRESHOLD,
)
def inflect(options: argparse.Namespace) -> None:
    """Print the forms of a lemma in a cell, best first: form, source, count, confidence."""
    import numpy as np
    import pyarrow as pa

    from starbank.errors import UsageError
    from starbank.morphology import THRESHOLD, Lexicon, read_lexicon
    from starbank.treebanks.arrays import integers, texts
    from starbank.treebanks.features import format_features, parse_features

    try:
        wanted, known = (
            format_features(parse_features(text or "")) or "" for text in (options.feats, options.form_feats)
        )
    except ValueError as error:
        raise UsageError(f"`{error}` is no feature", hint="Features are written Case=Erg|Number=Sing.") from error
    cell = {"lemma": options.lemma, "upos": options.upos, "feats": wanted, "use": None}
    cell |= {"own_form": options.form or "", "own_feats": known if options.form else ""}
    columns = {name: texts([value]) for name, value in cell.items()}
    threshold = THRESHOLD if options.threshold is None else options.threshold
    lexicon = Lexicon(read_lexicon(_lexicon_path(options.lexicon)))
    found = lexicon.forms(pa.table({"row": integers(np.array([1])), **columns}), threshold=threshold)
    for row in found.to_pylist():
        print(row["form"], row["source"], row["count"], row["confidence"], sep="\t")
    if not found.num_rows:
        say(f"no form of {options.lemma} is known or predicted with a confidence of {threshold}")


def _lexicon_path(reference: str) -> Path:
    """Return the file of a lexicon that is named by its path or its language."""
    path = Path(reference)
    return path if path.suffix == ".parquet" else Path("outputs/lexicons") / f"{reference}.parquet"
