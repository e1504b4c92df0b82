"""Which reasons to wait are false under `prime` and `unicos` on a flat machine."""

from shadowtime.console.session.training.questions.choices import first
from shadowtime.console.session.training.scene import Scene

SHIFTS = frozenset(("shift", "large", "short", "long", "reserve"))
LIMITED = frozenset(("limit",))
"""Those of one whose scan a job ends that has waited too long."""


def false_in_shifts(scene: Scene, index: int) -> dict[str, str]:
    """Return, of each reason of these schedulers, why it is false of a job, by index, after the pass.

    The text is the misconception, and empty if the reason may be true. Other schedulers have no such reasons.
    """
    given = scene.after.parameters
    shifts, limited = given.keys() >= SHIFTS, given.keys() == LIMITED
    if not (shifts or limited) or scene.case.scenario.machine.torus is not None:
        return {}
    after, columns = scene.after, scene.case.columns
    queue, size = after.waiting(), columns.size[index]
    fits, heads = size <= after.free, bool(queue) and queue[0] == index
    found = {
        "no_room_now": first((fits, "it_fits")),
        "scan_ended": first((heads, "is_the_head"), (not _blocked_before(scene, index), "all_before_fit")),
        "reserved": "no_reservations",
    }
    if limited:
        waited = _waited_before(scene, index)
        return {**found, "waited_ends_scan": first((heads, "is_the_head"), (not waited, "waited_less"))}
    over = (not _in_prime(scene), "no_prime_time")
    short = (columns.runtime[index] <= scene.given("short"), "short_enough")
    small = (size <= scene.given("large"), "small_enough")
    brief = (columns.runtime[index] <= scene.given("long"), "not_too_long")
    return {
        "too_large_for_prime": first(over, short, small),
        "too_long_for_prime": first(over, short, brief),
        "prime_reserve": first(over, short, (after.free >= scene.given("reserve"), "reserve_is_free")),
        **found,
    }


def _in_prime(scene: Scene) -> bool:
    """Whether it is prime time (docs/schedulers.md, section 9)."""
    shift = scene.given("shift")
    return (scene.now - scene.given("phase")) % (2 * shift) < (scene.given("length") or shift)


def _blocked_before(scene: Scene, index: int) -> bool:
    """Whether a job before this one in the queue does not fit."""
    after, size = scene.after, scene.case.columns.size
    queue = list(after.waiting())
    before = queue[: queue.index(index)] if index in queue else []
    return any(size[job] > after.free for job in before)


def _waited_before(scene: Scene, index: int) -> bool:
    """Whether a job before this one in the queue has waited longer than the limit."""
    queue, limit = list(scene.after.waiting()), scene.given("limit")
    before = queue[: queue.index(index)] if index in queue else []
    return any((scene.after.waited(job) or 0) > limit for job in before)
