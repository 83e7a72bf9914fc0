"""Suites from templates: a sentence with slots, a lexicon that fills them, and what agrees; see docs/templates.md."""

from starbank.templates.describe import Description, describe
from starbank.templates.read import SUFFIX, read_template
from starbank.templates.space import Space
from starbank.templates.suites import make_suite, provenance
from starbank.templates.template import Template

__all__ = [
    "SUFFIX",
    "Description",
    "Space",
    "Template",
    "describe",
    "make_suite",
    "provenance",
    "read_template",
]
