"""A construction, small treebanks and what the generator makes of them."""

import pyarrow as pa
import pytest

from starbank.grew import Engine
from starbank.morphology import Lexicon, build_lexicon
from starbank.morphology.unimorph import read_unimorph
from starbank.pipeline.generators import load_generator, run_generator, with_covariates
from starbank.queries.constructions import read_construction
from starbank.sets.rewritten import Usage
from tests.small_treebank import small_treebank

QUERY = """\
% ---
% language: {language}
% phenomenon: agreement
% treebanks: [UD_Small]
% target: {target}
{settings}% ---
pattern {{ {pattern} }}
"""


@pytest.fixture
def generate(tmp_path):
    """Make sets of `sentences`, with a lexicon of these, of `known` and of UniMorph's lines; `elsewhere` is asked, too.

    Returns items and rejects as dicts.
    """

    def generate(
        *sentences,
        known=(),
        elsewhere=(),
        unimorph=(),
        language="kat",
        pattern="SUBJ [Case=Nom]; V -[nsubj]-> SUBJ",
        target="SUBJ",
        vary="{Case: [Nom, Erg, Dat]}",
        settings="% complete: yes\n",
    ):
        file = tmp_path / "subject.grew"
        settings = settings if "conditions:" in settings else f"% vary: {vary}\n{settings}"
        text = QUERY.format(language=language, target=target, settings=settings, pattern=pattern)
        file.write_text(text, encoding="utf-8")
        construction = read_construction(file)
        treebank = small_treebank(tmp_path / "searched", *sentences, language=language)
        others = [small_treebank(tmp_path / "known", *known, language=language)] if known else []
        attested = build_lexicon([treebank, *others])
        (tmp_path / language).write_text("\n".join(unimorph), encoding="utf-8")
        lexicon = Lexicon(pa.concat_tables([attested, read_unimorph([tmp_path / language], language, attested)]))
        matches = with_covariates(construction, Engine(treebank))
        asked = [treebank]
        if elsewhere:
            asked.append(small_treebank(tmp_path / "elsewhere", *elsewhere, language=language))
        usage = Usage(lambda: [(each, Engine(each)) for each in asked])
        (suite,) = run_generator(load_generator(construction), [construction], [matches], treebank, lexicon, usage)
        return suite.items.to_pylist(), suite.rejected.to_pylist()

    return generate
