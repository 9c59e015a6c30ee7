"""The checks before every answer: who may ask, and what the page may load."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from typing import TYPE_CHECKING, Final

from h11 import LocalProtocolError
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_FIXED: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """Refuses requests that come neither from this server's own page nor from a program on this machine.

    Parameters
    ----------
    app
        The application behind it.
    host
        The address on which the server listens; only if it is not a loopback address are other names accepted.

    """

    def __init__(self, app: ASGIApp, host: str) -> None:
        self.app, self.host = app, host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or refuse; every answer has the security headers for browsers."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        wrong = self._refusal(scope, headers)
        if wrong is not None and scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": wrong})
            return
        answer: ASGIApp = self.app if wrong is None else JSONResponse({"error": wrong}, 403)
        own = headers.get("host", "")

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                found = MutableHeaders(scope=message)
                for name, value in _FIXED.items():
                    found[name] = value
                found["Content-Security-Policy"] = policy(own if wrong is None else "")
                found.setdefault("Cache-Control", "no-store")
            await send(message)

        # A malformed request was refused already, and a client that went away gets no answer.
        with contextlib.suppress(LocalProtocolError, ClientDisconnect):
            await answer(scope, receive, sealed)

    def _refusal(self, scope: Scope, headers: Headers) -> str | None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._own_name(hosts[0]):
            return "this server does not go by that name"
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{hosts[0]}":
            return "another site may not ask this server"
        site = headers.get("sec-fetch-site")
        asks = scope["type"] == "websocket" or scope["path"].startswith("/api")
        if asks and site not in {None, "same-origin", "none"}:
            return "another site may not ask this server"
        return None

    def _own_name(self, host: str) -> bool:
        """Say whether a Host header names this server; a foreign name would mean DNS rebinding."""
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() and ":" in host else host
        name = name.strip("[]").lower().rstrip(".")
        if name in _LOOPBACK:
            return True
        if self.host.lower() in _LOOPBACK:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name in {self.host.lower(), socket.gethostname().lower()}
        return True


def policy(host: str) -> str:
    """Return the Content-Security-Policy: nothing from other servers, no inline scripts.

    Examples
    --------
    >>> "default-src 'none'" in policy("localhost:8000")
    True

    """
    talk = f"connect-src 'self' ws://{host}" if host else "connect-src 'self'"
    return (
        f"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; {talk}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
