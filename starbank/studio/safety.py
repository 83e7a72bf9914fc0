"""Who may ask the page: this machine's own browser, with the token that the command line printed, or everybody.

A page elsewhere on the web can make a browser send requests here (CSRF), and a name of its own point to this machine
(DNS rebinding). So the host must be one of ours, whoever asks must have the token, and what changes or computes
something must come from a page of ours (https://owasp.org/www-community/attacks/csrf). A page that is open to all has
nothing to hide or to change: it needs no token, but it answers no other page either.
"""

from __future__ import annotations

import hmac
from urllib.parse import urlencode

from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from starbank.studio.limits import Limits
from starbank.studio.visitors import Turnstile

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
TOKEN = "token"
# What browsers say of a page of ours, and of what somebody types or clicks outside of pages.
OWN_SITE = ("same-origin", "none")
STRANGE = "This came from another page."
# Longer than any request or construction that people write.
LONGEST_BODY = 1_000_000
# A Space is shown in a frame of the Hub.
FRAMED_BY = "https://huggingface.co"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors "
)

HEADERS = {
    "content-security-policy": f"{_POLICY}'none'",
    "x-content-type-options": "nosniff",
    # With `no-referrer` a browser would not say where the form is from that it sends.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def safeguards(token: str) -> list[Middleware]:
    """Return what every request passes through before anything is done."""
    return [Middleware(TrustedHostMiddleware, allowed_hosts=list(LOOPBACK)), Middleware(Safeguard, token=token)]


def open_to_all(limits: Limits) -> list[Middleware]:
    """Return what every request passes through where there is no token."""
    return [Middleware(Gate), Middleware(Turnstile, limits=limits)]


class Gate:
    """Lets through what comes from a page of ours."""

    headers = HEADERS | {"content-security-policy": _POLICY + FRAMED_BY}

    def __init__(self, app: ASGIApp) -> None:
        """Stand before `app`."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        request = Request(scope)

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = ((name.encode(), value.encode()) for name, value in self.headers.items())
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        refusal = self.refusal(request)
        await (refusal or self.app)(scope, receive, send_safely)

    def refusal(self, request: Request) -> Response | None:
        """Return why a request is refused, None where it is not."""
        if request.method in ("GET", "HEAD"):
            return None
        if request.headers.get("sec-fetch-site", "none") not in OWN_SITE:
            return PlainTextResponse(STRANGE, 403)
        if not 0 <= int(request.headers.get("content-length", "-1")) <= LONGEST_BODY:
            return PlainTextResponse("This is more than anybody writes.", 413)
        return None


class Safeguard(Gate):
    """Lets through who has the token, first in the address and then in a cookie, and comes from this page."""

    headers = HEADERS

    def __init__(self, app: ASGIApp, token: str) -> None:
        """Stand before `app`."""
        super().__init__(app)
        self.token = token

    def refusal(self, request: Request) -> Response | None:
        """Return why a request is refused, or where it goes with its token; None where it is let through."""
        cookie = f"starbank-studio-{request.url.port or 80}"
        if self._is_token(request.query_params.get(TOKEN, "")):
            rest = [(key, value) for key, value in request.query_params.multi_items() if key != TOKEN]
            response = RedirectResponse(f"{request.url.path}?{urlencode(rest)}".rstrip("?"), 303)
            response.set_cookie(cookie, self.token, httponly=True, samesite="strict")
            return response
        if not self._is_token(request.cookies.get(cookie, "")):
            hint = "Open the address that `starbank studio` has printed: it has the token that belongs to it."
            return PlainTextResponse(f"This page is for whoever started it. {hint}", 403)
        if request.headers.get("sec-fetch-site", "none") not in OWN_SITE:
            return PlainTextResponse(STRANGE, 403)
        own = f"{request.url.scheme}://{request.url.netloc}"
        if request.method not in ("GET", "HEAD") and request.headers.get("origin") != own:
            return PlainTextResponse(STRANGE, 403)
        return super().refusal(request)

    def _is_token(self, text: str) -> bool:
        return hmac.compare_digest(text.encode(), self.token.encode())
