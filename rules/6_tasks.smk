"""From tables to labelled tasks, and from those to models that learn them, and what the layers of models know of them.

Needs    <outputs>/treebanks/, models; does something only where config.yaml has `tasks`
Makes    <outputs>/tasks/<treebank>/      Parquet for each task and split, README.md (the card), tasks.json
         <outputs>/trained/<treebank>/<task>/<recipe>/   a model: weights, config.json, curve, answers on test
         <outputs>/probes/<model>         .parquet, .html with all at a glance, .svg with the curves
"""


rule tasks:
    """Label the words and sentences of a treebank."""
    input:
        tokens="<outputs>/treebanks/{treebank}/tokens.parquet",
        sentences="<outputs>/treebanks/{treebank}/sentences.parquet",
        about="<outputs>/treebanks/{treebank}/treebank.json",
    output:
        "<outputs>/tasks/{treebank}/tasks.json",
    log:
        "<logs>/tasks/{treebank}.log",
    benchmark:
        "<benchmarks>/tasks/{treebank}.tsv"
    params:
        treebank=subpath(input.tokens, parent=True),
        folder=subpath(output[0], ancestor=2),
        names=PLAN.probes.names,
        definition=PLAN.probes.definition,
        code=code_sum(
            "starbank.probing",
            *filter(None, map(generator_files().get, PLAN.probes.names)),
        ),
    shell:
        "starbank tasks {params.treebank:q} --task {params.names:q} --definition={params.definition:q} --output={params.folder:q}"
        " 2>&1 | tee {log:q} >&2"


rule train:
    """Let a model learn a task."""
    input:
        "<outputs>/tasks/{treebank}/tasks.json",
    output:
        "<outputs>/trained/{treebank}/{task}/{recipe}/config.json",
    log:
        "<logs>/train/{treebank}/{task}/{recipe}.log",
    benchmark:
        "<benchmarks>/train/{treebank}/{task}/{recipe}.tsv"
    params:
        tasks=subpath(input[0], parent=True),
        folder=subpath(output[0], parent=True),
        seed=config["seed"],
        code=code_sum("starbank.probing.learning"),
    shell:
        "starbank train {params.tasks:q} --task={wildcards.task:q} --recipe={wildcards.recipe:q} --seed={params.seed:q}"
        " --output={params.folder:q} 2>&1 | tee {log:q} >&2"


rule probe:
    """Probe every layer of a model for the tasks of all treebanks."""
    input:
        tasks(),
    output:
        table="<outputs>/probes/{probed}.parquet",
        curves=report(
            "<outputs>/probes/{probed}.svg",
            category="Probes",
            labels={"model": "{probed}"},
            caption="captions/probes.rst",
        ),
        page=report(
            "<outputs>/probes/{probed}.html",
            category="Probes",
            labels={"model": "{probed}"},
            caption="captions/probes.rst",
        ),
    log:
        "<logs>/probe/{probed}.log",
    benchmark:
        "<benchmarks>/probe/{probed}.tsv"
    # All there are; `snakemake --report` is told of none.
    threads: workflow.resource_settings.cores or 1
    resources:
        gpu=lambda wildcards: PLAN.probes.models[wildcards.probed].get("gpus", 0),
    params:
        tasks=lambda wildcards, input: folders(input),
        model=lambda wildcards: PLAN.probes.models[wildcards.probed]["model"],
        options=lambda wildcards: PLAN.probes.options(wildcards.probed),
        recipe=PLAN.probes.recipe,
    shell:
        "starbank probe {params.tasks:q} --model={params.model:q} {params.options:q} --recipe={params.recipe:q}"
        " --output={output.table:q} 2>&1 | tee {log:q} >&2"
