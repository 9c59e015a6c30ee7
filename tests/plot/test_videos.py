"""Videos: what ffmpeg makes of the pictures of a film, whole or not at all, and what is said without it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.cli.group import run
from sbg_sim.errors import SbgError
from sbg_sim.plot.animation import _of_verdict
from sbg_sim.plot.fonts import house_style
from sbg_sim.plot.frames import frames

with_ffmpeg = pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="no ffmpeg here")
with_a_shell = pytest.mark.skipif(os.name == "nt", reason="a script of a shell")


def jump():
    return sbg.check(sbg.load("scenarios/jumping.toml"), "merry-across")


@with_ffmpeg
def test_a_video_shows_the_pictures_of_the_film(tmp_path):
    """Read back picture by picture; of an odd count of columns or rows the last, blank, is left out."""
    with house_style():
        pictures = [picture[..., :3] for picture in frames(_of_verdict(jump(), 1.0, 6, whole=False))]
    high, wide = (side // 2 * 2 for side in pictures[0].shape[:2])
    assert (high, wide) != pictures[0].shape[:2]
    film = sbg.animate(jump(), tmp_path / "x.mp4", seconds=1, frames_per_second=6)
    call = ["ffmpeg", "-loglevel", "error", "-i", str(film), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    shown = np.frombuffer(subprocess.run(call, check=True, capture_output=True).stdout, dtype=np.uint8)
    shown = shown.reshape(-1, high, wide, 3).astype(int)
    assert len(shown) == len(pictures)
    apart = [np.abs(there - picture[:high, :wide]).mean() for there, picture in zip(shown, pictures, strict=True)]
    assert max(apart) < 3
    # The pictures differ by more from each other where the base travels than from what is shown.
    box = np.abs(pictures[0].astype(int) - pictures[-1]).max(axis=2)[:high, :wide] > 60
    assert box.sum() > 100
    assert np.abs(shown[-1] - pictures[-1][:high, :wide])[box].mean() < 20
    assert np.abs(shown[-1] - pictures[0][:high, :wide])[box].mean() > 40


@with_a_shell
def test_a_video_that_is_interrupted_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    """A stand-in for ffmpeg begins to write, interrupts who called it, and is slow."""
    (tmp_path / "bin").mkdir()
    tool = tmp_path / "bin" / "ffmpeg"
    tool.write_text('#!/bin/sh\nfor last; do :; done\necho half > "$last"\nkill -INT $PPID\nexec sleep 20\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tool.parent), prepend=os.pathsep)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "bin"))
    target = tmp_path / "x.mp4"
    target.write_bytes(b"before")
    with pytest.raises(KeyboardInterrupt):
        sbg.animate(jump(), target, seconds=0.5, frames_per_second=4)
    assert target.read_bytes() == b"before"
    assert [path.name for path in tmp_path.iterdir() if path.name != "bin"] == ["x.mp4"]
    assert [path.name for path in (tmp_path / "bin").iterdir()] == ["ffmpeg"]


def test_without_ffmpeg_a_command_says_what_is_needed(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    target = tmp_path / "x.mp4"
    assert run(["film", "scenarios/jumping.toml", "merry-across", "--out", str(target)]) == 2
    told = capsys.readouterr().err
    assert told == (
        f"{target}: MP4 needs the program ffmpeg, or `pip install sbg_sim[film]`; or write a .gif or .html\n"
    )
    assert not target.exists()


@pytest.mark.parametrize("suffix", [".gif", ".mp4", ".html"])
def test_who_saves_a_film_as_a_picture_is_told_what_writes_films(tmp_path, suffix):
    with pytest.raises(SbgError, match=r"is not a kind of picture \(`sbg.animate` writes films\); write to"):
        sbg.save(jump(), tmp_path / f"x{suffix}")
