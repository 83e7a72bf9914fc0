"""The fixed names of the request language: features that are numbers, structural properties, operators."""

# Grew stores these features as numbers: they are compared as numbers and can be ordered.
NUMERIC_FEATURES = frozenset(
    """level freq weight length delta _start _stop AlignBegin AlignEnd Duration MeanF0 SemitonesFromUtteranceMean
    AvgAmplitude AvgAmplitudeNormalized MaxAmplitude MaxAmplitudeNormalized MeanF0Normalized DurationNormalized
    MeanF0NormalizedGlobal MaxAmplitudeNormalizedGlobal""".split()
)

# Properties of a sentence's basic tree, each also in its negation.
STRUCTURES = tuple(f"is_{negation}{name}" for name in ("projective", "tree", "forest", "cyclic") for negation in ("", "not_"))

# Whole numbers computed from nodes: operator -> how many nodes it takes.
OPERATORS = {"delta": 2, "length": 2, "proj_size": 1, "cont_proj_size": 1, "constituent_size": 1, "height": 1}

# The feature names of UD's FEATS: a MISC entry of such a name is called `__MISC__…`.
UD_FEATURES = frozenset(
    """Abbr AbsErgDatNumber AdjType AdpType AdvType Animacy Aspect Case Clusivity ConjType Connegative Definite Degree
    Deixis Derivation Echo Evident ExtPos Foreign Form Gender HebBinyan HebExistential Hyph InfForm Mood MorphPos
    NameType NounClass NounType NumForm NumType NumValue Number PartForm PartType Person Polarity Polite Poss PossGender
    PossNumber PossPerson PossedNumber Prefix PrepCase PronType Proper PunctSide PunctType Reflex Strength Style Subcat
    Tense Typo Variant VerbForm VerbType Voice""".split()
)
