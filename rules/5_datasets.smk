"""From minimal sets to folders that the Hugging Face Hub shows and `datasets` loads.

Needs    <outputs>/suites/, the licences in <outputs>/treebanks/
Makes    <outputs>/datasets/<dataset>/      README.md (the card), Parquet, licences
"""


rule publish:
    """Write a dataset folder."""
    input:
        suites=lambda wildcards: suites(wildcards.dataset),
        treebanks=lambda wildcards: ingested(PLAN.treebanks(dataset=wildcards.dataset)),
    output:
        "<outputs>/datasets/{dataset}/README.md",
    params:
        suites=lambda wildcards, input: folders(input.suites),
        treebanks=lambda wildcards, input: Path(input.treebanks[0]).parent.parent,
        folder=subpath(output[0], parent=True),
    shell:
        "starbank publish {params.suites:q} --treebanks {params.treebanks:q} --output {params.folder:q}"
