"""Work on any number of workers, with the same result whatever their number and kind.

Every piece of work carries its own seed, and results are put back in the order of the pieces, so it does
not matter who does which piece, or when. Any :class:`concurrent.futures.Executor` will do: processes,
threads, or a cluster's (``dask.distributed.Client.get_executor(pure=False)``).
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TypeAlias, TypeVar

from sbg_sim.errors import SbgError

A = TypeVar("A")
R = TypeVar("R")

Progress: TypeAlias = Callable[[int, int], object]
"""Called with how much is done and how much there is."""


class WorkersDiedError(SbgError):
    """A pool of processes that died before its work was done."""


@contextmanager
def processes(workers: int | None = None) -> Iterator[ProcessPoolExecutor]:
    """Give a pool of fresh processes (started by spawning, so threads here cannot harm them).

    A script that uses it must keep its own work under ``if __name__ == "__main__":``, because every process
    imports the script.

    Parameters
    ----------
    workers
        How many; as many as there are processors when not given.

    """
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


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
        A function that can be pickled when the workers are other processes: defined at the top of a module.
    pieces
        What to do it for.
    executor
        Who does it; None does it here and now.
    progress
        Told after each piece how much is done, in units of ``size``.
    size
        How much one piece is.

    Raises
    ------
    WorkersDiedError
        When a process of the pool died.

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
    try:
        for index, piece in enumerate(work):
            futures[executor.submit(task, piece)] = index
        found: dict[int, R] = {}
        for future in as_completed(futures):
            index = futures[future]
            found[index] = future.result()
            done += size(work[index])
            if progress is not None:
                progress(done, total)
    except BrokenProcessPool as broken:
        raise WorkersDiedError(
            'the worker processes died; a script that starts them must do its work under if __name__ == "__main__":',
        ) from broken
    finally:
        for future in futures:  # nothing to cancel unless something went wrong
            future.cancel()
    return [found[index] for index in range(len(work))]
