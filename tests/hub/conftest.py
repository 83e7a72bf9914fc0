"""Suites to publish, and a Hub of our own to push them to."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import certifi
import pytest

from starbank.hub import publish
from tests.hub.local_hub import local_hub
from tests.hub.suites import GEORGIAN, item, write


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """A folder with `suites`, of two items and of one, and the dataset `georgian` of them; nobody changes them."""
    home = tmp_path_factory.mktemp("hub")
    folder = home / "suites"
    long = {"Nom": ("ძალიან ", "კაცი", " არ მოდის სახლში."), "Dat": ("ძალიან ", "კაცს", " არ მოდის სახლში.")}
    short = {"Nom": ("", "კაცი", " მოდის."), "Erg": ("", "კაცმა", " მოდის."), "Dat": ("", "კაცს", " მოდის.")}
    items = [item(1, "nom-subj", "UD_Georgian-GLC", long, 30), item(2, "nom-subj", "UD_Georgian-GLC", short, 3)]
    write(folder / "nom-subj", items, ["no form", "no form", "syncretic form"], [GEORGIAN])
    erg = {"Erg": ("", "კაცმა", " *_სახლი_*|ააშენა."), "Nom": ("", "კაცი", " *_სახლი_*|ააშენა.")}
    write(folder / "erg-subj", [item(3, "erg-subj", "UD_Georgian-GLC", erg, 8)], [], [GEORGIAN])
    publish([folder], home / "georgian")
    return home


@pytest.fixture
def suites(written, tmp_path):
    """Two Georgian suites, of two items and of one."""
    return shutil.copytree(written / "suites", tmp_path / "suites")


@pytest.fixture
def folder(written, tmp_path):
    """The dataset of the two suites."""
    return shutil.copytree(written / "georgian", tmp_path / "georgian")


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    """A file of one certificate: a client reads all that it is given, which takes longer than a push."""
    file = tmp_path_factory.mktemp("certificates") / "one.pem"
    end = "-----END CERTIFICATE-----\n"
    file.write_text(Path(certifi.where()).read_text(encoding="utf-8").partition(end)[0] + end, encoding="utf-8")
    return file


@pytest.fixture
def hub(tmp_path, monkeypatch, certificate):
    """A Hub on the loopback that the real client talks to, with Ana's token and nobody's files."""
    from huggingface_hub import close_session, constants
    from huggingface_hub.utils import _xet

    # Xet remembers by address what it has uploaded, and another Hub may have had this one's.
    monkeypatch.setenv("HF_XET_CACHE", str(tmp_path / "xet"))
    monkeypatch.setattr(_xet, "_GLOBAL_XET_HOLDER", _xet.XetSessionHolder())
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_PROGRESS_BARS", True)
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "no-token"))
    monkeypatch.setenv("HF_TOKEN", "hf_ana")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    close_session()
    with local_hub() as hub:
        monkeypatch.setattr(constants, "ENDPOINT", hub.url)
        monkeypatch.setattr(
            constants, "HUGGINGFACE_CO_URL_TEMPLATE", hub.url + "/{repo_id}/resolve/{revision}/{filename}"
        )
        yield hub
    close_session()


@pytest.fixture
def waits(monkeypatch):
    """Let nobody sleep; the seconds that they wanted to."""
    asked: list[float] = []
    monkeypatch.setattr(time, "sleep", asked.append)
    return asked


@pytest.fixture
def load(tmp_path, monkeypatch):
    """`datasets.load_dataset` without network and with a cache of the test's own."""
    for name in ("HF_DATASETS_OFFLINE", "HF_HUB_OFFLINE"):
        monkeypatch.setenv(name, "1")
    import datasets

    datasets.disable_progress_bars()
    return lambda folder, config=None: datasets.load_dataset(str(folder), config, cache_dir=str(tmp_path / "cache"))
