"""What is left alone, what is made again, and what survives a kill."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from starbank.files import read_metadata, write_parquet
from starbank.morphology import build_lexicon
from starbank.pipeline.generate import generate
from starbank.treebanks import read_conllu
from tests.generate.small import ONE, SENTENCES, TWO, contents, query
from tests.small_treebank import conllu

ROOT = Path(__file__).resolve().parents[2]


def times(folder="out"):
    return {file: file.stat().st_mtime_ns for file in Path(folder).glob("*/*.parquet")}


def make_old(folder="out"):
    for file in Path(folder).glob("*/*.parquet"):
        os.utime(file, (1, 1))


def test_what_has_not_changed_is_left_as_it_is_with_a_new_time(home):
    files = [query("nom"), query("erg", case="Erg")]
    generate(files, [ONE], Path("out"))
    before = contents("out")
    make_old()
    assert [str(made) for made in generate(files, [ONE], Path("out"))] == [
        "nom: 3 items from 3 matches, unchanged",
        "erg: 3 items from 3 matches, unchanged",
    ]
    assert contents("out") == before
    assert min(times().values()) > 10**9


@pytest.mark.slow
def test_what_has_changed_is_made_again(home):
    lexicon, files = Path("kat.parquet"), [query("nom"), query("erg", case="Erg")]
    write_parquet(build_lexicon([read_conllu([ONE])]), lexicon, "lexicon/1")

    def remade(seed=0):
        suites = generate(files, [ONE], Path("out"), lexicons=[lexicon], seed=seed)
        return [suite.construction for suite in suites if not suite.unchanged]

    assert remade() == ["nom", "erg"]
    assert remade() == []
    query("nom", more="title: Another")
    assert remade() == ["nom"]
    Path("out/nom/rejected.parquet").unlink()
    assert remade() == ["nom"]
    Path(ONE, "ka_small-ud-test.conllu").write_text(conllu(*SENTENCES[:6]), encoding="utf-8")
    assert remade() == ["nom", "erg"]
    write_parquet(build_lexicon([read_conllu([TWO])]), lexicon, "lexicon/1", {"new": True})
    assert remade() == ["nom", "erg"]
    assert remade(seed=1) == ["nom", "erg"]


def test_a_generator_of_ones_own_goes_before_starbanks(home):
    Path("generators").mkdir()
    generator = Path("generators/minimal_sets.py")
    generator.write_text(
        "from starbank.suites import ITEMS, REJECTED, Suite\n"
        "from starbank.plugins import generator\n"
        "import pyarrow as pa\n\n"
        "@generator\n"
        "def minimal_sets(construction, matches, treebank, lexicon):\n"
        "    row = {name: None for name in REJECTED.names} | {'reason': 'mine'}\n"
        "    return Suite(ITEMS.empty_table(), pa.Table.from_pylist([row] * matches.num_rows, schema=REJECTED))\n"
    )
    (made,) = generate([query("nom-subj")], [ONE], Path("out"))
    assert made.rejects == {"mine": 3}
    generator.write_text(generator.read_text().replace("mine", "changed"))
    (made,) = generate([query("nom-subj")], [ONE], Path("out"))
    assert made.rejects == {"changed": 3}


def test_what_a_generator_of_ones_own_uses_is_part_of_its_code(home):
    Path("generators").mkdir()
    shipped = ROOT / "generators" / "minimal_sets.py"
    for name in ("minimal_sets", "endings"):
        Path(f"generators/{name}.py").write_text(shipped.read_text(encoding="utf-8"), encoding="utf-8")
    Path("generators/words.txt").write_text("a word", encoding="utf-8")
    file = query("nom-subj")
    assert not generate([file], [ONE], Path("out"))[0].unchanged
    for edited in ("generators/minimal_sets.py", "generators/endings.py", "generators/words.txt"):
        assert generate([file], [ONE], Path("out"))[0].unchanged
        with Path(edited).open("a", encoding="utf-8") as stream:
            stream.write("# A remark.\n")
        assert not generate([file], [ONE], Path("out"))[0].unchanged


# Runs the same command, but dies by SIGKILL while the file number `sys.argv[1]` is half written.
KILLED = """
import os, signal, sys
from pathlib import Path
import pyarrow.parquet as pq

opened = 0

class Writer(pq.ParquetWriter):
    def __init__(self, path, *arguments, **options):
        global opened
        opened += 1
        if opened == int(sys.argv[1]):
            Path(path).write_bytes(b"PAR1 half a file")
            os.kill(os.getpid(), signal.SIGKILL)
        super().__init__(path, *arguments, **options)

pq.ParquetWriter = Writer
from starbank.pipeline.generate import generate
generate([Path("nom.grew"), Path("erg.grew")], ["UD_Georgian-One"], Path(sys.argv[2]))
"""


@pytest.mark.slow
def test_a_killed_run_is_completed_by_the_next(home):
    files = [query("nom"), query("erg", case="Erg")]
    generate(files, [ONE], Path("undisturbed"))
    # There are products of an older query, too, which must not be mixed with the new ones.
    generate([query("nom", more="title: Old")], [ONE], Path("old"))
    query("nom")
    for file in (1, 3, 5):
        folder = shutil.copytree("old", f"killed-{file}")
        killed = subprocess.run(
            [sys.executable, "-c", KILLED, str(file), folder], check=False, env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
        assert killed.returncode == -signal.SIGKILL
        generate(files, [ONE], Path(folder))
        assert contents(folder) == contents("undisturbed")


def test_a_suite_by_commands_is_made_again_where_another_treebank_is_asked(home):
    text = query("nom").read_text(encoding="utf-8")
    commands = text.replace("% vary: {Case: [Nom, Erg, Dat]}", "% conditions: {another case: [S.Case = Erg]}")
    Path("nom.grew").write_text(commands, encoding="utf-8")
    lexicon = Path("kat.parquet")
    write_parquet(build_lexicon([read_conllu([ONE]), read_conllu([TWO])]), lexicon, "lexicon/1")

    def asked(*treebanks):
        (suite,) = generate([Path("nom.grew")], list(treebanks), Path("out"), lexicons=[lexicon])
        usage = read_metadata(Path("out/nom/items.parquet"))["inputs"]["usage"]
        return [treebank["name"] for treebank in usage], "unchanged" in str(suite)

    assert asked(ONE) == ([ONE], False)
    assert asked(ONE) == ([ONE], True)
    assert asked(ONE, TWO) == ([ONE, TWO], False)
