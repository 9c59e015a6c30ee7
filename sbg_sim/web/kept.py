"""The file of the server: read for the page, and written whole, never over a change made elsewhere."""

from __future__ import annotations

import hashlib
from pathlib import Path

from sbg_sim.document import write_whole
from sbg_sim.document.source import MAX_BYTES
from sbg_sim.errors import SbgError


class ChangedError(SbgError):
    """The file has changed since the page last read or wrote it."""


class Kept:
    """One file on disk.

    Parameters
    ----------
    path
        Its path; it need not exist yet.

    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def read(self) -> tuple[str, str]:
        """Return its text and its version; both empty if there is no file yet."""
        content = self._bytes()
        return ("", "") if content is None else (content.decode("utf-8", "replace"), _version(content))

    def write(self, text: str, version: str) -> str:
        """Write the whole file if its version is still ``version``; return the new version.

        Raises
        ------
        ChangedError
            When it has changed since then.
        SbgError
            When it cannot be written.

        """
        content = text.encode()
        there = self._bytes()
        if (_version(there) if there is not None else "") != version:
            raise ChangedError(f"{self.path.name} has changed since this page read it")
        try:
            write_whole(self.path, content)
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


def _version(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
