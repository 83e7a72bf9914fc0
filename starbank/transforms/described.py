"""What tells content words apart, in SQL: which may replace which, and what there is to write in another's place.

- `content`: a row per content word; `exact` and `bare` are hashes of what a word in its place must share with it, with
  its obliques and without, `exact_other` and `bare_other` those for a noun of the other gender; `form` is the number of
  its form; `raised` tells that it has a capital of its place, `fits` that it may replace others
  where its frame is usual: `alike` and `lemmas` are hashes of what it is counted with;
- `donors`: the words that may replace others;
- `kinds`: what is written where a donor of a `kind` stands.
"""

from __future__ import annotations

from starbank.morphology.casing import lower
from starbank.transforms.endings import ending

# What MISC says of a word's form and not of its place: it comes along with the word.
OF_FORM = r"((L|M|T)?(Translit|Gloss|Seg)(\[[^=]*)?|Vform|Correct(Form|Lemma)|Root|Lang|Proper)(=[^|]*)?"

CONTENT = """
    create table content (
        row bigint, upos varchar, reason varchar, fits boolean, noun boolean, cover bigint, raised boolean,
        exact ubigint, bare ubigint, exact_other ubigint, bare_other ubigint, kind ubigint, form bigint,
        lemmas ubigint, alike ubigint, lonely boolean
    );
    create table kinds (
        kind ubigint, form varchar, plain_form varchar, lemma varchar, misc varchar, cover_form varchar,
        cover_misc varchar
    )
"""

# What two words must share, and why a word is left alone. `second` is another pool for the same word.
_FOUND = """
    create or replace temp table found as
    with multiword as (
        select cover, count(*) as contents from words where cover is not null and upos in $content group by cover
    ),
    cells as (
        select upos, feats, names, wanted.upos is null as whole,
            if(whole, feats, array_to_string(list_filter(
                split(feats, '|'), lambda f: list_contains(names, split_part(f, '=', 1))
            ), '|')) as features,
            replace(replace(replace(features, 'Gender=Masc', 'Gender=' || chr(31)), 'Gender=Fem', 'Gender=Masc'),
                'Gender=' || chr(31), 'Gender=Fem') as other_features
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
        select words.*, frame, coalesce(obliques, '') as obliques, frames.reason as bound, names, whole, features,
            other_features, often, forms, contents, core, determiners, position,
            own.of_form, cover_form, of_cover.of_form as cover_of_form,
            if($capitals, case
                when plain_form = lower(plain_form) then 'small'
                when length(plain_form) > 1 and plain_form = upper(plain_form) then 'capitals'
                else 'initial'
            end, '') as capitals,
            if($sounds, {ending}, '') as ending
        from words
            join cells using (upos, feats)
            join readings using (upos, form)
            join occurrences using (form)
            join (select row, misc from tokens) as token on token.row = words.row
            left join (select row, form as cover_form, misc from tokens) as covering on covering.row = words.cover
            left join carried as own on own.misc = token.misc
            left join carried as of_cover on of_cover.misc = covering.misc
            left join multiword on multiword.cover = words.cover
            left join frames on frames.row = words.row
        where words.upos in $content
    ),
    based as (
        select *,
            concat_ws(chr(31), if($donors = 'split', coalesce(split, ''), ''),
                upos, companions, capitals, ending, frame) as base,
            -- Of nouns that have an article mostly, and of verbs by what they take.
            upos = 'NOUN' and feats.contains('Number=Sing') as singular,
            case
                when cover is not null and contents > 1 then 'shares a multiword token with another content word'
                when not whole and (names is null or len(names) is distinct from len(split(nullif(features, ''), '|')))
                    then 'lacks a feature that must be alike'
                when $plain and not plain then 'misspelt, foreign, abbreviated or written with digits'
                when $plain and (cover is null and glued or hyphenated) then 'joined to another word'
                when $plain and in_name then 'within a name or a fixed expression'
                when bound is not null then bound
            end as reason
        from alike
    )
    select row, upos, plain_form, form, lemma, of_form, cover_form, cover_of_form, reason, cover,
        reason is null and (often > 1 or not $frequent) and (often = forms or not $unambiguous)
            and (often * 2 > forms or not $plain)
            and ($donors in ('split', 'all') or coalesce(split = $donors, false)) as fits,
        upos in ('NOUN', 'PROPN') and other_features <> features as noun,
        initial and form <> {small} as raised,
        hash(concat_ws(chr(31), base, features, obliques)) as exact,
        hash(concat_ws(chr(31), base, features, '')) as bare,
        hash(concat_ws(chr(31), base, other_features, obliques)) as exact_other,
        hash(concat_ws(chr(31), base, other_features, '')) as bare_other,
        hash({kind}) as kind,
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
        singular and determiners is null and (position = 'phrase' or core.contains('cop'))
            and (select there from articles) as lonely
    from based
"""

KINDS = """
    insert into content
    select row, upos, reason, fits, noun, cover, raised, exact, bare, exact_other, bare_other, kind, number,
        lemmas, alike, lonely
    from numbered order by row;
    insert into kinds
    select kind, any_value(form), any_value(plain_form), any_value(lemma), any_value(of_form), any_value(cover_form),
        any_value(cover_of_form)
    from numbered where fits and kind not in (select kind from kinds) group by kind
"""

# Whether a word stands in a frame of its own. A verb that mostly takes an object is now and then without; a noun that
# mostly has an article is without in headlines: neither of the two is to be had for all places like these.
DONORS = """
    create table donors as
    with of_lemmas as (select upos, lemmas, count(*) as number from content where lemmas is not null group by all),
    of_frames as (select upos, alike, count(*) as number from content where alike is not null group by all)
    select row, exact, form, kind
    from content
        left join of_lemmas using (upos, lemmas)
        left join of_frames using (upos, alike)
    where fits and case
        when content.upos = 'VERB' then coalesce(of_frames.number * 3 >= of_lemmas.number, true)
        when lonely then of_frames.number > 1 and of_frames.number * 2 > of_lemmas.number
        else true
    end
"""

TARGETS = """
    create or replace temp table targets as
    select row, reason, noun, cover, raised, exact, bare, exact_other, bare_other, form
    from content where row >= $first and row < $end
"""


def content_query(language: str | None) -> str:
    """Return the SQL that makes the table `found` of a part's words and frames."""
    clause = "(position = 'clause')::varchar"
    return _FOUND.format(
        ending=ending(language),
        of_form=OF_FORM,
        small=lower("form", language),
        kind=_joined("form", "plain_form", "lemma", "of_form", "cover_form", "cover_of_form"),
        of_verb=_joined("lemma", clause),
        verb=_joined("lemma", clause, "core"),
        of_noun=_joined("lemma"),
        noun=_joined("lemma", "(determiners is null)::varchar"),
    )


def _joined(*columns: str) -> str:
    """Return the SQL that makes one text of several, where null is no text."""
    return f"concat_ws(chr(31), {', '.join(f'coalesce({column}, chr(30))' for column in columns)})"
