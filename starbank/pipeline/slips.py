"""Slips of the pen in a construction: features and values that the treebanks do not have.

Not every value need occur in every treebank, and a construction for all of them lists many that some lack. So what no
treebank has is told at once only where it is close to what one has and UD does not define it; the rest is told where
the suite is empty, as its reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from starbank.grew.advice import closest
from starbank.grew.engine import Engine, common_warnings
from starbank.grew.names import UD_FEATURES, UD_VALUES
from starbank.queries.constructions import Construction
from starbank.treebanks import Treebank

if TYPE_CHECKING:
    from starbank.grew.grewpy_engine import GrewpyEngine


def slips(construction: Construction, treebanks: Sequence[Treebank]) -> list[str]:
    """Return a warning for each varied value and relaxed feature that is misspelt by all appearances."""
    values = [
        f"no word of the treebanks has {feature}={value}{close}"
        for feature, value, close in _missing_values(construction, treebanks)
        if close and value not in UD_VALUES
    ]
    columns = {name for treebank in treebanks for name in treebank.tokens.column_names}
    missing = [feature for feature in construction.relax if feature not in columns and feature not in UD_FEATURES]
    features = [
        f"no word of the treebanks has the feature {feature} of `relax`{close}"
        for feature in missing
        if (close := closest(feature, sorted(columns)))
    ]
    return values + features


def absences(
    construction: Construction, treebanks: Sequence[Treebank], engines: Sequence[Engine | GrewpyEngine], matches: int
) -> list[str]:
    """Return what a construction asks for and none of the treebanks has: the likely reasons of an empty suite.

    Where there are `matches`, its request is no reason; what the request of a construction with `treebanks` asks for in
    vain is told for each of them anyway.
    """
    warnings = []
    if not matches and not construction.treebanks:
        warnings = common_warnings([engine.warnings(construction.request) for engine in engines])
    values = [
        f"no word of the treebanks has {feature}={value}{close}"
        for feature, value, close in _missing_values(construction, treebanks)
    ]
    return warnings + values


def covariate_warnings(construction: Construction, engine: Engine | GrewpyEngine) -> list[str]:
    """Return the warnings about covariates that are not about the construction's own request."""
    of_request = set(engine.warnings(construction.request))
    return [
        f"the covariate {name}: {warning.partition(': ')[2]}"
        for name, request in construction.covariates.items()
        for warning in engine.warnings(request)
        if warning not in of_request
    ]


def _missing_values(construction: Construction, treebanks: Sequence[Treebank]) -> Iterator[tuple[str, str, str]]:
    """Yield each feature that varies with a value of it that no treebank has, and the closest that they have."""
    for feature, varied in construction.features.items():
        columns = [treebank.tokens[feature] for treebank in treebanks if feature in treebank.tokens.column_names]
        occurring = {value for column in columns for value in column.unique().to_pylist() if value}
        parts = {part for value in occurring for part in value.split(",")}
        for value in varied:
            if value not in occurring | parts:
                yield feature, value, closest(value, sorted(occurring))
