"""Suites and a model -> `scores.parquet`."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import ModelError, UsageError
from starbank.files import failure_file, sha256, write_json, write_parquet
from starbank.scoring.chunks import compute, make_key
from starbank.scoring.conditions import find_suites, read_conditions, to_texts
from starbank.scoring.journal import (
    OVERWRITE,
    RESULTS,
    SCHEMA,
    SCORES,
    SUITE,
    Journal,
    Product,
    look_up,
    read_product,
    require_same_model,
)
from starbank.scoring.scorers import Scorer, check_settings, describe, find_scorer
from starbank.scoring.sources import AUTO, BATCH_TOKENS, Settings, require_choice
from starbank.scoring.training import HeldOut

logger = logging.getLogger("starbank")


def score(
    suites: Sequence[Path],
    model: str,
    output: Path,
    *,
    text: Sequence[Path] = (),
    device: str | None = None,
    gpus: int = 1,
    batch_tokens: int = BATCH_TOKENS,
    revision: str | None = None,
    adapter: str | None = None,
    kind: str | None = None,
    levels: Sequence[str] = (),
    dtype: str = AUTO,
    quantize: str | None = None,
    remote_code: bool = False,
    beginning: bool = True,
    name: str | None = None,
    overwrite: bool = False,
) -> pa.Table:
    """Score every condition in `suites` with `model` and write `output` (`scores/1` in `docs/formats.md`).

    `suites` are folders with `items.parquet`, directly or one folder below. `model` is `unigram`, `ngram`, `characters`
    (trained on the files `text`, see `training.read_training`), a folder, or a name on the Hugging Face Hub (at
    `revision`), maybe with an `adapter` on top, likewise a folder or a name.
    `kind` (`causal`, `masked`, `encoder-decoder`) is read from the model's configuration unless given, and `levels` are
    all that its kind has (docs/metrics.md). `device`, `dtype`, `batch_tokens`, `remote_code`, `beginning` and
    `quantize` are as in `sources.Settings`; of the model so many `gpus` have a copy each.

    `name` is what results call the model, by default the repository or the last part of the folder.

    What an earlier `output` holds of other suites and levels stays, beside what is new, and a score that it holds is
    not computed again; `overwrite` leaves only what is asked for, and lets it replace the scores of another model. A
    run that was killed continues where it stopped, with the same bytes as if it had not been.
    Raises `UsageError` (also where `output` holds anything but scores of this model), `SuiteError` or `ModelError`;
    nothing is written then but finished chunks, and, where it is the model that fails, the reason
    (`files.failure_file`), for the report.
    """
    settings = Settings(device, dtype, batch_tokens, remote_code, beginning, quantize)
    check_settings(settings, kind, name, gpus)
    output = Path(output)
    product = read_product(output)
    try:
        conditions = read_conditions(suites)
        held_out = HeldOut.of(conditions)
        scorer = find_scorer(
            model, settings, text=text, held_out=held_out, revision=revision, kind=kind, adapter=adapter, name=name
        )
        about = describe(scorer, model, revision)
        journal = Journal(output, about)
        if not overwrite:
            journal.require_same_model()
            if product.about:
                require_same_model(product.about, about, output)
        table = _score(scorer, conditions, levels, product, journal, batch_tokens, gpus, overwrite)
    except ModelError as error:
        write_json({"model": name or model, "message": str(error)}, failure_file(output))
        raise
    files = find_suites(suites)
    scored = [{"dataset": dataset, "suite": path.parent.name, "sha256": sha256(path)} for dataset, path in files]
    if not overwrite:
        table = _with_earlier_suites(table, product, scored, output)
        scored = _suites_of(product, scored)
    write_parquet(table, output, SCHEMA, {**about, "suites": scored})
    journal.remove(None if overwrite else table["key"])
    failure_file(output).unlink(missing_ok=True)
    return table


def _score(
    scorer: Scorer,
    conditions: pa.Table,
    levels: Sequence[str],
    product: Product,
    journal: Journal,
    batch_tokens: int,
    gpus: int,
    overwrite: bool,
) -> pa.Table:
    """Return the scores of `conditions` at those `levels`, or at all; what `product` and `journal` have is kept.

    Unless they are to be overwritten, scores that `product` has at other levels stay, too.
    """
    texts = to_texts(conditions)
    for level in levels:
        require_choice(f"level of a {scorer.kind} model", level, scorer.levels)
    earlier = product.results
    scored = set(earlier["key"].to_pylist())
    stays = set() if overwrite else scored
    keys = [{level: make_key(scorer, level, text) for level in scorer.levels if text.has(level)} for text in texts]
    keys = [
        {level: key for level, key in by_level.items() if level in (levels or scorer.levels) or key in stays}
        for by_level in keys
    ]
    results = compute(scorer, texts, keys, conditions["item"].to_numpy(), earlier, journal, batch_tokens, gpus)
    return _assemble(scorer, conditions, keys, results)


def _with_earlier_suites(
    table: pa.Table, product: Product, suites: Sequence[Mapping[str, str]], output: Path
) -> pa.Table:
    """Return the new scores of `suites` with those that `product` has of others; say which items these have lost."""
    named = {(suite["dataset"], suite["suite"]) for suite in suites}
    named |= set(zip(*(table[column].to_pylist() for column in SUITE), strict=True))
    replaced, others = product.split(named)
    dropped = set(replaced["item_id"].to_pylist()) - set(table["item_id"].to_pylist()) if len(replaced) else ()
    if dropped:
        logger.warning("%s: the scores of %d items that the suites no longer have are dropped", output, len(dropped))
    if not len(others):
        return table
    if others.schema.names != table.schema.names:
        message = "the output holds scores of other suites in the columns of an earlier version of Starbank"
        raise UsageError(message, file=output, hint=f"It was left as it is. {OVERWRITE}")
    whole = pa.concat_tables([others.cast(table.schema), table])
    return whole.take(pc.sort_indices(whole, [(column, "ascending") for column in SUITE])).combine_chunks()


def _suites_of(product: Product, suites: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """Return the suites of the metadata of `product`, with new ones in the place of those of the same name."""
    by_name = {(suite["dataset"], suite["suite"]): suite for suite in [*product.about.get("suites", []), *suites]}
    return [by_name[name] for name in sorted(by_name)]


def _assemble(scorer: Scorer, conditions: pa.Table, keys: list[dict[str, str]], results: list[pa.Table]) -> pa.Table:
    """Return the product: by dataset, construction, item, condition and level."""
    rows = [(number, level, key) for number, by_level in enumerate(keys) for level, key in by_level.items()]
    repeated = conditions.take(pa.array([number for number, _, _ in rows], pa.int64()))
    scores = look_up(results, pa.array([key for _, _, key in rows], pa.string()))
    columns = {
        "model": [scorer.name] * len(rows),
        "model_kind": [scorer.kind] * len(rows),
        "level": [level for _, level, _ in rows],
        **{name: repeated[name] for name in repeated.column_names},
        **{name: scores[name] for name in RESULTS.names},
    }
    return pa.table({name: columns[name] for name in SCORES.names}, schema=SCORES).combine_chunks()
