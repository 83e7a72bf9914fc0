"""Suites from templates: a sentence with slots, a lexicon that fills them, and what agrees; see docs/templates.md."""

from starbank.queries.templates.read import SUFFIX, read_template
from starbank.queries.templates.template import Template
from starbank.sets.templates.describe import Description, describe
from starbank.sets.templates.space import Space
from starbank.sets.templates.suites import code, make_suite, provenance

__all__ = [
    "SUFFIX",
    "Description",
    "Space",
    "Template",
    "code",
    "describe",
    "make_suite",
    "provenance",
    "read_template",
]
