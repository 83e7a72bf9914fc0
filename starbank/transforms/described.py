"""What tells content words apart, in SQL: what each asks of another in its place, and what there is to write there.

- `content`: a row per content word; `rest` is a hash of what a word in its place must share with it but for features
  (`cell`) and the `REQUIREMENTS`, of which there are hashes, too; `form` is the number of its form; `raised` tells that
  it has a capital of its place, `fits` that it may replace others where its frame is usual: `alike` and `lemmas` are
  hashes of what it is counted with, `valency` of a verb and what it takes; `bare` and `tie` as in `frames`;
- `cells`: the features of a `cell`;
- `spelt`: the `text` and `lemma` of each `form` that a cell has;
- `of_features`, `of_lemmas`: what stood around words of a cell, or of a lemma, and how often;
- `pairs_of_verbs`: the adverbs and bare nouns (`word`) that stand beside their `verb`;
- `chains`: what makes a name or a compound with others of its `head`, and whether a word there is no noun;
- `kinds`: what is written where a donor of a `kind` stands.
"""

from __future__ import annotations

from starbank.morphology.casing import lower
from starbank.transforms.endings import ending
from starbank.transforms.frames import OF_FEATURES, OF_LEMMAS, REQUIREMENTS

# What MISC says of a word's form and not of its place: it comes along with the word.
OF_FORM = r"((L|M|T)?(Translit|Gloss|Seg)(\[[^=]*)?|Vform|Correct(Form|Lemma)|Root|Lang|Proper)(=[^|]*)?"

# So many sentences in a row are about the same, and say it in the same words: what a word does there counts once.
_STRETCH = 5

# Where such a share of words (of so many) has the form of its lemma, the others stand apart.
_CITED, _COMMON = 0.5, 50

_COLUMNS = ", ".join(f"{name} ubigint" for name in (*REQUIREMENTS, "obliques", "wish", *OF_LEMMAS, "phrase"))
CONTENT = f"""
    create table content (
        row bigint, upos varchar, reason varchar, fits boolean, noun boolean, cover bigint, raised boolean,
        cell ubigint, rest ubigint, frame ubigint, {_COLUMNS}, kind ubigint, form bigint, lemma ubigint, lemmas ubigint,
        alike ubigint, valency ubigint, lonely boolean, bare boolean, novel boolean, tie varchar
    );
    create table cells (cell ubigint, upos varchar, features varchar);
    create table of_features (cell ubigint, place varchar, value ubigint, number bigint);
    create table of_lemmas (class varchar, lemma ubigint, place varchar, value ubigint, number bigint);
    create table texts (text ubigint);
    create table spelt (cell ubigint, form bigint, text varchar, lemma varchar);
    create table oblique_kinds (obliques ubigint, kinds varchar);
    create table pairs_of_verbs (row bigint, head bigint, word ubigint, verb ubigint, novel boolean);
    create table chains (row bigint, head bigint, foreign_word boolean);
    create table ties (tie varchar, side varchar, lemma varchar, number bigint);
    create table kinds (
        kind ubigint, form varchar, plain_form varchar, lemma varchar, misc varchar, cover_form varchar,
        cover_misc varchar
    )
"""

# Sentences whose text came before: nothing is learned from them once more.
REPEATED = """
    create or replace temp table repeated as
    with hashed as (select sent, hash(text) as text from sentences)
    select sent from hashed where text in (from texts)
    union
    select sent from hashed qualify row_number() over (partition by text order by sent) > 1;
    insert into texts select distinct hash(text) from sentences where hash(text) not in (from texts)
"""

# The content words of a part, whose forms are numbered as they come.
FORMS = "select row, plain_form from words where upos in $content order by row"

# What two words must share, and why a word is left alone.
_FOUND = """
    create or replace temp table found as
    with multiword as (
        select cover, count(*) as contents from words where cover is not null and upos in $content group by cover
    ),
    asked as (
        select upos, feats, names, wanted.upos is null as whole,
            if(whole, feats, array_to_string(list_filter(
                split(feats, '|'), lambda f: list_contains(names, split_part(f, '=', 1))
            ), '|')) as features
        from (select distinct upos, feats from words)
            left join required using (upos)
            left join (select distinct upos from wanted) as wanted using (upos)
    ),
    carried as (
        select misc, array_to_string(
            list_filter(split(misc, '|'), lambda m: regexp_full_match(m, '{of_form}')), '|'
        ) as of_form
        from (select distinct misc from tokens where misc is not null)
    ),
    alike as (
        select words.*, form_number, frames.* exclude (row, reason), frames.reason as bound, names, whole, often,
            -- What treebanks tell there alone: Dutch adjectives with -e, Bulgarian full articles.
            if($plain and whole, concat_ws('|', nullif(features, ''),
                if(words.upos in ('NOUN', 'PROPN', 'ADJ', 'VERB') or relation = 'amod',
                    'XPOS=' || replace(nullif(xpos, '_'), '|', ' '), null),
                -- Words as *einzuladen* among infinitives, and slips.
                if(words.upos in ('NOUN', 'VERB') and number >= {common} and cited >= {cited}
                    and lower(words.form) <> lower(words.lemma), 'Cited=No', null),
                -- The Arabic article has one letter after a preposition: *li-l-*.
                'Shape=' || of_kind, 'Prefix=' || coalesce(prefix, if(
                    companions <> '' and words.upos in (select upos from prefixes)
                    and strip_accents(words.form)[2:3] = strip_accents(words.lemma)[:2], words.form[1], null)
                )), features) as features, forms,
            contents, own.of_form, cover_form, of_cover.of_form as cover_of_form,
            if($capitals, case
                when plain_form = lower(plain_form) then 'small'
                when length(plain_form) > 1 and plain_form = upper(plain_form) then 'capitals'
                else 'initial'
            -- Arabic and Hebrew write endings where they write vowels: those of a noun alone are no other's.
            end || regexp_extract(plain_form, '.[\\x{{05B0}}-\\x{{05C7}}\\x{{064B}}-\\x{{0652}}]$'), '') as capitals,
            if($sounds, concat_ws(' ', {ending}, if($plain, strange, null)), '') as ending
        from words
            join asked using (upos, feats)
            join readings using (upos, form)
            join occurrences using (form)
            join form_numbers on form_numbers.row = words.row
            left join (select row, form as cover_form, misc from tokens) as covering on covering.row = words.cover
            left join carried as own on own.misc = words.misc
            left join carried as of_cover on of_cover.misc = covering.misc
            left join multiword on multiword.cover = words.cover
            left join frames on frames.row = words.row
            join kinds_of_feats on kinds_of_feats.upos = words.upos and kinds_of_feats.feats = words.feats
            left join shaped on shaped.upos = words.upos and shaped.form = words.form and shaped.feats = words.feats
            left join prefixes on prefixes.upos = words.upos and prefixes.prefix = lower(strip_accents(words.form))[:2]
        where words.upos in $content
    ),
    based as (
        select *,
            concat_ws(chr(31), if($donors = 'split', coalesce(split, ''), ''), companions, capitals, ending,
                apart) as base,
            hash(concat_ws(chr(31), upos, coalesce(frame, ''))) as framed,
            hash(concat_ws(chr(31), upos, features)) as cell,
            -- Of nouns that have an article mostly, and of verbs by what they take.
            upos = 'NOUN' and feats.contains('Number=Sing') as singular,
            case
                when cover is not null and contents > 1 then 'shares a multiword token with another content word'
                when not whole and (names is null or len(names) is distinct from len(split(nullif(features, ''), '|')))
                    then 'lacks a feature that must be alike'
                when $plain and not plain and (upos <> 'NUM' or feats.contains('Foreign=') or feats.contains('Typo='))
                    then 'misspelt, foreign, abbreviated or written with digits'
                when $plain and (cover is null and glued or hyphenated or plain_form.starts_with('-')
                    or plain_form.ends_with('-')) then 'joined to another word'
                when $plain and in_name and upos <> 'PROPN' then 'within a name or a fixed expression'
                when bound is not null then bound
            end as reason
        from alike
    )
    select row, upos, form_number, plain_form, form, lemma, of_form, cover_form, cover_of_form, reason, cover,
        reason is null and (known or upos = 'NUM') and (often > 1 or not $frequent)
            and (often = forms or not $unambiguous) and (often * 2 > forms or not $plain)
            and unsaid is not true
            and ($donors in ('split', 'all') or coalesce(split = $donors, false)) as fits,
        upos in ('NOUN', 'PROPN') and regexp_matches(features, 'Gender=(Masc|Fem)') as noun,
        initial and form <> {small} as raised,
        cell, features, xor(hash(base), framed) as rest, framed as frame, {requirements}, {places}, tie,
        if(phrase is null, null, hash(phrase)) as phrase,
        coalesce(obliques, '') as oblique_kinds,
        hash({kind}) as kind, hash(lower(lemma)) as lemma_hash,
        case
            when not $plain then null
            when upos = 'VERB' then hash({of_verb})
            when singular then hash({of_noun})
        end as lemmas,
        case
            when not $plain then null
            when upos = 'VERB' then hash({verb})
            when singular then hash({noun})
        end as alike,
        if($plain and upos = 'VERB' and core is not null, hash({valency}), null) as valency, bare is true as bare,
        singular and determiners is null
            and (position = 'phrase' or position.starts_with('conj') or core.contains('cop'))
            and (select there from articles) or upos = 'VERB' and core is null as lonely,
        sent, sent not in (select sent from repeated) as novel
    from based
"""

KINDS = f"""
    insert into content
    select row, upos, reason, fits, noun, cover, raised, cell, rest, frame,
        {", ".join((*REQUIREMENTS, "obliques", "wish", *OF_LEMMAS, "phrase"))}, kind, form_number, lemma_hash, lemmas,
        alike, valency, lonely, bare, novel, tie
    from found order by row;
    insert into kinds
    select kind, any_value(form), any_value(plain_form), any_value(lemma), any_value(of_form), any_value(cover_form),
        any_value(cover_of_form)
    from found where fits and kind not in (select kind from kinds) group by kind;
    insert into spelt
    select cell, form_number, min(lower(plain_form)), min(lower(lemma)) from found
    where features <> '' and (cell, form_number) not in (select (cell, form) from spelt) group by all;
    insert into oblique_kinds
    select obliques, any_value(oblique_kinds) from found
    where obliques not in (select obliques from oblique_kinds) group by obliques;
    insert into cells
    select cell, any_value(upos), any_value(features) from found where cell not in (select cell from cells)
    group by cell
"""

# Words that are compared: Irish verbal nouns are nouns, and stand as verbs do.
CLASS = "concat(upos, regexp_extract(features, 'VerbForm=[^|]*'))"

# What stood around words.
SEEN = f"""
    insert into of_features
    select cell, place, value, count(*)
    from (unpivot found on {", ".join(OF_FEATURES)} into name place value value)
    where reason is null and novel group by all;
    insert into of_lemmas
    select {CLASS}, lemma_hash, place, value, count(distinct sent // {_STRETCH})
    from (unpivot found on {", ".join(OF_LEMMAS)} into name place value value)
    where novel group by all
"""

# Nouns that were seen with a determiner, or in the plural: what never was may be a pronoun, as Italian qualcosa.
COUNTABLE = """
    create temp table countable as
    select distinct lemma from content join cells using (cell, upos)
    where upos = 'NOUN' and (determiners <> hash('determiners' || chr(31)) or features.contains('Number=Plur'))
"""


def content_query(language: str | None) -> str:
    """Return the SQL that makes the table `found` of a part's words and frames."""
    clause = "(position = 'clause')::varchar"
    requirements = ", ".join(
        f"hash('{name}' || chr(31) || coalesce({name}, '')) as {name}" for name in (*REQUIREMENTS, "obliques", "wish")
    )
    return _FOUND.format(
        ending=ending(language),
        cited=_CITED,
        common=_COMMON,
        of_form=OF_FORM,
        small=lower("form", language),
        kind=_joined("form", "plain_form", "lemma", "of_form", "cover_form", "cover_of_form"),
        of_verb=_joined("lemma", clause),
        verb=_joined("lemma", clause, "core"),
        of_noun=_joined("lemma"),
        valency=_joined("lemma", "core"),
        noun=_joined("lemma", "(determiners is null)::varchar"),
        requirements=requirements,
        places=", ".join(f"hash({name}) as {name}" for name in (*OF_FEATURES, *OF_LEMMAS)),
    )


def _joined(*columns: str) -> str:
    """Return the SQL that makes one text of several, where null is no text."""
    return f"concat_ws(chr(31), {', '.join(f'coalesce({column}, chr(30))' for column in columns)})"
