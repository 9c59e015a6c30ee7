"""Distributes work over any number of workers, with the same result for any number and kind.

Every piece of work has its own seed, and results are put back in the order of the pieces, so it does not matter which
worker does which piece, or when. Any :class:`concurrent.futures.Executor` will do: processes, threads, or a cluster's
(``dask.distributed.Client.get_executor(pure=False)``).
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from types import ModuleType
from typing import Any, ParamSpec, TypeAlias, TypeVar

from sbg_sim.errors import SbgError

A = TypeVar("A")
P = ParamSpec("P")
R = TypeVar("R")

_PATIENCE = 0.3  # seconds that a pool has to end when it is interrupted

Progress: TypeAlias = Callable[[int, int], object]
"""Called with the amount of work done, and of all."""


class WorkersDiedError(SbgError):
    """A pool of processes that died before its work was done."""


class Here(Executor):
    """An executor that does each piece at once, in this thread: the first interruption ends it."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Do it now."""
        future: Future[R] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class _Bare(SpawnProcess):
    """A fresh process that does not import the script that started it, and leaves interruptions to its parent.

    Tasks are functions of this package, so that no script needs a guard (``if __name__ == "__main__":``).
    """

    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # noqa: N802 - multiprocessing's name
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        # The child inherits the blocked signal, until it ignores it by itself.
        blocks = hasattr(signal, "pthread_sigmask")  # not on Windows
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if blocks else set()
        try:
            return SpawnProcess._Popen(process_obj)  # noqa: SLF001
        finally:
            sys.modules["__main__"] = script
            if blocks:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _BareContext(SpawnContext):
    Process = _Bare


def _deaf() -> None:
    """Ignore Ctrl-C: the parent process handles it, and ends this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def processes(workers: int | None = None) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of fresh processes (started by spawning, so that threads here cannot harm them).

    They import this package and not the script that uses them: their tasks must come from a module.
    An error or an interruption ends them at once.

    Parameters
    ----------
    workers
        The number of processes; by default that of the processors.

    """
    pool = ProcessPoolExecutor(workers, mp_context=_BareContext(), initializer=_deaf)
    try:
        yield pool
    except BaseException:
        running = list((getattr(pool, "_processes", None) or {}).values())
        keeper = getattr(pool, "_executor_manager_thread", None)
        pool.shutdown(wait=False, cancel_futures=True)
        for process in running:
            process.terminate()
        if keeper is not None:  # it releases shared resources, and must be able to finish
            keeper.join(_PATIENCE)
        raise
    pool.shutdown()


def in_order(
    task: Callable[[A], R],
    pieces: Iterable[A],
    executor: Executor | None = None,
    progress: Progress | None = None,
    *,
    size: Callable[[A], int] = lambda _: 1,
) -> list[R]:
    """Do a task for every piece and return the results in the order of the pieces.

    Parameters
    ----------
    task
        A function; for other processes it must be one that can be pickled, defined at the top of a module.
    pieces
        Its arguments.
    executor
        Does the work; None does it in this thread.
    progress
        Called after each piece with the amount of work done, and of all, in units of ``size``.
    size
        Returns the amount of work of a piece.

    Raises
    ------
    WorkersDiedError
        If a process of the pool died.

    """
    work = list(pieces)
    total, done = sum(map(size, work)), 0
    if executor is None:
        results: list[R] = []
        for piece in work:
            results.append(task(piece))
            done += size(piece)
            if progress is not None:
                progress(done, total)
        return results
    futures: dict[Future[R], int] = {}
    with _all_or_none(futures):
        for index, piece in enumerate(work):
            futures[executor.submit(task, piece)] = index
        found: dict[int, R] = {}
        for future in as_completed(futures):
            index = futures[future]
            found[index] = future.result()
            done += size(work[index])
            if progress is not None:
                progress(done, total)
    return [found[index] for index in range(len(work))]


def one_by_one(task: Callable[[A], R], pieces: Iterable[A], executor: Executor | None = None) -> Iterator[R]:
    """Do a task for every piece and yield the results in the order of the pieces, each as soon as possible.

    Parameters
    ----------
    task, pieces, executor
        As for `in_order`.

    Raises
    ------
    WorkersDiedError
        If a process of the pool died.

    """
    if executor is None:
        yield from map(task, pieces)
        return
    futures: list[Future[R]] = []
    with _all_or_none(futures):
        futures += [executor.submit(task, piece) for piece in pieces]
        for future in futures:
            yield future.result()


@contextmanager
def _all_or_none(futures: Iterable[Future[R]]) -> Iterator[None]:
    """Cancel the rest of the work if part of it fails; WorkersDiedError, in words, if its processes died."""
    try:
        yield
    except BrokenProcessPool as broken:
        raise WorkersDiedError(
            "the worker processes died; what they do must come from a module and fit in memory, and a script with "
            'a pool of its own needs a guard, `if __name__ == "__main__":`'
        ) from broken
    finally:
        for future in futures:  # all are done unless something went wrong
            future.cancel()
