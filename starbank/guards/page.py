"""docs/guards.md, made of the registry: `python -m starbank.guards.page > docs/guards.md`."""

from __future__ import annotations

from collections.abc import Iterator

from starbank.guards.examples import Example, read_examples
from starbank.guards.judge import ALL_GUARDS
from starbank.guards.registry import Certainty, Guard
from starbank.guards.requests import REQUEST_GUARDS, Clause

_HEAD = """\
# Guards: why a sentence is not starred

A starred sentence must really be wrong. A **hard** guard rejects a match, which then stands in `rejected.parquet` with
the guard's name as its `reason`, and a `detail` in words. Of several that apply the first counts, in the order of this
page. A **soft** guard only makes an item suspicious: `starbank check` shows the most suspicious ones first.

Each guard is one entry of `starbank/guards/`, with the query that finds its cases and the example that is shown here,
which is also its test. The numbers that guards judge by, and why, are in `starbank/guards/thresholds.py`. This page is
written by `python -m starbank.guards.page`.

What a linguist knows of a construction stands in its request, as a `without` block. Some reasons in `rejected.parquet`
come from no guard: `duplicate item` (the same sentences twice), `beyond the limit` (a construction that wants fewer
items), and `no match of the request`, which is said of nonce sentences that the request refuses.
"""

_REQUESTS = """\
## Guards in requests

`starbank new` writes these as `without` blocks into the requests that it proposes, each where it leaves out a match.
What stands in braces is a node, or what else differs from request to request.
"""


def to_markdown() -> str:
    """Return the page."""
    parts = [_HEAD]
    examples = {example.guard: example for example in read_examples()}
    for certainty, title in ((Certainty.HARD, "## Hard guards"), (Certainty.SOFT, "## Soft guards")):
        guards = {guard.name: guard for guard in ALL_GUARDS if guard.certainty is certainty}
        parts += [title, *("\n".join(_entry(guard, examples[name])) for name, guard in guards.items())]
    parts += [_REQUESTS, "\n".join(_line(name, guard) for name, guard in REQUEST_GUARDS.items())]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _entry(guard: Guard, example: Example) -> Iterator[str]:
    yield f"### {guard.name}\n"
    yield f"{guard.why}\n"
    yield f"> {example.text}  "
    yield f"> {example.starred.replace('*', chr(92) + '*', 1)} ({example.gloss})\n"
    yield f"It says: {example.detail}."


def _line(name: str, guard: Clause) -> str:
    return f"- {name}: `without {{ {guard.text} }}`. {guard.comment}"


if __name__ == "__main__":
    print(to_markdown(), end="")
