"""How much of a sentence is replaced goes along into items and tasks."""

from pathlib import Path

import pyarrow as pa

from starbank.files import read_parquet
from starbank.grew.engine import Engine
from starbank.pipeline.generators import SHARE, with_covariates, with_replaced
from starbank.probing import make_tasks
from starbank.queries.constructions import read_construction
from starbank.sets import COVARIATES
from starbank.transforms import derive

NOUNS = """% ---
% language: eng
% treebanks: [UD_English-Sample]
% target: N
% vary: {Number: [Sing, Plur]}
% ---
pattern { N [upos=NOUN, Number=Sing] }
"""


def replaced(sentences: pa.Table) -> int:
    (line,) = [line for line in sentences["comments"][0].as_py() if line.startswith("# replaced = ")]
    return int(line.removeprefix("# replaced = "))


def test_items_and_tasks_tell_how_many_content_words_in_a_hundred_are_others(sample: Path, tmp_path: Path) -> None:
    made, _ = derive("colorless", sample / "UD_English-Sample", tmp_path / "UD_English-Sample+colorless")
    share = replaced(made.sentences)
    file = tmp_path / "nouns.grew"
    file.write_text(NOUNS)
    construction = read_construction(file)
    matches = with_replaced(construction, with_covariates(construction, Engine(made)), made)
    assert {"name": SHARE, "value": share} in [each for row in matches[COVARIATES].to_pylist() for each in row]
    make_tasks(tmp_path / "UD_English-Sample+colorless", tmp_path / "tasks", tasks=["pos"])
    tables = [read_parquet(file) for file in sorted((tmp_path / "tasks").rglob("*.parquet"))]
    first = made.sentences["sent_id"][0].as_py()
    assert [row["replaced"] for table in tables for row in table.to_pylist() if row["sent_id"] == first] == [share]
