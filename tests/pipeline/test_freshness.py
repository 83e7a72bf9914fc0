"""The real Snakemake on a project: what it makes anew, what it leaves alone, and what it survives."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.hub.local_hub import local_hub
from tests.hub.suites import contents
from tests.pipeline.project import ROOT, Project, listed, make_project

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pipeline")]


def test_a_touched_query_concerns_its_own_dataset_only(copied: Project):
    query = copied.folder / "queries" / "eng" / "subject-verb-number.grew"
    query.write_text(query.read_text() + "% A remark.\n")
    before = copied.products()
    result = copied.run("--", "datasets")
    assert result.returncode == 0, result.stderr
    assert "generate_eng" in listed(result)
    assert not {"generate_kat", "ingest", "fetch", "lexicon"} & set(listed(result))
    changed = {name for name, checksum in copied.products().items() if before.get(name) != checksum}
    assert changed
    assert all("/kat/" not in name for name in changed)
    assert copied.jobs("--", "datasets") == []


def test_an_edited_treebank_is_ingested_again(copied: Project):
    tokens = "outputs/demo/treebanks/UD_English-Sample/tokens.parquet"
    file = next((copied.folder / "treebanks" / "UD_English-Sample").glob("*.conllu"))
    file.write_text(file.read_text(encoding="utf-8").replace("# sent_id = ", "# sent_id = new-"), encoding="utf-8")
    assert "ingest" in copied.jobs("--", tokens)


def test_an_edited_transform_makes_its_treebanks_anew(copied: Project):
    (copied.folder / "generators").unlink()
    shutil.copytree(ROOT / "generators", copied.folder / "generators")
    derived = "outputs/demo/treebanks/UD_English-Sample+swapped/tokens.parquet"
    target = ("--config", 'treebanks={"eng": ["UD_English-Sample+swapped"]}', "--", derived)
    result = copied.run(*target)
    assert result.returncode == 0, result.stderr
    assert copied.jobs(*target) == []
    with (copied.folder / "generators" / "swapped.py").open("a", encoding="utf-8") as stream:
        stream.write("# A remark.\n")
    assert "transform" in copied.jobs(*target)


def test_a_deleted_query_vanishes_from_its_dataset(copied: Project):
    (copied.folder / "queries" / "kat" / "intransitive-nom-subj.grew").unlink()
    assert copied.run().returncode == 0
    card = (copied.folder / "outputs" / "demo" / "datasets" / "kat" / "README.md").read_text()
    assert "intransitive-nom-subj" not in card
    scores = pq.read_table(copied.folder / "outputs" / "demo" / "scores" / "kat" / "unigram.parquet")
    assert "intransitive-nom-subj" not in scores["construction"].to_pylist()
    assert copied.jobs() == []


def test_a_lost_product_is_made_again(copied: Project):
    before = copied.products()
    lost = "outputs/demo/suites/kat/transitive-erg-nom-subj/items.parquet"
    (copied.folder / lost).unlink()
    result = copied.run("--", "datasets")
    assert result.returncode == 0, result.stderr
    assert "generate_kat" in listed(result)
    assert copied.products() == before


def test_a_run_that_is_killed_at_each_stage_is_completed_with_the_same_products(finished: Project, tmp_path: Path):
    project = make_project(tmp_path / "project", languages=("eng",))
    # Killed as soon as a stage has begun to write: ingestion, generation or scoring is under way then.
    for product in ("treebanks/UD_English-Sample/source.json", "outputs/demo/lexicons", "outputs/demo/scores"):
        assert not (project.folder / product).exists()
        process = subprocess.Popen(
            project.command("--", "datasets"),
            cwd=project.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        while not (project.folder / product).exists():
            assert process.poll() is None, "the run ended before it could be killed"
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        project.run("--unlock")
    result = project.run("--", "datasets")
    assert result.returncode == 0, result.stderr
    products = project.products()
    assert "outputs/demo/datasets/eng/README.md" in products
    assert products.items() <= finished.products().items()


def test_a_push_puts_the_datasets_that_are_named_on_the_hub_and_leaves_them_alone_next_time(finished, monkeypatch):
    with local_hub() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        monkeypatch.setenv("HF_TOKEN", "hf_ana")
        push = ("--config", 'push={"eng": {"repo": "lab/english", "tag": "v1.0.0"}}', "--", "push")
        for _ in range(2):
            result = finished.run(*push)
            assert result.returncode == 0, result.stderr
        assert "nothing to push" in result.stderr
        assert hub.files("lab/english", "v1.0.0") == contents(finished.folder / "outputs/demo/datasets/eng")
        assert len(hub.repositories["lab/english"].log()) == 2


def test_a_push_to_nowhere_is_told(finished):
    result = finished.run("--", "push")
    assert result.returncode == 1
    assert "config.yaml names no repository under push" in result.stderr


def test_a_model_that_cannot_be_loaded_fails_alone_and_the_report_says_so(copied: Project):
    broken = copied.folder / "broken"
    broken.mkdir()
    (broken / "config.json").write_text('{"model_type": "gpt2"}')
    result = copied.run("--config", f"models=[unigram,ngram,{broken}]", "datasets=[eng]")
    assert result.returncode != 0
    assert "has no weights as safetensors" in result.stderr + result.stdout
    report = (copied.folder / "outputs" / "demo" / "results" / "report.html").read_text(encoding="utf-8")
    assert "broken (eng) could not be used" in report
    assert "unigram" in report


def test_unimorph_is_fetched_for_the_languages_that_the_configuration_names(finished: Project):
    lexicons = [f"outputs/demo/lexicons/{language}.parquet" for language in ("eng", "kat")]
    result = finished.run("--dry-run", "--quiet", "host", "--config", "unimorph=[eng]", "--", *lexicons)
    assert result.returncode == 0, result.stderr
    assert re.findall(r"output: treebanks/unimorph/(\w+)/", result.stdout + result.stderr) == ["eng"]


def test_a_language_that_unimorph_does_not_have_is_told_and_its_lexicon_made(tmp_path: Path):
    project = make_project(tmp_path / "project", languages=("eng",))
    (tmp_path / "empty").mkdir()
    fetch = [sys.executable, "-m", "starbank.cli", "fetch", "--unimorph", "eng", "--optional"]
    places = ["--source", str(tmp_path / "empty"), "--output", "treebanks/unimorph"]
    fetched = subprocess.run([*fetch, *places], cwd=project.folder, text=True, capture_output=True)
    assert (fetched.returncode, fetched.stderr) == (0, "UniMorph has no eng\n")
    made = project.run("--config", "unimorph=[eng]", "--", "outputs/demo/lexicons/eng.parquet")
    assert made.returncode == 0, made.stderr
    assert "treebanks/unimorph/eng has no paradigms of eng" in made.stderr
