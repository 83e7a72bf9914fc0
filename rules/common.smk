"""What is to be built, from config.yaml and the folder of queries.

Needs    config.yaml, queries/**/*.grew
Makes    DATASETS   dataset -> its constructions; the folder queries/kat/published is the dataset kat-published
         BATCHES    batch -> constructions of one dataset that run on the same treebanks
         LANGUAGES  language -> its treebanks
         MODELS     file name -> the model's entry in config.yaml
"""

import yaml
from pathlib import Path
from typing import NamedTuple

from snakemake.exceptions import WorkflowError

from starbank.config import check_config
from starbank.constructions import read_construction
from starbank.errors import StarbankError


class Batch(NamedTuple):
    """Constructions that one job makes, because they share their treebanks."""

    dataset: str
    language: str
    treebanks: tuple
    constructions: list


def unique(values):
    """Return the values in order, each once."""
    return list(dict.fromkeys(values))


def read_datasets(folder):
    """Return the constructions of each dataset."""
    datasets = {}
    for path in sorted(folder.rglob("*.grew")):
        name = "-".join(path.parent.relative_to(folder).parts) or folder.name
        datasets.setdefault(name, []).append(read_construction(path))
    return datasets


def treebanks_of(construction):
    """Return the treebanks that a construction runs on: those of config.yaml for its language, or its own."""
    return tuple(
        config["treebanks"].get(construction.language) or construction.treebanks
    )


def make_batches():
    """Return the batches by name: that of the dataset, numbered where there are several."""
    batches = {}
    for dataset, constructions in DATASETS.items():
        groups = {}
        for construction in constructions:
            groups.setdefault(
                (construction.language, treebanks_of(construction)), []
            ).append(construction)
        for number, ((language, treebanks), members) in enumerate(groups.items(), 1):
            batches[f"{dataset}-{number}" if len(groups) > 1 else dataset] = Batch(
                dataset, language, treebanks, members
            )
    return batches


def read_models():
    """Return the models of config.yaml by the name of the file that their scores go to."""
    entries = [
        {"name": entry} if isinstance(entry, str) else entry
        for entry in config["models"]
    ]
    return {entry["name"].strip("/").replace("/", "--"): entry for entry in entries}


def tokens(treebanks):
    """Return the token tables of some treebanks."""
    return expand("<outputs>/treebanks/{treebank}/tokens.parquet", treebank=treebanks)


def sentences(treebanks):
    """Return the sentence tables of some treebanks."""
    return expand(
        "<outputs>/treebanks/{treebank}/sentences.parquet", treebank=treebanks
    )


def suites(dataset, constructions=None):
    """Return the files of a dataset's suites, or of some of them."""
    return expand(
        "<outputs>/suites/{dataset}/{construction}/{table}.parquet",
        dataset=dataset,
        construction=[
            construction.name for construction in constructions or DATASETS[dataset]
        ],
        table=["items", "pairs", "rejected"],
    )


def treebanks_in(dataset):
    """Return the treebanks that a dataset's suites are made from."""
    return unique(
        sum(
            (
                list(batch.treebanks)
                for batch in BATCHES.values()
                if batch.dataset == dataset
            ),
            [],
        )
    )


try:
    with open(Path(workflow.basedir) / "rules" / "config.schema.yaml") as stream:
        check_config(config, yaml.safe_load(stream))
    DATASETS = read_datasets(Path(config["queries"]))
except StarbankError as error:
    raise WorkflowError(str(error))
BATCHES = make_batches()
LANGUAGES = {
    language: unique(
        sum(
            (
                list(batch.treebanks)
                for batch in BATCHES.values()
                if batch.language == language
            ),
            [],
        )
    )
    for language in unique(batch.language for batch in BATCHES.values())
}
MODELS = read_models()


pathvars:
    outputs=config["outputs"],


wildcard_constraints:
    treebank="|".join(unique(sum(LANGUAGES.values(), []))) or "none",
    language="|".join(LANGUAGES) or "none",
    dataset="|".join(DATASETS) or "none",
    model="|".join(map(re.escape, MODELS)) or "none",
