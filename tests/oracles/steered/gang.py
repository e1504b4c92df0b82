"""Gang scheduling in a steered run: the matrix of the naive gang scheduler, over the machine as it is found.

Nodes that are out count as taken in every row; who has them already keeps them. A job that leaves its row in
whatever way is to the matrix as one that has ended.
"""

from copy import deepcopy
from typing import Any

from tests.oracles.gang.matrix import Matrix, Place, Row
from tests.oracles.steered.world import World


class GangPolicy:
    """The matrix and the clock of the rotation."""

    own_order = False

    def __init__(self, world: World, parameters: dict[str, Any]) -> None:
        """Take over a machine: whoever runs is in the first row with the nodes that it has."""
        self.quantum: int = parameters.get("quantum", 10)
        self.overhead: int = parameters.get("overhead", 0)
        self.alternate: bool = parameters.get("alternate", True)
        self.unify: bool = parameters.get("unify", True)
        self.placing: bool = parameters.get("placing", True)
        sizes = [job.size for job in world.jobs]
        packing, slots = parameters.get("packing", "buddy"), parameters.get("slots", 0)
        self.matrix = Matrix(sizes, world.nodes, packing, slots)
        self.left = False  # whether a job has left its row since the last pass
        self.next_switch: int | None = None  # none exactly when the matrix is empty
        if world.running:
            places = {job: frozenset(world.records[job].nodes) for job in world.running}
            row = Row({job: Place(columns, columns) for job, columns in places.items()})
            self.matrix.rows, self.matrix.current = [row], row
            self.next_switch = world.now + self.quantum

    def remove(self, job: int) -> None:
        """A job has left its row."""
        self.matrix.remove(job)
        self.left = True

    def rotate(self, world: World) -> bool:
        """A quantum is over. Whether another row has become current."""
        self.next_switch = world.now + self.quantum
        switched = self.matrix.rotate()
        if switched:
            world.stalled_until = world.now + self.overhead
        return switched

    def drop_empty_rows(self, world: World) -> None:
        """Empty rows go; if the current one was empty the next takes over with a whole quantum."""
        if self.matrix.drop_empty_rows():
            world.stalled_until = world.now + self.overhead
            self.next_switch = world.now + self.quantum

    def has_room(self, world: World, job: int) -> bool:
        """Whether packing would find a place for a job; nothing is changed."""
        tried = deepcopy(self.matrix)
        tried.out = set(world.out)
        return tried.place(job) is not None

    def place(self, world: World, job: int) -> bool:
        """Place a job where packing puts it. Whether there was room."""
        into_empty = not self.matrix.rows
        self.matrix.out = set(world.out)
        if self.matrix.place(job) is None:
            return False
        if into_empty:
            world.stalled_until = world.now
            self.next_switch = world.now + self.quantum
        row = next(row for row in self.matrix.rows if job in row.places)
        world.give(job, tuple(sorted(row.places[job].columns)))
        return True

    def make_pass(self, world: World) -> None:
        """Empty rows go, rows are united, waiting jobs are placed, and who runs is settled."""
        if self.left:
            self.drop_empty_rows(world)
            if self.unify:
                self.matrix.unify()
        self.left = False
        for job in world.queue() if self.placing else []:
            if not self.place(world, job):
                break
        if not self.matrix.rows:
            self.next_switch = None
        runs = self.matrix.runs(self.alternate)
        for job in [job for job in world.running if job not in runs]:
            world.running.remove(job)
            world.records[job].state = "W"
            world.records[job].preemptions += 1
        for job in sorted(runs - set(world.running)):
            world.run(job)

    def let_go(self, world: World) -> None:
        """Another policy comes: those that run keep their nodes, the others are in the queue."""
        for job, record in enumerate(world.records):
            if record.state == "W":
                world.leave(job, "")
                world.enqueue(job)
