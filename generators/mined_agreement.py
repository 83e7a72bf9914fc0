"""Agreement at a distance, found by counting, in sentences as they are and in nonce ones (Gulordava et al. 2018)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import ConstructionError, nearest
from starbank.grew import Engine
from starbank.morphology import Lexicon
from starbank.morphology.sandhi import learn_sandhi
from starbank.plugins import generator, load_plugin
from starbank.queries.constructions import Construction
from starbank.sets import COVARIATES
from starbank.sets.draws import FOR_ITEM
from starbank.sets.mining import balance, beside, choose, find_arcs, find_patterns, make_nonce, rematch
from starbank.sets.mining.items import CUE, TARGET, fit, in_order, original, originals, to_matches
from starbank.sets.mining.vocabulary import read_vocabulary
from starbank.suites import Suite
from starbank.suites.select import with_limit
from starbank.transforms.presets import PRESETS
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import integers, numbers, truths


@generator
def mined_agreement(
    construction: Construction,
    matches: pa.Table,
    treebank: Treebank,
    lexicon: Lexicon,
    *,
    shortest: int = 4,
    longest: int = 14,
    entropy: float = 0.001,
    fewest: int = 5,
    nonce: int = 9,
    preset: str = "strict",
    balanced: bool = True,
) -> Suite:
    """Make items of those arcs among the matches whose left end tells what the right end has of the varied feature.

    A match binds the governor and the dependent of an arc, the construction's two targets: the left one is the cue, the
    right one varies. Arcs of `shortest` to `longest` words that no other arc crosses have a pattern, see `find_arcs`;
    a pattern is kept if two values occur on its left more than `fewest` times each, and tell the value on its right
    with conditional entropies below `entropy` (nats). Each item has `nonce` versions with other content words, which
    are drawn as `preset` has it; if `balanced`, a pattern of more than half of the items has fewer. Where the
    construction has a limit, no more arcs are judged than give so many items with their versions. What gives no item is
    rejected, with the reason.
    """
    (feature,) = _features(construction, preset)
    vocabulary = read_vocabulary(construction.vocabulary)
    source = {"construction": construction.name, "language": construction.language, "treebank": treebank.name}
    governor, dependent = (matches[node].combine_chunks() for node in construction.targets)
    arcs = find_arcs(treebank, governor, dependent, feature)
    arcs = arcs.append_column("row", integers(np.arange(len(arcs), dtype=np.int64)))
    arcs = arcs.append_column("sent", matches["sent"]).append_column(COVARIATES, matches[COVARIATES])
    length = numbers(arcs["length"])
    near = truths((length >= shortest) & (length <= longest))
    telling = pc.and_(near, pc.and_not(arcs["projective"], arcs["coordinated"]))
    patterns = find_patterns(arcs.filter(telling), entropy, fewest)
    chosen, rejected = choose(arcs, patterns, treebank, feature, vocabulary, (shortest, longest), source)
    ruled = _ruled(construction)
    make = load_plugin("minimal_sets", "generator").function
    enough = construction.limit and -(FOR_ITEM * construction.limit // -(1 + nonce))
    (made,) = make([replace(ruled, limit=enough)], [to_matches(original(chosen))], treebank, lexicon)
    made = Suite(made.items, with_limit(made.rejected, construction.limit, construction.balance))
    if not made.items.num_rows:
        return Suite(made.items, pa.concat_tables([rejected, made.rejected]))
    sandhi = learn_sandhi([treebank])
    whole = fit(made.items, sandhi, vocabulary)
    parts = [whole]
    rejects = [rejected, made.rejected, whole.rejected]
    fitting = chosen.filter(pc.is_in(chosen["row"], originals(whole.items)))
    if nonce and fitting.num_rows:
        nonsense, versions = make_nonce(
            treebank, ruled, lexicon, fitting, PRESETS[preset], nonce, construction.seed or 0, sandhi
        )
        if balanced:
            versions = balance(versions, fitting, nonce)
        rematched = Engine(nonsense).match(construction.request)
        versions, unmatched = rematch(versions, rematched, construction.targets, nonsense, source)
        (made,) = make([ruled], [to_matches(versions)], beside(nonsense, treebank), lexicon)
        parts.append(fit(made.items, sandhi, vocabulary))
        rejects += [unmatched, made.rejected, parts[-1].rejected]
    return Suite(in_order(pa.concat_tables([part.items for part in parts])), pa.concat_tables(rejects))


def _features(construction: Construction, preset: str) -> tuple[str, ...]:
    """Return the one feature that varies; raises `ConstructionError` where the generator cannot do what is asked."""
    if preset not in PRESETS:
        raise ConstructionError(f"there is no preset `{preset}`", file=construction.path, hint=nearest(preset, PRESETS))
    if len(construction.targets) != 2 or any(condition.starred is not None for condition in construction.conditions):
        hint = "Write `% target: [GOV, DEP]` and `% vary: {Number: [Sing, Plur]}`."
        message = "the generator `mined_agreement` takes governor and dependent as targets, and a feature to vary"
        raise ConstructionError(message, file=construction.path, hint=hint)
    return tuple(construction.features)


def _ruled(construction: Construction) -> Construction:
    """Return the construction, without its limit, in which the right end of an arc varies and agrees with the left."""
    conditions = tuple(
        replace(variant, changes={TARGET: next(iter(variant.changes.values()))}) for variant in construction.conditions
    )
    return replace(construction, targets=(TARGET,), controller=CUE, conditions=conditions, limit=None)
