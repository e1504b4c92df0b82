"""What an action of the operator does: whom it delays most, and which action gets a job started in time.

Both compare expected runs (docs/steering.md, What an action would change).
"""

import re
from random import Random

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.impact.rows import JobChange, changes
from shadowtime.console.session.jobs.predictions import NOT_STARTED
from shadowtime.console.session.operator.here import typed_action
from shadowtime.console.session.session import Session
from shadowtime.console.session.training.facts import Answer, Because, Mistaken, Moved, Value, Would
from shadowtime.console.session.training.questions import proposing
from shadowtime.console.session.training.questions.choices import among, latest
from shadowtime.console.session.training.questions.kind import OfJobs, OnMachine
from shadowtime.console.session.training.refusing import answered, asked_job, unanswerable
from shadowtime.console.session.training.scene import Scene
from shadowtime.console.session.work import never
from shadowtime.scenarios import Question, format_time

SHOWN = 3
"""Other jobs that move and are named in an explanation."""
DELAYS = re.compile(r"\b(?:delay|later|longer)", re.IGNORECASE)


class Delayed(OfJobs):
    """Which job an action delays most."""

    said = DELAYS

    def at(self, scene: Scene, question: Question) -> Answer:
        """The jobs that are delayed most, those acted upon aside; nobody if none is delayed."""
        action, outlook = typed_action(question.do), scene.session.outlook()
        jobs, here = outlook.seen, outlook.here(never)
        here = here.fork()
        here.do(question.do)
        times = here.times(never, _silent)
        found = changes(outlook.jobs, jobs, outlook.before(never, _silent), times)
        rows = [row for row in found if row.number != action.job]
        late = [row for row in rows if _delay(row) > 0]
        delays = {row.number: _delay(row) for row in late}
        right = latest(delays)
        others = [scene.id(job) for job in jobs if scene.id(job) != action.job]
        likely = dict.fromkeys((*(row.number for row in rows), *others))
        wrong: dict[Value, Mistaken] = {
            job: Mistaken("delayed_less" if job in delays else "not_delayed", job) for job in likely
        }
        because = tuple(_moved(question.do, row) for row in late[: SHOWN + 1])

        def against(value: Value) -> tuple[Because, ...]:
            found = tuple(_moved(question.do, row) for row in rows if row.number == value)
            return found or ((scene.row(value),) if isinstance(value, int) else ())

        still: tuple[Because, ...] = tuple(scene.row(job) for job in others[:SHOWN])
        choices = among(right, wrong, Mistaken("somebody_is_delayed"), spread=True)
        return answered(question, scene.now, right, choices, because or still, against, foreseen=True)

    def completed(self, session: Session, question: Question, random: Random) -> Question | None:
        actions = proposing.to_delay(Scene(session, question.at), random)
        return self.first_asked(session, question, actions, random)


class Remedy(OnMachine):
    """Which action gets a waiting job started by an instant."""

    quoted = True
    expected = "one of the actions"
    read_in = "notes"

    def at(self, scene: Scene, question: Question) -> Answer:
        """The actions that do, of those that the question names.

        UnanswerableError if none does, or if the job starts by then anyway.
        """
        (index, job), by = asked_job(scene, question), question.by
        assert by is not None
        start = _started(scene, index, "")
        if start.start is not None and start.start <= by:
            why = (
                f"job {job} is expected to start at {format_time(start.start)}, and nothing needs to be done"
            )
            raise unanswerable(scene, question, why)
        outcomes = {do: _started(scene, index, do) for do in question.among}
        right = tuple(do for do, it in outcomes.items() if it.start is not None and it.start <= by)
        if not right:
            raise unanswerable(scene, question, f"none of these actions gets job {job} started by then")
        wrong: dict[Value, Mistaken] = {
            do: Mistaken("refused" if it.refused else "too_late_all_the_same", job)
            for do, it in outcomes.items()
            if do not in right
        }

        because = (start, *(outcomes[do] for do in right))
        return answered(question, scene.now, right, among(right, wrong), because, outcomes, foreseen=True)

    def completed(self, session: Session, question: Question, random: Random) -> Question | None:
        """Return the question with an instant, and actions of which one alone starts the job by then."""
        scene = Scene(session, question.at)
        index, job = asked_job(scene, question)
        if scene.before.state(index) not in NOT_STARTED:
            return None
        outcomes = [_started(scene, index, do) for do in proposing.to_start(scene, job, random)]
        starts = {it.do: it.start for it in outcomes if not it.refused}
        found = proposing.one_helps(starts, _started(scene, index, "").start, random)
        if found is None:
            return None
        return super().completed(session, attrs.evolve(question, by=found[0], among=found[1]), random)

    def reveals(self, part: Because, later: Answer, same: bool) -> bool:
        """Whether a part says what one of the actions does."""
        return same and isinstance(part, Moved | Would) and bool(part.do) and part.do in later.offered


def _silent(left: int) -> None:
    """What a run calls on its way."""


def _started(scene: Scene, index: int, do: str) -> Would:
    """When a job, by index, is expected to start after an action; after none if `do` is empty."""
    ahead, job = scene.before.expected(), scene.id(index)
    try:
        ahead = scene.doing(ahead, do) if do else ahead
    except SessionError as error:
        return Would(do, job, None, str(error))
    while ahead.start_of(index) is None and ahead.step():
        pass
    return Would(do, job, ahead.start_of(index))


def _delay(row: JobChange) -> float:
    """Seconds by which a job comes later; without end if it never comes any more."""
    if row.lost:
        return float("inf")
    return 0 if row.change is None else row.change


def _moved(do: str, row: JobChange) -> Moved:
    return Moved(do, row.number, row.what, row.before, row.after)
