"""Small colorless treebanks."""

from generators import colorless as generator
from tests.small_treebank import small_treebank


def colorless(treebank, **options):
    """Return the one part that the transform makes of a small treebank."""
    (part,) = generator.colorless(treebank, **options).parts
    return part


def texts(tmp_path, language, *sentences):
    return colorless(small_treebank(tmp_path, *sentences, language=language)).sentences["text"].to_pylist()
