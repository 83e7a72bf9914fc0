"""CoNLL-U for tests: short to write, and at random."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st


def lines(*rows: str) -> str:
    """Return CoNLL-U from lines in which columns are separated by spaces; comments stay as they are."""
    return "".join((row if row.startswith("#") else "\t".join(row.split())) + "\n" for row in rows)


def save(folder: Path, text: str | bytes, name: str = "some.conllu") -> Path:
    """Write `text` to a file in `folder` and return its path."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


# Characters of several widths in UTF-8, among them ones beyond the BMP, combining marks and other white space.
LETTERS = st.text("abcäñ\u0301ქაरि𐌰😀-.'_=|#\u00a0", min_size=1, max_size=5)
WORDS = LETTERS.filter(lambda form: form == form.strip() and form[0] != "#")
VALUES = st.one_of(st.just("_"), WORDS)
LABELS = st.sampled_from(["nsubj", "obj", "obl:in", "root", "dep"])
NAMES = st.sampled_from(["Case", "Number", "Number[psor]", "case", "Animacy"])
FEATS = st.dictionaries(NAMES, st.sampled_from(["Nom", "Sing", "Acc,Dat", "1"])).map(
    lambda features: (
        "|".join(f"{name}={features[name]}" for name in sorted(features, key=lambda name: (name.lower(), name))) or "_"
    )
)


@st.composite
def sentences(draw: st.DrawFn) -> str:
    """A sentence with every liberty the format has: multiword tokens, empty nodes, enhanced edges, missing heads."""
    count = draw(st.integers(1, 6))
    empty = {place: draw(st.integers(0, 2)) for place in range(count + 1)}
    nodes = ["0", *map(str, range(1, count + 1))]
    nodes += [f"{place}.{number}" for place, several in empty.items() for number in range(1, several + 1)]
    edges = st.lists(st.tuples(st.sampled_from(nodes), LABELS), max_size=3).map(
        lambda pairs: "|".join(f"{head}:{label}" for head, label in pairs) or "_"
    )
    rows = [f"# {draw(WORDS)}" for _ in range(draw(st.integers(0, 2)))]
    if draw(st.booleans()):
        rows.append(f"# sent_id = {draw(WORDS)}")
    if draw(st.booleans()):
        rows.append(f"# text = {draw(WORDS)}")

    def row(token: str, head: st.SearchStrategy[str], relation: st.SearchStrategy[str]) -> None:
        columns = [token, draw(WORDS), *(draw(VALUES) for _ in range(3)), draw(FEATS)]
        misc = draw(st.sampled_from(["_", "SpaceAfter=No", "Gloss=x|SpaceAfter=No", "justtext"]))
        rows.append("\t".join([*columns, draw(head), draw(relation), draw(edges), misc]))

    covered = 0
    for word in range(count + 1):
        if word:
            if word > covered and draw(st.booleans()) and draw(st.booleans()):
                covered = draw(st.integers(word, count))
                row(f"{word}-{covered}", st.just("_"), st.just("_"))
            heads = st.sampled_from(["_", *map(str, range(count + 1))])
            row(str(word), heads, st.one_of(st.just("_"), LABELS))
        for number in range(1, empty[word] + 1):
            row(f"{word}.{number}", st.just("_"), st.just("_"))
    return "\n".join(rows) + "\n\n"


treebanks = st.lists(sentences(), min_size=1, max_size=4).map("".join)
