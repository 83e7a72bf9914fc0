"""The sum of the code that a product was made by."""

from pathlib import Path

from starbank.code import code_sum, generator_files

REMARK = "# Of one's own.\n"


def test_a_generator_that_loads_another_by_name_has_its_code_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = generator_files()
    mined, swapped = (code_sum("generate", files[name]) for name in ("mined_agreement", "swapped"))
    Path("generators").mkdir()
    own = REMARK + files["minimal_sets"].read_text(encoding="utf-8")
    Path("generators/minimal_sets.py").write_text(own, encoding="utf-8")
    assert code_sum("generate", files["mined_agreement"]) != mined
    assert code_sum("generate", files["swapped"]) == swapped


def test_rooms_that_import_others_have_their_code_too():
    sums = {room: code_sum(room) for room in ("treebanks", "morphology", "hub", "generate")}
    assert len(set(sums.values())) == len(sums)
    assert code_sum("morphology") == code_sum("morphology", "treebanks")
    assert code_sum("generate") == code_sum("generate", "sets", "grew", "morphology", "constructions")
    assert code_sum("generate") != code_sum("generate", "hub")
