"""The progress bar for answers that take longer, and the limits of time and memory of commands."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from typing import Self

    from rich.progress import Progress, TaskID

T = TypeVar("T")

PATIENCE: Final = 2.0
"""Seconds after which the progress bar is shown."""

MOST_SECONDS: Final = 600.0
"""Seconds that a command may take, unless ``--limit`` is given."""

MOST_GIGABYTES: Final = 4.0
"""Memory that a command may take, in gigabytes, unless ``--memory`` is given."""

DEADLINE: Final = "sbg_sim.deadline"
"""The key of a command's deadline in its context."""

_PER_THREAD: Final = 1 << 27  # bytes that numerical libraries reserve for each processor, used or not


class Waiting:
    """A progress bar on the terminal's error stream, shown after two seconds, removed before the answer."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._at: tuple[str, float, float | None] = ("working", 0, None)

    def begin(self) -> None:
        """Start the time after which the bar is shown; without a terminal nothing is ever shown."""
        self.end()
        self._at = ("working", 0, None)
        if sys.stderr is not None and sys.stderr.isatty():
            self._timer = threading.Timer(PATIENCE, self._show)
            self._timer.daemon = True
            self._timer.start()

    def told(self, done: float, total: float | None, what: str = "") -> None:
        """Record how much of how much is done."""
        self._at = (what or self._at[0], done, total)
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=self._at[0], completed=done, total=total)

    def end(self) -> None:
        """Remove the bar; called before anything is printed."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            if self._bar is not None:
                self._bar.stop()
            self._timer = self._bar = self._task = None

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        words, done, total = self._at
        columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(bar_width=20))
        with self._lock:
            if self._timer is None:  # the answer was first
                return
            counts = () if total is None else (MofNCompleteColumn(),)
            self._bar = Progress(*columns, *counts, TimeElapsedColumn(), console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task(words, completed=int(done), total=total)
            self._bar.start()


waiting: Final = Waiting()
"""The progress bar of the current command."""


class Deadline:
    """Interrupts the command when its time is up."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.passed = seconds, False
        self._timer = threading.Timer(seconds, self._strike)
        self._timer.daemon = True
        self._before: Any = None

    def __enter__(self) -> Self:
        if self.seconds < threading.TIMEOUT_MAX:
            # Not SIGINT: a process that a script starts in the background ignores it, but has a limit too.
            if os.name == "posix" and threading.current_thread() is threading.main_thread():
                self._before = signal.signal(signal.SIGALRM, signal.default_int_handler)
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        if self._before is not None:
            if self._timer.is_alive():
                self._timer.join()  # it must not send the signal once the handler is gone
            signal.signal(signal.SIGALRM, self._before)

    def lift(self) -> None:
        """Remove the deadline, for commands that people end."""
        self._timer.cancel()

    def _strike(self) -> None:
        self.passed = True
        if self._before is not None:
            os.kill(os.getpid(), signal.SIGALRM)  # a real signal also ends waiting for a file
        else:
            import _thread

            _thread.interrupt_main()


def tighter(gigabytes: float) -> bool:
    """Say whether the system limits this process to less memory than this."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        limits = (resource.getrlimit(which) for which in (resource.RLIMIT_AS, resource.RLIMIT_DATA))
        return any(soft != resource.RLIM_INFINITY and soft < gigabytes * 2**30 for soft, _ in limits)
    return False


def bound_memory(gigabytes: float) -> None:
    """Limit the memory of this process and its children, if the system can."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        wanted = int(gigabytes * 2**30) + _PER_THREAD * (os.cpu_count() or 1)
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        held = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(resource.RLIMIT_DATA, (held, most))
