"""A Slurm accounting dump as a log in the Standard Workload Format.

The runs are sorted by their submission in a database in a temporary file: memory does not grow with the dump.
Users, accounts and partitions become numbers in the order of their first submission; their names stay out of
the log.
"""

import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import attrs

from shadowtime.scenarios.traces.header import header_lines
from shadowtime.scenarios.traces.sacct import CLASH, TWICE, SacctRows
from shadowtime.scenarios.traces.slurm import STATES

_TABLE = """create table runs (job text, submit int, start int, runtime int, size int, time_limit int,
    state text, user text, account text, partition text, eligible int, suspended int,
    primary key (job, start)) without rowid"""
_COLUMNS = "job, submit, start, runtime, size, time_limit, state, user, account, partition"
_CACHE_KB = 32_768
_CHUNK = 5_000


@attrs.frozen
class Facts:
    """What is known of all runs together. Instants are seconds since 1970."""

    runs: int
    jobs: int
    """Different job ids: a job that was requeued has run several times."""
    first: int
    """The first arrival."""
    last_end: int
    widest: int
    peak: int
    """The most that was in use at one instant."""
    states: Mapping[str, int]
    later: int
    """Runs that could start only after their submission: they depended on others, or had a time to begin."""
    suspended: int
    requeued: int
    early: int
    """Runs that started before they arrived: two clocks differed, or one showed the same hour twice."""
    earliest: tuple[str, int] | None
    """The id of the earliest such run, and its lead in seconds; None without such a run."""


class RunStore:
    """The runs of a dump on disk, while they are sorted."""

    def __init__(self, database: sqlite3.Connection, arrival: str) -> None:
        self._database = database
        self._arrival = "max(submit, coalesce(eligible, submit))" if arrival == "eligible" else "submit"

    def take(self, rows: SacctRows, on_progress: Callable[[], None]) -> None:
        """Store every run; a run that is there already is dropped, as the same or as another record of it."""
        put = f"insert or ignore into runs values ({', '.join('?' * 12)})"
        same = "select * from runs where job = ? and start = ?"
        for done, run in enumerate(rows.runs()):
            values = attrs.astuple(run)
            if not self._database.execute(put, values).rowcount:
                there = self._database.execute(same, (run.job, run.start)).fetchone()
                rows.drop(TWICE if there == values else CLASH)
            if done % _CHUNK == 0:
                on_progress()

    def facts(self) -> Facts:
        """Sum up. Call it when all runs are stored, and there is one at least."""
        ask = self._database.execute
        runs, jobs, first, last, widest, suspended = ask(
            f"select count(*), count(distinct job), min({self._arrival}), max(start + runtime + suspended), "
            "max(size), sum(suspended > 0) from runs"
        ).fetchone()
        later = ask("select count(*) from runs where eligible > submit").fetchone()[0]
        early = ask(f"select count(*) from runs where start < {self._arrival}").fetchone()[0]
        earliest = ask(
            f"select job, {self._arrival} - start as lead from runs where lead > 0 "
            "order by lead desc, job limit 1"
        ).fetchone()
        states = dict(ask("select state, count(*) from runs group by state order by count(*) desc, state"))
        return Facts(
            runs, jobs, first, last, widest, self._peak(), states, later, suspended, runs - jobs,
            early, earliest,
        )  # fmt: skip

    def _peak(self) -> int:
        """The most in use at an instant: ends before starts, as an instant is ordered."""
        steps = self._database.execute(
            "select start + runtime + suspended as at, -size as change from runs "
            "union all select start, size from runs order by at, change"
        )
        used = peak = 0
        for _, change in steps:
            used += change
            peak = max(peak, used)
        return peak

    def lines(self, first: int) -> Iterator[tuple[str, str]]:
        """Yield (Slurm's job id, row of the log) in order of arrival; `first` is second 0.

        A run that started before it arrived has waited 0 s: its arrival is what a simulation goes by.
        """
        ordered = self._database.execute(
            f"select {_COLUMNS}, {self._arrival} as arrival from runs order by arrival, start, job"
        )
        users, groups, queues = dict[str, int](), dict[str, int](), dict[str, int]()
        for number, row in enumerate(ordered, start=1):
            job, _, start, runtime, size, limit, state, user, account, partition, arrival = row
            wait = max(start - arrival, 0)
            user, group, queue = _number(users, user), _number(groups, account), _number(queues, partition)
            begun = f"{number} {arrival - first} {wait} {runtime} {size} -1 -1 {size}"
            asked = f"{-1 if limit is None else limit} -1 {STATES[state]} {user} {group} -1 {queue} -1 -1 -1"
            yield job, f"{begun} {asked}"


@contextmanager
def run_store(arrival: str = "submit") -> Iterator[RunStore]:
    """Yield an empty store in a temporary file, gone afterwards. OSError where it cannot be written."""
    with (
        tempfile.TemporaryDirectory(prefix="shadowtime-") as place,
        closing(sqlite3.connect(Path(place) / "runs.sqlite", isolation_level=None)) as database,
    ):
        for setting in (
            f"cache_size = -{_CACHE_KB}",
            "journal_mode = off",
            "synchronous = off",
            "temp_store = file",
        ):
            database.execute(f"pragma {setting}")
        database.execute(_TABLE)
        database.execute("begin")
        try:
            yield RunStore(database, arrival)
        except sqlite3.OperationalError as error:
            raise OSError(f"the temporary file in {place}: {error}") from error


def _number(known: dict[str, int], name: str) -> int:
    """The number of a name, from 1 in the order in which they come first; -1 for no name."""
    return known.setdefault(name, len(known) + 1) if name else -1


def header(facts: Facts, unit: str, nodes: int, zone: str) -> Iterator[str]:
    units = "processors" if unit == "cpu" else "nodes"
    values = {
        "Version": "2.2",
        "Information": f"imported from a Slurm accounting dump; sizes are {units}",
        "UnixStartTime": facts.first,
        "TimeZoneString": zone,
        "MaxJobs": facts.runs,
        "MaxRecords": facts.runs,
        "MaxNodes": nodes,
        "MaxProcs": nodes,
    }
    yield from header_lines(values.items())
