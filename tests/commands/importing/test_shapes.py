"""Dumps as people have them: in the shapes that sites, R, pandas and Windows give them."""

import gzip
import json
import lzma
import os
import re
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from threading import Thread

import pytest

from tests.commandline import ROOT, Ended, Shadowtime, command
from tests.conftest import folder

HEAD = "JobID|User|Submit|Start|End|Elapsed|Timelimit|AllocCPUS|State"
DAY = "2026-03-02T"
PLAIN = (
    f"101|ann|{DAY}08:00:00|{DAY}08:00:10|{DAY}12:00:10|04:00:00|08:00:00|64|COMPLETED",
    f"102|bob|{DAY}08:05:00|{DAY}12:00:12|{DAY}13:00:12|01:00:00|02:00:00|128|COMPLETED",
    f"103|ann|{DAY}08:10:00|{DAY}13:00:15|{DAY}13:30:15|00:30:00|01:00:00|16|TIMEOUT",
)
WANTED = [[1, 0, 10, 14400, 64, 28800], [2, 300, 14112, 3600, 128, 7200], [3, 600, 17415, 1800, 16, 3600]]
"""Number, submission, wait, runtime, size and limit of the three jobs."""


def text_of(*rows: str, head: str = HEAD) -> str:
    return "\n".join([head, *rows]) + "\n"


def jobs(log: Path) -> list[list[int]]:
    """Number, submission, wait, runtime, size and limit of every row of a log."""
    rows = (line.split() for line in log.read_text().splitlines() if line[0] != ";")
    return [[int(row[place]) for place in (0, 1, 2, 3, 4, 8)] for row in rows]


class Desk:
    """A folder with a dump, and what an import of it gives."""

    def __init__(self, path: Path, shadowtime: Shadowtime) -> None:
        self.dump, self.log = path / "dump.txt", path / "out.swf"
        self._shadowtime = shadowtime

    def run(self, content: str | bytes, *options: object) -> Ended:
        self.dump.write_bytes(content.encode() if isinstance(content, str) else content)
        return self._shadowtime("import", "sacct", self.dump, "-o", self.log, "--force", "--json", *options)

    def account(self, content: str | bytes, *options: object) -> dict[str, object]:
        """The account of an import that succeeds; its counts add up to the rows."""
        ended = self.run(content, *options)
        assert (ended.code, ended.err) == (0, "")
        account = json.loads(ended.out)
        assert account["rows"] == account["facts"]["runs"] + sum(account["dropped"].values())
        assert account["lines"].keys() == account["dropped"].keys()
        assert isinstance(account, dict)
        return account

    def jobs(self, content: str | bytes, *options: object) -> list[list[int]]:
        self.account(content, *options)
        return jobs(self.log)

    def complaint(self, content: str | bytes, *options: object) -> str:
        """The one line of an import that is refused, without the name of the dump."""
        ended = self.run(content, *options)
        assert (ended.code, ended.out, len(ended.complaints)) == (2, "", 1)
        return ended.err.strip().removeprefix(str(self.dump))


@pytest.fixture
def desk(tmp_path: Path, shadowtime: Shadowtime) -> Desk:
    return Desk(tmp_path, shadowtime)


def quoted(text: str, separator: str = ",", *, names: bool = True) -> str:
    rows = (line.split("|") for line in text.splitlines())
    put = (separator.join(f'"{cell}"' if names or k else cell for cell in row) for k, row in enumerate(rows))
    return "\n".join(put) + "\n"


TEXT = text_of(*PLAIN)
BARE = TEXT.replace("|", ",")
SHAPES: dict[str, str | bytes] = {
    "parsable": TEXT.replace("\n", "|\n"),
    "commas": BARE,
    "semicolons": TEXT.replace("|", ";"),
    "tabs": TEXT.replace("|", "\t"),
    "CSV of R": quoted(TEXT),
    "quotes and bars": quoted(TEXT, "|"),
    "quotes but for the header": quoted(TEXT, names=False),
    "row names of R": "\n".join(f'"{k or ""}",{line}' for k, line in enumerate(quoted(TEXT).splitlines())),
    "row names of write.table": "\n".join(
        (f'"{k}",' if k else "") + line for k, line in enumerate(quoted(TEXT).splitlines())
    ),
    "index of pandas": "\n".join(f"{k - 1 if k else ''},{line}" for k, line in enumerate(BARE.splitlines())),
    "times of pandas": BARE.replace("02T", "02 ").replace(",04:00:00", ",0 days 04:00:00"),
    "blank lines before, between and behind": "\n \n" + TEXT.replace("\n", "\n\n") + "\n\n",
    "headers between": text_of(PLAIN[0], HEAD, *PLAIN[1:], HEAD),
    "other columns further down": text_of(
        *PLAIN[:2], *("|".join(line.split("|")[::-1]) for line in (HEAD, PLAIN[2]))
    ),
    "a mark in mid-file": TEXT + "\ufeff" + HEAD + "\n",
    "CRLF": TEXT.replace("\n", "\r\n"),
    "UTF-8 with a mark": "\ufeff" + TEXT,
    "UTF-16 of Windows": TEXT.replace("\n", "\r\n").encode("utf-16"),
    "gzip under another name": gzip.compress(TEXT.encode()),
    "xz under another name": lzma.compress(TEXT.encode()),
    "no last line end": TEXT.strip(),
    "epoch seconds": re.sub(
        r"2026-\d\d-\d\dT[\d:]{8}",
        lambda found: str(int(datetime.fromisoformat(found[0] + "+00:00").timestamp())),
        TEXT,
    ),
    "widths": TEXT.replace("Timelimit", "Timelimit%20"),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_of_one_dump(name: str, desk: Desk) -> None:
    """All give the same log."""
    assert desk.jobs(SHAPES[name]) == WANTED


@pytest.mark.parametrize("separator", ["|", "^", "::", "\t"])
def test_a_separator_that_is_given(separator: str, desk: Desk) -> None:
    """One character or several, by either name of the option."""
    for option in ("--separator", "--delimiter"):
        assert desk.jobs(TEXT.replace("|", separator), option, separator) == WANTED


LONG = "JobID|JobName|User|SubmitLine|Submit|Start|End|Timelimit|AllocCPUS|State"


def long(job: str, name: str, line: str) -> str:
    return f"{job}|{name}|ann|{line}|{DAY}08:00:00|{DAY}08:00:10|{DAY}12:00:10|08:00:00|64|COMPLETED"


@pytest.mark.parametrize(
    ("name", "line", "further"),
    [
        ("a | b", "srun x", 0),
        ("a", "srun x | y | z", 0),
        ("a | b", "srun x | y", 0),
        ("a", "bash -c one &&\necho two", 1),
        ("a\nb", "bash -c 'one | two' &&\n\n  echo three\n12", 4),
        ("a", "x y | z\n" * 40 + "| |", 40),
        ('an "odd" name', '"', 0),
        ("'", "srun \\\n  x", 1),
    ],
)
def test_texts_with_separators_and_line_breaks(name: str, line: str, further: int, desk: Desk) -> None:
    """The other columns show where a text ends; a step with the same text is a step."""
    rows = [long("101", name, line), long("101.0", name, line), long("102", "plain", "sbatch j.sh")]
    account = desk.account(text_of(*rows, head=LONG))
    assert jobs(desk.log) == [[1, 0, 10, 14400, 64, 28800], [2, 0, 10, 14400, 64, 28800]]
    assert (account["continued"], account["dropped"]) == (2 * further, {"a step of a job": 1})


def test_a_text_in_the_last_column(desk: Desk) -> None:
    """Its further lines belong to the row before; what begins with an id is a row that is cut off."""
    rows = [PLAIN[0] + "|one", "two | three", "", "four", PLAIN[1] + "|", "103|ann|2026", PLAIN[2] + "|x|y"]
    account = desk.account(text_of(*rows, head=HEAD + "|Comment"))
    assert jobs(desk.log) == WANTED
    assert account["dropped"] == {"an empty line": 1, "not to be read": 2}
    assert account["continued"] == 1 and account["lines"] == {"an empty line": 4, "not to be read": 5}


def test_a_row_that_is_cut_off_takes_no_other_with_it(desk: Desk) -> None:
    """The next row is a job."""
    account = desk.account(text_of(long("101", "a", "x")[:12], long("102", "b", "y"), head=LONG))
    assert (account["rows"], account["dropped"], account["continued"]) == (2, {"not to be read": 1}, 0)


def test_a_row_with_two_readings_is_not_guessed(desk: Desk) -> None:
    """A text on both sides of a column that any word fills."""
    head = HEAD.replace("User", "JobName|User|Comment")
    rows = [PLAIN[0].replace("ann", "a|b|c|d"), PLAIN[1].replace("bob", "a|b|c")]
    account = desk.account(text_of(*rows, head=head))
    assert account["dropped"] == {"not to be read": 1}
    assert account["faults"] == [[2, "12 columns; the header has 11"]]


def test_lines_of_csv_with_breaks(desk: Desk) -> None:
    """Within quotes, which may be doubled."""
    rows = [long(job, "a", "b").split("|") for job in ("101", "102")]
    rows[0][3] = 'b ""c""\n, d'
    lines = (",".join(f'"{cell}"' for cell in row) for row in (LONG.split("|"), *rows))
    account = desk.account("\n".join(lines) + "\n")
    assert (account["rows"], account["continued"], account["dropped"]) == (2, 1, {})


def test_a_quote_that_is_not_closed_costs_its_row(desk: Desk) -> None:
    """Not the rest of the file."""
    account = desk.account(quoted(TEXT).replace('"101"', '"101', 1))
    assert (account["rows"], account["dropped"]) == (3, {"not to be read": 1})


def test_two_clusters(desk: Desk) -> None:
    """Their ids can be the same, so one has to be named."""
    text = text_of(
        f"a|{PLAIN[0]}", f"b|{PLAIN[0]}", f"b|{PLAIN[1]}", "|101.0" + PLAIN[0][3:], head="Cluster|" + HEAD
    )
    assert desk.complaint(text) == ": has the jobs of 2 clusters: a, b; expected --cluster NAME"
    assert len(desk.jobs(text, "--cluster", "b")) == 2
    account = desk.account(text, "--cluster", "a")
    assert account["dropped"] == {"a step of a job": 1, "of another cluster": 2}
    assert account["clusters"] == {"a": 1, "b": 2}
    assert "expected one of a, b" in desk.complaint(text, "--cluster", "c")
    assert "no column Cluster" in desk.complaint(TEXT, "--cluster", "c")


def test_two_records_of_one_run(desk: Desk) -> None:
    """One that says the same is the same run again; one that says something else is not called that."""
    other = PLAIN[0].replace("|64|", "|32|")
    account = desk.account(text_of(*PLAIN, PLAIN[0], other))
    assert account["dropped"] == {"the same run again": 1, "another record of the same run": 1}
    assert jobs(desk.log) == WANTED


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("Submit", "05 Jan 09:00"), ("Submit", "Ystday 09:00"), ("Start", "03/02/2026 08:00:00"),
        ("Elapsed", "two hours"), ("State", "WEIRD"), ("AllocCPUS", "many"), ("Timelimit", "1h"),
        ("JobID", "x1"),
    ],
)  # fmt: skip
def test_no_row_that_can_be_read(column: str, value: str, desk: Desk) -> None:
    """One line has the first row, its column and its value."""
    place = HEAD.split("|").index(column)
    rows = [row.split("|") for row in PLAIN]
    for row in rows:
        row[place] = value
    complaint = desk.complaint(text_of(*map("|".join, rows)))
    assert complaint.startswith(f':2: {column}: "{value}" is no ')
    assert ("SLURM_TIME_FORMAT" in complaint) == (column in ("Submit", "Start"))


def test_a_dump_without_a_header(desk: Desk) -> None:
    """The line says what is missing."""
    assert "--noheader" in desk.complaint("\n".join(PLAIN))
    assert "--noheader" in desk.complaint("\n".join(f"row{number}|{row}" for number, row in enumerate(PLAIN)))


def test_of_two_columns_with_one_name_the_first_counts(desk: Desk) -> None:
    rows = [f"{row}|1|RUNNING" for row in PLAIN]
    assert desk.jobs(text_of(*rows, head=f"{HEAD}|AllocCPUS|State")) == WANTED


AUTUMN = "2026-10-25T"
TWICE = {
    "first to second": ("00:50:00", "02:30:00", "02:10:00", "00:40:00", 6000, 2400),
    "second to second": ("02:50:00", "02:10:00", "02:30:00", "00:20:00", 1200, 1200),
    "first to first": ("00:50:00", "02:10:00", "02:30:00", "00:20:00", 4800, 1200),
    "by its span alone": ("00:50:00", "02:10:00", "02:30:00", "01:20:00", 4800, 4800),
    "second to after": ("00:50:00", "02:10:00", "04:10:00", "02:00:00", 8400, 7200),
    "no span": ("00:50:00", "02:30:00", "02:10:00", "", 6000, 2400),
}
"""Submission, start, end, span, then wait and runtime, in the night in which Berlin has two o'clock twice."""


@pytest.mark.parametrize("name", TWICE)
def test_the_hour_that_comes_twice(name: str, desk: Desk) -> None:
    """Which of the two is meant follows from the span, and from what comes before what."""
    submit, start, end, elapsed, wait, runtime = TWICE[name]
    row = f"1|u|{AUTUMN}{submit}|{AUTUMN}{start}|{AUTUMN}{end}|{elapsed}|UNLIMITED|4|COMPLETED"
    account = desk.account(text_of(row), "--timezone", "Europe/Berlin")
    assert jobs(desk.log) == [[1, 0, wait, runtime, 4, -1]]
    assert account["facts"]["early"] == 0  # type: ignore[index]


@pytest.mark.parametrize("how", ["-", "/dev/stdin", "gzip", "fifo", "none"])
def test_pipes(how: str, tmp_path: Path) -> None:
    """Standard input by any name, packed or not, and a named pipe; nothing on it is one line."""
    log = tmp_path / "out.swf"
    content = {"gzip": gzip.compress(TEXT.encode()), "none": b""}.get(how, TEXT.encode())
    source = "/dev/stdin" if how == "/dev/stdin" else "-"
    if how == "fifo":
        os.mkfifo(source := str(tmp_path / "fifo"))
        Thread(target=Path(source).write_bytes, args=(content,)).start()
    done = subprocess.run(
        command("import", "sacct", source, "-o", log),
        cwd=ROOT,
        input=content,
        capture_output=True,
        check=False,
    )
    if how == "none":
        assert (done.returncode, done.stderr.decode().count("\n")) == (2, 1)
        assert done.stderr.startswith(b"standard input:1: ")
    else:
        assert (done.returncode, done.stderr) == (0, b"")
        assert jobs(log) == WANTED


CASES: dict[str, list[tuple[list[str], str | list[list[int]]]]] = {
    "import-pipe": [(["-"], WANTED)],
    "sacct-newline": [(["dump.txt"], [[1, 0, 10, 14400, 64, 28800], [2, 300, 14112, 3600, 128, 7200]])],
    "sacct-offset": [
        (["dump.txt", *zone], [[1, 0, 600, 7800, 64, 14400], [2, 9000, 60, 3600, 64, 7200]])
        for zone in ([], ["--timezone", "Europe/Berlin"])
    ],
    "sacct-quoted": [(["dump.csv", *given], WANTED) for given in ([], ["--separator", ","])],
    "sacct-time-format": [(["dump.txt"], 'dump.txt:2: Submit: "05 Jan 09:00"')],
    "sacct-two-clusters": [
        (["dump.txt"], "dump.txt: has the jobs of 2 clusters: a, b"),
        (["dump.txt", "--cluster", "b"], [[1, 0, 0, 3600, 4, 3600]]),
    ],
    "timelimit-d-hh-mm": [
        (["dump.txt"], [[k, 0, 0, 3600, 64, t] for k, t in enumerate((129600, 174600, 14400, 5400), start=1)])
    ],
}  # fmt: skip
"""What is right of each public case: the jobs, or the beginning of the one line."""


@pytest.mark.parametrize("name", CASES)
def test_public_cases(name: str, tmp_path: Path) -> None:
    """As their descriptions say, where they lie."""
    for number, (arguments, right) in enumerate(CASES[name]):
        log = tmp_path / f"{number}.swf"
        given = folder("SHADOWTIME_ORACLES") / "cases" / name
        done = subprocess.run(
            [sys.executable, "-m", "shadowtime", "import", "sacct", *arguments, "-o", str(log)],
            cwd=given,
            input=(given / "dump.txt").read_bytes() if arguments == ["-"] else b"",
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=False,
        )
        if isinstance(right, str):
            assert (done.returncode, done.stderr.decode().count("\n")) == (2, 1)
            assert done.stderr.decode().startswith(right)
        else:
            assert (done.returncode, done.stderr) == (0, b"")
            assert jobs(log) == right
