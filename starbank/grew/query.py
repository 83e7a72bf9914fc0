"""A SQL query under construction: its tables, conditions and parameters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

# A longer list of codes is passed as a parameter: the text stays short, and the plan joins with a hash table.
INLINE = 8


class Parameters:
    """The lists that a query refers to as `$1`, `$2`, …"""

    def __init__(self) -> None:
        self.lists: list[list[int]] = []

    def add(self, numbers: Iterable[int]) -> str:
        """Add a list and return the subquery that yields its numbers."""
        self.lists.append([int(number) for number in numbers])
        return f"SELECT unnest(${len(self.lists)})"

    def membership(self, column: str, numbers: Iterable[int]) -> str:
        """Return the condition that `column` is one of `numbers`."""
        numbers = sorted({int(number) for number in numbers})
        if not numbers:
            return "FALSE"
        if len(numbers) == 1:
            return f"{column} = {numbers[0]}"
        inside = ", ".join(map(str, numbers)) if len(numbers) <= INLINE else self.add(numbers)
        return f"{column} IN ({inside})"


@dataclass
class Select:
    """The FROM and WHERE of one level of a query."""

    tables: list[str] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)

    def where(self, condition: str) -> None:
        """Add a condition, which must hold with all others."""
        if condition != "TRUE" and condition not in self.conditions:
            self.conditions.append(condition)

    def body(self) -> str:
        """Return `FROM … WHERE …`; without tables, only the conditions make sense."""
        conditions = "\n  AND ".join(self.conditions)
        return f"FROM {', '.join(self.tables)}" + (f"\nWHERE {conditions}" if conditions else "")

    def existence(self) -> str:
        """Return the condition that the query has a row."""
        if not self.tables:
            return all_of(self.conditions)
        return f"EXISTS (SELECT 1 {self.body()})"


def all_of(conditions: Iterable[str]) -> str:
    """Join conditions with AND."""
    conditions = [condition for condition in conditions if condition != "TRUE"]
    if "FALSE" in conditions:
        return "FALSE"
    return "(" + " AND ".join(conditions) + ")" if len(conditions) > 1 else (conditions[0] if conditions else "TRUE")


def any_of(conditions: Iterable[str]) -> str:
    """Join conditions with OR."""
    conditions = [condition for condition in conditions if condition != "FALSE"]
    if "TRUE" in conditions:
        return "TRUE"
    return "(" + " OR ".join(conditions) + ")" if len(conditions) > 1 else (conditions[0] if conditions else "FALSE")
