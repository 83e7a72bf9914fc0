"""The fixed names of the request language: features that are numbers, structural properties, operators."""

# Grew stores these features as numbers: they are compared as numbers and can be ordered.
_PROSODY = ("Duration", "MeanF0", "AvgAmplitude", "MaxAmplitude")
_OF_PROSODY = ("", "Normalized", "NormalizedGlobal", "GlobalZscore", "LocalZscore")
NUMERIC_FEATURES = {"level", "freq", "freq_old", "freq_new", "weight", "length", "delta", "_start", "_stop"}
NUMERIC_FEATURES |= {"AlignBegin", "AlignEnd", "SemitonesFromUtteranceMean"}
NUMERIC_FEATURES |= {name + kind for name in _PROSODY for kind in _OF_PROSODY}

# Properties of a sentence's basic tree, each also in its negation.
STRUCTURES = tuple(f"is_{no}{name}" for name in ("projective", "tree", "forest", "cyclic") for no in ("", "not_"))

# Whole numbers computed from nodes: operator -> how many nodes it takes.
OPERATORS = {"delta": 2, "length": 2, "proj_size": 1, "cont_proj_size": 1, "constituent_size": 1, "height": 1}

# The names that UD 2.16 has in FEATS (https://grew.fr/doc/conllu): a MISC entry of such a name is called `__MISC__…`.
UD_FEATURES = frozenset(
    # A list of strings would take a line for each.
    """Abbr Accomp AdjType AdpType AdvType Advlz Agglutination Also Analyt Animacy Animacy[gram] Animacy[obj] Aspect
    Assoc BadStyle Case Caus Cfm Clas Class CleftType Clitic Clusivity Clusivity[obj] Clusivity[psor] Clusivity[subj]
    Compound Comt Conces ConjType Connegative Contrast Contv Corf Decl Definite Definitizer Degree Deixis DeixisRef
    Deixis[psor] Delib Deo Derivation Determ Detrans Dev Dialect Dist Dyn Echo Emph Emphatic Encl Ergative Evident Excl
    ExtPos Fact False Foc Focus FocusType Foreign Form Gender Gender[abs] Gender[cs] Gender[dat] Gender[erg] Gender[io]
    Gender[lo] Gender[obj] Gender[po] Gender[psor] Gender[refl] Gender[ro] Gender[subj] HebBinyan HebExistential Hnfc
    Htp Hum Human Hyph Imprs Incorp InfForm InflClass InflClass[nominal] Int Intens Intense Intension Irr LangId
    Language Link LongForm Modal Modality Mood Morph Movement Mutation NameType NCount NegationType Neutral Nmzr
    Nominal Nomzr NonFoc NounBase NounClass NounType Number Number[abs] Number[cs] Number[dat] Number[erg] Number[grnd]
    Number[io] Number[lo] Number[obj] Number[po] Number[psed] Number[psor] Number[refl] Number[ro] Number[subj] NumForm
    NumType NumValue Obl Orth PartForm PartType PartTypeQpm Pcl Person Person[abs] Person[cs] Person[dat] Person[erg]
    Person[grnd] Person[io] Person[lo] Person[obj] Person[po] Person[psor] Person[refl] Person[ro] Person[subj] Polarity
    Polite Polite[abs] Polite[dat] Polite[erg] Position Poss Possessed Pred Prefix PrepCase PrepForm Priv PronClass
    PronType Proper Prp PunctSide PunctType Purp RcpType Recip Red Redup Reflex Reflex[obj] Reflex[subj] Rel Reln
    RelType Report Shared Speech Strength Style Subcat SubForm SubGender Subord Subordinative Tense Top Trans Tv Typo
    Uninflect Valency Variant Ventive VerbClass VerbForm VerbStem VerbType Voice""".split()  # noqa: SIM905
)

# The values of the universal features and of Deixis (https://universaldependencies.org/u/feat/), whatever the feature,
# without the numbered classes of nouns (`Bantu1`); tests/grew/test_names.py holds all these against UD's validator.
UD_VALUES = frozenset(
    """0 1 2 3 4 Abe Abl Abs Abv Acc Act Add Ade Adm All Anim Antip Art Aug Bel Ben Bfoc Card Cau Cmp Cnd Cns Coll
    Com Cons Conv Count Dat Def Del Dem Des Dim Dir Dis Dist Dual Ela Elev Emp Equ Erg Ess Even Ex Exc Fem Fh Fin
    Form Frac Fut Gdv Gen Ger Grpa Grpl Hab Hum Humb Ill Imp In Inan Ind Ine Inf Infm Ins Int Inv Irr Iter Jus Lat
    Lfoc Loc Masc Med Mid Mult Nec Neg Neut Nfh Nhum Nom Nvis Opt Ord Par Part Pass Past Pauc Per Perf Plur Pos
    Pot Pqp Pres Prog Prosp Prox Prp Prs Ptan Qot Range Rcp Rel Remt Sbe Sbl Sets Sing Spec Spl Sub Sup Tem Ter
    Tot Tra Tri Vnoun Voc Yes""".split()  # noqa: SIM905
)

# https://universaldependencies.org/u/pos/ and https://universaldependencies.org/u/dep/, with `root`.
UD_UPOS = frozenset("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split())  # noqa: SIM905

UD_RELATIONS = frozenset(
    """acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse dislocated expl fixed
    flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct reparandum root vocative
    xcomp""".split()  # noqa: SIM905
)
# Subtypes that many languages have, and as many have not.
UD_SUBTYPES = frozenset(
    """acl:relcl advmod:emph aux:pass compound:lvc compound:prt csubj:outer csubj:pass det:numgov det:nummod det:poss
    expl:impers expl:pass expl:poss expl:pv flat:foreign flat:name nmod:poss nsubj:outer nsubj:pass nummod:gov obl:agent
    obl:arg obl:tmod""".split()  # noqa: SIM905
)


def number_text(number: float) -> str:
    """Print a number as Grew does: `3` for 3.0."""
    return str(int(number)) if float(number).is_integer() else repr(number)
