"""Reproducing: experiments are run, and what came out stands beside what the papers say."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import attrs

from shadowtime.console.session.case import load
from shadowtime.console.session.checking import check
from shadowtime.console.session.lab.cells import CellPlace, cell_of, cells_of
from shadowtime.console.session.lab.judging.claims import judge_claim
from shadowtime.console.session.lab.judging.means import tabled
from shadowtime.console.session.lab.judging.tables import judge_table
from shadowtime.console.session.lab.judging.verdicts import CheckFound, Found
from shadowtime.console.session.lab.measures import MEASURES, Results
from shadowtime.console.session.lab.store import Store
from shadowtime.console.session.lab.work import OnProgress, work
from shadowtime.scenarios import LogMissing, find_log
from shadowtime.scenarios.experiment import BARS as BARS
from shadowtime.scenarios.experiment import FOLDER, find_experiments
from shadowtime.scenarios.experiment import LEVEL as LEVEL
from shadowtime.scenarios.experiment import LINES as LINES
from shadowtime.scenarios.experiment import POINTS as POINTS
from shadowtime.scenarios.experiment import STACKED as STACKED
from shadowtime.scenarios.experiment import Experiment as Experiment
from shadowtime.scenarios.experiment import Plot as Plot
from shadowtime.scenarios.experiment_reader import read_experiment


def experiments(names: Sequence[str] = ()) -> tuple[Experiment, ...]:
    """Read the experiments of these names, or all. ScenarioError carries every fault of a file."""
    return tuple(read_experiment(path, MEASURES) for path in find_experiments(names, FOLDER))


@attrs.frozen(eq=False)
class Lab:
    """Experiments with the results that there are."""

    experiments: tuple[Experiment, ...]
    store: Store
    traces: str | None = None
    jobs: int = 1
    dask: str | None = None
    _failed: dict[str, str] = attrs.field(factory=dict, init=False)

    def run(self, on_progress: OnProgress | None = None) -> None:
        """Simulate what is not there yet. KeyboardInterrupt: what is finished stays."""
        absent = self.absent()
        cells = [cell for _, cell in cells_of(self.experiments) if cell.log not in absent]
        failures = work(
            cells, self.store, jobs=self.jobs, dask=self.dask, traces=self.traces, on_progress=on_progress
        )
        self._failed.update((failure.cell.key, failure.reason) for failure in failures)

    def absent(self) -> frozenset[str]:
        """The logs that the experiments need and that are not on this machine."""
        logs = dict.fromkeys(log for experiment in self.experiments for log in experiment.logs)
        return frozenset(log for log in logs if path_of_log(log, self.traces) is None)

    def found(self, experiment: Experiment) -> Found:
        """Judge one experiment by the results that there are."""
        absent = self.absent()
        lookup = self.lookup()
        places = list(cells_of([experiment]))
        cells = [cell for _, cell in places]
        missing = {log: sum(cell.log == log for cell in cells) for log in experiment.logs if log in absent}
        failed = [(self._failed[cell.key], at) for at, cell in places if cell.key in self._failed]
        return Found(
            experiment,
            tuple(judge_table(experiment, table, lookup) for table in experiment.tables),
            tuple(judge_claim(experiment, claim, lookup) for claim in experiment.claims),
            tuple(_checked(path, experiment) for path in experiment.scenarios),
            sum(self.store.has(cell) for cell in cells),
            missing,
            tuple(_failures(failed)),
            tuple(tabled(experiment, means, lookup) for means in experiment.means),
        )

    def lookup(self) -> Callable[[Mapping[str, object]], Results | None]:
        """Return what gives the results of a cell by its scenario; each is read from disk once."""
        known = dict[str, Results | None]()

        def results(scenario: Mapping[str, object]) -> Results | None:
            cell = cell_of(scenario)
            if cell.key not in known:
                known[cell.key] = self.store.read(cell)
            return known[cell.key]

        return results


def _failures(failed: Sequence[tuple[str, CellPlace]]) -> Iterator[str]:
    """Yield each reason why cells could not be run, with how many they are, and which is the first."""
    counts = Counter(reason for reason, _ in failed)
    for reason, at in dict(reversed(failed)).items():
        cells = "1 cell" if counts[reason] == 1 else f"{counts[reason]} cells, the first"
        yield f"{reason} ({cells}: {', '.join((at.grid, *at.labels))})"


def _checked(path: Path, experiment: Experiment) -> CheckFound:
    outcomes = check(load(path))
    failing = tuple(str(outcome) for outcome in outcomes if not outcome.passed)
    return CheckFound(os.path.relpath(path, experiment.path.parent.parent), len(outcomes), failing)


def path_of_log(log: str, traces: str | None) -> Path | None:
    """Return where a log is on this machine, `traces` being a folder to look in; None if it is not here."""
    try:
        return find_log(log, None, None if traces is None else Path(traces))
    except LogMissing:
        return None
