"""A model that cannot be used is one clear error, whatever is wrong with it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from starbank.errors import ModelError
from starbank.scoring import score
from starbank.scoring.sources import find_model
from tests.scoring.conftest import ROOT

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def folder_with(tmp_path: Path, config: dict | str | None, weights: str | None = "model.safetensors") -> Path:
    """A model folder with some of what belongs to one."""
    folder = tmp_path / "my-model"
    folder.mkdir()
    if config is not None:
        (folder / "config.json").write_text(config if isinstance(config, str) else json.dumps(config))
    (folder / "tokenizer.json").write_text("{}")
    if weights:
        (folder / weights).write_bytes(b"weights")
    return folder


@pytest.mark.parametrize(
    ("architecture", "kind"),
    [
        ("GPT2LMHeadModel", "causal"),
        ("LlamaForCausalLM", "causal"),
        ("BertLMHeadModel", "causal"),
        ("BertForMaskedLM", "masked"),
        ("BertForPreTraining", "masked"),
        ("XLMWithLMHeadModel", "masked"),
    ],
)
def test_the_kind_is_read_from_the_configuration(tmp_path: Path, architecture: str, kind: str) -> None:
    folder = folder_with(tmp_path, {"architectures": [architecture]})
    source = find_model(str(folder))
    assert (source.name, source.kind, source.revision) == ("my-model", kind, None)


def test_one_head_of_xlm_is_of_two_kinds(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, {"architectures": ["XLMWithLMHeadModel"], "causal": True})
    assert find_model(str(folder)).kind == "causal"


def test_a_model_that_sees_as_well_is_causal(tmp_path: Path) -> None:
    folder = folder_with(
        tmp_path, {"architectures": ["Gemma3ForConditionalGeneration"], "text_config": {"dtype": "float16"}}
    )
    assert find_model(str(folder)).kind == "causal"


@pytest.mark.parametrize(
    "config", [{"architectures": ["BertModel"]}, {"architectures": ["T5ForConditionalGeneration"]}, {}]
)
def test_a_model_of_another_kind_is_refused_unless_the_kind_is_given(tmp_path: Path, config: dict) -> None:
    folder = str(folder_with(tmp_path, config))
    with pytest.raises(ModelError, match="my-model is neither causal nor masked"):
        find_model(folder)
    assert find_model(folder, kind="masked").kind == "masked"


def test_the_fingerprint_is_of_the_content_not_of_the_place(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, {"architectures": ["GPT2LMHeadModel"]})
    moved = Path(shutil.copytree(folder, tmp_path / "elsewhere"))
    first = find_model(str(folder)).fingerprint
    assert find_model(str(moved)).fingerprint == first
    (moved / "model.safetensors").write_bytes(b"other weights")
    assert find_model(str(moved)).fingerprint != first


@pytest.mark.parametrize(
    ("config", "weights", "message"),
    [
        (None, "model.safetensors", "it has no config.json"),
        ({"architectures": ["GPT2LMHeadModel"]}, None, "no weights as safetensors"),
        ({"architectures": ["GPT2LMHeadModel"]}, "pytorch_model.bin", "no weights as safetensors"),
        ("{", "model.safetensors", "my-model is broken"),
        ("[]", "model.safetensors", "my-model is broken"),
    ],
)
def test_a_broken_folder_is_named(tmp_path: Path, config: dict | str | None, weights: str | None, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        find_model(str(folder_with(tmp_path, config, weights)))


@pytest.mark.parametrize("name", ["./absent", "no/such/folder", "a b", "~/absent", ".."])
def test_a_path_that_is_not_there_is_not_sought_on_the_hub(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelError, match=r"no such model folder|is not a model"):
        find_model(name)


class Hub(BaseHTTPRequestHandler):
    """A Hub with one model, `us/tiny` (safetensors), one without safetensors, and one that is gated."""

    files: dict[str, bytes]

    def do_GET(self) -> None:
        self._answer(body=True)

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def _answer(self, body: bool) -> None:
        path = self.path.split("?")[0]
        if "us/gated" in path:
            return self._send(403, b"{}", {"X-Error-Code": "GatedRepo"}, body)
        if "us/tiny" not in path and "us/pickled" not in path:
            return self._send(401, b"{}", {"X-Error-Code": "RepoNotFound"}, body)
        if "absent-branch" in path:
            return self._send(404, b"{}", {"X-Error-Code": "RevisionNotFound"}, body)
        names = [name for name in self.files if "us/tiny" in path or not name.endswith(".safetensors")]
        if path.startswith("/api/"):
            if "/tree/" in path:
                tree = [{"type": "file", "path": name, "size": len(self.files[name]), "oid": name} for name in names]
                return self._send(200, json.dumps(tree).encode(), {}, body)
            info = {"id": "us/tiny", "sha": COMMIT, "siblings": [{"rfilename": name} for name in names]}
            return self._send(200, json.dumps(info).encode(), {}, body)
        content = self.files[path.rsplit("/", 1)[1]]
        return self._send(200, content, {"ETag": f'"{len(content)}"', "X-Repo-Commit": COMMIT}, body)

    def _send(self, status: int, content: bytes, headers: dict[str, str], body: bool) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if body:
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def ask(tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Return a function that finds models in a process of its own: the Hub's address is read at import."""
    Hub.files = {
        "config.json": json.dumps({"architectures": ["GPT2LMHeadModel"]}).encode(),
        "model.safetensors": b"weights",
        "tokenizer.json": b"{}",
        "pytorch_model.bin": b"pickle",
    }
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    Thread(target=server.serve_forever, daemon=True).start()

    def run(*calls: str, address: str = f"http://127.0.0.1:{server.server_port}") -> str:
        tries = "".join(
            f"\ntry: print(find_model({call}))\nexcept ModelError as error: print(' '.join(str(error).split()))"
            for call in calls
        )
        code = f"from starbank.errors import ModelError\nfrom starbank.scoring.sources import find_model{tries}"
        environment = {
            **os.environ,
            "HF_ENDPOINT": address,
            "HF_HOME": str(tmp_path / "hub"),
            "HF_HUB_DISABLE_XET": "1",
        }
        environment.pop("HF_HUB_OFFLINE", None)
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    yield run
    server.shutdown()
    server.server_close()


def test_models_of_the_hub(ask: Callable[..., str], tmp_path: Path) -> None:
    calls = "'us/tiny'", "'us/tiny', 'absent-branch'", "'us/pickled'", "'us/gated'", "'us/nothing'"
    tiny, revision, pickled, gated, nothing = ask(*calls).splitlines()
    assert f"kind='causal', revision='{COMMIT}', fingerprint='us/tiny@{COMMIT}'" in tiny
    assert {path.name for path in tmp_path.glob("hub/**/snapshots/*/*")} == {
        "config.json",
        "model.safetensors",
        "tokenizer.json",
    }
    assert "us/tiny has no revision 'absent-branch'" in revision
    assert "us/pickled has no weights as safetensors" in pickled
    assert "us/gated is gated" in gated
    assert "https://huggingface.co/us/gated" in gated
    assert "there is no model us/nothing, neither as a folder nor on the Hub" in nothing
    # What was downloaded once needs no network any more; anything else says what to do.
    tiny, absent = ask("'us/tiny'", "'us/other'", address="http://127.0.0.1:9").splitlines()
    assert f"fingerprint='us/tiny@{COMMIT}'" in tiny
    assert "us/other is neither a folder nor in the Hub's cache, and the Hub cannot be reached" in absent
    assert "give a local folder" in absent


def test_without_pytorch_the_message_says_how_to_install_it(suite: Path, tmp_path: Path) -> None:
    model = folder_with(tmp_path, {"architectures": ["GPT2LMHeadModel"]})
    code = f"""
import sys
sys.modules["torch"] = None
from pathlib import Path
from starbank.errors import ModelError
from starbank.scoring import score
try:
    score([Path({str(suite)!r})], {str(model)!r}, Path({str(tmp_path / "scores.parquet")!r}))
except ModelError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert "language models need PyTorch and transformers" in done.stdout, done.stderr
    assert "pip install 'starbank[models]'" in done.stdout


@pytest.mark.models
@pytest.mark.xdist_group("models")
class TestLoading:
    """Folders that look like models and are none."""

    def load(self, folder: Path, suite: Path, kind: str | None = None) -> None:
        score([suite], str(folder), folder / "scores.parquet", kind=kind)

    @pytest.fixture
    def model(self, models: Path, tmp_path: Path) -> Path:
        return Path(shutil.copytree(models / "masked", tmp_path / "tiny"))

    def change(self, folder: Path, **settings: object) -> None:
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps(config | settings))

    def test_broken_weights(self, model: Path, suite: Path) -> None:
        (model / "model.safetensors").write_bytes(b"\x08\0\0\0\0\0\0\0broken")
        with pytest.raises(ModelError, match="cannot load the model of tiny with transformers"):
            self.load(model, suite)

    def test_weights_of_another_shape(self, model: Path, suite: Path) -> None:
        self.change(model, hidden_size=64)
        with pytest.raises(ModelError, match=r"tiny lacks trained weights \(or has them in another shape\): bert\."):
            self.load(model, suite)

    def test_weights_without_the_head(self, model: Path, suite: Path) -> None:
        from safetensors.torch import load_file, save_file

        weights = load_file(model / "model.safetensors")
        kept = {name: weight for name, weight in weights.items() if "transform" not in name}
        save_file(kept, model / "model.safetensors", metadata={"format": "pt"})
        with pytest.raises(ModelError, match=r"tiny lacks trained weights .*: cls\.predictions\.transform") as caught:
            self.load(model, suite)
        assert "They would be random" in str(caught.value)

    def test_weights_that_are_not_numbers(self, model: Path, suite: Path) -> None:
        from safetensors.torch import load_file, save_file

        weights = load_file(model / "model.safetensors")
        weights["cls.predictions.bias"][:] = float("nan")
        save_file(weights, model / "model.safetensors", metadata={"format": "pt"})
        with pytest.raises(ModelError, match="tiny gives no probabilities"):
            self.load(model, suite)

    def test_no_tokenizer(self, model: Path, suite: Path) -> None:
        for path in model.glob("tokenizer*"):
            path.unlink()
        with pytest.raises(ModelError, match="tiny has no tokenizer"):
            self.load(model, suite)

    def test_a_broken_tokenizer(self, model: Path, suite: Path) -> None:
        (model / "tokenizer.json").write_text("{}")
        with pytest.raises(ModelError, match="cannot load the tokenizer of tiny"):
            self.load(model, suite)

    def test_a_tokenizer_of_another_model(self, models: Path, model: Path, suite: Path) -> None:
        tokenizer = json.loads((model / "tokenizer.json").read_text())
        vocabulary = tokenizer["model"]["vocab"]
        tokenizer["model"]["vocab"] = {
            word: number if word[0] == "[" else number + 500 for word, number in vocabulary.items()
        }
        (model / "tokenizer.json").write_text(json.dumps(tokenizer))
        with pytest.raises(ModelError, match=r"the tokenizer of tiny gives token \d+, but the model knows only 200"):
            self.load(model, suite)

    def test_code_of_its_own(self, model: Path, suite: Path) -> None:
        self.change(
            model, model_type="homemade", auto_map={"AutoConfig": "us.Config", "AutoModelForMaskedLM": "us.Model"}
        )
        (model / "us.py").write_text("raise SystemExit('this code was run')")
        with pytest.raises(ModelError, match="tiny needs code of its own repository"):
            self.load(model, suite)

    def test_an_unknown_architecture(self, model: Path, suite: Path) -> None:
        self.change(model, model_type="homemade")
        with pytest.raises(ModelError, match="cannot load the"):
            self.load(model, suite)

    def test_a_causal_model_taken_for_a_masked_one(self, models: Path, suite: Path, tmp_path: Path) -> None:
        folder = Path(shutil.copytree(models / "causal", tmp_path / "gpt"))
        with pytest.raises(ModelError, match="cannot load the model of gpt"):
            self.load(folder, suite, kind="masked")
