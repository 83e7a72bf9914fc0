"""Regular expressions of requests, matched by RE2 in time that is linear in the value.

Two deliberate differences from Grew: an expression is read over characters, where Grew reads bytes; and a value
matches where the whole value fits the expression, where Grew stops at the first alternative that fits a prefix.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import RequestError
from starbank.grew.back_references import TooManyReadings, accepted
from starbank.grew.regexp_dialects import PerlReader, StrReader
from starbank.grew.regexp_syntax import Tree
from starbank.grew.syntax import Regexp
from starbank.treebanks import arrays


@dataclass(frozen=True)
class Expression:
    """A regular expression that can be read.

    What RE2 finds for one that `refers` to its own groups is more than what it matches. A `lazy` one takes as little
    as it can, so that /wh.*?/ is only “wh”, as in Grew.
    """

    regexp: Regexp
    tree: Tree
    lazy: bool
    refers: bool

    def matching(self, texts: pa.StringArray) -> np.ndarray:
        """Tell which of `texts`, none of them null, match as a whole.

        Raises `RequestError` where texts can be read in too many ways because of back references.
        """
        if self.lazy:
            first = pc.struct_field(pc.extract_regex(texts, f"(?P<first>{self.tree.text})"), "first")
            return arrays.mask(pc.equal(first, texts))
        matching = arrays.mask(pc.match_substring_regex(texts, rf"\A(?:{self.tree.text})\z"))
        if self.refers:
            places = np.flatnonzero(matching)
            try:
                matching[places] = accepted(self.tree, arrays.take(texts, places).to_pylist())
            except TooManyReadings:
                message = f'there are too many ways to read the values by re"{self.regexp.pattern}"'
                hint = "Say more of what stands in the group that is referred to, and around it."
                raise RequestError(message, hint=hint) from None
        return matching

    def __call__(self, value: str) -> bool:
        """Tell whether `value` matches as a whole."""
        return bool(self.matching(arrays.texts([value]))[0])


@lru_cache(maxsize=1024)
def compile_regexp(regexp: Regexp) -> Expression:
    """Return the test whether a whole value matches `regexp`.

    Raises `ValueError`, with the reason, where the expression is malformed or uses what its dialect lacks.
    """
    reader = StrReader(regexp.pattern) if regexp.dialect == "str" else PerlReader(regexp.pattern, regexp.ignore_case)
    expression = Expression(regexp, reader.read(), reader.lazy, reader.refers)
    try:
        expression("")
    except pa.ArrowInvalid as error:
        raise ValueError(str(error).removeprefix("Invalid regular expression: ")) from None
    return expression
