"""Guards about the word that the target agrees with: when its form, or its construction, leaves agreement open."""

from __future__ import annotations

import duckdb

from starbank.constructions import Construction
from starbank.morphology import Lexicon
from starbank.sets.tables import text_table
from starbank.treebanks.features import parse_features

NOMINALS = ("NOUN", "PROPN", "PRON")

CONTROLLER_REASONS = {
    # Mary and her sister come / comes: some languages agree with the whole, some with the nearest member.
    "coordinated controller": """
        select row, controller.form || ' stands beside ' || token.form
        from controllers as controller join tokens as token
            on token.head = controller.token and token.deprel = 'conj'
        union all
        select row, form || ' stands beside another word' from controllers where deprel = 'conj'
    """,
    # A number of people were / was there; five went in Slavic languages, with a neuter singular verb.
    "quantified controller": """
        select row, token.form || ' ' || controller.form
        from controllers as controller join tokens as token on token.head = controller.token
        where by_number and (starts_with(token.deprel, 'nummod') or token.deprel in ('det:numgov', 'det:nummod'))
        union all
        select row, form || ' is a quantity' from controllers where by_number and upos = 'NUM'
    """,
    # Honorific plurals, default agreement, agreement with the sense, and slips of annotation.
    "controller does not agree": """
        select row, form || ' (' || coalesce(nullif(feats, ''), 'no features') || ')' from controllers where not agrees
    """,
    # The sheep sleeps / sleep: nothing is wrong with either.
    "ambiguous controller": """
        select controller.row, reading.form || ' is also ' || reading.lemma || ' (' || reading.feats || ')'
        from controllers as controller
            join controller_readings as reading on reading.form = controller.form
            join ambiguities as ambiguity on ambiguity.feats = controller.feats and ambiguity.reading = reading.feats
        where reading.upos in ('NOUN', 'PROPN', 'PRON') and 5 * reading.count > controller.attested
    """,
}

_JUDGED = """
    create or replace temp table controllers as
    select controller.*, agreement.agrees = 'yes' as agrees, $by_number as by_number,
        coalesce(
            (select sum(count) from controller_readings as reading
                where reading.form = controller.form and reading.feats = controller.feats), 0
        ) as attested
    from controllers as controller
        left join words as word on word.row = controller.row and word.first
        left join agreements as agreement on agreement.controller = controller.feats and agreement.target = word.feats
"""


def find_controller_readings(
    connection: duckdb.DuckDBPyConnection, construction: Construction, lexicon: Lexicon
) -> None:
    """Add to `controllers` whether it `agrees` with the target, and make what tells whether its form is ambiguous."""
    forms = connection.sql("select distinct form from controllers order by form").to_arrow_table()["form"]
    connection.register("controller_readings", lexicon.read(forms))
    features = [plain(name) for name in construction.features]
    pairs = connection.sql(
        "select distinct controllers.feats, words.feats from controllers join words using (row) where words.first"
    ).fetchall()
    varied = list(construction.features)
    agreements = [
        (controller, target, "yes" if _agree(parse_features(controller), parse_features(target), varied) else "no")
        for controller, target in pairs
    ]
    connection.register("agreements", text_table(agreements, ("controller", "target", "agrees")))
    readings = connection.sql(
        """
        select distinct controllers.feats, reading.feats
        from controllers join controller_readings as reading using (form)
        """
    ).fetchall()
    ambiguities = [
        (feats, reading)
        for feats, reading in readings
        if _differ(parse_features(feats), parse_features(reading), features)
    ]
    connection.register("ambiguities", text_table(ambiguities, ("feats", "reading")))
    connection.execute(_JUDGED, {"by_number": "Number" in features})


def plain(feature: str) -> str:
    """Return the name of a feature without its layer: `Number[subj]` is `Number`."""
    return feature.partition("[")[0]


def _agree(controller: dict[str, str], target: dict[str, str], varied: list[str]) -> bool:
    """Tell whether what the controller has of the varied features is compatible with the target's values."""
    return all(
        not set(controller[plain(name)].split(",")).isdisjoint(target.get(name, "").split(","))
        for name in varied
        if plain(name) in controller
    )


def _differ(own: dict[str, str], reading: dict[str, str], features: list[str]) -> bool:
    """Tell whether a reading is the same but for its value of the varied features, and has another one there."""
    if any(
        reading[name] != value
        for name, value in own.items()
        if name not in features and name in reading and name in ("Case", "Person", "PronType", "Definite")
    ):
        return False
    return any(
        not set(reading[name].split(",")) <= set(own[name].split(","))
        for name in features
        if name in own and name in reading
    )
