"""Which limit of the T3D's scheduler, or of NQS before it, a waiting job would exceed now."""

from shadowtime.console.session.facts import Decision
from shadowtime.console.session.training.facts import Answer, Because, Bound, Mistaken, Value, Waits
from shadowtime.console.session.training.questions.bounds import bounds_of
from shadowtime.console.session.training.questions.choices import among
from shadowtime.console.session.training.questions.kind import OnMachine
from shadowtime.console.session.training.questions.parts import about
from shadowtime.console.session.training.refusing import answered, asked_job, unanswerable
from shadowtime.console.session.training.scene import Scene
from shadowtime.scenarios import Question


class LimitOfJob(OnMachine):
    """Which limit a waiting job would exceed."""

    read_in = "notes"

    def at(self, scene: Scene, question: Question) -> Answer:
        """The limits that the job would exceed; None if it would exceed none.

        UnanswerableError if the job does not wait, or if the machine has no such limits.
        """
        index, job = asked_job(scene, question)
        if scene.after.state(index) not in "NO":
            raise unanswerable(scene, question, f"job {job} neither waits without a block nor is held by NQS")
        bounds = bounds_of(scene, index)
        if not bounds:
            raise unanswerable(scene, question, f"no limit is tested for job {job}")
        over = tuple(bound for bound in bounds if bound.exceeded)
        right: tuple[Value, ...] = tuple(bound.limit for bound in over) or (None,)
        kept = [bound.limit for bound in sorted(bounds, key=_slack) if not bound.exceeded]
        wrong: dict[Value, Mistaken] = {limit: Mistaken("limit_is_kept", job) for limit in kept}
        choices = among(right, wrong, Mistaken("a_limit_is_exceeded", job))
        because = over or bounds
        of = {bound.limit: bound for bound in bounds}

        return answered(question, scene.now, right, choices, because, of)

    def reveals(self, part: Because, later: Answer, same: bool) -> bool:
        """Whether a part is about what holds the job back there and then."""
        return same and isinstance(part, Bound | Decision | Waits) and about(part, later)


def _slack(bound: Bound) -> int:
    return bound.most - bound.in_use - bound.needs
