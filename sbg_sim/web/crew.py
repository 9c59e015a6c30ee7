"""The processes that answer questions: started ahead, asked one question at a time, ended if they take too long."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sbg_sim.web.frames import HEAD, framed

if TYPE_CHECKING:
    from sbg_sim.web.limits import Limits

_START: Final = 60.0  # seconds that a process may take to load the solver on a busy machine
_SPARE: Final = 2  # processes of a kind kept for further pages
_ROOT: Final = str(Path(__file__).resolve().parents[2])


class OverLimitError(Exception):
    """A question exceeded its time or memory, or its process died of it."""


class Worker:
    """One process; `ask` is called once at a time.

    Parameters
    ----------
    limits
        Limits of each question.
    slow
        Whether it yields to other processes, so that long questions do not delay a drag.

    """

    def __init__(self, limits: Limits, *, slow: bool = False) -> None:
        self.limits, self.slow = limits, slow
        self._process: asyncio.subprocess.Process | None = None
        self._begun: asyncio.Task[asyncio.subprocess.Process] | None = None
        self.busy = False

    def begin(self) -> None:
        """Start the process unless it runs already, without waiting for it."""
        if self._begun is None:
            self._begun = asyncio.get_running_loop().create_task(self._start())
            # `ask` raises the reason why it did not start; without a question nobody needs it.
            self._begun.add_done_callback(lambda begun: begun.cancelled() or begun.exception())

    async def _start(self) -> asyncio.subprocess.Process:
        self._process = process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "sbg_sim.web.worker", str(self.limits.megabytes), *["slow"] * self.slow),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=_surroundings(),
            **_apart(),
        )
        await asyncio.wait_for(_read(process), _START)
        return process

    async def ask(self, message: bytes, seconds: float | None = None) -> tuple[int, bytes]:
        """Return the status and the JSON of an answer.

        Raises
        ------
        OverLimitError
            When none came within the limits; the next question gets a new process.

        """
        self.begin()
        assert self._begun is not None
        try:
            process = await asyncio.shield(self._begun)
            assert process.stdin is not None
            self.busy = True
            process.stdin.write(framed(message))
            reply = await asyncio.wait_for(_read(process), seconds or self.limits.seconds)
            self.busy = False
        except (TimeoutError, asyncio.IncompleteReadError, OSError) as error:
            self.end()
            late = isinstance(error, TimeoutError)
            why = f"took more than {seconds or self.limits.seconds:g} s" if late else "needed more than it may have"
            raise OverLimitError(f"the question {why} and was given up") from None
        except asyncio.CancelledError:
            self.end()  # nobody waits for the current answer any more
            raise
        status, _, body = reply.partition(b"\n")
        return int(status), body

    def end(self) -> None:
        """End the process at once."""
        process, self._process = self._process, None
        self.busy = False
        if self._begun is not None:
            self._begun.cancel()
            self._begun = None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()


async def _read(process: asyncio.subprocess.Process) -> bytes:
    assert process.stdout is not None
    size = int.from_bytes(await process.stdout.readexactly(HEAD), "big")
    return await process.stdout.readexactly(size)


class Crew:
    """All processes of a server.

    Parameters
    ----------
    limits
        Limits of each question, and the number of questions at once.

    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._all: set[Worker] = set()
        self._spare: dict[bool, list[Worker]] = {False: [], True: []}  # by ``slow``
        self._askers: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()  # the most recently used, and so warm, first
        self.pages = 0

    def begin(self) -> None:
        """Start the processes for the first page and the first question."""
        for _ in range(self.limits.askers):
            asker = self._hired()
            self._askers.put_nowait(asker)
        self._spare = {slow: [self._hired(slow=slow)] for slow in (False, True)}
        for worker in (*self._spare[False], *self._spare[True], asker):
            worker.begin()

    def _hired(self, *, slow: bool = False) -> Worker:
        worker = Worker(self.limits, slow=slow)
        self._all.add(worker)
        return worker

    def lend(self, *, slow: bool) -> Worker:
        """Return a process for a page to keep, and start one for the next page."""
        spare = self._spare[slow]
        worker = spare.pop() if spare else self._hired(slow=slow)
        worker.begin()
        if not spare:
            spare.append(self._hired(slow=slow))
            spare[0].begin()
        return worker

    def take_back(self, worker: Worker) -> None:
        """Keep the process of a closed page for the next one, or end it if it is busy or not needed."""
        if len(self._spare[worker.slow]) < _SPARE and not worker.busy:
            self._spare[worker.slow].append(worker)
            return
        worker.end()
        self._all.discard(worker)

    async def ask(self, message: bytes) -> tuple[int, bytes]:
        """Ask any free process; OverLimitError if none becomes free in time."""
        try:
            worker = await asyncio.wait_for(self._askers.get(), self.limits.seconds)
        except TimeoutError:
            raise OverLimitError("too many questions are being asked; try again") from None
        try:
            return await worker.ask(message)
        finally:
            self._askers.put_nowait(worker)

    def end(self) -> None:
        """End all processes at once."""
        for worker in self._all:
            worker.end()


def _surroundings() -> dict[str, str]:
    """Return the environment of a process: this package on its path, and one thread for linear algebra."""
    paths = [_ROOT, *filter(None, [os.environ.get("PYTHONPATH")])]
    one = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**os.environ, **one, "PYTHONPATH": os.pathsep.join(paths)}


def _apart() -> dict[str, Any]:
    """Return the options that keep Ctrl-C in the terminal from reaching the processes before the server."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}
