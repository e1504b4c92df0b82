"""Who runs and who is suspended where jobs share nodes: the rows of each partition (section 18)."""

from collections import Counter
from collections.abc import Iterable, Mapping

ACTIVE, FILLER, WAITING = "active", "filler", "waiting"


class Member:
    """A job of a partition: its CPUs by node, its place in the row, and whether it is suspended."""

    def __init__(self, job: int, cpus: Mapping[str, int]) -> None:
        self.job, self.cpus = job, cpus
        self.row = WAITING
        self.suspended = False


class Gang:
    """The lists of all partitions. `tiers`: partition -> its tier; `whole`: node -> its CPUs."""

    def __init__(self, tiers: Mapping[str, int], whole: Mapping[str, int]) -> None:
        self.tiers, self.whole = tiers, whole
        self.lists: dict[str, list[Member]] = {name: [] for name in tiers}
        self.changes: list[tuple[str, int]] = []
        """(suspend or resume, job), in order."""

    def start(self, job: int, partition: str, cpus: Mapping[str, int]) -> None:
        """A job starts; it is suspended at once if its partition's row has no room."""
        new = Member(job, cpus)
        row = self.row(partition)
        self.lists[partition].append(new)
        if self.fits(row, new):
            new.row = FILLER
            self.refill_all()
        else:
            self.suspend(new)

    def stand(self, job: int, partition: str, cpus: Mapping[str, int], suspended: bool) -> None:
        """A job of the beginning, which runs or is suspended."""
        new = Member(job, cpus)
        new.row, new.suspended = WAITING if suspended else FILLER, suspended
        self.lists[partition].append(new)

    def finish(self, job: int) -> None:
        """A job is gone."""
        for partition, members in self.lists.items():
            self.lists[partition] = [each for each in members if each.job != job]
        self.refill_all()

    def turn(self) -> None:
        """The time slicer wakes: where jobs are suspended, the active ones go to the end of the list."""
        for partition, members in self.lists.items():
            if not any(each.suspended for each in members):
                continue
            members.sort(key=lambda each: each.row == ACTIVE)
            row = self.shadows(partition)
            for each in members:
                each.row = ACTIVE if self.fits(row, each) else WAITING
                if each.row == ACTIVE:
                    row.update(each.cpus)
            for each in members:
                if each.row == WAITING:
                    self.suspend(each)
            for each in members:
                if each.row == ACTIVE:
                    self.resume(each)

    def refill_all(self) -> None:
        """Every row is filled anew: who is in it stays first."""
        for partition, members in self.lists.items():
            row = self.shadows(partition)
            for state in (ACTIVE, FILLER, WAITING):
                for each in [each for each in members if each.row == state]:
                    if self.fits(row, each):
                        row.update(each.cpus)
                        each.row = ACTIVE if state == ACTIVE else FILLER
                        self.resume(each)
                    else:
                        each.row = WAITING
                        self.suspend(each)

    def row(self, partition: str) -> Counter[str]:
        """The CPUs in use by node: those of the jobs in the row, and of all jobs of higher tiers."""
        return total(each for each in self.lists[partition] if each.row != WAITING) + self.shadows(partition)

    def shadows(self, partition: str) -> Counter[str]:
        """The CPUs by node of the jobs of higher tiers."""
        higher = [name for name, tier in self.tiers.items() if tier > self.tiers[partition]]
        return total(each for name in higher for each in self.lists[name])

    def fits(self, row: Counter[str], member: Member) -> bool:
        """Whether a row has room for a job."""
        return all(row[node] + cpus <= self.whole[node] for node, cpus in member.cpus.items())

    def suspend(self, member: Member) -> None:
        """Suspend a job that runs."""
        if not member.suspended:
            member.suspended = True
            self.changes.append(("suspend", member.job))

    def resume(self, member: Member) -> None:
        """Resume a job that is suspended."""
        if member.suspended:
            member.suspended = False
            self.changes.append(("resume", member.job))


def total(members: Iterable[Member]) -> Counter[str]:
    """The CPUs of some jobs, by node."""
    found: Counter[str] = Counter()
    for each in members:
        found.update(each.cpus)
    return found
