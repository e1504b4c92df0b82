"""What an operator might do at an instant, or change on a cluster: actions to ask about, drawn by a seed."""

from collections.abc import Mapping, Sequence
from random import Random

from shadowtime.console.session.training.clusters.scene import ClusterScene
from shadowtime.console.session.training.questions.choices import MOST, beside
from shadowtime.console.session.training.scene import Scene
from shadowtime.scenarios.nodes import format_nodes, joined

NEAR = 5
"""Running jobs, and waiting ones, that are acted upon."""
FIRST = 999999
"""A priority that is above all others."""
Starts = Mapping[str, int | None]
"""When a job starts, by the action; None: never, as far as is known."""


def to_delay(scene: Scene, random: Random) -> Sequence[str]:
    """Actions that may delay somebody: nodes are taken away, a job is put first, or held; in random order."""
    waiting = scene.ids(scene.before.waiting()[:NEAR])
    running = random.sample(scene.before.running(), min(2, len(scene.before.running())))
    nodes = [format_nodes(joined((a, a + n) for a, n in scene.before.nodes_of(job))) for job in running]
    found = [f"priority {job} 1" for job in waiting[1:]] + [f"hold {job}" for job in waiting[:2]]
    found += [f"{verb} {some}" for some in nodes for verb in ("drain", "down")]
    return random.sample(found, len(found))


def to_start(scene: Scene, job: int, random: Random) -> Sequence[str]:
    """Actions that may get a waiting job, by id, started: by acting on others, or on itself."""
    others = [other for other in scene.ids(scene.before.waiting()[: NEAR + 1]) if other != job]
    running = scene.ids(scene.before.running()[-NEAR:])
    found = [f"priority {it} 1" for it in (job, *others[:2])] + [f"hold {it}" for it in others[:NEAR]]
    found += [f"suspend {other}" for other in running]
    return random.sample(found, len(found))


def one_helps(starts: Starts, base: int | None, random: Random) -> tuple[int, tuple[str, ...]] | None:
    """Return an instant, and actions of which one alone starts the job by then; None if none does.

    `base` is its start without any. Actions that bring it forward too little come first among the others.
    """
    end = float("inf")
    at = {do: end if start is None else start for do, start in starts.items()}
    usual = end if base is None else base
    good = [do for do in at if at[do] < usual and sum(other > at[do] for other in at.values()) >= MOST - 1]
    if not good:
        return None
    right = random.choice(good)
    late = [do for do in at if at[do] > at[right]]
    late = sorted(random.sample(late, len(late)), key=lambda do: at[do] >= usual)
    return int(at[right]), tuple(sorted((right, *beside(right, late, MOST - 1))))


def to_start_sooner(scene: ClusterScene, number: int, random: Random) -> Sequence[str]:
    """Changes of a cluster that may bring a waiting job forward, by number, in random order."""
    rows = [row for row in scene.board.rows if row.start is not None]
    place = next((at for at, it in enumerate(rows) if it.number == number), 0)
    before = [it.number for it in rows[:place] if it.number != number]
    # What helps it is no help if done to another job that waits before it.
    found = list[str]()
    for it in (number, *random.sample(before, min(2, len(before)))):
        one = scene.row(it)
        found += [f"job {it} limit={max(1, (one.limit or 3600) // 240)}m", f"job {it} priority={FIRST}"]
        found += [f"job {it} nodes={one.size // 2}"] if one.size > 1 else []
    found += [
        f"{verb} {it}" for verb in ("cancel", "hold") for it in random.sample(before, min(2, len(before)))
    ]
    found += [f"unreserve {each.name}" for each in scene.capture.reservations]
    found += [f"resume {node.name}" for node in scene.capture.nodes if not node.up][:2]
    return random.sample(found, len(found))


def to_put_off(scene: ClusterScene, number: int, random: Random) -> Sequence[str]:
    """Changes of a waiting job, by number, or of a node, that may put others off; in random order."""
    limit = (scene.row(number).limit or 3600) // 60
    up = [node.name for node in scene.capture.nodes if node.up]
    found = [f"job {number} priority={FIRST}", f"job {number} limit={limit * 3}m"]
    found += [f"drain {random.choice(up)}"] if up else []
    return random.sample(found, len(found))
