"""Words in Latin letters, by schemes that are named, and back."""

from starbank.transforms.romanisation.schemes import SCHEMES, Scheme, find_schemes, script_of

__all__ = ["SCHEMES", "Scheme", "find_schemes", "script_of"]
