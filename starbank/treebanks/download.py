"""One file from the web: retried, with progress, whole or not at all."""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starbank.errors import DownloadError
from starbank.progress import downloading

if TYPE_CHECKING:
    import requests

TIMEOUT = 30  # seconds without a byte
CHUNK = 1 << 16


class NotFound(DownloadError):
    """The server answers, and has no such file."""


class Unreachable(DownloadError):
    """There is no server to answer."""


def download(url: str, path: Path, *, retries: int) -> None:
    """Get `url` into the file `path`, unless it exists; `path` appears only when whole.

    A failure that may pass (HTTP 408, 429 and 5xx, a refused or broken connection) is tried again `retries` times,
    after 1, 2, … seconds. Raises `NotFound`, `Unreachable`, or `DownloadError` for anything else; their messages are
    reasons to list.
    """
    import pooch  # slow to import
    import requests

    # Its messages name temporary files; what matters is in the progress bar and in our errors.
    pooch.get_logger().setLevel("WARNING")
    files = pooch.create(
        path.parent, base_url="", registry={path.name: None}, urls={path.name: url}, retry_if_failed=retries
    )
    try:
        files.fetch(path.name, downloader=_get)
    except requests.HTTPError as error:
        raise DownloadError(f"the server answers {_status(error)}") from error
    except (requests.ConnectTimeout, requests.ReadTimeout) as error:
        raise Unreachable(f"no answer within {TIMEOUT} seconds") from error
    except requests.exceptions.ChunkedEncodingError as error:
        raise DownloadError(f"the connection broke off{_progress(error)}") from error
    except requests.ConnectionError as error:
        raise Unreachable(f"cannot connect ({_cause(error)})") from error
    except requests.RequestException as error:
        raise DownloadError(str(error)) from error
    except OSError as error:
        raise DownloadError(f"cannot write: {error.strerror or error}", file=path) from error


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the lock file `path`, waiting while another process holds it; a process that dies lets go."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def _get(url: str, path: str, _: Any) -> None:
    """Write what `url` answers to `path`: pooch's downloader, which tries again on `requests` exceptions alone."""
    import requests  # slow to import

    with requests.get(url, stream=True, timeout=TIMEOUT) as response:
        if response.status_code in (404, 410):
            raise NotFound("not there (HTTP 404)")
        try:
            response.raise_for_status()
        except requests.HTTPError as error:
            if response.status_code < 500 and response.status_code not in (408, 429):
                raise DownloadError(f"the server answers {_status(error)}") from error
            raise
        # pooch makes a file that its user alone may read; a new one has the usual rights.
        os.unlink(path)
        size = int(response.headers.get("Content-Length", 0)) or None
        name = url.rpartition("/")[2] or url
        with open(path, "wb") as stream, downloading(size, name) as tell:
            for chunk in response.iter_content(CHUNK):
                stream.write(chunk)
                tell(len(chunk))


def _status(error: requests.HTTPError) -> str:
    assert error.response is not None
    return f"HTTP {error.response.status_code} {error.response.reason}".strip()


def _progress(error: Exception) -> str:
    """Say how much came before the connection broke, where urllib3 knows it."""
    from urllib3.exceptions import IncompleteRead  # slow to import

    broken = next((part for part in _causes(error) if isinstance(part, IncompleteRead)), None)
    return f" after {broken.partial} bytes, {broken.expected} more expected" if broken else ""


def _cause(error: Exception) -> str:
    """Return the innermost reason in plain words, without the names of classes and objects."""
    text = str(list(_causes(error))[-1])
    return re.sub(r"^(<.*?>|HTTPS?Connection\w*\(.*?\)): ", "", text)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception and those that its library wrapped in it (`reason`, or an argument)."""
    inner: Any = error
    while isinstance(inner, BaseException):
        yield inner
        inner = getattr(inner, "reason", None) or next((a for a in inner.args if isinstance(a, BaseException)), None)
