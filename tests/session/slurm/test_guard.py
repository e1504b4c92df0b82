"""The guard of a plan: reasons that are believed, rows that rest on marked ones, and Slurm's own plan."""

import csv
from pathlib import Path
from typing import Any

import attrs
import pytest

from shadowtime.console.session.slurm import Forecast, forecast, forecast_of, write_rows
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.guard.caveat import Caveat, Left
from shadowtime.console.words.cluster.caveats import caveat
from shadowtime.scenarios.slurm import Quality, read_capture
from shadowtime.scenarios.slurm.changes import Change, changed
from tests.oracles.slurm import small
from tests.scenarios.slurm.support import NOW, number, write
from tests.session.slurm.captures import contents, running, waiting


def planned(folder: Path, *jobs: dict[str, Any], **more: Any) -> Forecast:
    """The plan of a cluster of four nodes with these jobs."""
    return forecast(write(folder, contents(jobs) | more))


def shared(folder: Path, *jobs: dict[str, Any]) -> Forecast:
    """The plan of these jobs where jobs of another partition may share the same nodes."""
    found = contents(jobs)
    (batch,) = found["partitions.json"]["partitions"]
    found["partitions.json"]["partitions"].append(batch | {"name": "other"})
    return forecast(write(folder, found))


@pytest.mark.parametrize(
    ("reason", "starts"),
    [
        ("Priority", True),
        ("None", True),
        ("ReqNodeNotAvail, UnavailableNodes:n9", True),
        ("SchedDefer", True),
        ("PartitionDown", True),
        ("BadConstraints", False),
        ("AssocGrpCpuLimit", False),
        ("AssocGrpGRES", False),
        ("QOSMaxNodePerUserLimit", False),
        ("SomethingNew", False),
    ],
)
def test_a_reason_that_is_not_modelled_is_believed(tmp_path: Path, reason: str, starts: bool) -> None:
    """The job is skipped with it after the queue, and its nodes are the next one's."""
    first, second = waiting(1, overlay={"state_reason": reason}), waiting(2, overlay={"max_nodes": number(4)})
    second |= {"tres_req_str": "node=4", "tasks": number(4), "cpus": number(16)}
    found = planned(tmp_path, first, second)
    by = {row.job_id: row for row in found.rows}
    if starts:
        assert by["1"].outcome == "started" and by["2"].outcome == "planned"
    else:
        assert [row.job_id for row in found.rows] == ["2", "1"]
        assert (by["1"].outcome, by["1"].start, by["1"].note) == ("skipped", None, f"Slurm: {reason}")
        assert (by["2"].outcome, by["2"].nodes) == ("started", "n[1-4]")


@pytest.mark.parametrize(("reason", "skipped"), [("BadConstraints", False), ("AssocGrpCpuLimit", True)])
def test_a_reason_may_be_that_of_another_partition(tmp_path: Path, reason: str, skipped: bool) -> None:
    """The job is planned in both and marked; a limit of its association holds in both."""
    job = waiting(1, overlay={"partition": "batch,other", "state_reason": reason})
    rows = shared(tmp_path, job).rows
    assert [row.outcome for row in rows] == (["skipped"] if skipped else ["started"])
    assert [row.marks == (Caveat(Left.SEVERAL, (reason,)),) for row in rows] == [not skipped]


def test_a_change_of_the_job_makes_its_reason_out_of_date(tmp_path: Path) -> None:
    """With another limit the job is tried."""
    folder = write(tmp_path, contents([waiting(1, overlay={"state_reason": "BadConstraints"})]))
    capture = changed(read_capture(folder), Change("limit", "1", "5m"))
    assert [row.outcome for row in board(capture).rows] == ["started"]


def marked(id_: int, **facts: Any) -> dict[str, Any]:
    """A job that asks for CPUs by device, which the plan leaves out."""
    return waiting(id_, **facts) | {"cpus_per_tres": "gres/gpu:1"}


def test_a_row_on_the_nodes_of_a_marked_one_is_marked(tmp_path: Path) -> None:
    """And one that rests on that; a row before it in the queue, or on other nodes, is not."""
    jobs = [
        running(1, ("n1", "n2"), NOW - 60),
        waiting(2),
        marked(3) | {"required_nodes": "n[1-2]"},
        waiting(4) | {"required_nodes": "n[1-2]"},
        waiting(5) | {"required_nodes": "n[1-2]"},
        waiting(6) | {"required_nodes": "n[3-4]"},
    ]
    rows = {row.job_id: row for row in planned(tmp_path, *jobs).rows}
    assert rows["2"].outcome == "started" and rows["2"].nodes == "n[3-4]"
    assert {job: rows[job].marks for job in "2456"} == {
        "2": (),
        "4": (Caveat(Left.RESTS, ("3",)),),
        "5": (Caveat(Left.RESTS, ("4",)),),
        "6": (),
    }
    assert rows["3"].marks and rows["3"].marks[0].left is not Left.RESTS


def test_a_row_that_a_marked_one_pushes_elsewhere_is_marked(tmp_path: Path) -> None:
    """It has no node of the marked one, but would have if that were not there."""
    rows = {row.job_id: row for row in planned(tmp_path, marked(1), waiting(2)).rows}
    assert (rows["1"].nodes, rows["2"].nodes) == ("n[1-2]", "n[3-4]")
    assert rows["2"].marks == (Caveat(Left.RESTS, ("1",)),)
    rows = {row.job_id: row for row in planned(tmp_path / "b", waiting(1), waiting(2)).rows}
    assert not rows["1"].marks and not rows["2"].marks


@pytest.mark.parametrize(("nodes", "resting"), [("n[1-4]", True), ("n[1-2]", False)])
def test_a_row_beside_a_marked_one_that_could_have_its_nodes_is_marked(
    tmp_path: Path, nodes: str, resting: bool
) -> None:
    """Job 2 is planned on n[3-4] with and without job 1, which may use them or not."""
    jobs = [marked(1), waiting(2) | {"required_nodes": "n[3-4]"}]
    jobs[0] |= {"excluded_nodes": "" if nodes == "n[1-4]" else "n[3-4]"}
    rows = {row.job_id: row for row in planned(tmp_path, *jobs).rows}
    assert (rows["1"].nodes, rows["2"].nodes) == ("n[1-2]", "n[3-4]")
    assert rows["2"].marks == (Caveat(Left.RESTS, ("1",)),) * resting


@pytest.mark.parametrize("unsure", [True, False])
def test_a_row_that_is_over_a_limit_on_nodes_beside_a_marked_one_is_marked(unsure: bool) -> None:
    """One node may be held, and n3 is; job 2 has n1, so job 3 is tried on n2."""
    other = small.waiting(2, 1, 10, user="linus", by_device=unsure)
    jobs = [small.running(1, [3], 600, qos="day"), other, small.waiting(3, 1, 10, qos="day")]
    limit = Quality("day", 0, (), {("MaxTRESPU", "node"): 1})
    row = forecast_of(attrs.evolve(small.cluster(3, jobs), qualities=(limit,)), small.NOW).rows[1]
    assert (row.job_id, row.outcome) == ("3", "skipped")
    assert row.marks == (Caveat(Left.RESTS, ("2",)),) * unsure


def test_rows_beside_nodes_that_nobody_in_the_queue_holds_are_marked(tmp_path: Path) -> None:
    """Every row of the partition: who waits for the nodes is not known either."""
    found = contents([waiting(1), waiting(2)])
    found["nodes.json"]["nodes"][0] |= {"alloc_cpus": 4, "state": ["ALLOCATED"]}
    plan = forecast(write(tmp_path, found))
    assert all("n1" not in row.nodes for row in plan.rows)
    assert [len(row.marks) for row in plan.rows] == [1, 1]
    assert plan.caveats[0] == plan.rows[0].marks[0] and plan.caveats[0].names == ("n1",)
    assert [node.cpus_taken for node in board(read_capture(tmp_path)).nodes] == [4, 0, 0, 0]


def test_a_job_that_cannot_be_read_is_a_row_with_its_reason(tmp_path: Path) -> None:
    """It is skipped, after the queue."""
    found = contents([waiting(1) | {"cpus": -4}, waiting(2)])
    rows = forecast(write(tmp_path, found)).rows
    assert [(row.order, row.job_id, row.outcome) for row in rows] == [
        (1, "2", "started"),
        (2, "1", "skipped"),
    ]
    assert "jobs[0].cpus" in rows[1].note
    assert [row.job for row in board(read_capture(tmp_path)).rows] == ["2"]


@pytest.mark.parametrize(
    ("start", "reason", "compared", "differs"),
    [
        (NOW - 30, "Resources", 1, False),
        (NOW + 60, "Resources", 1, False),
        (NOW + 61, "Resources", 1, True),
        (0, "Resources", 1, False),
        (0, "None", 0, False),
        (NOW, "None", 1, False),
        (0, "Dependency", 1, True),
        (0, "PartitionDown", 0, False),
    ],
)
def test_the_plan_is_compared_with_slurms_own(
    tmp_path: Path, start: int, reason: str, compared: int, differs: bool
) -> None:
    """A job that starts now beside the start and the reason that Slurm showed."""
    job = waiting(1, overlay={"start_time": number(start), "state_reason": reason})
    found = planned(tmp_path, job)
    assert (found.beside.compared, [each.job_id for each in found.beside.apart]) == (
        compared,
        ["1"] * differs,
    )
    assert forecast(tmp_path, NOW + 1).beside.compared == 0


@pytest.mark.parametrize(
    ("reason", "start"), [("Priority", NOW + 700), ("Dependency", None), ("JobArrayTaskLimit", None)]
)
def test_a_start_beside_a_reason_that_keeps_the_job_out_is_not_that_of_the_last_cycle(
    tmp_path: Path, reason: str, start: int | None
) -> None:
    """squeue shows the start of an earlier cycle for as long as none replaces it."""
    planned(tmp_path, waiting(1, overlay={"start_time": number(NOW + 700), "state_reason": reason}))
    found = board(attrs.evolve(read_capture(tmp_path), taken=NOW))
    assert (found.slurm_start(found.rows[0]), found.rows[0].slurm_start) == (start, NOW + 700)


def test_the_age_of_slurms_last_cycle_has_what_has_changed_since(tmp_path: Path) -> None:
    """A job of the second before the cycle does not count."""
    jobs = [waiting(1, overlay={"submit_time": number(NOW - 10)})]
    jobs += [waiting(2, overlay={"submit_time": number(NOW - 8)})]
    planned(tmp_path, *jobs)
    capture = read_capture(tmp_path)
    assert forecast_of(attrs.evolve(capture, taken=NOW), NOW).beside.age is None
    found = forecast_of(attrs.evolve(capture, taken=NOW, last_cycle=NOW - 9), NOW).beside
    assert (found.age, found.started, found.submitted) == (9, 0, 1)


def test_a_job_that_slurm_holds_in_the_queue_differs_if_it_is_held_here(tmp_path: Path) -> None:
    """Its reason is against the plan, which has no entry of it."""
    found = planned(tmp_path, waiting(1, overlay={"state_reason": "Resources", "priority": number(0)}))
    (apart,) = found.beside.apart
    assert (apart.job_id, apart.start, apart.slurm_reason) == ("1", None, "Resources")


def test_the_csv_has_the_marks(tmp_path: Path) -> None:
    """In its last column."""
    found = planned(tmp_path / "cluster", marked(1), waiting(2))
    write_rows(found, str(tmp_path / "plan.csv"), caveat)
    with (tmp_path / "plan.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["marks"] for row in rows] == ["; ".join(map(caveat, row.marks)) for row in found.rows]
    assert all(row["marks"] for row in rows)
