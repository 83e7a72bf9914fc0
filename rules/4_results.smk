"""From log-probabilities to accuracies, plots and a page to read.

Needs    <outputs>/scores/, <outputs>/suites/, <outputs>/treebanks/ for trees
Makes    <outputs>/results/      tables as Parquet, CSV and LaTeX, plots as SVG, report.html
"""


def report_failures():
    """Make the report where some models have failed and all others have scored."""
    wanted = [Path(path.replace("<outputs>", config["outputs"])) for path in scores()]
    failed = [path for path in wanted if path.with_name(f"{path.name}.failed").exists()]
    here = [path for path in wanted if path.exists()]
    if failed and here:
        suites, treebanks, results = (
            Path(config["outputs"]) / name
            for name in ("suites", "treebanks", "results")
        )
        shell(
            "starbank results {here:q} {failed:q} --suites={suites:q} --treebanks={treebanks:q} --output={results:q}"
        )


rule results:
    """Evaluate all models on all datasets."""
    input:
        scores=scores(),
        suites=[suites(dataset) for dataset in PLAN.datasets],
        treebanks=ingested(PLAN.treebanks()),
    output:
        multiext("<outputs>/results/accuracy", ".parquet", ".csv", ".svg", ".tex"),
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
            ],
            kind=["parquet", "csv"],
        ),
        page="<outputs>/results/report.html",
    params:
        suites=lambda wildcards, input: folders(input.suites),
        folder=subpath(output.page, parent=True),
        treebanks=lambda wildcards, input: [
            f"--treebanks={folder.parent}" for folder in folders(input.treebanks[:1])
        ],
        code=code_sum("starbank.analysis"),
    shell:
        "starbank results {input.scores:q} --suites {params.suites:q} {params.treebanks:q} --output={params.folder:q}"


onerror:
    # Where a model failed, the report is made of what the others scored, and says so.
    report_failures()
