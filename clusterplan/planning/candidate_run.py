"""Run the chunks of a long list: here, on processes of this machine, or on a Dask cluster.

Results come back in the order of the rows, whoever sized them, and only a few chunks are held at a
time, so neither the order nor the memory depends on the number of workers.
"""

from __future__ import annotations

import itertools
import os
from collections import deque
from typing import TYPE_CHECKING, Any

from clusterplan.core.errors import InputError, MissingExtraError, Problem
from clusterplan.planning.candidates import Options, Outcome, size_chunk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import ProcessPoolExecutor

    from clusterplan.inputs.candidate_table import RawRow

CHUNK_ROWS = 50
AHEAD_PER_WORKER = 3
KILLED = "the process that sized this row ended (killed, or out of memory)"


def chunks_of(rows: Iterable[RawRow], size: int = CHUNK_ROWS) -> Iterator[list[RawRow]]:
    """Rows in lists of `size`, read only as far as asked."""
    iterator = iter(rows)
    while chunk := list(itertools.islice(iterator, size)):
        yield chunk


def run_here(chunks: Iterable[list[RawRow]], options: Options) -> Iterator[list[Outcome]]:
    """One chunk after the other, in this process."""
    for chunk in chunks:
        yield size_chunk(chunk, options)


def run_processes(
    chunks: Iterable[list[RawRow]],
    options: Options,
    workers: int,
    *,
    work: Callable[[list[RawRow], Options], list[Outcome]] = size_chunk,
) -> Iterator[list[Outcome]]:
    """On `workers` processes; if one dies, at worst the row that kills it is set aside."""
    from concurrent.futures.process import BrokenProcessPool

    waiting: deque[tuple[list[RawRow], Any]] = deque()
    source = iter(chunks)
    pool = _pool(workers)
    failed = 0
    try:
        while True:
            try:
                while len(waiting) < workers * AHEAD_PER_WORKER:
                    chunk = next(source, None)
                    if chunk is None:
                        break
                    waiting.append((chunk, None))
                    waiting[-1] = (chunk, pool.submit(work, chunk, options))
                if not waiting:
                    return
                chunk, future = waiting[0]
                done: list[Outcome] = future.result()
            except BrokenProcessPool:
                pool.shutdown(wait=False, cancel_futures=True)
                failed += 1
                if failed > 1:  # the first chunk again: find the row that kills
                    yield _one_by_one(waiting.popleft()[0], options, work)
                    failed = 0
                pool = _pool(workers)
                waiting = deque((c, pool.submit(work, c, options)) for c, _ in waiting)
                continue
            waiting.popleft()
            failed = 0
            yield done
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _one_by_one(
    chunk: list[RawRow],
    options: Options,
    work: Callable[[list[RawRow], Options], list[Outcome]],
) -> list[Outcome]:
    """Each row in a process of its own; one whose process dies is set aside."""
    from concurrent.futures.process import BrokenProcessPool

    from clusterplan.inputs.candidate_table import id_of

    found: list[Outcome] = []
    pool = _pool(1)
    for row in chunk:
        try:
            found += pool.submit(work, [row], options).result()
        except BrokenProcessPool:
            found.append(Outcome(row.line, id_of(options.table, row), None, (KILLED,)))
            pool.shutdown(wait=False)
            pool = _pool(1)
    pool.shutdown()
    return found


def _pool(workers: int) -> ProcessPoolExecutor:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # a fresh interpreter each: a fork would share open files and locks of the progress bar
    context = multiprocessing.get_context("forkserver")
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_end_with_parent)


def _end_with_parent() -> None:
    """Let this worker end when the program does, however it ends; else it would wait for ever."""
    import multiprocessing
    import threading

    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_wait_and_end, args=(parent.sentinel,), daemon=True).start()


def _wait_and_end(sentinel: int) -> None:
    from multiprocessing.connection import wait

    wait([sentinel])
    os._exit(1)


def run_dask(
    chunks: Iterable[list[RawRow]],
    options: Options,
    address: str,
    *,
    work: Callable[[list[RawRow], Options], list[Outcome]] = size_chunk,
) -> Iterator[list[Outcome]]:
    """On a Dask cluster that is there already. Raises MissingExtraError, InputError."""
    from concurrent.futures import CancelledError

    try:
        from distributed import Client
    except ImportError as error:
        message = 'Dask is not installed; pip install "clusterplan[scale]"'
        raise MissingExtraError(message) from error
    try:
        make: Any = Client
        client = make(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        problem = Problem(f"no Dask scheduler answers at {address!r}: {error}", path="--dask")
        raise InputError(problem) from None
    with client:
        cores = _dask_cores(client, address)
        waiting: deque[tuple[list[RawRow], Any]] = deque()
        source = iter(chunks)
        while True:
            while len(waiting) < cores * AHEAD_PER_WORKER:
                chunk = next(source, None)
                if chunk is None:
                    break
                waiting.append((chunk, client.submit(work, chunk, options, pure=False)))
            if not waiting:
                return
            chunk, future = waiting.popleft()
            try:
                yield _dask_outcomes(client, chunk, future, options, work)
            except (CancelledError, OSError) as error:
                hint = (
                    "with -o FILE.csv the rows done are kept; the same command goes on from there"
                )
                message = f"the Dask cluster {address!r} is gone: {type(error).__name__}"
                raise InputError(Problem(message, path="--dask", hint=hint)) from None


def _dask_cores(client: Any, address: str) -> int:
    """Cores of the cluster. Raises InputError where it has none, or not this very program."""
    from clusterplan import __version__

    cores = sum(client.ncores().values())
    if not cores:
        raise InputError(Problem(f"the Dask cluster {address!r} has no worker", path="--dask"))
    hint = f"install clusterplan {__version__} on every worker"
    try:
        versions = client.run(_version)
    except ImportError as error:
        message = f"a worker of the Dask cluster {address!r} cannot run clusterplan: {error}"
        raise InputError(Problem(message, path="--dask", hint=hint)) from None
    for worker, version in versions.items():
        if version != __version__:
            message = f"the Dask worker {worker} has clusterplan {version}, this is {__version__}"
            raise InputError(Problem(message, path="--dask", hint=hint))
    return int(cores)


def _version() -> str:
    from clusterplan import __version__

    return __version__


def _dask_outcomes(
    client: Any,
    chunk: list[RawRow],
    future: Any,
    options: Options,
    work: Callable[[list[RawRow], Options], list[Outcome]],
) -> list[Outcome]:
    """What a chunk gave; if it ends worker after worker, the row that does so is set aside."""
    from distributed import KilledWorker

    from clusterplan.inputs.candidate_table import id_of

    found: list[Outcome] = []
    try:
        found += future.result()
    except KilledWorker:
        for row in chunk:
            try:
                found += client.submit(work, [row], options, pure=False).result()
            except KilledWorker:
                found.append(Outcome(row.line, id_of(options.table, row), None, (KILLED,)))
    return found
