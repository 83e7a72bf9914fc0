"""Suites from templates: which words can fill the slots, and the sentences that they make."""

from starbank.sets.templates.describe import Description, describe, describe_template
from starbank.sets.templates.space import Space
from starbank.sets.templates.suites import make_suite, provenance

__all__ = ["Description", "Space", "describe", "describe_template", "make_suite", "provenance"]
