"""Treebanks beyond memory: time and memory of loading and of requests over tens of millions of words.

A file is repeated to half a million words and ingested; its tables are then repeated on disk, with the numbers of their
rows moved, as one ingested treebank. A fresh process searches it with the requests of `match.py` and reports its peak
memory, and what of it was its own rather than files that the system had mapped.

With `--stages` the file is repeated to each of so many million words, with a number at the end of each sentence, so
that no two are the same, and each command goes through all of them in a process of its own: the seconds that the
processor took, and peak memory. With `--growing` rare words are others in each copy, so that the vocabulary grows with
the text, faster than that of any language.

    python benchmarks/scale.py [FILE] [--words N] [--folder DIR] [--stages MILLIONS …] [--growing]
"""

from __future__ import annotations

import argparse
import logging
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from match import REQUESTS, ROOT, TREEBANK

from starbank.files import read_parquet
from starbank.grew import Engine, parse_request
from starbank.treebanks import ingest, open_parts
from starbank.treebanks.parquet import table_file

BASE = 500_000
ROW_GROUP = 60_000
CONSTRUCTION = ROOT / "queries/universal/subject-verb-number.grew"
# What stands for the number of a copy, and for what words of one copy begin with, in small letters or with a capital.
COPY = "\ufffcCOPY"
SMALL, CAPITAL = "\ufffcSMALL", "\ufffcCAPITAL"
OPEN, RARE = {"ADJ", "ADV", "NOUN", "PROPN", "VERB"}, 3
ROOT_WORD = r"^([0-9]+)\t(?:[^\t]*\t){5}0\t"
EXPLODING = "pattern { X []; Y [] }"


def main() -> None:
    parser = argparse.ArgumentParser(description="Time and memory of searching a repeated treebank.")
    parser.add_argument("file", nargs="?", type=Path, default=TREEBANK, help="a CoNLL-U file to repeat")
    parser.add_argument("--words", type=int, default=10_000_000, help="how many words to search")
    parser.add_argument("--folder", type=Path, help="where the treebank is written (default: a temporary folder)")
    parser.add_argument("--stages", type=int, nargs="*", metavar="MILLIONS", help="commands instead (1 4 12)")
    parser.add_argument("--growing", action="store_true", help="with rare words that are others in each copy")
    parser.add_argument("--search", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.search:
        search(arguments.search)
        return
    if not arguments.file.exists():
        raise SystemExit(f"no such file: {arguments.file}; name a CoNLL-U file")
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        if arguments.stages is not None:
            stages(arguments.file, arguments.stages or [1, 4, 12], Path(folder), growing=arguments.growing)
            return
        build(arguments.file, arguments.words, Path(folder))
        subprocess.run([sys.executable, __file__, "--search", str(Path(folder) / "large")], check=True, cwd=ROOT)


def build(file: Path, words: int, folder: Path) -> None:
    """Write an ingested treebank of about so many words to `folder/large`."""
    logging.disable(logging.WARNING)
    content = file.read_bytes()
    once = len(re.findall(rb"^[0-9]+\t", content, re.MULTILINE))
    (folder / "corpus.conllu").write_bytes(content * max(1, round(BASE / once)))
    begin = time.perf_counter()
    small = ingest([folder / "corpus.conllu"], folder / "small")
    seconds = time.perf_counter() - begin
    base = small.info["files"][0]["words"]
    print(f"{base:,} words ingested in {seconds:.1f} s; peak memory {peak()}")
    repeat(folder / "small", folder / "large", round(words / base))


def stages(file: Path, millions: list[int], folder: Path, *, growing: bool) -> None:
    """Print what each command takes for treebanks of so many million words."""
    print(f"{'words':>12}  {'command':<9}{'CPU-s':>8}{'peak MB':>9}")
    for million in millions:
        conllu, treebank = folder / file.name, folder / "treebank"
        words = write_copies([file], conllu, million * 1_000_000, growing=growing)
        commands = {
            "ingest": ["ingest", conllu, "-o", treebank],
            "match": ["match", REQUESTS["agreement"], treebank, "--count"],
            "lexicon": ["lexicon", "build", treebank, "-o", folder / "lexicon.parquet"],
            "generate": [
                *("generate", CONSTRUCTION, "--treebank", treebank),
                *("--lexicon", folder / "lexicon.parquet", "-o", folder / "suites"),
            ],
            "colorless": ["transform", "colorless", treebank, "-o", folder / "colorless"],
            "tasks": ["tasks", treebank, "-o", folder / "tasks"],
        }
        for name, command in commands.items():
            seconds, size = cost(["starbank", *map(str, command)])
            print(f"{words:12,}  {name:<9}{seconds:8.1f}{size:9.0f}", flush=True)


def write_copies(files: list[Path], target: Path, words: int, *, growing: bool = False) -> int:
    """Write files so often that they have about so many words, each time with other sentences; return how many."""
    content = numbered("".join(file.read_text(encoding="utf-8") for file in files))
    content = marked(content) if growing else content
    once = len(re.findall(r"^[0-9]+\t", content, re.MULTILINE))
    copies = max(1, round(words / once))
    with target.open("w", encoding="utf-8") as stream:
        for copy in range(copies):
            text = content.replace(COPY, str(copy)).replace(SMALL, syllables(copy))
            stream.write(text.replace(CAPITAL, syllables(copy).capitalize()))
    return once * copies


def syllables(number: int) -> str:
    """Return a number as syllables."""
    syllable = "bcdfghjklmnprstvwz"[number % 18] + "aeiou"[number // 18 % 5]
    return syllable + (syllables(number // 90) if number >= 90 else "")


def marked(content: str) -> str:
    """Return sentences in which rare words begin with `SMALL` or `CAPITAL`, as do their lemmas."""
    lines = [line.split("\t") for line in content.splitlines()]
    lemmas = Counter(columns[2] for columns in lines if len(columns) == 10 and columns[3] in OPEN)
    text, end = 0, 0
    for number, columns in enumerate(lines):
        if columns[0].startswith("# text = "):
            text, end = number, len("# text = ")
        elif columns[0].isdigit():
            begin = lines[text][0].find(columns[1], end)
            end = max(end, begin + len(columns[1]))
            rare = columns[3] in OPEN and lemmas[columns[2]] <= RARE and (columns[1] + columns[2]).isalpha()
            if rare and begin >= 0:
                whole = lines[text][0]
                columns[1:3] = (f"{CAPITAL if word[0].isupper() else SMALL}{word.lower()}" for word in columns[1:3])
                lines[text][0] = whole[:begin] + columns[1] + whole[end:]
                end = begin + len(columns[1])
    return "\n".join("\t".join(columns) for columns in lines) + "\n"


def numbered(content: str) -> str:
    """Return sentences with `COPY` in their `sent_id`, and as one more word at their end."""
    sentences = []
    for sentence in content.strip().split("\n\n"):
        sentence = re.sub(r"^# sent_id = ", rf"\g<0>{COPY}-", sentence, flags=re.MULTILINE)
        sentence = re.sub(r"^# text = .*", rf"\g<0> {COPY}", sentence, flags=re.MULTILINE)
        last = int(re.findall(r"^([0-9]+)\t", sentence, re.MULTILINE)[-1])
        root = re.search(ROOT_WORD, sentence, re.MULTILINE)
        number = (last + 1, COPY, COPY, "NUM", "_", "NumType=Card", root[1] if root else 1, "dep", "_", "_")
        sentences.append(sentence + "\n" + "\t".join(map(str, number)) + "\n\n")
    return "".join(sentences)


def cost(command: list[str]) -> tuple[float, float]:
    """Run a command; return the seconds that the processor took, and its peak memory in megabytes."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000


def repeat(small: Path, large: Path, copies: int) -> None:
    """Write the tables of the ingested treebank `small` so many times, one after the other, into `large`."""
    tokens, sentences = (read_parquet(small / f"{name}.parquet") for name in ("tokens", "sentences"))
    rows = len(tokens) + len(sentences)
    # As ingestion has it, a row group ends with a sentence.
    starts = range(0, len(sentences), len(sentences) * ROW_GROUP // len(tokens))
    borders = [*np.searchsorted(tokens["sent"].to_numpy(), starts).tolist(), len(tokens)]
    with table_file(large / "tokens.parquet", "tokens/1") as file:
        for copy in range(copies):
            moved = move(tokens, copy * rows, copy * len(sentences))
            for first, end in pairwise(borders):
                file.add(moved.slice(first, end - first))
        file.close({})
    with table_file(large / "sentences.parquet", "sentences/1") as file:
        for copy in range(copies):
            file.add(move(sentences, copy * rows, copy * len(sentences)))
        file.close({})
    (large / "treebank.json").write_text((small / "treebank.json").read_text(encoding="utf-8"), encoding="utf-8")
    size = sum(path.stat().st_size for path in large.iterdir())
    print(f"{len(tokens) * copies:,} rows written, {size / 1e6:,.0f} MB on disk")


def move(table: pa.Table, rows: int, sentences: int) -> pa.Table:
    """Add to all numbers of rows and of sentences."""
    for place, name in enumerate(table.column_names):
        if name in ("node", "head", "root"):
            table = table.set_column(place, name, pc.add(table[name], rows))
        elif name == "sent":
            table = table.set_column(place, name, pc.cast(pc.add(table[name], sentences), pa.int32()))
        elif name == "deps":
            lists = table[name].combine_chunks()
            heads, labels = lists.values.flatten()
            values = pa.StructArray.from_arrays([pc.add(heads, rows), labels], fields=list(lists.type.value_type))
            column = pa.ListArray.from_arrays(lists.offsets, values, mask=lists.is_null())
            table = table.set_column(place, name, column)
    return table


def search(folder: Path) -> None:
    """Search the treebank in `folder` and print times and memory."""
    begin = time.perf_counter()
    parts = open_parts(folder)
    first = Engine(parts).match(parse_request(EXPLODING), limit=10)
    seconds = time.perf_counter() - begin
    print(f"{len(parts)} parts; the first {len(first)} of {EXPLODING} from disk: {seconds:.1f} s; {peak()}")
    engine = Engine(open_parts(folder))
    begin = time.perf_counter()
    engine.count(parse_request(REQUESTS["upos"]))
    print(f"all parts loaded in {time.perf_counter() - begin:.1f} s; {peak()}\n")
    begin = time.perf_counter()
    engine.match(parse_request(EXPLODING), limit=10)
    print(f"the first 10 of {EXPLODING}, loaded: {(time.perf_counter() - begin) * 1000:.0f} ms\n")
    print(f"{'request':14}{'matches':>9}{'first':>9}{'again':>9}   (s)   peak memory")
    for name, text in REQUESTS.items():
        times = []
        for _ in range(2):
            begin = time.perf_counter()
            matches = sum(batch.num_rows for batch in engine.batches(parse_request(text)))
            times.append(time.perf_counter() - begin)
        print(f"{name:14}{matches:9}{times[0]:9.2f}{times[1]:9.2f}         {peak()}", flush=True)


def peak() -> str:
    """Return the peak memory of this process, and what it has of its own at present."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines())
    highest, own = (int(status[name].split()[0]) / 1e6 for name in ("VmHWM", "RssAnon"))
    return f"{highest:.2f} GB ({own:.2f} GB own now)"


if __name__ == "__main__":
    main()
