"""From log-probabilities to accuracies, plots and a page to read.

Needs    <outputs>/scores/, <outputs>/suites/, <outputs>/treebanks/ for trees
Makes    <outputs>/results/      tables as Parquet, CSV and LaTeX, plots as SVG, report.html
"""


rule results:
    """Evaluate all models on all datasets."""
    input:
        scores=scores(),
        suites=[suites(dataset) for dataset in PLAN.datasets],
        treebanks=ingested(PLAN.treebanks()),
    output:
        multiext("<outputs>/results/accuracy", ".parquet", ".tex"),
        report(
            "<outputs>/results/accuracy.svg",
            category="Results",
            labels={"results": "accuracies", "as": "plot"},
            caption="captions/accuracy.rst",
        ),
        report(
            "<outputs>/results/accuracy.csv",
            category="Results",
            labels={"results": "accuracies", "as": "table"},
            caption="captions/accuracy.rst",
        ),
        expand(
            "<outputs>/results/{table}.{kind}",
            table=[
                "treebanks",
                "preferred",
                "predictions",
                "compared",
                "by",
                "correlations",
                "regression",
                "yield",
                "models",
                "slopes",
                "surprisals",
                "regions",
            ],
            kind=["parquet", "csv"],
        ),
        directory("<outputs>/results/figures"),
        page=report(
            "<outputs>/results/report.html",
            category="Results",
            labels={"results": "all", "as": "page"},
            caption="captions/results.rst",
        ),
    log:
        "<logs>/results.log",
    benchmark:
        "<benchmarks>/results.tsv"
    threads: 4
    params:
        suites=lambda wildcards, input: folders(input.suites),
        folder=subpath(output.page, parent=True),
        treebanks=lambda wildcards, input: [
            f"--treebanks={folder.parent}" for folder in folders(input.treebanks[:1])
        ],
        code=code_sum("starbank.analysis"),
    shell:
        "starbank results {input.scores:q} --suites {params.suites:q} {params.treebanks:q} --output={params.folder:q}"
        " 2>&1 | tee {log:q} >&2"


onerror:
    # Where a model failed, the report is made of what the others scored, and says so.
    report_failures()
