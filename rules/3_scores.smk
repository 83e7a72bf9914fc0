"""From minimal sets to log-probabilities.

Needs    <outputs>/suites/, models; the baselines learn from <outputs>/treebanks/
Makes    <outputs>/scores/<dataset>/<model>.parquet
"""

from starbank.models import BASELINES


def share():
    """Return the cores of a model's job: all, or its part of them where the command line lends several GPUs."""
    lent = workflow.resource_settings
    gpus = lent.resources["gpu"].value if "gpu" in lent.resources else 1
    return max(1, (lent.cores or 1) // max(1, gpus))


def text(wildcards):
    """Return what a baseline learns from; other models have learnt already."""
    model = PLAN.models[wildcards.model]
    if model["model"] not in BASELINES:
        return []
    return model.get("text") or ingested(
        PLAN.text(wildcards.dataset), ["sentences.parquet"]
    )


rule score:
    """Score a dataset with a model; of what an earlier run scored, all that is still asked for is kept."""
    input:
        suites=lambda wildcards: suites(wildcards.dataset),
        text=text,
    output:
        update("<outputs>/scores/{dataset}/{model}.parquet"),
    threads: lambda wildcards: 1 if text(wildcards) else share()
    resources:
        gpu=lambda wildcards: PLAN.gpus(wildcards.model),
    params:
        suites=lambda wildcards, input: folders(input.suites),
        model=lambda wildcards: PLAN.models[wildcards.model]["model"],
        options=lambda wildcards, input: [
            *(f"--text={file}" for file in input.text),
            *PLAN.options(wildcards.model),
        ],
    shell:
        "starbank score {params.suites:q} --model={params.model:q} {params.options:q} --output={output:q} --overwrite"
