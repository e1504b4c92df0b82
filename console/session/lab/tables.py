"""Tidy tables: the jobs of a run, its measures, and those of every cell of an experiment."""

from collections.abc import Iterator, Sequence
from typing import TextIO

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.files.tidy import Table, write_rows
from shadowtime.console.session.jobs.users import bounded_slowdown
from shadowtime.console.session.lab.cells import cells_of
from shadowtime.console.session.lab.judging.rows import rows_of
from shadowtime.console.session.lab.judging.verdicts import Found
from shadowtime.console.session.lab.measures import MEASURES, Results, measured
from shadowtime.console.session.lab.report import means_data, not_run, rows_table
from shadowtime.console.session.lab.reproduce import Lab
from shadowtime.console.session.lab.simulate import results_of
from shadowtime.console.session.lab.store import Store
from shadowtime.console.session.travel.moments import NONE
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios.experiment import Experiment

OF_MEASURES = ("measure", "label", "value", "half")


@attrs.frozen
class Study:
    """What came of one experiment."""

    cells: Table
    """A row for each cell, measure and label (`cell_rows`)."""
    means: Table
    """A row for each place of the tables of means; `difference` is from what the table compares with."""
    rows: Table
    """A row for each published value and statement; empty if the experiment has none."""
    not_run: tuple[str, ...]
    """What was not simulated, and why."""


def study_of(lab: Lab, experiment: Experiment) -> Study:
    """Return what the results of a lab make of an experiment."""
    found = lab.found(experiment)
    missing = (not_run(log, count) for log, count in found.missing.items())
    return Study(
        Table.of_rows(cell_names(experiment), cell_rows(lab.store, experiment)),
        means_table(found),
        rows_table(rows_of(found)),
        (*missing, *found.failures),
    )


def means_table(found: Found) -> Table:
    places = ("title", "row", "column", "ours", "half", "difference", "difference_half")
    rows = ((means.means.view.title, *value.values()) for means in found.means for value in means_data(means))
    return Table.of_rows((*places, "pairs", "p", "p_holm", "sense"), rows)


def jobs_table(case: Case, simulation: Simulation) -> Table:
    """Return a row a job, in order of submission; what has not happened is None.

    Times are seconds of the clock of the case, sizes are in the unit of its machine.
    """
    columns, results = case.columns, simulation.results()
    start, finish = (
        [None if each == NONE else each for each in results[name]] for name in ("start", "finish")
    )
    waits, took = (_since(columns.submit, then) for then in (start, finish))
    slow = [
        None if each is None else bounded_slowdown(each, runtime)
        for each, runtime in zip(took, columns.runtime, strict=True)
    ]
    return Table(
        {
            "job": columns.id,
            "user": columns.user,
            "class": columns.klass,
            **{name: getattr(columns, name) for name in ("size", "submit", "runtime", "estimate")},
            **{"start": start, "finish": finish, "wait": waits, "response": took, "bounded_slowdown": slow},
            **{name: results[name] for name in ("backfilled", "preemptions")},
        }
    )


def measures_table(case: Case, simulation: Simulation) -> Table:
    """Return the measures of a run as it stands; `label` is of the measure's own axis (a user, a quantile).

    Measures of days and of orders in force are those of cells alone.
    """
    return Table.of_rows(OF_MEASURES, _measures(results_of(case, simulation, {}, ())))


def cell_names(experiment: Experiment) -> tuple[str, ...]:
    """Return the columns of `cell_rows`: the grid, each axis, and those of a measure."""
    axes = (axis.name for grid in experiment.grids.values() for axis in grid.axes)
    return ("grid", *dict.fromkeys(axes), *OF_MEASURES)


def write_cells(stream: TextIO, store: Store, experiment: Experiment) -> None:
    """Write `cell_rows` as CSV, each row as its cell is read."""
    write_rows(stream, cell_names(experiment), cell_rows(store, experiment))


def cell_rows(store: Store, experiment: Experiment) -> Iterator[tuple[object, ...]]:
    """Yield a row for each measure and label of every cell of an experiment that was run, cell by cell.

    `half` is half the width of a 90 % interval if the cell itself has one. An axis that a grid does not have
    is None.
    """
    axes = cell_names(experiment)[1 : -len(OF_MEASURES)]
    for place, cell in cells_of([experiment]):
        results = store.read(cell)
        own = [axis.name for axis in experiment.grids[place.grid].axes]
        labels = dict(zip(own, place.labels, strict=True))
        at = (place.grid, *map(labels.get, axes))
        yield from ((*at, *row) for row in (_measures(results) if results is not None else ()))


def _measures(results: Results) -> list[tuple[object, ...]]:
    return [
        (measure, label, value.mean, value.half)
        for measure in sorted(MEASURES)
        for label, value in measured(results, measure).items()
    ]


def _since(submits: Sequence[int], then: Sequence[int | None]) -> list[int | None]:
    return [
        None if instant is None else instant - submit for submit, instant in zip(submits, then, strict=True)
    ]
