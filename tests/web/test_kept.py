"""The file a server was given, names that servers go by, and changes written into a text."""

from __future__ import annotations

import asyncio
import json
import tomllib
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from sbg_sim.errors import SbgError
from sbg_sim.web import app
from sbg_sim.web.guard import Guard
from sbg_sim.web.kept import Kept
from sbg_sim.web.writing import merged


def test_a_file_that_cannot_be_read_or_written_is_told(tmp_path, monkeypatch):
    with pytest.raises(SbgError, match="cannot be read: "):
        Kept(tmp_path).read()
    kept = Kept(tmp_path / "new.toml")
    assert kept.read() == ("", "")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sbg_sim.web.kept.write_whole", full)
    with pytest.raises(SbgError, match=r"new\.toml cannot be written: No space left"):
        kept.write("a = 1", "")


@pytest.mark.parametrize(
    ("own", "asked", "known"),
    [
        ("127.0.0.1", "localhost:8000", True),
        ("127.0.0.1", "192.0.2.7", False),
        ("0.0.0.0", "192.0.2.7:8000", True),
        ("0.0.0.0", "[2001:db8::1]", True),
        ("table.example", "Table.example.:8000", True),
        ("table.example", "other.example", False),
    ],
)
def test_which_names_a_server_goes_by(own, asked, known):
    assert Guard(None, own)._own_name(asked) is known


def test_keys_come_and_go_and_what_is_around_stays():
    text = "a = 1  # one\nb = 2\n[c]\nd = 3\n"
    found = merged(text, {"a": 1, "c": {"d": 3}, "e": [1]})
    assert tomllib.loads(found) == {"a": 1, "c": {"d": 3}, "e": [1]}
    assert "# one" in found


def test_a_name_in_another_normal_form_keeps_its_place():
    text = '["e\u0301omer"]\nmove = 6  # on foot\n'
    assert merged(text, {"éomer": {"move": 4}}) == '["éomer"]\nmove = 4  # on foot\n'


def test_a_text_that_cannot_be_edited_is_written_anew():
    assert tomllib.loads(merged("a = [", {"a": 1})) == {"a": 1}


def test_a_server_without_a_file():
    request = Request({"type": "http", "app": app.application()})
    with ThreadPoolExecutor() as apart:  # a browser of other tests may keep a loop in this thread
        read = apart.submit(asyncio.run, app._read_file(request)).result()
        assert json.loads(read.body) == {"name": None, "text": "", "version": ""}
        with pytest.raises(HTTPException, match="download the table instead"):
            apart.submit(asyncio.run, app._write_file(request)).result()
