"""The real Snakemake where constructions run everywhere: languages share jobs, and one puts suites together."""

from __future__ import annotations

import shutil

import pytest

from tests.pipeline.project import ROOT, Project

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pipeline")]

NAME = "subject-verb-number"
PART = "part_universal_English-Georgian"
SUITE = f"outputs/demo/suites/universal/{NAME}"


def counts(project: Project) -> dict[str, int]:
    """Return how many jobs of each rule Snakemake would run for the suite."""
    result = project.run("--dry-run", "--quiet", "rules", "--", f"{SUITE}/items.parquet")
    assert result.returncode == 0, result.stderr
    pairs = [line.split() for line in (result.stdout + result.stderr).splitlines()]
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and pair[1].isdigit()}


def test_languages_share_a_job_and_a_treebank_costs_its_own(copied: Project):
    (copied.folder / "queries" / "universal").mkdir()
    shutil.copy(ROOT / "queries" / "universal" / f"{NAME}.grew", copied.folder / "queries" / "universal")
    # The lexicons are there: those of the languages' own constructions.
    assert counts(copied) == {PART: 1, "merge_universal": 1, "total": 2}
    result = copied.run("--", f"{SUITE}/items.parquet")
    assert result.returncode == 0, result.stderr
    assert f"{NAME}: " in (copied.folder / "outputs/demo/logs/merge/universal.log").read_text(encoding="utf-8")
    assert counts(copied) == {}
    file = next((copied.folder / "treebanks" / "UD_English-Sample").glob("*.conllu"))
    file.write_text(file.read_text(encoding="utf-8").replace("# sent_id = ", "# sent_id = new-"), encoding="utf-8")
    assert counts(copied) == {"ingest": 1, "lexicon": 1, PART: 1, "merge_universal": 1, "total": 4}
