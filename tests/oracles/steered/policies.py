"""The policies that share space, as a steered run sees them: what each pass starts, in which order."""

from tests.oracles.steered.world import World


class Ahead:
    """What is known of the future: when nodes come free, and what is spoken for."""

    def __init__(self, world: World) -> None:
        self.now, self.idle, self.coming = world.now, len(world.idle()), world.coming()
        self.taken: list[tuple[int, int, int]] = []  # (size, start, end)

    def free(self, time: int) -> int:
        """Free nodes at an instant."""
        come = sum(back <= time for back in self.coming)
        return self.idle + come - sum(size for size, start, end in self.taken if start <= time < end)

    def earliest(self, size: int, length: int) -> int | None:
        """The first time at which `size` nodes stay free for `length` seconds; None where there is none."""
        changes = sorted({self.now, *self.coming, *(end for _, _, end in self.taken)})
        changes += [start for _, start, _ in self.taken]
        for start in sorted(changes):
            within = [time for time in changes if start <= time < start + length]
            if all(self.free(time) >= size for time in within):
                return start
        return None

    def take(self, size: int, start: int, length: int) -> None:
        """Nodes are spoken for."""
        self.taken.append((size, start, start + length))


class Fcfs:
    """Heads start while they fit."""

    own_order = False
    """Whether it takes the waiting in an order of its own, so that nobody can have a priority."""
    timer: tuple[int, int] | None = None
    """An instant at which it wants a pass, and the job that this is for."""

    def hear(self) -> None:
        """Something was done to the machine or its jobs: whatever was planned is void."""

    def completed(self) -> None:
        """A job has ended."""

    def reconsider(self, world: World) -> bool:
        """Right before a pass: whether it changes its mind, which is an event."""
        return False

    def decide(self, world: World) -> list[int]:
        """The jobs that a pass starts, in order."""
        started, free = [], len(world.idle())
        for job in world.queue():
            if world.jobs[job].size > free:
                break
            started.append(job)
            free -= world.jobs[job].size
        return started


class Easy(Fcfs):
    """Heads start while they fit; the first that does not has the one reservation.

    The others are looked at in the order of the scan, equals in order of the queue.
    """

    def __init__(self, scan: str, reservation: str = "recomputed") -> None:
        self.scan, self.keeps = scan, reservation == "kept"
        self.kept: tuple[int, int | None, int] | None = None
        """The head, its shadow time (None: never) and its extra nodes."""

    def hear(self) -> None:
        """Something was done to the machine or its jobs: the reservation is void."""
        self.kept = None

    def rank(self, world: World, job: int) -> int:
        """What the scan goes by."""
        length, size = world.estimate(job), world.jobs[job].size
        ranks = {"arrival": 0, "shortest": length, "longest": -length, "widest": -size, "narrowest": size}
        return ranks[self.scan]

    def decide(self, world: World) -> list[int]:
        """The jobs that a pass starts, in order."""
        started = super().decide(world)
        ahead = Ahead(world)
        for job in started:
            ahead.take(world.jobs[job].size, world.now, world.estimate(job))
        rest = [job for job in world.queue() if job not in started]
        if not rest:
            return started
        if self.keeps and self.kept is not None and self.kept[0] == rest[0]:
            _, shadow, extra = self.kept
        else:
            head = world.jobs[rest[0]].size
            shadow = ahead.earliest(head, 1)
            extra = 0 if shadow is None else ahead.free(shadow) - head
        for job in sorted(rest[1:], key=lambda job: self.rank(world, job)):
            size, length = world.jobs[job].size, world.estimate(job)
            if size > ahead.free(world.now):
                continue
            if shadow is not None and world.now + length > shadow:
                if size > extra:
                    continue
                extra -= size
            started.append(job)
            ahead.take(size, world.now, length)
        self.kept = (rest[0], shadow, extra)
        return started


class Conservative(Fcfs):
    """Everybody has a reservation, which lasts until the plan is void; with `replan` each pass begins anew.

    A fresh plan has nobody start but now or when nodes are known to come free, so that it needs no timer.
    """

    def __init__(self, way: str) -> None:
        self.way = way
        self.void, self.compress = True, False
        self.reserved: dict[int, int | None] = {}

    def hear(self) -> None:
        """Whatever was planned is void, and nothing is due before the next pass."""
        self.void, self.timer = True, None

    def completed(self) -> None:
        """The next pass compresses the plan."""
        self.compress = True

    def reserve(self, world: World, job: int) -> None:
        """A job gets the earliest place that the others leave, whose places stay."""
        ahead = Ahead(world)
        for other, start in self.reserved.items():
            if start is not None:
                ahead.take(world.jobs[other].size, start, world.estimate(other))
        self.reserved[job] = ahead.earliest(world.jobs[job].size, world.estimate(job))

    def decide(self, world: World) -> list[int]:
        """The jobs that a pass starts, in order."""
        queue = world.queue()
        if self.void or self.way == "replan":
            self.reserved = {}
        elif self.compress:
            for job in [job for job in queue if job in self.reserved]:
                del self.reserved[job]
                self.reserve(world, job)
        for job in [job for job in queue if job not in self.reserved]:
            self.reserve(world, job)
        self.void = self.compress = False
        started = [job for job in queue if self.reserved[job] == world.now]
        for job in started:
            del self.reserved[job]
        due = [(start, queue.index(job)) for job, start in self.reserved.items() if start is not None]
        self.timer = (min(due)[0], queue[min(due)[1]]) if due and self.way != "replan" else None
        return started


class Ordered(Fcfs):
    """Everybody has the earliest place in a plan made in order of the estimates, in each pass anew."""

    own_order = True

    def __init__(self, sign: int) -> None:
        self.sign = sign

    def decide(self, world: World) -> list[int]:
        """The jobs that a pass starts, in order."""
        ahead, started, queue = Ahead(world), [], world.queue()
        for job in sorted(queue, key=lambda job: (self.sign * world.estimate(job), job)):
            size, length = world.jobs[job].size, world.estimate(job)
            start = ahead.earliest(size, length)
            if start is not None:
                ahead.take(size, start, length)
            if start == world.now:
                started.append(job)
        return sorted(started, key=queue.index)


class Reserving(Fcfs):
    """The first jobs that do not fit have reservations; the others start where they fit into the plan.

    With the widest windows first those that end by the earliest reservation, then any. A reservation for
    which no nodes are known to come free is in no plan, but counts.
    """

    def __init__(self, reservations: int, widest: bool) -> None:
        self.reservations, self.widest = reservations, widest

    def decide(self, world: World) -> list[int]:
        """The jobs that a pass starts, in order."""
        ahead, started, waiting, reserved = Ahead(world), list[int](), world.queue(), list[int | None]()
        while waiting and len(reserved) < self.reservations:
            job = waiting.pop(0)
            size, length = world.jobs[job].size, world.estimate(job)
            start = ahead.earliest(size, length)
            if start is not None:
                ahead.take(size, start, length)
            if start == world.now:
                started.append(job)
            else:
                reserved.append(start)
        first = min((start for start in reserved if start is not None), default=None)
        for scan in ("in time", "any") if self.widest else ("any",):
            for job in [job for job in waiting if job not in started]:
                size, length = world.jobs[job].size, world.estimate(job)
                late = scan == "in time" and first is not None and world.now + length > first
                if not late and ahead.earliest(size, length) == world.now:
                    ahead.take(size, world.now, length)
                    started.append(job)
        return started


class Maui(Fcfs):
    """EASY in two scans: first those that end by the shadow time, then those that the extra nodes hold."""

    def decide(self, world: World) -> list[int]:
        """The jobs that a pass starts, in order."""
        started = super().decide(world)
        ahead, extra = Ahead(world), world.nodes
        for job in started:
            ahead.take(world.jobs[job].size, world.now, world.estimate(job))
        rest = [job for job in world.queue() if job not in started]
        shadow = ahead.earliest(world.jobs[rest[0]].size, 1) if rest else None
        if shadow is not None:
            extra = ahead.free(shadow) - world.jobs[rest[0]].size
        for scan in ("time", "width"):
            for job in [job for job in rest[1:] if job not in started]:
                size, length = world.jobs[job].size, world.estimate(job)
                in_time = shadow is None or world.now + length <= shadow
                if size > ahead.free(world.now) or not (in_time if scan == "time" else size <= extra):
                    continue
                extra -= size if scan == "width" else 0
                started.append(job)
                ahead.take(size, world.now, length)
        return started
