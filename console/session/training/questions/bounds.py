"""The limits of the T3D's scheduler, and of NQS before it, with what the jobs on the machine have of them.

Recomputed from the jobs and the tables of docs/schedulers.md, sections 11.3, 11.4 and 11.10.
"""

from collections.abc import Iterator, Mapping

from shadowtime.console.session.training.facts import Bound
from shadowtime.console.session.training.scene import Scene
from shadowtime.kernels.policies.torus.classes import CLASSES
from shadowtime.kernels.policies.torus.nqs import GLOBAL, LIMITS, NQS_QUEUES

DAY, HOUR = 86_400, 3600
BEYOND_NQS = frozenset(("interactive", "debug"))
"""The classes whose jobs go to the machine at once."""


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
    yield Bound(job, "job_limit", size, 0, _number(given["job_limit"]))
    if after.state(index) == "N":
        yield Bound(job, "system_limit", size, status["system"], _number(given["system_limit"]))
    service = str(scene.row(job).terms["service"])
    yield Bound(job, "class_limit", size, status["processors"][service], _class_limit(given, service))
    if size >= _number(given["large"]):
        yield Bound(job, "large_limit", size, status["large"], status["large_limit"])


def _class_limit(given: Mapping[str, object], service: str) -> int:
    changed = given.get("classes") or {}
    assert isinstance(changed, Mapping)
    return int(changed.get(service, {}).get("limit", CLASSES[service][3]))


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value


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
    yield Bound(
        job, "nqs_processors", size, _area(scene, [it for it, _ in released]), processors[_period(now)]
    )
    yield Bound(job, "nqs_aggregate", size, _area(scene, inside), aggregate[night])


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


def _area(scene: Scene, jobs: list[int]) -> int:
    return sum(scene.case.columns.size[job] for job in jobs)


def _time_of_day(scene: Scene) -> int:
    epoch = scene.case.scenario.epoch
    begun = 0 if epoch is None else epoch.hour * HOUR + epoch.minute * 60 + epoch.second
    return (begun + scene.now) % DAY


def _period(time: int) -> int:
    """The number of the part of the day: 00-04, 04-07, 07-18, 18-24 h."""
    return sum(time >= hour * HOUR for hour in (4, 7, 18))
