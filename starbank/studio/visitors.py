"""The visitors of a page that is open to all, `--public`: each in turn, for so long."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from starbank.errors import UsageError
from starbank.studio.answers import SEPARATOR, Studio
from starbank.studio.limits import Limits


class Turnstile:
    """Lets the questions of each visitor, who is told by the address, through one after the other, for so long."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        """Stand before `app`."""
        self.app = app
        self.limits = limits
        self._questions: Counter[str] = Counter()
        self._turns = defaultdict[str, asyncio.Semaphore](lambda: asyncio.Semaphore(limits.at_once))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request in its turn, or say why not."""
        if scope["type"] != "http" or scope["path"].startswith("/static/"):
            return await self.app(scope, receive, send)
        visitor = str((scope.get("client") or [""])[0])
        if self._questions[visitor] >= self.limits.at_once + self.limits.waiting:
            return await _tell(scope, receive, send, "there are too many questions from this address", "Wait a little.")
        started: list[Message] = []

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                started.append(message)
            await send(message)

        try:
            async with self._turn(visitor), asyncio.timeout(self.limits.seconds):
                await self.app(scope, receive, send_on)
        except TimeoutError:
            hint = "Ask for less, or run `starbank studio` on a machine of your own."
            message = f"this took more than {self.limits.seconds:g} seconds, and was stopped"
            if not started:
                await _tell(scope, receive, send, message, hint)
            elif (b"content-type", b"text/html; charset=utf-8") in started[0]["headers"]:
                piece = SEPARATOR + _piece(scope, message, hint)
                await send({"type": "http.response.body", "body": piece.encode()})
            # A file is left without its end, so that nobody takes it for whole.

    @asynccontextmanager
    async def _turn(self, visitor: str) -> AsyncIterator[None]:
        self._questions[visitor] += 1
        try:
            async with self._turns[visitor]:
                yield
        finally:
            self._questions[visitor] -= 1
            if not self._questions[visitor]:
                del self._questions[visitor], self._turns[visitor]


def _piece(scope: Scope, message: str, hint: str) -> str:
    studio: Studio = scope["app"].state.studio
    return studio.render("messages", error=UsageError(message, hint=hint), known=True, warnings=[])


async def _tell(scope: Scope, receive: Receive, send: Send, message: str, hint: str) -> None:
    await HTMLResponse(_piece(scope, message, hint), 429)(scope, receive, send)
