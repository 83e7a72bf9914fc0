"""What became of a construction's matches, or of a template's sentences, as the files of the suite tell it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import pyarrow.parquet as pq

from starbank.checksums import check_seal
from starbank.files import read_metadata

_COUNTED = "select reason, count(*) as n from read_parquet($file) group by reason order by n desc, reason"

# More treebanks than these are not named.
_NAMED = 3


@dataclass(frozen=True)
class Yield:
    """What became of a construction's matches; `rejects` counts by reason those that gave no item, most frequent first.

    A template has sentences in place of matches, of which the items are drawn, and a file of others has its items.
    `unchanged` tells that the suite was there already, made from the same; `unmatched` has the treebanks without a
    match, each with what the request asks for and the treebank lacks; `unserved` those that could not be used;
    `searched` large ones of which a share gave as many items as the construction wants, and what share.
    """

    construction: str
    matches: int
    items: int
    rejects: Mapping[str, int]
    unchanged: bool
    unit: str = "matches"
    unmatched: Mapping[str, Sequence[str]] = field(default_factory=dict)
    unserved: Sequence[str] = ()
    searched: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return all this in a line."""
        reasons = [f"{count} {reason}" for reason, count in self.rejects.items()]
        counts = f"{self.construction}: {self.items} items from {self.matches} {self.unit}"
        unserved = [f"not used: {_names(self.unserved)}"] * bool(self.unserved)
        counts += ", unchanged" if self.unchanged else ""
        searched = [f"{share:.1%} of {treebank} was enough" for treebank, share in self.searched.items()]
        return "; ".join([counts, *reasons, *self._absences, *unserved, *searched])

    @property
    def _absences(self) -> list[str]:
        """Why there is no match at all, or in which treebanks there is none."""
        if self.matches:
            return [f"no match in {_names(list(self.unmatched))}"] if self.unmatched else []
        reasons: dict[str, list[str]] = {}
        for treebank, lacks in self.unmatched.items():
            reasons.setdefault(next(iter(lacks), "no match"), []).append(treebank)
        return [f"{reason} ({_names(treebanks)})" for reason, treebanks in reasons.items()]


def _names(treebanks: Sequence[str]) -> str:
    return ", ".join(treebanks) if len(treebanks) <= _NAMED else f"{len(treebanks)} treebanks"


def read_yield(folder: Path, unchanged: bool) -> Yield:
    """Read from a suite's files what became of the matches."""
    items = pq.read_metadata(folder / "items.parquet").num_rows
    file = {"file": str(folder / "rejected.parquet")}
    check_seal(folder / "rejected.parquet")
    rejects = dict(duckdb.cursor().execute(_COUNTED, file).fetchall())
    provenance = read_metadata(folder / "items.parquet")
    if "space" in provenance:
        return Yield(folder.name, provenance["space"], items, rejects, unchanged, "sentences")
    unit = "in the file" if provenance.get("construction", {}).get("imported") else "matches"
    matches = items + sum(rejects.values())
    unmatched, unserved, searched = (provenance.get(name, {}) for name in ("unmatched", "unserved", "searched"))
    return Yield(folder.name, matches, items, rejects, unchanged, unit, unmatched, list(unserved), searched)
