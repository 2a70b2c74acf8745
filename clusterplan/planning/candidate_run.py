"""Run the chunks of a long list: here, on processes of this machine, or on a Dask cluster.

Results come back in the order of the rows, whoever sized them, and only a few chunks are held at a
time, so neither the order nor the memory depends on the number of workers.
"""

from __future__ import annotations

import itertools
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
    return ProcessPoolExecutor(workers, mp_context=context)


def run_dask(
    chunks: Iterable[list[RawRow]], options: Options, address: str
) -> Iterator[list[Outcome]]:
    """On a Dask cluster that is there already. Raises MissingExtraError, InputError."""
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
        cores = sum(client.ncores().values())
        if not cores:
            raise InputError(Problem(f"the Dask cluster {address!r} has no worker", path="--dask"))
        waiting: deque[Any] = deque()
        source = iter(chunks)
        while True:
            while len(waiting) < cores * AHEAD_PER_WORKER:
                chunk = next(source, None)
                if chunk is None:
                    break
                waiting.append(client.submit(size_chunk, chunk, options, pure=False))
            if not waiting:
                return
            yield waiting.popleft().result()
