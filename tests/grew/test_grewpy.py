"""Grew as a second engine: the same table as from our own, and what to do where it is not installed.

grewpy is real; its OCaml backend is stood in for by `fake_backend.py`, which speaks its protocol.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from starbank.errors import RequestError
from starbank.grew import Engine, parse_request
from starbank.grew.engine import open_engine
from starbank.grew.grewpy_engine import GrewpyEngine
from starbank.grew.parse import block_texts
from starbank.pipeline.generate import generate
from starbank.suites import read_items
from starbank.treebanks import Treebank, read_conllu
from tests.generate.small import QUERY
from tests.generate.small import SENTENCES as GEORGIAN
from tests.grew.conftest import conllu
from tests.small_treebank import conllu as small_conllu

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]

# A multiword token, an empty node with an enhanced edge of parts, the same sent_id twice, and none at all.
SENTENCES = (
    """# sent_id = same
    1-2 zum _ _ _ _ _
    1 zu zu ADP _ 3 case 3:case
    2 dem der DET Case=Dat 3 det 3:det
    3 Haus Haus NOUN Case=Dat 0 root 0:root|3.1:obl:zu
    3.1 _ gehen VERB _ _ _ 0:root""",
    """# sent_id = same
    1 Haus Haus NOUN Case=Nom 2 nsubj:pass
    2 gebaut bauen VERB _ 0 root""",
    """1 Häuser Haus NOUN Case=Nom|Number=Plur 2 nsubj
    2 ; ; PUNCT _ 0 _""",
)
REQUESTS = (
    "pattern { X [Case] }",
    "pattern { e: X -> Y }",
    "pattern { e: X -[1=nsubj]-> Y; f: R -> X } % a comment at the end {",
    'pattern { X [form=";"|"Haus"]; % ; }\n Y [] }\nwithout { X -> Y % }\n }',
    "global { sent_id = same } pattern { X [lemma=Haus] } with { X -[det]-> D }",
    "pattern { X -> Y; Y$ []; Z$ [upos=NOUN]; X -> Z$ }",
    "pattern { X [upos=ADV] }",
)


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Put a program `grewpy_backend` on the PATH."""
    folder = tmp_path_factory.mktemp("bin")
    program = folder / "grewpy_backend"
    script = ROOT / "tests" / "grew" / "fake_backend.py"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} {script} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    before = os.environ["PATH"]
    os.environ["PATH"] = f"{folder}{os.pathsep}{before}"
    yield
    os.environ["PATH"] = before


@pytest.fixture
def treebank(tmp_path: Path) -> Treebank:
    """Two files, whose sentences partly share an id."""
    for name, sentences in (("de_x-ud-dev", SENTENCES[:1]), ("de_x-ud-test", SENTENCES[1:])):
        (tmp_path / f"{name}.conllu").write_text("".join(map(conllu, sentences)), encoding="utf-8")
    return read_conllu([tmp_path])


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize("request_text", REQUESTS)
def test_both_engines_return_the_same_table(request_text: str, treebank: Treebank) -> None:
    request = parse_request(request_text)
    ours, grew = Engine(treebank), open_engine("grewpy", treebank)
    assert grew.match(request).equals(ours.match(request))
    assert grew.count(request) == ours.count(request)
    assert grew.match(request, 2).equals(ours.match(request, 2))


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize("keys", [["treebank"], ["X.Case"], ["Case"], ["X.upos", "treebank", "X.Number"]])
def test_both_engines_count_alike(keys: list[str], treebank: Treebank) -> None:
    request = parse_request("pattern { X [upos=NOUN|DET] }")
    ours, grew = Engine(treebank), GrewpyEngine(treebank)
    assert grew.cluster(request, keys, "UD_X").equals(ours.cluster(request, keys, "UD_X"))


def test_blocks_are_sent_as_they_are_written() -> None:
    text = '% { a }\npattern { X [form=/a{2}/, lemma="};"]; % }\n Y [] % end\n}  without{ X -> Y } global { is_tree }'
    assert block_texts(text) == [
        ("pattern", ' X [form=/a{2}/, lemma="};"]; % }\n Y [] % end\n'),
        ("without", " X -> Y "),
        ("global", " is_tree "),
    ]


@pytest.mark.usefixtures("backend")
def test_what_grew_refuses_is_an_error_of_the_request(treebank: Treebank, monkeypatch: pytest.MonkeyPatch) -> None:
    request = parse_request("pattern { X [] }")
    monkeypatch.setattr("starbank.grew.grewpy_engine.block_texts", lambda _: [("pattern", "X [")])
    with pytest.raises(RequestError, match="Grew says: libgrew error: "):
        GrewpyEngine(treebank).match(request)


@pytest.mark.usefixtures("backend")
def test_both_engines_make_the_same_suite(tmp_path: Path) -> None:
    (tmp_path / "ka_small-ud-test.conllu").write_text(small_conllu(*GEORGIAN), encoding="utf-8")
    query = tmp_path / "nom-subj.grew"
    settings = {"language": "kat", "treebank": "UD_Georgian-One", "case": "Nom", "more": ""}
    query.write_text(QUERY.format(**settings), encoding="utf-8")
    made = [generate([query], [tmp_path], tmp_path / engine, engine=engine) for engine in ("starbank", "grewpy")]
    assert made[0] == made[1]
    assert made[0][0].items == 3
    ours, grew = (read_items([tmp_path / engine / "nom-subj"]) for engine in ("starbank", "grewpy"))
    assert grew.equals(ours)


@pytest.mark.parametrize(
    ("code", "missing"),
    [
        ("import sys; sys.modules['grewpy'] = None", "the package grewpy, which is not installed"),
        ("import os; os.environ['PATH'] = ''", "the program grewpy_backend, which is not on the PATH"),
    ],
)
def test_where_grew_is_not_installed_the_message_says_how_to_install_it(code: str, missing: str) -> None:
    command = ["match", "pattern { X [] }", "treebanks/sample/UD_Georgian-Sample", "--engine", "grewpy", "--count"]
    program = f"{code}; from starbank.cli import main; main({command!r})"
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout) == (2, "")
    assert f"starbank match: the engine grewpy needs {missing}\n" in result.stderr
    assert "opam install grewpy_backend" in result.stderr
    assert "Traceback" not in result.stderr
