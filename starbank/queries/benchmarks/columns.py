"""Which column of a table of pairs is what: as people say it, or as published benchmarks are known to have it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from starbank.errors import SuiteError, nearest
from starbank.queries.benchmarks.tables import CLAMS

_HINT = "Say which columns have the pairs: --good and --bad, or `good` and `bad` in the .import file."


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The names of a table's columns.

    - `good` and `bad` have the sentences, or, where there is a `prefix`, what follows that;
    - `id` has the name of a pair, `suite` that of its paradigm, `phenomenon` what that is about, `language` its code;
    - `covariates` have whole numbers.
    """

    good: str
    bad: str
    prefix: str | None = None
    id: str | None = None
    suite: str | None = None
    phenomenon: str | None = None
    language: str | None = None
    covariates: tuple[str, ...] = ()

    @property
    def named(self) -> dict[str, Any]:
        """Those that are there, by what they are."""
        return {name: value for name, value in asdict(self).items() if value}


KEYS = tuple(field.name for field in fields(Columns))


@dataclass(frozen=True)
class Benchmark:
    """A published benchmark: what its columns are called, where it has them, and its language, where it has one."""

    name: str
    columns: Columns
    language: str | None = None


# BLiMP itself has `pairID`, its copy on the Hub `pair_id`.
KNOWN = (
    Benchmark("BLiMP", Columns(good="sentence_good", bad="sentence_bad", id="pairID", suite="UID",
                               phenomenon="linguistics_term")),
    Benchmark("BLiMP", Columns(good="sentence_good", bad="sentence_bad", id="pair_id", suite="UID",
                               phenomenon="linguistics_term")),
    Benchmark("RuBLiMP", Columns(good="source_sentence", bad="target_sentence", id="id", suite="PID",
                                 phenomenon="phenomenon", covariates=("tree_depth",)), "rus"),
    Benchmark("TurBLiMP", Columns(good="good_sentence", bad="bad_sentence", suite="phenomenon"), "tur"),
    Benchmark("MultiBLiMP", Columns(good="sen", bad="wrong_sen", suite="phenomenon", covariates=("distance",))),
    Benchmark("BHS", Columns(prefix="context", good="ending_good", bad="ending_bad")),
    Benchmark("CLAMS", Columns(good=CLAMS[0], bad=CLAMS[1])),
)  # fmt: skip


def find_columns(header: Sequence[str], said: Mapping[str, Any], file: Path) -> tuple[Benchmark | None, Columns]:
    """Return what the columns of a table are, and the benchmark that they are known from, if any.

    What is `said` of them, by the names of `Columns`, goes before what is known. Raises `SuiteError` where a column
    that is said to be there is not, and where neither tells which have the pairs.
    """
    require_columns(_names(said), header, file)
    benchmarks = [bench for bench in KNOWN if {bench.columns.good, bench.columns.bad} <= set(header)]
    if benchmarks and said.get("good", benchmarks[0].columns.good) == benchmarks[0].columns.good:
        best = max(benchmarks, key=lambda bench: bench.columns.id in header)
        return best, replace(_present(best.columns, header), **said)
    if not {"good", "bad"} <= said.keys():
        raise SuiteError(f"has the columns {', '.join(header)}", file=file, line=1, hint=_HINT)
    return None, Columns(**{"language": "language" if "language" in header else None, **said})


def require_columns(names: Iterable[str], header: Sequence[str], file: Path) -> None:
    """Raise `SuiteError` where a table does not have a column that is said to be there."""
    for name in names:
        if name not in header:
            raise SuiteError(f"has no column `{name}`", file=file, line=1, hint=nearest(name, header))


def _names(said: Mapping[str, Any]) -> list[str]:
    return [name for value in said.values() for name in ([value] if isinstance(value, str) else value)]


def _present(columns: Columns, header: Collection[str]) -> Columns:
    """Leave out what a table does not have of what its benchmark has."""
    there = {key: value for key, value in columns.named.items() if value in header}
    covariates = tuple(name for name in columns.covariates if name in header)
    language = "language" if "language" in header else None
    return Columns(**{"language": language, **there, "covariates": covariates})
