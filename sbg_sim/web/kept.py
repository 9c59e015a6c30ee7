"""The file the server was given: read for the page, and written whole, never over a change made elsewhere."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

from sbg_sim.document.source import MAX_BYTES
from sbg_sim.errors import SbgError


class ChangedError(SbgError):
    """The file is not what the page last saw of it."""


class Kept:
    """One file on disk.

    Parameters
    ----------
    path
        Where it is; it need not be there yet.

    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def read(self) -> tuple[str, str]:
        """Return its text and its version; both empty when there is no file yet."""
        content = self._bytes()
        return ("", "") if content is None else (content.decode("utf-8", "replace"), _version(content))

    def write(self, text: str, version: str) -> str:
        """Write the whole file, if it is still what it was at a version; return the new version.

        Raises
        ------
        ChangedError
            When it has changed since.
        SbgError
            When it cannot be written.

        """
        content = text.encode()
        there = self._bytes()
        if (_version(there) if there is not None else "") != version:
            raise ChangedError(f"{self.path.name} has changed since this page read it")
        try:
            self._replace(content)
        except OSError as error:
            raise SbgError(f"{self.path.name} cannot be written: {error.strerror or error}") from None
        return _version(content)

    def _bytes(self) -> bytes | None:
        try:
            with self.path.open("rb") as file:
                return file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise SbgError(f"{self.path.name} cannot be read: {error.strerror or error}") from None

    def _replace(self, content: bytes) -> None:
        """Write beside the file, then put it in its place: a reader sees the old or the new, never half."""
        target = self.path.resolve()
        handle, beside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(beside).chmod(target.stat().st_mode & 0o777 if target.exists() else 0o644)
            Path(beside).replace(target)
        except OSError:
            with contextlib.suppress(OSError):
                Path(beside).unlink()
            raise


def _version(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
