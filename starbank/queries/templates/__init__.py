"""Template files: a sentence with slots, a lexicon that fills them, and what agrees; see docs/templates.md."""

from starbank.queries.templates.read import SUFFIX, parse_template, read_template
from starbank.queries.templates.template import Template

__all__ = ["SUFFIX", "Template", "parse_template", "read_template"]
