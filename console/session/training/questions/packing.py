"""Why a job got its place in the matrix: what its packing compared (docs/schedulers.md, 10.2).

Loads are counted before the pass. They are shown if they lead to the place that the job got: another
job may have been placed before it in the same pass.
"""

from collections.abc import Iterator, Sequence

from shadowtime.console.session.jobs.names import matrix_of
from shadowtime.console.session.training.facts import Because, Packed
from shadowtime.console.session.training.scene import Scene

Row = Sequence[int]
"""The jobs of a row, by index."""


def packed(scene: Scene, index: int) -> tuple[Because, ...]:
    """Return what was compared for a job, by index, that this pass has placed; nothing of any other."""
    before, after = matrix_of(scene.before.status()), matrix_of(scene.after.status())
    if before is None or after is None or any(index in row for row in before.rows):
        return ()
    row = next((number for number, jobs in enumerate(after.rows) if index in jobs), None)
    at = min((first for first, _ in scene.after.nodes_of(index)), default=None)
    rows, size = [*before.rows], scene.case.columns.size[index]
    packing = str(scene.case.parameters.get("packing", "buddy"))
    if packing == "buddy":
        found = _blocks(scene, rows, size)
        chosen = min(found, key=lambda it: (it[2], it[0], it[1]), default=None)
        right = chosen is not None and chosen[:2] == (row, at)
        needs = _width(size)
    else:
        found = [(number, scene.case.nodes - scene.area(jobs), 0) for number, jobs in enumerate(rows)]
        fitting = [it for it in found if it[1] >= size]
        rank = {"first": lambda it: it[0], "best": lambda it: (it[1], it[0])}[packing]
        chosen = min(fitting, key=rank, default=(len(rows), 0, 0))
        right, needs = chosen[0] == row, size
    new = row == len(rows)
    return (Packed(scene.id(index), packing, needs, tuple(found), new),) if right else ()


def _blocks(scene: Scene, rows: Sequence[Row], size: int) -> list[tuple[int, int, int]]:
    """The possible block of least load of each row; of a new row if no row has one."""
    width, nodes = _width(size), scene.case.nodes
    legal = [base for base in range(0, nodes, width) if base + size <= nodes]
    used = {job: set(_columns(scene, job)) for jobs in rows for job in jobs}
    load = {base: sum(bool(it & {*range(base, base + width)}) for it in used.values()) for base in legal}

    def free(jobs: Row) -> Iterator[int]:
        taken = {node for job in jobs for node in _taken(scene, job)}
        return (base for base in legal if not taken & {*range(base, base + width)})

    def rank(base: int) -> tuple[int, int]:
        return load[base], base

    best = [(row, min(free(jobs), key=rank, default=-1)) for row, jobs in enumerate(rows)]
    found = [(row, base, load[base]) for row, base in best if base >= 0]
    first = min(legal, key=rank)
    return found or [(len(rows), first, load[first])]


def _columns(scene: Scene, job: int) -> Iterator[int]:
    return (node for first, count in scene.before.nodes_of(job) for node in range(first, first + count))


def _taken(scene: Scene, job: int) -> range:
    """The columns of its block, which no other job of its row gets."""
    first = min(_columns(scene, job), default=0)
    return range(first, first + _width(scene.case.columns.size[job]))


def _width(size: int) -> int:
    """The size rounded up to a power of two."""
    return 1 << (size - 1).bit_length()
