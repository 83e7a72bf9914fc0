"""From minimal sets to folders that the Hugging Face Hub shows and `datasets` loads.

Needs    <outputs>/suites/, licences and glosses from <outputs>/treebanks/, what the baselines score, reviews in queries/
Makes    <outputs>/datasets/<dataset>/      README.md (the card), Parquet, licences
         repositories on the Hub, by `snakemake push`
"""


# A dataset folder is pushed from here.
localrules:
    publish,
    push,


rule publish:
    """Write a dataset folder."""
    input:
        suites=lambda wildcards: suites(wildcards.dataset),
        treebanks=lambda wildcards: ingested(PLAN.treebanks(dataset=wildcards.dataset)),
        reviews=lambda wildcards: local(PLAN.reviews(wildcards.dataset)),
        scores=lambda wildcards: scores([wildcards.dataset], PLAN.baselines),
    output:
        report(
            local("<outputs>/datasets/{dataset}/README.md"),
            category="Datasets",
            labels={"dataset": "{dataset}", "as": "card"},
            caption="captions/dataset.rst",
        ),
    log:
        local("<logs>/publish/{dataset}.log"),
    benchmark:
        local("<benchmarks>/publish/{dataset}.tsv")
    params:
        suites=lambda wildcards, input: folders(input.suites),
        treebanks=lambda wildcards, input: [
            f"--treebanks={folder.parent}" for folder in folders(input.treebanks[:1])
        ],
        folder=subpath(output[0], parent=True),
        reviews=lambda wildcards, input: [
            f"--reviews={folder}" for folder in folders(input.reviews)
        ],
        scores=lambda wildcards, input: ["--scores", *input.scores] * bool(input.scores),
        code=code_sum("starbank.hub"),
    shell:
        "starbank publish {params.suites:q} {params.treebanks:q} --output={params.folder:q}"
        " {params.reviews:q} {params.scores:q} 2>&1 | tee {log:q} >&2"


rule push:
    """Put the datasets that config.yaml has a repository for on the Hub; what is there already is left alone."""
    input:
        pushed,
    log:
        local("<logs>/push.log"),
    run:
        for folder, options in zip(folders(input), PLAN.pushes.values()):
            shell("starbank push {folder:q} {options:q} 2>&1 | tee -a {log:q} >&2")
