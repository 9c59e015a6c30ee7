"""Files written whole or not at all: after an interruption or on a full disk the old file stays."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> Path:
    """Write a file beside its place, and then move it there in one step.

    Parameters
    ----------
    path
        The file to write; an existing one is replaced with its permissions, links are followed.
    content
        Bytes, or text to be written as UTF-8.

    Returns
    -------
    The path.

    Raises
    ------
    OSError
        With the path's own name, when the folder is missing, the disk is full or writing is not allowed. An existing
        file stays as it was.

    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    asked = Path(path)
    target = Path(os.path.realpath(asked))
    try:
        _put(target, data)
    except OSError as error:
        # A new error: one with a second file name unset would still print "-> None".
        raise OSError(error.errno, error.strerror, str(asked)) from error
    return asked


def _put(target: Path, data: bytes) -> None:
    mode = target.stat().st_mode if target.exists() else None
    if mode is not None and not stat.S_ISREG(mode):  # a pipe, a terminal, /dev/null: no old content to keep
        with target.open("wb") as file:
            file.write(data)
        return
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(13, "writing to it is not allowed", str(target))
    beside = target.with_name(f".{target.name[:40]}.{os.urandom(6).hex()}")  # unique for each writer
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            beside.chmod(stat.S_IMODE(mode))
        beside.replace(target)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
