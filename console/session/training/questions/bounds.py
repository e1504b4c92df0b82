"""Which limit of the T3D's scheduler, or of NQS before it, a waiting job would exceed now.

The limits, and what the jobs on the machine have of them, are recomputed from the jobs and the tables of
docs/schedulers.md, sections 11.3, 11.4 and 11.10.
"""

from collections.abc import Iterator, Mapping

from shadowtime.console.session.facts import Decision
from shadowtime.console.session.training.facts import Answer, Because, Bound, Mistaken, Value, Waits
from shadowtime.console.session.training.questions.choices import among
from shadowtime.console.session.training.questions.kind import OnMachine
from shadowtime.console.session.training.questions.parts import about
from shadowtime.console.session.training.refusing import answered, asked_job, unanswerable
from shadowtime.console.session.training.scene import Scene
from shadowtime.kernels.policies.torus.classes import CLASSES
from shadowtime.kernels.policies.torus.nqs import GLOBAL, LIMITS, NQS_QUEUES
from shadowtime.scenarios import Question

DAY, HOUR = 86_400, 3600
BEYOND_NQS = frozenset(("interactive", "debug"))
"""The classes whose jobs go to the machine at once."""


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
        near = sorted(bounds, key=lambda it: it.most - it.in_use - it.needs)
        kept = [bound.limit for bound in near if not bound.exceeded]
        wrong: dict[Value, Mistaken] = {limit: Mistaken("limit_is_kept", job) for limit in kept}
        choices = among(right, wrong, Mistaken("a_limit_is_exceeded", job))
        because = over or bounds
        of = {bound.limit: bound for bound in bounds}
        return answered(question, scene.now, right, choices, because, of)

    def reveals(self, part: Because, later: Answer, same: bool) -> bool:
        """Whether a part is about what holds the job back there and then."""
        return same and isinstance(part, Bound | Decision | Waits) and about(part, later)


def bounds_of(scene: Scene, index: int) -> tuple[Bound, ...]:
    """Return every limit that is tested for a job without a block, by index, with what others have of it."""
    return tuple(_of_nqs(scene, index) if held_by_nqs(scene, index) else _of_scheduler(scene, index))


def _of_scheduler(scene: Scene, index: int) -> Iterator[Bound]:
    """The four limits of the T3D's scheduler, for a job that waits without a block."""
    after, columns, job = scene.after, scene.case.columns, scene.id(index)
    size, given = columns.size[index], after.parameters
    status = after.status()
    if "system_limit" not in status:
        return
    yield Bound(job, "job_limit", size, 0, scene.given("job_limit"))
    if after.state(index) == "N":
        yield Bound(job, "system_limit", size, status["system"], scene.given("system_limit"))
    service = str(scene.row(job).terms["service"])
    yield Bound(job, "class_limit", size, status["processors"][service], _class_limit(given, service))
    if size >= scene.given("large"):
        yield Bound(job, "large_limit", size, status["large"], status["large_limit"])


def _class_limit(given: Mapping[str, object], service: str) -> int:
    changed = given.get("classes") or {}
    assert isinstance(changed, Mapping)
    return int(changed.get(service, {}).get("limit", CLASSES[service][3]))


def held_by_nqs(scene: Scene, index: int) -> bool:
    """Whether NQS holds a job: one that it has released has a place with the scheduler."""
    return "queue" in scene.after.terms(index)


def _of_nqs(scene: Scene, index: int) -> Iterator[Bound]:
    """The six limits of NQS, for a job that it holds."""
    limits, columns, job = scene.case.scenario.nqs, scene.case.columns, scene.id(index)
    assert limits is not None
    own = queue_of(limits, columns.size[index], columns.estimate[index])
    assert own is not None
    released = list(_released(scene, limits))
    inside = [it for it, queue in released if queue == own]
    of_user = [it for it, _ in released if _same_user(scene, it, index)]
    inside_of_user = [it for it in inside if _same_user(scene, it, index)]
    now = _time_of_day(scene)
    night = not 7 * HOUR <= now < 18 * HOUR
    _, _, user, run, aggregate = LIMITS[limits][own]
    users, runs, processors = GLOBAL[limits]
    size = columns.size[index]
    if columns.user[index]:
        yield Bound(job, "nqs_user", 1, len(of_user), users)
        yield Bound(job, "nqs_queue_user", 1, len(inside_of_user), user[night])
    yield Bound(job, "nqs_run", 1, len(released), runs)
    yield Bound(job, "nqs_queue_run", 1, len(inside), run[night])
    yield Bound(job, "nqs_processors", size, scene.area([it for it, _ in released]), processors[_period(now)])
    yield Bound(job, "nqs_aggregate", size, scene.area(inside), aggregate[night])


def queue_of(limits: str, size: int, estimate: int) -> int | None:
    """Return the number of the queue that takes such a job; None if no queue takes it."""
    takes = [
        (most, longest, number)
        for number, (most, longest, *_) in enumerate(LIMITS[limits][: len(NQS_QUEUES)])
        if size <= most and estimate <= longest
    ]
    return min(takes)[2] if takes else None


def _released(scene: Scene, limits: str) -> Iterator[tuple[int, int]]:
    """The batch jobs that NQS has released and that are not over, by index, with their queues."""
    after, columns = scene.after, scene.case.columns
    for index in (*after.waiting(), *after.held(), *after.running()):
        queue = queue_of(limits, columns.size[index], columns.estimate[index])
        if columns.klass[index] not in BEYOND_NQS and queue is not None and not held_by_nqs(scene, index):
            yield index, queue


def _same_user(scene: Scene, one: int, other: int) -> bool:
    return scene.case.columns.user[one] == scene.case.columns.user[other]


def _time_of_day(scene: Scene) -> int:
    epoch = scene.case.scenario.epoch
    begun = 0 if epoch is None else epoch.hour * HOUR + epoch.minute * 60 + epoch.second
    return (begun + scene.now) % DAY


def _period(time: int) -> int:
    """The number of the part of the day: 00-04, 04-07, 07-18, 18-24 h."""
    return sum(time >= hour * HOUR for hour in (4, 7, 18))
