"""A page on which a native speaker judges the sentences of a suite, and what comes back from it.

The page is one file that needs no network. It shows the sentences of some items one at a time, the variants of an item
far apart and without their labels, between others whose answer is known: sentences of the treebank, and some in which
a word is spelt backwards. It gives a file of judgements, keyed by sums of the sentences.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

import jinja2
import langcodes

from starbank.errors import SuiteError
from starbank.files import require_free, write_text
from starbank.hub.reviews import JUDGEMENTS, Judgement
from starbank.hub.suites import PublishedSuite, read_suites

PAGE, ANSWERS = "review/1", "judgements/1"
# One sentence in so many is there to see whether the speaker pays attention.
CATCH_EVERY = 8
# Of those, this share may be wrong.
SLIPS = 0.25
# Words of fewer letters may be words in reverse too.
CATCH_LETTERS = 4


@dataclass(frozen=True)
class Answers:
    """What one speaker sent: judgements of items, and how many of the known sentences were judged wrongly.

    `reviewer` is the speaker's name; in the judgements stands what tells speakers of one name apart.
    """

    reviewer: str
    judgements: list[Judgement]
    catches: int
    slips: int
    unknown: int

    @property
    def careful(self) -> bool:
        """Whether few enough of the known sentences were judged wrongly."""
        return self.slips <= SLIPS * self.catches


def export_review(folder: Path, output: Path, *, n: int = 50, seed: int = 0, instructions: Sequence[str] = ()) -> int:
    """Write the page for `n` items of the suite in `folder` to `output`; return how many sentences it shows.

    The items are drawn by `seed` and their content. The page begins with `instructions`, paragraphs in the language of
    the suite, or else with ours in English. Raises `SuiteError` where the suite has none.
    """
    suite = only_suite(folder)
    sentences = choose(suite, n, seed)
    if not sentences:
        raise SuiteError("has no items to review", file=folder)
    if not suite.has_pairs:
        hint = "Import it again with --grammatical."
        raise SuiteError("does not say which sentences are grammatical", file=folder, hint=hint)
    data = {
        "schema": PAGE,
        "suite": suite.name,
        "seed": seed,
        "sentences": [{"id": sentence_id(text, seed), "text": text} for text in sentences],
    }
    environment = jinja2.Environment(loader=jinja2.PackageLoader("starbank.hub", "."), autoescape=True)
    page = environment.get_template("review.html.j2").render(
        title=suite.construction["title"],
        language=langcodes.standardize_tag(suite.language),
        language_name=suite.language_name,
        # Inside a script, `<` could begin its end.
        instructions=instructions,
        data=json.dumps(data, ensure_ascii=False).replace("<", "\\u003c"),
    )
    if not (output.is_file() and f'"schema": "{PAGE}"' in output.read_text("utf-8", errors="replace")):
        require_free({output: page})
    write_text(page, output)
    return len(sentences)


def choose(suite: PublishedSuite, n: int, seed: int) -> list[str]:
    """Return the sentences to show, in their order: each text once, variants of an item in different rounds."""
    rows = suite.items.select(["item_id", "conditions"]).to_pylist()
    rows.sort(key=lambda row: _sum(seed, "item", row["item_id"]))
    chosen, rest = rows[:n], rows[n:]
    variants = [sorted(_texts(row), key=lambda text: _sum(seed, "variant", text)) for row in chosen]
    rounds = [set(filter(None, texts)) for texts in zip_longest(*variants)]
    ordered = [text for texts in rounds for text in sorted(texts, key=lambda text: _sum(seed, "order", text))]
    shown = list(dict.fromkeys(ordered))
    return _with_catches(shown, _catches(chosen, rest, len(shown) // CATCH_EVERY))


def read_answers(paths: Sequence[Path], folder: Path) -> list[Answers]:
    """Return what speakers sent of the suite in `folder`, in the order of the files.

    Raises `SuiteError` for a file that the page did not make, and for one of another suite.
    """
    suite = only_suite(folder)
    return [_answers(path, _read(path, suite.name), suite) for path in paths]


def sentence_id(text: str, seed: int) -> str:
    """Return what stands for a sentence on the page; it tells nothing of the label."""
    return _sum(seed, "sentence", text)[:16]


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text, which empty lines part."""
    return [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]


def in_order_of(speaker: str, sentences: Sequence[str]) -> list[str]:
    """Return sentences in the order in which a speaker, 16 hexadecimal digits, has them, as the page does by itself.

    Each begins at another sentence, some go backwards; variants of an item stay as far apart.
    """
    number = int(speaker[:8], 16)
    start = number % len(sentences)
    turned = [*sentences[start:], *sentences[:start]]
    return turned if number % 2 == 0 else [sentences[len(sentences) - 1 - sentences.index(each)] for each in turned]


def garble(text: str) -> str | None:
    """Return a sentence with the letters of its longest word in reverse, which is no word; None for short words."""
    words = "".join(char if unicodedata.category(char)[0] in "LM" else " " for char in text).split()
    word = max(words, key=len, default="")
    letters: list[str] = []
    for char in word:
        # A mark stays with its letter.
        if letters and unicodedata.category(char)[0] == "M":
            letters[-1] += char
        else:
            letters.append(char)
    garbled = "".join(reversed(letters))
    return text.replace(word, garbled, 1) if len(letters) >= CATCH_LETTERS and garbled != word else None


def only_suite(folder: Path) -> PublishedSuite:
    """Return the suite in a folder; raises `SuiteError` where there are several."""
    suites = read_suites([folder])
    if len(suites) > 1:
        names = ", ".join(suite.name for suite in suites)
        raise SuiteError(f"holds several suites: {names}", file=folder, hint="Name the folder of one of them.")
    return suites[0]


def _texts(row: dict[str, Any]) -> list[str]:
    return ["".join(condition["regions"]) for condition in row["conditions"]]


def _catches(chosen: Sequence[dict[str, Any]], rest: Sequence[dict[str, Any]], number: int) -> list[str]:
    """Return sentences whose answer is known: by turns garbled ones of these items, and good ones of others."""
    good = iter([_texts(row)[0] for row in rest])
    bad = iter([text for row in chosen if (text := garble(_texts(row)[0]))])
    pairs = [(next(bad, None), next(good, None)) for _ in range((number + 1) // 2)]
    return [text for text in list(chain(*pairs))[:number] if text]


def _with_catches(sentences: Sequence[str], catches: Sequence[str]) -> list[str]:
    new = [text for text in dict.fromkeys(catches) if text not in sentences]
    mixed = []
    for place, text in enumerate(sentences, 1):
        mixed.append(text)
        if place % CATCH_EVERY == CATCH_EVERY // 2 and new:
            mixed.append(new.pop(0))
    return mixed + new


def _read(path: Path, suite: str) -> dict[str, Any]:
    try:
        value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        answers = _by_sentence(value)
        texts = [value["reviewer"], value["suite"], value.get("speaker") or "-", *answers]
        if value["schema"] != ANSWERS or not all(texts) or not all(isinstance(text, str) for text in texts):
            raise ValueError("its content is another")
        if "seed" not in value:
            raise ValueError("it does not say by which seed its sentences were drawn")
        if not set(answers.values()) <= set(JUDGEMENTS) or not isinstance(value["seed"], int):
            raise ValueError("its content is another")
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        hint = "Take the file that the page of `starbank review export` saves."
        raise SuiteError(f"holds no judgements: {error}", file=path, hint=hint) from error
    if value["suite"] != suite:
        raise SuiteError(f"judges the suite {value['suite']!r}, not {suite!r}", file=path)
    return value


def _answers(path: Path, value: dict[str, Any], suite: PublishedSuite) -> Answers:
    rows = suite.items.select(["item_id", "conditions"]).to_pylist()
    seed = value["seed"]
    variants: dict[str, list[tuple[str, str, bool]]] = {}
    for row in rows:
        for text, condition in zip(_texts(row), row["conditions"], strict=True):
            variant = (row["item_id"], condition["name"], condition["grammatical"])
            variants.setdefault(sentence_id(text, seed), []).append(variant)
    garbled = {sentence_id(catch, seed) for row in rows if (catch := garble(_texts(row)[0]))}
    answers = _by_sentence(value)
    comments = {answer["id"]: str(answer.get("comment") or "") for answer in value["judgements"]}
    judgements = [
        Judgement(item, condition, value.get("speaker") or value["reviewer"], judgement, comments.get(sentence, ""))
        for sentence, judgement in answers.items()
        for item, condition, _ in variants.get(sentence, ())
    ]
    catches = (answers.keys() & garbled) - variants.keys()
    # Whoever has just begun may have judged nothing but what is there to catch them.
    if answers and not (judgements or catches):
        hint = "Was it generated anew since? Import with the suite that the page was made from."
        raise SuiteError("none of its sentences is in the suite", file=path, hint=hint)
    # A sentence of the treebank that is shown to catch has none of its variants beside it.
    alone = _alone(answers, variants)
    slips = sum(answers[sentence] == "good" for sentence in catches)
    slips += sum(answers[sentence] == "bad" for sentence in alone)
    unknown = len(answers.keys() - variants.keys() - catches)
    return Answers(value["reviewer"], judgements, len(catches) + len(alone), slips, unknown)


def _by_sentence(value: dict[str, Any]) -> dict[str, str]:
    return {answer["id"]: answer["judgement"] for answer in value["judgements"]}


def _alone(answers: Iterable[str], variants: dict[str, list[tuple[str, str, bool]]]) -> list[str]:
    """Return the judged sentences that are grammatical in items of which nothing starred was judged."""
    judged = {sentence: variants[sentence] for sentence in answers if sentence in variants}
    starred = {item for members in judged.values() for item, _, grammatical in members if not grammatical}
    return [sentence for sentence, members in judged.items() if starred.isdisjoint(item for item, *_ in members)]


def _sum(*parts: Any) -> str:
    return hashlib.sha256("/".join(map(str, parts)).encode()).hexdigest()
