"""Suites from constructions and treebanks: what is made, what is left alone, and what survives a kill."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from starbank.errors import ConstructionError, PluginError, SuiteError, TreebankError, UsageError
from starbank.files import read_metadata, write_parquet
from starbank.morphology import build_lexicon
from starbank.morphology.files import write_lexicon
from starbank.pipeline.generate import generate
from starbank.suites import read_items
from starbank.transforms import derive
from starbank.treebanks import ingest, open_treebank, read_conllu
from starbank.treebanks.tables import TOKENS
from tests.small_treebank import conllu

ROOT = Path(__file__).resolve().parent.parent

QUERY = """\
% ---
% language: {language}
% treebanks: [{treebank}]
% target: S
% vary: {{Case: [Nom, Erg, Dat]}}
% {more}
% ---
pattern {{ V [upos=VERB]; S [Case={case}]; V -[nsubj]-> S }}
"""


def clause(form, lemma, case, relation="nsubj"):
    """Return the sentence of a noun that sits."""
    noun, verb = f"1 {form} {lemma} NOUN Case={case} 2 {relation}", "2 ზის ჯდომა VERB _ 0 root SpaceAfter=No"
    return f"{form} ზის.\n{noun}\n{verb}\n3 . . PUNCT _ 2 punct"


PARADIGMS = {
    "კაცი": ("კაცი", "კაცმა", "კაცს"),
    "ქალი": ("ქალი", "ქალმა", "ქალს"),
    "ძაღლი": ("ძაღლი", "ძაღლმა", "ძაღლს"),
}
SENTENCES = [
    clause(form, lemma, case, "obj" if case == "Dat" else "nsubj")
    for lemma, forms in PARADIGMS.items()
    for case, form in zip(("Nom", "Erg", "Dat"), forms, strict=True)
]


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A working directory with two treebanks of one language and a folder for queries."""
    for name in ("UD_Georgian-One", "UD_Georgian-Two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "ka_small-ud-test.conllu").write_text(conllu(*SENTENCES), encoding="utf-8")
    (tmp_path / "UD_Georgian-Two/ka_small-ud-test.conllu").write_text(
        conllu(*(sentence.replace("ზის", "დგას") for sentence in SENTENCES)), encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def query(name, *, language="kat", treebank="UD_Georgian-One", case="Nom", more=""):
    """Write a construction file into the working directory and return its path."""
    Path(f"{name}.grew").write_text(
        QUERY.format(language=language, treebank=treebank, case=case, more=more), encoding="utf-8"
    )
    return Path(f"{name}.grew")


ONE, TWO = "UD_Georgian-One", "UD_Georgian-Two"


def test_a_suite_is_three_files_in_the_folder_of_its_construction(home):
    (made,) = generate([query("nom-subj")], [ONE], Path("out"))
    assert str(made) == "nom-subj: 3 items from 3 matches"
    assert sorted(file.name for file in Path("out/nom-subj").iterdir()) == [
        "items.parquet",
        "pairs.parquet",
        "rejected.parquet",
    ]
    assert pq.read_table("out/nom-subj/pairs.parquet")["sentence_bad"].to_pylist()[:2] == ["კაცმა ზის.", "კაცს ზის."]


def test_rejected_matches_are_counted_by_reason(home):
    Path("sheep.conllu").write_text(
        conllu(clause("ცხვარი", "ცხვარი", "Nom"), clause("თხა", "თხა", "Nom")), encoding="utf-8"
    )
    (made,) = generate([query("nom-subj")], ["sheep.conllu"], Path("out"))
    assert (made.matches, made.items, made.rejects) == (2, 0, {"no form": 2})
    assert str(made) == "nom-subj: 0 items from 2 matches; 2 no form"


def test_the_metadata_say_what_the_suite_was_made_from(home):
    file = query("nom-subj", more="title: Nominative subject")
    generate([file], [ONE], Path("out"))
    metadata = read_metadata(Path("out/nom-subj/items.parquet"))
    assert metadata["construction"] == {
        "name": "nom-subj",
        "title": "Nominative subject",
        "language": "kat",
        "phenomenon": "nom-subj",
        "query": file.read_text(encoding="utf-8"),
        "query_sha256": metadata["construction"]["query_sha256"],
        "cite": "",
        "control": False,
        "predictions": [],
    }
    assert [treebank["name"] for treebank in metadata["treebanks"]] == [ONE]
    assert metadata["treebanks"][0]["files"][0]["name"] == "ka_small-ud-test.conllu"
    assert (metadata["seed"], metadata["matches"], metadata["items"]) == (0, 3, 3)
    assert str(home) not in str(metadata)


def test_treebanks_that_are_given_take_the_place_of_those_that_a_construction_names(home):
    generate([query("one", treebank=ONE), query("both", treebank=f"{ONE}, {TWO}")], [ONE, TWO], Path("out"))
    for suite in ("one", "both"):
        assert read_items([Path("out", suite)])["treebank"].to_pylist() == [ONE] * 3 + [TWO] * 3


def test_without_them_each_construction_runs_on_those_that_it_names(home):
    for name in (ONE, TWO):
        ingest([name], Path("outputs/treebanks") / name)
    generate([query("one", treebank=ONE), query("both", treebank=f"{ONE}, {TWO}")], [], Path("out"))
    assert read_items([Path("out/one")])["treebank"].to_pylist() == [ONE] * 3
    assert read_items([Path("out/both")])["treebank"].to_pylist() == [ONE] * 3 + [TWO] * 3


def test_a_given_treebank_that_a_construction_is_not_for_is_told(home, caplog):
    Path("en_small-ud-test.conllu").write_text(conllu(*SENTENCES), encoding="utf-8")
    generate([query("nom-subj")], [ONE, "en_small-ud-test.conllu"], Path("out"))
    assert caplog.messages == ["nom-subj: not run on en_small-ud-test, which it is not for"]
    assert set(read_items([Path("out")])["treebank"].to_pylist()) == {ONE}


def test_a_construction_runs_on_what_was_derived_from_a_treebank_that_it_names(home):
    derived = Path("outputs/treebanks") / f"{ONE}+swapped"
    ingest([ONE], Path("outputs/treebanks") / ONE)
    derive("swapped", Path("outputs/treebanks") / ONE, derived)
    generate([query("one", treebank=ONE)], [Path("outputs/treebanks") / ONE, derived], Path("out"))
    told = read_metadata(Path("out/one/items.parquet"))["treebanks"]
    assert [treebank["name"] for treebank in told] == [ONE, f"{ONE}+swapped"]


def test_one_that_names_none_of_them_runs_on_all_of_its_language(home):
    generate([query("nom-subj", treebank="UD_Georgian-Other")], [TWO], Path("out"))
    assert set(read_items([Path("out")])["treebank"].to_pylist()) == {TWO}


def test_a_treebank_of_another_language_is_refused(home):
    with pytest.raises(UsageError, match="none of the treebanks is for this construction"):
        generate([query("nom-subj", language="hin", treebank="UD_Hindi-HDTB")], [ONE], Path("out"))


def test_without_treebanks_those_that_are_named_are_looked_up(home):
    ingest([TWO], Path("outputs/treebanks") / TWO)
    (made,) = generate([query("nom-subj", treebank=TWO)], [], Path("out"))
    assert made.items == 3
    with pytest.raises(TreebankError, match="no treebank 'UD_Georgian-Three'"):
        generate([query("other", treebank="UD_Georgian-Three")], [], Path("out"))


def test_the_lexicon_may_come_from_elsewhere(home):
    Path("man.conllu").write_text(conllu(clause("კაცი", "კაცი", "Nom")), encoding="utf-8")
    write_parquet(build_lexicon([read_conllu([ONE])]), Path("kat.parquet"), "lexicon/1")
    (without,) = generate([query("nom-subj")], ["man.conllu"], Path("out"))
    (with_lexicon,) = generate([query("nom-subj")], ["man.conllu"], Path("out"), lexicon=Path("kat.parquet"))
    assert (without.items, with_lexicon.items) == (0, 1)


def test_a_lexicon_of_another_language_is_refused(home):
    write_parquet(build_lexicon([read_conllu([ONE])]), Path("kat.parquet"), "lexicon/1")
    Path("hindi.conllu").write_text(conllu(clause("आदमी", "आदमी", "Nom")), encoding="utf-8")
    with pytest.raises(UsageError, match="the lexicon has no forms of hin"):
        generate([query("nom-subj", language="hin")], ["hindi.conllu"], Path("out"), lexicon=Path("kat.parquet"))


def test_a_lexicon_made_of_a_treebank_without_lemmas_has_no_forms_and_is_used(home):
    lemmaless = conllu(*SENTENCES).replace("\tძაღლი\tNOUN", "\t_\tNOUN")
    lemmaless = lemmaless.replace("\tქალი\tNOUN", "\t_\tNOUN").replace("\tკაცი\tNOUN", "\t_\tNOUN")
    Path("ck_small-ud-test.conllu").write_text(lemmaless.replace("\tჯდომა\t", "\t_\t"), encoding="utf-8")
    treebank = read_conllu(["ck_small-ud-test.conllu"])
    assert write_lexicon([treebank], Path("all.parquet")) == (0, [treebank.language or "und"])
    Path("everywhere.grew").write_text(
        EVERYWHERE.replace("Number: [Sing, Plur]", "Case: [Nom, Erg]").replace("Number", "Case")
    )
    (made,) = generate([Path("everywhere.grew")], [treebank], Path("out"), lexicon=Path("all.parquet"))
    assert (made.matches, made.items) == (6, 0)


def test_two_constructions_of_one_name_are_refused(home):
    Path("other").mkdir()
    first = query("nom-subj")
    second = first.rename("other/nom-subj.grew")
    with pytest.raises(UsageError, match="a second construction named nom-subj"):
        generate([query("nom-subj"), second], [ONE], Path("out"))


def test_a_feature_that_no_word_has_is_refused(home):
    file = query("nom-subj")
    file.write_text(file.read_text(encoding="utf-8").replace("{Case:", "{Csae:"), encoding="utf-8")
    with pytest.raises(ConstructionError) as caught:
        generate([file], [ONE], Path("out"))
    assert caught.value.message == "`Csae` is to vary, which no word of the treebanks has"
    assert caught.value.hint.startswith("Did you mean `Case`?")


def test_a_value_that_a_treebank_lacks_is_a_warning(home, caplog):
    generate([query("ergative", case="Ergative")], [ONE], Path("out"))
    assert caplog.messages == [
        "ergative.grew: UD_Georgian-One: line 8: no word has Case=Ergative; the closest are Erg",
    ]


def rewritten(file, old, new):
    """Replace `old` in the construction file and return its path."""
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    return file


def test_a_varied_value_close_to_one_of_the_treebanks_is_a_slip(home, caplog):
    generate([rewritten(query("dative"), "Dat]", "Datt]")], [ONE, TWO], Path("out"))
    assert caplog.messages == ["dative.grew: no word of the treebanks has Case=Datt; the closest are Dat"]


def test_a_varied_value_unlike_any_other_is_told_as_the_reason_of_an_empty_suite(home, caplog):
    (made,) = generate([rewritten(query("voc"), "Dat]", "Dat, Voc]")], [ONE, TWO], Path("out"))
    assert made.rejects == {"no form": 6}
    assert caplog.messages == ["voc.grew: the suite is empty: no word of the treebanks has Case=Voc"]


def test_what_runs_everywhere_may_list_values_that_a_treebank_lacks(home, caplog):
    everywhere = rewritten(query("voc"), "% language: kat\n% treebanks: [UD_Georgian-One]", "% treebanks: all")
    (made,) = generate([rewritten(everywhere, "Dat]", "Dat, Voc]")], [ONE, TWO], Path("out"))
    assert made.items == 6
    assert caplog.messages == []


def test_an_empty_suite_names_what_none_of_the_treebanks_has(home, caplog):
    everywhere = rewritten(query("ins", case="Ins"), "% treebanks: [UD_Georgian-One]", "% treebanks: all")
    (made,) = generate([rewritten(everywhere, "Dat]", "Ins]")], [ONE, TWO], Path("out"))
    assert made.items == 0
    assert caplog.messages == [
        "ins.grew: the suite is empty: line 8: no word has Case=Ins",
        "ins.grew: the suite is empty: no word of the treebanks has Case=Ins",
    ]


def test_slips_in_covariates_and_relaxed_features_are_told(home, caplog):
    more = "relax: [Csae]\n% covariates:\n%   before: 'S [Numbr]'"
    generate([query("nom", more=more)], [ONE], Path("out"))
    assert [message.partition(";")[0] for message in caplog.messages] == [
        "nom.grew: no word of the treebanks has the feature Csae of `relax`",
        "nom.grew: UD_Georgian-One: the covariate before: no word has the feature Numbr",
    ]


def times(folder="out"):
    return {file: file.stat().st_mtime_ns for file in Path(folder).glob("*/*.parquet")}


def make_old(folder="out"):
    for file in Path(folder).glob("*/*.parquet"):
        os.utime(file, (1, 1))


def contents(folder):
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(Path(folder).rglob("*.parquet"))}


def test_what_has_not_changed_is_left_as_it_is_with_a_new_time(home):
    files = [query("nom"), query("erg", case="Erg")]
    generate(files, [ONE], Path("out"))
    before = contents("out")
    make_old()
    assert [str(made) for made in generate(files, [ONE], Path("out"))] == [
        "nom: 3 items from 3 matches, unchanged",
        "erg: 3 items from 3 matches, unchanged",
    ]
    assert contents("out") == before
    assert min(times().values()) > 10**9


@pytest.mark.slow
@pytest.mark.parametrize("change", ["query", "treebank", "seed", "lexicon", "a file is missing"])
def test_what_has_changed_is_made_again(home, change):
    write_parquet(build_lexicon([read_conllu([ONE])]), Path("kat.parquet"), "lexicon/1")
    files, settings = [query("nom"), query("erg", case="Erg")], {"lexicon": Path("kat.parquet")}
    generate(files, [ONE], Path("out"), **settings)
    remade = {"nom": True, "erg": True}
    if change == "query":
        query("nom", more="title: Another")
        remade["erg"] = False
    elif change == "treebank":
        Path(ONE, "ka_small-ud-test.conllu").write_text(conllu(*SENTENCES[:6]), encoding="utf-8")
    elif change == "seed":
        settings["seed"] = 1
    elif change == "lexicon":
        write_parquet(build_lexicon([read_conllu([TWO])]), Path("kat.parquet"), "lexicon/1", {"new": True})
    else:
        Path("out/nom/rejected.parquet").unlink()
        remade["erg"] = False
    made = generate(files, [ONE], Path("out"), **settings)
    assert {suite.construction: not suite.unchanged for suite in made} == remade


def test_a_generator_of_ones_own_goes_before_starbanks(home):
    Path("generators").mkdir()
    generator = Path("generators/minimal_sets.py")
    generator.write_text(
        "from starbank.suites import ITEMS, REJECTED, Suite\n"
        "from starbank.plugins import generator\n"
        "import pyarrow as pa\n\n"
        "@generator\n"
        "def minimal_sets(construction, matches, treebank, lexicon):\n"
        "    row = {name: None for name in REJECTED.names} | {'reason': 'mine'}\n"
        "    return Suite(ITEMS.empty_table(), pa.Table.from_pylist([row] * matches.num_rows, schema=REJECTED))\n"
    )
    (made,) = generate([query("nom-subj")], [ONE], Path("out"))
    assert made.rejects == {"mine": 3}
    generator.write_text(generator.read_text().replace("mine", "changed"))
    (made,) = generate([query("nom-subj")], [ONE], Path("out"))
    assert made.rejects == {"changed": 3}


@pytest.mark.parametrize("edited", ["generators/minimal_sets.py", "generators/endings.py", "generators/words.txt"])
def test_what_a_generator_of_ones_own_uses_is_part_of_its_code(home, edited):
    Path("generators").mkdir()
    shipped = Path(__file__).resolve().parent.parent / "generators" / "minimal_sets.py"
    for name in ("minimal_sets", "endings"):
        Path(f"generators/{name}.py").write_text(shipped.read_text(encoding="utf-8"), encoding="utf-8")
    Path("generators/words.txt").write_text("a word", encoding="utf-8")
    file = query("nom-subj")
    assert not generate([file], [ONE], Path("out"))[0].unchanged
    assert generate([file], [ONE], Path("out"))[0].unchanged
    with Path(edited).open("a", encoding="utf-8") as stream:
        stream.write("# A remark.\n")
    assert not generate([file], [ONE], Path("out"))[0].unchanged


BROKEN = """
from starbank.plugins import generator

@generator
def broken(construction, matches, treebank, lexicon):
    return treebank.tokens["Nonsense"]
"""


def test_a_construction_that_fails_does_not_take_the_others_with_it(home):
    Path("generators").mkdir()
    Path("generators/broken.py").write_text(BROKEN)
    Path("unreadable.grew").write_text("pattern { X [upos=VERB }")
    files = [Path("unreadable.grew"), query("broken", more="generator: broken"), query("nom-subj")]
    with pytest.raises(SuiteError) as caught:
        generate(files, [ONE], Path("out"))
    assert caught.value.message == "2 of 3 suites could not be made"
    unreadable, broken = caught.value.hint.split("\n", 2)[0], caught.value.hint.splitlines()[-1]
    assert unreadable.startswith("unreadable.grew:")
    assert broken == (
        "generators/broken.py:6: broken: the generator `broken` failed in UD_Georgian-One with KeyError: "
        "'Field \"Nonsense\" does not exist in schema'"
    )
    assert [folder.name for folder in Path("out").iterdir()] == ["nom-subj"]


def test_a_named_treebank_that_is_missing_fails_only_those_that_name_it(home):
    ingest([TWO], Path("outputs/treebanks") / TWO)
    with pytest.raises(TreebankError, match="no treebank 'UD_Georgian-Three'"):
        generate([query("three", treebank="UD_Georgian-Three"), query("two", treebank=TWO)], [], Path("out"))
    assert [folder.name for folder in Path("out").iterdir()] == ["two"]


def test_a_suite_without_a_match_says_what_the_treebank_lacks(home):
    Path("plain.conllu").write_text(conllu(clause("კაცი", "კაცი", "Nom")), encoding="utf-8")
    Path("number.grew").write_text(EVERYWHERE)
    (made,) = generate([Path("number.grew")], ["plain.conllu"], Path("out"))
    assert str(made) == "number: 0 items from 0 matches; no word has the feature Number (plain)"
    assert read_metadata(Path("out/number/items.parquet"))["unmatched"] == {"plain": ["no word has the feature Number"]}
    (made,) = generate([Path("number.grew")], ["plain.conllu", ONE], Path("out"))
    assert made.unmatched.keys() == {"plain", ONE}


EVERYWHERE = """\
% ---
% treebanks: all
% target: S
% vary: {Number: [Sing, Plur]}
% ---
pattern { V [upos=VERB];
  S [Number]; V -[nsubj]-> S }
"""


@pytest.mark.slow
@pytest.mark.parametrize("lacking", ["lemma", "upos", "feats", "deprel", "all but one sentence", "sentences"])
def test_universal_queries_bear_a_treebank_that_lacks_something(tmp_path, sample, lacking):
    whole = open_treebank(sample / "UD_English-Sample")
    tokens, sentences = whole.tokens, whole.sentences
    if lacking in ("lemma", "upos", "feats", "deprel"):
        tokens = without(tokens, lacking)
    else:
        count = 0 if lacking == "sentences" else 1
        sentences = sentences.slice(0, count)
        tokens = tokens.filter(pc.less(tokens["sent"], count))
    if lacking == "feats":
        tokens = tokens.select(list(TOKENS))
    queries = sorted((ROOT / "queries/universal").glob("*.grew"))
    made = generate(queries, [replace(whole, tokens=tokens, sentences=sentences)], tmp_path)
    assert [suite.construction for suite in made] == [query.stem for query in queries]
    assert not sum(suite.items for suite in made)


def without(table, column):
    place = table.column_names.index(column)
    return table.set_column(place, column, pa.nulls(table.num_rows, table.schema.field(column).type))


def test_an_unknown_generator_names_those_that_exist(home):
    with pytest.raises(ConstructionError) as caught:
        generate([query("nom-subj", more="generator: minimal_set")], [ONE], Path("out"))
    assert caught.value.message == "there is no generator `minimal_set`"
    assert caught.value.hint == "Did you mean `minimal_sets`? The valid names are mined_agreement, minimal_sets."


def test_a_generator_without_its_function_is_refused(home):
    Path("generators").mkdir()
    Path("generators/empty.py").write_text("")
    with pytest.raises(PluginError, match="no function `empty` is registered here"):
        generate([query("nom-subj", more="generator: empty")], [ONE], Path("out"))


# Runs the same command, but dies by SIGKILL while the file number `sys.argv[1]` is half written.
KILLED = """
import os, signal, sys
from pathlib import Path
import pyarrow.parquet as pq

opened = 0

class Writer(pq.ParquetWriter):
    def __init__(self, path, *arguments, **options):
        global opened
        opened += 1
        if opened == int(sys.argv[1]):
            Path(path).write_bytes(b"PAR1 half a file")
            os.kill(os.getpid(), signal.SIGKILL)
        super().__init__(path, *arguments, **options)

pq.ParquetWriter = Writer
from starbank.pipeline.generate import generate
generate([Path("nom.grew"), Path("erg.grew")], ["UD_Georgian-One"], Path(sys.argv[2]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("file", [1, 3, 5])
def test_a_killed_run_is_completed_by_the_next(home, file):
    files = [query("nom"), query("erg", case="Erg")]
    root = Path(__file__).resolve().parent.parent
    # There are products of an older query, too, which must not be mixed with the new ones.
    generate([query("nom", more="title: Old")], [ONE], Path("killed"))
    query("nom")
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(file), "killed"], check=False, env={**os.environ, "PYTHONPATH": str(root)}
    )
    assert killed.returncode == -signal.SIGKILL
    generate(files, [ONE], Path("killed"))
    generate(files, [ONE], Path("undisturbed"))
    assert contents("killed") == contents("undisturbed")


def test_georgian_case_from_attested_forms_alone(shared, tmp_path):
    """Grew-TSE 0.1.3 makes 74 three-way sets of the 1287 matches of the published requests in GLC dev and test."""
    queries = sorted((Path(__file__).resolve().parent.parent / "queries/kat/published").glob("*.grew"))
    made = generate(queries, [shared / "treebanks/UD_Georgian-GLC"], tmp_path)
    assert sum(suite.matches for suite in made) == 1287
    assert sum(suite.items for suite in made) >= 200
    for suite in made:
        assert suite.items + sum(suite.rejects.values()) == suite.matches
    items = read_items([tmp_path])
    assert len(set(items["item_id"].to_pylist())) == items.num_rows
    for row in items.to_pylist():
        texts = {"".join(condition["regions"]) for condition in row["conditions"]}
        assert len(texts) == 3
