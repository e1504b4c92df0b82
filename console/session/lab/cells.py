"""Cells: the simulations that an experiment asks for, each a scenario with a key that names its result."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping

import attrs

from scenarios import parse_policy
from scenarios.experiment import Experiment, cell_text

FORMAT = 9
"""Raised when a simulation, or what is kept of one, changes: results of other formats are not used again."""


@attrs.frozen
class Cell:
    """One simulation: the text of its scenario, and the key of its result."""

    text: str
    key: str
    log: str | None
    """The log that it needs."""


@attrs.frozen
class Place:
    """Where a cell stands: its grid, and its label on each axis."""

    experiment: str
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
    key = hashlib.sha256(f"{FORMAT}\n{text}".encode()).hexdigest()[:24]
    return Cell(text, key, None if log is None else str(log))


def cells_of(experiments: Iterable[Experiment]) -> Iterator[tuple[Place, Cell]]:
    """Yield every cell of some experiments with its place; the same simulation may stand in several."""
    for experiment in experiments:
        for grid in experiment.grids.values():
            for labels, scenario in grid.cells():
                yield Place(experiment.name, grid.name, labels), cell_of(scenario)
