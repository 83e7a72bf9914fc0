"""Starbank out of a wheel, in an environment of its own: a project begins, and its workflow runs."""

import os
import re
import shlex
import site
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

from starbank.code import code_sum
from tests.conftest import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("installed")]


@dataclass(frozen=True)
class Environment:
    """A virtual environment that has Starbank's wheel, and what it depends on."""

    folder: Path

    def run(self, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Run a module or a program of the environment, as in a shell where it is not activated."""
        variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "UD_MIRROR")}
        variables |= {"HF_HUB_OFFLINE": "1"}
        command = [str(self.folder / "bin" / arguments[0]), *arguments[1:]]
        return subprocess.run(command, cwd=cwd, env=variables, text=True, capture_output=True, timeout=300)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    folder = tmp_path_factory.mktemp("environment")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", folder, ROOT], check=True, timeout=300)
    venv.create(folder / "venv")
    python = folder / "venv" / "bin" / "python"
    (wheel,) = folder.glob("*.whl")
    subprocess.run([*pip, "--python", python, "install", "--no-deps", wheel], check=True, timeout=300)
    # What it depends on is that of the environment that runs the tests, but for a checkout that is installed there.
    packages = subprocess.check_output([python, "-c", "import site; print(site.getsitepackages()[0])"], text=True)
    Path(packages.strip(), "dependencies.pth").write_text("\n".join(site.getsitepackages()), encoding="utf-8")
    return Environment(folder / "venv")


@pytest.fixture(scope="module")
def begun(environment: Environment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `starbank init my-project` makes."""
    home = tmp_path_factory.mktemp("home")
    made = environment.run("starbank", "init", "my-project", cwd=home)
    assert made.returncode == 0, made.stderr
    assert made.stderr.splitlines()[1:] == [
        "Next:",
        "  cd my-project",
        "  starbank check queries/eng/subject-verb-number.grew",
        "  snakemake --cores 8",
    ]
    return home / "my-project"


def test_no_package_but_starbank_is_in_the_environment(environment, tmp_path):
    found = (
        "from importlib.util import find_spec; print(*map(find_spec, ['generators', 'languages', 'queries', 'rules']))"
    )
    assert environment.run("python", "-c", found, cwd=tmp_path).stdout == "None None None None\n"
    where = environment.run("python", "-c", "import starbank; print(starbank.__file__)", cwd=tmp_path).stdout
    assert where.startswith(str(environment.folder))


def test_the_wheel_has_the_workflow_and_nothing_that_was_made_by_it(environment):
    (workflow,) = environment.folder.glob("lib/*/site-packages/starbank/workflow")
    assert {path.name for path in workflow.iterdir()} == {
        *("Snakefile", "config.yaml", "rules", "profiles", "queries", "generators", "languages", "treebanks"),
    }
    assert [path.name for path in (workflow / "treebanks").iterdir()] == ["sample"]
    shipped = {path.relative_to(workflow) for path in workflow.rglob("*.*") if path.suffix != ".pyc"}
    tracked = subprocess.check_output(
        ["git", "ls-files", *(path.name for path in workflow.iterdir())], cwd=ROOT, text=True
    )
    assert {str(path) for path in shipped if (workflow / path).is_file()} <= set(tracked.splitlines())


def test_the_sum_of_the_code_is_that_of_a_checkout(environment, tmp_path):
    program = (
        "from starbank.code import code_sum, generator_files as files; "
        "print(code_sum('starbank.pipeline.generate', files()['minimal_sets']))"
    )
    installed = environment.run("python", "-c", program, cwd=tmp_path).stdout.strip()
    assert installed == code_sum("starbank.pipeline.generate", ROOT / "generators" / "minimal_sets.py")


def test_a_project_is_built_and_then_there_is_nothing_left_to_do(environment, begun):
    made = environment.run("python", "-m", "snakemake", "--cores", "2", cwd=begun)
    assert made.returncode == 0, made.stderr
    listed = environment.run("starbank", "ls", cwd=begun).stdout
    assert "eng/subject-verb-number     77" in listed
    assert "outputs/results/report.html" in listed
    assert (begun / "outputs/datasets/eng/README.md").is_file()
    again = environment.run("python", "-m", "snakemake", "--cores", "2", "--dry-run", cwd=begun)
    assert "Nothing to be done" in again.stdout + again.stderr


# The README's names, and those of a project that begins with the sample of English.
NAMES = {
    "UD_Irish-IDT": "UD_English-Sample",
    "UD_Georgian-GLC": "UD_English-Sample",
    "queries/kat/my.grew": "queries/eng/subject-verb-number.grew",
    "OBJ.Case": "S.Number",
    "transitive-erg-nom-subj": "subject-verb-number",
    "outputs/suites/kat": "outputs/suites/eng",
    "FacebookAI/xlm-roberta-base": "unigram --text outputs/treebanks/UD_English-Sample",
    "my-org/georgian-case-alignment": "outputs/datasets/eng",
}
# What takes a network, or a clone; tests/hub pushes to a Hub of its own.
ELSEWHERE = ("pip install", "starbank init", "starbank push", "hf auth", "make ", "source ", "UD_MIRROR=", "cd ")


def readme_commands() -> list[str]:
    """The commands of README.md, in the order in which they stand there."""
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    lines = [line.partition(" #")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line]


def test_the_commands_of_the_readme_do_what_they_say(environment, begun):
    here = [command for command in readme_commands() if not command.startswith(ELSEWHERE)]
    assert len(here) == 11
    for command in here:
        for name, ours in NAMES.items():
            command = command.replace(name, ours)
        words = [word for part in shlex.split(command) for word in sorted(map(str, begun.glob(part))) or [part]]
        done = environment.run(*(["python", "-m"] * (words[0] == "snakemake")), *words, cwd=begun)
        assert done.returncode == 0, (command, done.stderr)
    made = ("suites/subject-verb-number/items.parquet", "scores/xlmr.parquet", "results/report.html", "review.html")
    assert [name for name in made if not (begun / name).is_file()] == []
    load = "import datasets; print(len(datasets.load_dataset('outputs/datasets/eng', 'subject-verb-number')['test']))"
    assert environment.run("python", "-c", load, cwd=begun).stdout == "77\n"


def test_a_model_that_fails_does_not_keep_the_report_from_the_others(environment, begun):
    names = "models=[unigram,nobody/no-model]"
    failed = environment.run("python", "-m", "snakemake", "--cores", "2", "--config", names, cwd=begun)
    assert failed.returncode != 0
    assert "nobody/no-model" in (begun / "outputs/results/report.html").read_text(encoding="utf-8")


def test_a_generator_of_the_project_goes_before_starbanks(environment, begun):
    shipped = (ROOT / "generators" / "minimal_sets.py").read_text(encoding="utf-8")
    (begun / "generators").mkdir()
    (begun / "generators" / "minimal_sets.py").write_text("# Of one's own.\n" + shipped, encoding="utf-8")
    jobs = environment.run("python", "-m", "snakemake", "--cores", "2", "--dry-run", "--quiet", "rules", cwd=begun)
    assert "generate_eng" in jobs.stdout + jobs.stderr


def test_a_project_is_not_overwritten(environment, begun):
    (begun / "config.yaml").write_text("models: [unigram]\n", encoding="utf-8")
    again = environment.run("starbank", "init", "my-project", cwd=begun.parent)
    assert again.returncode == 2
    assert "my-project/config.yaml: there is such a file already" in again.stderr
