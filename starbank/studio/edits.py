"""A construction file grows: settings and blocks are added to its text, all else stays as somebody wrote it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from starbank.documents import read_settings
from starbank.grew import parse_request

FENCE = "% ---"
_ANY = Path("query.grew")


def has_settings(text: str) -> bool:
    """Tell whether a text is more than a request."""
    return any(line.strip() == FENCE for line in text.splitlines())


def target_of(text: str) -> str | None:
    """Return the node that is to vary, None where none is, or several are."""
    settings = read_settings(text, _ANY).value if has_settings(text) else {}
    target = settings.get("target")
    return target if isinstance(target, str) else None


def begin(request: str, *, title: str, language: str, treebank: str, target: str) -> str:
    """Return the construction of a request, in which nothing varies yet."""
    settings = {"title": title, "language": language, "treebanks": f"[{treebank}]", "target": target}
    lines = [FENCE, *(f"% {key}: {value}" for key, value in settings.items()), FENCE]
    return "\n".join(lines) + f"\n{request.strip()}\n"


def vary(text: str, target: str, feature: str, values: Sequence[str], controller: str | None = None) -> str:
    """Return a construction in which now a feature of the node `target` varies, which `controller` decides.

    What else says what varies goes: `conditions`, and what goes with commands.
    """
    text = with_setting(text, "target", [f"% target: {target}"])
    for key in ("conditions", "unless", "obligatory", "lexicons"):
        text = with_setting(text, key, [])
    text = with_setting(text, "vary", _vary(feature, values))
    return with_setting(text, "controller", [f"% controller: {controller}"] if controller else [])


def with_setting(text: str, key: str, lines: Sequence[str]) -> str:
    """Return a construction whose setting `key` is these lines, none of them taking it away.

    Raises `ConstructionError` where the settings cannot be read.
    """
    settings = read_settings(text, _ANY)
    written = text.splitlines()
    fences = [number for number, line in enumerate(written) if line.strip() == FENCE]
    # Each key goes on to the next, or to the end of the settings.
    begins = sorted(settings[name].line - 1 for name in settings.value)
    if key in settings.value:
        first = settings[key].line - 1
        last = next((line for line in (*begins, fences[1]) if line > first), fences[1])
    else:
        first = last = fences[1]
    return "\n".join([*written[:first], *lines, *written[last:]]) + "\n"


def with_block(text: str, block: str) -> str:
    """Return a request or construction with one more block; raises `RequestError` where that makes no sense."""
    longer = f"{text.rstrip()}\n{block.strip()}\n"
    parse_request(longer)
    return longer


def _vary(feature: str, values: Sequence[str]) -> list[str]:
    # A request has `Number__psor` for what UD and settings call `Number[psor]`.
    name = re.sub("__([a-z]+)$", r"[\1]", feature)
    return ["% vary:", f"%   {name}: [{', '.join(values)}]"]
