"""How the forms of cells are looked up: the queries behind `Lexicon.forms`, in the order in which they are asked, and
that for what speaks against them."""

from __future__ import annotations

# Matches are many, kinds of words few: of cells that are asked for alike the first, `first`, stands for all.
COPIES = """
    create or replace temp table copies as
    select row, min(row) over (partition by lemma, upos, feats, "use", own_form, own_feats, avoid) as first from asked
"""
FIRSTS = "from asked where row in (select first from copies)"

# What UniMorph has of some words: by their lemmas, and by the lemmas that it gives to their forms.
KNOWN = """
    with unimorph as (select lemma, upos, feats, form from lexicon where source = 'unimorph')
    from unimorph where lemma in (
        select lemma from cells
        union select lemma from unimorph
        where nfc_normalize(small(form)) in (select nfc_normalize(small(own_form)) from cells)
    )
"""

# Auxiliaries are verbs, and treebanks call one word by either name.
VERBS = ("VERB", "AUX")

DESCRIPTIONS = """
    with wanted as (select upos, feats from cells union select upos, own_feats from cells)
    from wanted union select unnest(['VERB', 'AUX']), feats from wanted where upos in {verbs}
"""

# Known forms. Those with the text's own stem come first, then attested ones, then the most frequent; of two that are
# alike in this the shorter wins, so that a plain form goes before one with an emphatic ending, such as the Georgian
# dative in -სა.
CANDIDATES = """
    with alike as (
        select cell, entry
        from cells as cell
            join same on same.wanted = cell.own_feats and same.relaxed = 0
            join lexicon as entry
                on entry.small = small(cell.own_form) and entry.feats = same.found and entry.upos = same.upos
        where same.upos = cell.upos or cell.upos in {verbs} and same.upos in {verbs}
    ),
    paradigms as (
        select row, lemma, upos, 0 as distance from cells
        union all
        -- Treebanks, and sometimes one and the same, give pronouns different lemmas: რომელიც stands under რომელი or
        -- under itself. A pronoun with the same form in the same cell shares the rest of its paradigm.
        select distinct cell.row, entry.lemma, entry.upos, 1 as distance from alike
        where cell.upos = 'PRON' and entry.upos = 'PRON' and entry.lemma <> cell.lemma
        union all
        -- A verb has the forms that it has as an auxiliary.
        select distinct cell.row, entry.lemma, entry.upos, 1 as distance from alike
        where cell.upos in {verbs} and entry.upos in {verbs} and entry.upos <> cell.upos and entry.lemma = cell.lemma
        union all
        -- A verb without its particle is another one: Dutch komt … voor, of voor_komen, has komen … voor, as komt has.
        select distinct cell.row, entry.lemma, entry.upos, -1 as distance from alike
        where cell.upos = 'VERB' and entry.upos = 'VERB' and entry.lemma <> cell.lemma
            and ends_with(cell.lemma, entry.lemma)
    ),
    candidates as (
        select cell.row, entry.form, entry.source, same.relaxed, min(paradigm.distance) as distance,
            sum(entry.count)::bigint as count, max(entry.confidence) as confidence,
            if(same.relaxed = 0, any_value(cell.feats), arg_max(entry.feats, (entry.count, entry.feats))) as feats
        from cells as cell
            join paradigms as paradigm using (row)
            join same on same.upos = paradigm.upos and same.wanted = cell.feats
            join lexicon as entry
                on entry.lemma = paradigm.lemma and entry.upos = paradigm.upos and entry.feats = same.found
        -- A form that agrees within a noun phrase, or stands as an adverbial, may be cut or extended there.
        where list_contains($sources, entry.source) and entry.source <> 'unimorph'
            and (entry."use" is not distinct from cell."use" or entry.source <> 'treebank')
        group by cell.row, entry.form, entry.source, same.relaxed
        union all
        select row, known.form, 'unimorph', 0, 2, 0::bigint, 1.0, cell.feats from known join cells as cell using (row)
    ),
    -- A treebank without tense has zuen beside ditu. Where UniMorph leads on from the text's own form, what it has
    -- elsewhere in the word's paradigm does not fit.
    contradicted as (
        select candidate.row, candidate.form
        from candidates as candidate join known using (row) join cells as cell using (row)
            join unimorph as one
                on one.lemma = cell.lemma and one.upos = cell.upos and small(one.form) = small(candidate.form)
            left join unimorph as other
                on other.lemma = one.lemma and other.upos = one.upos and other.feats = one.feats
                and small(other.form) = small(known.form)
        where candidate.source = 'treebank'
        group by candidate.row, candidate.form having count(other.form) = 0
    ),
    -- A form is told once, with its best source.
    sourced as (
        from candidates anti join contradicted using (row, form)
        qualify list_position({ranks}, source) = min(list_position({ranks}, source)) over (partition by row, form)
    )
    from sourced
"""

FORMS = """
    -- Where a word's own form shares its cell with another that is not much rarer, as Spanish había does with ha and
    -- Romanian aceasta with această, the form goes on that looks most like it, if it is not much rarer either: habían,
    -- not han. Nouns share theirs with clitics and emphatics.
    with shared as (
        select cell.row, any_value(small(cell.own_form)) as own
        from cells as cell
            join lexicon as entry
                on entry.lemma = cell.lemma and entry.upos = cell.upos and entry.feats = cell.own_feats
        where entry.source = 'treebank' and cell.upos in ('VERB', 'AUX', 'ADJ', 'DET')
        group by cell.row
        having 5 * coalesce(max(entry.count) filter (entry.small <> small(cell.own_form)), 0)
            > coalesce(sum(entry.count) filter (entry.small = small(cell.own_form)), 0)
    ),
    counted as (
        select *, 5 * count < max(count) over (partition by row, relaxed, distance, source) as rare from candidates
    ),
    ranked as (
        select candidate.row, form, feats, source, count, confidence, relaxed, stem, row_number() over best as rank
        from counted as candidate left join shared using (row)
            left join stems on stems.row = candidate.row and goal = small(form)
        window best as (
            partition by candidate.row
            order by relaxed, distance, list_position($sources, source),
                own is not null and rare, coalesce(levenshtein(small(form), own), 0), count desc, length(form), form,
                feats
        )
    ),
    -- Where the best form has another stem than the text's own form, those that have it go first.
    compared as (
        select ranked.*, ranked.stem = 'own' and first.stem = 'other' and ranked.relaxed = first.relaxed as promoted
        from ranked join ranked as first using (row) where first.rank = 1
    ),
    ordered as (
        select * replace (row_number() over (partition by row order by coalesce(promoted, false) desc, rank) as rank)
        from compared
    )
    select copies.row, form, ordered.feats, source, count, confidence, coalesce(stem = 'other', false) as other_stem,
        rank
    from ordered join copies on copies.first = ordered.row
    order by copies.row, rank
"""

# Cells without a known form that goes before whatever could be predicted.
UNKNOWN = """
    with fitting as (
        select candidates.row, stem,
            (source = 'treebank' or list_contains($before, source))
                and not coalesce(regexp_full_match(form, avoid), false) as fits
        from candidates join cells using (row)
            left join stems on stems.row = candidates.row and goal = small(form)
        where relaxed = 0
    )
    from cells where row not in (
        select row from fitting group by row
        having bool_or(fits and coalesce(stem, '') = 'own')
            or bool_or(fits) and bool_and(coalesce(stem, '') <> 'other')
    )
    order by row
"""

# A word that the lemma has elsewhere is right here, too, where the two cells mostly look alike, as Dutch plurals and
# infinitives do; likewise the lemma itself.
PREDICTED = """
    with forms as (
        select distinct lemma, upos, feats, small from lexicon where source = 'treebank'
        union all
        select distinct lemma, upos, null, small(lemma) from lexicon where source = 'treebank'
    ),
    words as (
        select row, cell.upos, cell.feats, forms.feats as other
        from predictions join cells as cell using (row)
            join forms on forms.lemma = cell.lemma and forms.upos = cell.upos and forms.small = small(form)
        where confidence >= {known_word} and confidence < $threshold
    ),
    alike as (
        select kind.* from (select distinct upos, feats, other from words) as kind
            join forms on forms.upos = kind.upos and forms.feats = kind.feats
            join forms as twin
                on twin.lemma = forms.lemma and twin.upos = kind.upos and twin.feats is not distinct from kind.other
        group by all having count(*) >= {enough} and avg((forms.small = twin.small)::int) >= {mostly}
    )
    select row, form, 'predicted' as source, 0::bigint as relaxed, 2 as distance, 0::bigint as count, confidence, feats
    from predictions anti join known_candidates using (row, form)
    where confidence >= $threshold or row in (
        select row from words join alike
            on alike.upos = words.upos and alike.feats = words.feats and alike.other is not distinct from words.other
    )
"""

# Cells all of whose known forms have another stem than the text's own form.
LACKING = """
    from cells where row in (
        select candidates.row
        from candidates left join stems on stems.row = candidates.row and goal = small(form)
        where source <> 'predicted'
        group by candidates.row having count(*) filter (stem = 'other') = count(*)
    )
    order by row
"""

# A step that is not also that from variant to known form makes no second paradigm: mal, a variant of malo, has mala.
PROPORTIONAL = """
    select row, form, feats, confidence from predictions where row not in (select row from lacking)
    union all
    select row, form, feats, confidence from proposed semi join stems using (row, rule)
    order by row
"""

# What is to be predicted: nothing for the cell that the known form stands in. Questions that are alike have one answer.
ASKED = """
    select *, concat_ws(
        chr(31), lemma, upos, feats, coalesce("use", ''), own_feats, coalesce(own_form, ''), {knowing}
    ) as question
    from (
        select row, another, {lemma} as lemma, {fold} as fold, upos, feats, "use", own_feats,
            if(own_form <> {small} and lemma[1] = {first}, {small}, own_form) as own_form
        from questions where feats <> own_feats and lemma is not null and upos is not null
    )
    order by row
"""

# Other forms that texts have of the lemmas in this use, but for those of the cell and of that of the form at hand.
OTHERS = """
    select row, unknown.upos, unknown.feats, coalesce(unknown.own_feats, '') as own_feats, entry.feats as other_feats,
        entry.form, sum(entry.count)::bigint as count
    from unknown join lexicon as entry using (lemma, upos)
    where entry.source = 'treebank' and entry."use" is not distinct from unknown."use"
        and entry.feats not in (unknown.feats, coalesce(unknown.own_feats, ''))
    group by all
"""

# Of these the one whose cell differs least from the wanted one; of several the most frequent.
ANOTHER = """
    with nearest as (
        select row, arg_min(form, (distance, -count, form, other_feats)) as own_form,
            arg_min(other_feats, (distance, -count, form, other_feats)) as own_feats
        from others join steps using (upos, feats, own_feats, other_feats) where distance > 0 and from_own > 0
        group by row
    )
    select unknown.* replace (nearest.own_form as own_form, nearest.own_feats as own_feats)
    from unknown join nearest using (row) order by row
"""

# What both forms lead to.
BOTH = """
    select row, alone.form, alone.feats, alone.confidence, another.form as other_form,
        coalesce(another.confidence, 0) as other_confidence
    from answers as alone left join (from answers where another) as another using (row)
    where not alone.another order by row
"""

# Rules put letters together as no word has them (Hebrew מוחץים, a final letter within), and texts may know better.
# A cell that so many words have is that of the lemma if nearly all look like it; of a Romanian noun that is neuter the
# lemma is no feminine, and nothing made of it is its singular.
_CITED, _WORDS = 0.95, 10
DOUBTS = f"""
    with predicted as (select *, '^' || small(form) || '$' as bounded from cells),
    pairs as (
        select distinct unnest([bounded[place : place + 1] for place in range(1, length(bounded))]) as pair
        from (select '^' || small || '$' as bounded from lexicon where source = 'treebank')
    ),
    asked as (
        select row, form, unnest([bounded[place : place + 1] for place in range(1, length(bounded))]) as pair
        from predicted
    )
    select row, form || ': no form of the treebanks has ' || min(pair) as detail
    from asked anti join pairs using (pair) group by row, form
    union all
    select row, predicted.form || ' is predicted, ' || min(entry.form) || ' attested'
    from predicted join lexicon as entry using (lemma, upos, feats)
    where entry.source = 'treebank' and entry."use" is null
        and not list_contains(predicted.other_stems, entry.small)
    group by row, predicted.form having bool_and(entry.small <> small(predicted.form))
    union all
    select row, form || ' is not the lemma ' || lemma
    from predicted
    where small(form) <> small(lemma) and (upos, feats) in (
        select (upos, feats) from (
            select distinct lemma, upos, feats, small = small(lemma) as cited from lexicon
            where source = 'treebank' and "use" is null and (upos, feats) in (select (upos, feats) from predicted)
        )
        group by upos, feats having count(*) >= {_WORDS} and avg(cited::int) >= {_CITED}
    )
    order by all
"""
