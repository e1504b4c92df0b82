"""[[job]] and [machine]: what is read, and what is said of every mistake."""

from datetime import datetime

import pytest

from shadowtime.scenarios import Machine
from tests.scenarios.support import GOOD, JOB, MACHINE, POLICY, Desk


def test_a_scenario(desk: Desk) -> None:
    """Every key of a job, in every notation; a missing estimate is the runtime."""
    head = 'title = "Two jobs"\npaper = "P"\nabout = """\nWhy."""\n'
    times = '[[job]]\nid = 7\nsize = 128\nsubmit = "0 00:10:00"\nruntime = 60\nestimate = "1h30m"\n'
    texts = 'user = "kim"\nclass = "debug"\nqueue = "q"\nname = "n"\ncommand = "c"\n'
    scenario = desk.read(head + MACHINE + POLICY + JOB + times + texts)
    assert (scenario.title, scenario.paper, scenario.about) == ("Two jobs", "P", "Why.")
    assert scenario.machine == Machine(128)
    workload = scenario.workload
    assert list(workload.id) == [1, 7]
    assert list(workload.submit) == [0, 600]
    assert list(workload.runtime) == [7200, 60]
    assert list(workload.estimate) == [7200, 5400]
    assert list(workload.size) == [64, 128]
    columns = workload.user, workload.klass, workload.queue, workload.name, workload.command
    assert [column[1] for column in columns] == ["kim", "debug", "q", "n", "c"]
    assert (workload.rows, workload.dropped, workload.notes, workload.group) == (2, {}, (), None)


def test_a_title_is_the_name_of_the_file_where_there_is_none(desk: Desk) -> None:
    """A file without a story still has a name."""
    assert desk.read(GOOD).title == "gang"


def test_windows_line_ends_and_a_byte_order_mark(desk: Desk) -> None:
    """Both are read as if they were not there, places too."""
    assert desk.read(GOOD.replace("\n", "\r\n").encode("utf-8-sig")).machine.nodes == 128
    bad = GOOD.replace("64", "200").replace("\n", "\r\n").encode("utf-8-sig")
    assert desk.faults(bad) == ["gang.toml:7:8: size is 200; the machine has 128 nodes"]


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ("64", "200", "7:8: size is 200; the machine has 128 nodes"),
        ("64", '"64"', '7:8: size is "64"; expected a whole number, 1 or more'),
        ("64", "3.9", "7:8: size is 3.9; expected a whole number, 1 or more"),
        ("64", "true", "7:8: size is true; expected a whole number, 1 or more"),
        ("64", "0", "7:8: size is 0; expected a whole number, 1 or more"),
        ("64", "nan", "7:8: size is nan; expected a whole number, 1 or more"),
        ("64", "1e400", "7:8: size is 1e+400; expected a whole number, 1 or more"),
        ("64", "1e9999999999999999999", "7:8: size is inf; expected a whole number, 1 or more"),
        ("64", "9223372036854775808", "7:8: size is 9223372036854775808; expected a whole number below 2^62"),
        ("submit = 0", "submit = -5", "8:10: submit is -5; expected 0 seconds or more"),
        ("submit = 0", "submit = 4611686018427387904", "8:10: submit is 4611686018427387904; "
         "expected less than 2^62 seconds"),
        ("submit = 0", "submit = inf",
         '8:10: submit is inf; expected a time: seconds, "D HH:MM:SS" or "1h30m"'),
        ("submit = 0", 'submit = "3600"', '8:10: submit is "3600"; expected 3600 without quotes'),
        ("submit = 0", "submit = 1996-06-03", "8:10: submit is 1996-06-03; expected a time: seconds, "
         '"D HH:MM:SS" or "1h30m"'),
        ('"2h"', '"2x"', '9:11: runtime is "2x"; expected a duration: seconds, "D HH:MM:SS" or "1h30m"'),
        ('"2h"', "0", "9:11: runtime is 0; expected at least 1 second"),
        ("id = 1", "id = -1", "6:6: id is -1; expected a whole number, 0 or more"),
        ("id = 1", "id = 1\nuser = 3", "7:8: user is 3; expected a text"),
        ("id = 1\n", "", "5:1: this [[job]] has no id; expected a whole number, 0 or more"),
        ("nodes = 128", "nodes = 0", "2:9: nodes is 0; expected a whole number from 1 to 16777216"),
        ("nodes = 128", "nodes = 99999999999",
         "2:9: nodes is 99999999999; expected a whole number from 1 to 16777216"),
        ("nodes = 128", 'nodes = 128\nepoch = "June"',
         '3:9: epoch is "June"; expected a local time such as "1996-06-03 08:00"'),
        ("nodes = 128", "nodes = 128\nper_node = 2",
         '3:12: per_node is 2; expected unit = "processor" with it'),
        ("nodes = 128", "torus = [8, 4]",
         "2:9: torus is [8, 4]; expected three whole numbers above 0, such as [8, 4, 8]"),
        ("nodes = 128", "torus = [8, 4, 0]",
         "2:9: torus is [8, 4, 0]; expected three whole numbers above 0, such as [8, 4, 8]"),
        ("nodes = 128", "torus = [8, 4, 8]\nnodes = 256",
         "3:9: nodes is 256; the torus has its own number of nodes; expected one of the two"),
        ("nodes = 128", 'torus = [3, 3, 3]\nunit = "processor"\nper_node = 2',
         "4:12: per_node is 2; expected a number that divides the 27 processors of the torus"),
        ("nodes = 128", "torus = [10000, 10000, 10000]",
         "2:9: torus is [10000, 10000, 10000]; it has 1000000000000 nodes; expected at most 16777216"),
        ("nodes = 128", 'unit = "core"\nnodes = 128', '2:8: unit is "core"; expected node or processor'),
    ],
)  # fmt: skip
def test_one_mistake_is_one_line(desk: Desk, before: str, after: str, fault: str) -> None:
    """Its place, the value as the file has it, and what was expected. Types are strict."""
    assert before in GOOD
    assert desk.faults(GOOD.replace(before, after, 1)) == [f"gang.toml:{fault}"]


def test_unknown_keys_are_faults(desk: Desk) -> None:
    """The nearest known key is named, at every level; the missing key is reported too."""
    text = 'titel = "x"\n' + GOOD.replace("size", "sise").replace("nodes", "node") + "zebra = 1\n"
    assert desk.faults(text) == [
        "gang.toml:1:1: unknown key titel; did you mean title?",
        "gang.toml:3:1: unknown key node; did you mean nodes?",
        "gang.toml:6:1: this [[job]] has no size; expected a whole number, 1 or more",
        "gang.toml:8:1: unknown key sise; did you mean size?",
        "gang.toml:11:1: unknown key zebra; expected id, size, submit, runtime, estimate, user, class, "
        "queue, name, command, wire, base or locked",
    ]


def test_all_faults_are_reported_at_once(desk: Desk) -> None:
    """In order of place, whatever part of the file they are in."""
    text = GOOD.replace("64", "200").replace("fcfs", "fcsf").replace("submit = 0", "submit = -1") + JOB
    assert desk.faults(text + "[[expect]]\njob = 1\nstart = nan\n") == [
        'gang.toml:4:8: name is "fcsf"; did you mean fcfs?',
        "gang.toml:7:8: size is 200; the machine has 128 nodes",
        "gang.toml:8:10: submit is -1; expected 0 seconds or more",
        "gang.toml:11:6: id is 1; the job on line 6 has it already; expected an id of its own",
        'gang.toml:17:9: start is nan; expected a time: seconds, "D HH:MM:SS" or "1h30m"',
    ]


def test_a_bad_job_is_a_job_all_the_same(desk: Desk) -> None:
    """What names it is not wrong too; what names no job at all is."""
    text = GOOD.replace("64", "200") + "[[expect]]\njob = 1\nstart = 0\n[[expect]]\njob = 2\nstart = 0\n"
    assert desk.faults(text) == [
        "gang.toml:7:8: size is 200; the machine has 128 nodes",
        "gang.toml:14:7: job is 2; the workload has no such job",
    ]


@pytest.mark.parametrize("jobs", ["", "job = []\n"])
def test_no_jobs_at_all(desk: Desk, jobs: str) -> None:
    """A scenario has jobs."""
    assert desk.faults(jobs + MACHINE + POLICY) == [
        "gang.toml: the file has no jobs; expected [[job]] or [workload]"
    ]


@pytest.mark.parametrize("jobs", ["3", "[1, 2]", '["x"]', "{id = 1}"])
def test_jobs_that_are_no_tables(desk: Desk, jobs: str) -> None:
    """[[job]] makes tables."""
    (fault,) = desk.faults(f"job = {jobs}\n" + MACHINE + POLICY)
    assert fault.startswith("gang.toml:1:7: job is ") and fault.endswith(
        "expected tables that each begin with [[job]]"
    )


def test_jobs_and_a_workload(desk: Desk) -> None:
    """A file has one source of jobs."""
    assert desk.faults(GOOD + '[workload]\nlog = "x.swf"\n') == [
        "gang.toml:10:1: the file has jobs of its own; expected [[job]] or [workload], not both"
    ]


def test_jobs_are_sorted_by_submission(desk: Desk) -> None:
    """And it is said so."""
    workload = desk.read(GOOD.replace("submit = 0", "submit = 9") + JOB.replace("id = 1", "id = 2")).workload
    assert list(workload.id) == [2, 1]
    assert workload.notes == ("1 job was out of order of submission: sorted",)


def test_times_whose_sum_is_too_large(desk: Desk) -> None:
    """Each may be an int64; together they must be one too."""
    text = GOOD.replace('"2h"', str(2**61)) + JOB.replace("id = 1", "id = 2").replace('"2h"', str(2**61))
    expected = "the last submission and all estimates together are 2^62 seconds or more; expected less"
    assert desk.faults(text) == [f"gang.toml:5:1: {expected}"]


def test_a_torus_that_counts_processors(desk: Desk) -> None:
    """Jobs may be as large as its processors; nodes are these by per_node."""
    t3d = MACHINE.replace("nodes = 128", 'torus = [8, 4, 8]\nunit = "processor"\nper_node = 2')
    machine = desk.read(t3d + POLICY + JOB.replace("64", "256")).machine
    assert machine == Machine(128, (8, 4, 8), "processor", 2)
    assert desk.faults(t3d + POLICY + JOB.replace("64", "257")) == [
        "gang.toml:9:8: size is 257; the machine has 256 processors"
    ]
    assert desk.faults(t3d + POLICY + JOB, nodes=64) == [
        "gang.toml:2:9: torus is [8, 4, 8]; it has 128 nodes; --nodes cannot change a torus"
    ]
    assert desk.read(t3d + POLICY + JOB, nodes=128).machine.nodes == 128


@pytest.mark.parametrize("text", ["1996-06-03 08:00", "1996-06-03 08:00:00"])
def test_an_epoch_gives_the_jobs_their_months(desk: Desk, text: str) -> None:
    """The wall-clock time of second 0."""
    jobs = JOB + JOB.replace("id = 1", "id = 2").replace("submit = 0", 'submit = "30d"')
    scenario = desk.read(MACHINE + f'epoch = "{text}"\n' + POLICY + jobs)
    assert scenario.epoch == scenario.machine.epoch == datetime(1996, 6, 3, 8)
    assert scenario.workload.group is not None
    assert list(scenario.workload.group) == [0, 1]


def test_nodes_of_the_command_line(desk: Desk) -> None:
    """They stand for the file's own; jobs are measured against them."""
    assert desk.read(GOOD, nodes=100).machine == Machine(100)
    assert desk.read(POLICY + JOB, nodes=100).machine == Machine(100)
    assert desk.faults(GOOD, nodes=10) == ["gang.toml:7:8: size is 64; the machine has 10 nodes"]
    assert desk.faults(GOOD, nodes=0) == ["--nodes is 0; expected 1 to 16777216"]
    assert desk.faults(GOOD, nodes=2**40) == ["--nodes is 1099511627776; expected 1 to 16777216"]


def test_a_file_without_a_machine(desk: Desk) -> None:
    """Jobs alone do not determine its size."""
    expected = "the file has no number of nodes; expected [machine] with its nodes, or --nodes"
    assert desk.faults(POLICY + JOB) == [f"gang.toml: {expected}"]


def test_tables_that_are_none(desk: Desk) -> None:
    """[machine] and [policy] are tables."""
    assert desk.faults("machine = 3\npolicy = 4\n" + JOB) == [
        "gang.toml:1:11: machine is 3; expected a table",
        "gang.toml:2:10: policy is 4; expected a table",
    ]
