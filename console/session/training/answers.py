"""Answers to the questions of a drill: always computed by the kernel, at that moment, from a fork.

What an operator cannot know is not asked: if the pass of this very instant settles nothing, every question
about the future means what is known now, that is what the policy promises, or what would happen if every job
ran to its estimate and nothing else came. What turns out otherwise is shown after the lesson.
"""

from collections.abc import Callable, Mapping

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.facts import Decision
from shadowtime.console.session.session import Session
from shadowtime.console.session.training import distractors
from shadowtime.console.session.training.clusters.answers import cluster_answer
from shadowtime.console.session.training.derivation import steps
from shadowtime.console.session.training.facts import Answer, Because, Foreseen, TurnsOut, Value, Waits
from shadowtime.console.session.training.readings import READINGS, UnreadableError, reading
from shadowtime.console.session.training.refusing import UnanswerableError, answered, asked_job, unanswerable
from shadowtime.console.session.training.scene import STARTING, Scene
from shadowtime.console.session.training.subjects import limits, operating, placing, reviews
from shadowtime.scenarios import Question

__all__ = ["UnanswerableError", "answer"]

PREEMPTING = frozenset(("preempt",))


def answer(session: Session, question: Question) -> Answer:
    """Return the answer to a question at the session's present event, or raise UnanswerableError."""
    if question.about_a_cluster:
        return cluster_answer(session.case, question)
    try:
        scene = Scene(session, question.at, question.do)
    except SessionError as error:
        raise unanswerable(Scene(session, question.at), question, str(error)) from None
    if question.ask in READINGS:
        try:
            return attrs.evolve(reading(scene, question), pending=scene.passed is not None)
        except UnreadableError as error:
            raise unanswerable(scene, question, str(error)) from None
    if question.do and scene.now != scene.before.now:
        why = "nothing happens at that instant; expected the instant of an event for an action"
        raise unanswerable(scene, question, why)
    made = _ANSWERS[question.ask](scene, question)
    if question.do:
        # What the run does without the action is no news about the run with it.
        made = attrs.evolve(made, turns_out=None)
    return attrs.evolve(made, pending=scene.passed is not None)


def _next_start(scene: Scene, question: Question) -> Answer:
    started = scene.decisions()
    if started:
        right = tuple(made.job for made in started if made.job is not None)
        return _of_jobs(scene, question, right, started)
    known = {job: made for job in scene.waiting() if (made := scene.prediction(job)) is not None}
    if not known:
        raise unanswerable(
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

    choices = distractors.jobs(scene, right, not foreseen)
    return answered(question, scene, right, choices, because, against, foreseen=foreseen)


def _start_time(scene: Scene, question: Question) -> Answer:
    job = asked_job(scene, question)
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
    choices = distractors.times(scene, index, right, question.within)
    if started is not None:
        return answered(question, scene, (right,), choices, tuple(because))
    real = scene.started(index)
    late = None if real in (None, right) or real is None else TurnsOut((job,), real)
    return answered(question, scene, (right,), choices, tuple(because), foreseen=True, turns_out=late)


def _next_event(scene: Scene, question: Question) -> Answer:
    events = scene.next_events()
    right: tuple[Value, ...] = tuple((event.kind, event.job) for event in events) or (None,)

    def against(value: Value) -> tuple[Because, ...]:
        named = isinstance(value, tuple) and value[1] is not None
        return (scene.row(value[1]),) if named else ()  # type: ignore[index, arg-type]

    choices = distractors.events(scene, right)
    return answered(question, scene, right, choices, events, against, foreseen=True)


def _preempted(scene: Scene, question: Question) -> Answer:
    event = scene.to_come(PREEMPTING, known=True)
    made = () if event is None else event.decisions
    stopped = tuple(one for one in made if one.kind in PREEMPTING and one.job is not None)
    right: tuple[Value, ...] = tuple(one.job for one in stopped) or (None,)
    queue = scene.after.waiting()
    because = stopped or (_waits(scene, scene.id(queue[0])) if queue else ())

    def against(value: Value) -> tuple[Because, ...]:
        return _stands(scene, value) if isinstance(value, int) else ()

    choices, here = distractors.running(scene, right), event is not None and event is scene.passed
    return answered(question, scene, right, choices, because, against, foreseen=not here)


def _state(scene: Scene, question: Question) -> Answer:
    job = asked_job(scene, question)
    row = scene.row(job)
    seen = [event for event in (scene.arrived, scene.passed) if event is not None]
    made = [one for event in seen for one in event.decisions if event.time == scene.now]
    about: tuple[Because, ...] = tuple(one for one in made if one.job == job)
    because = about or _stands(scene, job)
    return answered(question, scene, (row.state,), distractors.states(scene, row.state), because)


def _why(scene: Scene, question: Question) -> Answer:
    job = asked_job(scene, question)
    index, row = scene.case.index_of(job), scene.row(job)
    if row.reason is not None:
        code = row.reason.code
        because: tuple[Because, ...] = (Waits(job, row.reason),)
        return answered(question, scene, (code,), distractors.waits(scene, index, code), because)
    turned = _turned(scene, job)
    if turned is None or row.state != "R":
        raise unanswerable(scene, question, f"job {job} neither waits nor runs")
    code = turned.reason.code
    choices = distractors.starts(scene, job, turned)
    return answered(question, scene, (code,), choices, (turned,), starts=True)


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


_ANSWERS: Mapping[str, Callable[[Scene, Question], Answer]] = {
    "next_start": _next_start,
    "start_time": _start_time,
    "next_event": _next_event,
    "preempted": _preempted,
    "state": _state,
    "why": _why,
    "row": placing.row_of_job,
    "nodes": placing.nodes_of_job,
    "limit": limits.limit_of_job,
    "in_force": reviews.in_force,
    "delayed": operating.delayed,
    "remedy": operating.remedy,
}
