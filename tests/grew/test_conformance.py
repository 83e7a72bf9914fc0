"""Every request of the conformance bank gives the matches that Grew itself gives, as a set."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from starbank.errors import DownloadError, RequestError
from starbank.grew import Engine, parse_request, to_jsonl
from starbank.treebanks import read_conllu
from tests.grew import bank

pytestmark = pytest.mark.slow

DIFFERENCES = {
    (corpus, name)
    for entry in tomllib.loads(Path(__file__).with_name("differences.toml").read_text(encoding="utf-8")).values()
    for name, corpora in entry["requests"].items()
    for corpus in corpora
}
SMALL = {"probe", "ka_glc-ud-dev", "ta_ttb-ud-test"}
CORPORA = [
    pytest.param(corpus, marks=[] if corpus in SMALL else [pytest.mark.slow])
    for corpus in dict.fromkeys(corpus for corpus, _ in bank.answers())
]


def difference(corpus: str, name: str, lines: list[str]) -> str:
    """Tell the first matches that Grew alone has, and those that we alone have."""
    if bank.answer(lines) == bank.answers()[corpus, name]:
        return ""
    count = bank.answers()[corpus, name].matches
    report = [f"Grew has {count} matches, we have {len(lines)}"]
    if name in bank.matches(corpus) or not count:
        expected = set(bank.matches(corpus).get(name, []))
        report += [f"lacking {line}" for line in sorted(expected - set(lines))[:2]]
        report += [f"extra {line}" for line in sorted(set(lines) - expected)[:2]]
    return "\n".join(report)


@pytest.mark.parametrize("corpus", CORPORA)
def test_same_matches_as_grew(corpus: str) -> None:
    """Each request of the bank; a failure tells all those whose matches are others."""
    file = bank.corpus_file(corpus)
    if isinstance(file, DownloadError):
        bank.miss(str(file))
        return
    treebank = read_conllu([file])
    engine = Engine(treebank)
    differing = {}
    for name in [name for asked, name in bank.answers() if asked == corpus]:
        request = bank.request_file(corpus, name)
        lines = list(to_jsonl(engine.match(parse_request(request.read_text(encoding="utf-8"), request)), treebank))
        assert len(lines) == len(set(lines)), f"a match of {name} comes twice"
        if told := difference(corpus, name, lines):
            differing[name] = told
    differences = {name for place, name in DIFFERENCES if place == corpus}
    assert {name: told for name, told in differing.items() if name not in differences} == {}
    assert differences <= differing.keys(), "differences.toml says that these differ"


@pytest.mark.parametrize("file", sorted((bank.FOLDER / "invalid").glob("*.req")), ids=lambda file: file.stem)
def test_refused_like_grew(file: Path) -> None:
    with pytest.raises(RequestError) as refusal:
        parse_request(file.read_text(encoding="utf-8"), file)
    assert refusal.value.line is not None
    assert refusal.value.column is not None
