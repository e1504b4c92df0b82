"""`shadowtime import sacct`: a dump of a Slurm cluster becomes a log, and every row is accounted for."""

import csv
import gzip
import io
import json
import lzma
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from shadowtime.scenarios import ScenarioError
from shadowtime.scenarios.traces.dump import LONGEST_LINE, Lines
from tests.commandline import Shadowtime
from tests.commands.importing.sacct_dump import BEGIN, HEADER, Maker, Row, stamp, written

ROWS = 1000


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Row]]:
    """The dump of a thousand rows, and what has to become of them."""
    rows = Maker(1).dump(ROWS)
    path = tmp_path_factory.mktemp("dump") / "march.txt"
    path.write_text("\n".join([HEADER, *(row.line for row in rows)]) + "\n", encoding="utf-8")
    return path, rows


def imported(shadowtime: Shadowtime, path: Path, *options: object) -> dict[str, object]:
    """The account of an import that succeeds."""
    ended = shadowtime("import", "sacct", path, "-o", path.with_suffix(".swf"), "--force", "--json", *options)
    assert (ended.code, ended.err) == (0, "")
    account = json.loads(ended.out)
    assert isinstance(account, dict)
    return account


def fields(log: Path) -> list[list[int]]:
    """The rows of a log."""
    return [[int(field) for field in line.split()] for line in log.read_text().splitlines() if line[0] != ";"]


def test_every_row_is_accounted_for(shadowtime: Shadowtime, dump: tuple[Path, list[Row]]) -> None:
    """Each is a job or has its reason, and none is counted twice."""
    path, rows = dump
    account = imported(shadowtime, path)
    wanted = Counter(row.dropped for row in rows)
    jobs = wanted.pop(None)
    assert account["dropped"] == wanted
    facts = account["facts"]
    assert isinstance(facts, dict)
    assert (account["rows"], facts["runs"]) == (ROWS, jobs)
    first = {reason: next(n for n, row in enumerate(rows, 2) if row.dropped == reason) for reason in wanted}
    assert account["lines"] == first


def test_every_job_says_what_its_row_said(shadowtime: Shadowtime, dump: tuple[Path, list[Row]]) -> None:
    """Submission, wait, runtime, size, limit and status, in order of submission; and whose row it was."""
    path, rows = dump
    ids = path.with_name("ids.csv")
    imported(shadowtime, path, "--ids", ids)
    jobs = sorted(
        (row for row in rows if row.dropped is None), key=lambda row: (row.submit, row.start, row.job)
    )
    begin = jobs[0].submit
    wanted = [
        [
            n,
            row.submit - begin,
            row.start - row.submit,
            row.runtime,
            row.size,
            row.size,
            row.limit,
            row.status,
        ]
        for n, row in enumerate(jobs, start=1)
    ]
    got = fields(path.with_suffix(".swf"))
    assert [[row[place] for place in (0, 1, 2, 3, 4, 7, 8, 10)] for row in got] == wanted
    assert all(len(row) == 18 for row in got)
    with ids.open(newline="") as table:
        pairs = [(int(row["number"]), row["job_id"]) for row in csv.DictReader(table)]
    assert pairs == [(n, row.job) for n, row in enumerate(jobs, start=1)]


def test_a_packed_dump_gives_the_same_log(shadowtime: Shadowtime, dump: tuple[Path, list[Row]]) -> None:
    """Gzip and xz."""
    path, _ = dump
    imported(shadowtime, path)
    plain = path.with_suffix(".swf").read_bytes()
    for name, pack in (("m.txt.gz", gzip.compress), ("m.txt.xz", lzma.compress)):
        packed = path.with_name(name)
        packed.write_bytes(pack(path.read_bytes()))
        assert shadowtime("import", "sacct", packed, "-o", path.with_name("packed.swf"), "--force").code == 0
        assert path.with_name("packed.swf").read_bytes() == plain


@pytest.mark.proof
@pytest.mark.parametrize("line", [f"{'x' * 150}\n", f"{'x' * 1000}\n"])
def test_an_archive_that_explodes_is_refused(shadowtime: Shadowtime, tmp_path: Path, line: str) -> None:
    """One line; no log is left."""
    text = (HEADER + "\n" + line * (80_000_000 // len(line))).encode()
    for name, packed in (("m.txt.gz", gzip.compress(text)), ("m.txt.xz", lzma.compress(text, preset=0))):
        path = tmp_path / name
        path.write_bytes(packed)
        ended = shadowtime("import", "sacct", path, "-o", tmp_path / "out.swf")
        assert (ended.code, ended.out) == (2, "")
        (complaint,) = ended.complaints
        assert complaint.startswith(f"{path}: unpacks to more than 200 times its ")
        path.unlink()
    assert not list(tmp_path.iterdir())


def test_the_longest_line_is_read() -> None:
    """Its end counts; one character more is too many."""
    line = "x" * (LONGEST_LINE - 1)
    assert [*Lines(io.StringIO(f"{line}\nnext\n"), "dump")] == [line, "next"]
    with pytest.raises(ScenarioError):
        next(Lines(io.StringIO(f"{line}x\n"), "dump"))


def test_a_line_without_an_end_is_refused(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """No line is read whole that no dump has, also of an archive."""
    text = (HEADER + "\n" + "x" * (3 << 20)).encode()
    for name, content in (("m.txt", text), ("m.txt.xz", lzma.compress(text))):
        path = tmp_path / name
        path.write_bytes(content)
        ended = shadowtime("import", "sacct", path, "-o", tmp_path / "out.swf")
        assert (ended.code, ended.out) == (2, "")
        assert ended.complaints == [
            f"{path}:2: the line is longer than 1,048,576 characters; expected a row of sacct -P"
        ]
        path.unlink()
    assert not list(tmp_path.iterdir())


def test_the_log_can_be_compared(shadowtime: Shadowtime, dump: tuple[Path, list[Row]]) -> None:
    """Its header says all that a simulation needs."""
    path, _ = dump
    account = imported(shadowtime, path)
    ended = shadowtime("compare", path.with_suffix(".swf"), "--policy", "easy", "--policy", "fcfs", "--json")
    assert ended.code == 0
    assert f'"nodes": {account["nodes"]}' in ended.out


def one(tmp_path: Path, *lines: str) -> Path:
    """A small dump."""
    path = tmp_path / "dump.txt"
    path.write_text("\n".join([HEADER, *lines]) + "\n")
    return path


def test_arrival_when_a_job_could_start(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """A job that depended on another one arrives when that was over, if so wanted."""
    times = {"Submit": stamp(BEGIN), "Eligible": stamp(BEGIN + 500), "Start": stamp(BEGIN + 600)}
    line = written(JobID=1, AllocCPUS=4, Elapsed="00:01:00", End=stamp(BEGIN + 660), **times)
    path = one(tmp_path, line)
    imported(shadowtime, path)
    assert fields(path.with_suffix(".swf"))[0][:4] == [1, 0, 600, 60]
    imported(shadowtime, path, "--arrival", "eligible")
    assert fields(path.with_suffix(".swf"))[0][:4] == [1, 0, 100, 60]


def test_runs_that_start_before_they_arrive_are_reported(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """By clocks that differ: each is a job that arrives as it says and waits 0 s; the worst is named."""
    lines = []
    for job, eligible, start in ((1, 0, 0), (2, 0, -3), (3, 0, -90), (4, 100, 60)):
        stamps = {"Submit": BEGIN, "Eligible": BEGIN + eligible, "Start": BEGIN + start}
        times = {name: stamp(seconds) for name, seconds in stamps.items()}
        lines.append(written(JobID=job, AllocCPUS=4, Elapsed="00:01:00", **times))
    path = one(tmp_path, *lines)
    log = path.with_suffix(".swf")
    printed = shadowtime("import", "sacct", path, "-o", log).out
    assert "2 started before being submitted (job 3 by 1m30s, the most): taken to arrive when sub" in printed
    assert sorted(row[1:4] for row in fields(log)) == [[0, 0, 60], [0, 0, 60], [0, 0, 60], [0, 60, 60]]
    facts = imported(shadowtime, path)["facts"]
    assert isinstance(facts, dict) and (facts["early"], facts["earliest"]) == (2, ["3", 90])
    printed = shadowtime("import", "sacct", path, "-o", log, "--force", "--arrival", "eligible").out
    assert "3 started before being eligible (job 3 by 1m30s, the most): taken to arrive when elig" in printed
    assert sorted(row[1:4] for row in fields(log))[-1] == [100, 0, 60]


def test_the_unit_of_the_machine(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """Processors where the dump has them, nodes when they are asked for."""
    times = {"Submit": stamp(BEGIN), "Start": stamp(BEGIN), "End": stamp(BEGIN + 60)}
    path = one(tmp_path, written(JobID=1, AllocCPUS=64, NNodes=2, Elapsed="00:01:00", **times))
    assert imported(shadowtime, path)["nodes"] == 64
    assert imported(shadowtime, path, "--unit", "node")["nodes"] == 2
    assert imported(shadowtime, path, "--nodes", 100)["nodes"] == 100


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no header of sacct -P"),
        ("JobID|State|User\n", "no column Submit, no column Start, no column Elapsed or ElapsedRaw or End"),
        ("JobID|Submit|Start|Elapsed|State\n", "no column AllocCPUS or NNodes"),
        (f"{HEADER}\n", "none of its 0 rows is a job that ran"),
        (f"{HEADER}\n\n\n", "none of its 2 rows is a job that ran (2: an empty line; the first is line 2)"),
    ],
)
def test_a_file_that_is_no_dump(text: str, complaint: str, tmp_path: Path, shadowtime: Shadowtime) -> None:
    """One line says what is missing, and no log is written."""
    path = tmp_path / "dump.txt"
    path.write_text(text)
    ended = shadowtime("import", "sacct", path, "-o", tmp_path / "out.swf")
    assert (ended.code, len(ended.complaints)) == (2, 1)
    assert complaint in ended.err
    assert not (tmp_path / "out.swf").exists()


def test_files_that_cannot_be_read_or_written(tmp_path: Path, shadowtime: Shadowtime) -> None:
    """One line each: 2 for what is asked for, 3 for what fails while working."""
    assert shadowtime("import", "sacct", tmp_path / "none.txt", "-o", tmp_path / "out.swf").code == 2
    broken = tmp_path / "broken.gz"
    broken.write_bytes(gzip.compress(HEADER.encode() * 1000)[:60])
    ended = shadowtime("import", "sacct", broken, "-o", tmp_path / "out.swf")
    assert (ended.code, len(ended.complaints)) == (2, 1)
    path = one(tmp_path, Maker(2).ran().line)
    ended = shadowtime("import", "sacct", path, "-o", tmp_path / "no" / "out.swf")
    assert (ended.code, len(ended.complaints)) == (3, 1)
    ended = shadowtime("import", "sacct", path, "-o", tmp_path / "out.swf", "--timezone", "Mars/Olympus")
    assert (ended.code, len(ended.complaints)) == (2, 1)


def test_nothing_is_written_over_the_dump(tmp_path: Path, shadowtime: Shadowtime) -> None:
    """Neither log nor list of ids, by whatever name; nor do the two become one file, or an archive."""
    path = one(tmp_path, Maker(2).ran().line)
    text, out = path.read_text(), tmp_path / "out.swf"
    same = tmp_path / "folder" / ".." / path.name
    (tmp_path / "folder").mkdir()
    for written_to in ((path,), (same,), (out, "--ids", path), (out, "--ids", out), (f"{out}.gz",)):
        ended = shadowtime("import", "sacct", path, "-o", *written_to)
        assert (ended.code, len(ended.complaints)) == (2, 1)
    assert path.read_text() == text
    assert not out.exists()


def test_a_file_that_is_there_is_not_lost(tmp_path: Path, shadowtime: Shadowtime) -> None:
    """Neither the log nor the list of ids; --force writes over both, and a device is no file."""
    path, log, ids = thirty(tmp_path), tmp_path / "out.swf", tmp_path / "ids.csv"
    for there in (log, ids):
        there.write_text("mine")
        ended = shadowtime("import", "sacct", path, "-o", log, "--ids", ids)
        assert (ended.code, ended.out) == (2, "")
        assert ended.complaints == [f"{there} is there already; --force writes over it"]
        assert there.read_text() == "mine"
        there.unlink()
    log.write_text("mine")
    assert shadowtime("import", "sacct", path, "-o", log, "--ids", ids, "--force").code == 0
    assert log.read_text() != "mine" and ids.exists()
    assert shadowtime("import", "sacct", path, "-o", "/dev/null").code == 0


def test_a_number_that_is_none_costs_its_row_only(tmp_path: Path, shadowtime: Shadowtime) -> None:
    """It is reported with its line, and the other rows are jobs."""
    times = {"Submit": stamp(BEGIN), "Start": stamp(BEGIN), "End": stamp(BEGIN + 60), "Elapsed": "00:01:00"}
    wrong = [written(JobID=2 + k, AllocCPUS=size, **times) for k, size in enumerate(("9" * 30, "\u00b2"))]
    path = one(tmp_path, written(JobID=1, AllocCPUS=4, **times), *wrong)
    account = imported(shadowtime, path)
    assert account["dropped"] == {"not to be read": 2}
    assert [line for line, _ in account["faults"]] == [3, 4]  # type: ignore[attr-defined]


THIRTY = """JobID|User|Partition|Submit|Eligible|Start|End|Elapsed|Suspended|Timelimit|AllocCPUS|NNodes|State
1|kim|batch|08:00:00|08:00:00|08:00:00|09:00:00|01:00:00|00:00:00|02:00:00|10|1|COMPLETED
1.batch|||08:00:00|08:00:00|08:00:00|09:00:00|01:00:00|00:00:00||10|1|COMPLETED
1.extern|||08:00:00|08:00:00|08:00:00|09:00:00|01:00:00|00:00:00||10|1|COMPLETED
1.0|||08:00:00|08:00:00|08:00:00|09:00:00|01:00:00|00:00:00||10|1|COMPLETED
2_1|lee|batch|08:10:00|08:10:00|08:10:00|08:40:00|00:30:00|00:00:00|01:00:00|5|1|COMPLETED
2_2|lee|batch|08:10:00|08:10:00|08:20:00|08:50:00|00:30:00|00:00:00|01:00:00|5|1|FAILED
2_[3-9%2]|lee|batch|08:10:00|Unknown|Unknown|Unknown|00:00:00|00:00:00|01:00:00|5|1|PENDING
3+0|ann|batch|08:15:00|08:15:00|08:30:00|09:30:00|01:00:00|00:00:00|02:00:00|20|2|COMPLETED
3+1|ann|batch|08:15:00|08:15:00|08:30:00|09:30:00|01:00:00|00:00:00|02:00:00|4|1|COMPLETED
3+1.0|ann|batch|08:15:00|08:15:00|08:30:00|09:30:00|01:00:00|00:00:00|02:00:00|4|1|COMPLETED
4|bob|batch|08:20:00|08:20:00|08:30:00|08:45:00|00:15:00|00:00:00|03:00:00|8|1|REQUEUED
4|bob|batch|08:20:00|08:50:00|09:00:00|09:10:00|00:10:00|00:00:00|03:00:00|8|1|REQUEUED
4|bob|batch|08:20:00|09:15:00|09:20:00|11:20:00|02:00:00|00:00:00|03:00:00|8|1|COMPLETED
4|bob|batch|08:20:00|09:15:00|09:20:00|11:20:00|02:00:00|00:00:00|03:00:00|8|1|COMPLETED
5|bob|batch|08:30:00|08:30:00|08:30:00|10:30:00|01:30:00|00:30:00|04:00:00|4|1|COMPLETED
6|bob|batch|08:30:00|08:30:00|08:40:00|Unknown|01:30:00|00:30:00|04:00:00|4|1|SUSPENDED
7|bob|batch|08:30:00|08:30:00|08:40:00|Unknown|05:00:00|00:00:00|04:00:00|4|1|RUNNING
8|bob|batch|08:30:00|08:30:00|08:40:00||00:20:00|00:00:00|04:00:00|4|1|COMPLETED
9|bob|batch|08:30:00|08:30:00|08:40:00|||00:00:00|04:00:00|4|1|COMPLETED
10|bob|batch|08:30:00|08:30:00|Unknown|08:50:00|00:00:00|00:00:00|04:00:00|0|1|CANCELLED by 1000
11|bob|batch|08:30:00|08:30:00|08:50:00|08:50:00|00:00:00|00:00:00|04:00:00|4|1|FAILED
12|bob|batch|08:30:00|08:30:00|08:50:00|08:55:00|00:05:00|00:00:00|04:00:00|-4|1|COMPLETED
13|bob|batch|08:30:00|08:30:00|08:50:00|08:55:00|99999999999-00:00:00|00:00:00|04:00:00|4|1|COMPLETED
14|bob|batch|08:30:00|08:30:00|08:50:00|08:55:00|00:05:00|00:00:00|UNLIMITED|4|1|COMPLETED
15|bob|batch|08:30:00|08:30:00|08:50:00|08:55:00|00:05:00|00:00:00|Partition_Limit|4|1|TIMEOUT
16|bob|batch|08:30:00|08:30:00|08:20:00|08:25:00|00:05:00|00:00:00|04:00:00|4|1|COMPLETED
17|bob|batch|08:30:00|08:30:00|08:50:00|08:55:00|00:05:00|00:00:00|04:00:00|0|0|COMPLETED
18|bob|batch||08:30:00|08:50:00|08:55:00|00:05:00|00:00:00|04:00:00|4|1|COMPLETED
19|M\u00fcller|batch|08:30:00|08:30:00|08:50:00|08:55:00|00:05:00|00:00:00|04:00:00|4|1|NODE_FAIL
20|bob|batch|08:30:00|08:30:00|08:50:00|08:55:00|00:05:00|00:00:00|04:00:00|4|1|WEIRD
"""
"""One of each oddity, its instants without their day."""


def thirty(tmp_path: Path) -> Path:
    """The dump of thirty rows, in Latin-1."""
    path = tmp_path / "thirty.txt"
    head, *rows = THIRTY.splitlines()
    cells = [row.split("|") for row in rows]
    for row in cells:
        row[3:7] = [f"2026-03-02T{cell}" if cell[:1].isdigit() else cell for cell in row[3:7]]
    path.write_bytes("\n".join([head, *map("|".join, cells), ""]).encode("latin-1"))
    return path


def test_thirty_rows_add_up(tmp_path: Path, shadowtime: Shadowtime) -> None:
    """Worked out by hand: 14 runs of 12 jobs, 16 rows that are none, and 56 processors at half past eight."""
    ended = shadowtime("import", "sacct", thirty(tmp_path), "-o", tmp_path / "thirty.swf")
    _, *lines = ended.out.splitlines()
    assert [" ".join(line.split()) for line in lines[:14]] == [
        "30 rows after the header",
        "9 jobs: COMPLETED",
        "2 jobs: REQUEUED",
        "1 jobs: FAILED",
        "1 jobs: NODE_FAIL",
        "1 jobs: TIMEOUT",
        "4 left out: a step of a job 3",
        "2 left out: never started 8",
        "3 left out: not over when the dump was made 17",
        "1 left out: ran for no second 22",
        "1 left out: no size 28",
        "1 left out: no submission 29",
        "1 left out: the same run again 15",
        "3 left out: not to be read 23",
    ]
    faults = [line.partition(":")[2].partition(":")[0] for line in lines[14:17]]
    assert faults == ["23", "24", "31"]
    assert lines[17:] == [
        f"{tmp_path}/thirty.swf: 14 jobs on 56 processors in 3h20m",
        "2 are further runs of jobs that were requeued: each is a job of its own",
        "1 was suspended for a while: that is no part of the runtime",
        "2 had no time limit: the runtime stands for it",
        "2 could not start as soon as submitted (--arrival eligible: a job arrives when it could)",
        "1 started before being submitted (job 16 by 10m): taken to arrive when submitted, with no wait",
    ]


def test_a_dump_from_another_system(tmp_path: Path, shadowtime: Shadowtime) -> None:
    """A byte order mark, CRLF and UTF-16 change nothing; a binary file is refused, in a line."""
    path = thirty(tmp_path)
    imported(shadowtime, path)
    wanted = fields(path.with_suffix(".swf"))
    text = path.read_bytes()
    path.write_bytes(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))
    imported(shadowtime, path)
    assert fields(path.with_suffix(".swf")) == wanted
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        path.write_bytes(text.decode("latin-1").replace("\n", "\r\n").encode(encoding))
        imported(shadowtime, path)
        assert fields(path.with_suffix(".swf")) == wanted
    path.write_bytes(b"JobID|\0\0\0" + text)
    ended = shadowtime("import", "sacct", path, "-o", tmp_path / "out.swf")
    assert (ended.code, len(ended.complaints)) == (2, 1)
    assert "it is no text; expected a dump of sacct -P" in ended.err


def test_a_column_that_comes_twice(tmp_path: Path, shadowtime: Shadowtime) -> None:
    """The first one counts; a separator at the end of every line makes no column."""
    head, row, *_ = thirty(tmp_path).read_text("latin-1").splitlines()
    path = tmp_path / "twice.txt"
    for text in (f"{head}|User\n{row}|zed\n", f"{head}|User|\n{row}|zed|\n"):
        path.write_text(text)
        assert imported(shadowtime, path)["rows"] == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [(["--separator="], "the separator is empty"), (["--ids", "none/ids.csv"], "to write ids.csv to")],
)
def test_what_cannot_be_asked_of_an_import(
    options: list[str], words: str, tmp_path: Path, shadowtime: Shadowtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line, and no log is written."""
    monkeypatch.chdir(tmp_path)
    ended = shadowtime("import", "sacct", thirty(tmp_path), "-o", tmp_path / "out.swf", *options)
    assert (ended.code, len(ended.complaints)) == (2, 1)
    assert words in ended.err
    assert not (tmp_path / "out.swf").exists()


@pytest.mark.proof
def test_a_million_rows_take_little_memory(tmp_path: Path) -> None:
    """The dump is 200 MB; what the import holds of it stays below 100 MB, as for a tenth of the rows."""
    rows = [row.line for row in Maker(3).dump(50_000)]
    path = tmp_path / "long.txt"
    with path.open("w", encoding="utf-8") as stream:
        stream.write(HEADER + "\n")
        for part in range(20):
            stream.writelines(line.replace("|4", f"|{part}4", 1) + "\n" for line in rows)
    files = [str(path), "-o", str(tmp_path / "out.swf")]
    # A process counts what its parent held when it was started: a small one in between starts the import.
    measured = (
        "import resource, subprocess, sys; code = subprocess.run(sys.argv[1:]).returncode;"
        " print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr); sys.exit(code)"
    )
    command = [sys.executable, "-m", "shadowtime", "import", "sacct", *files, "--json"]
    ended = subprocess.run(
        [sys.executable, "-c", measured, *command], capture_output=True, text=True, check=True
    )
    assert json.loads(ended.stdout)["rows"] == 1_000_000
    assert int(ended.stderr.split()[-1]) < 100 * 1024


def test_nodes_that_one_job_leaves_to_the_next_are_not_in_use_twice(
    shadowtime: Shadowtime, tmp_path: Path
) -> None:
    """At one instant ends come before starts: the machine need not be as large as both."""
    path = tmp_path / "two.txt"
    lines = [
        written(
            JobID=job,
            Submit=stamp(BEGIN),
            Start=stamp(BEGIN + start),
            End=stamp(BEGIN + start + 60),
            Elapsed="00:01:00",
            AllocCPUS=4,
        )
        for job, start in ((1, 0), (2, 60))
    ]
    path.write_text("\n".join([HEADER, *lines]) + "\n")
    assert imported(shadowtime, path)["nodes"] == 4
