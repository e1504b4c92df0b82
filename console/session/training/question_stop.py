"""Sessions of training: one that does not pass an open question, and one that shows the past alone."""

from shadowtime.console.session.case import Case
from shadowtime.console.session.facts import Sample
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.run import Run
from shadowtime.console.session.session import Session
from shadowtime.console.session.travel.moving import Travel


class QuestionStop(Travel):
    """Goes anywhere, but not past the event of an open question, whatever the key."""

    gate: int | None = None
    """The last event that it goes to, until the question there is answered."""

    def go_event(self, number: int) -> int:
        return super().go_event(number if self.gate is None else min(number, self.gate))

    def go_end(self, progress: Progress | None = None) -> bool:
        if self.gate is not None:
            return self.go_event(self.gate) != 0
        return super().go_end(progress)

    def go_fraction(self, share: float) -> bool:
        if self.gate is not None and self._run.total is None:
            return self.go_end()
        return super().go_fraction(share)

    def landed(self, here: int) -> int:
        """Go back to the question if the move went past it."""
        if self.gate is not None and self._run.number > self.gate:
            super().go_event(self.gate)
        return super().landed(here)

    def timeline(self) -> tuple[Sample, ...]:
        """What is to come stays in the dark while a question is open."""
        known = super().timeline()
        return known if self.gate is None else tuple(it for it in known if it.number <= self.gate)


class PastAlone(Travel):
    """Shows only what has been, as far as the operator has come."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self._furthest = 0

    def go_event(self, number: int) -> int:
        moved = super().go_event(number)
        self._furthest = max(self._furthest, self._run.number)
        return moved

    def timeline(self) -> tuple[Sample, ...]:
        """What has been, and nothing of what is to come."""
        seen = max(self._furthest, self._run.number)
        return tuple(it for it in super().timeline() if it.number <= seen)


class Gated(Session):
    """A session that stops at the questions of a drill."""

    travel: QuestionStop

    def __init__(self, case: Case) -> None:
        super().__init__(case, QuestionStop)

    @property
    def gate(self) -> int | None:
        """The event of the open question; None if no question is left."""
        return self.travel.gate

    @gate.setter
    def gate(self, event: int | None) -> None:
        self.travel.gate = event
