"""Jobs as the queue panel shows them, read from the simulation at its present position."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice

from shadowtime.console.session.case import Case
from shadowtime.console.session.clock import Clock
from shadowtime.console.session.errors import failure
from shadowtime.console.session.facts import ASIDE, WAITING, LikelyStart, Prediction, Row
from shadowtime.console.session.jobs.names import Names
from shadowtime.console.session.jobs.predictions import EXPECTED, SETTLED, Predictions, promised_starts
from shadowtime.console.session.jobs.reasons import Reasons
from shadowtime.console.session.likely.quantiles import NEVER
from shadowtime.console.session.likely.starts import Likely
from shadowtime.console.session.nodes.lists import whole_nodes
from shadowtime.console.session.values import Value
from shadowtime.kernels.core.order import least
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import PlainPolicy, PolicyError


class JobRows:
    """Builds rows; knows the case and the predictions at hand."""

    def __init__(
        self, case: Case, names: Names, predictions: Predictions, likely: Likely, reasons: Reasons
    ) -> None:
        self._case = case
        self.columns = case.columns
        """The workload, a column for each fact."""
        self._reasons = reasons
        self.clock = Clock(case.scenario.epoch)
        self._names = names
        self._predictions = predictions
        self._likely = likely
        self._known: tuple[Simulation, int, Mapping[int, int]] | None = None
        self._starts: Mapping[int, int] = {}
        self.failure = ""
        """What the policy did when it failed to promise."""

    def part(self, likely: Likely) -> None:
        """The run is another one from here on, with other likely starts."""
        self._likely = likely
        self._known = None

    def row(self, simulation: Simulation, index: int) -> Row:
        """Return one job, by index, as it is now."""
        columns = self.columns
        state = simulation.state(index)
        waits = state in WAITING
        predicted = self.predicted(simulation, index, state)
        odds = self._likely.at(simulation.event)
        return Row(
            index=index,
            id=columns.ids[index],
            user=columns.user[index],
            klass=self.klass(simulation)(index),
            queue=columns.queue[index],
            name=columns.name[index],
            state=state,
            size=columns.size[index],
            submit=columns.submit[index],
            estimate=columns.estimate[index],
            wait=self.wait(simulation, index),
            now=simulation.now,
            start=simulation.start_of(index),
            end=simulation.finish_of(index) if state == "F" else simulation.end_of(index),
            predicted=predicted,
            unforeseen=waits and predicted is None and self._predictions.complete(simulation.event),
            first_predicted=self.first_predicted(simulation, index) if state else None,
            likely=self.likely(simulation).get(index) if waits else None,
            no_odds="" if odds is None or not waits else odds.absent,
            reason=self._reasons.of(simulation, index) if waits or state == "W" else None,
            preemptions=simulation.preemptions(index),
            since=simulation.since(index),
            terms=self.terms(simulation, index),
            nodes=whole_nodes(simulation.nodes_of(index), self._case.scenario.machine.node_size),
            outcome=simulation.outcome(index) or "",
            predicted_end=self._predictions.end_of(simulation, index) if state not in ("", "F") else None,
        )

    def wait(self, simulation: Simulation, index: int) -> int:
        """Return the seconds of a job's stays in the queue so far, of one that is over the first stay's.

        A stay lasts until the job runs; 0 before submission.
        """
        waited = simulation.waited(index)
        if waited is not None:
            return waited
        # Over, not submitted, or held back from the queue.
        start, submit = simulation.start_of(index), self.columns.submit[index]
        return max(simulation.now - submit, 0) if start is None else start - submit

    def predicted(self, simulation: Simulation, index: int, state: str) -> Prediction | None:
        """Return when a job that does not run is going to; None if that is not known, and for all others."""
        if state in WAITING:
            return self._predictions.of(simulation, index)
        explained = simulation.explain(index) if state == "W" else None
        if explained is None:
            return None
        if self._case.scenario.machine.torus is not None:
            # There a job in W has a claim on nodes, and does not hold them yet.
            return self._predictions.of(simulation, index)
        at = explained[1].get("at")
        return self._turn(simulation, index) if at is None else Prediction(at, SETTLED, simulation.event)

    def _turn(self, simulation: Simulation, index: int) -> Prediction | None:
        """Return when a job that has its nodes runs next: foreseen if it never ran, else when its row comes.

        None if it is expected to be over by then, because it runs beside another row before.
        """
        expected = self._predictions.of(simulation, index) if simulation.start_of(index) is None else None
        if expected is not None:
            return expected
        after = self._reasons.after_pass(simulation) if simulation.pending else simulation
        explained, end = after.explain(index), self._predictions.end_of(simulation, index)
        turn = simulation.now if explained is None else explained[1].get("turn")
        if turn is None or (end is not None and end.time <= turn):
            return None
        return Prediction(turn, EXPECTED, simulation.event)

    def first_predicted(self, simulation: Simulation, index: int) -> int | None:
        """Return the policy's first promise, else the forecast of the job's submission if it is known."""
        try:
            if isinstance(simulation.policy, PlainPolicy):
                # If the policy fails to promise, it does so here.
                simulation.promise(index)
            promised = simulation.first_promise(index)
        except PolicyError as error:
            self.failure, promised = failure(error), None
        return self._predictions.first.get(index) if promised is None else promised

    def next_up(self, simulation: Simulation, count: int) -> Sequence[int]:
        """Return the jobs that start next, by index, by their likely starts where there are any.

        Jobs of one instant, and those of which nothing is known, keep the order of the queue; these come
        last. A job that the operator has put aside is not among them.
        """
        starts: dict[int, float] = {**self.predicted_starts(simulation)}
        for job, it in self.likely(simulation).items():
            starts[job] = NEVER if it.likely is None else it.likely
        held = [job for job in simulation.held() if simulation.state(job) not in ASIDE]
        jobs = [*simulation.waiting(), *held]
        known = [jobs[place] for place in least(list(map(starts.get, jobs)), count)]
        others = (job for job in jobs if job not in starts)
        return [*known, *islice(others, count - len(known))]

    def klass(self, simulation: Simulation) -> Callable[[int], str]:
        """Return what gives the class of a job: what the operator made it last, or that of the workload."""
        ids, klass = self.columns.id, self.columns.klass
        given = self._names.classes(simulation)
        return (lambda index: given.get(ids[index], klass[index])) if given else klass.__getitem__

    def gives_classes(self, simulation: Simulation) -> bool:
        """Whether the operator has given a class to a job."""
        return bool(self._names.classes(simulation))

    def terms(self, simulation: Simulation, index: int) -> Mapping[str, Value]:
        """Return what the policy keeps for a job until it is over."""
        return self._names.terms(simulation, index) if simulation.state(index) not in ("", "F") else {}

    def code(self, simulation: Simulation, index: int) -> str | None:
        """Return the code of the reason for which a job waits; None for one that does not."""
        waits = simulation.state(index) in WAITING
        reason = self._reasons.of(simulation, index) if waits else None
        return None if reason is None else reason.code

    def waits(self, simulation: Simulation) -> Callable[[int], int]:
        """Return what gives how long a job has waited, or did; for ten thousand rows at once."""
        if simulation.metrics()["preempt_ratio"]:
            return partial(self.wait, simulation)
        waiting, now = frozenset(simulation.waiting()), simulation.now
        submits = self.columns.submit
        return lambda index: now - submits[index] if index in waiting else self.wait(simulation, index)

    def predicted_starts(self, simulation: Simulation) -> Mapping[int, int]:
        """Return the predicted start of each job that has one: what is promised, else what is expected.

        It gives for all jobs what `predicted` gives for one; ten thousand of them cost some milliseconds an
        event.
        """
        expected = self._predictions.expected(simulation)
        known = self._known
        if (
            known is None
            or known[0] is not simulation
            or known[1] != simulation.event
            or not (known[2] is expected or not (known[2] or expected))
        ):
            self._starts = self._worked_out(simulation, expected)
            self._known = (simulation, simulation.event, expected)
        return self._starts

    def _worked_out(self, simulation: Simulation, expected: Mapping[int, int]) -> Mapping[int, int]:
        waiting, promised = simulation.waiting(), promised_starts(simulation)
        starts = zip(waiting, map(expected.get, waiting), strict=True)
        found = {job: start for job, start in starts if start is not None} | promised
        for job in simulation.held():
            with suppress(PolicyError):
                made = self.predicted(simulation, job, simulation.state(job))
                if made is not None:
                    found[job] = made.time
        return found

    def likely(self, simulation: Simulation) -> Mapping[int, LikelyStart]:
        """Return the likely start of every job that had one when there were odds last, by index."""
        answer = self._likely.latest(simulation.event)
        return {} if answer is None else answer.starts

    def ends(self, simulation: Simulation) -> Callable[[int], int | None]:
        """Return what gives the end of a running job: by its estimate, or by a forecast for turns."""

        def end(index: int) -> int | None:
            foreseen = self._predictions.end_of(simulation, index)
            return simulation.end_of(index) if foreseen is None else foreseen.time

        return end

    def slips(self, simulation: Simulation) -> Callable[[int], int | None]:
        starts = self.predicted_starts(simulation).get

        def slip(index: int) -> int | None:
            start = starts(index) if simulation.start_of(index) is None else None
            first = None if start is None else self.first_predicted(simulation, index)
            return None if start is None or first is None else start - first

        return slip


def holding(simulation: Simulation) -> dict[int, str]:
    """Return the states of the jobs that hold nodes and do not run, by index, the longest first."""
    held = sorted((simulation.since(job) or 0, job) for job in simulation.held())
    return {job: simulation.state(job) for _, job in held}
