"""A captured cluster as a scenario: what holds nodes now, what waits, and what is down.

The papers' schedulers see one machine without partitions. Second 0 is the second before the capture: the
running jobs come then, and run until Slurm ends them; the waiting ones come a second later, in the order of
their priority, and run to their limits. All of this is our choice (docs/slurm-cycle.md, section 16).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import attrs

from shadowtime.scenarios.nodes import format_nodes, joined
from shadowtime.scenarios.slurm.capture import read_capture
from shadowtime.scenarios.slurm.errors import broken
from shadowtime.scenarios.slurm.records import Capture, Job, Node
from shadowtime.scenarios.slurm.tasks import task_ranges
from shadowtime.scenarios.text.writing import written
from shadowtime.scenarios.workload import MAX_NODES

BASE = "easy"
VARIANTS = "conservative", "fcfs", "sjf"
"""The other policies under which `shadowtime compare` runs a captured cluster."""
CAPTURED = 1
"""The second of the capture, at which the waiting jobs come; those that hold nodes come one before."""
MOST_TASKS = 1 << 16
"""Tasks of all arrays together; those beyond are left out."""
YEAR = 365 * 24 * 3600
"""Seconds of a job without any limit."""


def is_capture(path: Path) -> bool:
    """Whether a path is a folder with what Slurm's commands print."""
    return path.is_dir() and any((path / name).exists() for name in ("config.txt", "config.txt.xz"))


def capture_text(folder: Path) -> str:
    """Return a captured cluster as the text of a scenario file. CaptureError if the folder cannot be read."""
    return written(capture_values(folder))


def capture_values(folder: Path) -> dict[str, object]:
    """Return the values of that file."""
    capture = read_capture(folder)
    scene = _Scene(capture, now_of(capture))
    if not scene.capacity or scene.capacity > MAX_NODES:
        raise broken(folder, f"has {scene.capacity} {scene.unit}s; expected 1 to {MAX_NODES}")
    values = scene.values()
    if not values["job"]:
        raise broken(folder, "has no job that runs or waits; expected one at least")
    return values


def now_of(capture: Capture) -> int:
    """Return the moment of a capture, or the last begin of a job. CaptureError if nothing shows it."""
    now = capture.taken or max((job.begin for job in capture.jobs if job.holding), default=0)
    if not now:
        raise broken(
            capture.folder,
            "does not say when it was read, and no job runs; expected last_update in squeue.json",
        )
    return now


def listed_jobs(capture: Capture, now: int) -> tuple[list[dict[str, object]], dict[int, str]]:
    """Return every job that holds nodes or waits, and how Slurm names each, by its id; an array is its tasks.

    Sizes are nodes; beside each stand its `cpus`, and the seconds that it had `waited` before `now`.
    """
    scene, other = (_Scene(capture, now, counted) for counted in ("node", "processor"))
    jobs = [
        row | {"cpus": its["size"], "waited": scene.waited.get(int(str(row["id"])), 0)}
        for row, its in zip(scene.jobs(), other.jobs(), strict=True)
    ]
    return jobs, scene.slurm_names


def slurm_names(capture: Capture, now: int) -> dict[int, str]:
    """Return how Slurm names each job of the scenario, by its id there."""
    scene = _Scene(capture, now)
    list(scene.jobs())
    return scene.slurm_names


@attrs.define
class _Scene:
    capture: Capture
    now: int
    unit: str = attrs.field(init=False)
    """`node` where every job takes whole nodes, `processor` where jobs share nodes."""
    per_node: int = attrs.field(init=False)
    """0: nodes differ in their CPUs, and the machine is one row of CPUs."""
    counted: str = ""
    """What jobs are counted in, if every job is listed; empty: what other schedulers see of them."""
    left_out: Counter[str] = attrs.field(factory=Counter)
    slurm_names: dict[int, str] = attrs.field(factory=dict)
    """Id -> how Slurm names the job."""
    waited: dict[int, int] = attrs.field(factory=dict)
    """Id -> seconds since the submission of a job that can start at once."""
    exclusive: frozenset[str] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        capture = self.capture
        self.exclusive = frozenset(part.name for part in capture.partitions if part.exclusive)
        present = [job for job in capture.jobs if job.holding or job.waiting]
        self.unit = self.counted or ("node" if all(map(self.whole, present)) else "processor")
        sizes = {cpus_of(node) for node in capture.nodes}
        self.per_node = 1 if self.unit == "node" else sizes.pop() if len(sizes) == 1 else 0

    def whole(self, job: Job) -> bool:
        """Whether a job has its nodes to itself."""
        alone = job.request.exclusive or self.capture.settings.select == "select/linear"
        return alone or self.exclusive.issuperset(job.partitions)

    @property
    def capacity(self) -> int:
        nodes = self.capture.nodes
        return len(nodes) * self.per_node if self.per_node else sum(map(cpus_of, nodes))

    def values(self) -> dict[str, object]:
        jobs = list(self.jobs())
        outages = [{"nodes": self.down(), "from": 0}] if self.down() else []
        return {
            "title": f"Slurm {self.capture.settings.version} at {self.instant(self.now)}",
            "about": self.about(),
            "machine": self.machine(),
            "policy": {"name": BASE},
            "job": jobs,
            "variant": [{"name": name, "policy": {"name": name}} for name in VARIANTS],
            **({"outage": outages} if outages else {}),
        }

    def machine(self) -> dict[str, object]:
        epoch = datetime.fromtimestamp(self.now - 1, UTC).strftime("%Y-%m-%d %H:%M:%S")
        nodes = len(self.capture.nodes) if self.per_node else self.capacity
        shared = {"unit": "processor", "per_node": self.per_node or 1} if self.unit == "processor" else {}
        return {"nodes": nodes, **shared, "epoch": epoch}

    def about(self) -> str:
        nodes = self.capture.nodes
        counted = "whole nodes" if self.unit == "node" else "CPUs, since jobs share nodes"
        lines = [
            f"A captured cluster of {len(nodes)} nodes, as one machine without partitions.",
            f"Jobs are counted in {counted}. Memory, devices, features and limits are not modelled.",
            "Second 0 is the second before the capture: the running jobs run until Slurm ends them,",
            "the waiting ones come a second later, by priority, and run to their limits.",
        ]
        if self.left_out:
            parts = (f"{count} {why}" for why, count in sorted(self.left_out.items()))
            lines.append(f"Waiting jobs that are left out: {', '.join(parts)}.")
        return "\n".join(lines)

    def down(self) -> str:
        """The nodes that take no job, and hold none: they stay out."""
        held = {share.node for job in self.capture.jobs if job.holding for share in job.shares}
        if self.per_node == 0:
            return ""
        return format_nodes(
            joined(
                (place, place + 1)
                for place, node in enumerate(self.capture.nodes)
                if not node.up and node.name not in held
            )
        )

    def jobs(self) -> Iterator[dict[str, object]]:
        running = sorted(
            (job for job in self.capture.jobs if job.holding), key=lambda job: (job.begin, job.id)
        )
        for job in running:
            self.slurm_names[job.id] = job.shown
            rest = max(1, job.end - self.now + 1) if job.end else YEAR
            yield self.row(job, job.id, self.held(job), 0, rest, job.name)
        spare = max((job.id for job in self.capture.jobs), default=0)
        for job in sorted((job for job in self.capture.jobs if job.waiting), key=_order):
            for task in self.admitted(job):
                number = job.id
                if task is not None:
                    spare += 1
                    number = spare
                array = job.array
                name = job.name if task is None else f"{job.name} {array.job if array else job.id}_{task}"
                part = array.task if array is not None and task is None else task
                self.slurm_names[number] = str(job.id) if array is None else f"{array.job}_{part}"
                submit = max(CAPTURED, job.eligible - self.now + CAPTURED)
                if job.submit and submit == CAPTURED:
                    self.waited[number] = max(0, self.now - job.submit)
                yield self.row(job, number, self.wanted(job), submit, self.limit(job), name)

    def row(
        self, job: Job, number: int, size: int, submit: int, runtime: int, name: str
    ) -> dict[str, object]:
        texts = {"user": job.user, "queue": ",".join(job.partitions), "name": name, "class": job.qos}
        return {
            "id": number,
            "size": size,
            "submit": submit,
            "runtime": runtime,
            **{key: text for key, text in texts.items() if text},
        }

    def admitted(self, job: Job) -> Iterable[int | None]:
        """The tasks of a waiting job, or None for the job itself; nothing if it is left out."""
        why = self.refusal(job)
        if not why and job.array is not None and job.array.task is None:
            return self.tasks(job, job.array.waiting)
        if why:
            self.left_out[why] += 1
            return ()
        return (None,)

    def tasks(self, job: Job, text: str) -> Iterator[int]:
        try:
            ranges = list(task_ranges(text))
        except ValueError as error:
            raise broken(self.capture.folder, f"job {job.id} {error}") from None
        room = MOST_TASKS - self.left_out["tasks of large arrays"]
        if sum(map(len, ranges)) > room:
            self.left_out["tasks of large arrays"] += sum(map(len, ranges))
            return
        for each in ranges:
            yield from each

    def refusal(self, job: Job) -> str:
        if self.counted:
            return ""
        if job.priority == 0:
            return "held"
        if job.depends:
            return "with a dependency"
        if job.reservation:
            return "of a reservation"
        return "" if self.wanted(job) <= self.capacity else "larger than the machine"

    def held(self, job: Job) -> int:
        """What a running job holds, in the machine's unit."""
        if self.unit == "node":
            return max(1, len(job.shares))
        nodes: Mapping[str, Node] = {node.name: node for node in self.capture.nodes}
        if self.whole(job):
            return max(1, sum(cpus_of(nodes[share.node]) for share in job.shares))
        return max(1, sum(share.cores * nodes[share.node].threads for share in job.shares))

    def wanted(self, job: Job) -> int:
        """What a waiting job asks for, in the machine's unit."""
        request = job.request
        if self.unit == "node":
            return request.least_nodes
        if self.whole(job) and self.per_node:
            return max(request.least_nodes * self.per_node, request.cpus)
        return max(1, request.cpus)

    def limit(self, job: Job) -> int:
        """Seconds: the smaller of the job's own limit and the largest of its partitions'."""
        bounds = [part.most_minutes for part in self.capture.partitions if part.name in job.partitions]
        largest = None if None in bounds else max((bound for bound in bounds if bound), default=None)
        minutes = [bound for bound in (job.limit, largest) if bound]
        return 60 * min(minutes) if minutes else YEAR

    def instant(self, seconds: int) -> str:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"


def cpus_of(node: Node) -> int:
    """The CPUs of a node: its cores, times the threads of each."""
    return node.cores * node.threads


def _order(job: Job) -> tuple[int, int, int]:
    return -job.priority, job.submit, job.id
