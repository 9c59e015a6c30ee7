"""Messages between the server and the processes that answer: a length of four bytes, then the message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from typing import BinaryIO

HEAD: Final = 4


def framed(message: bytes) -> bytes:
    """Return a message with its length before it."""
    return len(message).to_bytes(HEAD, "big") + message


def read_frame(stream: BinaryIO) -> bytes | None:
    """Read one message; None where the stream ends."""
    head = stream.read(HEAD)
    if len(head) < HEAD:
        return None
    size = int.from_bytes(head, "big")
    message = stream.read(size)
    return message if len(message) == size else None
