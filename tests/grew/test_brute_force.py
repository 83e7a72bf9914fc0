"""The engine and a matcher that tries everything agree on random requests over random sentences."""

from __future__ import annotations

import json
import os
import tempfile
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from starbank.errors import RequestError
from starbank.grew import Engine, parse_request, to_jsonl
from starbank.grew.labels import compact_label
from starbank.treebanks import Treebank, read_conllu
from tests.grew import brute_force

pytestmark = pytest.mark.slow

# Always the same requests, but for a longer run: STARBANK_PAIRS=1000000 pytest tests/grew/test_brute_force.py
SENTENCES = 50
LONG = os.environ.get("STARBANK_PAIRS")
PAIRS = int(LONG or 3_000)
LABELS = ["r", "s", "r:t", "s:u", "punct", "conj"]


def random_sentence(number: int, random: Random) -> str:
    """Write a sentence of one to six words, often odd: cycles, several roots, empty nodes, MWTs, missing labels."""
    length = random.randint(1, 6)
    lines = [f"# sent_id = s{number}", f"# key = {random.choice('abc')}"] + ["# extra = x"] * (number % 3 == 0)
    enhanced = random.random() < 0.5
    empty = {place for place in range(length + 1) if enhanced and random.random() < 0.15}
    ids = [i for place in range(length + 1) for i in ([str(place)] + [f"{place}.1"] * (place in empty))]
    order = random.sample(range(1, length + 1), length)
    wild = random.random() < 0.3
    fused = 0
    for name in ids[1:]:
        place = int(name.split(".")[0])
        if name.isdigit() and fused < place < length and random.random() < 0.08:
            fused = place + 1
            lines.append(f"{place}-{place + 1}\tfused{place}" + "\t_" * 8)
        above = ["0", *map(str, order[: order.index(place)])] if name.isdigit() and not wild else ids
        head = random.choice([i for i in above if i.isdigit()]) if random.random() < 0.95 else "_"
        label = random.choice(LABELS) if random.random() < 0.95 else "_"
        feats = "|".join(f"{f}={random.choice('xy')}" for f in ("Case", "Number") if random.random() < 0.6)
        misc = "|".join(f"{f}={random.choice('xy')}" for f in ("Gloss",) if random.random() < 0.4)
        deps = {f"{random.choice(ids)}:{random.choice(LABELS[:4])}" for _ in range(random.randint(0, 2)) if enhanced}
        if name.isdigit() and head != "_" and label != "_" and enhanced:
            deps.add(f"{head}:{label}")
        if "." in name:
            head = label = "_"
        if head == "_":
            label = "_"
        word, lemma = random.choice("abcx"), random.choice("abx_")
        ordered = sorted(deps, key=lambda dep: (ids.index(dep.split(":")[0]), dep))
        columns = [
            name,
            word,
            lemma,
            random.choice("NV_"),
            "_",
            feats or "_",
            head,
            label,
            "|".join(ordered) or "_",
            misc,
        ]
        lines.append("\t".join(column or "_" for column in columns))
    return "\n".join(lines)


@cache
def corpus(seed: int) -> tuple[list[brute_force.Sentence], Treebank, Engine]:
    random = Random(seed)
    text = "\n\n".join(random_sentence(number, random) for number in range(SENTENCES)) + "\n\n"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "random.conllu"
        file.write_text(text, encoding="utf-8")
        treebank = read_conllu([file])
    return brute_force.read(text, file.name), treebank, Engine(treebank)


def choice(*texts: str) -> st.SearchStrategy[str]:
    return st.sampled_from(texts)


NODES = ["X", "Y", "Z$"]
FEATURES = choice("form", "lemma", "upos", "Case", "Number", "Gloss", "wordform", "textform", "Nothing")
VALUES = choice("a", "b", "x", "y", "x|y", "a|b|__0__", "N", "V", "_", "__EMPTY__")
TEST = st.one_of(
    st.builds("{}={}".format, FEATURES, VALUES),
    st.builds("{}<>{}".format, FEATURES, VALUES),
    FEATURES,
    st.builds("!{}".format, FEATURES),
    choice("Case=x/Number=y", "Gloss=x/Case=x"),
    st.builds("{}{}{}".format, FEATURES, choice("=", "<>"), choice('re"[ab]"', "/(a|X)/i", 're"_.*"', "/.{2,}/")),
)
BRACKET = st.lists(TEST, max_size=2).map(lambda tests: f"[{', '.join(tests)}]")
ATOM = choice("1=r", "1=r|s", "2=*", "2=t", "2<>t", "!2", "enhanced=yes", "!enhanced", "1<>r")
ARROW = st.one_of(
    choice("->", "-[r]->", "-[r|s]->", "-[r:t]->", "-[^r]->", "-[^r|s|E:r]->", "-[E:r]->", "-[E:r|s]->", "-[punct]->"),
    st.lists(ATOM, min_size=1, max_size=2).map(lambda atoms: f"-[{', '.join(atoms)}]->"),
)
LABEL_PARTS = choice("label", "1", "2")
EDGE_FEATURES = choice("label", "1", "2", "length")
STRUCTURES = choice("is_cyclic", "is_tree", "is_not_tree", "is_projective", "is_not_projective", "is_forest")
NUMBER = st.integers(-2, 4).map(str)
COMPARISON = choice("=", "<>", "<", ">", "<=", ">=")


@st.composite
def block(draw: st.DrawFn, names: list[str], outer: list[str], edges: list[str]) -> str:
    """Write the clauses of a block that declares some of `names` and may use those of `outer`."""
    clauses, known = [], list(outer)
    for name in draw(st.lists(st.sampled_from(names), max_size=len(names), unique=True)):
        if known and draw(st.booleans()):
            other = draw(st.sampled_from(known))
            pair = draw(st.permutations([name, other]))
            clauses.append(f"{pair[0]} {draw(ARROW)} {pair[1]}")
            if draw(st.booleans()):
                edge = f"e{len(edges)}"
                edges.append(edge)
                clauses[-1] = f"{edge}: {clauses[-1]}"
        else:
            clauses.append(f"{name} {draw(BRACKET)}" + (f"|{draw(BRACKET)}" if draw(st.integers(0, 3)) == 0 else ""))
        known.append(name)
    node, edge = st.sampled_from(known or ["?"]), st.sampled_from(edges or ["?"])
    for _ in range(draw(st.integers(0, 2)) if known else 0):
        clauses.append(draw(st.one_of(
            st.builds("{} {}".format, node, BRACKET),
            st.builds("{} {} {}".format, node, ARROW, node),
            st.builds("{} {} *".format, node, ARROW),
            st.builds("* {} {}".format, ARROW, node),
            st.builds("{} {} {}".format, node, choice("<", "<<", ">", ">>", "->>"), node),
            st.builds("{}.{} {} {}.{}".format, node, FEATURES, choice("=", "<>"), node, FEATURES),
            st.builds("{}.{} {} {}".format, node, FEATURES, choice("=", "<>"), choice("a", "x", "N", "_")),
            st.builds("{}{}.{}".format, choice("", "!"), node, FEATURES),
            st.builds("{}({},{}) {} {}".format, choice("delta", "length"), node, node, COMPARISON, NUMBER),
            st.builds("{} {} {}".format, edge, choice("<<", ">>", "<>", "><"), edge),
            st.builds("{} << {}".format, node, edge),
            st.builds("{}.{} {} {}".format, edge, choice("length", "delta"), COMPARISON, NUMBER),
            st.builds("{}.{} = {}.{}".format, edge, EDGE_FEATURES, edge, EDGE_FEATURES),
            st.builds("{}.{} {} {}".format, edge, LABEL_PARTS, choice("=", "<>"), choice("r", "s", "t", '"_"')),
            st.builds("{}{}.{}".format, choice("", "!"), edge, LABEL_PARTS),
            st.builds("{}.{} = {}.{}".format, edge, choice("1", "2"), node, choice("form", "Case")),
            st.builds("meta.key {} {}".format, choice("=", "<>"), choice("a", "b")),
            choice("meta.extra", "!meta.extra", 'meta._filename = "random.conllu"', 'meta._filename = re"[a-z]+"'),
            st.builds("{}.form = meta.key".format, node),
        )))  # fmt: skip
    return "; ".join(clause for clause in clauses if "?" not in clause)


@st.composite
def requests(draw: st.DrawFn) -> str:
    edges: list[str] = []
    text = f"pattern {{ {draw(block(NODES, [], edges))} }}"
    known = [name for name in NODES if f"{name} " in text]
    for _ in range(draw(st.integers(0, 2))):
        text += f"\n{draw(choice('with', 'without', 'without'))} {{ {draw(block(['A', 'B$'], known, list(edges)))} }}"
    if draw(st.integers(0, 3)) == 0:
        text += f"\nglobal {{ {draw(choice('key = a|b', 'key <> a', 'extra = *', '!extra') | STRUCTURES)} }}"
    return text


def check(text: str, seed: int) -> None:
    try:
        request = parse_request(text)
    except RequestError:
        return
    sentences, treebank, engine = corpus(seed)
    expected = set().union(*(brute_force.matches(request, sentence) for sentence in sentences))
    table = engine.match(request)
    found = set()
    for line in to_jsonl(table, treebank):
        match = json.loads(line)
        edges = {
            name: (edge["source"], _compact(edge["label"]), edge["target"]) for name, edge in match["edges"].items()
        }
        found.add(repr((match["sent_id"], sorted(match["nodes"].items()), sorted(edges.items()))))
    assert found == expected, text
    assert table.num_rows == len(found) == engine.count(request)
    assert engine.match(request, limit=3) == table.slice(0, 3)


def _compact(label: str | dict[str, str]) -> str:
    return label if isinstance(label, str) else compact_label(label)


@settings(
    max_examples=PAIRS // SENTENCES, deadline=None, derandomize=LONG is None, suppress_health_check=list(HealthCheck)
)
@given(text=requests(), seed=st.integers(0, 7))
def test_same_matches_as_brute_force(text: str, seed: int) -> None:
    check(text, seed)


TREE_REQUEST = st.builds(
    "global {{ is_not_cyclic }} pattern {{ X []; {}(X) {} {} }}".format,
    choice("proj_size", "cont_proj_size", "constituent_size", "height"),
    COMPARISON,
    st.one_of(NUMBER, choice("proj_size(X)", "cont_proj_size(X)")),
)


@settings(max_examples=PAIRS // SENTENCES // 4, deadline=None, derandomize=LONG is None)
@given(text=TREE_REQUEST, seed=st.integers(0, 7))
def test_same_sizes_as_brute_force(text: str, seed: int) -> None:
    check(text, seed)
