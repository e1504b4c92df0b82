"""Jobs as the queue panel shows them, read from the simulation at its present position."""

from collections.abc import Mapping

from console.session.case import Case
from console.session.events import reason_of
from console.session.facts import Prediction, Reason, Row
from console.session.filters import Fields
from console.session.order import Key
from console.session.predictions import NOT_STARTED, Predictions
from kernels.simulation import Simulation


class Rows:
    """Builds rows; knows the case and the predictions at hand."""

    def __init__(self, case: Case, predictions: Predictions) -> None:
        self._case = case
        self._predictions = predictions

    def row(self, simulation: Simulation, index: int) -> Row:
        """Return one job, by index, as it is now."""
        columns = self._case.columns
        state = simulation.state(index)
        waits = state in NOT_STARTED
        return Row(
            index=index,
            id=columns.id[index],
            user=columns.user[index],
            klass=columns.klass[index],
            queue=columns.queue[index],
            name=columns.name[index],
            state=state,
            size=columns.size[index],
            submit=columns.submit[index],
            estimate=columns.estimate[index],
            wait=self.wait(simulation, index),
            start=simulation.start_of(index),
            end=simulation.finish_of(index) if state == "F" else simulation.end_of(index),
            predicted=self._predictions.of(simulation, index) if waits else None,
            first_predicted=self.first_predicted(simulation, index) if state else None,
            reason=self.reason(simulation, index) if waits else None,
            preemptions=simulation.preemptions(index),
        )

    def wait(self, simulation: Simulation, index: int) -> int:
        """Return the seconds from submission to the first start, or to now; 0 before submission."""
        start = simulation.start_of(index)
        until = simulation.now if start is None else start
        return max(until - self._case.columns.submit[index], 0)

    def reason(self, simulation: Simulation, index: int) -> Reason | None:
        """Return why a waiting job waits."""
        explained = simulation.explain(index)
        return None if explained is None else reason_of(*explained, self._case.columns.id)

    def first_predicted(self, simulation: Simulation, index: int) -> int | None:
        """Return the first promise of the policy, else the forecast of the job's submission where it is known."""
        promised = simulation.first_promise(index)
        return self._predictions.first.get(index) if promised is None else promised

    def keys(self, simulation: Simulation) -> Mapping[str, Key]:
        """Return what the queue can be sorted by."""
        columns = self._case.columns
        return {
            "id": columns.id.__getitem__,
            "user": columns.user.__getitem__,
            "class": columns.klass.__getitem__,
            "state": simulation.state,
            "size": columns.size.__getitem__,
            "submit": columns.submit.__getitem__,
            "wait": lambda index: self.wait(simulation, index),
            "estimate": columns.estimate.__getitem__,
            "predicted": lambda index: self._start(self._predicted(simulation, index)),
            "slip": lambda index: self._slip(simulation, index),
        }

    def fields(self, simulation: Simulation) -> Fields:
        """Return what the queue can be filtered by."""
        columns = self._case.columns
        return Fields(
            texts={
                "user": columns.user.__getitem__,
                "class": columns.klass.__getitem__,
                "queue": columns.queue.__getitem__,
                "name": columns.name.__getitem__,
                "state": simulation.state,
            },
            numbers={
                "id": columns.id.__getitem__,
                "size": columns.size.__getitem__,
                "submit": columns.submit.__getitem__,
                "wait": lambda index: self.wait(simulation, index),
                "estimate": columns.estimate.__getitem__,
            },
        )

    def _predicted(self, simulation: Simulation, index: int) -> Prediction | None:
        return self._predictions.of(simulation, index) if simulation.state(index) in NOT_STARTED else None

    def _start(self, prediction: Prediction | None) -> int | None:
        return None if prediction is None else prediction.time

    def _slip(self, simulation: Simulation, index: int) -> int | None:
        start = self._start(self._predicted(simulation, index))
        first = self.first_predicted(simulation, index)
        return None if start is None or first is None else start - first
