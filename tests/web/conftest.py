"""A server as users start it, and a page of it in the browser that is installed."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-quic",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
)

DUEL = """
title = "A duel"
[table]
width = 24
depth = 24
[profiles.man]
base = "25 mm"
height = 1.5
move = 6
[models.lurtz]
profile = "man"
side = "evil"
at = [6, 12]
[models.merry]
profile = "man"
side = "good"
at = [10, 12]
[models.sam]
profile = "man"
side = "good"
at = [20, 20]
[terrain.wall]
tags = ["obstacle"]
height = 1.0
polygon = [[5, 4], [9, 4], [9, 4.4], [5, 4.4]]
[questions.far]
ask = "charge"
model = "lurtz"
target = "sam"
"""


class Served:
    """A running server."""

    def __init__(self, *args, stderr=None):
        command = [sys.executable, "-m", "sbg_sim", "serve", "--no-open", *map(str, args)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True, cwd=ROOT)
        line = self.process.stdout.readline()
        assert line.startswith("the table is at http://"), line
        self.url = line.split()[4]

    def call(self, path, body=None, method=None, **headers):
        """Return the status and the JSON (or text) of an answer."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(
            self.url.rstrip("/") + path,
            data=data,
            headers={"Content-Type": "application/json", **named},
            method=method,
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                status, found, self.headers = answer.status, answer.read(), answer.headers
        except urllib.error.HTTPError as error:
            status, found, self.headers = error.code, error.read(), error.headers
        with contextlib.suppress(ValueError):
            return status, json.loads(found)
        return status, found.decode()

    def workers(self):
        """Process ids of what answers questions for it."""
        found = []
        for entry in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                if entry.read_text().rpartition(")")[2].split()[1] == str(self.process.pid):
                    found.append(int(entry.parent.name))
        return found

    def stop(self, how=signal.SIGINT):
        """Stop it and return its exit code and the seconds it took."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        begun = time.monotonic()
        code = self.process.wait(60)
        self.process.stdout.close()
        return code, time.monotonic() - begun


@pytest.fixture
def serve():
    """Start servers; all are stopped at the end."""
    running = []

    def start(*args):
        running.append(Served(*args))
        return running[-1]

    yield start
    for one in running:
        one.stop()


@pytest.fixture(scope="module")
def server():
    """One server without a file, for questions of programs."""
    found = Served()
    yield found
    found.stop()


def installed():
    """Return the browser to use, or None."""
    named = os.environ.get("SBG_SIM_CHROMIUM")
    places = ([named] if named else []) + ["chromium", "chromium-browser", "google-chrome"]
    return next((found for place in places if (found := shutil.which(place))), None)


def launched():
    """Yield the browser, headless; tests that need it are skipped where there is none."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = installed()
    if path is None:
        if os.environ.get("SBG_SIM_BROWSER") == "required":
            pytest.fail("no chromium is installed, and the page must be tested here")
        pytest.skip("no chromium is installed: apt-get install chromium, or name one in SBG_SIM_CHROMIUM")
    with api.sync_playwright() as play:
        found = play.chromium.launch(executable_path=path, args=list(FLAGS))
        yield found
        found.close()


@pytest.fixture(scope="package")
def browser():
    """Closed behind the last test of this folder: while it is open no other loop of events can run."""
    yield from launched()


class Sheet:
    """A page, and what a person does on it."""

    def __init__(self, page, url):
        self.page = page
        self.wrong = []
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", lambda message: message.type == "error" and self.heard(message.text))
        self.foreign = []
        home = url.partition("#")[0]
        page.on(
            "request",
            lambda request: request.url.startswith((home, "data:", "blob:")) or self.foreign.append(request.url),
        )
        page.goto(url)
        page.wait_for_selector("html[data-ready]", timeout=60000)

    def heard(self, text):
        """Note a complaint of the page; what the browser says of answers and of a server that is away is none."""
        if not text.startswith(("Failed to load resource", "WebSocket connection")):
            self.wrong.append(text)

    def base(self, name):
        """The element of a model."""
        return self.page.locator(f'[data-model="{name}"]')

    def verdict(self):
        """The answer and the words of the status."""
        status = self.page.locator('[role="status"]')
        return status.get_attribute("data-verdict"), status.inner_text()

    def wait(self, expression, seconds=60):
        """Wait until an expression holds, and return it: the page lets no test evaluate text in it by itself."""
        deadline = time.monotonic() + seconds
        while not (found := self.page.evaluate(expression)):
            assert time.monotonic() < deadline, f"{expression}: never; the page says {self.verdict()}"
            time.sleep(0.03)
        return found

    def until(self, answer, words=""):
        """Wait for an answer whose words hold something, and return these words: the next answer may follow at once."""
        status = json.dumps([answer, words])
        return self.wait(
            f"(([answer, words]) => {{ const s = document.querySelector('[role=status]');"
            f" return s.dataset.verdict === answer && s.textContent.includes(words) && s.innerText; }})({status})"
        )

    def place(self, name):
        """Where a model stands, inches, as it is drawn."""
        words = self.base(name).get_attribute("transform").removeprefix("translate(").removesuffix(")").split()
        return float(words[0]), -float(words[1])

    def at(self, x, y):
        """Return the place on the screen of a place of the table, inches."""
        matrix = self.page.evaluate(
            "(() => { const m = document.getElementById('world').getScreenCTM(); return [m.a, m.e, m.f]; })()"
        )
        return matrix[1] + x * matrix[0], matrix[2] - y * matrix[0]

    def drag(self, start, end, *, drop=True, steps=8):
        """Drag from a place of the table to another, inches."""
        self.page.mouse.move(*self.at(*start))
        self.page.mouse.down()
        self.page.mouse.move(*self.at(*end), steps=steps)
        if drop:
            self.page.mouse.up()

    def tab(self, name):
        """Open a panel."""
        self.page.locator(f'[data-tab="{name}"]').click()


@pytest.fixture
def sheet(browser):
    """Open pages; none may complain or ask another host for anything."""
    opened = []

    def start(url, **context):
        made = browser.new_context(**{"viewport": {"width": 1200, "height": 800}, **context})
        made.set_default_timeout(60000)
        found = Sheet(made.new_page(), url)
        opened.append((made, found))
        return found

    yield start
    for made, found in opened:
        made.close()
        assert found.foreign == []
    assert [found.wrong for _, found in opened if found.wrong] == []


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """One server for all pages, with a file that each test writes anew."""
    path = tmp_path_factory.mktemp("tables") / "duel.toml"
    path.write_text(DUEL, encoding="utf-8")
    server = Served(path)
    yield server, path
    server.stop()


@pytest.fixture
def duel(desk, sheet):
    """A page on a small table."""

    def start(text=DUEL, on=desk, **context):
        server, path = on
        path.write_text(text, encoding="utf-8")
        page = sheet(server.url, **context)
        page.server, page.path = server, path
        return page

    return start
