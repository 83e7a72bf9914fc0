"""Guards about the word that the target agrees with: when its form, or its construction, leaves agreement open."""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa

from starbank.constructions import Construction
from starbank.morphology import Lexicon
from starbank.sets.tables import text_table
from starbank.treebanks.arrays import integers, texts
from starbank.treebanks.features import format_features, parse_features

NOMINALS = ("NOUN", "PROPN", "PRON")

CONTROLLER_REASONS = {
    # Mary and her sister come / comes: some languages agree with the whole, some with the nearest member. Verbs that
    # share a subject have its number one by one.
    "coordinated controller": """
        select row, controller.form || ' stands beside ' || token.form
        from controllers as controller join tokens as token
            on token.head = controller.token and token.deprel = 'conj'
        where controller.upos not in ('VERB', 'AUX')
        union all
        select row, form || ' stands beside another word' from controllers
        where deprel = 'conj' and upos not in ('VERB', 'AUX')
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
    # Turkish plurals with a singular verb, Arabic things in the plural with a feminine singular: where the treebank
    # itself agrees in less than nine of ten cases, the other form is no mistake; where plurals mostly do not agree, as
    # with Turkish adjectives, there is no agreement in the singular either.
    "agreement is not firm": """
        select row, form || ': of ' || controllers || ' such controllers ' || agreeing || ' agree' from controllers
        where agreeing < 0.9 * controllers
        union all
        select row, other || ' agrees in less than half of the cases' from controllers
            join (
                select min("values") as other from controllers where controllers >= 10 and agreeing < 0.5 * controllers
            ) on other is not null
    """,
    # राजा आए हैं: the king has-PL come, out of respect.
    "honorific agreement": """
        select row, form || ' may be honoured by a plural'
        from controllers where honoured and by_number and contains('|' || feats || '|', '|Number=Sing|')
    """,
    # The sheep sleeps / sleep: nothing is wrong with either.
    "ambiguous controller": """
        select controller.row, reading.form || ' is also ' || reading.lemma || ' (' || reading.feats || ')'
        from controllers as controller
            join controller_readings as reading on reading.form = controller.form
            join ambiguities as ambiguity on ambiguity.feats = controller.feats and ambiguity.reading = reading.feats
        where reading.upos in ('NOUN', 'PROPN', 'PRON') and 5 * reading.count > controller.attested
        union all
        -- Hindi घर is its own plural, whether the treebanks show it or not.
        select row, form || ' is likely ' || elsewhere.wanted || ', too'
        from controllers join elsewhere using (lemma, upos, feats, form)
    """,
}

# From this confidence on, a word that is predicted to look the same in another cell may be ambiguous.
_LIKELY = 0.5

# Languages in which a singular person may take plural agreement out of respect.
_HONOURING = frozenset({"bho", "ben", "guj", "hin", "kan", "mai", "mal", "mar", "nep", "pan", "tam", "tel", "urd"})

_JUDGED = """
    create or replace temp table controllers as
    select controller.*, coalesce(agreement.agrees = 'yes', false) as agrees, $by_number as by_number,
        -- Beside a noun only its own determiner or adjective honours it; most nouns are none of persons.
        $honoured and not contains(controller.feats, 'Animacy=Inan')
            and (word.upos in ('VERB', 'AUX') or controller.upos <> 'NOUN') as honoured,
        agreement."values", count(*) over same as controllers,
        count(*) filter (agreement.agrees = 'yes') over same as agreeing,
        coalesce(
            (select sum(count) from controller_readings as reading
                where reading.form = controller.form and reading.feats = controller.feats), 0
        ) as attested
    from controllers as controller
        left join words as word on word.row = controller.row and word.first
        left join agreements as agreement on agreement.controller = controller.feats and agreement.target = word.feats
    window same as (partition by agreement."values")
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
        (controller, target, _values(controller, features), _agrees(controller, target, varied))
        for controller, target in pairs
    ]
    connection.register("agreements", text_table(agreements, ("controller", "target", "values", "agrees")))
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
    connection.register("elsewhere", _elsewhere(connection, construction, lexicon))
    honoured = construction.language in _HONOURING
    connection.execute(_JUDGED, {"by_number": "Number" in features, "honoured": honoured})


def _elsewhere(connection: duckdb.DuckDBPyConnection, construction: Construction, lexicon: Lexicon) -> pa.Table:
    """Return the controllers that look the same with another value: `lemma`, `upos`, `feats`, `form`, `wanted`."""
    found = connection.sql("select distinct lemma, upos, feats, form from controllers order by all").fetchall()
    asked = [
        (lemma, upos, feats, form, format_features(parse_features(feats) | {plain(name): value}))
        for lemma, upos, feats, form in found
        for name, values in construction.features.items()
        for value in values
        if lemma and parse_features(feats).get(plain(name), value) != value
    ]
    table = text_table(asked, ("lemma", "upos", "own_feats", "own_form", "feats"))
    if not asked or "predicted" not in construction.forms:
        return text_table([], ("lemma", "upos", "feats", "form", "wanted"))
    rows = integers(np.arange(len(asked)))
    table = table.append_column("row", rows).append_column("use", texts([None] * len(asked)))
    connection.register("asked", table)
    connection.register("given", lexicon.forms(table, threshold=_LIKELY))
    return connection.sql(
        """
        select asked.lemma, asked.upos, own_feats as feats, own_form as form, min(asked.feats) as wanted
        from asked join given using (row) where rank = 1 and lower(given.form) = lower(own_form) group by all
        """
    ).to_arrow_table()


def plain(feature: str) -> str:
    """Return the name of a feature without its layer: `Number[subj]` is `Number`."""
    return feature.partition("[")[0]


def _values(controller: str, features: list[str]) -> str:
    """Return what a word has of some features, as text."""
    found = parse_features(controller)
    return " ".join(found.get(name, "none") for name in features)


def _agrees(controller: str, target: str, varied: list[str]) -> str:
    """Tell (yes or no) whether what the controller has of the varied features goes with the target's values."""
    ruler, ruled = parse_features(controller), parse_features(target)
    compatible = all(
        not set(ruler[plain(name)].split(",")).isdisjoint(ruled.get(name, "").split(","))
        for name in varied
        if plain(name) in ruler
    )
    return "yes" if compatible else "no"


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
