"""Each command given each wrong kind of file: one line that says what it is and what is needed, and exit code 2."""

from __future__ import annotations

import json

import pytest

TABLE = "[table]\nwidth = 24\ndepth = 24\n"
CERTIFICATE = '{"format": "sbg-sim certificate", "version": 1}'
PAGE = "<!doctype html>\n<p>a = 1\na = 2\n"
TOML = "a TOML file, which is UTF-8 text, is needed"
WANTED = "a certificate is needed, as `check FILE QUESTION --certificate OUT` writes it"
FOREIGN = {
    "picture.png": (b"\x89PNG\r\n\x1a\n\x00", "a PNG picture"),
    "film.gif": (b"GIF89a\x00\xff", "a GIF picture"),
    "film.mp4": (b"\x00\x00\x00\x20ftypisom\xff", "a film"),
    "photo.jpg": (b"\xff\xd8\xff\xe0\x00", "a JPEG picture"),
    "sheet.pdf": (b"%PDF-1.7\n1 0 obj", "a PDF"),
    "sheet.html": (PAGE.encode(), "a web page, or an SVG or XML file"),
    "table.odt": (b"PK\x03\x04\x14\xff", "a ZIP archive or an office document"),
    "table.gz": (b"\x1f\x8b\x08\x00", "compressed"),
    "utf16.toml": (TABLE.encode("utf-16"), "UTF-16 text"),
    "utf32.toml": (TABLE.encode("utf-32"), "UTF-32 text"),
}
COMMANDS = [
    ["campaign", "FILE", "q"],
    ["charges", "FILE", "m"],
    ["check", "FILE"],
    ["denies", "FILE", "m"],
    ["doubt", "FILE", "q"],
    ["flips", "FILE", "q"],
    ["film", "FILE", "q", "--out", "OUT.gif"],
    ["map", "FILE"],
    ["next", "FILE"],
    ["order", "FILE", "--wishes", "a:b"],
    ["phase", "FILE"],
    ["play", "FILE"],
    ["plot", "FILE", "--out", "OUT.png"],
    ["reach", "FILE", "m"],
    ["readings", "FILE"],
    ["replay", "FILE"],
    ["safe", "FILE", "m"],
    ["rulings", "FILE", "q"],
    ["section", "FILE", "q", "--out", "OUT.png"],
    ["serve", "FILE"],
    ["simulate", "FILE", "q"],
    ["sweep", "FILE", "q", "--vary", "models.m.move=1,2"],
    ["threats", "FILE", "good"],
    ["verify", "FILE"],
]
JSON = {c[0] for c in COMMANDS} - {"film", "map", "phase", "play", "plot", "section", "serve"}


@pytest.fixture
def refused(run, tmp_path):
    def call(args, name, content):
        file = tmp_path / name
        file.write_bytes(content) if content is not None else file.mkdir()
        result = run(*(str(tmp_path / arg) if "OUT." in arg else str(file) if arg == "FILE" else arg for arg in args))
        lines = result.stderr.splitlines()
        assert (result.exit_code, result.stdout, len(lines)) == (2, "", 1), result.output
        assert lines[0].startswith(str(file))
        return lines[0].removeprefix(str(file)).lstrip(": ")

    return call


@pytest.mark.parametrize("args", COMMANDS, ids=lambda args: args[0])
def test_what_is_no_table(refused, args):
    needed = WANTED if args[0] == "verify" else TOML
    for name, (content, kind) in FOREIGN.items():
        assert refused(args, name, content) == f"is {kind}; {needed}"
    assert "directory; a " in refused(args, "folder", None)
    assert refused(args, "empty.toml", b"").startswith("is empty; a ")
    assert "is not UTF-8" in refused(args, "noise", b"a = 1\n\x8d\x00")


@pytest.mark.parametrize("args", [args for args in COMMANDS if args[0] != "verify"], ids=lambda args: args[0])
def test_json_where_toml_is_needed(refused, args):
    judged = "is a certificate (`sbg-sim verify` judges it)"
    assert refused(args, "paper.json", CERTIFICATE.encode()) == f"{judged}; {TOML}"
    assert refused(args, "out.json", b'[{"answer": "no"}]') == f"is JSON; {TOML}"
    assert "is not TOML: " in refused(args, "half.json", CERTIFICATE[:20].encode())


def test_toml_where_a_certificate_is_needed(refused):
    for text, kind in ((TABLE, "a scenario"), ('game = "metw"', "the file of a board game"), ("# a", "a TOML file")):
        assert refused(["verify", "FILE"], "a.toml", text.encode()) == f"is {kind}; {WANTED}"
    assert refused(["verify", "FILE"], "b.json", b"[1]\n{}").startswith("2:1: is not whole JSON, as a certificate is")


def test_playing_what_is_no_board_game(refused):
    assert "`sbg-sim phase`" in refused(["play", "FILE"], "table.toml", TABLE.encode())
    assert "has no `game`" in refused(["play", "FILE"], "other.toml", b"# nothing\n")


@pytest.mark.parametrize("command", [c for c in COMMANDS if c[0] in JSON], ids=lambda c: c[0])
def test_json_is_answered_with_faults_as_json(run, tmp_path, command):
    """On standard output, so that a program need not read messages; people have them beside it."""
    path = tmp_path / "t.toml"
    path.write_text(TABLE.replace("depth", "dept"), encoding="utf-8")
    result = run(*(str(path) if word == "FILE" else word for word in command), "--json")
    told = json.loads(result.stdout)
    (told,) = told if command[0] == "check" else (told,)
    assert (result.exit_code, told["file"]) == (2, str(path))
    assert all(set(fault) == {"file", "line", "column", "key", "reason"} for fault in told["faults"])
    if command[0] != "verify":
        assert {(fault["line"], fault["key"]) for fault in told["faults"]} == {(3, "table.dept")}
    assert told["faults"][0]["reason"] in result.stderr


def test_what_is_asked_of_a_sound_file_may_be_at_fault_too(run, tmp_path):
    path = tmp_path / "t.toml"
    path.write_text(TABLE, encoding="utf-8")
    for option in ("--json", "--jsonl"):
        result = run("reach", str(path), "ann", option)
        assert "no model is called 'ann'" in json.loads(result.stdout)["faults"][0]["reason"]
        assert result.exit_code == 2
