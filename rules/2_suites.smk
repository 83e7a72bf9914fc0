"""From tables and queries to minimal sets.

Needs    <outputs>/treebanks/, queries/
Makes    <outputs>/lexicons/<language>.parquet
         <outputs>/suites/<dataset>/<construction>/      items.parquet, pairs.parquet, rejected.parquet
"""


rule lexicon:
    """Collect the forms that the treebanks of a language attest, and those of UniMorph where they are asked for."""
    input:
        treebanks=lambda wildcards: ingested(PLAN.words(language=wildcards.language)),
        unimorph=lambda wildcards: unimorph(wildcards.language),
    output:
        "<outputs>/lexicons/{language}.parquet",
    log:
        "<logs>/lexicon/{language}.log",
    benchmark:
        "<benchmarks>/lexicon/{language}.tsv"
    params:
        treebanks=lambda wildcards, input: folders(input.treebanks),
        unimorph=lambda wildcards, input: [
            f"--unimorph={folder}" for folder in folders(input.unimorph)
        ],
        files=lambda wildcards: stamps(f"treebanks/unimorph/{wildcards.language}", "*"),
        code=code_sum("starbank.morphology"),
    shell:
        "starbank lexicon build {params.treebanks:q} {params.unimorph:q} --output={output:q}"
        " 2>&1 | tee {log:q} >&2"


# One job makes all suites that share their treebanks, which it loads once; inside it, only what changed is made anew.
# What a job makes is no pattern with wildcards, so that each has a rule.
for batch in PLAN.batches:

    rule:
        name:
            f"generate_{batch.name}"
        input:
            queries=local([query.path for query in batch.constructions]),
            tables=local(
                sorted(
                    {table for query in batch.constructions for table in query.tables}
                )
            ),
            treebanks=ingested(batch.treebanks),
            # Templates have tables only.
            lexicon=[f"<outputs>/lexicons/{batch.language}.parquet"]
            * bool(batch.treebanks),
        output:
            update(suites(batch.dataset, [query.name for query in batch.constructions])),
        log:
            f"<logs>/generate/{batch.name}.log",
        benchmark:
            f"<benchmarks>/generate/{batch.name}.tsv"
        params:
            treebanks=lambda wildcards, input: [
                f"--treebank={folder}" for folder in folders(input.treebanks)
            ],
            lexicon=lambda wildcards, input: [
                f"--lexicon={file}" for file in input.lexicon
            ],
            folder=lambda wildcards, output: Path(output[0]).parent.parent,
            seed=config["seed"],
            engine=config["engine"],
            code=code_sum("starbank.pipeline.generate", *batch.generators),
        shell:
            "starbank generate {input.queries:q} {params.treebanks:q} {params.lexicon:q}"
            " --seed={params.seed:q} --engine={params.engine:q} --output={params.folder:q}"
            " 2>&1 | tee {log:q} >&2"
