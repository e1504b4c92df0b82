"""A captured cluster as a scenario: who runs at second 0, who waits at second 1, in which unit."""

from pathlib import Path
from typing import Any

import pytest

from shadowtime.console.session.case import Case, load
from shadowtime.scenarios.slurm import CaptureError
from shadowtime.scenarios.slurm.scenario import capture_text, is_capture
from shadowtime.scenarios.slurm.tasks import task_ranges
from tests.oracles.slurm.recorded import snapshots
from tests.scenarios.slurm.support import NOW, files, job, number, write


def case(folder: Path, contents: dict[str, Any], **options: Any) -> Case:
    """The case of a captured cluster."""
    return load(write(folder, contents), **options)


def starts(case: Case) -> dict[int, int | None]:
    """Job -> the second in which it starts."""
    simulation = case.simulation()
    simulation.run()
    return {job: simulation.start_of(index) for index, job in enumerate(case.columns.id)}


def rows(case: Case) -> list[tuple[int, int, int, int]]:
    """Id, size, submission and runtime of each job."""
    columns = case.columns
    return list(zip(columns.id, columns.size, columns.submit, columns.runtime, strict=True))


def test_jobs_of_whole_nodes_are_counted_in_nodes(tmp_path: Path) -> None:
    """The running job holds two of four nodes for 600 s more; the waiting one takes the other two at once."""
    found = case(tmp_path, files(42))
    assert is_capture(tmp_path)
    assert (found.nodes, found.policy, found.scenario.machine.unit) == (4, "easy", "node")
    assert rows(found) == [(1, 2, 0, 601), (2, 2, 1, 3600)]
    assert starts(found) == {1: 0, 2: 1}


def test_jobs_that_share_nodes_are_counted_in_cpus(tmp_path: Path) -> None:
    """Three cores on each of two nodes; eight CPUs wanted, of which 16 less 6 are free."""
    contents = files(42, exclusive=False)
    contents["partitions.json"]["partitions"][0]["maximums"]["oversubscribe"]["jobs"] = 1
    found = case(tmp_path, contents)
    assert (found.nodes, found.scenario.machine.unit, found.scenario.machine.per_node) == (16, "processor", 4)
    assert list(found.columns.size) == [6, 8]


def test_waiting_jobs_come_by_priority_and_eligible_time(tmp_path: Path) -> None:
    """At one second the higher priority is first; a job whose time has not come is submitted then."""
    contents = files(42)
    jobs = contents["squeue.json"]["jobs"]
    jobs += [job(42, 3, priority=5000), {**job(42, 4), "eligible_time": number(NOW + 99)}]
    found = case(tmp_path, contents)
    assert [(job, submit) for job, _, submit, _ in rows(found)] == [(1, 0), (3, 1), (2, 1), (4, 100)]


def test_tasks_of_an_array_are_jobs(tmp_path: Path) -> None:
    """Each waiting task is a job of its own, with a number that no job has, and the task in its name."""
    contents = files(42)
    contents["squeue.json"]["jobs"][1] |= {"array_job_id": number(2), "array_task_string": "1-2,7%1"}
    found = case(tmp_path, contents)
    assert list(found.columns.id) == [1, 3, 4, 5]
    assert [found.columns.name[place] for place in (1, 2, 3)] == ["wrap 2_1", "wrap 2_2", "wrap 2_7"]
    assert [list(each) for each in task_ranges("1-7:3,9")] == [[1, 4, 7], [9]]


def test_what_cannot_start_is_left_out_and_counted(tmp_path: Path) -> None:
    """Held, waiting for another job, and of a reservation."""
    contents = files(42)
    contents["squeue.json"]["jobs"] += [
        job(42, 3, priority=0),
        {**job(42, 4), "dependency": "afterok:2(unfulfilled)"},
        {**job(42, 5), "resv_name": "maint"},
    ]
    found = case(tmp_path, contents)
    assert list(found.columns.id) == [1, 2]
    assert "1 held, 1 of a reservation, 1 with a dependency" in found.scenario.about


def test_a_node_that_is_down_takes_no_job(tmp_path: Path) -> None:
    """With node 2 of the idle ones down, the waiting job starts when the running one ends."""
    contents = files(42)
    contents["nodes.json"]["nodes"][2]["state"] = ["DOWN"]
    found = case(tmp_path, contents)
    assert starts(found) == {1: 0, 2: 601}


def test_a_folder_without_jobs_or_instant_is_refused(tmp_path: Path) -> None:
    """One line says what is missing."""
    contents = files(42)
    contents["squeue.json"] |= {"jobs": [], "last_update": number(None)}
    with pytest.raises(CaptureError, match="does not say when it was read"):
        capture_text(write(tmp_path, contents))
    contents["squeue.json"]["last_update"] = NOW
    with pytest.raises(CaptureError, match="has no job"):
        capture_text(write(tmp_path, contents))


@pytest.mark.parametrize("folder", snapshots()[::6], ids=lambda path: f"{path.parent.name}-{path.name}")
def test_recorded_clusters_are_scenarios(folder: Path) -> None:
    """Every running job of a recorded cluster starts at second 0, and every job ends."""
    found = load(folder)
    begun = starts(found)
    assert [job for job, _, submit, _ in rows(found) if submit == 0 and begun[job] != 0] == []
    assert None not in begun.values()
