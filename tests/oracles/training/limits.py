"""Which limits a job of the T3D exceeds, which reasons may be true of it: from docs/schedulers.md alone."""

from collections.abc import Sequence

from tests.oracles.torus.classes import CLASSES, DAY, HOUR, NEVER_PREEMPTED
from tests.oracles.torus.jobs import Change, Moment, T3DJob
from tests.oracles.torus.nqs import LIMITS, is_batch, queue_for

WITH_A_BLOCK = "WiRo"
ALIVE = "NWiRoOS"


def exceeded(jobs: Sequence[T3DJob], here: Moment, nqs: str | None, job: int) -> set[str]:
    """The limits that a job in N or O would exceed with a block, or released; second 0 is Monday 00:00."""
    if job in here.held:
        assert nqs is not None
        return exceeded_of_nqs(jobs, here, nqs, job)
    size, klass, found = jobs[job].size, here.classes[job], set()
    others = [other for other in range(len(jobs)) if other != job]
    if size > 256:
        found.add("job_limit")
    system = sum(jobs[other].size for other in others if here.states[other] in tuple("WiRoOS"))
    if here.states[job] == "N" and system + size > 576:
        found.add("system_limit")
    placed = [other for other in others if here.states[other] in tuple(WITH_A_BLOCK)]
    of_class = sum(jobs[other].size for other in placed if here.classes[other] == klass)
    if of_class + size > CLASSES[klass].limit:
        found.add("class_limit")
    large = sum(jobs[other].size for other in placed if jobs[other].size >= 64)
    if size >= 64 and large + size > (192 if by_day(here.now) else 256):
        found.add("large_limit")
    return found


def by_day(now: int) -> bool:
    """Whether the table by day is in force."""
    weekday, second = divmod(now % (7 * DAY), DAY)
    return weekday < 5 and 7 * HOUR <= second < 18 * HOUR


def priority(klass: str, now: int) -> int:
    """The priority of a class: at night interactive jobs have that of production jobs."""
    return 3 if klass == "interactive" and not by_day(now) else CLASSES[klass].priority


def exceeded_of_nqs(jobs: Sequence[T3DJob], here: Moment, nqs: str, job: int) -> set[str]:
    """The limits of NQS that a job which it holds exceeds."""
    limits = LIMITS[nqs]
    own = queue_for(jobs[job], limits)
    assert own is not None
    released = [
        other
        for other in range(len(jobs))
        if here.states[other] in tuple(ALIVE) and other not in here.held and is_batch(jobs[other])
    ]
    inside = [other for other in released if queue_for(jobs[other], limits) == own]
    second = here.now % DAY
    day = 7 * HOUR <= second < 18 * HOUR
    period = [second >= begin for begin in (0, 4 * HOUR, 7 * HOUR, 18 * HOUR)].count(True) - 1

    def limit(varying: tuple[int, int]) -> int:
        return varying[0] if day else varying[1]

    def of_user(among: Sequence[int]) -> int:
        return sum(jobs[other].user == jobs[job].user for other in among)

    def area(among: Sequence[int]) -> int:
        return sum(jobs[other].size for other in among)

    size = jobs[job].size
    over = {
        "nqs_user": of_user(released) + 1 > limits.user,
        "nqs_queue_user": of_user(inside) + 1 > limit(own.user),
        "nqs_run": len(released) + 1 > limits.run,
        "nqs_queue_run": len(inside) + 1 > limit(own.run),
        "nqs_processors": area(released) + size > limits.processors[period],
        "nqs_aggregate": area(inside) + size > limit(own.aggregate),
    }
    return {name for name, exceeds in over.items() if exceeds}


def may_be_true(
    jobs: Sequence[T3DJob], here: Moment, history: Sequence[Change], nqs: str | None, job: int
) -> set[str]:
    """The reasons to wait that may be true of a job in N, W or O."""
    held, state = job in here.held, here.states[job]
    found = set()
    if state in "NO":
        names = {"job_limit", "system_limit", "class_limit", "large_limit"}
        for name in exceeded(jobs, here, nqs, job):
            found.add(f"over_{name}" if name in names else name)
    if here.reserved == job:
        found.add("block_reserved")
    if state == "W":
        found.add("block_clearing")
    others = [other for other in range(len(jobs)) if other != job]
    if not held and (here.reserved in others or any(here.states[other] == "W" for other in others)):
        found.add("reserved_for")
    if not held and any(disturbed(jobs, here, history, other) for other in others):
        found.add("still_undisturbed")
    level = priority(here.classes[job], here.now)
    if not held and any(
        here.states[other] in tuple("Ri")
        and (priority(here.classes[other], here.now) >= level or here.classes[other] in NEVER_PREEMPTED)
        for other in others
    ):
        found.add("nothing_lower")
    return found


def disturbed(jobs: Sequence[T3DJob], here: Moment, history: Sequence[Change], job: int) -> bool:
    """Whether a job is loading, or in its do-not-disturb time."""
    if here.states[job] != "R":
        return here.states[job] == "i"
    entered = max(it.at for it in history if it.job == job and it.state == "R" and it.at <= here.now)
    return here.now < entered + CLASSES[here.classes[job]].do_not_disturb * jobs[job].size
