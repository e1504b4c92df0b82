"""A dump of sacct made by hand: 1,000 rows with every oddity, and what has to become of each."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime

import attrs

COLUMNS = (
    "State", "JobID", "JobName", "User", "Account", "Partition", "Timelimit", "Elapsed", "Suspended",
    "Submit", "Eligible", "Start", "End", "NNodes", "AllocCPUS", "ReqCPUS", "Comment2",
)  # fmt: skip
HEADER = "|".join(COLUMNS)
BEGIN = int(datetime(2026, 3, 1, tzinfo=UTC).timestamp())


@attrs.frozen
class Row:
    """One line of the dump: the reason why it is no job, or None and the job."""

    line: str
    dropped: str | None = None
    job: str = ""
    submit: int = 0
    start: int = 0
    runtime: int = 0
    size: int = 0
    limit: int = -1
    status: int = 1


def stamp(seconds: int) -> str:
    """An instant as Slurm writes it."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def clock(seconds: int) -> str:
    """A duration as Slurm writes it."""
    days, rest = divmod(seconds, 86_400)
    text = f"{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}"
    return f"{days}-{text}" if days else text


def written(**cells: object) -> str:
    """A line with these cells, the others as they mostly are."""
    usual: dict[str, object] = {
        "State": "COMPLETED", "JobName": "run", "User": "kim", "Account": "phys", "Partition": "batch",
        "Timelimit": "01:00:00", "Suspended": "00:00:00", "NNodes": 1, "ReqCPUS": 4,
    }  # fmt: skip
    return "|".join(str({**usual, **cells}.get(name, "")) for name in COLUMNS)


class Maker:
    """Writes jobs one after the other; chance decides their numbers, not their kinds."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._job = 4000

    def ran(self, status: int = 1, suspended: int = 0, limit: int | None = None, **cells: object) -> Row:
        """A job that ran."""
        self._job += 1
        submit = BEGIN + self._chance.randrange(20 * 86_400)
        start = submit + self._chance.randrange(90_000)
        runtime, size = self._chance.randrange(1, 200_000), self._chance.choice((1, 4, 64, 128))
        size = int(str(cells["size"])) if "size" in cells else size
        job = str(cells.get("JobID", self._job))
        given = {
            "JobID": job, "Submit": stamp(submit), "Eligible": stamp(submit), "Start": stamp(start),
            "End": stamp(start + runtime + suspended), "Elapsed": clock(runtime),
            "Suspended": clock(suspended),
            "AllocCPUS": size,
        }  # fmt: skip
        limit = 3600 if limit is None else limit
        return Row(written(**{**given, **cells}), None, job, submit, start, runtime, size, limit, status)

    def dropped(self, reason: str, **cells: object) -> Row:
        """A line that is no job that ran."""
        row = self.ran()
        return Row(written(**{**dict(zip(COLUMNS, row.line.split("|"), strict=True)), **cells}), reason)

    def oddities(self) -> Iterator[Row]:
        """One of each."""
        nothing = {"Start": "Unknown", "End": "Unknown", "Elapsed": "00:00:00"}
        yield self.ran()
        yield self.ran(0, State="FAILED")
        yield self.ran(0, State="TIMEOUT", Timelimit="1-12:00:00", limit=129_600)
        yield self.ran(0, State="OUT_OF_MEMORY", Timelimit="UNLIMITED", limit=-1)
        yield self.ran(0, State="NODE_FAIL", Timelimit="Partition_Limit", limit=-1)
        yield self.ran(5, State="CANCELLED by 1001")
        yield self.ran(5, State="PREEMPTED", suspended=600)
        yield self.ran(1, JobID=f"{self._job + 100_000}_7")
        yield self.ran(1, JobID=f"{self._job + 200_000}+1")
        yield self.ran(1, JobName="a|b|c")
        yield self.ran(1, size=4096, AllocCPUS="4K", Partition="", User="")
        yield self.ran(1, JobName="Gr\N{LATIN SMALL LETTER O WITH DIAERESIS}\N{LATIN SMALL LETTER SHARP S}e")
        again = self.ran(0, State="REQUEUED")
        yield again
        yield self.ran(1, JobID=again.job)
        yield Row(again.line, "the same run again")
        yield self.dropped("a step of a job", JobID=f"{again.job}.batch")
        yield self.dropped("a step of a job", JobID=f"{again.job}_3.extern")
        yield self.dropped("never started", State="PENDING", **nothing)
        yield self.dropped("never started", State="PENDING", JobID=f"{self._job}_[8-20%4]", **nothing)
        yield self.dropped("never started", State="CANCELLED by 0", Elapsed="00:00:00")
        yield self.dropped("never started", State="CANCELLED", Start="None", Elapsed="00:00:00")
        yield self.dropped("not over when the dump was made", State="RUNNING", End="Unknown")
        yield self.dropped("not over when the dump was made", State="SUSPENDED", End="Unknown")
        yield self.dropped("ran for no second", State="FAILED", Elapsed="00:00:00")
        yield self.dropped("no size", AllocCPUS=0, ReqCPUS="")
        yield self.dropped("no submission", Submit="Unknown")
        yield self.dropped("not to be read", Elapsed="two hours")
        yield self.dropped("not to be read", State="SLEEPING")
        yield self.dropped("not to be read", JobID="none")
        yield Row("half a row|COMPLE", "not to be read")
        yield Row(HEADER, "a header again")
        yield Row("", "an empty line")

    def dump(self, rows: int) -> list[Row]:
        """So many rows, in no order, but that what comes twice comes last."""
        made: list[Row] = []
        while len(made) < rows:
            made.extend(self.oddities())
        mixed = self._chance.sample(made[:rows], rows)
        return sorted(mixed, key=lambda row: row.dropped == "the same run again")
