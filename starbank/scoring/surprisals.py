"""Passages and a model -> log-probabilities of their words and tokens, with the characters that these are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import UsageError
from starbank.files import atomic, require_own, sha256, write_parquet
from starbank.scoring.chunks import compute, make_key
from starbank.scoring.conditions import SENTENCE, Text
from starbank.scoring.journal import OVERWRITE, RESULTS, Journal, look_up
from starbank.scoring.passages import STANDARD_INPUT, Passage, to_text
from starbank.scoring.regions import TokenScores, find_regions
from starbank.scoring.scorers import check_settings, describe, find_scorer
from starbank.scoring.sources import AUTO, BATCH_TOKENS, Settings, require_choice
from starbank.scoring.training import HeldOut

SCHEMA = "surprisals/1"
WORD, TOKEN = "word", "token"
UNITS = (WORD, TOKEN)
TSV = ".tsv"
SURPRISALS = pa.schema(
    [(name, pa.string()) for name in ("model", "level", "file", "passage")]
    + [("line", pa.int32()), ("unit", pa.string())]
    + [(name, pa.int32()) for name in ("word", "token", "start", "end", "tokens")]
    + [("logprob", pa.float64()), ("surprisal", pa.float64())]
)


def score_passages(
    passages: Sequence[Passage],
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
    units: Sequence[str] = UNITS,
    strings: bool = False,
    name: str | None = None,
    overwrite: bool = False,
) -> pa.Table:
    """Score the words and tokens of `passages` with `model` and write `output` (`surprisals/1` in `docs/formats.md`).

    `output` is Parquet, or, where its name ends in `.tsv`, text with tabs. `model` and what is said of it are as in
    `run.score`; `levels` are of those for sentences, by default the first. `units` are words, tokens, or both; with
    `strings` there is a column `string`: words as they stand in the text, tokens as the tokenizer has them.
    A file that is there is replaced with `overwrite` only. A run that was killed continues where it stopped.
    Raises `UsageError` or `ModelError`; nothing is written then but finished chunks.
    """
    settings = Settings(device, dtype, batch_tokens, remote_code, beginning, quantize)
    check_settings(settings, kind, name, gpus)
    for unit in units:
        require_choice("unit", unit, UNITS)
    _require_free(output, overwrite)
    held_out = HeldOut(frozenset(line for passage in passages for line in passage.lines), frozenset())
    scorer = find_scorer(
        model, settings, text=text, held_out=held_out, revision=revision, kind=kind, adapter=adapter, name=name
    )
    known = [level for level in scorer.levels if level.startswith(SENTENCE)]
    levels = list(dict.fromkeys(levels)) or known[:1]
    for level in levels:
        require_choice(f"level of a {scorer.kind} model for texts that are no suite", level, known)
    about = describe(scorer, model, revision)
    journal = Journal(output, about)
    if not overwrite:
        journal.require_same_model()
    texts = [to_text(passage) for passage in passages]
    keys = [{level: make_key(scorer, level, text) for level in levels} for text in texts]
    item = np.arange(len(texts))
    results = compute(scorer, texts, keys, item, RESULTS.empty_table(), journal, batch_tokens, gpus)
    token_strings = pa.array(chain.from_iterable(scorer.token_strings(texts))) if strings else None
    tables = []
    for level in levels:
        given = look_up(results, pa.array([by_level[level] for by_level in keys], pa.string()))
        rows = _assemble(passages, texts, given, units, token_strings)
        tables.append(_with_constants(rows, model=scorer.name, level=level))
    table = pa.concat_tables(tables)
    _write(table, output, {**about, "files": _sums(passages)})
    journal.remove()
    return table


def _require_free(output: Path, overwrite: bool) -> None:
    """Raise `UsageError` where something would be overwritten that nobody gave up."""
    if output.suffix != TSV:
        require_own(output, SCHEMA)
    if output.exists() and not overwrite:
        raise UsageError("there is such a file already", file=output, hint=f"It was left as it is. {OVERWRITE}")


def _assemble(
    passages: Sequence[Passage],
    texts: Sequence[Text],
    results: pa.Table,
    units: Sequence[str],
    token_strings: pa.Array | None,
) -> pa.Table:
    """Return a row per word and token of the passages, whose `results` these are: by passage and word, a word before
    its tokens. The columns are those of `SURPRISALS` from `file` on, and `string` where there are `token_strings`."""
    counts = pc.list_value_length(results["token_logprobs"]).to_numpy()
    logprob, start, end = (
        pc.list_flatten(results[name]).to_numpy() for name in ("token_logprobs", "token_starts", "token_ends")
    )
    scores = TokenScores(np.repeat(np.arange(len(texts)), counts), start, end, logprob)
    spans = np.concatenate([passage.words for passage in passages])
    passage = np.repeat(np.arange(len(texts)), [len(text.ends) for text in texts])
    region = find_regions(texts, scores)
    # A context is no part of what was asked for.
    asked = spans[:, 0] >= np.array([len(passage.before) for passage in passages])[passage]
    tokens = np.bincount(region, minlength=len(spans))
    # The sum is no number where a token has none: nothing predicts it, or the model failed.
    sums = np.where(tokens > 0, np.bincount(region, weights=logprob, minlength=len(spans)), np.nan)
    word, token = _number(passage, asked), _number(scores.text, asked[region])
    none = np.zeros(len(spans), np.int64)
    rows = {
        WORD: _locate(passages, WORD, passage, word, none, spans[:, 0], spans[:, 1], tokens, sums),
        TOKEN: _locate(passages, TOKEN, scores.text, word[region], token, start, end, np.ones_like(start), logprob),
    }
    if token_strings is not None:
        whole = [text.text for text in texts]
        words = [whole[number][first:last] for number, (first, last) in zip(passage, spans.tolist(), strict=True)]
        rows[WORD] = rows[WORD].append_column("string", pa.array(words, pa.string()))
        rows[TOKEN] = rows[TOKEN].append_column("string", token_strings)
    kept = {WORD: asked, TOKEN: asked[region]}
    table = pa.concat_tables([rows[unit].filter(pa.array(kept[unit])) for unit in UNITS if unit in units])
    order = [(name, "ascending") for name in ("place", "word")] + [("unit", "descending"), ("token", "ascending")]
    return table.take(pc.sort_indices(table, order)).drop_columns("place")


def _number(passage: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Return the number, from 1, of each of what was asked for in its passage; passages are in order."""
    running = np.concatenate([[0], np.cumsum(asked)])
    numbers: np.ndarray = running[1:] - running[np.searchsorted(passage, passage)]
    return numbers


def _locate(
    passages: Sequence[Passage],
    unit: str,
    place: np.ndarray,
    word: np.ndarray,
    token: np.ndarray,
    start: np.ndarray,
    end: np.ndarray,
    tokens: np.ndarray,
    logprob: np.ndarray,
) -> pa.Table:
    """Return rows of one unit, the characters `start` and `end` of passages as those of their lines."""
    base = np.concatenate([[0], np.cumsum([len(passage.text) + 1 for passage in passages])])
    begins = np.concatenate([first + passage.starts for first, passage in zip(base[:-1], passages, strict=True)])
    lines = [line for passage in passages for line in passage.lines]
    line = np.searchsorted(begins, base[place] + start, side="right") - 1
    length = np.fromiter(map(len, lines), np.int64, len(lines))[line]
    # A token may hold the end of its line, and more.
    start, end = (np.minimum(base[place] + border - begins[line], length) for border in (start, end))
    numbers = np.array([number for passage in passages for number in passage.numbers])[line]
    names = {
        name: pa.array([getattr(passage, attribute) for passage in passages], pa.string()).take(pa.array(place))
        for name, attribute in (("file", "file"), ("passage", "name"))
    }
    columns = {
        **names,
        "line": numbers,
        "unit": pa.array([unit] * len(place), pa.string()),
        "word": word,
        "token": pa.array(token, mask=np.full(len(token), unit == WORD)),
        "start": start,
        "end": end,
        "tokens": tokens,
        "logprob": pa.array(logprob, pa.float64(), from_pandas=True),
        "surprisal": pa.array(-logprob / np.log(2), pa.float64(), from_pandas=True),
    }
    table = pa.table({name: pa.array(columns[name]).cast(SURPRISALS.field(name).type) for name in columns})
    return table.append_column("place", pa.array(place))


def _with_constants(table: pa.Table, **constants: str) -> pa.Table:
    """Return a table with columns before its own that have one value each."""
    arrays = [pa.array([value] * len(table), pa.string()) for value in constants.values()]
    return pa.table([*arrays, *table.columns], names=[*constants, *table.column_names])


def _sums(passages: Sequence[Passage]) -> list[dict[str, str]]:
    """Return the files that passages are from, with their SHA-256; what standard input was, is not there any more."""
    files = dict.fromkeys(passage.file for passage in passages)
    return [
        {"name": file, **({} if Path(file) == STANDARD_INPUT else {"sha256": sha256(Path(file))})} for file in files
    ]


def _write(table: pa.Table, output: Path, about: dict[str, object]) -> None:
    if output.suffix != TSV:
        write_parquet(table, output, SCHEMA, about)
        return
    from starbank.scratch import scratch  # DuckDB is wanted here alone.

    with atomic(output) as temporary, scratch() as connection:
        connection.from_arrow(table).write_csv(str(temporary), sep="\t")
