"""Which job starts or is preempted next, when a job starts, what happens next, and the steps to a start.

What an operator cannot know is not asked: if the pass of this very instant settles nothing, every question
about the future means what is known now, that is what the policy promises, or what would happen if every job
ran to its estimate and nothing else came. What turns out otherwise is shown after the lesson.
"""

import re
from collections import deque
from collections.abc import Hashable, Sequence

from shadowtime.console.session.facts import Decision, Event
from shadowtime.console.session.training.facts import (
    Answer,
    Because,
    Choices,
    Foreseen,
    Happening,
    LeftOut,
    Mistaken,
    Step,
    TurnsOut,
    Value,
    Waits,
)
from shadowtime.console.session.training.questions.choices import MOST, among
from shadowtime.console.session.training.questions.kind import OfEvents, OfInstants, OfJobs
from shadowtime.console.session.training.questions.parts import decides, moments
from shadowtime.console.session.training.refusing import answered, asked_job, unanswerable
from shadowtime.console.session.training.scene import STARTING, Scene
from shadowtime.scenarios import Question

STEPS = 6
"""Steps that are shown: the last ones, behind a mark if there are more."""
PREEMPTING = frozenset(("preempt",))
STARTS = re.compile(r"\b(?:start|next|pass|backfill)", re.IGNORECASE)
STOPS = re.compile(r"\b(?:stop|preempt|goes first|make room)", re.IGNORECASE)


class NextStart(OfJobs):
    """Which job starts next."""

    expected = "a job's id"
    said = STARTS
    looked = 8

    def at(self, scene: Scene, question: Question) -> Answer:
        """The jobs that the pass starts, else those that are predicted to start first."""
        started = scene.decisions()
        if started:
            right = tuple(made.job for made in started if made.job is not None)
            choices = _waiting(scene, right, here=True)
            return answered(question, scene.now, right, choices, started, scene.stands)
        known = {job: made for job in scene.waiting() if (made := scene.prediction(job)) is not None}
        if not known:
            raise unanswerable(
                scene, question, "the pass of this instant starts no job, and no start is predicted"
            )
        first = min(made.time for made in known.values())
        soonest = [job for job, made in known.items() if made.time == first]
        because: list[Because] = []
        for job in soonest:
            because += [*scene.waits(scene.id(job)), Foreseen(scene.id(job), known[job], scene.now)]
        right = scene.ids(soonest)
        late, real = None, scene.to_come(STARTING)
        if real is not None:
            jobs = tuple(it.job for it in real.decisions if it.kind in STARTING and it.job is not None)
            agrees = set(right) & set(jobs) and real.time == first
            late = None if agrees else TurnsOut(jobs, real.time)
        choices = _waiting(scene, right, here=False)
        return answered(
            question, scene.now, right, choices, tuple(because), scene.stands, foreseen=True, turns_out=late
        )

    def reveals(self, part: Because, later: Answer, same: bool) -> bool:
        """Whether a part starts one of the right jobs, or says when it starts."""
        if isinstance(part, Foreseen | Step):
            return any(job in later.right and at >= later.time for job, at in moments(part))
        return same and decides(part, later, STARTING)


class StartTime(OfInstants):
    """When a job starts."""

    looked = 32

    def at(self, scene: Scene, question: Question) -> Answer:
        """The instant at which it started or is predicted to start; None: never, as far as is known."""
        index, job = asked_job(scene, question)
        started = scene.after.start_of(index)
        because: list[Because] = []
        if started is not None:
            right: int | None = started
            because += [made for made in scene.decisions() if made.job == job] or [scene.row(job)]
        else:
            made = scene.prediction(index)
            right = None if made is None else made.time
            because += scene.waits(job)
            if made is not None:
                because += [*steps(scene, index, made.time), *happens(scene, index, made.time)]
                because.append(Foreseen(job, made, scene.now))
        choices = _instants(scene, index, right, question.within)
        if started is not None:
            return answered(question, scene.now, (right,), choices, tuple(because))
        real = scene.started(index)
        late = None if real in (None, right) or real is None else TurnsOut((job,), real)
        return answered(question, scene.now, (right,), choices, tuple(because), foreseen=True, turns_out=late)

    def sort_of(self, answer: Answer) -> Hashable:
        """Whether it can be followed step by step: None if steps are left out."""
        return None if any(isinstance(part, LeftOut) for part in answer.because) else True

    def reveals(self, part: Because, later: Answer, same: bool) -> bool:
        """Whether a part is its start, or names the instant beside it."""
        job = later.question.job
        if isinstance(part, Decision):
            # An instant may stand beside the job as the head.
            numbers = part.reason.numbers
            started = same and part.job == job and later.time in later.right
            beside = any(at in later.right for at in numbers.values() if at != later.time)
            return started or (numbers.get("head") == job and beside)
        # A job may start with the head: the reason why it waits names that instant.
        named = part.reason.numbers.values() if isinstance(part, Waits) and part.job == job else ()
        starts = [at for it, at in moments(part) if it == job]
        return any(at in later.right for at in (*named, *starts))


class Preempted(OfJobs):
    """Which job is preempted next."""

    said = STOPS

    def at(self, scene: Scene, question: Question) -> Answer:
        """The jobs that are stopped first, as far as is known; nobody if none is."""
        event = scene.to_come(PREEMPTING, known=True)
        made = () if event is None else event.decisions
        stopped = tuple(one for one in made if one.kind in PREEMPTING and one.job is not None)
        right: tuple[Value, ...] = tuple(one.job for one in stopped) or (None,)
        queue = scene.after.waiting()
        because = stopped or (scene.waits(scene.id(queue[0])) if queue else ())

        choices, here = _running(scene, right), event is not None and event is scene.passed
        return answered(question, scene.now, right, choices, because, scene.stands, foreseen=not here)

    def reveals(self, part: Because, later: Answer, same: bool) -> bool:
        """Whether a part stops one of the right jobs."""
        return same and decides(part, later, PREEMPTING)


def _waiting(scene: Scene, right: Sequence[int], here: bool) -> Choices:
    """Waiting jobs: the head, the smallest, the shortest, the next in the queue; nobody if few wait.

    If the pass of this instant settles the answer (`here`), jobs that ran before are among them, too.
    """
    columns = scene.case.columns
    waiting = dict.fromkeys((*scene.waiting(), *(scene.after.waiting() if here else ())))
    queue = [job for job in waiting if scene.id(job) not in right]
    favoured = [
        *((job, "head" if job in scene.before.waiting()[:1] else "queued") for job in queue[:1]),
        *((job, "smallest") for job in sorted(queue, key=columns.size.__getitem__)[:1]),
        *((job, "shortest") for job in sorted(queue, key=columns.estimate.__getitem__)[:1]),
        *((job, "queued") for job in queue),
    ]
    found: dict[Value, Mistaken] = {}
    for index, rank in favoured:
        # A job larger than what is free before the pass is out, whatever tempts.
        large = scene.shared and here and columns.size[index] > scene.before.free
        code = "larger_than_free" if large else f"took_{rank}"
        found.setdefault(scene.id(index), Mistaken(code, scene.id(index)))
    if len(found) < 2:
        found[None] = Mistaken("took_nobody")
    for index in reversed(scene.before.running()):
        if len(found) < 2 and scene.id(index) not in right:
            found[scene.id(index)] = Mistaken("has_its_nodes", scene.id(index))
    return among(right, found)


def _running(scene: Scene, right: Sequence[Value]) -> Choices:
    """Jobs that run before the pass, the last started first; others that have nodes, or wait; and nobody."""
    last_first = scene.ids((*reversed(scene.before.running()), *scene.before.held()))
    wrong = [job for job in dict.fromkeys(last_first) if job not in right][: MOST - 2]
    why = "nobody_is_stopped" if right[0] is None else "keeps_its_nodes"
    found: dict[Value, Mistaken] = {job: Mistaken(why, job) for job in wrong}
    for job in scene.ids(scene.before.waiting())[: max(0, MOST - 2 - len(found))]:
        if job not in right:
            found.setdefault(job, Mistaken("has_no_nodes", job))
    return among(right, {**found, None: Mistaken("somebody_is_stopped")})


def _instants(scene: Scene, index: int, right: int | None, within: int) -> Choices:
    """Instants at which something else is due: this one, ends of running jobs, starts of others."""
    ends = (scene.after.end_of(job) for job in scene.after.running())
    foreseen = (scene.prediction(job) for job in scene.waiting())
    length = scene.case.columns.estimate[index]
    found = {scene.now, *ends, *(made.time for made in foreseen if made is not None)}
    due = [time for time in found if time is not None and time >= scene.now]
    if right is None:
        job = scene.id(index)
        return among([None], {at: Mistaken("starts_never", job, at) for at in sorted(due)})
    due.sort(key=lambda time: (abs(time - right), time))
    spare = (right + length, scene.now + length, right + 2 * length)
    near = (time for time in (*due, *spare) if abs(time - right) > within)
    return among([right], {at: _mistaken_time(scene, index, right, at) for at in near})


def _mistaken_time(scene: Scene, index: int, right: int, time: int) -> Mistaken:
    """Return why a job, by index, does not start at an instant but at `right`."""
    columns, after, job = scene.case.columns, scene.after, scene.id(index)
    size, length = columns.size[index], columns.estimate[index]
    if time == scene.now:
        free = after.free if right > time else scene.before.free
        code = "not_now" if not scene.shared else "fits_not_now" if size > free else "may_not_now"
        return Mistaken(code, job, time)
    started_then = _who_starts(scene, index, time)
    ends = [it for it in after.running() if after.end_of(it) == time]
    if ends and scene.shared and time < right:
        given = sum(columns.size[it] for it in after.running() if (after.end_of(it) or 0) <= time)
        code = "too_few_then" if after.free + given < size else "others_before_it"
        return Mistaken(code, job, time)
    if started_then is not None:
        return Mistaken("start_of_another", started_then, time)
    if ends:
        return Mistaken("end_of_another" if time < right else "waits_too_long", scene.id(ends[0]), time)
    if time == scene.now + length:
        return Mistaken("end_if_started_now", job, time)
    return Mistaken("its_own_end" if time == right + length else "started_before", job, time)


def _who_starts(scene: Scene, index: int, time: int) -> int | None:
    """The id of another waiting job that is predicted to start at an instant."""
    for other in scene.waiting():
        made = scene.prediction(other)
        if other != index and made is not None and made.time == time:
            return scene.id(other)
    return None


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
    if not isinstance(value, tuple):
        return Mistaken("something_is_due")
    kind, job = value
    if kind == "switch_slot":
        return Mistaken("slot_ends_later")
    if kind == "submit":
        return Mistaken("no_job_comes")
    runs = job is not None and scene.case.index_of(job) in scene.after.running()
    return Mistaken("ends_later" if runs else "does_not_run", job)


def happens(scene: Scene, index: int, start: int) -> tuple[Because, ...]:
    """Return what happens from now to the start of a job, by index, where free nodes alone do not decide."""
    if scene.shared or start <= scene.now:
        return ()
    ahead, found, seen = scene.expected(), deque[Event](maxlen=STEPS), 0
    while ahead.start_of(index) is None and ahead.step():
        event = scene.event_of(ahead)
        if event is not None and event.kind != "pass" and event.time > scene.now:
            found.append(event)
            seen += 1
    return _marked(found, seen) if ahead.start_of(index) == start else ()


def steps(scene: Scene, index: int, start: int) -> tuple[Because, ...]:
    """Return the steps from now to the start of a job, by index; none if they do not lead to `start`.

    They are read from a run in which every job lasts as long as its estimate and no other job comes. They are
    given if jobs share the space of a flat machine and no job is stopped for another; elsewhere the count of
    free nodes does not decide.
    """
    if not scene.shared or start <= scene.now:
        return ()
    ahead = scene.expected()
    found, seen = deque([Step(scene.now, (), ahead.free)], STEPS), 1
    time, ended, free = scene.now, list[int](), ahead.free
    while ahead.start_of(index) is None and ahead.step():
        event = scene.event_of(ahead)
        if event is None:
            continue
        if event.time != time:
            time, ended = event.time, []
        if event.kind != "pass":
            ended += [event.job] if event.kind == "finish" and event.job is not None else []
            free = ahead.free
            continue
        started = tuple(
            (made.job, scene.size_of(made.job))
            for made in event.decisions
            if made.kind in STARTING and made.job is not None
        )
        found.append(Step(time, tuple(ended), free, started))
        seen += 1
        free = ahead.free
    return _marked(found, seen) if ahead.start_of(index) == start else ()


def _marked(found: Sequence[Because], seen: int) -> tuple[Because, ...]:
    """The last of so many parts, behind a mark of how many are left out before them."""
    return (LeftOut(seen - len(found)), *found) if seen > len(found) else tuple(found)
