"""Tables for papers."""

from pathlib import Path

from starbank.analysis import results

RIGHT, WRONG = {"Erg": -1.0, "Nom": -2.0}, {"Erg": -2.0, "Nom": -1.0}


def test_the_best_model_is_bold_and_what_is_surely_below_chance_is_marked(tmp_path: Path, write_scores):
    paths = [
        write_scores({f"i{n}": scores for n in range(10)}, name=model, model=f"org/{model}_ka", construction="erg_subj")
        for model, scores in {"bert": RIGHT, "gpt": WRONG}.items()
    ]
    table = (results(paths, tmp_path / "results") / "accuracy.tex").read_text(encoding="utf-8")
    assert r" & items & chance & bert\_ka & gpt\_ka \\" in table
    assert r"erg\_subj & 10 & 50 & \textbf{100.0}$^{+}$ & 0.0$^{-}$ \\" in table


def test_names_that_are_commands_of_latex_are_printed(tmp_path: Path, write_scores):
    hostile = {"dataset": r"\input{x}&%", "construction": r"\input{y}", "model": r"\input{z}"}
    scores = write_scores({"i1": RIGHT, "i2": WRONG}, **hostile)
    table = (results([scores], tmp_path / "results") / "accuracy.tex").read_text(encoding="utf-8")
    assert r"\caption{Accuracy (\%), \textbackslash{}input\{x\}\&\%, word level}" in table
    assert r"\input" not in table
