"""The connection to one page: its questions in lanes; only the newest of a kind counts, late answers are dropped."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Final

from starlette.websockets import WebSocketDisconnect

from sbg_sim.web.crew import OverLimitError

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

    from sbg_sim.web.crew import Crew, Worker

STATES: Final = frozenset({"show", "play"})
"""Verbs that change the desk: they go to all lanes, in order."""

NEWEST: Final = frozenset({"held", "placed", "outline", "contours", "near", "denies", "chances", "threats", "safe"})
"""Verbs of which only the newest question is answered."""

LANES: Final = {
    **dict.fromkeys(("chances", "contours", "near", "denies"), "slow"),
    **dict.fromkeys(("threats", "safe"), "sides"),
    **dict.fromkeys(("picture", "sheet"), "files"),
}
"""Verbs that may take long, by their lane, so that a drag never waits for them: questions that the page asks by itself
share a lane that yields to all others; those for which a person waits have processes of their own once used."""


class Lane:
    """One process of a page, and the questions that wait for it."""

    def __init__(self, worker: Worker, socket: WebSocket, *, silent: bool) -> None:
        self.worker, self.socket, self.silent = worker, socket, silent
        self.waiting: list[tuple[str, str, bytes]] = []
        self.states: dict[str, bytes] = {}
        self.some = asyncio.Event()

    def put(self, verb: str, number: str, body: bytes) -> None:
        """Queue a question, and drop older ones that it replaces."""
        if verb in NEWEST:
            self.waiting = [w for w in self.waiting if w[0] != verb]
        if verb in STATES:  # answers about the table before are of no use any more
            self.waiting = [w for w in self.waiting if w[0] not in NEWEST]
        self.waiting.append((verb, number, body))
        self.some.set()

    async def run(self) -> None:
        """Answer questions until the page is closed."""
        while True:
            await self.some.wait()
            if not self.waiting:
                self.some.clear()
                continue
            verb, number, body = self.waiting.pop(0)
            status, reply = await self._ask(verb, body)
            if verb in NEWEST and any(w[0] == verb for w in self.waiting):
                continue  # too late: the page has asked again
            if verb not in STATES or not self.silent:
                try:
                    await self.socket.send_text(f"{number} {status}\n{reply.decode()}")
                except (WebSocketDisconnect, RuntimeError):  # the page was just closed
                    return

    async def _ask(self, verb: str, body: bytes) -> tuple[int, bytes]:
        try:
            status, reply = await self.worker.ask(verb.encode() + b"\n" + body)
        except OverLimitError as error:
            await self._again()
            return 504, json.dumps({"error": str(error)}).encode()
        if verb in STATES and status == 200:
            self.states = {"show": body} if verb == "show" else {**self.states, verb: body}
        return status, reply

    async def _again(self) -> None:
        """Give a new process the desk of the old one."""
        for verb, body in self.states.items():
            with contextlib.suppress(OverLimitError):
                await self.worker.ask(verb.encode() + b"\n" + body)


async def talk(socket: WebSocket, crew: Crew) -> None:
    """Serve one page until it is closed."""
    if crew.pages >= crew.limits.pages:
        await socket.accept()
        await socket.close(1013, "too many pages are open on this server")
        return
    crew.pages += 1
    await socket.accept()
    lanes: dict[str, Lane] = {}
    tasks: list[asyncio.Task[None]] = []
    desk: dict[str, bytes] = {}  # the last changes of the desk, for lanes opened later

    def lane_of(name: str) -> Lane:
        if name not in lanes:
            lanes[name] = Lane(crew.lend(slow=name == "slow"), socket, silent=name != "quick")
            for known, said in desk.items():
                lanes[name].put(known, "", said)
            tasks.append(asyncio.create_task(lanes[name].run()))
        return lanes[name]

    try:
        for name in ("quick", "slow"):
            lane_of(name)
        while True:
            try:
                message = await socket.receive_text()
            except KeyError:  # a binary message, which no page sends
                await socket.close(1003, "messages are text")
                break
            head, _, body = message.partition("\n")
            verb, _, number = head.partition(" ")
            content = body.encode("utf-8", "surrogatepass")
            if verb in STATES:
                desk = {"show": content} if verb == "show" else {**desk, verb: content}
                for lane in lanes.values():
                    lane.put(verb, number, content)
            else:
                lane_of(LANES.get(verb, "quick")).put(verb, number, content)
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        crew.pages -= 1
        for task in tasks:
            task.cancel()
        for lane in lanes.values():
            crew.take_back(lane.worker)
