"""A session that does not pass a question: whatever the key, it stops before the decision."""

from console.session.facts import Sample
from console.session.progress import Progress
from console.session.session import Session


class Gated(Session):
    """A session with a gate: the last event that it goes to, until the question there is answered."""

    gate: int | None = None

    def go_event(self, number: int) -> int:
        return super().go_event(number if self.gate is None else min(number, self.gate))

    def go_time(self, time: int, progress: Progress | None = None) -> bool:
        here = self.number
        super().go_time(time, progress)
        self._shut()
        return self.number != here

    def go_end(self, progress: Progress | None = None) -> bool:
        if self.gate is not None:
            return self.go_event(self.gate) != 0
        return super().go_end(progress)

    def go_fraction(self, share: float) -> bool:
        if self.gate is not None and self.total is None:
            return self.go_end()
        here = self.number
        super().go_fraction(share)
        self._shut()
        return self.number != here

    def go_job(self, job: int, moment: str) -> bool:
        here = self.number
        super().go_job(job, moment)
        self._shut()
        return self.number != here

    def next_decision(self) -> bool:
        here = self.number
        super().next_decision()
        self._shut()
        return self.number != here

    def timeline(self) -> tuple[Sample, ...]:
        """What is to come stays in the dark while a question is open."""
        known = super().timeline()
        return known if self.gate is None else tuple(it for it in known if it.number <= self.gate)

    def _shut(self) -> None:
        if self.gate is not None and self.number > self.gate:
            super().go_event(self.gate)


class Dark(Session):
    """A session of which only the past is shown, as far as the operator has been."""

    furthest = 0

    def go_event(self, number: int) -> int:
        moved = super().go_event(number)
        self.furthest = max(self.furthest, self.number)
        return moved

    def timeline(self) -> tuple[Sample, ...]:
        """What has been, and nothing of what is to come."""
        return tuple(it for it in super().timeline() if it.number <= max(self.furthest, self.number))
