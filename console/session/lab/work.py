"""The work of an experiment: its cells, simulated here, in processes, or on a Dask cluster.

A cell's result does not depend on who simulates it, or on what came before: any number of workers gives the
same.
"""

import multiprocessing
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.lab.cells import Cell, key_of
from shadowtime.console.session.lab.simulate import run_cell
from shadowtime.console.session.lab.store import Store

_ADDRESS = re.compile(r"(?:\w+://)?(?:\[[^\]]+\]|[^\[\]:/\s]+):\d+")

_FOLDER = re.compile(r"\S*/shadowtime-[^/\s]+/(?:cell\.toml:\d+:\d+: )?")

ANOTHER = "another version of shadowtime, of the policy's package or of the log simulates; expected the same"
"""What is wrong with a cell whose key is another one where it is simulated."""

PATIENCE = "10s"
"""How long a Dask scheduler may take to answer, and a worker to be there."""

AHEAD = 2
"""Cells that are handed out for each worker: none waits for work, and an interrupt loses few."""


@attrs.frozen
class Failure:
    """A cell that cannot be simulated, and why, in a line."""

    cell: Cell
    reason: str


OnProgress = Callable[[int, int], None]
"""Called with how many cells are done, of how many."""


def work(
    cells: Sequence[Cell],
    store: Store,
    *,
    jobs: int = 1,
    dask: str | None = None,
    traces: str | None = None,
    on_progress: OnProgress | None = None,
) -> list[Failure]:
    """Simulate every cell whose result is not there yet; return those that cannot be.

    `jobs` is the number of processes, at most one a processor; 1 works in this one. `dask` is the address of
    a scheduler whose workers see the same logs. SessionError: nobody answers, or a process was killed.
    KeyboardInterrupt: what is finished stays.
    """
    # More would only share the processors, and a thousand would not even fit into memory.
    jobs = min(jobs, os.cpu_count() or 1)
    wanted = list({cell.key: cell for cell in cells}.values())
    missing = [cell for cell in wanted if not store.has(cell)]
    done, failures = len(wanted) - len(missing), list[Failure]()
    if on_progress is not None:
        on_progress(done, len(wanted))
    for cell, result in _finished(missing, jobs, dask, traces):
        if isinstance(result, Failure):
            failures.append(result)
        else:
            store.take(cell, result)
        done += 1
        if on_progress is not None:
            on_progress(done, len(wanted))
    return sorted(failures, key=lambda failure: failure.cell.key)


def _finished(
    cells: Sequence[Cell], jobs: int, dask: str | None, traces: str | None
) -> Iterator[tuple[Cell, str | Failure]]:
    """Yield each cell with its result, as they come."""
    if dask is not None:
        with _cluster(dask) as submit:
            yield from _spread(cells, submit, 64, traces)
    elif jobs == 1 or len(cells) < 2:
        for cell in cells:
            yield cell, simulated(cell, traces)
    else:
        # Not forked: a fork would take over the threads and locks of whoever calls.
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(min(jobs, len(cells)), mp_context=context)
        try:
            yield from _spread(cells, pool.submit, jobs * AHEAD, traces)
        except BrokenProcessPool:
            raise SessionError(
                "a process that simulated was killed (for want of memory?); what is finished is kept: "
                "call it again, with fewer --jobs"
            ) from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def simulated(cell: Cell, traces: str | None) -> str | Failure:
    """Simulate a cell, in whatever process; what is wrong with it is no reason to stop the others."""
    if key_of(cell.text, cell.log) != cell.key:
        return Failure(cell, ANOTHER)
    try:
        return run_cell(cell.text, traces)
    except Exception as error:
        lines = str(error).splitlines() or [type(error).__name__]
        # Where the cell lay while it was simulated is no part of what is wrong with it.
        return Failure(cell, _FOLDER.sub("", lines[0]))


def _spread(
    cells: Iterable[Cell],
    submit: "Callable[..., Future[str | Failure]]",
    ahead: int,
    traces: str | None,
) -> Iterator[tuple[Cell, str | Failure]]:
    """Hand cells out, a few at a time, and yield what comes back."""
    left = iter(cells)
    running = {submit(simulated, cell, traces): cell for cell in islice(left, ahead)}
    while running:
        finished, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in finished:
            yield running.pop(future), future.result()
        for cell in islice(left, len(finished)):
            running[submit(simulated, cell, traces)] = cell


@contextmanager
def _cluster(address: str) -> "Iterator[Callable[..., Future[str | Failure]]]":
    """Yield what hands work to a Dask cluster."""
    # A client that is refused its address complains on stderr, in many lines, when it is thrown away.
    if not _ADDRESS.fullmatch(address):
        raise SessionError(f"the address is {address!r}; expected one such as tcp://head:8786")
    try:
        from distributed import Client
    except ImportError:
        raise SessionError("--dask needs the package distributed; install shadowtime[dask]") from None
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise SessionError(f"no Dask scheduler answers at {address}: {reason}") from None
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
        yield client.get_executor(pure=False).submit
    except TimeoutError:
        raise SessionError(f"the Dask scheduler has no workers; start one: dask worker {address}") from None
    except CancelledError:
        raise SessionError(
            f"the Dask scheduler at {address} no longer answers; what is finished is kept: call it again"
        ) from None
    finally:
        client.close()
