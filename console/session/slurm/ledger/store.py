"""The database of the ledger: forecasts as they are made, starts as they are seen. SQLite.

A forecast is the start of a waiting job as one capture gives it, the earliest over its partitions, beside the
start that Slurm itself expected then. It is settled by the first later capture that shows the job running or
ended. A job that is gone before any capture shows it with nodes (cancelled, or over between two captures)
is settled without a start. At most one forecast of a job is kept in `APART` seconds.

A capture whose clock is ahead of the machine's own, by more than `AHEAD` seconds, is not recorded. What a
ledger has of such captures is left alone until its time has come: it neither counts nor settles, and does not
keep later captures from being recorded.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from pathlib import Path

import attrs
from platformdirs import user_data_path

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.facts import TrackRecord
from shadowtime.console.session.files.databases import WrongKindError, connected, records, typed
from shadowtime.console.session.files.tidy import save_rows
from shadowtime.console.session.likely.calibration import SETTLED, Calibration, PastForecast
from shadowtime.console.session.likely.quantiles import NEVER
from shadowtime.console.session.likely.score import QUANTILES
from shadowtime.console.session.likely.starts import SHOWN
from shadowtime.console.session.slurm.board.facts import LEFT_OUT, Board, PlanRow
from shadowtime.console.session.slurm.likely.odds import NOTHING, JobOdds, Known, level_among
from shadowtime.console.session.slurm.likely.rows import accounted
from shadowtime.scenarios.slurm import Job
from shadowtime.scenarios.slurm.accounted.records import KEPT, Accounted, Past, ordered

APART = 25
"""Seconds: a later forecast of the same job comes at least so long after the one before."""
AHEAD = 300
"""Seconds that a recorded capture may be ahead of this machine: Slurm trusts no clock beyond that."""
FORMAT = 4
CALIBRATING = 20_000
"""The last forecasts of a cluster, which calibrate."""
_PATIENCE = 5.0
"""Seconds to wait for another process that writes."""
_TABLES = """
create table forecasts (
    id integer primary key,
    cluster text not null,
    release text not null,
    job text not null,
    submit integer not null,
    partition text not null,
    qos text not null,
    size integer not null,
    made integer not null,
    outcome text not null,
    start integer,
    nodes text not null,
    slurm_start integer,
    settled text not null default '',
    began integer,
    began_nodes text not null default '',
    unique (cluster, job, submit, made)
);
create index open_forecasts on forecasts (cluster, job, submit) where settled = '';
"""
_SEEN = ", ".join(f'"{field.name}"' for field in attrs.fields(Accounted))
_RUNS = f"create table if not exists runs (cluster text not null, {_SEEN}, unique (cluster, id, start))"
"""Jobs that were over when the queue showed them, of clusters without an accounting. Format 2 had none."""
_ODDS = (*(f"p{100 * level:02.0f}" for level in QUANTILES), "early", "likely", "late")
"""Columns that format 1 did not have: quantiles as sampled, and those that were shown."""
STARTED, GONE = "started", "gone"
"""How a forecast is settled: the job started; the job is gone, and no start of it was seen."""


@attrs.frozen
class LedgerEntry:
    """One forecast of one job, and what came of it. Instants are seconds since 1970."""

    cluster: str
    release: str
    job: str
    submit: int
    partition: str
    qos: str
    size: int
    """Nodes, at least."""
    made: int
    """When the queue was read."""
    outcome: str
    start: int | None
    nodes: str
    slurm_start: int | None
    settled: str
    """Empty while the job waits, `started`, or `gone`."""
    began: int | None
    began_nodes: str
    p05: int | None = None
    """By when 5 % of the samples have the job started, and so on; None for never, and without odds."""
    p10: int | None = None
    p25: int | None = None
    p50: int | None = None
    p75: int | None = None
    p90: int | None = None
    p95: int | None = None
    early: int | None = None
    """1 in 10 before, as it was shown: calibrated by what was known then."""
    likely: int | None = None
    late: int | None = None
    settled_at: int | None = None
    """When the capture was taken that settled it; formats 1 to 3 did not have it."""

    @property
    def quantiles(self) -> tuple[float, ...]:
        """By when the job has started, at `QUANTILES`; empty without odds."""
        found = (self.p05, self.p10, self.p25, self.p50, self.p75, self.p90, self.p95)
        return () if self.p05 is None else tuple(NEVER if at is None else at for at in found)

    @property
    def held(self) -> bool:
        """Whether the job started between the early and the late start that were shown."""
        return between(self.early, self.began, self.late)

    @property
    def likely_error(self) -> int | None:
        """The error of the likely start."""
        return None if self.likely is None or self.began is None else self.began - self.likely

    @property
    def error(self) -> int | None:
        """How much later than forecast the job started, in seconds; None without a forecast or a start."""
        return None if self.start is None or self.began is None else self.began - self.start

    @property
    def slurm_error(self) -> int | None:
        """The same of Slurm's own expected start."""
        return None if self.slurm_start is None or self.began is None else self.began - self.slurm_start


def between(early: int | None, began: int | None, late: int | None) -> bool:
    """Whether a start was not before the first and not after the last instant; None is never."""
    return early is not None and began is not None and early <= began and (late is None or began <= late)


class Left(Enum):
    """Why a capture is not recorded."""

    SAME = "same"
    """The ledger has it already."""
    EARLIER = "earlier"
    """It is older than the last one of its cluster."""
    AHEAD = "ahead"
    """It is from the future."""


@attrs.frozen
class Added:
    """What became of a capture."""

    kept: int = 0
    """How many forecasts of it were kept."""
    left: Left | None = None
    beside: int = 0
    """If it was left: the instant that it is compared with, in seconds since 1970."""


_COLUMNS = ", ".join(field.name for field in attrs.fields(LedgerEntry))


_MADE = "(typeof(made) <> 'integer' or made between ? and ?)"
"""An instant of another kind is neither before nor after: it is refused when it is read."""


def ledger_path() -> Path:
    return user_data_path("shadowtime") / "ledger.sqlite"


class Ledger:
    """The ledger in a file, which is made if it is not there and `create`."""

    def __init__(self, path: Path, create: bool = True) -> None:
        """SessionError in one line if it is no ledger, or not there; OSError."""
        if not create and not path.exists():
            raise SessionError(
                f"{path} is not there; expected a ledger, which `shadowtime open slurm --follow 30s` writes"
            )
        self.path = path
        with self._failing():
            self._base = connected(path, _PATIENCE, same_thread=False)
            self._base.execute("pragma journal_mode = wal")
            with self._writing():
                self._prepare()

    def _prepare(self) -> None:
        (version,) = self._base.execute("pragma user_version").fetchone()
        tables = self._base.execute("select count(*) from sqlite_master").fetchone()[0]
        if version == 0 and tables == 0:
            for statement in filter(str.strip, _TABLES.split(";")):
                self._base.execute(statement)
            version = 1
        if version == 1:
            for column in _ODDS:
                self._base.execute(f"alter table forecasts add column {column} integer")
        if version in (1, 2):
            self._base.execute(_RUNS)
        if version in (1, 2, 3):
            self._base.execute("alter table forecasts add column settled_at integer")
            self._base.execute(f"pragma user_version = {FORMAT}")
        elif version != FORMAT:
            raise SessionError(f"{self.path} is a ledger of format {version}; expected format {FORMAT}")

    def close(self) -> None:
        self._base.close()

    @contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except WrongKindError as error:
            raise SessionError(f"{self.path}: {error}") from None
        except sqlite3.Error as error:
            raise SessionError(f"{self.path}: {error}; expected a ledger that can be written") from None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """All of it or nothing."""
        self._base.execute("begin immediate")
        try:
            yield
            self._base.execute("commit")
        except BaseException:
            self._base.execute("rollback")
            raise

    def add(self, board: Board, clock: int) -> Added:
        """Settle what a capture shows, and keep its forecasts.

        `clock` is the instant at which it is added, in seconds since 1970. A capture from the future, or one
        that is not newer than the last one of its cluster, settles and adds nothing. SessionError in one line
        if the file cannot be written, or holds a value of another kind.
        """
        if board.now > clock + AHEAD:
            return Added(left=Left.AHEAD, beside=clock)
        with self._failing(), self._writing():
            last = self._last(board.cluster, clock)
            if last is not None and board.now <= last:
                known = self._base.execute(
                    "select 1 from forecasts where cluster = ? and made = ?", (board.cluster, board.now)
                )
                return Added(left=Left.SAME if known.fetchone() else Left.EARLIER, beside=last)
            self._settle(board)
            self._see(board)
            return Added(self._keep(board))

    def _last(self, cluster: str, clock: int) -> int | None:
        """When the last capture of a cluster was taken; None without a capture."""
        found = self._base.execute(
            f"select max(made) from forecasts where cluster = ? and {_MADE}", (cluster, 0, clock + AHEAD)
        )
        ((last,),) = typed(found, made=int | None)
        assert last is None or isinstance(last, int)
        return last

    def _see(self, board: Board) -> None:
        """Keep the jobs that are over, if nobody else does."""
        if board.capture.past is not None:
            return
        runs = [attrs.astuple(accounted(job)) for job in board.capture.jobs if job.over and job.begin]
        places = ", ".join("?" * (1 + len(attrs.fields(Accounted))))
        self._base.executemany(
            f"insert or replace into runs (cluster, {_SEEN}) values ({places})",
            [(board.cluster, *run) for run in runs],
        )
        self._base.execute(
            "delete from runs where cluster = ? and start < ?", (board.cluster, board.now - KEPT)
        )

    def seen(self, cluster: str, now: int) -> Past | None:
        """Return the jobs of a cluster without an accounting that were seen by an instant. SessionError."""
        with self._failing():
            found = self._base.execute(
                f'select {_SEEN} from runs where cluster = ? and "end" <= ?', (cluster, now)
            )
            runs = ordered(records(Accounted, found))
        return Past(runs) if runs else None

    def _settle(self, board: Board) -> None:
        found = self._base.execute(
            "select distinct job, submit from forecasts where cluster = ? and settled = '' and made < ?",
            (board.cluster, board.now),
        )
        opened = list(typed(found, job=str, submit=int))
        shown = {(job.shown, job.submit): job for job in board.capture.jobs}
        runs = board.capture.past.jobs if board.capture.past else ()
        begun = {(str(run.id), run.submit): run.start for run in runs if run.start <= board.now}
        tasks = _first_tasks(board)
        for name, submit in opened:
            job = shown.get((name, submit))
            if name.endswith("_*"):
                self._settle_array(board, name, submit, tasks, job)
            elif job is None and (name, submit) in begun:
                self._close(board, name, submit, STARTED, begun[name, submit], "")
            elif job is None or _over_unstarted(job):
                self._close(board, name, submit, GONE, None, "")
            elif not job.waiting:
                self._close(board, name, submit, STARTED, job.begin, ",".join(job.nodes))

    def _settle_array(
        self, board: Board, name: str, submit: int, tasks: dict[str, list[Job]], job: Job | None
    ) -> None:
        """The forecast of an array is that of its next task to start."""
        for task in tasks.get(name, ()):
            self._close(board, name, submit, STARTED, task.begin, ",".join(task.nodes), task.begin)
        if job is None or not job.waiting:
            self._close(board, name, submit, GONE, None, "")

    def _close(
        self,
        board: Board,
        job: str,
        submit: int,
        how: str,
        began: int | None,
        nodes: str,
        before: int | None = None,
    ) -> None:
        """Settle the open forecasts of a job that were made before an instant, that of the board for None."""
        self._base.execute(
            "update forecasts set settled = ?, began = ?, began_nodes = ?, settled_at = ?"
            " where cluster = ? and job = ? and submit = ? and settled = '' and made < ?",
            (
                how, began, nodes, board.now,
                board.cluster, job, submit, board.now if before is None else before,
            ),
        )  # fmt: skip

    def _keep(self, board: Board) -> int:
        found = self._base.execute(
            "select job, submit, max(made) from forecasts"
            " where cluster = ? and settled = '' and made < ? group by job, submit",
            (board.cluster, board.now),
        )
        recent = {(job, submit): made for job, submit, made in typed(found, job=str, submit=int, made=int)}
        rows = [row for row in _earliest(board) if board.now - recent.get((row.job, row.submit), 0) >= APART]
        self._base.executemany(
            "insert into forecasts (cluster, release, job, submit, partition, qos, size, made, outcome,"
            " start, nodes, slurm_start) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    board.cluster, board.release, row.job, row.submit, row.partition, row.qos, row.size,
                    board.now, row.outcome, row.start, row.nodes, row.slurm_start,
                )
                for row in rows
            ],
        )  # fmt: skip
        return len(rows)

    def keep_odds(self, board: Board, odds: Mapping[str, JobOdds]) -> None:
        """Keep the odds of the forecasts of a capture, as sampled and as they are shown. SessionError."""
        with self._failing(), self._writing():
            for job, found in odds.items():
                values = (*found.quantiles, found.early, found.likely, found.late)
                self._base.execute(
                    f"update forecasts set {', '.join(f'{name} = ?' for name in _ODDS)}"
                    " where cluster = ? and made = ? and job = ?",
                    (*values, board.cluster, board.now, job),
                )

    def known(self, cluster: str, now: int) -> Known:
        """Return what was known of a cluster at an instant; of odds, if they are enough. SessionError."""
        with self._failing():
            found = self._base.execute(
                f"select {_COLUMNS} from forecasts where cluster = ? and made < ? and p05 is not null"
                " and (settled <> ? or settled_at > ?) order by made desc, id limit ?",
                (cluster, now, GONE, now, CALIBRATING),
            )
            entries = list(records(LedgerEntry, found))
        settled = [entry for entry in entries if entry.began is not None and entry.began <= now]
        if len(settled) < SETTLED:
            return attrs.evolve(NOTHING, seen=self.seen(cluster, now))
        record = TrackRecord(len(settled), sum(entry.held for entry in settled))
        return Known(tuple(_calibration(entries, now).levels(SHOWN)), record, self.seen(cluster, now))

    def entries(self, clock: int, cluster: str | None = None, since: int = 0) -> Iterator[LedgerEntry]:
        """Yield the forecasts that were made up to now, in the order of their instants. SessionError.

        `clock` is now, `since` the first instant, both in seconds since 1970.
        """
        with self._failing():
            found = self._base.execute(
                f"select {_COLUMNS} from forecasts where {_MADE}"
                " and (? is null or cluster = ?) order by made, id",
                (since, clock + AHEAD, cluster, cluster),
            )
            yield from records(LedgerEntry, found)

    def ahead(self, clock: int) -> int:
        """Return how many forecasts are of captures from the future. SessionError."""
        with self._failing():
            found = self._base.execute(
                "select count(*) from forecasts where made > ? and typeof(made) = 'integer'", (clock + AHEAD,)
            )
            return int(found.fetchone()[0])


def _calibration(entries: Sequence[LedgerEntry], now: int) -> Calibration:
    """What the outcomes that are known at an instant make of levels."""
    made: dict[int, list[LedgerEntry]] = {}
    for entry in entries:
        made.setdefault(entry.made, []).append(entry)
    outcomes = [
        PastForecast(
            number,
            1 / len(made[at]),
            level_among(entry.quantiles, min(now, entry.began or now)),
            settled=entry.began is not None and entry.began <= now,
        )
        for number, at in enumerate(sorted(made))
        for entry in made[at]
    ]
    return Calibration(outcomes, len(made))


def _earliest(board: Board) -> list[PlanRow]:
    """One row a job: that with the earliest start, the first among equals. Only rows with any start."""
    found: dict[tuple[str, int], PlanRow] = {}
    for row in board.rows:
        if row.outcome == LEFT_OUT or (row.start is None and row.slurm_start is None):
            continue
        key = row.job, row.submit
        best = found.get(key)
        if best is None or (row.start is not None and (best.start is None or row.start < best.start)):
            found[key] = row
    return list(found.values())


def _over_unstarted(job: Job) -> bool:
    """Whether a job left the queue without nodes."""
    return not job.waiting and (not job.nodes or not job.begin)


def _first_tasks(board: Board) -> dict[str, list[Job]]:
    """Array -> its tasks that have started, by their starts."""
    found: dict[str, list[Job]] = {}
    for job in board.capture.jobs:
        if (
            job.array is not None
            and job.array.task is not None
            and not job.waiting
            and job.nodes
            and job.begin
        ):
            found.setdefault(f"{job.array.job}_*", []).append(job)
    for tasks in found.values():
        tasks.sort(key=lambda job: (job.begin, job.id))
    return found


def write_forecasts(entries: Iterable[LedgerEntry], path: str, force: bool = False) -> int:
    """Write forecasts with their outcomes and errors; return how many. SessionError; OSError."""
    rows = [(*attrs.astuple(each), each.error, each.slurm_error, each.likely_error) for each in entries]
    names = [field.name for field in attrs.fields(LedgerEntry)]
    save_rows(path, [*names, "error", "slurm_error", "likely_error"], rows, force)
    return len(rows)
