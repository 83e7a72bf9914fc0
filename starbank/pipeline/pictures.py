"""Items and treebanks -> the trees of the matches that the items were made of."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.files import read_metadata, read_parquet
from starbank.grew import Engine, Request, parse_request
from starbank.grew.show import to_trees
from starbank.names import is_name
from starbank.queries.constructions import first_target
from starbank.treebanks import Treebank, open_treebank
from starbank.treebanks.arrays import integers, text, texts, whole


class Pictures:
    """Draws the trees of items whose treebanks lie ingested in a folder; each treebank is read once."""

    def __init__(self, treebanks: Path) -> None:
        """Look for treebanks in the folder `treebanks`."""
        self._folder = treebanks
        self._open = cache(lambda name: open_treebank(treebanks / name))

    def __call__(self, items: Path, chosen: Collection[str]) -> dict[str, str]:
        """Return SVG pictures by `item_id` for those items of the file `items` (items.parquet) that are `chosen`.

        An item from a template has no tree, and one whose treebank is not there, or has changed, has no picture.
        """
        query = read_metadata(items).get("construction", {}).get("query") or ""
        columns = ["item_id", "treebank", "sent_id", "target"]
        table = read_parquet(items, columns=columns).filter(pc.field("item_id").isin(texts(list(chosen))))
        named = pc.unique(table["treebank"].drop_null()).to_pylist()
        here = [name for name in named if is_name(name) and (self._folder / name / "tokens.parquet").is_file()]
        if not (query and here):
            return {}
        pictures: dict[str, str] = {}
        for name in here:
            treebank = self._open(name)
            request = parse_request(query, language=treebank.language)
            of_treebank = table.filter(pc.equal(table["treebank"], text(name)))
            pictures |= _draw(request, first_target(query), of_treebank, treebank)
        return pictures


def _draw(request: Request, target: str, items: pa.Table, treebank: Treebank) -> dict[str, str]:
    """Return the pictures of the items of one treebank: of the first match with an item's sentence and target."""
    # A few sentences are searched, and not all for the sake of a few.
    shown = treebank.sentences.filter(pc.is_in(treebank.sentences["sent_id"], whole(items["sent_id"])))
    treebank = treebank.only(whole(shown["sent"]))
    matches = Engine(treebank).match(request)
    tokens = treebank.tokens.select(["node", "id"]).rename_columns([target, "id"])
    places = matches.select(["sent_id", target]).append_column("row", integers(np.arange(matches.num_rows)))
    ids = pc.struct_field(items["target"], "id")
    targets = pa.table({"sent_id": items["sent_id"], "id": ids, "item_id": items["item_id"]})
    joined = places.join(tokens, target, join_type="inner").join(targets, ["sent_id", "id"], join_type="inner")
    joined = joined.sort_by([("row", "descending")])
    rows = dict(zip(joined["item_id"].to_pylist(), joined["row"].to_pylist(), strict=True))
    drawn = matches.take(pa.array(list(rows.values()), pa.int64()))
    trees = (svg for _, svg in to_trees(drawn, treebank, request))
    return dict(zip(rows, trees, strict=True))
