"""Suites and a model -> `scores.parquet`."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from tqdm import tqdm

from starbank.errors import ModelError, UsageError
from starbank.files import failure_file, sha256, write_json, write_parquet
from starbank.scoring.baselines import BASELINES, Baseline
from starbank.scoring.conditions import Text, find_suites, read_conditions, to_texts
from starbank.scoring.journal import (
    OVERWRITE,
    RESULTS,
    SCHEMA,
    SUITE,
    Journal,
    Product,
    look_up,
    read_product,
    require_same_model,
)
from starbank.scoring.language_models import LanguageModel
from starbank.scoring.regions import TokenScores, by_region
from starbank.scoring.sources import BATCH_TOKENS, DTYPES, KINDS, Settings, find_model
from starbank.scoring.training import HeldOut, read_training

logger = logging.getLogger("starbank")

# Part of every key: a change of what docs/metrics.md says makes earlier scores void.
METRICS = "metrics/3"
CONDITION_COLUMNS = (
    *("dataset", "construction", "phenomenon", "language", "treebank", "item_id", "condition"),
    *("grammatical", "against", "regions", "region_names"),
)


class Scorer(Protocol):
    """A language model, seen from here: texts in, log-probabilities of their tokens out.

    `fingerprint` names everything that the scores depend on; `about` goes into the product's metadata.
    """

    name: str
    kind: str
    levels: tuple[str, ...]
    revision: str | None
    fingerprint: str

    @property
    def about(self) -> dict[str, Any]:
        """Provenance beyond name and revision."""
        ...

    def work(self, text: Text) -> int:
        """Estimate the work for `text`, in tokens."""
        ...

    def token_scores(self, texts: Sequence[Text], levels: Sequence[str]) -> dict[str, TokenScores]:
        """Score the tokens of `texts` at some of the scorer's `levels`."""
        ...


def score(
    suites: Sequence[Path],
    model: str,
    output: Path,
    *,
    text: Sequence[Path] = (),
    device: str | None = None,
    batch_tokens: int = BATCH_TOKENS,
    revision: str | None = None,
    kind: str | None = None,
    levels: Sequence[str] = (),
    dtype: str = "float32",
    remote_code: bool = False,
    name: str | None = None,
    overwrite: bool = False,
) -> pa.Table:
    """Score every condition in `suites` with `model` and write `output` (`scores/1` in `docs/formats.md`).

    `suites` are folders with `items.parquet`, directly or one folder below. `model` is `unigram`, `ngram` (trained on
    the files `text`, see `training.read_training`), a folder, or a name on the Hugging Face Hub (at `revision`).
    `kind` (`causal`, `masked`, `encoder-decoder`) is read from the model's configuration unless given, and `levels` are
    all that its kind has (docs/metrics.md). `device`, `dtype`, `batch_tokens` and `remote_code` are as in
    `sources.Settings`.

    `name` is what results call the model, by default the repository or the last part of the folder.

    What an earlier `output` holds of other suites and levels stays, beside what is new, and a score that it holds is
    not computed again; `overwrite` leaves only what is asked for, and lets it replace the scores of another model. A
    run that was killed continues where it stopped, with the same bytes as if it had not been.
    Raises `UsageError` (also where `output` holds anything but scores of this model), `SuiteError` or `ModelError`;
    nothing is written then but finished chunks, and, where it is the model that fails, the reason
    (`files.failure_file`), for the report.
    """
    if batch_tokens < 1:
        raise UsageError(f"a batch needs at least one token, not {batch_tokens}")
    _check_choice("kind of model", kind, KINDS)
    _check_choice("dtype", dtype, DTYPES)
    _check_name(name)
    output = Path(output)
    product = read_product(output)
    settings = Settings(device, dtype, batch_tokens, remote_code)
    try:
        conditions = read_conditions(suites)
        scorer = _find_scorer(model, conditions, text, settings, revision, kind)
        scorer.name = name or scorer.name
        about = _about(scorer, model, revision)
        journal = Journal(output, about)
        if not overwrite:
            journal.require_same_model()
            if product.about:
                require_same_model(product.about, about, output)
        table = _score(scorer, conditions, levels, product, journal, batch_tokens, overwrite)
    except ModelError as error:
        write_json({"model": name or model, "message": str(error)}, failure_file(output))
        raise
    listed = _suites(suites)
    if not overwrite:
        table = _with_other_suites(table, product, listed, output)
        listed = _suites_of(product, listed)
    write_parquet(table, output, SCHEMA, {**about, "suites": listed})
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
    overwrite: bool,
) -> pa.Table:
    """Return the scores of `conditions` at those `levels`, or at all; what `product` and `journal` have is kept.

    Unless they are to be overwritten, scores that `product` has at other levels stay, too.
    """
    texts = to_texts(conditions)
    for level in levels:
        _check_choice(f"level of a {scorer.kind} model", level, scorer.levels)
    asked = {level for level in scorer.levels if not levels or level in levels}
    held = product.results
    known = set() if overwrite else set(held["key"].to_pylist())
    keys = [{level: _key(scorer, level, one) for level in scorer.levels if one.has(level)} for one in texts]
    keys = [{level: key for level, key in own.items() if level in asked or key in known} for own in keys]
    wanted = _missing(texts, keys, conditions["item"].to_numpy(), held)
    computed = _compute(scorer, texts, keys, wanted, journal, batch_tokens)
    return _assemble(scorer, conditions, keys, [held, *computed])


def _with_other_suites(
    table: pa.Table, product: Product, suites: Sequence[Mapping[str, str]], output: Path
) -> pa.Table:
    """Return the new scores of `suites` with those that `product` has of other ones; say what it has of older ones."""
    named = {(suite["dataset"], suite["suite"]) for suite in suites}
    named |= set(zip(*(table[column].to_pylist() for column in SUITE), strict=True))
    replaced, kept = product.split(named)
    gone = set(replaced["item_id"].to_pylist()) - set(table["item_id"].to_pylist()) if len(replaced) else ()
    if gone:
        logger.warning("%s: the scores of %d items that the suites no longer have are dropped", output, len(gone))
    if not len(kept):
        return table
    if kept.schema.names != table.schema.names:
        message = "the output holds scores of other suites in the columns of an earlier version of Starbank"
        raise UsageError(message, file=output, hint=f"It was left as it is. {OVERWRITE}")
    both = pa.concat_tables([kept.cast(table.schema), table])
    return both.take(pc.sort_indices(both, [(column, "ascending") for column in SUITE])).combine_chunks()


def _suites_of(product: Product, suites: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """Return the suites of the metadata of `product`, with new ones in the place of those of the same name."""
    by_name = {(suite["dataset"], suite["suite"]): suite for suite in [*product.about.get("suites", []), *suites]}
    return [by_name[name] for name in sorted(by_name)]


def _find_scorer(
    model: str,
    conditions: pa.Table,
    text: Sequence[Path],
    settings: Settings,
    revision: str | None,
    kind: str | None,
) -> Scorer:
    if model in BASELINES:
        return Baseline(model, read_training(text, HeldOut.of(conditions)))
    return LanguageModel(find_model(model, revision, kind, remote_code=settings.remote_code), settings)


def _check_name(name: str | None) -> None:
    if name is not None and not (name.strip() and name.isprintable()):
        raise UsageError(f"--name {name!r}: this is no name", hint="Write letters, in one line.")


def _check_choice(what: str, chosen: str | None, known: Sequence[str]) -> None:
    if chosen is not None and chosen not in known:
        raise UsageError(f"no such {what}: {chosen}", hint=f"Known: {', '.join(known)}.")


def _key(scorer: Scorer, level: str, text: Text) -> str:
    content = (METRICS, scorer.kind, scorer.fingerprint, level, text.ends, text.target, text.text)
    return hashlib.blake2b(repr(content).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _missing(texts: list[Text], keys: list[dict[str, str]], item: np.ndarray, product: pa.Table) -> list[int]:
    """Return the numbers of distinct texts that `product` lacks: the longest items first, the texts of one together,
    so that batches have little padding and an item's conditions can share computation."""
    known = set(product["key"].to_pylist())
    missing = {tuple(own.values()): n for n, own in enumerate(keys) if not known.issuperset(own.values())}
    longest = np.zeros(item.max(initial=-1) + 1, np.int64)
    np.maximum.at(longest, item, [len(text.text) for text in texts])
    return sorted(missing.values(), key=lambda number: (-longest[item[number]], number))


def _compute(
    scorer: Scorer, texts: list[Text], keys: list[dict[str, str]], wanted: list[int], journal: Journal, chunk_work: int
) -> list[pa.Table]:
    """Return the results for the texts `wanted`: from the journal, or computed now and added to it.

    The chunks depend on `wanted` alone and a batch never crosses a chunk, so a chunk has the same bytes whether it is
    computed now or was before the run was killed.
    """
    computed = [journal.read()]
    done = set(computed[0]["key"].to_pylist())
    with tqdm(total=len(wanted), desc=scorer.name, unit="text", disable=None) as progress:
        for chunk in _chunks(scorer, texts, wanted, chunk_work):
            left = [number for number in chunk if not done.issuperset(keys[number].values())]
            if left:
                computed.append(_score_chunk(scorer, [texts[n] for n in left], [keys[n] for n in left]))
                journal.append(computed[-1])
            progress.update(len(chunk))
    return computed


def _chunks(scorer: Scorer, texts: list[Text], wanted: list[int], chunk_work: int) -> Iterator[list[int]]:
    """Cut `wanted` into chunks of about `chunk_work` tokens."""
    work = np.cumsum([scorer.work(texts[number]) for number in wanted])
    borders = np.flatnonzero(np.diff(work // chunk_work)) + 1
    yield from (chunk.tolist() for chunk in np.split(np.array(wanted, np.int64), borders) if len(chunk))


def _score_chunk(scorer: Scorer, texts: list[Text], keys: list[dict[str, str]]) -> pa.Table:
    tables = []
    levels = [level for level in scorer.levels if any(level in own for own in keys)]
    for level, scores in scorer.token_scores(texts, levels).items():
        key = pa.array([own.get(level) for own in keys], pa.string())
        results = pa.table([key, *by_region(texts, scores, level)], schema=RESULTS)
        tables.append(results.filter(key.is_valid()))
    return pa.concat_tables(tables)


def _assemble(scorer: Scorer, conditions: pa.Table, keys: list[dict[str, str]], results: list[pa.Table]) -> pa.Table:
    """Return the product: by dataset, construction, item, condition and level."""
    rows = [(number, level, key) for number, own in enumerate(keys) for level, key in own.items()]
    of = conditions.take(pa.array([number for number, _, _ in rows], pa.int64()))
    key = pa.array([key for _, _, key in rows], pa.string())
    found = look_up(results, key)
    columns = {
        "model": pa.array([scorer.name] * len(rows), pa.string()),
        "model_kind": pa.array([scorer.kind] * len(rows), pa.string()),
        "level": pa.array([level for _, level, _ in rows], pa.string()),
        **{column: of[column] for column in CONDITION_COLUMNS},
        **{column: found[column] for column in RESULTS.names if column != "key"},
        "key": key,
    }
    return pa.table(columns).combine_chunks()


def _about(scorer: Scorer, model: str, revision: str | None) -> dict[str, Any]:
    """Return what the metadata of the scores says of the model: which it is, and what the scores depend on."""
    return {
        "model": scorer.name,
        "model_kind": scorer.kind,
        "origin": _origin(model),
        "requested_revision": revision,
        "revision": scorer.revision,
        "fingerprint": scorer.fingerprint,
        "metrics": METRICS,
        **scorer.about,
    }


def _origin(model: str) -> str:
    """Return a baseline, a repository, or a folder: below the working folder where it lies there, else absolute."""
    folder = Path(model).expanduser().resolve()
    if model in BASELINES or not folder.is_dir():
        return model
    home = Path.cwd()
    return (folder.relative_to(home) if folder.is_relative_to(home) else folder).as_posix()


def _suites(suites: Sequence[Path]) -> list[Mapping[str, str]]:
    return [
        {"dataset": dataset, "suite": path.parent.name, "sha256": sha256(path)} for dataset, path in find_suites(suites)
    ]
