"""What happens next, apart from scheduling passes."""

from collections.abc import Sequence

from shadowtime.console.session.facts import Event
from shadowtime.console.session.training.facts import (
    Answer,
    Because,
    Choices,
    Happening,
    Mistaken,
    Value,
)
from shadowtime.console.session.training.questions.choices import among
from shadowtime.console.session.training.questions.kind import OfEvents
from shadowtime.console.session.training.refusing import answered
from shadowtime.console.session.training.scene import Scene
from shadowtime.scenarios import Question


class NextEvent(OfEvents):
    """What happens next."""

    of_jobs = True

    def at(self, scene: Scene, question: Question) -> Answer:
        """All that happens at the next instant, as far as is known."""
        events = scene.next_events()
        right: tuple[Value, ...] = tuple((event.kind, event.job) for event in events) or (None,)

        def against(value: Value) -> tuple[Because, ...]:
            named = isinstance(value, tuple) and value[1] is not None
            return (scene.row(value[1]),) if named else ()  # type: ignore[index, arg-type]

        choices = _events(scene, right)
        return answered(question, scene.now, right, choices, events, against, foreseen=True)

    def reveals(self, part: Because, later: Answer, same: bool) -> bool:
        """Whether a part is one of the right events."""
        return isinstance(part, Event) and part.time > later.time and (part.kind, part.job) in later.right


def _events(scene: Scene, right: Sequence[Value]) -> Choices:
    """The ends of other jobs on the machine, the end of the time slot, nothing."""
    after = scene.after
    ends = sorted(after.running(), key=lambda job: (after.end_of(job) or 0, job))
    found: list[Happening | None] = [("finish", scene.id(job)) for job in (*ends, *after.held())]
    found[2:] = [*([("switch_slot", None)] if scene.sliced else []), None, ("submit", None), *found[2:]]
    return among(right, {value: _mistaken(scene, value) for value in found})


def _mistaken(scene: Scene, value: Value) -> Mistaken:
    """Return why something is not the next event."""
    if not isinstance(value, tuple):
        return Mistaken("something_is_due")
    kind, job = value
    if kind == "switch_slot":
        return Mistaken("slot_ends_later")
    if kind == "submit":
        return Mistaken("no_job_comes")
    runs = job is not None and scene.case.index_of(job) in scene.after.running()
    return Mistaken("ends_later" if runs else "does_not_run", job)
