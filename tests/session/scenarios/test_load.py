"""Which case a file and the command line's options make, and which error is raised if they make no case."""

import re
from pathlib import Path

import pytest

from shadowtime.console.session import (
    ScenarioError,
    SessionError,
    cases_of,
    catalogue,
    cluster_folders,
    load,
    policies_table,
    scenario_files,
)
from shadowtime.console.session.case import Case
from shadowtime.kernels.core.clock import EVENT_NAMES
from tests.parameters import easy

SCENARIO = """\
title = "Two jobs"

[machine]
nodes = 4

[policy]
name = "easy"
scan = "widest"

[[job]]
id = 7
size = 3
submit = 0
runtime = 10

[[job]]
id = 9
size = 4
submit = 1
runtime = "1m"

[[variant]]
name = "careful"
policy = { name = "conservative", compress = "replan" }
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A scenario with a policy, a parameter and a variant."""
    path = tmp_path / "two.toml"
    path.write_text(SCENARIO)
    return path


def test_parameters_out_of_range_are_faults_of_the_file(tmp_path: Path) -> None:
    """All at once, each at its place, whichever policy is asked for."""
    path = tmp_path / "bad.toml"
    path.write_text(
        SCENARIO.replace('name = "easy"\nscan = "widest"', 'name = "checkpoint"\np = 0').replace(
            '{ name = "conservative", compress = "replan" }', '{ name = "gang", quantum = 10, overhead = 10 }'
        )
    )
    for variant in (None, "careful"):
        with pytest.raises(ScenarioError) as refused:
            load(path, variant=variant)
        assert [str(fault).rpartition("/")[2].partition(";")[0] for fault in refused.value.faults] == [
            "bad.toml:8:5: p is 0",
            "bad.toml:24:52: overhead is 10 of a quantum of 10 s",
        ]


def chosen(case: Case) -> tuple[str, str, dict[str, object]]:
    return case.name, case.policy, dict(case.parameters)


def test_the_files_own_policy(file: Path) -> None:
    """Without options the file decides; the rows carry its jobs."""
    case = load(file)
    assert chosen(case) == ("easy", "easy", easy("widest"))
    assert case.nodes == 4
    assert list(case.columns.id) == [7, 9]
    assert case.jobs.row(1) == (1, 60, 60, 4)


def test_options_settle_the_policy(file: Path) -> None:
    """A named policy begins at its defaults, a variant is as the file has it; settings come last."""
    assert chosen(load(file, policy="easy")) == (
        "easy",
        "easy",
        easy("arrival"),
    )
    assert chosen(load(file, settings=["scan=shortest"])) == (
        "easy",
        "easy",
        easy("shortest"),
    )
    assert chosen(load(file, policy="conservative", settings=['compress="replan"']))[2] == {
        "compress": "replan"
    }
    assert chosen(load(file, variant="careful")) == ("careful", "conservative", {"compress": "replan"})
    assert chosen(load(file, variant="careful", settings=["compress=arrival"]))[2] == {"compress": "arrival"}
    assert load(file, nodes=9).nodes == 9


def test_a_policy_as_it_is_spelled(file: Path) -> None:
    """`name:key=value` is one policy with settings, and its own spelling is its name."""
    case = load(file).spoken("easy:scan=shortest")
    assert chosen(case) == ("easy:scan=shortest", "easy", easy("shortest"))


def test_the_cases_of_a_scenario(file: Path) -> None:
    """The base under the policy's name, then the variants."""
    assert [case.name for case in cases_of(load(file, variant="careful"))] == ["easy", "careful"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"policy": "eazy"}, "there is no policy 'eazy'; did you mean easy?"),
        ({"policy": "none"}, "there is no policy 'none'; expected one of fcfs, easy, conservative"),
        ({"policy": "easy: "}, '"easy: " has nothing behind its colon; expected easy:key=value, or easy al'),
        ({"settings": ["scan=up"]}, 'scan is "up"; expected'),
        ({"settings": ["scan=1"]}, "scan is 1; expected"),
        ({"settings": ["scam=up"]}, "unknown parameter scam"),
        ({"settings": ["scan"]}, '"scan" is no setting; expected key=value'),
        ({"variant": "bold"}, "there is no variant 'bold'; the scenario has: careful"),
        (
            {"variant": "careful", "policy": "fcfs"},
            "variant 'careful' and policy 'fcfs' cannot both be named",
        ),
        ({"policy": "checkpoint", "settings": ["p=0"]}, "policy checkpoint: p is 0; expected 0.000001 to 1"),
        ({"policy": "maui", "settings": [f"weight_size={10**400}"]}, "expected a number"),
        ({"nodes": 0}, "--nodes is 0"),
    ],
)
def test_wrong_options_are_reported_in_one_line(file: Path, options: dict[str, object], message: str) -> None:
    """Each fault is one line that says what is wrong, and what was expected."""
    with pytest.raises((SessionError, ScenarioError)) as refused:
        load(file, **options)  # type: ignore[arg-type]
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_actions_and_outages_are_part_of_the_case(file: Path) -> None:
    """They happen in every simulation of it, under every policy."""
    more = '[[action]]\nat = 5\ndo = "drain"\nnodes = "0"\n[[outage]]\nnodes = "1"\nfrom = 6\nuntil = 9\n'
    file.write_text(SCENARIO + more)
    for case in (load(file), load(file, policy="fcfs")):
        simulation = case.simulation()
        kinds = []
        while simulation.step():
            assert simulation.last is not None
            kinds.append(EVENT_NAMES[simulation.last[1]])
        assert [kinds.count(kind) for kind in ("action", "node_down", "node_up")] == [1, 1, 1]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            '[[action]]\nat = 5\ndo = "policy"\npolicy = {name = "t3d"}\n',
            "policy t3d: the machine is another",
        ),
        ('[[action]]\nat = "#5"\ndo = "policy"\npolicy = {name = "unicos"}\n', ""),
    ],
)
def test_a_policy_that_does_not_know_the_machine_is_refused_with_its_line(
    file: Path, more: str, message: str
) -> None:
    file.write_text(SCENARIO + more)
    if not message:
        load(file)
        return
    with pytest.raises(SessionError, match=message) as refused:
        load(file)
    place = re.match(rf"{re.escape(str(file))}:(\d+): ", str(refused.value))
    assert place is not None
    assert int(place.group(1)) > SCENARIO.count("\n")


def test_a_job_that_is_not_there(file: Path) -> None:
    """An id that no job has is refused; rows are found by id."""
    case = load(file)
    assert case.index_of(9) == 1
    with pytest.raises(SessionError, match="there is no job 8 among the 2 jobs"):
        case.index_of(8)


def test_a_log_is_a_case(tmp_path: Path) -> None:
    """A log's machine is its header's, its policy EASY; dropped rows are counted."""
    rows = ["; MaxProcs: 8", "1 0 -1 10 2 -1 -1 2 20 -1 1 5 -1 -1 3 -1 -1 -1"]
    rows.append("2 4 -1 0 2 -1 -1 2 20 -1 1 6 -1 -1 3 -1 -1 -1")
    path = tmp_path / "small.swf"
    path.write_text("\n".join(rows) + "\n")
    case = load(path)
    assert (case.nodes, case.policy, len(case.jobs)) == (8, "easy", 1)
    assert case.scenario.workload.dropped == {"runtime": 1}
    assert (case.columns.user[0], case.columns.queue[0]) == ("5", "3")


def test_what_is_shipped_is_listed() -> None:
    """The catalogue has each shipped file and cluster without a fault, the table the kernel's policies."""
    entries = catalogue()
    paths = [entry.path for entry in entries]
    clusters = [path for path in paths if path in cluster_folders()]
    assert clusters == list(cluster_folders()) and clusters
    assert [path for path in paths if path not in clusters] == list(scenario_files())
    lessons = [path.parent.parent.name == "courses" for path in paths]
    assert lessons == sorted(lessons) and lessons.index(True) == paths.index(clusters[-1]) + 1
    assert all(entry.fault is None and entry.title for entry in entries)
    assert {"fcfs", "easy", "conservative"} <= {entry.name for entry in policies_table()}
