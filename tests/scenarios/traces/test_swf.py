"""Logs: what a reader must cope with, each oddity in a small log of its own."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from shadowtime.scenarios import PolicyChoice, Workload
from tests.scenarios.support import Desk, log, row
from tests.scenarios.traces.reading import read_swf

STOCKHOLM = "; MaxProcs: 100\n; UnixStartTime: 843480031\n; TimeZoneString: Europe/Stockholm\n"


def read(desk: Desk, *rows: str, header: str = "; MaxProcs: 100\n") -> Workload:
    return read_swf(desk.write(log(*rows, header=header), "a.swf"))


def test_a_log_is_a_scenario(desk: Desk) -> None:
    """The machine is that of the header, unless another is given, the policy EASY."""
    text = log(
        row(1, 5, user=3, queue=0), row(2, 6, queue=2), row(3, 7), header="; Computer: SP2\n" + STOCKHOLM
    )
    scenario = desk.read(text, "KTH.swf")
    assert (scenario.title, scenario.about) == ("KTH.swf", "Computer: SP2")
    assert (scenario.machine.nodes, scenario.policy) == (100, PolicyChoice("easy"))
    assert scenario.epoch == datetime(1996, 9, 23, 14, 0, 31, tzinfo=ZoneInfo("Europe/Stockholm"))
    workload = scenario.workload
    assert list(workload.submit) == [5, 6, 7]
    assert list(workload.user) == ["3", "", ""]
    assert list(workload.queue) == ["0", "2", ""]
    assert list(workload.klass) == ["interactive", "batch", ""]
    assert list(workload.name) == list(workload.command) == ["", "", ""]
    assert workload.group is not None and list(workload.group) == [0, 0, 0]
    assert desk.read(text, "KTH.swf", nodes=64).machine.nodes == 64


def test_classes_need_an_interactive_queue(desk: Desk) -> None:
    """Without a queue 0 the queues have no classes."""
    assert list(read(desk, row(1, queue=1), row(2, queue=2)).klass) == ["", ""]


def test_the_machine_of_the_header(desk: Desk) -> None:
    """MaxProcs, else MaxNodes; without both it must be given."""
    assert desk.read(log(row(), header="; MaxNodes: 7\n"), "a.swf").machine.nodes == 7
    assert desk.faults(log(row(), header=""), "a.swf") == [
        "a.swf: the header names no MaxProcs and no MaxNodes; expected one of them, or --nodes"
    ]
    assert desk.read(log(row(), header=""), "a.swf", nodes=4).machine.nodes == 4


@pytest.mark.parametrize("value", ["1.024", "1 024", "64K", "99999999999999999999"])
def test_a_size_that_is_not_understood(desk: Desk, value: str) -> None:
    """It is never read as its first digits, nor passed over for the nodes: one line names it."""
    text = log(row(), header=f"; MaxProcs: {value}\n; MaxNodes: 4\n")
    (fault,) = desk.faults(text, "a.swf")
    assert f'MaxProcs is "{value}"' in fault
    assert desk.read(text, "a.swf", nodes=4).machine.nodes == 4


def test_indented_keys_art_and_odd_letters(desk: Desk) -> None:
    """As some headers have them; comments may stand between rows, too."""
    header = ";  ____ \n; / ___|\t\xff\xfe\n;       MaxProcs:  2004\n;\n\n; UnixStartTime: 1400749079\n"
    content = header.encode("latin-1") + (row(1) + "\n; note\n\n" + row(2) + "\n").encode()
    scenario = desk.read(content, "a.swf")
    assert (scenario.machine.nodes, len(scenario.workload)) == (2004, 2)


@pytest.mark.parametrize("change", [
    lambda text: text.replace("\n", "\r\n"),
    lambda text: text.replace(" ", "\t"),
    lambda text: text.replace("\n", "  \n"),
    lambda text: text.replace("\n", "\n   "),
    lambda text: text.removesuffix("\n"),
    lambda text: text + " \n",
    lambda text: text + "\n\n;\n",
    lambda text: "\ufeff" + text,
])  # fmt: skip
def test_blanks_and_line_ends(desk: Desk, change: object) -> None:
    """Windows line ends, tabs, trailing blanks, no last line end or one with a blank, a byte order mark."""
    text = log(row(1), row(2), header="; MaxProcs: 100\n")
    workload = desk.read(change(text), "a.swf").workload  # type: ignore[operator]
    assert list(workload.id) == [1, 2]


def test_jobs_that_cannot_be_simulated_are_counted(desk: Desk) -> None:
    """By reason; with the others they are all the rows."""
    rows = (
        row(1), row(2, runtime=0), row(3, runtime=-1), row(4, requested=-1, allocated=-1),
        row(5, requested=101), row(6, requested=-1, allocated=100), row(9, estimate=-1),
    )  # fmt: skip
    workload = read(desk, *rows)
    assert list(workload.id) == [1, 6, 9]
    assert workload.dropped == {"runtime": 2, "size": 1, "larger_than_machine": 1}
    assert len(workload) + sum(workload.dropped.values()) == workload.rows == 7
    assert workload.estimate[2] == workload.runtime[2]


def test_no_job_is_left(desk: Desk) -> None:
    """A log of nothing but such jobs is a fault, with the counts."""
    text = log(row(1, runtime=0), row(2, runtime=0), row(3, requested=101))
    assert desk.faults(text, "a.swf") == [
        "a.swf: no job is left of 3; dropped: runtime 2 (first on line 2), larger_than_machine 1 "
        "(first on line 4); expected a job that fits 100"
    ]
    assert desk.faults("; MaxProcs: 100\n", "a.swf") == [
        "a.swf: has comments and no rows; expected a row for each job"
    ]


def test_fractions_of_seconds(desk: Desk) -> None:
    """They are rounded, and a note counts the rows: one that ran for 0.9 s is a job."""
    workload = read(desk, row(1, "0.2", "0.9"), row(2, 1, 5), row(3, 2, "0.4"))
    assert list(zip(workload.id, workload.submit, workload.runtime, strict=True)) == [(1, 0, 1), (2, 1, 5)]
    assert (workload.dropped, workload.dropped_lines) == ({"runtime": 1}, {"runtime": 4})
    assert workload.notes == ("2 rows have times with fractions of a second: rounded to whole seconds",)


def test_rows_out_of_order_are_sorted_and_said_so(desk: Desk) -> None:
    """As many as came after a later one."""
    workload = read(desk, row(1, 10), row(2, 5), row(3, 20), row(4, 7))
    assert list(workload.id) == [2, 4, 1, 3]
    assert workload.notes == ("2 rows were out of order of submission: sorted",)
    assert read(desk, row(1, 10), row(2, 10)).notes == ()


def test_bad_rows(desk: Desk) -> None:
    """Each with line and column, what it is, and what was expected."""
    text = log(
        row(1).removesuffix(" -1"), row(2) + " 0 0", row("x"), row(4, "1e400"), row(5, "nan"), row(6, 2**63),
        row(-7), row(8, -8), "hello world", row(10, runtime="12,5"), "é" * 40 + row(11)[2:],
    )  # fmt: skip
    assert desk.faults(text, "a.swf") == [
        "a.swf:2:48: the row has 17 fields; expected 18",
        "a.swf:3:52: the row has 20 fields; expected 18",
        "a.swf:4:1: job number is x; expected a number",
        "a.swf:5:3: submit time is 1e400; expected a number",
        "a.swf:6:3: submit time is nan; expected a number",
        "a.swf:7:3: submit time is 9223372036854775808; expected a number not beyond 2^62",
        "a.swf:8:1: job number is -7; expected 0 or more",
        "a.swf:9:3: submit time is -8; expected 0 or more",
        "a.swf:10:12: the row has 2 fields; expected 18",
        "a.swf:11:9: run time is 12,5; expected a number",
        "a.swf:12:1: job number is " + r"\xc3\xa9" * 15 + "...; expected a number",
    ]


def test_twenty_faults_are_enough(desk: Desk) -> None:
    """The rest is counted."""
    faults = desk.faults(log(*["x"] * 57), "a.swf")
    assert len(faults) == 21
    assert faults[-1] == "a.swf: ... and 37 more faults"
    assert desk.faults(log(*["x"] * 21), "a.swf")[-1] == "a.swf: ... and 1 more fault"
    assert desk.faults(log(*[row(1)] * 43), "a.swf")[-1] == "a.swf: ... and 22 more faults"


def test_a_job_number_twice(desk: Desk) -> None:
    """Both lines are named."""
    assert desk.faults(log(row(3), " " + row(2), "; c", "\t" + row(3)), "a.swf") == [
        "a.swf:5:2: job 3 is on line 2 already; expected every job number once"
    ]


def test_times_whose_sum_is_too_large(desk: Desk) -> None:
    """One line, whichever of them it is."""
    expected = "a.swf: the last submission and all estimates together are 2^62 seconds or more; expected less"
    half = 2**61
    assert desk.faults(log(row(1, half, half, estimate=half)), "a.swf") == [expected]
    assert desk.faults(log(row(1, 0, half, estimate=half), row(2, 0, half, estimate=half)), "a.swf") == [
        expected
    ]
    assert len(read(desk, row(1, half, 1, estimate=half - 1))) == 1


def test_a_log_without_a_zone(desk: Desk) -> None:
    """What is unsure is said."""
    workload = read(desk, row(), header="; MaxProcs: 100\n; UnixStartTime: 843480031\n")
    assert workload.notes == ("the header names no time zone: UTC is taken",)
    assert read(desk, row()).epoch is None


def test_months_count_from_the_first_job(desk: Desk) -> None:
    """Also months without any job; the first submission need not be near second 0."""
    day = 86_400
    rows = [row(i, time) for i, time in enumerate((20 * day, 21 * day, 50 * day, 200 * day))]
    workload = read(desk, *rows, header=STOCKHOLM)
    assert list(workload.group or []) == [0, 0, 1, 6]
    assert read(desk, row(1, 2**61), header=STOCKHOLM).group is None
    assert read(desk, row()).group is None


CANCELLED = log(
    row(1, 0, 100, wait=0, estimate=100),
    row(2, 10, -1, wait=40, estimate=50, status=5),
    row(3, 20, 30, wait=100, estimate=50, allocated=2, requested=2, status=5),
    row(4, 30, 30, wait=120, estimate=50),
    row(5, 40, 10, wait=100, estimate=50, status=5),
    row(6, 45, -1, estimate=50, status=5),
    header="; MaxProcs: 4\n",
)
"""Jobs 2 and 6 were cancelled while they waited, jobs 3 and 5 while they ran; nobody knows when job 6 was."""


@pytest.mark.parametrize(
    ("status", "runtimes", "dropped", "cancellations"),
    [
        ("keep", {1: 100, 3: 30, 4: 30, 5: 10}, {"runtime": 2}, []),
        ("drop", {1: 100, 4: 30}, {"cancelled": 4}, []),
        ("replay", {1: 100, 2: 50, 3: 30, 4: 30, 5: 10}, {"runtime": 1}, [(50, 2), (150, 3), (150, 5)]),
    ],
)
def test_what_becomes_of_cancelled_jobs(
    status: str,
    runtimes: dict[int, int],
    dropped: dict[str, int],
    cancellations: list[tuple[int, int]],
    desk: Desk,
) -> None:
    """They are jobs, or dropped, or cancelled as long after their submission as in the log."""
    desk.write(CANCELLED, "c.swf")
    scenario = desk.read(
        f'policy = {{name = "fcfs"}}\n[machine]\nnodes = 4\n[workload]\nlog = "c.swf"\nstatus = "{status}"\n'
    )
    workload = scenario.workload
    assert dict(zip(workload.id, workload.runtime, strict=True)) == runtimes
    assert workload.dropped == dropped and len(workload) + sum(dropped.values()) == workload.rows
    assert [(action.at, action.job) for action in scenario.actions] == cancellations
    assert all(action.do == "cancel" and action.recorded for action in scenario.actions)


def test_a_cancellation_stays_as_long_after_the_submission(desk: Desk) -> None:
    """Submissions closer together do not move it."""
    desk.write(CANCELLED, "c.swf")
    text = '[machine]\nnodes = 4\n[workload]\nlog = "c.swf"\nstatus = "replay"\nshrink = 0.5\n'
    scenario = desk.read('policy = {name = "fcfs"}\n' + text)
    submitted = dict(zip(scenario.workload.id, scenario.workload.submit, strict=True))
    after = [(action.job, (action.at or 0) - submitted[action.job or 0]) for action in scenario.actions]
    assert sorted(after) == [(2, 40), (3, 130), (5, 110)]
