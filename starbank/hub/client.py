"""The Hugging Face Hub as it behaves: slow, busy, out of reach, or unwilling; each told in one message."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from starbank.errors import HubError

if TYPE_CHECKING:
    from huggingface_hub import HfApi

# Seconds without a byte after which a connection counts as broken; the client by itself waits for ever.
PATIENCE = 120.0
# Seconds before each further attempt. The client repeats reads and uploads by itself; this is for all the rest.
WAITS = (1, 4, 16)
BUSY = frozenset({408, 429, 500, 502, 503, 504})
TOKENS = "https://huggingface.co/settings/tokens"
CONNECT = "Connect to the network, or set HF_ENDPOINT to a mirror of the Hub."
AGAIN = "Run the same again: it goes on where this stopped. The repository is never half changed."

logger = logging.getLogger(__name__)
Result = TypeVar("Result")


def open_hub(*, write: bool) -> HfApi:
    """Return the Hub, with the token of the environment or of `hf auth login`.

    Raises `HubError` where there is none, unless it is only for reading.
    """
    from huggingface_hub import HfApi, get_token

    token = get_token()
    if token is None and write:
        hint = f"Run `hf auth login`, or set HF_TOKEN to a token that may write ({TOKENS})."
        raise HubError("there is no token for the Hugging Face Hub", hint=hint)
    return HfApi(token=token or False, library_name="starbank")


def persist(attempt: Callable[[], Result], api: HfApi, repository: str) -> Result:
    """Return what `attempt` returns, which may be tried several times while the Hub is busy or the network broken.

    Raises `HubError`, with what to do, for whatever the Hub or the network says.
    """
    for wait in (*WAITS, None):
        try:
            with _patience():
                return attempt()
        except (_http_error(), OSError, RuntimeError, ValueError) as error:
            cause = _cause(error)
            if wait is None or not _passes(cause):
                raise explain(cause, api, repository) from error
            pause = max(wait, _asked_to_wait(cause))
            logger.warning("%s: %s; trying again in %s s", repository, _short(cause), pause)
            time.sleep(pause)
    raise AssertionError


def explain(error: Exception, api: HfApi, repository: str) -> HubError:
    """Return the message for what went wrong with a repository."""
    from huggingface_hub.errors import GatedRepoError, HFValidationError, OfflineModeIsEnabled, RevisionNotFoundError

    status = _status(error)
    page = f"{api.endpoint}/datasets/{repository}"
    if isinstance(error, OfflineModeIsEnabled):
        return HubError("HF_HUB_OFFLINE is set, so the Hub is not asked", hint="Unset it to push.")
    if isinstance(error, HFValidationError):
        return HubError(f"{repository!r} cannot name a repository", hint="It should be like my-org/georgian-case.")
    if isinstance(error, GatedRepoError):
        return HubError(f"{repository} is gated, and this account has no access", hint=f"Ask for it at {page}.")
    if isinstance(error, RevisionNotFoundError):
        return HubError(f"{repository} has no such revision: {_short(error)}")
    if status == 401 and "Repository not found" not in str(error):
        hint = f"It may have been revoked. Make one that may write at {TOKENS}, then `hf auth login`, or set HF_TOKEN."
        return HubError("the Hub does not accept the token", hint=hint)
    if status in (401, 404):
        hint = "Check the name. A private repository looks the same to a token that may not read it."
        return HubError(f"the Hub shows no dataset {repository}", hint=hint)
    if status == 403:
        return _forbidden(api, repository)
    if status == 409:
        hint = "It is private or written in other case. Choose another name."
        return HubError(f"the name {repository} is taken by a repository that this account does not see", hint=hint)
    if status == 412:
        return moved(repository)
    if status == 429:
        return HubError("the Hub wants fewer requests for now", hint=f"Wait some minutes. {AGAIN}")
    if status is not None and status >= 500:
        return HubError(f"the Hub has trouble: {_short(error)}", hint=AGAIN)
    if status is None and _passes(error):
        return HubError(f"the Hub at {api.endpoint} cannot be reached: {_short(error)}", hint=f"{CONNECT} {AGAIN}")
    return HubError(f"the Hub refused {repository}: {_short(error)}")


def moved(repository: str) -> HubError:
    """Return the message for a repository that somebody else changed meanwhile."""
    hint = "Nothing was pushed. Look at what has changed (`--dry-run`), then push again."
    return HubError(f"somebody else has pushed to {repository} at the same time", hint=hint)


def _forbidden(api: HfApi, repository: str) -> HubError:
    """Say whether it is the token that may not write, or its owner."""
    with suppress(_http_error(), OSError):
        me = api.whoami(cache=True)
        if me["auth"]["accessToken"].get("role") == "read":
            hint = f"Make one that may write at {TOKENS}, then `hf auth login`, or set HF_TOKEN."
            return HubError("the token may only read", hint=hint)
        places = ", ".join([me["name"], *(organisation["name"] for organisation in me.get("orgs", ()))])
        hint = f"The account belongs to: {places}. Name a repository there, or propose the changes with --create-pr."
        return HubError(f"the account {me['name']} may not write to {repository}", hint=hint)
    return HubError(f"this token may not write to {repository}", hint=f"Look at what it may do at {TOKENS}.")


@contextmanager
def _patience() -> Iterator[None]:
    """Let connections break that give no sign for long, also where the client asks for no limit by itself."""
    from huggingface_hub import get_session

    def limit(request: Any) -> None:
        request.extensions["timeout"] = dict.fromkeys(("connect", "read", "write", "pool"), PATIENCE)

    session = get_session()
    hooks = session.event_hooks
    session.event_hooks = {**hooks, "request": [*hooks["request"], limit]}
    try:
        yield
    finally:
        session.event_hooks = hooks


def _http_error() -> type[Exception]:
    """Return the class of all errors of the library that the Hub's client speaks HTTP with, whichever that is."""
    from huggingface_hub import errors

    return cast("type[Exception]", vars(errors)["HTTPError"])


def _cause(error: Exception) -> Exception:
    """Return the answer of the Hub, or the network's error, that an error of the client stands for."""
    inner: BaseException | None = error
    while inner is not None and not isinstance(inner, _http_error()):
        inner = inner.__cause__
    return inner if isinstance(inner, Exception) else error


def _status(error: Exception) -> int | None:
    return getattr(getattr(error, "response", None), "status_code", None)


def _passes(error: Exception) -> bool:
    """Tell whether it may go better a little later."""
    from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled

    if isinstance(error, HfHubHTTPError):
        return _status(error) in BUSY
    return isinstance(error, (_http_error(), ConnectionError)) and not isinstance(error, OfflineModeIsEnabled)


def _asked_to_wait(error: Exception) -> int:
    response = getattr(error, "response", None)
    seconds = response.headers.get("Retry-After", "") if response is not None else ""
    return min(int(seconds), 300) if seconds.isdigit() else 0


def _short(error: Exception) -> str:
    """Return the last line that is about the matter: the client puts the URL and a request's number before it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return getattr(error, "server_message", None) or (lines[-1] if lines else type(error).__name__)


def download(repository: str, folder: Path, revision: str | None = None) -> Path:
    """Bring a dataset from the Hub into `folder` and return that; `HubError` where that cannot be."""
    from huggingface_hub import snapshot_download

    api = open_hub(write=False)

    def bring() -> str:
        return snapshot_download(
            repository, repo_type="dataset", revision=revision, local_dir=folder, token=api.token, endpoint=api.endpoint
        )

    return Path(persist(bring, api, repository))
