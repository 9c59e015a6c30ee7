"""Documents: places of everything, and files that cannot be read."""

from __future__ import annotations

import json
import os
import stat
import time
from pathlib import Path
from threading import Thread

import pytest

from sbg_sim import document
from sbg_sim.document import MAX_BYTES, MAX_TABLES, dotted, not_json
from sbg_sim.errors import Fault, FileFaultsError

TEXT = """\
title = "x"
[models.a]
at = [1, [2, 3]]  # a comment
b.c = { d = 1, "e f" = [ { x = 1 }, 2 ] }

[[moves]]
rolls = [
  1, # one
  2,
]
[[moves]]
[moves.sub]
é = "ü"
"""


def places(text: str) -> document.Document:
    return document.parse(text, "f.toml")


@pytest.mark.parametrize(
    ("key", "place"),
    [
        (("title",), (1, 9)),
        (("models", "a"), (2, 2)),
        (("models", "a", "at"), (3, 6)),
        (("models", "a", "at", 0), (3, 7)),
        (("models", "a", "at", 1, 1), (3, 14)),
        (("models", "a", "b", "c", "d"), (4, 13)),
        (("models", "a", "b", "c", "e f", 0, "x"), (4, 32)),
        (("models", "a", "b", "c", "e f", 1), (4, 37)),
        (("moves", 0, "rolls", 1), (9, 3)),
        (("moves", 1), (11, 3)),
        (("moves", 1, "sub"), (12, 2)),
        (("models", "a", "missing"), (2, 2)),
        (("nothing",), (1, 1)),
    ],
)
def test_place(key, place):
    assert places(TEXT.rsplit("é", 1)[0]).place(key) == place


def test_columns_count_characters_not_bytes():
    assert places('"é" = { "ü" = 1 }').place(("é", "ü")) == (1, 15)


def test_name_or_value():
    found = places("[a]\nlong = 1")
    assert found.place(("a", "long")) == (2, 8)
    assert found.place(("a", "long"), name=True) == (2, 1)


def test_dotted_quotes_what_toml_would():
    assert dotted(("models", "the one", "at", 0, 'a"b')) == 'models."the one".at[0]."a\\"b"'


def test_find_takes_a_key_quoted_or_not():
    found = places('[models."the one"]\nat = [1, 2]')
    assert found.find("models.the one.at") == found.find('models."the one".at') == ("models", "the one", "at")
    assert found.find("models.at") == ()


def test_placed_gives_faults_that_name_a_key_their_place():
    found = places("[a.b]\nc = 1\n[d]\n")
    error = found.placed(FileFaultsError((Fault("x", "a.b.c"), Fault("y", "a.b.gone"), Fault("z"))))
    assert [(f.file, f.line, f.column) for f in error.faults] == [
        ("f.toml", 2, 5),
        ("f.toml", 1, 2),
        ("f.toml", 0, 0),
    ]


@pytest.mark.parametrize(
    ("content", "line", "column", "word"),
    [
        (b"", 0, 0, "empty"),
        (b" \n\t\n", 0, 0, "empty"),
        (b"a = 1\nb = [1, 2", 2, 5, "not TOML"),
        (b"a = 1\nb = [1,\n2\n[c]\nb = [\n", 2, 5, "what begins here has no end"),
        (b"width = ", 1, 9, "a value is missing after ="),
        (b'[a]\nx = 1\ny = """text\n\nz = 2\n', 3, 5, "what begins here has no end"),
        (b"a = 1\nb = = 2\n", 2, 5, "not TOML"),
        (b"a = 1\nbc = '\xff'", 2, 7, "UTF-8"),
        (b"\x00", 1, 1, "not TOML"),
        (b"a = " + b"9" * 5000, 1, 5, "not TOML"),
        (b"a = " + b"[" * 50_000, 0, 0, "nested"),
        (b"a = " + b"{a=" * 20_000, 0, 0, "nested"),
    ],
)
def test_unreadable_texts_have_one_fault(content, line, column, word):
    with pytest.raises(FileFaultsError, match=word) as caught:
        document.parse(content, "f.toml")
    (fault,) = caught.value.faults
    assert (fault.file, fault.line, fault.column) == ("f.toml", line, column)


def test_unreadable_files(tmp_path):
    with pytest.raises(FileFaultsError, match="no such file"):
        document.read(tmp_path / "none.toml")
    with pytest.raises(FileFaultsError, match="directory"):
        document.read(tmp_path)
    with pytest.raises(FileFaultsError, match="cannot be read"):
        document.read("\0")


@pytest.mark.parametrize(
    "content",
    [
        b"#" * (MAX_BYTES + 1),
        b"".join(b"[terrain.p%d]\ncircle = 1\n" % i for i in range(MAX_TABLES + 1)),
        b"[terrain]\n" + b"".join(b"p%d = { a = 1 }\n" % i for i in range(MAX_TABLES + 1)),
        b"a = [" + b"1," * 600_000 + b"]",
    ],
    ids=["bytes", "headers", "inline", "values"],
)
def test_what_is_far_too_large_is_refused_at_once(content, tmp_path):
    path = tmp_path / "big.toml"
    path.write_bytes(content)
    start = time.process_time()  # a busy machine is no fault of the reader
    with pytest.raises(FileFaultsError, match=r"larger|more than") as caught:
        document.read(path)
    assert len(caught.value.faults) == 1
    assert time.process_time() - start < 2


def test_a_byte_order_mark_is_no_fault():
    assert document.parse(b"\xef\xbb\xbfa = 1").data == {"a": 1}


def test_keys_given_twice_are_told_and_the_rest_is_read():
    found = places("[a.x]\nk = 1\nk = 2\n[a.y]\nz = 3\n[a.x]\nk = 4\n")
    assert found.data == {"a": {"x": {"k": 1}, "y": {"z": 3}}}
    assert [(f.key, f.line, f.column) for f in found.faults] == [("a.x.k", 3, 1), ("a.x", 6, 2)]


@pytest.mark.parametrize("broken", ["[]", "= 3", '"\\q" = 1', '"\\q" = 1\n"\\q" = 2'])
def test_what_has_no_name_is_told_where_it_stands(broken):
    with pytest.raises(FileFaultsError) as caught:
        places(f"a = 1\nb = 2\n{broken}\n")
    assert caught.value.faults[-1].line in {3, 4}
    assert "TOML" in caught.value.faults[-1].reason


def test_an_array_left_open_far_above_is_told_at_the_end():
    with pytest.raises(FileFaultsError) as caught:
        places("a = [\n" + "1,\n" * 60)
    assert caught.value.faults[0].line > 60
    with pytest.raises(FileFaultsError) as caught:
        places("a = [\n" + "1,\n" * 6)
    assert (caught.value.faults[0].line, caught.value.faults[0].column) == (1, 5)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_read_to_its_end(tmp_path):
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    writer = Thread(target=lambda: pipe.write_text("title = 'x'", "utf-8"))
    writer.start()
    assert document.read(pipe).data["title"] == "x"
    writer.join()


def test_what_is_no_file_is_written_to_as_it_is(tmp_path, monkeypatch):
    assert document.write_whole(os.devnull, "x") == Path(os.devnull)
    assert not stat.S_ISREG(Path(os.devnull).stat().st_mode)
    (tmp_path / "kept.toml").write_text("a = 1")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(PermissionError, match="not allowed"):
        document.write_whole(tmp_path / "kept.toml", "a = 2")
    assert (tmp_path / "kept.toml").read_text() == "a = 1"


def test_a_file_that_cannot_be_written_is_named_alone(tmp_path):
    for path, said in ((tmp_path / "nowhere" / "x.toml", FileNotFoundError), (tmp_path, IsADirectoryError)):
        with pytest.raises(said) as told:
            document.write_whole(path, "a = 1")
        assert str(told.value).endswith(f": {str(path)!r}")
        assert told.value.filename == str(path)


def test_twice_inside_an_inline_table():
    found = places("a = { b = 1, b = 2 }\nc = 3\n")
    assert [(f.key, f.line, f.column) for f in found.faults] == [("a.b", 1, 14)]
    assert found.data["c"] == 3


@pytest.mark.parametrize(
    "text",
    [
        "a" + ".a" * 3000 + " = 1",
        "[a" + " . 'a'" * 30_000 + "]",
        "a = {b.c = 1, a" + '."a"' * 30_000 + " = 1}",
        "a = " + "[" * 300 + "]" * 300,
        "a = " + "[" * 3000 + "]" * 3000,
    ],
)
def test_what_is_nested_too_deeply_is_refused(text):
    """The parser takes any number of dots, and what reads the data goes down by recursion."""
    began = time.process_time()
    with pytest.raises(FileFaultsError, match="is nested too deeply"):
        document.parse(text)
    assert time.process_time() - began < 2  # 30,000 dots took 48 seconds and 4 GB


def test_keys_of_many_dots_are_refused_unread():
    text = "\n".join(f"k{i}{'.b' * 58} = 1" for i in range(10_000))
    with pytest.raises(FileFaultsError, match="holds more than 500000 values"):
        document.parse(text)
    assert document.parse("'a.b'.\"c.d\".e = 1.5").data == {"a.b": {"c.d": {"e": 1.5}}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"9" * 6000, "is not JSON: a whole number has too many digits to be read"),
        (b'{"a": "\xff"}', "is not JSON: its bytes are no text in UTF-8"),
        (b"{", "is not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
    ],
)
def test_what_is_wrong_with_what_was_to_be_json(text, said):
    with pytest.raises(ValueError, match=r"\S") as caught:
        json.loads(text)
    assert not_json(caught.value) == said


def test_how_deep_a_key_may_be():
    """Sixty dots are the most, read or not."""
    assert document.parse(b".".join([b"a"] * 60) + b" = 1", "f.toml").data
    with pytest.raises(FileFaultsError, match="nested too deeply"):
        document.parse(b".".join([b"a"] * 61) + b" = 1", "f.toml")
