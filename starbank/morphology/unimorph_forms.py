"""Which form UniMorph has for a cell of a treebank, which knows other features than UniMorph does."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from starbank.morphology.paradigm_tables import Entry, ParadigmTables, each_cell
from starbank.treebanks.features import parse_features


class UnimorphForms(ParadigmTables):
    """The paradigms that UniMorph has for some words."""

    def __init__(self, entries: pa.Table, attested: Collection[str]) -> None:
        """Take the columns `lemma`, `upos`, `feats` and `form`, and the lemmas that the treebanks have."""
        columns = (entries[name].to_pylist() for name in ("lemma", "upos", "feats", "form"))
        self._enter(
            Entry(lemma, upos, parse_features(feats), form) for lemma, upos, feats, form in zip(*columns, strict=True)
        )
        self._attested = attested
        self._by_lemma: dict[tuple[str, str], list[Entry]] = {}
        for readings in self._by_form.values():
            for entry in readings:
                self._by_lemma.setdefault((entry.lemma, entry.upos), []).append(entry)

    def forms(self, cells: pa.Table) -> pa.Table:
        """Return the form of each cell that UniMorph knows: columns `row`, `form`; `cells` as for `Lexicon.forms`.

        A word is read as UniMorph reads its own form, as in `ParadigmTables`. Where UniMorph does not have that, the
        cell may be any that agrees in all features that both sides name, and names all that change; the one that says
        the least else is taken if it has one form. A word that may be cut or extended in its place must be known.
        """
        read = super().forms(cells)
        unread = cells.filter(pc.and_not(pc.is_null(cells["use"]), pc.is_in(cells["row"], read["row"])))
        return pa.concat_tables([read, each_cell(unread, self._closest)])

    def _form(self, lemma: str, upos: str, feats: str, own_form: str, own_feats: str) -> str | None:
        shown, goal = parse_features(own_feats), parse_features(feats)
        named = all(name in self._names for name, value in goal.items() if shown.get(name) != value)
        return super()._form(lemma, upos, feats, own_form, own_feats) if named else None

    def _of_word(self, lemma: str, entries: Sequence[Entry]) -> Sequence[Entry]:
        """Return the entries of a lemma, or else those of lemmas that no treebank has, such as करना for कर."""
        of_lemma = [entry for entry in entries if entry.lemma == lemma]
        return of_lemma or [entry for entry in entries if entry.lemma not in self._attested]

    def _closest(self, lemma: str, upos: str, feats: str, own_form: str, own_feats: str) -> str | None:
        shown, goal = parse_features(own_feats), parse_features(feats)
        entries = self._by_lemma.get((lemma, upos), [])
        if any(entry.form.lower() == own_form.lower() and _agree(entry.features, shown) for entry in entries):
            return None
        changed = {name for name, _ in shown.items() ^ goal.items()}
        fitting = [
            entry
            for entry in entries
            if _agree(entry.features, goal) and all(entry.features.get(name) == goal.get(name) for name in changed)
        ]
        fewest = min((len(entry.features.keys() - goal.keys()) for entry in fitting), default=0)
        forms = {
            tuple(sorted(entry.features.items())): entry.form
            for entry in reversed(fitting)
            if len(entry.features.keys() - goal.keys()) == fewest
        }
        return next(iter(forms.values())) if len(set(forms.values())) == 1 else None


def _agree(features: Mapping[str, str], others: Mapping[str, str]) -> bool:
    return all(others.get(name, value) == value for name, value in features.items())
