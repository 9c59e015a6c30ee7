"""The questions programs may ask, and what stands before them."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time

import pytest

from sbg_sim import scenario
from sbg_sim.web.crew import Worker
from sbg_sim.web.limits import Limits
from tests.fuzz.scatter import Recipe, scatter
from tests.patience import slower
from tests.web.conftest import ROOT, Served

TABLE = (ROOT / "scenarios" / "charging-2.toml").read_text(encoding="utf-8")


def command(*args):
    done = subprocess.run(
        [sys.executable, "-m", "sbg_sim", *args, "--json"], check=False, capture_output=True, text=True, cwd=ROOT
    )
    return json.loads(done.stdout)


def test_health_and_description(server):
    assert server.call("/api/health")[1]["status"] == "ok"
    status, told = server.call("/api")
    assert status == 200
    assert told["openapi"].startswith("3.")
    assert {"/api/check", "/api/reach", "/api/charges", "/api/health"} <= told["paths"].keys()
    assert {"400", "413", "422", "504"} <= told["paths"]["/api/check"]["post"]["responses"].keys()


@pytest.mark.parametrize("question", ["third-to-pippin", None])
def test_check_is_the_command_line(server, question):
    asked = [question] if question else []
    body = {"table": TABLE, **({"question": question} if question else {})}
    assert server.call("/api/check", body) == (200, command("check", "scenarios/charging-2.toml", *asked))


def test_a_question_may_be_an_object(server):
    status, found = server.call(
        "/api/check", {"table": TABLE, "question": {"ask": "charge", "model": "uruk-3", "target": "pippin"}}
    )
    assert status == 200
    assert found[0]["answer"] == "no"
    assert (
        found[0]["needed"] == server.call("/api/check", {"table": TABLE, "question": "third-to-pippin"})[1][0]["needed"]
    )


@pytest.mark.parametrize("word", ["reach", "charges"])
def test_reach_and_charges_are_the_command_line(server, word):
    found = server.call(f"/api/{word}", {"table": TABLE, "model": "uruk-3"})
    assert found == (200, command(word, "scenarios/charging-2.toml", "uruk-3"))


def test_a_board_game_is_checked_too(server):
    path = "scenarios/boards/metw/any-site-to-any-other.toml"
    text = (ROOT / path).read_text(encoding="utf-8")
    assert server.call("/api/check", {"table": text}) == (200, command("check", path))


def test_all_faults_of_a_file_come_with_their_places(server):
    status, found = server.call(
        "/api/check", {"table": "[table]\nwidth = 24\ndeth = 2\n[models.a]\nbase = true\nat = [1]\n"}
    )
    assert status == 400
    places = {(f["key"], f["line"]) for f in found["faults"]}
    assert {("table.deth", 3), ("models.a.base", 5), ("models.a.at", 6)} == places
    assert all(f["column"] > 0 for f in found["faults"])


def test_every_endpoint_knows_every_key(server):
    body = {"table": TABLE, "question": "third-to-pippin", "model": "uruk-3"}
    found = {word: server.call(f"/api/{word}", body) for word in ("check", "reach", "charges")}
    assert [status for status, _ in found.values()] == [200, 200, 200]
    assert found["check"][1][0]["question"] == "third-to-pippin"
    assert found["reach"][1]["model"] == "uruk-3"


@pytest.mark.parametrize(
    "body",
    [
        b"\x1f\x8b\x08",
        b"",
        b"nonsense",
        b"[]",
        b'{"tabel": "x"}',
        b'{"table": 3}',
        b'{"table": NaN}',
        b"\xff\xfe",
        b"[" * 100000,
    ],
)
def test_a_body_that_is_no_request_is_refused(server, body):
    status, found = server.call("/api/check", body)
    assert status == 400
    assert found["faults"]
    assert not re.search("recursion|decod", found["error"] + found["faults"][0]["text"])


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("check", {"question": "nobody-asked"}),
        ("check", {"question": {"ask": "why"}}),
        ("check", {"question": {"ask": []}}),
        ("check", {"question": {"ask": "charge", "model": "uruk-3"}}),
        ("check", {"question": {"ask": "charge", "model": "uruk-3", "target": "nobody"}}),
        ("check", {"question": {"ask": "move", "model": "uruk-3", "to": [1, "2"]}}),
        ("check", {"question": {"ask": "reach", "model": "uruk-3", "colour": "red"}}),
        ("check", {"question": 7}),
        ("reach", {"model": "nobody"}),
        ("charges", {}),
    ],
)
def test_what_the_table_cannot_be_asked_is_422(server, path, body):
    status, found = server.call(f"/api/{path}", {"table": TABLE, **body})
    assert status == 422
    assert found["error"]


def test_too_much_is_413(server):
    assert server.call("/api/check", {"table": "#" * 8_000_001})[0] == 413
    crowd = "[table]\nwidth = 4000\ndepth = 10\n" + "".join(
        f"[models.m{i}]\nbase = 1\nat = [{i * 1.5 + 1}, 5]\n" for i in range(2001)
    )
    status, found = server.call("/api/check", {"table": crowd})
    assert status == 413
    assert "2001 models" in found["error"]
    assert server.call("/api/health")[0] == 200


def test_a_question_that_takes_too_long_is_504(serve):
    server = serve("--seconds", "0.02")
    text = scenario.write(scatter(1, Recipe(bases=60, pieces=60, size=36.0, enemies=0.5)))
    status, found = server.call("/api/charges", {"table": text, "model": "me"})
    assert (status, "more than 0.02 s" in found["error"]) == (504, True)
    assert server.call("/api/health")[0] == 200


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sets processes no such limit")
def test_a_question_that_needs_too_much_memory_is_504(serve):
    server = serve("--megabytes", "60")  # less than the engine takes by itself
    text = (ROOT / "scenarios" / "charging-2.toml").read_text(encoding="utf-8")
    status, found = server.call("/api/check", {"table": text})
    assert (status, "more than it may have" in found["error"]) == (504, True)
    assert server.call("/api/health")[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example"},
        {"Host": "localhost.evil.example:80"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_other_sites_and_names_are_refused(server, headers):
    assert server.call("/api/check", {"table": TABLE}, **headers)[0] == 403
    assert server.call("/api/health", **headers)[0] == 403


def test_the_line_of_the_page_is_not_for_other_sites(server):
    client = pytest.importorskip("websockets.sync.client")
    address = server.url.replace("http", "ws") + "api/line"
    for origin in ("http://evil.example", "null"):
        with pytest.raises(Exception, match="403"):
            client.connect(address, origin=origin)
    with client.connect(address, origin=server.url.rstrip("/")) as line:
        line.send("show 1\n" + json.dumps({"text": TABLE}))
        head, _, body = line.recv(30).partition("\n")
        assert head == "1 200"
        assert {m["id"] for m in json.loads(body)["scene"]["models"]} >= {"uruk-3", "pippin"}
        for number in range(2, 12):
            line.send(f"held {number}\n" + json.dumps({"model": "uruk-3", "at": [7 + number / 10, 12]}))
        answers = []
        while not answers or answers[-1] != "11 200":
            answers.append(line.recv(30).partition("\n")[0])
        assert len(answers) < 10  # what came too late for the drag was dropped, not queued
        for nonsense in ("", "held", "nothing 1\n{}", "held 1\nnot json", "show 12\n[]"):
            line.send(nonsense)
        line.send("show 13\n" + json.dumps({"text": TABLE}))
        while line.recv(30).partition("\n")[0] != "13 200":
            pass


def test_its_own_names_are_let_in(server):
    port = server.url.rpartition(":")[2].strip("/")
    for name in (f"localhost:{port}", f"127.0.0.1:{port}"):
        assert server.call("/api/health", Host=name, Origin=f"http://{name}")[0] == 200


def test_every_answer_binds_the_browser(server):
    for path in ("/", "/main.js", "/api/health", "/nowhere"):
        server.call(path)
        rule = server.headers["Content-Security-Policy"]
        assert "default-src 'none'" in rule
        assert "unsafe" not in rule
        assert server.headers["X-Content-Type-Options"] == "nosniff"
        assert "Access-Control-Allow-Origin" not in server.headers


@pytest.mark.parametrize(
    "path", ["/../pyproject.toml", "/%2e%2e/pyproject.toml", "/static/page.css", "/app.py", "//etc/passwd"]
)
def test_no_path_of_a_request_is_opened(server, path):
    assert server.call(path)[0] == 404


def test_the_page_is_light(server):
    from sbg_sim.web.app import parts

    assert sum(len(content) for _, content, _ in parts()) < 200_000


def test_the_file_is_never_overwritten_silently(serve, tmp_path):
    path = tmp_path / "table.toml"
    path.write_text(TABLE, encoding="utf-8")
    server = serve(path)
    _, first = server.call("/api/file")
    assert (first["name"], first["text"]) == ("table.toml", TABLE)
    status, second = server.call("/api/file", {"text": TABLE + "# one\n", "version": first["version"]}, "PUT")
    assert (status, path.read_text(encoding="utf-8")) == (200, TABLE + "# one\n")
    status, refused = server.call("/api/file", {"text": "lost", "version": first["version"]}, "PUT")
    assert (status, refused["text"], refused["version"]) == (409, TABLE + "# one\n", second["version"])
    assert server.call("/api/file", b"[" * 100_000, "PUT")[0] == 400
    for wrong in (None, 3, ["x"], "\ud800"):  # a file of one word, "None", was written
        assert server.call("/api/file", {"text": wrong, "version": second["version"]}, "PUT")[0] == 400
    assert path.read_text(encoding="utf-8") == TABLE + "# one\n"
    path.unlink()
    assert server.call("/api/file", {"text": "x", "version": second["version"]}, "PUT")[0] == 409
    assert sorted(p.name for p in tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [None, "", "[table", 'game = "metw"'])
def test_a_file_that_cannot_be_used_stops_it_before_it_starts(tmp_path, content):
    path = tmp_path / "table.toml"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    command = [sys.executable, "-m", "sbg_sim", "serve", "--no-open", str(path)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.returncode == 2
    assert "table.toml" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_that_is_taken_is_told(server):
    port = server.url.rpartition(":")[2].strip("/")
    done = subprocess.run(
        [sys.executable, "-m", "sbg_sim", "serve", "--port", port],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.returncode == 2
    assert f"port {port}" in done.stderr


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="needs /proc to count processes")  # noqa: PTH112
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_is_left_when_it_ends(serve, how):
    server = serve("--seconds", "60")
    text = (ROOT / "scenarios" / "amon-hen.toml").read_text(encoding="utf-8")
    asked = subprocess.Popen([sys.executable, "-c", ASK, server.url, text], stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while len(server.workers()) < 3 and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.5)
    workers = server.workers()
    assert workers
    busy = slower()
    code, seconds = server.stop(how)
    busy = max(busy, slower())
    assert seconds < 1.0 * busy
    if how == signal.SIGINT:
        assert code == 0
    deadline = time.monotonic() + 1.0 * busy
    while time.monotonic() < deadline and any(alive(pid) for pid in workers):
        time.sleep(0.02)
    assert [pid for pid in workers if alive(pid)] == []
    asked.wait(120)


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="needs /proc to look at processes")  # noqa: PTH112
def test_what_takes_a_while_gives_way_to_a_drag(server):
    own = os.getpriority(os.PRIO_PROCESS, 0)
    wanted, found, deadline = {own, min(own + 10, 19)}, set(), time.monotonic() + 60
    while found != wanted:
        assert time.monotonic() < deadline, found
        time.sleep(0.05)
        with contextlib.suppress(ProcessLookupError):  # one may end meanwhile
            found = {os.getpriority(os.PRIO_PROCESS, pid) for pid in server.workers()}


ASK = """
import json, sys, urllib.request
body = json.dumps({"table": sys.argv[2], "model": "lurtz"}).encode()
urllib.request.urlopen(urllib.request.Request(sys.argv[1] + "api/charges", body), timeout=120).read()
"""


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_what_is_no_http_leaves_no_trace(tmp_path):
    command = [sys.executable, "-m", "sbg_sim", "serve", "--no-open"]
    with (tmp_path / "err").open("w") as err:
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=err, text=True, cwd=ROOT)
        host = running.stdout.readline().split("http://")[1].split("/")[0]
        lines = [f"Host: {host}", "Transfer-Encoding: chunked", "", "ZZ", ""]
        with socket.create_connection((host.split(":")[0], int(host.split(":")[1])), timeout=60) as line:
            line.sendall("\r\n".join(["POST /api/x HTTP/1.1", *lines]).encode())
            assert line.recv(100).startswith(b"HTTP/1.1 400")
        running.send_signal(signal.SIGINT)
        running.wait(60)
        running.stdout.close()
    assert "Traceback" not in (tmp_path / "err").read_text()


def test_a_number_of_thousands_of_digits_is_refused_in_our_own_words(server):
    status, told = server.call("/api/check", b'{"table": ' + b"9" * 6000 + b"}")
    assert status == 400
    assert told["faults"][0]["reason"] == "is not JSON: a whole number has too many digits to be read"


def test_who_goes_away_amid_a_question_leaves_nothing_at_the_terminal(tmp_path):
    """A body that is cut short or in chunks that are none, or a message in no UTF-8, was a page of Python's words."""
    with (tmp_path / "said").open("w+", encoding="utf-8") as said:
        served = Served("--port", "0", stderr=said)
        host = served.url.split("/")[2]
        head = f"POST /api/check HTTP/1.1\r\nHost: {host}\r\n".encode()
        for rest in (b"Content-Length: 100\r\n\r\n{", b"Transfer-Encoding: chunked\r\n\r\nZZ\r\nhello\r\n"):
            with socket.create_connection(("127.0.0.1", int(host.partition(":")[2])), timeout=60) as asks:
                asks.sendall(head + rest)
                time.sleep(0.3)
        with socket.create_connection(("127.0.0.1", int(host.partition(":")[2])), timeout=60) as line:
            asked = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
            line.sendall(f"GET /api/line HTTP/1.1\r\nHost: {host}\r\n{asked}{'A' * 22}==\r\n\r\n".encode())
            assert b" 101 " in line.recv(4096)
            line.sendall(b"\x81\x82\0\0\0\0\xff\xfe")
            assert line.recv(4096)[2:4] == (1007).to_bytes(2)  # no text
        assert served.call("/api/health")[0] == 200
        served.stop()
        said.seek(0)
        assert "Traceback" not in said.read()


@pytest.mark.parametrize("read", [False, True])
def test_a_process_that_is_ended_as_it_starts_says_nothing(read):
    """Ended between its start and the first look at what it says it left an AssertionError at the terminal."""
    told = []

    async def ended():
        asyncio.get_running_loop().set_exception_handler(lambda _, about: told.append(about))
        worker = Worker(Limits())
        worker.begin()
        while worker._process is None:  # noqa: ASYNC110 - the very step after it is there is what is tried
            await asyncio.sleep(0)
        process = worker._process
        if read:  # its answer ends before it is seen that nobody waits for it
            process.kill()
            await process.wait()
        worker.end()
        for _ in range(5):
            await asyncio.sleep(0)
        del worker
        gc.collect()
        await process.wait()

    asyncio.run(ended())
    assert told == []


@pytest.mark.parametrize("pressed", [1, 2])
def test_ended_amid_a_question_the_server_says_nothing(tmp_path, pressed):
    """A question that waited for a process to start was given up with a page of Python's words."""
    body = json.dumps({"table": TABLE, "question": "third-to-pippin"}).encode()
    with (tmp_path / "said").open("w+", encoding="utf-8") as said:
        served = Served("--port", "0", stderr=said)
        assert served.call("/api/health")[0] == 200
        host = served.url.split("/")[2]
        head = f"POST /api/check HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        with socket.create_connection(("127.0.0.1", int(host.partition(":")[2])), timeout=60) as asks:
            asks.sendall(head + body)
            time.sleep(0.2)
            if pressed == 2:
                served.process.send_signal(signal.SIGINT)
                time.sleep(0.05)
            assert served.stop()[0] == 0
        said.seek(0)
        assert said.read() == ""
