"""What a run came to: the object of `run --json`, the schedule as CSV, the events as JSON lines."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from shadowtime.console.session.case import Case
from shadowtime.console.session.facts import Event
from shadowtime.console.session.files.replay import Nodes, Replay
from shadowtime.console.session.files.writers import written_whole
from shadowtime.console.session.jobs.first_predictions import first_forecasts, mean_error
from shadowtime.console.session.jobs.names import names_of
from shadowtime.console.session.nodes.lists import node_list
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.travel.moments import NONE
from shadowtime.console.session.travel.trend import INSTANT, NAMES
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios import format_action, format_nodes

REPORTED = tuple(name for name in NAMES if name not in INSTANT)
"""The metrics of `run --json`, in its order."""
COLUMNS = (
    "job_id,submit,start,finish,size,runtime,estimate,preemptions,backfilled,first_predicted_start,nodes"
)


class Outcomes:
    """The columns of results of one simulation as it stands, with the first predictions.

    `held` are the nodes that each job held last, by index; a replay finds them if they are asked for.
    """

    def __init__(self, case: Case, simulation: Simulation, held: Mapping[int, Nodes] | None = None) -> None:
        self._case = case
        self._simulation = simulation
        self._held = held
        self.columns = simulation.results()
        self.first = self.columns["first_promise"]

    def predict(self, progress: Progress | None = None) -> None:
        """Fill in the forecast of each job's submission if the policy promised nothing."""
        expected = first_forecasts(self._case, self._simulation.submitted, progress)
        for job in range(self._simulation.submitted):
            if self.first[job] == NONE:
                self.first[job] = expected[job]

    def locate(self, progress: Progress | None = None) -> Mapping[int, Nodes]:
        """Return the nodes that each job held last, by index, from a replay of the run."""
        if self._held is None:
            _, self._held = Replay(self._case, self._simulation.event).stand_with_nodes(progress)
        return self._held

    def mean_error(self) -> float | None:
        """Return the mean distance, in seconds, of the first predicted from the actual start."""
        return mean_error(self.columns["start"], self.first)

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
        starts = self.columns["start"]
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

    def schedule(self, progress: Progress | None = None) -> list[dict[str, object]]:
        """Return the jobs of `run --json --jobs`, by id; what has not happened is None."""
        held, size = self.locate(progress), self._case.scenario.machine.node_size
        starts, finishes = self.columns["start"], self.columns["finish"]
        return [
            {
                "job": job,
                "start": None if starts[index] == NONE else starts[index],
                "finish": None if finishes[index] == NONE else finishes[index],
                "nodes": node_list(held[index], size) if index in held else None,
            }
            for job, index in sorted((job, index) for index, job in enumerate(self._case.columns.id))
        ]

    def save_schedule(self, path: str | Path) -> None:
        """Write the schedule as CSV, one row a job, by job id. OSError leaves nothing half-written."""
        self.locate()
        with written_whole(path) as stream:
            stream.write(COLUMNS + "\n")
            stream.writelines(self._lines())

    def _span(self) -> int | None:
        """Return the seconds from the first submission to the last end so far."""
        finishes = self.columns["finish"]
        last = max(finishes, default=NONE)
        return None if last == NONE else last - self._case.columns.submit[0]

    def _lines(self) -> Iterator[str]:
        columns, results = self._case.columns, self.columns
        table = zip(
            columns.id,
            columns.submit,
            results["start"],
            results["finish"],
            columns.size,
            columns.runtime,
            columns.estimate,
            results["preemptions"],
            results["backfilled"],
            self.first,
            range(len(columns.id)),
            strict=True,
        )
        held, node_size = self.locate(), self._case.scenario.machine.node_size
        for (
            job,
            submit,
            start,
            finish,
            size,
            runtime,
            estimate,
            preempted,
            backfilled,
            first,
            index,
        ) in sorted(table):
            nodes = node_list(held.get(index, ()), node_size)
            yield (
                f"{job},{submit},{_cell(start)},{_cell(finish)},{size},{runtime},{estimate},"
                f"{preempted},{backfilled},{_cell(first)},{_quoted(nodes)}\n"
            )


def _cell(value: int) -> str:
    return "" if value == NONE else str(value)


def _quoted(text: str) -> str:
    """Return a text as a cell of a CSV: in quotes if it has a comma."""
    return f'"{text}"' if "," in text else text


def save_events(case: Case, path: str | Path, last: int, progress: Progress | None = None) -> None:
    """Write the events 1 to `last` as JSON lines, replayed. OSError leaves nothing half-written."""
    simulation, names = case.simulation(), names_of(case.scenario)
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
