"""From log-probabilities to accuracies, plots and a page to read.

Needs    <outputs>/scores/, <outputs>/suites/
Makes    <outputs>/results/      tables as Parquet and CSV, plots as SVG, report.html
"""


rule results:
    """Evaluate all models on all datasets."""
    input:
        scores=scores(),
        suites=[suites(dataset) for dataset in PLAN.datasets],
    output:
        multiext("<outputs>/results/accuracy", ".parquet", ".csv", ".svg"),
        multiext("<outputs>/results/preferred", ".parquet", ".csv"),
        multiext("<outputs>/results/predictions", ".parquet", ".csv"),
        multiext("<outputs>/results/yield", ".parquet", ".csv"),
        page="<outputs>/results/report.html",
    params:
        suites=lambda wildcards, input: folders(input.suites),
        folder=subpath(output.page, parent=True),
    shell:
        "starbank results {input.scores:q} --suites {params.suites:q} --output {params.folder:q}"
