"""A capture that is not whole is read as far as that is sound, and says what it lacks."""

from pathlib import Path
from typing import Any

import pytest

from shadowtime.scenarios.slurm import CaptureError, Node, read_capture
from shadowtime.scenarios.slurm.changes import Change, changed
from shadowtime.scenarios.slurm.records import UNLISTED
from tests.scenarios.slurm.mutations import PARSERS
from tests.scenarios.slurm.support import NOW, files, number, write

ODD: list[tuple[dict[str, Any], str]] = [
    ({"priority": "high"}, "squeue.json: jobs[1].priority: is"),
    ({"priority": True}, "squeue.json: jobs[1].priority: is true"),
    ({"priority": {"set": True}}, "squeue.json: jobs[1].priority: is set"),
    ({"cpus": -1}, "squeue.json: jobs[1].cpus: is -1"),
    ({"cpus": 10**40}, "squeue.json: jobs[1].cpus: is a number"),
    ({"time_limit": number(1 << 62)}, "squeue.json: jobs[1].time_limit: is"),
    ({"partition": "moon"}, "squeue.json: jobs[1].partition: is"),
    ({"required_nodes": "n[4-1]"}, "squeue.json: jobs[1].required_nodes: 'n[4-1]' is no list"),
    ({"array_job_id": 2, "array_task_string": "some"}, "jobs[1].array_task_string: has the tasks 'some'"),
    ({"array_job_id": 2, "array_task_string": "1..."}, "jobs[1].array_task_string: has the tasks '1...'"),
]


def states(nodes: tuple[Node, ...], state: str) -> list[str]:
    """The nodes with a state."""
    return [node.name for node in nodes if state in node.states]


@pytest.mark.parametrize(("fields", "expected"), ODD)
def test_an_odd_field_refuses_its_job(tmp_path: Path, fields: dict[str, Any], expected: str) -> None:
    """The job that waits is left out with its reason; the one that runs is read."""
    contents = files(42)
    contents["squeue.json"]["jobs"][1].update(fields)
    capture = read_capture(write(tmp_path, contents))
    (refused,) = capture.left_out
    assert [job.id for job in capture.jobs] == [1]
    assert (refused.kind, refused.name, refused.waiting) == ("job", "2", True)
    assert refused.fault.startswith(expected) or expected in refused.fault
    assert not states(capture.nodes, UNLISTED)


def test_the_nodes_of_a_running_job_that_cannot_be_read_are_not_idle(tmp_path: Path) -> None:
    """By its own list of them; without a list by what the nodes say is allocated."""
    contents = files(42)
    running = contents["squeue.json"]["jobs"][0]
    running["job_resources"] = {}
    capture = read_capture(write(tmp_path / "listed", contents))
    assert [each.name for each in capture.left_out] == ["1"]
    assert states(capture.nodes, UNLISTED) == ["n1", "n2"]
    running["nodes"] = "n[1-"
    for node in contents["nodes.json"]["nodes"][1:3]:
        node["alloc_cpus"] = 3
    capture = read_capture(write(tmp_path / "allocated", contents))
    assert states(capture.nodes, UNLISTED) == ["n2", "n3"]


@pytest.mark.parametrize("parser", PARSERS)
def test_nodes_that_no_job_of_the_queue_holds_are_not_up(tmp_path: Path, parser: int) -> None:
    """Allocated as a whole or beside a job of the queue; a job that holds as much accounts for its node."""
    contents = files(parser)
    nodes = contents["sinfo.json" if parser == 38 else "nodes.json"]["nodes"]
    for node, allocated in zip(nodes, (3, 4, 1, 0), strict=True):
        node["alloc_cpus"] = allocated
    capture = read_capture(write(tmp_path, contents))
    assert states(capture.nodes, UNLISTED) == ["n2", "n3"]
    assert [node.name for node in capture.nodes if not node.up] == ["n2", "n3"]


@pytest.mark.parametrize(("state", "unlisted"), [("ALLOCATED", True), ("MIXED", True), ("IDLE", False)])
def test_a_state_says_that_a_node_is_allocated(tmp_path: Path, state: str, unlisted: bool) -> None:
    """Where no number of CPUs is given."""
    contents = files(42)
    contents["nodes.json"]["nodes"][3]["state"] = [state]
    assert states(read_capture(write(tmp_path, contents)).nodes, UNLISTED) == ["n4"] * unlisted


def test_no_operator_resumes_a_node_that_others_hold(tmp_path: Path) -> None:
    """A drained one is in service again, but not idle."""
    contents = files(42)
    contents["nodes.json"]["nodes"][3]["state"] = ["ALLOCATED", "DRAIN"]
    capture = changed(read_capture(write(tmp_path, contents)), Change("resume", "n4"))
    assert capture.nodes[3].states == ("ALLOCATED", UNLISTED) and not capture.nodes[3].up
    with pytest.raises(ValueError, match="n4"):
        changed(capture, Change("resume", "n4"))


@pytest.mark.parametrize(
    ("state", "up"),
    [
        ("IDLE", True),
        ("POWERING_UP", True),
        ("UNKNOWN", False),
        ("ERROR", False),
        ("INVALID", False),
        ("POWERING_DOWN", False),
    ],
)
def test_states_of_a_node_that_takes_no_job(tmp_path: Path, state: str, up: bool) -> None:
    """Of nodes that power up jobs can be placed on."""
    contents = files(42)
    contents["nodes.json"]["nodes"][3]["state"] = ["IDLE", state]
    assert read_capture(write(tmp_path, contents)).nodes[3].up is up


def test_an_odd_node_keeps_its_place_and_takes_no_job(tmp_path: Path) -> None:
    """A partition names it, and a job runs on it."""
    contents = files(42)
    contents["nodes.json"]["nodes"][1]["real_memory"] = "lots"
    capture = read_capture(write(tmp_path, contents))
    (node,) = capture.left_out
    assert (node.kind, node.name) == ("node", "n2")
    assert node.fault.startswith("nodes.json: nodes[1].real_memory: is")
    assert [(each.name, each.up) for each in capture.nodes[:3]] == [("n1", True), ("n2", False), ("n3", True)]
    assert [share.cores for share in capture.jobs[0].shares] == [3, 0]


@pytest.mark.parametrize("parser", PARSERS)
def test_an_odd_reservation_is_left_out(tmp_path: Path, parser: int) -> None:
    """As JSON and as a line."""
    contents = files(parser)
    if parser == 38:
        contents["reservations.txt"] = contents["reservations.txt"].replace("2023-11-14T22:30:00", "noon")
    else:
        contents["reservations.json"]["reservations"][0]["start_time"] = "noon"
    capture = read_capture(write(tmp_path, contents))
    assert not capture.reservations
    assert [(each.kind, each.name) for each in capture.left_out] == [("reservation", "maint")]


@pytest.mark.parametrize(
    "error", [{"description": "Access denied"}, {"error": "Unspecified error", "errno": -1}]
)
def test_an_error_of_slurm_is_an_error_and_a_warning_is_none(tmp_path: Path, error: dict[str, Any]) -> None:
    """Also beside content; the second is that of sinfo of 22.05.8 without slurmctld."""
    contents = files(42)
    contents["squeue.json"]["warnings"] = [{"description": "Unknown field"}]
    assert read_capture(write(tmp_path, contents)).taken == NOW
    contents["nodes.json"]["errors"] = [error]
    with pytest.raises(CaptureError, match="errors: Slurm reports"):
        read_capture(write(tmp_path, contents))


def test_a_name_may_have_any_bytes(tmp_path: Path) -> None:
    """ISO-8859-1 in the name of a job, and in the lines of the configuration."""
    folder = write(tmp_path, files(42))
    for name, before, after in (
        ("squeue.json", b'"wrap"', b'"na\xefve"'),
        ("config.txt", b"Configuration data", b"Configuration data of K\xf6ln"),
    ):
        path = folder / name
        path.write_bytes(path.read_bytes().replace(before, after))
    assert {job.name for job in read_capture(folder).jobs} == {"na\N{REPLACEMENT CHARACTER}ve"}
