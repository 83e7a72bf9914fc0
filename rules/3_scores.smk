"""From minimal sets to log-probabilities.

Needs    <outputs>/suites/, models; the baselines learn from <outputs>/treebanks/
Makes    <outputs>/scores/<dataset>/<model>.parquet
"""


def is_baseline(wildcards):
    """Tell whether a model is built in."""
    return MODELS[wildcards.model]["name"] in ("unigram", "ngram")


rule score:
    """Score {wildcards.dataset} with {wildcards.model}; what an earlier run scored is kept."""
    input:
        suites=lambda wildcards: suites(wildcards.dataset),
        text=lambda wildcards: (
            sentences(treebanks_in(wildcards.dataset))
            if is_baseline(wildcards)
            else []
        ),
    output:
        update("<outputs>/scores/{dataset}/{model}.parquet"),
    threads: lambda wildcards: 1 if is_baseline(wildcards) else workflow.cores
    params:
        suites=lambda wildcards, input: unique(
            Path(file).parent for file in input.suites
        ),
        model=lambda wildcards: MODELS[wildcards.model]["name"],
        options=lambda wildcards, input: [
            *(f"--text={text}" for text in input.text),
            *(
                f"--{key}={value}"
                for key, value in MODELS[wildcards.model].items()
                if key != "name"
            ),
        ],
    shell:
        "starbank score {params.suites:q} --model {params.model:q} {params.options:q} --output {output:q}"
