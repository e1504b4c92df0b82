"""The report of a log or a scenario: a window of its run under a policy."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.clock import Clock
from shadowtime.console.session.comparison.lanes import lanes_of, same, spoken_lanes
from shadowtime.console.session.comparison.lockstep import FEWEST
from shadowtime.console.session.comparison.verdict import Evidence, LaneVerdict, Window, typed_window, verdict
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.likely.score import Score, by_horizon, forecasts
from shadowtime.console.session.progress import Progress, no_progress
from shadowtime.console.session.report.stretches import Stretch, edges_of, stretches
from shadowtime.console.session.report.waits import WaitsBy, waits_by_user
from shadowtime.console.session.report.worst import LongWait, explained, longest_waits
from shadowtime.console.session.work import PIECE
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios.traces.archive import is_log
from shadowtime.scenarios.traces.recorded import recorded_mean_wait

SNAPSHOTS, SAMPLES, SEED = 20, 25, 1
"""Moments of the window at which starts are forecast, and samples of each."""
JUDGED = 20
"""Users for each of whom it is judged what another policy does."""


@attrs.frozen
class MachineReport:
    """What a report says."""

    case: Case
    window: range
    stretches: Sequence[Stretch]
    waits: WaitsBy
    worst: Sequence[LongWait]
    scores: Mapping[str, Score]
    """How good forecasts were, all of them first; empty if no job waits long enough for one."""
    rival: LaneVerdict
    """What the other policy does to the waits."""
    evidence: Mapping[str, Evidence | None]
    """The same of the users whose waits it changes most, each by itself."""
    recorded: float | None
    """The mean wait of the jobs of the window by their log, in seconds; None if it is not known."""

    @property
    def decided(self) -> Set[str]:
        """The users whose own jobs show that the other policy changes their waits."""
        return {user for user, found in self.evidence.items() if found is not None and found.carries}

    @property
    def utilization(self) -> float:
        """The share of the machine that ran jobs in the window."""
        busy = sum(each.busy * (each.end - each.begin) for each in self.stretches)
        return busy / (self.case.nodes * (len(self.window)))

    @property
    def fullest(self) -> Stretch:
        """The stretch in which the longest queue stood, the first of several."""
        return max(self.stretches, key=lambda each: each.longest)


def rival_of(case: Case, named: str | None = None) -> Case:
    """Return the variant or the policy that a run is compared with; by default the one that `=` shows.

    SessionError or ScenarioError in one line: no such policy, or nothing to compare with.
    """
    lanes = lanes_of(case, FEWEST) if named is None else spoken_lanes(case, [named])
    return next(one for one in lanes if not same(one, case))


def machine_report(case: Case, window: range, rival: Case, progress: Progress = no_progress) -> MachineReport:
    """Run a case, and another one over the same jobs, to the end; return the report of a window."""
    simulation = case.simulation()
    course = tuple(_reported(stretches(simulation, edges_of(window)), progress))
    _run(simulation, progress)
    found = simulation.results("start", "finish")
    starts = found["start"]
    jobs = longest_waits(case, starts, window)
    rows = forecasts(case, snapshots=SNAPSHOTS, seed=SEED, samples=SAMPLES, within=window, progress=progress)
    other = rival.simulation()
    _run(other, progress)
    lanes, names = (starts, other.results("start")["start"]), (case.name, rival.name)

    def judged(user: str | None = None) -> LaneVerdict:
        asked = Window(window.start, window.stop - 1, user)
        return verdict(case.columns, names, lanes, asked)

    changed = judged()
    return MachineReport(
        case,
        window,
        course,
        waits_by_user(case, simulation, window),
        explained(case, starts, found["finish"], jobs, progress),
        by_horizon(list(rows)),
        changed,
        {each.user: judged(each.user).evidence[0] for each in changed.users[:JUDGED]},
        _recorded(case, window),
    )


def _run(simulation: Simulation, progress: Progress) -> None:
    """Run to the end; `progress` is called on the way, and may break it off."""
    while simulation.run(events=PIECE):
        progress(0, 0)


def _reported(found: Iterable[Stretch], progress: Progress) -> Iterator[Stretch]:
    for each in found:
        progress(0, 0)
        yield each


def _recorded(case: Case, window: range) -> float | None:
    log = case.scenario.log or case.scenario.path
    return recorded_mean_wait(log, case.columns, window) if is_log(log) else None


def window_of(
    case: Case, since: str | None = None, until: str | None = None, clock: Clock | None = None
) -> range:
    """Return the seconds from one typed place to another, both included; by default the whole run.

    SessionError in one line: a text that is no place, and a window in which no job comes.
    """
    typed, submits = typed_window(case, since, until, clock=clock), case.columns.submit
    if not submits:
        raise SessionError("no job comes: there is nothing to report")
    simulation = case.simulation()
    simulation.run()
    first = submits[0] if typed.since is None else typed.since
    last = max(simulation.now, submits[-1]) if typed.until is None else typed.until
    window = range(first, last + 1)
    if not any(submit in window for submit in submits):
        raise SessionError(
            f"no job is submitted {f'from {since}' if since else ''}{' ' if since and until else ''}"
            f"{f'until {until}' if until else ''}; expected a window in which jobs come"
        )
    return window
