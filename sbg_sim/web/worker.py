"""A process that answers questions: it reads messages, asks the desk, and writes the answers."""

from __future__ import annotations

import contextlib
import gc
import os
import queue
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sbg_sim.web.frames import framed, read_frame

if TYPE_CHECKING:
    from typing import BinaryIO


_GIVES_WAY: Final = 10  # niceness of a process for long questions


def main(megabytes: int, *, slow: bool) -> None:
    """Answer until the server ends, which ends this process even during a question."""
    if slow and hasattr(os, "nice"):
        os.nice(_GIVES_WAY)
        with contextlib.suppress(OSError):  # Linux schedules by session, and this process has its own
            Path("/proc/self/autogroup").write_text(str(_GIVES_WAY), encoding="ascii")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the server, which ends this process
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of libraries must not mix with the answers
    _bound_memory(megabytes)
    asked: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, asked), daemon=True).start()
    from sbg_sim.web.desk import Desk

    desk = Desk()
    desk.warm()
    gc.freeze()  # objects loaded so far stay: collecting among them again and again would delay answers
    answers.write(framed(b"ready"))
    answers.flush()
    while True:
        status, body = desk.answer(asked.get())
        answers.write(framed(b"%d\n%s" % (status, body)))
        answers.flush()


def _listen(stream: BinaryIO, asked: queue.SimpleQueue[bytes]) -> None:
    while (message := read_frame(stream)) is not None:
        asked.put(message)
    os._exit(0)


def _bound_memory(megabytes: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    if megabytes:
        size = megabytes << 20
        resource.setrlimit(resource.RLIMIT_AS, (size, size))


if __name__ == "__main__":
    main(int(sys.argv[1]), slow=sys.argv[2:] == ["slow"])
