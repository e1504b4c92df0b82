"""Cells: the simulations that an experiment asks for, each a scenario with a key that names its result."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import attrs

from shadowtime.console.session.plugins import sources
from shadowtime.scenarios import parse_policy
from shadowtime.scenarios.experiment import Experiment, cell_text

FORMAT = 13
"""Raised when a simulation, or what is kept of one, changes: results of other formats are not used again."""


@attrs.frozen
class Cell:
    """One simulation: the text of its scenario, and the key of its result."""

    text: str
    key: str
    log: str | None
    """The log that it needs."""


@attrs.frozen
class CellPlace:
    """Where a cell stands in its experiment: its grid, and its label on each axis."""

    grid: str
    labels: tuple[str, ...]


def cell_of(scenario: Mapping[str, object]) -> Cell:
    """Return the cell of a scenario; its policy may be spelt as `--policy` takes it."""
    tables = dict(scenario)
    policy = tables.get("policy", "easy")
    if isinstance(policy, str):
        name, settings = parse_policy(policy)
        tables["policy"] = {"name": name, **settings}
    text = cell_text(tables, "a cell of an experiment")
    workload = scenario.get("workload")
    log = workload.get("log") if isinstance(workload, Mapping) else None
    needed = None if log is None else str(log)
    return Cell(text, key_of(text, needed), needed)


def key_of(text: str, log: str | None) -> str:
    """Return the key of a cell: it has what its result depends on, as that is in this process."""
    mark = "" if log is None else _mark(Path(log))
    marks = [mark, *(source for name, source in sources().items() if name in text)]
    return hashlib.sha256(f"{FORMAT}\n{text}{''.join(marks)}".encode()).hexdigest()[:24]


def _mark(log: Path) -> str:
    """Return the contents of a log of one's own as a sum; '' for one of the archive, which stays as it is."""
    if not log.is_absolute() or not log.is_file():
        return ""
    state = log.stat()
    return _sum(log, state.st_mtime_ns, state.st_size)


@cache
def _sum(log: Path, _changed: int, _size: int) -> str:
    return hashlib.sha256(log.read_bytes()).hexdigest()


def cells_of(experiments: Iterable[Experiment]) -> Iterator[tuple[CellPlace, Cell]]:
    """Yield every cell of some experiments with its place; the same simulation may stand in several."""
    for experiment in experiments:
        for grid in experiment.grids.values():
            for labels, scenario in grid.cells():
                yield CellPlace(grid.name, labels), cell_of(scenario)
