"""Values: what makes a job, a machine and an expectation."""

from array import array

import attrs
import pytest

from shadowtime.scenarios import Expect, Job, Machine, Workload


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("size", 0),
        ("size", True),
        ("size", 2.0),
        ("submit", -1),
        ("runtime", 0),
        ("estimate", 2**62),
        ("id", "1"),
    ],
)
def test_a_job_keeps_its_rules(field: str, value: object) -> None:
    """Every field says what it must be, and what it got."""
    fields = {"id": 1, "size": 1, "submit": 0, "runtime": 1, "estimate": 1, field: value}
    with pytest.raises(ValueError, match=rf"{field} must be a whole number .*\(got .*\)"):
        Job(**fields)  # type: ignore[arg-type]


def test_values_are_frozen() -> None:
    """A value that was made stays as it is."""
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        Job(1, 1, 0, 1, 1).size = 2  # type: ignore[misc]
    assert not hasattr(Machine(1), "__dict__")


def test_a_machine_counts_nodes_or_processors() -> None:
    """Jobs ask in the machine's unit; a simulation has nodes."""
    assert Machine(128).capacity == 128
    assert Machine(128).sized() == "128 nodes"
    t3d = Machine(128, torus=(8, 4, 8), unit="processor", per_node=2)
    assert (t3d.nodes, t3d.capacity, t3d.sized()) == (128, 256, "256 processors")
    assert Machine(1).sized() == "1 node"


@pytest.mark.parametrize(
    ("equals", "decimals", "found", "holds"),
    [
        (0.875, 3, 0.875, True),
        (0.875, 3, 0.8754, True),
        (0.875, 3, 0.8746, True),
        (0.875, 3, 0.876, False),
        (0.875, 3, 0.87449, False),
        (5, 0, 5.4, True),
        (5, 0, 5.6, False),
        (5, 0, None, False),
        (0.0, 1, float("nan"), False),
        (0.5, 1, float("inf"), False),
        (2**60, 0, 2**60 + 1, False),
        (2**60, 0, 2**60, True),
        (6834.59, 2, 6834.5901, True),
        (-0.5, 1, -0.52, True),
    ],
)
def test_equals_compares_at_the_decimals_written(
    equals: float, decimals: int, found: float | None, holds: bool
) -> None:
    """The value found, rounded to as many decimals, is the one that is written."""
    assert Expect(1, metric="mean_wait", equals=equals, decimals=decimals).holds(found) is holds


@pytest.mark.parametrize(
    ("found", "holds"), [(1.0, True), (2.0, True), (1.5, True), (0.99, False), (2.01, False)]
)
def test_within_holds_both_bounds(found: float, holds: bool) -> None:
    """Both bounds belong to it."""
    assert Expect(1, metric="mean_wait", within=(1.0, 2.0)).holds(found) is holds


def test_jobs_become_columns() -> None:
    """In order of submission, those of one instant as given; a job ends at its estimate at the latest."""
    jobs = [
        Job(3, 2, 50, 10, 20, user="kim"),
        Job(1, 1, 0, 30, 20),
        Job(2, 4, 0, 5, 5, klass="debug", name="x"),
    ]
    workload = Workload.of(jobs)
    assert list(workload.id) == [1, 2, 3]
    assert list(workload.submit) == [0, 0, 50]
    assert list(workload.runtime) == [20, 5, 10]
    assert list(workload.estimate) == [20, 5, 20]
    assert list(workload.killed) == [1, 0, 0]
    assert list(workload.user) == ["", "", "kim"]
    assert list(workload.klass) == ["", "debug", ""]
    assert workload.notes == ("2 jobs were out of order of submission: sorted",)
    assert workload.rows == len(workload) == 3
    assert (workload.find(2), workload.find(9)) == (1, None)


def test_an_estimate_may_be_extended_instead() -> None:
    """Then nothing is killed."""
    workload = Workload.of([Job(1, 1, 0, 30, 20)], extend=True)
    assert (workload.runtime[0], workload.estimate[0], workload.killed[0]) == (30, 30, 0)


def test_columns_are_of_one_length() -> None:
    """A column that is too short names itself."""
    workload = Workload.of([Job(1, 1, 0, 30, 20)])
    with pytest.raises(ValueError, match="size has 0 rows; id has 1"):
        attrs.evolve(workload, size=workload.size[:0])


def test_one_job_more_comes_after_those_of_its_instant() -> None:
    """The rows before it stay, and every column has it."""
    workload = Workload.of(Job(n, n, 10 * n, 5, 5, klass=f"c{n}") for n in (1, 2, 3))
    workload = attrs.evolve(
        workload, group=array("q", (0, 1, 1)), after=array("q", (0, 1, 0)), cancel=array("q", (7, 8, 9))
    )
    more = workload.with_job(Job(9, 4, 20, 50, 60))
    assert list(more.id) == [1, 2, 9, 3] and list(more.submit) == [10, 20, 20, 30]
    assert (more.runtime[2], more.estimate[2], more.size[2], more.klass[2]) == (50, 60, 4, "")
    assert list(more.klass) == ["c1", "c2", "", "c3"] and list(more.group or ()) == [0, 1, 1, 1]
    assert list(more.after or ()) == [0, 1, 0, 0] and list(more.cancel or ()) == [7, 8, -1, 9]
    assert more.rows == len(more) == 4 and len(workload) == 3
