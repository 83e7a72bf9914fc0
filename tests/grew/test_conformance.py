"""Every request of the conformance bank gives the matches that Grew itself gives, as a set."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import pytest

from starbank.errors import DownloadError, RequestError
from starbank.grew import Engine, parse_request, to_jsonl
from starbank.treebanks import Treebank, read_conllu
from tests.grew import bank

DIFFERENCES = {
    (corpus, name)
    for entry in tomllib.loads(Path(__file__).with_name("differences.toml").read_text(encoding="utf-8")).values()
    for name, corpora in entry["requests"].items()
    for corpus in corpora
}
SMALL = {"probe", "ka_glc-ud-dev", "ta_ttb-ud-test"}


def marks(corpus: str) -> list[pytest.MarkDecorator]:
    """A corpus is loaded once, by the one process that asks all its requests."""
    group = pytest.mark.xdist_group(f"conformance-{corpus}")
    return [group] if corpus in SMALL else [group, pytest.mark.slow]


CASES = [pytest.param(*key, id="-".join(key), marks=marks(key[0])) for key in bank.answers()]


@cache
def load(file: Path) -> tuple[Treebank, Engine]:
    treebank = read_conllu([file])
    return treebank, Engine(treebank)


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


@pytest.mark.parametrize(("corpus", "name"), CASES)
def test_same_matches_as_grew(corpus: str, name: str) -> None:
    file = bank.corpus_file(corpus)
    if isinstance(file, DownloadError):
        bank.miss(str(file))
        return
    treebank, engine = load(file)
    matches = engine.match(parse_request(bank.request_file(corpus, name).read_text(encoding="utf-8")))
    lines = list(to_jsonl(matches, treebank))
    assert len(lines) == len(set(lines)), "a match comes twice"
    told = difference(corpus, name, lines)
    if (corpus, name) in DIFFERENCES:
        assert told, "differences.toml says that this one differs"
    else:
        assert not told, told


@pytest.mark.parametrize("file", sorted((bank.FOLDER / "invalid").glob("*.req")), ids=lambda file: file.stem)
def test_refused_like_grew(file: Path) -> None:
    with pytest.raises(RequestError) as refusal:
        parse_request(file.read_text(encoding="utf-8"), file)
    assert refusal.value.line is not None
    assert refusal.value.column is not None
