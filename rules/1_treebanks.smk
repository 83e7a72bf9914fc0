"""From a UD release to tables.

Needs    the network, or UD_MIRROR or a source in config.yaml that is a folder or an archive; UNIMORPH_MIRROR
Makes    treebanks/<treebank>/                 CoNLL-U, licence, README and source.json
         treebanks/unimorph/<language>/        UniMorph's paradigms, where config.yaml asks for them
         <outputs>/treebanks/<treebank>/       tokens.parquet, sentences.parquet, treebank.json
         <outputs>/treebanks/<treebank>+<transform>/     the same, of what a transform makes of it
"""


# Where jobs go to a cluster, what needs the network stays here: nodes often have none.
localrules:
    fetch,
    fetch_unimorph,


# Where nodes share no folder, CoNLL-U stays here too, and tables travel.
if workflow.storage_settings.default_storage_provider:

    localrules:
        ingest,


rule fetch:
    """Download a treebank, or copy it from a mirror."""
    output:
        local("treebanks/{treebank}/source.json"),
    log:
        local("<logs>/fetch/{treebank}.log"),
    benchmark:
        local("<benchmarks>/fetch/{treebank}.tsv")
    params:
        sources=[f"--source={source}" for source in config["sources"]],
        release=config["release"],
    shell:
        "starbank fetch {wildcards.treebank:q} --release={params.release:q} {params.sources:q} --output=treebanks"
        " 2>&1 | tee {log:q} >&2"


rule fetch_unimorph:
    """Download UniMorph's paradigms of a language, or copy them from a mirror."""
    output:
        local("treebanks/unimorph/{language}/source.json"),
    log:
        local("<logs>/fetch_unimorph/{language}.log"),
    benchmark:
        local("<benchmarks>/fetch_unimorph/{language}.tsv")
    shell:
        "starbank fetch --unimorph {wildcards.language:q} --optional --output=treebanks/unimorph"
        " 2>&1 | tee {log:q} >&2"


rule ingest:
    """Read a treebank into tables."""
    input:
        local("treebanks/{treebank}/source.json"),
    output:
        tokens="<outputs>/treebanks/{treebank}/tokens.parquet",
        sentences="<outputs>/treebanks/{treebank}/sentences.parquet",
        about="<outputs>/treebanks/{treebank}/treebank.json",
    log:
        "<logs>/ingest/{treebank}.log",
    benchmark:
        "<benchmarks>/ingest/{treebank}.tsv"
    wildcard_constraints:
        treebank="[^+/]+",
    params:
        folder=subpath(input[0], parent=True),
        output=subpath(output.tokens, parent=True),
        # No inputs, since they are not known before the treebank is there; what follows from inputs starts no job.
        files=lambda wildcards: stamps(f"treebanks/{wildcards.treebank}", "*.conllu"),
        code=code_sum("starbank.treebanks"),
    shell:
        "starbank ingest {params.folder:q} --output={params.output:q} 2>&1 | tee {log:q} >&2"


rule transform:
    """Derive a treebank from another: colorless green sentences, Latin letters."""
    input:
        tokens="<outputs>/treebanks/{treebank}/tokens.parquet",
        sentences="<outputs>/treebanks/{treebank}/sentences.parquet",
        about="<outputs>/treebanks/{treebank}/treebank.json",
    output:
        tokens="<outputs>/treebanks/{treebank}+{transform}/tokens.parquet",
        sentences="<outputs>/treebanks/{treebank}+{transform}/sentences.parquet",
        about="<outputs>/treebanks/{treebank}+{transform}/treebank.json",
    log:
        "<logs>/transform/{treebank}+{transform}.log",
    benchmark:
        "<benchmarks>/transform/{treebank}+{transform}.tsv"
    params:
        folder=subpath(input.tokens, parent=True),
        output=subpath(output.tokens, parent=True),
        arguments=lambda wildcards: PLAN.transforms[wildcards.transform].arguments,
        seed=config["seed"],
        code=lambda wildcards: code_sum(
            "starbank.transforms", PLAN.transforms[wildcards.transform].transform.file
        ),
    shell:
        "starbank transform {wildcards.transform:q} {params.folder:q} --output={params.output:q}"
        " --seed={params.seed:q} {params.arguments:q} 2>&1 | tee {log:q} >&2"
