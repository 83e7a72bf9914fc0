"""Small treebanks, written in the tests that read them."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from starbank.treebanks import Treebank, read_conllu

FILES = {
    "hye": "hy_small-ud-test",
    "ara": "ar_small-ud-test",
    "kat": "ka_small-ud-test",
    "hin": "hi_small-ud-test",
    "mar": "mr_small-ud-test",
    "eng": "en_small-ud-test",
    "fra": "fr_small-ud-test",
    "deu": "de_small-ud-test",
    "tur": "tr_small-ud-test",
    "eus": "eu_small-ud-test",
    "bul": "bg_small-ud-test",
    "tam": "ta_small-ud-test",
    "lit": "lt_small-ud-test",
    "lat": "la_small-ud-test",
    "est": "et_small-ud-test",
    "nld": "nl_small-ud-test",
    "pol": "pl_small-ud-test",
    "por": "pt_small-ud-test",
    "slv": "sl_small-ud-test",
    "fin": "fi_small-ud-test",
    "spa": "es_small-ud-test",
    "rus": "ru_small-ud-test",
    "ces": "cs_small-ud-test",
    "sqi": "sq_small-ud-test",
    "gle": "ga_small-ud-test",
    "heb": "he_small-ud-test",
    "ukr": "uk_small-ud-test",
    "ron": "ro_small-ud-test",
    "ell": "el_small-ud-test",
    "isl": "is_small-ud-test",
    "hun": "hu_small-ud-test",
}

# English nouns that begin with vowels and with consonants: enough for a and an to be learned.
NOUNS = ["apple", "ant", "egg", "elk", "owl", "oak", "dog", "day", "cat", "car", "tree", "town", "tank", "pear", "pen"]


def it_was(noun: str) -> str:
    """Return the sentence "It was a NOUN.", with the article that the noun asks for."""
    article = "an" if noun[0] in "aeiou" else "a"
    return f"""
        It was {article} {noun}.
        1 It it PRON _ 4 nsubj
        2 was be AUX _ 4 cop
        3 {article} a DET Definite=Ind|PronType=Art 4 det
        4 {noun} {noun} NOUN Number=Sing 0 root SpaceAfter=No
        5 . . PUNCT _ 4 punct
    """


# Georgian: "Is somebody here?", where the copula is written together with the pronoun.
IS_SOMEBODY_HERE = """
    ვინმეა აქ?
    1-2 ვინმეა _ _ _ _ _
    1 ვინმე ვინმე PRON _ 3 nsubj
    2 ა არის AUX _ 3 cop
    3 აქ აქ ADV _ 0 root SpaceAfter=No
    4 ? ? PUNCT _ 3 punct
"""


def conllu(*sentences: str) -> str:
    """Return CoNLL-U for sentences of a line of text and lines of ID FORM LEMMA UPOS FEATS HEAD DEPREL [MISC]."""
    blocks = []
    for number, sentence in enumerate(sentences, start=1):
        text, *words = dedent(sentence).strip().splitlines()
        lines = [f"# sent_id = s{number}", f"# text = {text}"]
        for word in words:
            form_id, form, lemma, upos, feats, head, deprel, *misc = word.split()
            lines.append("\t".join([form_id, form, lemma, upos, "_", feats, head, deprel, "_", *(misc or ["_"])]))
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks) + "\n"


def small_treebank(folder: Path, *sentences: str, language: str = "kat") -> Treebank:
    """Write the sentences into a CoNLL-U file in `folder` and read it as a treebank of `language`."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{FILES[language]}.conllu"
    file.write_text(conllu(*sentences), encoding="utf-8")
    return read_conllu([file])
