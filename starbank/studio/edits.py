"""A construction file grows: settings and blocks are added to its text, all else stays as somebody wrote it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from starbank.documents import read_settings
from starbank.errors import UsageError
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


def change(text: str, condition: str, command: str) -> str:
    """Return a construction with one more condition, starred, that a command makes of the sentence.

    What says which feature varies goes, since a construction has either. Raises `UsageError` where it has a condition
    of that name.
    """
    for key in ("vary", "controller"):
        text = with_setting(text, key, [])
    settings = read_settings(text, _ANY).value
    present = settings.get("conditions") or {}
    if condition in present:
        raise UsageError(f"there is a condition {condition!r} already")
    lines = text.splitlines()
    first, last = _lines_of(text, "conditions")
    written = lines[first:last] if present else ["% conditions:"]
    return with_setting(text, "conditions", [*written, f"%   {condition}:", f"%     - {command}"])


def with_setting(text: str, key: str, lines: Sequence[str]) -> str:
    """Return a construction whose setting `key` is these lines, none of them taking it away.

    Raises `ConstructionError` where the settings cannot be read.
    """
    written = text.splitlines()
    first, last = _lines_of(text, key)
    return "\n".join([*written[:first], *lines, *written[last:]]) + "\n"


def _lines_of(text: str, key: str) -> tuple[int, int]:
    """Return where the lines of a setting begin and end, both at the end of all settings where there is no such."""
    settings = read_settings(text, _ANY)
    end = [number for number, line in enumerate(text.splitlines()) if line.strip() == FENCE][1]
    if key not in settings.value:
        return end, end
    # Each key goes on to the next.
    begins = sorted(settings[name].line - 1 for name in settings.value)
    first = settings[key].line - 1
    return first, next((line for line in begins if line > first), end)


def with_block(text: str, block: str) -> str:
    """Return a request or construction with one more block; raises `RequestError` where that makes no sense."""
    longer = f"{text.rstrip()}\n{block.strip()}\n"
    parse_request(longer)
    return longer


def _vary(feature: str, values: Sequence[str]) -> list[str]:
    # A request has `Number__psor` for what UD and settings call `Number[psor]`.
    name = re.sub("__([a-z]+)$", r"[\1]", feature)
    return ["% vary:", f"%   {name}: [{', '.join(values)}]"]
