"""The first predicted start of every job of a run, and how far off it was."""

from array import array

from shadowtime.console.session.case import Case
from shadowtime.console.session.jobs.predictions import first_starts
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.travel.moments import NONE
from shadowtime.kernels.core.simulation import Simulation


def first_forecasts(case: Case, jobs: int, progress: Progress | None = None) -> "array[int]":
    """Return each job's forecast at its submission, after the pass; NONE beyond the first `jobs`.

    Costs a forecast for each instant of submission at which somebody is left waiting.
    """
    submits = case.columns.submit
    first = array("q", [NONE]) * len(submits)
    simulation = case.simulation()
    job = 0
    while job < jobs:
        simulation.run(until=submits[job])
        _fill(simulation, first, job)
        job = simulation.submitted
        if progress is not None:
            progress(min(job, jobs), jobs)
    return first


def _fill(simulation: Simulation, first: "array[int]", since: int) -> None:
    """Note the first prediction of the jobs from row `since` on, which have just come."""
    for job, start in first_starts(simulation, range(since, simulation.submitted)).items():
        first[job] = start


def mean_error(start: "array[int]", first: "array[int]") -> float | None:
    """Return the mean distance, in seconds, of the first predicted start from the actual one."""
    total = count = 0
    for began, predicted in zip(start, first, strict=True):
        if began != NONE and predicted != NONE:
            total += abs(began - predicted)
            count += 1
    return total / count if count else None
