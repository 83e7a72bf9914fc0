"""What a command imports: no more than it needs, for Snakemake starts a process for each job."""

import subprocess
import sys

import pytest

from tests.conftest import ROOT

GEORGIAN = "treebanks/sample/UD_Georgian-Sample"
QUERY = "queries/kat/published/transitive-erg-nom-subj.grew"
UNIVERSAL = [f"queries/universal/{name}.grew" for name in ("subject-verb-number", "distant-agreement-number")]
# Each takes longer to import than a small command to run.
HEAVY = {
    *("pandas", "scipy", "statsmodels", "torch", "duckdb", "pyarrow", "numpy", "lark", "yaml", "langcodes", "jinja2"),
    *("jsonschema", "requests", "pooch", "huggingface_hub", "tqdm", "pygments", "vl_convert", "snakemake"),
}
TABLES = {"numpy", "pyarrow"}


@pytest.mark.parametrize(
    ("command", "needed"),
    [
        (["--help"], set()),
        (["generate", "--help"], set()),
        (["ls", "outputs-of-nobody"], set()),
        (["match", "pattern { X [upos=INTJ] }", GEORGIAN, "--count"], TABLES | {"duckdb", "lark", "langcodes"}),
        (["ingest", GEORGIAN, "-o", "{folder}/UD_Georgian-Sample"], TABLES | {"langcodes"}),
        (["lexicon", "build", GEORGIAN, "-o", "{folder}/kat.parquet"], TABLES | {"duckdb", "yaml", "langcodes"}),
        (["generate", QUERY, "--treebank", GEORGIAN, "-o", "{folder}/made"],
         TABLES | {"duckdb", "lark", "yaml", "langcodes"}),
        (["generate", "--part", *UNIVERSAL, "--treebank", GEORGIAN, "-o", "{folder}/parts"],
         TABLES | {"duckdb", "lark", "yaml", "langcodes"}),
        (["new", GEORGIAN], TABLES | {"duckdb", "lark", "yaml", "langcodes"}),
        (["generate", QUERY, "--treebank", "UD_Nobody-Has", "-o", "{folder}"],
         TABLES | {"duckdb", "lark", "yaml", "langcodes"}),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)  # fmt: skip
def test_a_command_imports_what_it_needs(command, needed, tmp_path):
    arguments = [argument.format(folder=tmp_path) if "{folder}" in argument else argument for argument in command]
    program = "import atexit, sys; from starbank.cli import main; "
    program += "atexit.register(lambda: print(*sys.modules, file=sys.stderr)); main(sys.argv[1:])"
    result = subprocess.run([sys.executable, "-c", program, *arguments], cwd=ROOT, text=True, capture_output=True)
    modules = set(result.stderr.splitlines()[-1].split())
    assert "starbank.cli" in modules
    assert modules & HEAVY <= needed


def test_help_imports_no_room_of_the_house():
    program = "import sys; from starbank.cli import build_parser; build_parser(); print(*sys.modules)"
    printed = subprocess.run([sys.executable, "-c", program], check=True, text=True, capture_output=True).stdout
    rooms = {name.split(".")[1] for name in printed.split() if name.startswith("starbank.")}
    assert rooms == {"cli", "commands", "errors"}
