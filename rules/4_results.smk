"""From log-probabilities to accuracies, plots and a page to read.

Needs    <outputs>/scores/, <outputs>/suites/
Makes    <outputs>/results/      tables as Parquet and CSV, plots as SVG, report.html
"""


rule results:
    """Evaluate all models on all datasets."""
    input:
        scores=expand(
            "<outputs>/scores/{dataset}/{model}.parquet",
            dataset=DATASETS,
            model=MODELS,
        ),
        suites=[suites(dataset) for dataset in DATASETS],
    output:
        multiext("<outputs>/results/accuracy", ".parquet", ".csv", ".svg"),
        multiext("<outputs>/results/preferred", ".parquet", ".csv"),
        multiext("<outputs>/results/yield", ".parquet", ".csv"),
        page="<outputs>/results/report.html",
    params:
        suites=lambda wildcards, input: unique(
            Path(file).parent for file in input.suites
        ),
        folder=lambda wildcards, output: Path(output.page).parent,
    shell:
        "starbank results {input.scores:q} --suites {params.suites:q} --output {params.folder:q}"
