"""Exchanged splits."""

from generators import swapped as generator
from starbank.treebanks import read_conllu
from tests.treebanks.conllu_text import lines

SENTENCE = lines("# sent_id = {}", "# text = Dogs", "1 Dogs dog NOUN _ _ 0 root _ _") + "\n"


def swapped(treebank, **options):
    """Return the one part that the transform makes of a small treebank."""
    (part,) = generator.swapped(treebank, **options).parts
    return part


def test_train_becomes_test_and_test_becomes_train(tmp_path):
    for split in ("train", "dev", "test"):
        (tmp_path / f"ta_ttb-ud-{split}.conllu").write_text(SENTENCE.format(f"{split}-s1"))
    made = swapped(read_conllu([tmp_path])).sentences.select(["sent_id", "file"]).to_pylist()
    assert made == [
        {"sent_id": "train-s1", "file": "ta_ttb-ud-test.conllu"},
        {"sent_id": "dev-s1", "file": "ta_ttb-ud-dev.conllu"},
        {"sent_id": "test-s1", "file": "ta_ttb-ud-train.conllu"},
    ]
