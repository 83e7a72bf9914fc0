"""Who may ask the page: this machine's own browser, with the token that the command line printed.

A page elsewhere on the web can make a browser send requests here (CSRF), and a name of its own point to this machine
(DNS rebinding). So the host must be one of ours, whoever asks must have the token, and what changes or computes
something must come from a page of ours (https://owasp.org/www-community/attacks/csrf).
"""

from __future__ import annotations

import hmac
from urllib.parse import urlencode

from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
TOKEN = "token"
# Longer than any request or construction that people write.
LONGEST_BODY = 1_000_000

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
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


class Safeguard:
    """Lets through who has the token, first in the address and then in a cookie, and comes from this page."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        """Stand before `app`."""
        self.app = app
        self.token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        request = Request(scope)

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *((k.encode(), v.encode()) for k, v in HEADERS.items())]
            await send(message)

        refusal = self._refusal(request)
        await (refusal or self.app)(scope, receive, send_safely)

    def _refusal(self, request: Request) -> Response | None:
        cookie = f"starbank-studio-{request.url.port or 80}"
        if self._is_token(request.query_params.get(TOKEN, "")):
            rest = [(key, value) for key, value in request.query_params.multi_items() if key != TOKEN]
            response = RedirectResponse(f"{request.url.path}?{urlencode(rest)}".rstrip("?"), 303)
            response.set_cookie(cookie, self.token, httponly=True, samesite="strict")
            return response
        if not self._is_token(request.cookies.get(cookie, "")):
            hint = "Open the address that `starbank studio` has printed: it has the token that belongs to it."
            return PlainTextResponse(f"This page is for whoever started it. {hint}", 403)
        if request.headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return PlainTextResponse("This came from another page.", 403)
        if request.method not in ("GET", "HEAD"):
            if request.headers.get("origin") != f"{request.url.scheme}://{request.url.netloc}":
                return PlainTextResponse("This came from another page.", 403)
            if not 0 <= int(request.headers.get("content-length", "-1")) <= LONGEST_BODY:
                return PlainTextResponse("This is more than anybody writes.", 413)
        return None

    def _is_token(self, text: str) -> bool:
        return hmac.compare_digest(text.encode(), self.token.encode())
