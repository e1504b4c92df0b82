"""Why jobs wait, at one position of one run."""

from collections.abc import Callable, Mapping, Sequence

from shadowtime.console.session.errors import failure
from shadowtime.console.session.facts import WAITING, Reason
from shadowtime.console.session.jobs.names import Names
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import PolicyError

Found = Mapping[int, Reason | None]
"""Reasons by job; None for a job that does not wait."""


class Reasons:
    """Asks the policy why jobs wait, each job once at a position. For one thread."""

    def __init__(
        self, sizes: Sequence[int], names: Names, known: Callable[[Simulation], Found] = lambda _: {}
    ) -> None:
        """`sizes`: the nodes of each job. `known`: what is known in advance where a simulation stands."""
        self._sizes = sizes
        self._names = names
        self._known = known
        self._after: Simulation | None = None
        self._found: dict[int, Reason | None] = {}
        """Reasons that were asked for at one position: predictions that arrive there change none of them."""
        self._found_at: tuple[Simulation, int] | None = None
        self._asked: set[int] = set()
        self.failure = ""
        """What the policy did when it failed to explain."""

    def part(self) -> None:
        self._after = None
        self._found_at = None

    @property
    def asked(self) -> Sequence[int]:
        """The jobs whose reasons were asked for last: here, or at the position before if none was yet."""
        return tuple(self._asked)

    def of(self, simulation: Simulation, index: int) -> Reason | None:
        """Return why a job does not run yet; between an event and its pass, why it still will after the pass.

        Before the pass the nodes that came free are nobody's yet, and every reason would name them. A job
        that the pass starts, or gives its nodes, waits for nothing else. One that has a promise is explained
        by it as it stands.
        """
        here = (simulation, simulation.event)
        if here != self._found_at:
            self._found, self._found_at = dict(self._known(simulation)), here
            self._asked.clear()
        self._asked.add(index)
        if index in self._found:
            return self._found[index]
        try:
            reason = self._found[index] = self._reason(simulation, index)
            return reason
        except PolicyError as error:
            self.failure = failure(error)
            return Reason("own_words", {"text": f"waits, and nobody knows why: {self.failure}"})

    def after_pass(self, simulation: Simulation) -> Simulation:
        """Return a fork that has done the pass of this instant; the same for every job of the event."""
        after = self._after
        if after is None or after.now != simulation.now or after.pending or after.event <= simulation.event:
            after = simulation.fork()
            after.run(until=after.now)
            self._after = after
        return after

    def _reason(self, simulation: Simulation, index: int) -> Reason | None:
        state = simulation.state(index)
        explained: tuple[str, dict[str, int]] | None
        unsettled = simulation.pending and state in WAITING and simulation.promise(index) is None
        # A job in the queue is always explained. To ask for it costs a plan where everybody is planned anew.
        if unsettled and (state == "N" or simulation.explain(index) is not None):
            needs = self._sizes[index]
            after = self.after_pass(simulation)
            reason = after.explain(index) if after.state(index) in WAITING else None
            explained = (
                ("pass_pending", {"needs": needs, "free": simulation.free}) if reason is None else reason
            )
        else:
            # The fork that has done this pass may have made the plan already.
            fork = self._after
            same = fork is not None and fork.event == simulation.event and not simulation.pending
            explained = simulation.explain(index) if fork is None or not same else fork.explain(index)
        if explained is None and state == "S":
            since = simulation.since(index)
            explained = ("suspended", {"needs": self._sizes[index], "since": since or 0})
        if explained is None:
            return None
        code, numbers = explained
        delay = simulation.policy.head_delay
        if code == "head_blocked" and delay:
            numbers = {**numbers, "delay": delay}
        return self._names.reason(simulation, code, numbers)
