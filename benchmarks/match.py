"""Matching, beside Grew's own figures: milliseconds per request on half a million words, and the cold start.

The corpus is UD_English-EWT's dev file 20 times over (502 940 words), the one on which Grew was measured: grewlib
1.20.0, OCaml 4.13.1, native code, everything in memory, best of 3 searches on two shared x86_64 cores. `GREW` holds
those figures in milliseconds (source: TIMING.md of the conformance bank, column `en_ewt20`). The request called
`attractor` stands for one that is not public; ours finds more matches.

Then a hundred requests over two Georgian treebanks: in one engine, which they share, and as runs of their own.

    python benchmarks/match.py [FILE] [--copies N] [--repeat N]
"""

from __future__ import annotations

import argparse
import logging
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from starbank.grew import Engine, parse_request
from starbank.treebanks import ingest, open_treebank, read_conllu

ROOT = Path(__file__).resolve().parent.parent
TREEBANK = ROOT.parent / "shared/treebanks/UD_English-EWT/en_ewt-ud-dev.conllu"
GREW_COLD = 17.0  # seconds to load and search

REQUESTS = {
    "upos": "pattern { X [upos=INTJ] }",
    "regexp": 'pattern { X [lemma=re"un.*", upos=ADJ] }',
    "label": "pattern { X -[nsubj:pass]-> Y }",
    "three nodes": """pattern { V [upos=VERB]; V -[nsubj]-> S; V -[obj]-> O; S << V; V << O;
        S [upos=NOUN]; O [upos=NOUN|PROPN] }""",
    "two withouts": """pattern { V [upos=VERB]; V -[iobj]-> O }
        without { V -[nsubj]-> S } without { V -[obj]-> P }""",
    "agreement": "pattern { V [upos=VERB]; V -[nsubj]-> S; V.Number <> S.Number }",
    "attractor": """pattern { V [upos=VERB|AUX]; V -[nsubj]-> S; S -[nmod]-> A; S.Number <> A.Number;
        S << A; A << V }""",
    "dominance": """pattern { V [upos=VERB]; V -[nsubj]-> S; S ->> A; A [upos=NOUN]; A << V; S << A;
        S.Number <> A.Number; proj_size(S) > 4 }""",
}
GREW = dict(zip(REQUESTS, [592.6, 619.5, 399.5, 493.7, 497.1, 487.4, 468.2, 744.4], strict=True))

GEORGIAN = [ROOT.parent / f"shared/treebanks/UD_Georgian-{name}" for name in ("GLC", "GNC")]
SEPARATE = 10  # runs, of the hundred
LABELS = "acl advcl advmod amod appos case cc ccomp conj cop det discourse mark nmod nsubj nummod obj obl punct xcomp"
TEMPLATES = [
    "pattern {{ H -[{0}]-> D }}",
    "pattern {{ H [upos=VERB]; H -[{0}]-> D; D << H }}",
    "pattern {{ H -[{0}]-> D; H.Case = D.Case }} without {{ D -[punct]-> P }}",
    'pattern {{ H -[{0}]-> D; D [lemma=re".*ი", upos=NOUN|PROPN|ADJ] }}',
    "pattern {{ e: H -[{0}]-> D; e.length > 3 }} without {{ H -[cc]-> C }} without {{ D [Number=Plur] }}",
]

COLD_START = """
import sys
from starbank.grew import Engine, parse_request
from starbank.treebanks import read_conllu
print(Engine(read_conllu([sys.argv[1]])).count(parse_request(sys.argv[2])))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="Time requests on a repeated treebank, beside Grew's own figures.")
    parser.add_argument("file", nargs="?", type=Path, default=TREEBANK, help="a CoNLL-U file to repeat")
    parser.add_argument("--copies", type=int, default=20, help="how often to repeat it")
    parser.add_argument("--repeat", type=int, default=5, help="how often to run each request")
    arguments = parser.parse_args()
    if not arguments.file.exists():
        raise SystemExit(f"no such file: {arguments.file}; name a CoNLL-U file")
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus.conllu"
        corpus.write_bytes(arguments.file.read_bytes() * arguments.copies)
        measure(corpus, arguments.repeat)
        if all(treebank.is_dir() for treebank in GEORGIAN):
            share(Path(folder))


def measure(corpus: Path, repeat: int) -> None:
    # The copies repeat their sentence ids, and the reader would warn of it.
    logging.disable(logging.WARNING)
    begin = time.perf_counter()
    treebank = read_conllu([corpus])
    read = time.perf_counter()
    engine = Engine(treebank)
    loaded = time.perf_counter()
    words = sum(file["words"] for file in treebank.info["files"])
    print(f"{words:,} words: read in {read - begin:.2f} s, loaded in {loaded - read:.2f} s\n")
    print(f"{'request':14}{'matches':>9}{'first':>9}{'best':>9}{'median':>9}{'Grew':>9}{'ratio':>8}   (ms)")
    ratios = []
    for name, text in REQUESTS.items():
        request = parse_request(text)
        times = []
        for _ in range(repeat + 1):
            begin = time.perf_counter()
            matches = engine.match(request)
            times.append((time.perf_counter() - begin) * 1000)
        best, median = min(times[1:]), statistics.median(times[1:])
        ratios.append(GREW[name] / best)
        figures = f"{times[0]:9.1f}{best:9.1f}{median:9.1f}{GREW[name]:9.1f}{ratios[-1]:7.1f}x"
        print(f"{name:14}{matches.num_rows:9}{figures}")
    print(f"\ngeometric mean of the ratios: {statistics.geometric_mean(ratios):.1f}x")
    cold_start(corpus)


def share(folder: Path) -> None:
    """Time a hundred requests over two treebanks: in one engine each, and as commands of their own."""
    texts = [template.format(label) for label in LABELS.split() for template in TEMPLATES]
    ingested = [folder / treebank.name for treebank in GEORGIAN]
    for treebank, output in zip(GEORGIAN, ingested, strict=True):
        ingest([treebank], output)
    begin = time.perf_counter()
    requests = [parse_request(text) for text in texts]
    for output in ingested:
        engine = Engine(open_treebank(output))
        for request in requests:
            engine.match(request)
    together = time.perf_counter() - begin
    begin = time.perf_counter()
    for text in texts[:: len(texts) // SEPARATE]:
        command = [sys.executable, "-m", "starbank.cli", "match", text, *map(str, ingested), "--count"]
        subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
    apart = (time.perf_counter() - begin) / SEPARATE * len(texts)
    print(
        f"{len(texts)} requests over two Georgian treebanks, with reading them: {together:.2f} s in one process; "
        f"{apart:.1f} s as {len(texts)} commands, from {SEPARATE} of them ({apart / together:.1f}x)"
    )


def cold_start(corpus: Path) -> None:
    """Time a fresh process from CoNLL-U to the first result, with Python's byte code in place."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = cache
        command = [sys.executable, "-W", "ignore", "-c", COLD_START, str(corpus), REQUESTS["three nodes"]]
        times = []
        for _ in range(3):
            begin = time.perf_counter()
            subprocess.run(command, check=True, cwd=ROOT, capture_output=True, env=environment)
            times.append(time.perf_counter() - begin)
    best = min(times[1:])
    print(
        f"cold start, from CoNLL-U to the first result: {best:.2f} s; Grew {GREW_COLD:.1f} s ({GREW_COLD / best:.1f}x)"
    )


if __name__ == "__main__":
    main()
