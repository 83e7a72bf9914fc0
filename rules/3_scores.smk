"""From minimal sets to log-probabilities.

Needs    <outputs>/suites/, models; the baselines learn from <outputs>/treebanks/
Makes    <outputs>/scores/<dataset>/<model>.parquet
"""


rule score:
    """Score a dataset with a model; of what an earlier run scored, all that is still asked for is kept."""
    input:
        suites=lambda wildcards: suites(wildcards.dataset),
        text=baseline_text,
    output:
        update("<outputs>/scores/{dataset}/{model}.parquet"),
    log:
        "<logs>/score/{dataset}/{model}.log",
    benchmark:
        "<benchmarks>/score/{dataset}/{model}.tsv"
    threads: lambda wildcards, input: 1 if input.text else cores_per_gpu()
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
        " 2>&1 | tee {log:q} >&2"
