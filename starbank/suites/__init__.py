"""The items of a construction: their tables, the pairs view, and the three files of a suite."""

from starbank.suites.files import is_fresh, read_items, touch_suite, write_suite
from starbank.suites.pairs import pairs
from starbank.suites.schemas import ITEMS, PAIRS, REJECTED, Suite
from starbank.suites.select import merge

__all__ = [
    "ITEMS",
    "PAIRS",
    "REJECTED",
    "Suite",
    "is_fresh",
    "merge",
    "pairs",
    "read_items",
    "touch_suite",
    "write_suite",
]
