"""A file that somebody waits for does not wait for what is looked at meanwhile."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.exceptions import HTTPException
from starlette.websockets import WebSocketDisconnect

from sbg_sim.errors import SbgError
from sbg_sim.web.app import _body, _unusable
from sbg_sim.web.crew import Crew, OverLimitError
from sbg_sim.web.limits import BODY, Limits
from sbg_sim.web.lines import talk


class Desk:
    """A process that hears what it is asked; whom a model can charge takes until the page has gone."""

    def __init__(self):
        self.heard = []

    async def ask(self, message):
        verb, _, body = message.decode().partition("\n")
        self.heard.append((verb, json.loads(body)))
        if verb == "near":
            await asyncio.Event().wait()
        return 200, json.dumps(verb).encode()


class Page:
    """A page that asks, and goes when it has had so many answers."""

    limits = type("Limits", (), {"pages": 1})
    pages = 0

    def __init__(self, asked, answers):
        self.asked, self.answers, self.had, self.desks, self.gone = asked, answers, [], [], asyncio.Event()

    async def accept(self):
        """Let it in."""

    async def receive_text(self):
        if self.asked:
            await asyncio.sleep(0.01)
            return self.asked.pop(0)
        await asyncio.wait_for(self.gone.wait(), 60)
        raise WebSocketDisconnect

    async def send_text(self, text):
        self.had.append(text.partition("\n")[0])
        if len(self.had) == self.answers:
            self.gone.set()

    def lend(self, *, slow):
        self.desks.append(Desk())
        return self.desks[-1]

    def take_back(self, desk):
        """Keep it."""


def test_a_picture_does_not_wait_for_whom_a_model_can_charge():
    asked = [
        "show 1\n{}",
        "near 2\n{}",
        'show 3\n{"text": "now"}',
        'play 4\n{"actions": []}',
        "picture 5\n{}",
        "sheet 6\n{}",
    ]

    async def visit():
        page = Page(asked, 5)
        await talk(page, page)
        return page

    with ThreadPoolExecutor() as apart:  # a browser of other tests may keep a loop in this thread
        page = apart.submit(asyncio.run, visit()).result()
    assert sorted(page.had) == ["1 200", "3 200", "4 200", "5 200", "6 200"]
    quick, slow, files = (desk.heard for desk in page.desks)
    assert [verb for verb, _ in quick] == ["show", "show", "play"]
    assert [verb for verb, _ in slow] == ["show", "near"]
    assert files == [("show", {"text": "now"}), ("play", {"actions": []}), ("picture", {}), ("sheet", {})]


def test_a_page_that_sends_bytes_is_sent_away():
    class Bytes(Page):
        async def receive_text(self):
            raise KeyError("text")

        async def close(self, code, reason):
            self.had.append((code, reason))

    async def visit():
        page = Bytes([], 1)
        await talk(page, page)
        return page

    with ThreadPoolExecutor() as apart:
        page = apart.submit(asyncio.run, visit()).result()
    assert page.had == [(1003, "messages are text")]
    assert page.pages == 0


def test_a_page_too_many_is_sent_away():
    class Full(Page):
        pages = 1

        async def close(self, code, reason):
            self.had.append((code, reason))

    async def visit():
        page = Full([], 1)
        await talk(page, page)
        return page

    with ThreadPoolExecutor() as apart:
        page = apart.submit(asyncio.run, visit()).result()
    assert page.had == [(1013, "too many pages are open on this server")]
    assert (page.pages, page.desks) == (1, [])


def test_a_process_that_had_to_be_ended_gets_the_table_again():
    class Ended(Desk):
        async def ask(self, message):
            if message.startswith(b"held") and not any(verb == "over" for verb, _ in self.heard):
                self.heard.append(("over", None))
                raise OverLimitError("no answer within 1 seconds")
            return await super().ask(message)

    class Lends(Page):
        def lend(self, *, slow):
            self.desks.append(Ended())
            return self.desks[-1]

    async def visit():
        page = Lends(['show 1\n{"text": "now"}', "held 2\n{}", "drop 3\n{}"], 3)
        await talk(page, page)
        return page

    with ThreadPoolExecutor() as apart:
        page = apart.submit(asyncio.run, visit()).result()
    assert sorted(page.had) == ["1 200", "2 504", "3 200"]
    shown = ("show", {"text": "now"})
    assert page.desks[0].heard == [shown, ("over", None), shown, ("drop", {})]


def test_a_page_that_goes_before_it_has_its_answer_is_heard_no_more():
    class Gone(Page):
        async def send_text(self, text):
            self.had.append(text.partition("\n")[0])
            self.gone.set()
            raise RuntimeError("the socket is closed")

    async def visit():
        page = Gone(["show 1\n{}", "drop 2\n{}"], 1)
        await talk(page, page)
        return page

    with ThreadPoolExecutor() as apart:
        page = apart.submit(asyncio.run, visit()).result()
    assert page.had == ["1 200"]
    assert page.pages == 0


def test_who_waits_too_long_for_a_process_is_over_the_limit():
    async def asked():
        crew = Crew(Limits(seconds=0.05))  # none of its processes has begun
        with pytest.raises(OverLimitError, match="too many questions are being asked; try again"):
            await crew.ask(b"check\n{}")

    with ThreadPoolExecutor() as apart:
        apart.submit(asyncio.run, asked()).result()


@pytest.mark.parametrize(("sent", "read"), [(1, 1), (2, 2), (20, 9)])
def test_of_a_body_without_end_so_much_is_read_that_its_sender_hears_why(sent, read):
    class Sends:
        async def stream(self):
            for _ in range(sent):
                had.append(1)
                yield part

    had, part = [], b"x" * BODY
    with ThreadPoolExecutor() as apart:
        asked = apart.submit(asyncio.run, _body(Sends()))
        if sent == 1:
            assert asked.result() == part
        else:
            with pytest.raises(HTTPException, match=f"a request may have {BODY} bytes, and no more"):
                asked.result()
    assert len(had) == read


def test_what_the_package_refuses_is_told_as_that():
    with ThreadPoolExecutor() as apart:
        told = apart.submit(asyncio.run, _unusable(None, SbgError("no such table"))).result()
    assert (told.status_code, json.loads(told.body)) == (422, {"error": "no such table"})
