"""What is to be built, and where its files lie.

Needs    config.yaml, queries/**/*.grew, queries/**/*.template, queries/**/*.json, queries/**/*.import
Makes    PLAN, see starbank/pipeline/plan.py
"""

import shlex
import sys
import yaml
from itertools import chain
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.utils import update_config

from starbank.code import code_sum, generator_files
from starbank.config import check_config
from starbank.errors import StarbankError
from starbank.pipeline.plan import make_plan, share_of
from starbank.probing.tasks import TASKS
from starbank.shipped import shipped

# What a project's config.yaml leaves unsaid is as in Starbank's own, which Snakemake reads for a clone but not a module.
DEFAULTS = yaml.safe_load(shipped("config.yaml").read_text(encoding="utf-8"))
update_config(DEFAULTS, config)
config.update(DEFAULTS)
SCHEMA = yaml.safe_load(shipped("rules/config.schema.yaml").read_text(encoding="utf-8"))

try:
    check_config(config, SCHEMA, workflow.configfiles)
    PLAN = make_plan(config)
except StarbankError as error:
    raise WorkflowError(str(error))

# The rules call `starbank`, which stands beside the Python that runs Snakemake, also where that is on no PATH. A prefix
# takes the place of Snakemake's, which makes a job fail where anything in its pipe does.
shell.prefix(
    f"set -euo pipefail; PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH; "
)


# What a job prints is kept in <logs>, its time and memory in <benchmarks>, each by rule. A job runs in the environment
# that Snakemake runs in, where Starbank is installed; so no rule has a conda environment or container of its own.
pathvars:
    outputs=config["outputs"],
    logs=f"{config['outputs']}/logs",
    benchmarks=f"{config['outputs']}/benchmarks",


def among(names):
    """Return the regular expression of a wildcard that is one of some names."""
    return "|".join(map(re.escape, names)) or "none"


wildcard_constraints:
    treebank=among(PLAN.tables),
    transform=among(PLAN.transforms),
    language=among(PLAN.languages),
    lexicon=among(PLAN.lexicons),
    dataset=among(PLAN.datasets),
    model=among(PLAN.models),
    probed=among(PLAN.probes.models),


def stamps(folder, pattern):
    """Return what tells that files of a folder are others: their names, sizes and times."""
    files = [(file, file.stat()) for file in sorted(Path(folder).rglob(pattern))]
    return [f"{file.name} {about.st_size} {about.st_mtime_ns}" for file, about in files]


def ingested(treebanks, files=("tokens.parquet", "sentences.parquet", "treebank.json")):
    """Return the tables of some treebanks, or some of them."""
    return expand(
        "<outputs>/treebanks/{treebank}/{file}", treebank=treebanks, file=files
    )


def unimorph(language):
    """Return what tells that UniMorph's paradigms of a language are there, where config.yaml asks for them."""
    wanted = language in config["unimorph"]
    return [f"treebanks/unimorph/{language}/source.json"] if wanted else []


def suites(dataset, constructions=None):
    """Return the files of a dataset's suites, or of some of them."""
    return expand(
        "<outputs>/suites/{dataset}/{construction}/{table}.parquet",
        dataset=dataset,
        construction=constructions or PLAN.constructions(dataset),
        table=["items", "pairs", "rejected"],
    )


def queries(batch):
    """Return the construction files of a batch."""
    return local(list(dict.fromkeys(query.path for query in batch.constructions)))


def tables(batch):
    """Return the tables that the constructions of a batch name."""
    return local(
        sorted({table for query in batch.constructions for table in query.tables})
    )


def names(batch):
    """Return the names of the constructions of a batch."""
    return [query.name for query in batch.constructions]


def parts(batch, language):
    """Return the files of what the treebanks of a language give for the suites of a batch."""
    return expand(
        "<outputs>/parts/{batch}/{language}/{table}.parquet",
        batch=batch.name,
        language=language,
        table=["items", "rejected"],
    )


def scores(datasets=None, models=None):
    """Return the files with the scores of datasets by models, or of some of them."""
    return [
        f"<outputs>/scores/{dataset}/{model}.parquet"
        for dataset, model in PLAN.scores(datasets, models)
    ]


def baseline_text(wildcards):
    """Return what a baseline learns from; other models have learnt already."""
    if wildcards.model not in PLAN.baselines:
        return []
    return PLAN.models[wildcards.model].get("text") or ingested(
        PLAN.text(wildcards.dataset), ["sentences.parquet"]
    )


def cores_per_gpu():
    """Return the cores of a model's job: all, or its part of them where the command line lends several GPUs."""
    lent = workflow.resource_settings
    gpus = lent.resources["gpu"].value if "gpu" in lent.resources else 1
    return max(1, (lent.cores or 1) // max(1, gpus))


def report_failures():
    """Make the report where some models have failed and all others have scored."""
    files = [Path(path.replace("<outputs>", config["outputs"])) for path in scores()]
    failures = [
        path for path in files if path.with_name(f"{path.name}.failed").exists()
    ]
    scored = [path for path in files if path.exists()]
    if failures and scored:
        suites, treebanks, results = (
            Path(config["outputs"]) / name
            for name in ("suites", "treebanks", "results")
        )
        shell(
            "starbank results {scored:q} {failures:q} --suites={suites:q} --treebanks={treebanks:q} --output={results:q}"
        )


def pushed(wildcards):
    """Return the cards of the datasets that are to be pushed."""
    if not PLAN.pushes:
        raise WorkflowError("config.yaml names no repository under push")
    return local(expand("<outputs>/datasets/{dataset}/README.md", dataset=PLAN.pushes))


def tasks():
    """Return what tells that the labelled tasks of each treebank that config.yaml has them for are there."""
    return expand(
        "<outputs>/tasks/{treebank}/tasks.json", treebank=PLAN.probes.treebanks
    )


def unique(lists):
    """Return each member of several lists once."""
    return list(dict.fromkeys(chain.from_iterable(lists)))


def folders(files):
    """Return the folders that some files lie in."""
    return list(dict.fromkeys(Path(file).parent for file in files))
