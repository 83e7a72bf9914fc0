"""From tables and queries to minimal sets.

Needs    <outputs>/treebanks/, queries/
Makes    <outputs>/lexicons/<language>.parquet
         <outputs>/suites/<dataset>/<construction>/      items.parquet, pairs.parquet, rejected.parquet
         <outputs>/parts/<batch>/<language>/             what treebanks of a language give where constructions run everywhere
"""


rule lexicon:
    """Collect the forms that the treebanks of a language attest, and those of UniMorph where they are asked for."""
    input:
        treebanks=lambda wildcards: ingested(PLAN.lexicons[wildcards.lexicon]),
        unimorph=lambda wildcards: unimorph(wildcards.lexicon),
    output:
        "<outputs>/lexicons/{lexicon}.parquet",
    log:
        "<logs>/lexicon/{lexicon}.log",
    benchmark:
        "<benchmarks>/lexicon/{lexicon}.tsv"
    params:
        treebanks=lambda wildcards, input: folders(input.treebanks),
        unimorph=lambda wildcards, input: [
            f"--unimorph={folder}" for folder in folders(input.unimorph)
        ],
        files=lambda wildcards: stamps(f"treebanks/unimorph/{wildcards.lexicon}", "*"),
        code=code_sum("starbank.morphology"),
    shell:
        "starbank lexicon build {params.treebanks:q} {params.unimorph:q} --output={output:q}"
        " 2>&1 | tee {log:q} >&2"


# A job makes all suites that share their treebanks, which it loads once; inside it, only what changed is made anew.
# What a job makes is no pattern with wildcards, so that each has a rule.
for batch in [batch for batch in PLAN.batches if not batch.parts]:

    rule:
        name:
            f"generate_{batch.name}"
        input:
            queries=queries(batch),
            tables=tables(batch),
            treebanks=ingested(batch.treebanks),
            # What commands make is sought in all treebanks of the language, whatever the batch; they share its lexicon.
            words=ingested(PLAN.lexicons[batch.language] if batch.treebanks else []),
            # Templates have tables only.
            lexicon=[f"<outputs>/lexicons/{batch.language}.parquet"]
            * bool(batch.treebanks),
        output:
            update(suites(batch.dataset, names(batch))),
        log:
            f"<logs>/generate/{batch.name}.log",
        benchmark:
            f"<benchmarks>/generate/{batch.name}.tsv"
        params:
            treebanks=lambda wildcards, input: [
                f"--treebank={folder}" for folder in folders(input.treebanks)
            ],
            words=lambda wildcards, input: [
                f"--words={folder}" for folder in folders(input.words)
            ],
            lexicon=lambda wildcards, input: [
                f"--lexicon={file}" for file in input.lexicon
            ],
            folder=lambda wildcards, output: Path(output[0]).parent.parent,
            seed=config["seed"],
            engine=config["engine"],
            code=code_sum("starbank.pipeline.generate", *batch.generators),
        shell:
            "starbank generate {input.queries:q} {params.treebanks:q} {params.words:q} {params.lexicon:q}"
            " --seed={params.seed:q} --engine={params.engine:q} --output={params.folder:q}"
            " 2>&1 | tee {log:q} >&2"


# Suites from treebanks of many languages: jobs that each make what a few of these give, and one that puts it together.
for batch in [batch for batch in PLAN.batches if batch.parts]:

    for job, members in batch.part_jobs.items():

        rule:
            name:
                f"part_{batch.name}_{job}"
            input:
                queries=queries(batch),
                tables=tables(batch),
                treebanks=ingested(unique(batch.parts[part] for part in members)),
                words=ingested(
                    unique(PLAN.lexicons[PLAN.lexicon(part)] for part in members)
                ),
                lexicons=[
                    f"<outputs>/lexicons/{PLAN.lexicon(part)}.parquet"
                    for part in members
                ],
            output:
                update([parts(batch, part) for part in members]),
            log:
                f"<logs>/part/{batch.name}-{job}.log",
            benchmark:
                f"<benchmarks>/part/{batch.name}-{job}.tsv"
            params:
                treebanks=lambda wildcards, input: [
                    f"--treebank={folder}" for folder in folders(input.treebanks)
                ],
                words=lambda wildcards, input: [
                    f"--words={folder}" for folder in folders(input.words)
                ],
                lexicons=lambda wildcards, input: [
                    f"--lexicon={file}" for file in input.lexicons
                ],
                folder=lambda wildcards, output: Path(output[0]).parent.parent,
                share=share_of(members[0]),
                seed=config["seed"],
                engine=config["engine"],
                code=code_sum("starbank.pipeline.generate", *batch.generators),
            shell:
                "starbank generate --part --share={params.share:q} {input.queries:q} {params.treebanks:q} {params.words:q}"
                " {params.lexicons:q} --seed={params.seed:q} --engine={params.engine:q} --output={params.folder:q}"
                " 2>&1 | tee {log:q} >&2"

    rule:
        name:
            f"merge_{batch.name}"
        input:
            queries=queries(batch),
            parts=[parts(batch, language) for language in batch.parts],
        output:
            update(suites(batch.dataset, names(batch))),
        log:
            f"<logs>/merge/{batch.name}.log",
        benchmark:
            f"<benchmarks>/merge/{batch.name}.tsv"
        params:
            parts=lambda wildcards, input: [
                f"--part={folder}" for folder in folders(input.parts)
            ],
            folder=lambda wildcards, output: Path(output[0]).parent.parent,
            code=code_sum("starbank.pipeline.generate"),
        shell:
            "starbank merge {input.queries:q} {params.parts:q} --output={params.folder:q}"
            " 2>&1 | tee {log:q} >&2"
