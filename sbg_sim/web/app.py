"""The routes: the page and its parts, questions of programs, the page's WebSocket, the file."""

from __future__ import annotations

import contextlib
import json
import mimetypes
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute

from sbg_sim.errors import SbgError
from sbg_sim.web.crew import Crew, OverLimitError
from sbg_sim.web.guard import Guard
from sbg_sim.web.kept import ChangedError
from sbg_sim.web.limits import BODY, Limits
from sbg_sim.web.lines import talk
from sbg_sim.web.openapi import openapi

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.websockets import WebSocket

    from sbg_sim.web.kept import Kept

_DRAINED: Final = 8 * BODY  # bytes still read of a body that is too large, so that its sender gets the reason
_TYPES: Final = {".js": "text/javascript", ".svg": "image/svg+xml", ".css": "text/css", ".html": "text/html"}


def application(kept: Kept | None = None, limits: Limits | None = None, host: str = "127.0.0.1") -> Starlette:
    """Return the application.

    Parameters
    ----------
    kept
        The file that the page opens and saves; without one it begins with a small table of its own.
    limits
        Limits of each question.
    host
        The address at which it is served.

    """
    crew = Crew(limits or Limits())

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        crew.begin()
        try:
            yield
        finally:
            crew.end()

    routes = [
        *(Route(path, _part(content, kind)) for path, content, kind in parts()),
        Route("/api", _told, methods=["GET"]),
        Route("/api/health", _health, methods=["GET"]),
        *(Route(f"/api/{verb}", _question(verb), methods=["POST"]) for verb in ("check", "reach", "charges")),
        Route("/api/file", _read_file, methods=["GET"]),
        Route("/api/file", _write_file, methods=["PUT"]),
        WebSocketRoute("/api/line", _line),
    ]
    middleware = [Middleware(Guard, host=host), Middleware(GZipMiddleware, minimum_size=1000)]
    errors: Any = {HTTPException: _refused, SbgError: _unusable}
    app = Starlette(routes=routes, middleware=middleware, exception_handlers=errors, lifespan=lifespan)
    app.state.crew, app.state.kept = crew, kept
    return app


def parts() -> list[tuple[str, bytes, str]]:
    """Return the files of the page, read once, as path, content and type; no request names a file on disk."""
    found = []
    for file in sorted(resources.files("sbg_sim.web").joinpath("static").iterdir(), key=lambda f: f.name):
        suffix = file.name[file.name.rfind(".") :]
        kind = _TYPES.get(suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        path = "/" if file.name == "index.html" else f"/{file.name}"
        found.append((path, file.read_bytes(), kind))
    return found


def _part(content: bytes, kind: str) -> Any:
    async def serve(_: Request) -> Response:
        return Response(content, media_type=kind, headers={"Cache-Control": "no-cache"})

    return serve


async def _told(_: Request) -> Response:
    return PlainTextResponse(json.dumps(openapi(), indent=2), media_type="application/json")


async def _health(request: Request) -> Response:
    kept = request.app.state.kept
    return JSONResponse({"status": "ok", "version": openapi()["info"]["version"], "file": kept and kept.path.name})


def _question(verb: str) -> Any:
    async def answer(request: Request) -> Response:
        body = await _body(request)
        try:
            status, reply = await request.app.state.crew.ask(verb.encode() + b"\n" + body)
        except OverLimitError as error:
            return JSONResponse({"error": str(error)}, 504)
        return Response(reply, status, media_type="application/json")

    return answer


async def _body(request: Request) -> bytes:
    """Read the body of a request, up to the size limit."""
    found, size = [], 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= BODY:
            found.append(chunk)
        elif size > _DRAINED:
            break
    if size > BODY:
        raise HTTPException(413, f"a request may have {BODY} bytes, and no more")
    return b"".join(found)


async def _read_file(request: Request) -> Response:
    kept = request.app.state.kept
    if kept is None:
        return JSONResponse({"name": None, "text": "", "version": ""})
    text, version = kept.read()
    return JSONResponse({"name": kept.path.name, "text": text, "version": version})


async def _write_file(request: Request) -> Response:
    kept = request.app.state.kept
    if kept is None:
        raise HTTPException(404, "the server was given no file; download the table instead")
    try:
        data = json.loads(await _body(request))
        text, version = data["text"], data["version"]
        str.encode(text), str.encode(version)  # raises for other types and for lone surrogates
    except (ValueError, KeyError, TypeError, RecursionError):
        raise HTTPException(400, 'a JSON object with "text" and "version" is needed, both of them strings') from None
    try:
        return JSONResponse({"version": kept.write(text, version)})
    except ChangedError as error:
        there, now = kept.read()
        return JSONResponse({"error": str(error), "text": there, "version": now}, 409)


async def _line(socket: WebSocket) -> None:
    await talk(socket, socket.app.state.crew)


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, headers=error.headers)


async def _unusable(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 422)
