"""One cell, simulated: every number that a table or a figure may ask for, as plain data.

The same cell gives the same bytes, in whatever process: no clock is read, nothing is left to chance.
"""

import json
import tempfile
from bisect import bisect_left, bisect_right
from calendar import monthrange
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import reduce
from itertools import pairwise
from operator import add, mul, sub, truediv
from pathlib import Path

import attrs

from shadowtime.console.session.case import Case, load
from shadowtime.console.session.files.report import Outcomes
from shadowtime.console.session.jobs.looseness import estimate_use
from shadowtime.console.session.jobs.users import SHORTEST
from shadowtime.console.session.lab.fairness import jain, later, overtaken
from shadowtime.console.session.lab.intervals import batch_means
from shadowtime.console.session.likely.quantiles import quantile
from shadowtime.console.session.report.stretches import sums_before
from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies.orders import ORDERS_IN_FORCE

DAY = 86_400
FOUR_HOURS = 14_400
FULL = 99
"""The whole per cent, rounded down, of a job that is stopped at its request: it ends a little before."""
HOURS = (1, 2, 3, 4, 6, 12, 18, 24)
"""Jobs are put together by what they ask for: up to so many hours."""
QUANTILES = (0.5, 0.9, 0.95, 0.99, 1.0)
"""The last is the greatest value."""
SLOWDOWNS = (1.1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100)
SWITCH = EVENT_NAMES.index("switch_policy")


def run_cell(text: str, traces: str | None = None) -> str:
    """Simulate a scenario, given as text, to its end; return the results as one line of JSON.

    `traces` is a folder to look for logs in. ScenarioError, SessionError: what is wrong with the scenario.
    """
    with tempfile.TemporaryDirectory(prefix="shadowtime-") as folder:
        path = Path(folder) / "cell.toml"
        path.write_text(text, encoding="utf-8")
        case = load(path, traces=traces)
    simulation = case.simulation()
    shares, days = _run(case, simulation)
    return json.dumps(results_of(case, simulation, shares, days), separators=(",", ":"), allow_nan=False)


def _run(case: Case, simulation: Simulation) -> tuple[dict[str, int], list[tuple[float, float]]]:
    """Run to the end; return the seconds under each order in force, and (busy, queued) of each day."""
    if "in_force" in simulation.status():
        return _run_by_switches(simulation), []
    days = list[tuple[float, float]]()
    first = case.columns.submit[0] if len(case.jobs) else 0
    before = (0.0, 0.0)
    while not simulation.over:
        evening = first + (len(days) + 1) * DAY
        simulation.run(until=evening - 1)
        busy, queued = sums_before(simulation, evening)
        days.append((busy - before[0], queued - before[1]))
        before = busy, queued
    return {}, days


def _run_by_switches(simulation: Simulation) -> dict[str, int]:
    """Run to the end; what is never in force has the share 0."""
    status = simulation.status()
    candidates = status.get("candidates", tuple(sorted(ORDERS_IN_FORCE)))
    assert isinstance(candidates, tuple)
    shares = dict.fromkeys(candidates, 0)
    since, name = simulation.now, status["in_force"]
    while simulation.step():
        last = simulation.last
        if last is not None and last[1] == SWITCH:
            shares[name] += simulation.now - since
            since, name = simulation.now, simulation.status()["in_force"]
    shares[name] += simulation.now - since
    return shares


def results_of(
    case: Case,
    simulation: Simulation,
    shares: Mapping[str, int],
    days: Sequence[tuple[float, float]],
) -> dict[str, object]:
    """Return the results of a simulation as it stands: `shares` and `days` are of `_run`."""
    report = Outcomes(case, simulation).report()
    rows = _Rows(case, simulation)
    total, users = sum(shares.values()), rows.users()
    return {
        **{name: report[name] for name in ("nodes", "jobs", "dropped", "events", "span", "metrics")},
        "workload": rows.workload(case.nodes),
        "months": rows.by_month(case.nodes),
        "sizes": rows.grouped(rows.sizes()),
        "widths": rows.widths(),
        "batches": rows.batches(),
        "ratios": rows.ratios(),
        "percents": rows.percents(),
        "statuses": rows.statuses(),
        "runs": rows.runs(),
        "requests": rows.requests(),
        "slowdowns": rows.slowdowns(),
        "waited": rows.waited(),
        "quantiles": rows.quantiles(),
        "users": users,
        "fairness": rows.fairness(users),
        "shares": {name: {"time": shares[name] / total} for name in sorted(shares)} if total else {},
        "levels": _levels(days, case.nodes),
        "classes": rows.by_class(),
        "preemptions": rows.preemptions(),
        "days": {
            str(day): {"utilization": busy / (case.nodes * DAY), "mean_queue_length": queued / DAY}
            for day, (busy, queued) in enumerate(days)
        },
        "calendar": rows.calendar(days, case.nodes),
        "relocations": simulation.status().get("relocations"),
    }


def _levels(days: Sequence[tuple[float, float]], nodes: int) -> dict[str, dict[str, float]]:
    """The days by their utilization, in tenths: how many, and how long the queue was."""
    queues = dict[str, list[float]]()
    for busy, queued in days:
        tenth = f"{min(int(10 * busy / (nodes * DAY)), 9) / 10:.1f}"
        queues.setdefault(tenth, []).append(queued / DAY)
    return {
        label: {"days": len(queues[label]), "mean_queue_length": sum(queues[label]) / len(queues[label])}
        for label in sorted(queues)
    }


def _percent(runtime: int, estimate: int) -> int:
    """How much of its estimate a job runs, in whole per cent, rounded down."""
    return 100 * runtime // estimate


class _Rows:
    """The jobs that are over, with what each came to."""

    def __init__(self, case: Case, simulation: Simulation) -> None:
        results = simulation.results()
        self._case, self._columns = case, case.columns
        self._epoch = case.columns.epoch or case.scenario.machine.epoch
        self._start, self._finish = results["start"], results["finish"]
        self._preemptions, self._backfilled = results["preemptions"], results["backfilled"]
        self._over = [job for job in range(len(case.jobs)) if self._finish[job] >= 0]
        columns = case.columns
        self._waits = list(map(sub, self._start, columns.submit))
        self._took = list(map(sub, self._finish, columns.submit))
        self._slow = list(map(truediv, self._took, columns.runtime))
        self._fw98 = [
            took / max(runtime, SHORTEST) for took, runtime in zip(self._took, columns.runtime, strict=True)
        ]
        self._bounded = [max(1.0, each) for each in self._fw98]
        self._quanta = [
            runtime / (times + 1) for runtime, times in zip(columns.runtime, self._preemptions, strict=True)
        ]
        self._users = list(columns.user)
        self._work = list(map(mul, columns.runtime, columns.size))
        self._asked = list(map(mul, columns.estimate, columns.size))

    def workload(self, nodes: int) -> dict[str, float | None]:
        columns, count = self._columns, len(self._columns)
        span = columns.submit[-1] - columns.submit[0] if count else 0
        area = sum(size * runtime for size, runtime in zip(columns.size, columns.runtime, strict=True))
        use = estimate_use(columns)
        return {
            "jobs": count,
            "nodes": nodes,
            "weeks": span / (7 * DAY),
            "mean_size": sum(columns.size) / max(count, 1),
            "mean_runtime": sum(columns.runtime) / max(count, 1),
            "mean_estimate": sum(columns.estimate) / max(count, 1),
            "mean_interarrival": span / max(count - 1, 1),
            "load": area / (nodes * span) if span else 0.0,
            "looseness": None if use is None else use.looseness,
        }

    def by_month(self, nodes: int) -> dict[str, dict[str, float]]:
        """The means of the jobs of each month of submission, and their work over that of the machine."""
        means = self.grouped(self.months())
        for label, table in means.items():
            year, month = map(int, label.split("-"))
            table["load"] = table["area"] / (nodes * DAY * monthrange(year, month)[1])
        return means

    def months(self) -> list[str]:
        """The month of submission of each job that is over; '' without a calendar."""
        columns = self._columns
        if columns.group is None or self._epoch is None or not len(columns):
            return ["" for _ in self._over]
        begin = self._epoch + timedelta(seconds=columns.submit[0])
        month = begin.year * 12 + begin.month - 1
        names = {
            group: f"{(month + group) // 12}-{(month + group) % 12 + 1:02d}" for group in set(columns.group)
        }
        return [names[columns.group[job]] for job in self._over]

    def calendar(self, days: Sequence[tuple[float, float]], nodes: int) -> dict[str, dict[str, float]]:
        """The utilization of each calendar month: of the days that begin in it while jobs still come."""
        columns = self._columns
        if self._epoch is None or not len(columns):
            return {}
        first = columns.submit[0]
        busy = dict[str, list[float]]()
        for day in range(min(len(days), (columns.submit[-1] - first) // DAY)):
            begin = self._epoch + timedelta(seconds=first + day * DAY)
            busy.setdefault(f"{begin:%Y-%m}", []).append(days[day][0])
        return {month: {"utilization": sum(sums) / (len(sums) * nodes * DAY)} for month, sums in busy.items()}

    def sizes(self) -> list[str]:
        """The class of each job by its size: 1, 2, 3-4, 5-8, ..."""
        names = {}
        for power in range(25):
            low, high = (1 << power >> 1) + 1, 1 << power
            names[power] = str(high) if low >= high else f"{low}-{high}"
        return [names[(self._columns.size[job] - 1).bit_length()] for job in self._over]

    def by_class(self) -> dict[str, dict[str, float]]:
        """The means of the jobs of each class, if jobs have classes, and what was worst for any of them."""
        columns, classes = self._columns, [self._columns.klass[job] for job in self._over]
        means = self.grouped(classes)
        for name, table in means.items():
            jobs = [job for job, of in zip(self._over, classes, strict=True) if of == name]
            table["total_ratio"] = sum(self._took[job] for job in jobs) / sum(
                columns.runtime[job] for job in jobs
            )
            table["max_slowdown"] = max(self._slow[job] for job in jobs)
            table["max_wait"] = max(self._waits[job] for job in jobs)
            table["max_preemptions"] = max(self._preemptions[job] for job in jobs)
        return means

    def preemptions(self) -> dict[str, dict[str, float]]:
        """The share of the jobs that were preempted never, once, twice, ... fifteen times or more."""
        counts = Counter(min(self._preemptions[job], 15) for job in self._over)
        return {str(times): {"jobs": counts[times] / len(self._over)} for times in sorted(counts)}

    def runs(self) -> dict[str, dict[str, float]]:
        """The share of the jobs that are run once, twice, ... ten times or more; nothing of an open loop."""
        columns = self._columns
        if columns.after is None:
            return {}
        run = Counter[int]()
        lasts = set(columns.id)
        for job, before in zip(columns.id, columns.after, strict=True):
            run[job] = run[before] + 1
            lasts.discard(before)
        counts = Counter(min(run[job], 10) for job in lasts)
        return {str(times): {"jobs": counts[times] / len(lasts)} for times in sorted(counts)}

    def ratios(self) -> dict[str, dict[str, float]]:
        """The share of the jobs whose runtime is up to a tenth, ... of the estimate; those killed apart."""
        columns, count = self._columns, len(self._columns)
        bounds = [tenth / 10 for tenth in range(1, 10)]
        counts = [0] * 10
        killed = 0
        for runtime, estimate, cut in zip(columns.runtime, columns.estimate, columns.killed, strict=True):
            if cut:
                killed += 1
            else:
                counts[bisect_left(bounds, runtime / estimate)] += 1
        shares = {f"{(place + 1) / 10:.1f}": found / max(count, 1) for place, found in enumerate(counts)}
        return {name: {"jobs": share} for name, share in {**shares, "killed": killed / max(count, 1)}.items()}

    def percents(self) -> dict[str, dict[str, float]]:
        """The share of the jobs that run for so many per cent of their estimate, rounded down."""
        columns = self._columns
        found = Counter(map(_percent, columns.runtime, columns.estimate))
        return (
            {str(percent): {"jobs": found[percent] / len(columns)} for percent in range(101)} if found else {}
        )

    def statuses(self) -> dict[str, dict[str, float]]:
        """The jobs of a log by status, and all: how many, and how many of them use 99 % of their request.

        Per cent are rounded down: a job that ran beyond its request is not among them. The same of those that
        ask for four hours.
        """
        columns = self._columns
        if columns.status is None:
            return {}
        full = (_percent(*each) == FULL for each in zip(columns.runtime, columns.estimate, strict=True))
        four = (estimate == FOUR_HOURS for estimate in columns.estimate)
        alike = Counter(zip(columns.status, full, four, strict=True))
        found = dict[str, Counter[str]]()
        for (status, at_request, four_hours), jobs in alike.items():
            for label in (str(status), "all"):
                found.setdefault(label, Counter()).update(
                    jobs=jobs,
                    at_request=jobs * at_request,
                    of_four_hours=jobs * four_hours,
                    of_four_hours_at_request=jobs * (at_request and four_hours),
                )
        return {label: dict(found[label]) for label in sorted(found, key=_natural)}

    def requests(self) -> dict[str, dict[str, float]]:
        """The jobs by what they ask for, in hours: their share, and that of them which need 4 % of it."""
        columns, count = self._columns, len(self._columns)
        found = dict[str, list[int]]()
        for runtime, estimate in zip(columns.runtime, columns.estimate, strict=True):
            hours = next((hours for hours in HOURS if estimate <= hours * 3600), None)
            label = f"over {HOURS[-1]}" if hours is None else str(hours)
            short = found.setdefault(label, [0, 0])
            short[0] += 1
            short[1] += 25 * runtime <= estimate
        return {
            label: {"jobs": found[label][0] / count, "below_twenty_fifth": found[label][1] / found[label][0]}
            for label in sorted(found, key=_natural)
        }

    def waited(self) -> dict[str, float]:
        """The share of the jobs that start later than they come, and how many of these were backfilled."""
        waited = [job for job in self._over if self._start[job] > self._columns.submit[job]]
        backfilled = sum(self._backfilled[job] for job in waited)
        return {
            "jobs": len(waited) / max(len(self._over), 1),
            "backfilled": backfilled / max(len(waited), 1),
        }

    def quantiles(self) -> dict[str, dict[str, float]]:
        """Waits, responses and slowdowns at some levels (docs/forecast.md); the last is the greatest."""
        if not self._over:
            return {}
        columns = {
            "wait": self._waits,
            "response": self._took,
            "slowdown": self._slow,
            "bounded_slowdown": self._bounded,
        }
        values = {name: sorted(column[job] for job in self._over) for name, column in columns.items()}
        return {
            f"{level:g}": {name: quantile(ordered, level) for name, ordered in values.items()}
            for level in QUANTILES
        }

    def users(self) -> dict[str, dict[str, float]]:
        """What the jobs of each user came to; a job without a user counts for none."""
        return {
            user: {
                "jobs": len(jobs),
                "area": sum(self._work[job] for job in jobs),
                "mean_wait": sum(self._waits[job] for job in jobs) / len(jobs),
                "max_wait": max(self._waits[job] for job in jobs),
                "mean_bounded_slowdown": _total(self._bounded, jobs) / len(jobs),
            }
            for user, jobs in self._groups(self._users[job] for job in self._over)
        }

    def fairness(self, users: Mapping[str, Mapping[str, float]]) -> dict[str, float | None]:
        """How fair the schedule is to jobs and users."""
        jobs, submits = self._over, self._columns.submit
        return {
            "overtaken": overtaken([submits[job] for job in jobs], [self._start[job] for job in jobs]),
            "later": later(self._case, jobs, self._start),
            "users": jain([table["mean_bounded_slowdown"] for table in users.values()]),
        }

    def slowdowns(self) -> dict[str, dict[str, float]]:
        """The share of the jobs with a slowdown of up to so much; of the interactive ones if any."""
        columns = self._columns
        jobs = [job for job in self._over if columns.klass[job] == "interactive"] or self._over
        plain, bounded = (sorted(column[job] for job in jobs) for column in (self._slow, self._bounded))
        count = max(len(jobs), 1)
        return {
            f"{most:g}": {
                "plain": bisect_right(plain, most) / count,
                "bounded": bisect_right(bounded, most) / count,
            }
            for most in SLOWDOWNS
        }

    def batches(self) -> dict[str, object]:
        """Batch means of the slowdown, in the order of the ends, then of the trace; None of too few jobs."""
        ended = sorted(self._over, key=self._finish.__getitem__)
        found = batch_means([self._slow[job] for job in ended])
        if found is None or found.half is None:
            return {"mean_slowdown": None, "used": None, "relative_half": None}
        relative = found.half / found.mean
        return {"mean_slowdown": attrs.asdict(found), "used": found.count, "relative_half": relative}

    def widths(self) -> dict[str, dict[str, int]]:
        """The jobs of each number of nodes, what they took of them, and what they asked for."""
        columns = self._columns
        found = dict[int, list[int]]()
        for job in self._over:
            size = columns.size[job]
            sums = found.setdefault(size, [0, 0, 0])
            sums[0] += 1
            sums[1] += size * columns.runtime[job]
            sums[2] += size * columns.estimate[job]
        names = ("jobs", "area", "estimated_area")
        return {str(size): dict(zip(names, found[size], strict=True)) for size in sorted(found)}

    def grouped(self, labels: Iterable[str]) -> dict[str, dict[str, float]]:
        """The means of each group of jobs, by label in order."""
        return {label: self._means(jobs) for label, jobs in self._groups(labels)}

    def _groups(self, labels: Iterable[str]) -> Iterator[tuple[str, list[int]]]:
        """Yield the jobs that are over by their labels, these in order; those without one are left out."""
        groups = dict[str, list[int]]()
        for job, label in zip(self._over, labels, strict=True):
            groups.setdefault(label, []).append(job)
        groups.pop("", None)
        yield from ((label, groups[label]) for label in sorted(groups, key=_natural))

    def _means(self, jobs: Sequence[int]) -> dict[str, float]:
        count = len(jobs)
        columns = {
            "mean_wait": self._waits,
            "mean_response": self._took,
            "mean_slowdown": self._slow,
            "mean_bounded_slowdown": self._bounded,
            "mean_bounded_slowdown_fw98": self._fw98,
        }
        means = {name: _total(column, jobs) / count for name, column in columns.items()}
        preempted = [job for job in jobs if self._preemptions[job]]
        means["preempt_ratio"] = len(preempted) / count
        means["mean_preemptions"] = sum(self._preemptions[job] for job in preempted) / count
        means["mean_quantum"] = _total(self._quanta, jobs) / count
        if preempted:
            means["mean_quantum_of_preempted"] = _total(self._quanta, preempted) / len(preempted)
        areas = {
            name: sum(map(column.__getitem__, jobs))
            for name, column in (("area", self._work), ("estimated_area", self._asked))
        }
        return {"jobs": count, **areas, **means, **self._spread(jobs)}

    def _spread(self, jobs: Sequence[int]) -> dict[str, float]:
        """Medians of what the jobs are like, the width of the middle 90 %, and how many users there are."""
        columns = self._columns
        submits = [columns.submit[job] for job in sorted(jobs)]
        columns_of = {
            "runtime": [columns.runtime[job] for job in jobs],
            "size": [columns.size[job] for job in jobs],
            "work": [self._work[job] for job in jobs],
            "interarrival": [late - early for early, late in pairwise(submits)] or [0],
        }
        spread = {"users_per_job": len({self._users[job] for job in jobs}) / len(jobs)}
        for name, most in (("below_minute", 60), ("below_hour", 3600)):
            spread[name] = sum(columns.runtime[job] <= most for job in jobs) / len(jobs)
        for name, values in columns_of.items():
            values.sort()
            last = len(values) - 1
            low, high = values[round(0.05 * last)], values[round(0.95 * last)]
            spread[f"median_{name}"] = values[last // 2]
            spread[f"interval_{name}"] = high - low
        return spread


def _total(column: Sequence[float], jobs: Sequence[int]) -> float:
    """The sum of some rows, from left to right: `sum` has other last digits in other versions of Python."""
    return reduce(add, map(column.__getitem__, jobs), 0.0)


def _natural(label: str) -> tuple[float, str]:
    """Sort 9 before 10, and months by the calendar."""
    head = label.split("-")[0]
    try:
        return float(head), label
    except ValueError:
        return float("inf"), label
