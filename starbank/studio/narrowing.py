"""A value of a key that matches were counted by -> the request of those matches alone."""

from __future__ import annotations

import re
from itertools import pairwise

from starbank.errors import UsageError
from starbank.grew import Request
from starbank.grew.keys import MULTI, NONE, Whether, parse_key
from starbank.studio.vocabulary import quoted


def narrow(text: str, request: Request, key: str, value: str | None) -> str:
    """Return the text of `request` with a block more, so that its matches are those with a value of a key.

    Raises `UsageError` where no clause says so.
    """
    block = _block(request, key.strip(), value)
    parse_key(key, request)
    return f"{text.rstrip()}\n{block}\n"


def can_narrow(request: Request, key: str, value: str | None) -> bool:
    """Tell whether a clause says that matches have a value of a key."""
    try:
        _block(request, key.strip(), value)
    except UsageError:
        return False
    return True


def _block(request: Request, key: str, value: str | None) -> str:
    if key.startswith("{"):
        return Whether(key).block("with" if value == "Yes" else "without")
    if "#" in key and value:
        nodes = value.split(" << ")
        return f"pattern {{ {'; '.join(f'{a} << {b}' for a, b in pairwise(nodes))} }}"
    if (link := re.fullmatch(r"(\S+?)\s*->\s*(\S+)", key)) and value not in (None, MULTI):
        if value == NONE:
            return f"without {{ {link[1]} -> {link[2]} }}"
        return f"pattern {{ {link[1]} -[{quoted(value or '')}]-> {link[2]} }}"
    if match := re.fullmatch(r"(?:([\w$]+)\.)?(\w+)", key):
        owner, feature = match[1] or request.nodes[0], match[2]
        if owner in request.nodes:
            return f"pattern {{ {owner} [{f'{feature}={quoted(value)}' if value is not None else f'!{feature}'}] }}"
        if owner in request.edges and feature in ("label", "1", "2") and value is not None:
            return f"pattern {{ {owner}.{feature} = {quoted(value)} }}"
        if owner == "meta":
            return f"global {{ {f'{feature} = {quoted(value)}' if value is not None else f'!{feature}'} }}"
    raise UsageError(f"no clause says that {key} is {value}", hint="Narrow the request by hand.")
