"""Slips of the pen in a construction: features and values that the treebanks do not have.

Not every value need occur in every treebank, and a construction for all of them lists many that some lack. So what no
treebank has is told at once only where it is close to what one has and UD does not define it; the rest is told where
the suite is empty, as its reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from starbank.grew.advice import closest
from starbank.grew.engine import Engine, common_warnings
from starbank.grew.names import UD_FEATURES, UD_VALUES
from starbank.queries.constructions import Construction
from starbank.treebanks import Treebank

if TYPE_CHECKING:
    from starbank.grew.grewpy_engine import GrewpyEngine


@dataclass(frozen=True)
class Absences:
    """What a construction asks for and a treebank does not have.

    `values` are varied ones (`Case=Datt`), `relaxed` features of `relax`, each with the closest that there are, as text
    (`; the closest are Dat`, or nothing); `warnings` are those of the engine about the request, `of_covariates` those
    about covariates and concord that are not about the request, too.
    """

    values: list[tuple[str, str]]
    relaxed: list[tuple[str, str]]
    warnings: list[str]
    of_covariates: list[str] = field(default_factory=list)


def find_absences(construction: Construction, treebank: Treebank, engine: Engine | GrewpyEngine) -> Absences:
    """Return what a construction asks for and a treebank does not have."""
    columns = set(treebank.tokens.column_names)
    values = []
    for feature, varied in construction.features.items():
        column = treebank.tokens[feature].unique().to_pylist() if feature in columns else []
        occurring = {value for value in column if value}
        parts = {part for value in occurring for part in value.split(",")}
        values += [
            (f"{feature}={value}", closest(value, sorted(occurring)))
            for value in varied
            if value not in occurring | parts
        ]
    missing = [name for name in construction.relax if name not in columns and name not in UD_FEATURES]
    relaxed = [(name, closest(name, sorted(columns))) for name in missing]
    warnings = list(engine.warnings(construction.request))
    # What runs everywhere need not find everything everywhere.
    of_covariates = _covariate_warnings(construction, engine, warnings) if construction.treebanks else []
    return Absences(values, relaxed, warnings, of_covariates)


def joined(absences: Sequence[Absences]) -> Absences:
    """Return what all parts of a treebank lack."""
    return Absences(
        _common([several.values for several in absences]),
        _common([several.relaxed for several in absences]),
        common_warnings([several.warnings for several in absences]),
        common_warnings([several.of_covariates for several in absences]),
    )


def slips(absences: Sequence[Absences]) -> list[str]:
    """Return a warning for each varied value and relaxed feature that is misspelt by all appearances."""
    values = [
        f"no word of the treebanks has {value}{close}"
        for value, close in _common([several.values for several in absences])
        if close and value.partition("=")[2] not in UD_VALUES
    ]
    features = [
        f"no word of the treebanks has the feature {feature} of `relax`{close}"
        for feature, close in _common([several.relaxed for several in absences])
        if close
    ]
    return values + features


def reasons(construction: Construction, absences: Sequence[Absences], matches: int) -> list[str]:
    """Return what a construction asks for and none of the treebanks has: the likely reasons of an empty suite.

    Where there are `matches`, its request is no reason; what the request of a construction with `treebanks` asks for in
    vain is told for each of them anyway.
    """
    warnings = []
    if not matches and not construction.treebanks:
        warnings = common_warnings([several.warnings for several in absences])
    values = _common([several.values for several in absences])
    return warnings + [f"no word of the treebanks has {value}{close}" for value, close in values]


def _covariate_warnings(
    construction: Construction, engine: Engine | GrewpyEngine, of_request: Sequence[str]
) -> list[str]:
    """Return the warnings about covariates and concord that are not about the construction's own request."""
    named = {f"the covariate {name}": request for name, request in construction.covariates.items()}
    named |= {f"the concord of {name}": request for name, request in construction.concord.items()}
    return [
        f"{name}: {warning.partition(': ')[2]}"
        for name, request in named.items()
        for warning in engine.warnings(request)
        if warning not in of_request
    ]


def _common(absences: Sequence[Sequence[tuple[str, str]]]) -> list[tuple[str, str]]:
    """Return what all treebanks lack, with what is closest in the first that has something close."""
    names = [{name for name, _ in several} for several in absences]
    return [
        (name, next((close for several in absences for other, close in several if other == name and close), ""))
        for name, _ in absences[0]
        if all(name in several for several in names)
    ]
