"""What a run came to: the object of `run --json`, the schedule as CSV, the events as JSON lines."""

import json
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from shadowtime.console.session.case import Case
from shadowtime.console.session.facts import Event
from shadowtime.console.session.files.replay import Held, Replay
from shadowtime.console.session.files.writers import counted, written_whole
from shadowtime.console.session.jobs.names import names_of
from shadowtime.console.session.jobs.predictions import first_forecasts, mean_error
from shadowtime.console.session.nodes.lists import node_list
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.travel.moments import NONE
from shadowtime.console.session.travel.trend import INSTANT, NAMES
from shadowtime.kernels.core.order import order_of
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios import format_action, format_nodes

REPORTED = tuple(name for name in NAMES if name not in INSTANT)
"""The metrics of `run --json`, in its order."""
COLUMNS = (
    "job_id,submit,start,finish,size,runtime,estimate,preemptions,backfilled,first_predicted_start,nodes"
)


class Outcomes:
    """The results of one simulation as it stands, with the first predictions.

    A column is made when it is asked for, and not kept: all of them take 40 bytes a job. `replay` finds the
    nodes that each job held last, if they are asked for.
    """

    def __init__(self, case: Case, simulation: Simulation, replay: Replay | None = None) -> None:
        self._case = case
        self._simulation = simulation
        self._replay = replay
        self._held: Held | None = None
        self._first: array[int] | None = None
        """The first prediction of each job, if they have been made."""

    @property
    def columns(self) -> Mapping[str, "array[int]"]:
        """Every column, by its name in the kernel."""
        return {**self._simulation.results(), "first_promise": self.first}

    @property
    def first(self) -> "array[int]":
        """The first start that each job was promised, or predicted once `predict` has been called."""
        return self.column("first_promise") if self._first is None else self._first

    def column(self, name: str) -> "array[int]":
        return self._simulation.results(name)[name]

    def predict(self, progress: Progress | None = None) -> None:
        """Fill in the forecast of each job's submission if the policy promised nothing."""
        expected, first = first_forecasts(self._case, self._simulation.submitted, progress), self.first
        for job in range(self._simulation.submitted):
            if first[job] == NONE:
                first[job] = expected[job]
        self._first = first

    def locate(self, progress: Progress | None = None) -> Held:
        """Return the nodes that each job held last, from a replay of the run."""
        if self._held is None:
            assert self._replay is not None
            self._held = self._replay.held(progress)
        return self._held

    def mean_error(self) -> float | None:
        """Return the mean distance, in seconds, of the first predicted from the actual start."""
        return mean_error(self.column("start"), self.first)

    def report(self) -> dict[str, object]:
        """Return the object that `run --json` prints."""
        case, simulation = self._case, self._simulation
        metrics = simulation.metrics()
        found = {name: metrics.get(name) for name in REPORTED}
        found["mean_prediction_error"] = self.mean_error()
        epoch = case.scenario.epoch
        return {
            "scenario": case.scenario.title,
            "policy": case.policy,
            "parameters": dict(case.parameters),
            "nodes": case.nodes,
            "jobs": len(case.jobs),
            "rows": case.scenario.workload.rows,
            "dropped": dict(case.scenario.workload.dropped),
            "dropped_lines": dict(case.scenario.workload.dropped_lines),
            "events": simulation.event,
            "span": self._span(),
            **({} if epoch is None else {"epoch": epoch.isoformat()}),
            "metrics": found,
        }

    def steered(self) -> Mapping[str, object]:
        """Return what the operator did and what failed came to; empty if nothing of either could.

        Actions that were done, why others were refused, the policy in force at last with its parameters,
        the jobs that were cancelled, those that a failure killed, and those left over that have not started.
        """
        scenario, simulation = self._case.scenario, self._simulation
        if not scenario.actions and not scenario.outages:
            return {}
        submitted = range(simulation.submitted)
        ways = Counter(simulation.outcome(job) for job in submitted)
        starts = self.column("start")
        refused = [refusal.text for refusal in names_of(scenario).refused(simulation)]
        return {
            "actions": simulation.acted - len(refused),
            "refused": refused,
            "policy": simulation.policy_name,
            "parameters": dict(simulation.parameters),
            "cancelled": ways["cancelled"],
            "struck": ways["struck"],
            "not_started": sum(starts[job] == NONE and simulation.outcome(job) is None for job in submitted),
        }

    def schedule(self) -> Iterator[Mapping[str, object]]:
        """Yield the jobs of `run --json --jobs`, by id; what has not happened is None."""
        held, size = self.locate(), self._case.scenario.machine.node_size
        ids = self._case.columns.id
        for index in order_of(ids):
            start, finish, _, _, _ = self._simulation.result(index)
            nodes = held.of(index)
            yield {
                "job": ids[index],
                "start": None if start == NONE else start,
                "finish": None if finish == NONE else finish,
                "nodes": node_list(nodes, size) if nodes else None,
            }

    def save_schedule(self, path: str | Path, progress: Progress | None = None) -> None:
        """Write the schedule as CSV, one row a job, by job id. OSError leaves nothing half-written."""
        self.locate(progress)
        with written_whole(path) as stream:
            stream.write(COLUMNS + "\n")
            stream.writelines(counted(self._lines(), len(self._case.jobs), progress))

    def _span(self) -> int | None:
        """Return the seconds from the first submission to the last end so far."""
        last = max(self.column("finish"), default=NONE)
        return None if last == NONE else last - self._case.columns.submit[0]

    def _lines(self) -> Iterator[str]:
        jobs, predicted = self._case.columns, self._first
        held, node_size = self.locate(), self._case.scenario.machine.node_size
        for index in order_of(jobs.id):
            start, finish, backfilled, preempted, first = self._simulation.result(index)
            if predicted is not None:
                first = predicted[index]
            nodes = node_list(held.of(index), node_size)
            yield (
                f"{jobs.id[index]},{jobs.submit[index]},{_cell(start)},{_cell(finish)},{jobs.size[index]},"
                f"{jobs.runtime[index]},{jobs.estimate[index]},"
                f"{preempted},{backfilled},{_cell(first)},{_quoted(nodes)}\n"
            )


def _cell(value: int) -> str:
    return "" if value == NONE else str(value)


def _quoted(text: str) -> str:
    """Return a text as a cell of a CSV: in quotes if it has a comma."""
    return f'"{text}"' if "," in text else text


def save_events(replay: Replay, path: str | Path, progress: Progress | None = None) -> None:
    """Write the events of a run as JSON lines, replayed. OSError leaves nothing half-written."""
    simulation, last, names = replay.begun(), replay.simulation.event, names_of(replay.case.scenario)
    with written_whole(path) as stream:
        while simulation.event < last and simulation.step():
            event = names.last_event(simulation)
            assert event is not None
            stream.write(event_line(event))
            if progress is not None and not event.number % 4096:
                progress(event.number, last)


def event_line(event: Event) -> str:
    """Return one event as a line of JSON, with its line end.

    An action is there as it is typed, `hold 31`; so are nodes that fail or come back, `0-15,20`.
    """
    decisions = [
        {
            "kind": decision.kind,
            "job": decision.job,
            "reason": decision.reason.code,
            "numbers": dict(decision.reason.numbers),
        }
        for decision in event.decisions
    ]
    fields: dict[str, object] = {
        "n": event.number,
        "time": event.time,
        "kind": event.kind,
        "job": event.job,
        "decisions": decisions,
    }
    if event.action is not None:
        fields["action"] = format_action(event.action)
    if event.nodes:
        fields["nodes"] = format_nodes(event.nodes)
    return json.dumps(fields, separators=(",", ":")) + "\n"
