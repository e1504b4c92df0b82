"""Answers to the questions of a drill: always computed by the kernel, at that moment, from a fork.

What an operator cannot know is not asked: if the pass of this very instant settles nothing, every question
about the future means what is known now, that is what the policy promises, or what would happen if every job
ran to its estimate and nothing else came. What turns out otherwise is shown after the lesson.
"""

from collections.abc import Callable, Mapping

import attrs

from console.session.errors import SessionError
from console.session.facts import Decision
from console.session.session import Session
from console.session.training import distractors
from console.session.training.derivation import steps
from console.session.training.facts import Answer, Because, Foreseen, TurnsOut, Value, Waits
from console.session.training.scene import STARTING, Scene
from scenarios import Question, format_time

PREEMPTING = frozenset(("preempt",))


class UnanswerableError(SessionError):
    """A question that has no answer at its moment: one clear line."""


def answer(session: Session, question: Question) -> Answer:
    """Return the answer to a question at the session's present event, or raise UnanswerableError."""
    scene = Scene(session, question.at)
    made = _ANSWERS[question.ask](scene, question)
    return attrs.evolve(made, pending=scene.passed is not None)


def _next_start(scene: Scene, question: Question) -> Answer:
    started = scene.decisions()
    if started:
        right = tuple(made.job for made in started if made.job is not None)
        return _of_jobs(scene, question, right, started)
    known = {job: made for job in scene.waiting() if (made := scene.prediction(job)) is not None}
    if not known:
        raise _unanswerable(
            scene, question, "the pass of this instant starts no job, and no start is predicted"
        )
    first = min(made.time for made in known.values())
    soonest = [job for job, made in known.items() if made.time == first]
    because: list[Because] = []
    for job in soonest:
        because += [*_waits(scene, scene.id(job)), Foreseen(scene.id(job), known[job], scene.now)]
    right = scene.ids(soonest)
    answered = _of_jobs(scene, question, right, tuple(because), foreseen=True)
    real = scene.to_come(STARTING)
    if real is None:
        return answered
    jobs = tuple(it.job for it in real.decisions if it.kind in STARTING and it.job is not None)
    agrees = set(right) & set(jobs) and real.time == first
    return answered if agrees else attrs.evolve(answered, turns_out=TurnsOut(jobs, real.time))


def _of_jobs(
    scene: Scene,
    question: Question,
    right: tuple[int, ...],
    because: tuple[Because, ...],
    foreseen: bool = False,
) -> Answer:
    def against(value: Value) -> tuple[Because, ...]:
        return _stands(scene, value) if isinstance(value, int) else ()

    offered = distractors.jobs(scene, right, not foreseen)
    return Answer(question, scene.now, right, offered, because, against, foreseen=foreseen)


def _start_time(scene: Scene, question: Question) -> Answer:
    job = _asked(scene, question)
    index = scene.case.index_of(job)
    started = scene.after.start_of(index)
    because: list[Because] = []
    if started is not None:
        right: int | None = started
        because += [made for made in scene.decisions() if made.job == job] or [scene.row(job)]
    else:
        made = scene.prediction(index)
        right = None if made is None else made.time
        because += _waits(scene, job)
        if made is not None:
            because += [*steps(scene, index, made.time), Foreseen(job, made, scene.now)]
    offered = distractors.times(scene, index, right, question.within)
    if started is not None:
        return Answer(question, scene.now, (right,), offered, tuple(because), _nothing)
    real = scene.started(index)
    late = None if real in (None, right) or real is None else TurnsOut((job,), real)
    return Answer(
        question, scene.now, (right,), offered, tuple(because), _nothing, foreseen=True, turns_out=late
    )


def _next_event(scene: Scene, question: Question) -> Answer:
    events = scene.next_events()
    right: tuple[Value, ...] = tuple((event.kind, event.job) for event in events) or (None,)

    def against(value: Value) -> tuple[Because, ...]:
        named = isinstance(value, tuple) and value[1] is not None
        return (scene.row(value[1]),) if named else ()  # type: ignore[index, arg-type]

    offered = distractors.events(scene, right)
    return Answer(question, scene.now, right, offered, events, against, foreseen=True)


def _preempted(scene: Scene, question: Question) -> Answer:
    event = scene.to_come(PREEMPTING, known=True)
    made = () if event is None else event.decisions
    stopped = tuple(one for one in made if one.kind in PREEMPTING and one.job is not None)
    right: tuple[Value, ...] = tuple(one.job for one in stopped) or (None,)
    queue = scene.after.waiting()
    because = stopped or (_waits(scene, scene.id(queue[0])) if queue else ())

    def against(value: Value) -> tuple[Because, ...]:
        return _stands(scene, value) if isinstance(value, int) else ()

    offered, here = distractors.running(scene, right), event is not None and event is scene.passed
    return Answer(question, scene.now, right, offered, because, against, foreseen=not here)


def _state(scene: Scene, question: Question) -> Answer:
    job = _asked(scene, question)
    row = scene.row(job)
    seen = [event for event in (scene.arrived, scene.passed) if event is not None]
    made = [one for event in seen for one in event.decisions if event.time == scene.now]
    about: tuple[Because, ...] = tuple(one for one in made if one.job == job)
    because = about or _stands(scene, job)
    return Answer(question, scene.now, (row.state,), distractors.states(scene, row.state), because, _nothing)


def _why(scene: Scene, question: Question) -> Answer:
    job = _asked(scene, question)
    index, row = scene.case.index_of(job), scene.row(job)
    if row.reason is not None:
        code = row.reason.code
        because: tuple[Because, ...] = (Waits(job, row.reason),)
        return Answer(question, scene.now, (code,), distractors.waits(scene, index, code), because, _nothing)
    turned = _turned(scene, job)
    if turned is None or row.state != "R":
        raise _unanswerable(scene, question, f"job {job} neither waits nor runs")
    code = turned.reason.code
    offered = distractors.starts(scene, job, turned)
    return Answer(question, scene.now, (code,), offered, (turned,), _nothing, starts=True)


def _turned(scene: Scene, job: int) -> Decision | None:
    made = () if scene.passed is None else scene.passed.decisions
    here = [one for one in made if one.job == job and one.kind in STARTING | {"resume"}]
    return here[-1] if here else scene.session.turned(job)


def _stands(scene: Scene, job: int) -> tuple[Because, ...]:
    """Why a job waits after the pass, else where it stands."""
    return _waits(scene, job) or (scene.row(job),)


def _waits(scene: Scene, job: int) -> tuple[Because, ...]:
    reason = scene.reason(job)
    return () if reason is None else (Waits(job, reason),)


def _nothing(_: Value) -> tuple[Because, ...]:
    return ()


def _asked(scene: Scene, question: Question) -> int:
    """The job that is asked about. UnanswerableError if it has not come yet."""
    assert question.job is not None
    submit = scene.case.columns.submit[scene.case.index_of(question.job)]
    if submit > scene.now or scene.before.state(scene.case.index_of(question.job)) == "":
        raise _unanswerable(
            scene, question, f"job {question.job} is submitted at {format_time(submit)}, and not there yet"
        )
    return question.job


def _unanswerable(scene: Scene, question: Question, why: str) -> UnanswerableError:
    place = f"{scene.case.scenario.path}:{question.line}: " if question.line else ""
    return UnanswerableError(f"{place}{question.ask} at {format_time(question.at)} has no answer: {why}")


_ANSWERS: Mapping[str, Callable[[Scene, Question], Answer]] = {
    "next_start": _next_start,
    "start_time": _start_time,
    "next_event": _next_event,
    "preempted": _preempted,
    "state": _state,
    "why": _why,
}
