"""YAML that people write, read as what anybody may have written.

An alias can stand for more than memory holds, and what is nested deeper than anybody means ends Python's own stack.
"""

from __future__ import annotations

from typing import Any

import yaml
from yaml.composer import ComposerError

_DEEPEST = 50


class PlainLoader(yaml.BaseLoader):
    """Reads all scalars as strings: `no` stays a language and `Yes` a feature value. Raises `yaml.YAMLError`."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Return the node that begins here."""
        event = self.peek_event()
        if isinstance(event, yaml.AliasEvent):
            raise ComposerError(
                None, None, "an alias (`*…`) is not read: write out what it stands for", event.start_mark
            )
        if self._depth == _DEEPEST:
            raise ComposerError(None, None, "it is nested too deeply", event.start_mark)
        self._depth += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self._depth -= 1
