"""What a release of Universal Dependencies has, as the project's own list of all releases tells."""

from __future__ import annotations

import json
from pathlib import Path

from starbank.errors import DownloadError
from starbank.treebanks.download import download
from starbank.treebanks.treebank import code_of

# In the repository docs-automation, beside those of the treebanks.
_RELEASES, _LANGUAGES = "valdan/releases.json", "codes_and_flags.yaml"


def read_index(owner: str, release: str, cache: Path, retries: int) -> dict[str, str | None]:
    """Return the treebanks of a release with the ISO 639-3 codes of their languages, None for one that is not told.

    `owner` is the URL that has the repository with the list; what is downloaded is kept in `cache`. Raises
    `DownloadError` where it cannot be had or does not know the release.
    """
    copies = [cache / Path(file).name for file in (_RELEASES, _LANGUAGES)]
    for again in (False, True):
        for file, path in zip((_RELEASES, _LANGUAGES), copies, strict=True):
            if again:
                path.unlink()
            download(f"{owner}/docs-automation/raw/master/{file}", path, retries=retries)
        if names := _treebanks(copies[0], release):
            codes = _codes(copies[1])
            return {name: codes.get(name.removeprefix("UD_").partition("-")[0]) for name in names}
    raise DownloadError(f"the list of UD's releases has no {release}")


def _treebanks(file: Path, release: str) -> list[str]:
    try:
        return list(json.loads(file.read_text(encoding="utf-8"))["releases"].get(release, {}).get("treebanks", ()))
    except (ValueError, KeyError, AttributeError) as error:
        raise DownloadError(f"the list of UD's releases cannot be read ({error})") from error


def _codes(file: Path) -> dict[str, str | None]:
    """Return the codes of languages by their names in those of treebanks: `Old_French`."""
    from starbank.yaml_lines import read_yaml  # which imports PyYAML

    languages, _ = read_yaml(file.read_text(encoding="utf-8"), file, "the list of languages", 1)
    return {name.replace(" ", "_"): code_of(str(about["lcode"])) for name, about in languages.items()}
