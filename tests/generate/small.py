"""Constructions and treebanks that are as small as can be."""

from pathlib import Path

QUERY = """\
% ---
% language: {language}
% treebanks: [{treebank}]
% target: S
% vary: {{Case: [Nom, Erg, Dat]}}
% {more}
% ---
pattern {{ V [upos=VERB]; S [Case={case}]; V -[nsubj]-> S }}
"""

EVERYWHERE = """\
% ---
% treebanks: all
% target: S
% vary: {Number: [Sing, Plur]}
% ---
pattern { V [upos=VERB];
  S [Number]; V -[nsubj]-> S }
"""


def clause(form, lemma, case, relation="nsubj"):
    """Return the sentence of a noun that sits."""
    noun, verb = f"1 {form} {lemma} NOUN Case={case} 2 {relation}", "2 ზის ჯდომა VERB _ 0 root SpaceAfter=No"
    return f"{form} ზის.\n{noun}\n{verb}\n3 . . PUNCT _ 2 punct"


PARADIGMS = {
    "კაცი": ("კაცი", "კაცმა", "კაცს"),
    "ქალი": ("ქალი", "ქალმა", "ქალს"),
    "ძაღლი": ("ძაღლი", "ძაღლმა", "ძაღლს"),
}


SENTENCES = [
    clause(form, lemma, case, "obj" if case == "Dat" else "nsubj")
    for lemma, forms in PARADIGMS.items()
    for case, form in zip(("Nom", "Erg", "Dat"), forms, strict=True)
]


def query(name, *, language="kat", treebank="UD_Georgian-One", case="Nom", more=""):
    """Write a construction file into the working directory and return its path."""
    Path(f"{name}.grew").write_text(
        QUERY.format(language=language, treebank=treebank, case=case, more=more), encoding="utf-8"
    )
    return Path(f"{name}.grew")


ONE, TWO = "UD_Georgian-One", "UD_Georgian-Two"


def contents(folder):
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(Path(folder).rglob("*.parquet"))}
