"""Messages between the server and its processes: a length of four bytes, then the message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from typing import BinaryIO

HEAD: Final = 4


def framed(message: bytes) -> bytes:
    """Return a message preceded by its length."""
    return len(message).to_bytes(HEAD, "big") + message


def read_frame(stream: BinaryIO) -> bytes | None:
    """Read one message; None at the end of the stream."""
    head = stream.read(HEAD)
    if len(head) < HEAD:
        return None
    size = int.from_bytes(head, "big")
    message = stream.read(size)
    return message if len(message) == size else None
