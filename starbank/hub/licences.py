"""The licence of a dataset, which is that of the treebanks its sentences come from.

A dataset has one licence where all its treebanks have the same; where they differ, each row has that of its treebank,
and nothing is claimed of the whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

# Licences that treebanks have and the Hub knows: https://huggingface.co/docs/hub/repositories-licenses
_ON_THE_HUB = re.compile(
    r"apache-2\.0|mit|cc0-1\.0|cc-by-(2\.0|2\.5|3\.0|4\.0)|cc-by-sa-[34]\.0|cc-by-nc(-sa)?-[234]\.0|cc-by-nd-4\.0"
    r"|cc-by-nc-nd-[34]\.0|gpl-[23]\.0|lgpl-(2\.1|3\.0|lr)|agpl-3\.0|odc-by|odbl|pddl"
)
MIXED = "per-treebank"
UNKNOWN = "not stated"


def card_licence(licences: Mapping[str, str | None]) -> dict[str, str]:
    """Return the card's `license` metadata for the licences (SPDX, or None) of a dataset's treebanks.

    >>> card_licence({"UD_Georgian-GLC": "CC-BY-SA-4.0"})
    {'license': 'cc-by-sa-4.0'}
    >>> card_licence({"UD_Georgian-GLC": "CC-BY-SA-4.0", "UD_Hebrew-HTB": "CC-BY-NC-SA-4.0"})
    {'license': 'other', 'license_name': 'per-treebank', 'license_link': 'LICENSE'}
    """
    names = [_hub_name(licence) for licence in set(licences.values()) or {None}]
    name = names[0] if len(names) == 1 else MIXED
    if _ON_THE_HUB.fullmatch(name):
        return {"license": name}
    return {"license": "other", "license_name": name, "license_link": "LICENSE"}


def rows_licence(licences: Iterable[str | None]) -> str:
    """Return in words the licence of rows from treebanks with these licences (SPDX, or None).

    >>> rows_licence(["CC-BY-SA-4.0", "CC-BY-SA-4.0"])
    'CC-BY-SA-4.0'
    >>> rows_licence(["CC-BY-SA-4.0", "CC-BY-NC-SA-4.0"])
    'each row its own: CC-BY-NC-SA-4.0, CC-BY-SA-4.0; taken together, for no commercial use'
    """
    names = sorted({licence or UNKNOWN for licence in licences}) or [UNKNOWN]
    if len(names) == 1:
        return names[0]
    parts = [f"each row its own: {', '.join(names)}"]
    if any(_has(name, "NC") for name in names):
        parts.append("taken together, for no commercial use")
    if UNKNOWN in names:
        parts.append("ask before using the rows whose licence is not stated")
    return "; ".join(parts)


def forbids_changes(licence: str | None) -> bool:
    """Tell whether a licence allows no changed copies (ND), which starred sentences are."""
    return licence is not None and _has(licence, "ND")


def _has(licence: str, part: str) -> bool:
    return part in licence.upper().split("-")


def _hub_name(licence: str | None) -> str:
    """Return the Hub's name for an SPDX name, or a name of the same make for what the Hub does not know."""
    name = re.sub(r"[^a-z0-9.]+", "-", (licence or UNKNOWN).lower()).strip("-")
    name = re.sub(r"^(a?l?gpl-\d\.\d)-(only|or-later)$", r"\1", name)
    return "lgpl-lr" if name == "lgpllr" else name
