"""Random captured clusters with all that a plan obeys, from shared nodes to reservations."""

from random import Random
from typing import Any

import attrs

from shadowtime.scenarios.slurm import ArrayPart, Capture, Job, Node, Partition, Quality, Request, Share
from tests.oracles.slurm.small import NOW, array, cluster, reserved, running, waiting
from tests.session.slurm.kinds import with_kinds

LIMITS = [1, 3, 7, 10, 20, 60, 90, 300]
RELEASES = ["22.05.8", "24.11.5", "26.05.5"]


class Draw:
    """The draws of one cluster."""

    def __init__(self, seed: int, wide: bool = False) -> None:
        self.random = Random(seed)
        self.exclusive = self.maybe(0.5)
        self.count = self.random.randint(60, 140) if wide else self.random.randint(1, 14)
        self.ids = 0

    def maybe(self, chance: float) -> bool:
        """True with a chance."""
        return self.random.random() < chance

    def capture(self) -> Capture:
        """The cluster."""
        nodes = [self.node(place) for place in range(1, self.count + 1)]
        jobs = [*self.running(nodes), *(self.waiting() for _ in range(self.random.randint(1, 25)))]
        jobs = [self.with_task(job, jobs) for job in jobs]
        plain = cluster(self.count, jobs, self.random.choice(RELEASES), **self.parameters())
        names = tuple(node.name for node in nodes)
        reservations = [
            reserved(
                f"r{place}", self.places(), begin := self.random.randint(-900, 6000), begin + 3000, *flags
            )
            for place, flags in enumerate(self.flags())
        ]
        partitions = [
            Partition("batch", names, 1, 1, 200, None, 0, self.exclusive, 1, False, "", ("UP",)),
            Partition("small", names[: len(names) // 2 + 1], 2, 1, 60, 4, 0, False, 1, False, "", ("UP",)),
        ]
        memory = "_MEMORY" if self.maybe(0.7) else ""
        settings = attrs.evolve(
            plain.settings,
            select_parameters=frozenset((self.random.choice(["CR_CORE", "CR_CPU"]) + memory,)),
            licenses={"matlab": 4},
            over_time_limit=self.random.choice([0, 600, None]),
        )
        return attrs.evolve(
            plain, nodes=tuple(nodes), partitions=tuple(partitions), settings=settings,
            reservations=tuple(reservations),
            qualities=(Quality("narrow", 0, (), {("MaxTRESPU", "node"): self.random.randint(1, 6)}),),
        )  # fmt: skip

    def parameters(self) -> dict[str, Any]:
        """Some of the parameters of backfill."""
        choices: dict[str, list[Any]] = {
            "window": [20, 180, 1440], "resolution": [60, 300],
            "max_job_user": [0, 3], "max_job_test": [8, 500],
            "window_linear": [0, 30], "busy_nodes": [True], "running_job_reserve": [True], "licenses": [True],
            "one_resv_per_job": [True], "min_prio_reserve": [990], "min_age_reserve": [200],
            "node_space_size": [0, 12], "max_job_array_resv": [2, 20],
        }  # fmt: skip
        return {name: self.random.choice(values) for name, values in choices.items() if self.maybe(0.2)}

    def flags(self) -> list[tuple[str, ...]]:
        """The flags of each reservation."""
        kinds: list[tuple[str, ...]] = [(), ("MAINT",), ("MAINT", "ALL_NODES"), ("SPEC_NODES",)]
        return [self.random.choice(kinds) for _ in range(self.random.choice([0, 0, 1, 2, 3]))]

    def places(self) -> list[int]:
        """Some nodes, by number."""
        return sorted(self.random.sample(range(1, self.count + 1), self.random.randint(1, self.count)))

    def node(self, place: int) -> Node:
        """A node."""
        threads, cores = self.random.choice([1, 1, 2]), self.random.choice([4, 4, 8])
        features = tuple(word for word in ("ib", "fast", "old") if self.maybe(0.6))
        devices = self.random.choice(["", "gpu:a100:4", "gpu:2", "gpu:a100:2,gpu:h100:2"])
        state = "DRAIN" if self.maybe(0.08) else "IDLE"
        weight = self.random.choice([1, 1, 1, 5])
        memory = 8000 if self.maybe(0.2) else 16000
        return Node(f"n{place}", cores * threads, cores, threads, memory, weight, features, devices, (state,))

    def running(self, nodes: list[Node]) -> list[Job]:
        """Running jobs on parts of nodes, or on whole ones."""
        cores = {node.name: node.cores for node in nodes}
        memory = {node.name: node.memory for node in nodes}
        jobs = []
        for _ in range(self.random.randint(0, 9)):
            shares = []
            for place in self.places()[:4]:
                name, left = f"n{place}", cores[f"n{place}"]
                whole = self.exclusive and left == nodes[place - 1].cores
                if left and (whole or not self.exclusive):
                    taken = left if whole else self.random.randint(1, left)
                    part = self.random.choice([0, memory[name] // 2, memory[name]])
                    cores[name] -= taken
                    memory[name] -= part
                    shares.append(Share(name, taken, part, "gpu:a100:1(IDX:0)" if self.maybe(0.1) else ""))
            if shares:
                end = self.random.choice([-700, -20, *(self.random.randint(1, 9000) for _ in range(6))])
                self.ids += 1
                job = running(self.ids, [1], end, user=self.user(), exclusive=self.exclusive, qos=self.qos())
                names = tuple(share.node for share in shares)
                licenses = attrs.evolve(job.request, licenses="matlab:1" if self.maybe(0.2) else "")
                jobs.append(attrs.evolve(job, nodes=names, shares=tuple(shares), request=licenses))
        return jobs

    def user(self) -> str:
        """A user."""
        return self.random.choice(["ada", "grace"])

    def qos(self) -> str:
        """A quality of service."""
        return "narrow" if self.maybe(0.2) else ""

    def with_task(self, job: Job, jobs: list[Job]) -> Job:
        """The job, or the same as a task of an array that may run two: one that runs, or the last one."""
        arrays = [each.id for each in jobs if each.array is not None and each.array.most_running]
        if job.waiting and job.array is None and self.maybe(0.1):
            return attrs.evolve(job, array=ArrayPart(self.random.choice([*arrays, job.id]), 9, "", 2))
        if job.holding and arrays and self.maybe(0.3):
            return attrs.evolve(job, array=ArrayPart(self.random.choice(arrays), job.id, "", 2))
        return job

    def waiting(self) -> Job:
        """A waiting job."""
        self.ids += 1
        nodes, minutes = self.random.randint(1, max(1, self.count // 2)), self.random.choice(LIMITS)
        if self.maybe(0.1):
            return array(self.ids, nodes, minutes, "1-4,7", self.random.choice([0, 2]))
        job = waiting(self.ids, nodes, minutes, user=self.user(), qos=self.qos())
        return attrs.evolve(
            job,
            request=self.request(nodes),
            partitions=self.random.choice([("batch",), ("batch",), ("small",), ("small", "batch")]),
            priority=self.random.randint(980, 1000),
            submit=NOW - self.random.randint(0, 300),
            eligible=NOW - self.random.randint(-30, 300),
            least_limit=self.random.choice([0, 0, 0, 2]),
            reservation="r0" if self.maybe(0.1) else "",
        )

    def request(self, nodes: int) -> Request:
        """What it asks for."""
        form, each = self.random.randint(0, 3), self.random.choice([1, 1, 2, 3])
        tasks = nodes * self.random.randint(1, 4) if form else nodes
        by_node = tasks // nodes if form == 2 else 0
        implicit = form == 3
        by_cpu, by_whole = self.random.choice([(0, 0), (700, 0), (2500, 0), (0, 3000), (0, 12000)])
        names = [f"n{place}" for place in self.places()]
        return Request(
            least_nodes=1 if implicit else nodes,
            most_nodes=self.random.choice([0, tasks]) if implicit else nodes,
            nodes_wanted=not implicit,
            cpus=tasks * each,
            tasks=tasks,
            cpus_per_task=each,
            tasks_per_node=by_node,
            least_cpus_per_node=max(1, by_node) * each,
            memory_per_cpu=by_cpu,
            memory_per_node=by_whole,
            exclusive=self.maybe(0.2),
            contiguous=self.maybe(0.1),
            required_nodes=tuple(names[:2]) if self.maybe(0.15) else (),
            excluded_nodes=tuple(names[-3:]) if self.maybe(0.1) else (),
            features=self.random.choice(["ib&fast", "ib|old", "[ib|old|fast]"]) if self.maybe(0.25) else "",
            devices_per_node=self.random.choice(["gres/gpu:1", "gres/gpu:a100:2"])
            if self.maybe(0.15)
            else "",
            licenses=self.random.choice(["matlab:1", "matlab:3"]) if self.maybe(0.15) else "",
        )


def random_capture(seed: int, wide: bool = False) -> Capture:
    """The cluster of a seed; a wide one has 60 to 140 nodes, otherwise there are 14 at most."""
    capture = Draw(seed, wide).capture()
    if seed % 5 in (1, 2):
        capture = with_kinds(capture, Random(seed))
    return bounded(capture, Random(seed)) if seed % 4 == 0 else capture


def bounded(capture: Capture, random: Random) -> Capture:
    """The cluster with jobs of three associations and of none, and bounds on what a cycle tries."""
    changes: dict[str, Any] = {
        name: random.randint(1, 6)
        for name in ("max_job_user_part", "max_job_assoc", "max_job_part")
        if random.random() < 0.5
    }
    jobs = tuple(attrs.evolve(job, association=random.choice([0, 1, 2, 3, 3])) for job in capture.jobs)
    backfill = attrs.evolve(capture.settings.backfill, **changes)
    return attrs.evolve(capture, jobs=jobs, settings=attrs.evolve(capture.settings, backfill=backfill))
