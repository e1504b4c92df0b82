"""The public face: what a program does with a schedule, in one call each.

Everything else is what these calls return: a `Case` (what is simulated), a `Session` (a run that stands at
one of its events), a `Forecast` (the plan of a captured Slurm cluster). docs/python.md shows them at work.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypedDict, Unpack

from shadowtime.console.session import (
    Case,
    Comparison,
    Session,
    SessionError,
    cases_of,
    load,
    open_session,
)
from shadowtime.console.session import compare as compare_cases
from shadowtime.console.session.comparison.outcomes import read_outcomes
from shadowtime.console.session.files.exports import Export
from shadowtime.console.session.files.tidy import Table
from shadowtime.console.session.lab.reproduce import LINES, Lab, experiments
from shadowtime.console.session.lab.store import Store, user_cache
from shadowtime.console.session.lab.tables import Study, jobs_table, measures_table, study_of
from shadowtime.console.session.slurm import Forecast
from shadowtime.console.session.slurm import forecast as forecast_folder
from shadowtime.console.session.slurm.parameters import parse_overrides
from shadowtime.console.widgets.events.text import ChosenJob, why_text
from shadowtime.console.widgets.study.chart import Chart, Dot, Series
from shadowtime.console.words.units import unit_of


class Options(TypedDict, total=False):
    """What may be said beside a file, as on the command line."""

    policy: str
    """Such as `easy:scan=shortest`."""
    settings: Sequence[str]
    """Parameters of the policy, `key=value` each."""
    nodes: int
    """The number of nodes of the machine."""
    traces: str | Path
    """A folder to look for logs in."""
    variant: str
    """The name of a variant of the scenario."""


def open(source: str | Path | Case, **options: Unpack[Options]) -> Session:
    """Return a session of a scenario, a log or a case, before its first event.

    ScenarioError: what is wrong in the file, in its log, or with the policy and its settings. SessionError:
    what contradicts itself, or cannot be said beside a case: `nodes` and `traces`.
    """
    if not isinstance(source, Case):
        return open_session(load(source, **options))
    if wrong := {"nodes", "traces"} & set(options):
        raise SessionError(f"{min(wrong)} goes with a file; expected it where the case was loaded")
    variant, policy, settings = options.get("variant"), options.get("policy"), options.get("settings")
    case = source if variant is None else source.variant(variant)
    case = case if policy is None else case.spoken(policy)
    return open_session(case.set(settings) if settings else case)


def run(source: str | Path | Case, **options: Unpack[Options]) -> Session:
    """Return a session as `open` does, at the end of its run. `session.report()` has the metrics."""
    session = open(source, **options)
    session.go_end()
    return session


def why(session: Session, job: int) -> str:
    """Return why a job (by id) waits, runs or is over where the session stands: a sentence with its numbers.

    The text may have several lines: of a waiting job what happens until it starts. SessionError if there is
    no such job. `session.why` returns the code of the reason and its numbers in place of the sentence.
    """
    choice = ChosenJob.asked(session, job)
    unit = unit_of(session.case.scenario.machine, session.clock)
    return why_text(choice, session.time, session.number, unit)


def expected_starts(session: Session) -> Mapping[int, int]:
    """Return the expected start of each waiting job, by id, in seconds of the session's clock.

    It is the start if each job runs to its estimate and no other job comes. A job without one is left out.
    """
    session.predict()
    return {session.id_of(index): start for index, start in session.predicted_starts().items()}


def forecast(folder: str | Path, *, policy: str = "slurm", expected: bool = False) -> Forecast:
    """Return the plan of the next backfill cycle of a captured Slurm cluster.

    `policy` can change parameters (`slurm:bf_interval=60`). `expected` follows the cluster until each waiting
    job has started. ScenarioError if the folder cannot be read.
    """
    return forecast_folder(folder, expected=expected, overrides=parse_overrides(policy))


def compare(source: str | Path | Case, policies: Sequence[str] = ()) -> Comparison:
    """Run a workload to its end under each policy; return the reports side by side.

    A policy is spelled as on the command line. Without `policies` these are the scenario's own policy and its
    variants.
    """
    case = source if isinstance(source, Case) else load(source)
    return compare_cases([case.spoken(text) for text in policies] or cases_of(case))


def export(session: Session, kind: str, path: str | Path) -> None:
    """Write a session up to its present event: `schedule`, `events`, `swf` or `batsim` (docs/exports.md).

    The file appears complete or not at all. SessionError if there is no such kind; OSError if the file cannot
    be written.
    """
    Export(session, kind, path).run()


def jobs(session: Session) -> Table:
    """Return a row a job with what it has come to: start, finish, wait, response, bounded slowdown."""
    return jobs_table(session.case, session.run.simulation)


def measures(session: Session) -> Table:
    """Return the measures of experiments, of the jobs that are over at the present event.

    A row has a measure, the label on its own axis (a user, a month, a quantile), and the value.
    """
    return measures_table(session.case, session.run.simulation)


def outcomes(path: str | Path) -> Table:
    """Return what another simulator found: Batsim's `jobs.csv`, or AccaSim's schedule, a row a job.

    The columns are `job` (a text), `submit`, `start`, `finish`, `wait` and `response`, in seconds.
    SessionError: the file is neither of the two.
    """
    return read_outcomes(path)


def study(
    file: str | Path,
    *,
    processes: int = 1,
    dask: str | None = None,
    traces: str | Path | None = None,
    results: str | Path | None = None,
) -> Study:
    """Run an experiment file, or one of the program's by its name; return its tables.

    What is finished is kept in the folder `results`, by default the user's cache: an interrupted study
    resumes. With more than one of the `processes` the calling program stands under
    `if __name__ == "__main__":`. `dask` is the address of a scheduler. ScenarioError: what is wrong in the
    file. SessionError: nobody answers.
    """
    found = experiments([str(file)])
    store = Store(user_cache() if results is None else Path(results))
    lab = Lab(found, store, None if traces is None else str(traces), processes, dask)
    lab.run()
    return study_of(lab, found[0])


def chart(
    series: Mapping[str, Iterable[tuple[float, float]]],
    *,
    title: str = "",
    x: str = "",
    y: str = "",
    form: str = LINES,
    logarithmic: bool = False,
) -> Chart:
    """Return a picture of some series of (x, y), by name: `lines`, `bars`, `stacked` or `points`.

    A notebook shows it; `save(path)` writes it as SVG. `logarithmic` is of the y axis.
    """
    drawn = [Series(name, [Dot(*point) for point in points]) for name, points in series.items()]
    return Chart(drawn, title, x, y, form=form, logarithmic=logarithmic)
