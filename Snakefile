"""Starbank: treebanks in, banks of starred sentences out.

    UD release ─fetch, ingest─▶ tokens ─┬─lexicon─▶ lexicon ─┐
                                        └────────────────────┴─generate─▶ suites ─┬─score─▶ scores ─results─▶ report
                                   queries/<language>/*.grew ────────▲            └─publish─▶ dataset folder
                                             tokens ─tasks─▶ labelled tasks ─probe─▶ curves over layers

config.yaml says what is built; a new file under queries/ is a new suite.
"""

from snakemake.utils import min_version

min_version("9.19")


configfile: "config.yaml"


report: "rules/captions/workflow.rst"


include: "rules/common.smk"
include: "rules/1_treebanks.smk"
include: "rules/2_suites.smk"
include: "rules/3_scores.smk"
include: "rules/4_results.smk"
include: "rules/5_datasets.smk"
include: "rules/6_tasks.smk"


rule datasets:
    """A dataset folder with its card for each folder of queries."""
    input:
        [suites(dataset) for dataset in PLAN.datasets],
        local(expand("<outputs>/datasets/{dataset}/README.md", dataset=PLAN.datasets)),


rule scores:
    """What every model gives every sentence."""
    input:
        scores(),


rule report:
    """Accuracies, plots, and a page to read, where there are scores."""
    input:
        ["<outputs>/results/report.html"] * bool(scores()),


rule probes:
    """Labelled tasks, and what the layers of models know of them, where config.yaml asks for them."""
    input:
        tasks(),
        expand("<outputs>/probes/{probed}.parquet", probed=PLAN.probes.models),


rule trained:
    """Models that learn the tasks, where config.yaml asks for them."""
    input:
        trained(),


rule all:
    """All of them."""
    default_target: True
    input:
        rules.datasets.input,
        rules.scores.input,
        rules.report.input,
        rules.probes.input,
        rules.trained.input,
