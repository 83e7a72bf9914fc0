"""Starbank turns Universal Dependencies treebanks into banks of starred sentences."""

__version__ = "0.2.0"
