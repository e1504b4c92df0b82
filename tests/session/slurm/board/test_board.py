"""Plan, jobs and nodes joined; what changed between two captures; the filter of a plan."""

from datetime import UTC
from functools import partial
from pathlib import Path

import attrs
import pytest

from shadowtime.console.session import SessionError
from shadowtime.console.session.slurm.board.changes import NOTHING, changes
from shadowtime.console.session.slurm.board.facts import LEFT_OUT, Board
from shadowtime.console.session.slurm.board.fields import PLAN, BoardReading
from shadowtime.console.session.slurm.board.fitting import idle_nodes
from shadowtime.console.session.slurm.board.holding import blockers, short_licenses
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.board.running import next_on, running_rows
from shadowtime.console.session.slurm.board.standing import PARTITIONS, USERS, standings
from shadowtime.console.widgets.frame.ink import texts
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.status_text import Following, title
from shadowtime.console.widgets.slurm.why_text import why_lines
from shadowtime.console.words.cluster.why import idle, note
from tests.oracles.slurm import small
from tests.scenarios.slurm.support import NOW, number
from tests.session.slurm.captures import captured, ended, running, shown_rows, shown_running, waiting

FULL = [running(1, ("n1", "n2"), NOW - 60), running(2, ("n3", "n4"), NOW - 300)]
ARRAY = {"array_job_id": number(7), "array_task_string": "1-3", "array_max_tasks": number(0)}


def test_a_row_has_what_its_job_asks_for_and_who_holds_its_nodes(tmp_path: Path) -> None:
    """The first waiting job takes the nodes of job 2, which leaves first; the next those of job 1."""
    found = captured(tmp_path, [*FULL, waiting(3, user="grace"), waiting(4)])
    third, fourth = found.rows
    assert (third.job, third.user, third.size, third.limit, third.outcome) == (
        "3",
        "grace",
        2,
        600,
        "planned",
    )
    assert (third.start, third.nodes) == (NOW + 300, "n[3-4]")
    (held,) = blockers(found, third)
    assert (held.kind, held.who, held.hosts, held.until) == ("runs", "2", "n[3-4]", NOW + 300)
    (held,) = blockers(found, fourth)
    assert (held.who, held.until, fourth.start) == ("1", NOW + 540, NOW + 540)


def test_a_job_that_runs_on_is_in_nobodys_way(tmp_path: Path) -> None:
    """Where nodes are shared, a job can start beside one that leaves later."""
    found = captured(tmp_path, [*FULL, waiting(3)])
    (third,) = found.rows
    assert blockers(found, attrs.evolve(third, entry=attrs.evolve(third.entry, start=NOW + 299))) == ()


def test_a_job_planned_before_another_holds_its_nodes(tmp_path: Path) -> None:
    """The third waiting job comes behind the first on its nodes: of each node the last holder is listed."""
    found = captured(tmp_path, [*FULL, waiting(3), waiting(4), waiting(5)])
    fifth = found.rows[2]
    (held,) = blockers(found, fifth)
    assert (held.kind, held.who, held.hosts) == ("planned", "3", "n[3-4]")
    assert fifth.start is not None and fifth.start >= NOW + 900


def test_a_node_has_its_jobs_and_who_comes_next(tmp_path: Path) -> None:
    """In the order of the configuration."""
    found = captured(tmp_path, [*FULL, waiting(3)])
    assert [node.name for node in found.nodes] == ["n1", "n2", "n3", "n4"]
    node = found.nodes[2]
    assert (node.jobs, node.free_at, node.next_job, node.next_start) == (("2",), NOW + 300, "3", NOW + 300)
    assert (node.cpus_taken, node.cpus, node.memory_taken, node.partitions) == (3, 4, 1000, ("batch",))
    assert found.nodes[0].next_job == ""


def test_idle_nodes_are_too_short_for_a_job_if_others_come_before_it_ends() -> None:
    """Job 2 takes three nodes when job 1 ends: job 3 would not end before, and job 4 does. n4 is reserved."""
    maint = small.reserved("maint", [4], 240, 2000)
    jobs = [
        small.running(1, [1, 2], 300),
        *(small.waiting(2, 3, 10), small.waiting(3, 1, 10), small.waiting(4, 1, 3)),
    ]
    found = board(small.cluster(4, jobs, reservations=[maint]))
    rows = {row.job: row for row in found.rows}
    assert rows["4"].outcome == "started" and rows["2"].nodes == "n[1-3]"
    kept = idle_nodes(found, rows["3"])
    assert [(each.kind, each.who, each.hosts, each.until - small.NOW) for each in kept] == [
        ("planned", "2", "n3", 300), ("reserved", "maint", "n4", 240),
    ]  # fmt: skip
    # For job 2 the two idle nodes are too few, whoever comes to them.
    assert [(each.kind, each.hosts) for each in idle_nodes(found, rows["2"])] == [("free", "n[3-4]")]
    assert idle_nodes(found, rows["4"]) == ()


def test_who_comes_to_idle_nodes_first_counts_up_to_a_minute_after_the_end_of_the_job() -> None:
    """Job 2 comes to n2 30 s after job 3 would end. Of the reservations of n3 the first counts."""
    reservations = [small.reserved("maint", [3], 240, 400), small.reserved("late", [3], 500, 2000)]
    jobs = [small.running(1, [1], 630), small.waiting(2, 2, 10), small.waiting(3, 1, 10)]
    found = board(small.cluster(3, jobs, reservations=reservations))
    kept = idle_nodes(found, found.rows[1])
    assert [(each.who, each.hosts, each.until - small.NOW) for each in kept] == [
        ("2", "n2", 630), ("maint", "n3", 240),
    ]  # fmt: skip


def test_a_reservation_is_not_in_the_way_of_its_own_jobs() -> None:
    """Job 2 may use the nodes of its reservation, of which one is free: too few."""
    maint = small.reserved("maint", [1, 2], -60, 9000)
    jobs = [small.running(1, [1], 300), small.waiting(2, 2, 10, reservation="maint", user="root")]
    found = board(small.cluster(2, jobs, reservations=[maint]))
    (row,) = found.rows
    assert [(each.kind, each.hosts) for each in idle_nodes(found, row)] == [("free", "n2")]


@pytest.mark.parametrize("begin", [-60, 240])
def test_the_reason_says_who_has_idle_nodes_or_comes_there(begin: int) -> None:
    """A reservation that has begun is not one that begins."""
    maint = small.reserved("maint", [2], begin, 2000)
    found = board(
        small.cluster(2, [small.running(1, [1], 300), small.waiting(2, 1, 10)], reservations=[maint])
    )
    (row,) = found.rows
    (kept,) = idle_nodes(found, row)
    assert (kept.who, kept.until - small.NOW) == ("maint", begin)
    text = "\n".join(texts(why_lines(found, NOTHING, row, Dates(UTC), 90)))
    assert idle(kept, row, found.now, partial(Dates(UTC).brief, now=found.now)) in text


def test_the_last_task_of_an_array_waits_for_those_that_run(tmp_path: Path) -> None:
    """It has an id of its own, and the limit of the array holds for it, too."""
    limit = {"array_job_id": number(7), "array_max_tasks": number(1)}
    jobs = [running(8, ("n1", "n2"), NOW - 60) | limit | {"array_task_id": number(1)}]
    jobs += [waiting(7, overlay=limit | {"array_task_id": number(2)}), waiting(9)]
    found = captured(tmp_path, jobs)
    assert [(row.job, row.note) for row in found.rows] == [("9", ""), ("7_2", "1 of its tasks run")]


def why(found: Board, job: str) -> str:
    """The panel WHY about a job, in one line."""
    row = next(row for row in found.rows if row.job == job)
    lines = why_lines(found, changes(found, found), row, Dates(), 100)
    return " ".join(" ".join("".join(text for text, _ in line) for line in lines).split())


def test_who_holds_the_licences_that_a_job_waits_for() -> None:
    """Job 1 runs with two of three, job 2 starts with the third; jobs 3 and 4 wait for one of each kind."""
    jobs = [
        small.running(1, [1], 300),
        *(small.waiting(number, 1, 10, licenses="x:1") for number in (2, 3)),
        small.waiting(4, 1, 10, licenses="y:2"),
    ]
    jobs[0] = attrs.evolve(jobs[0], request=attrs.evolve(jobs[0].request, licenses="x:2"))
    plain = small.cluster(4, jobs)
    found = board(attrs.evolve(plain, settings=attrs.evolve(plain.settings, licenses={"x": 3, "y": 1})))
    assert [row.note for row in found.rows] == ["", "licenses", "licenses"]
    assert short_licenses(found, found.rows[1]) == (("x", 0, 3, ("1", "2")),)
    assert all(note(found, row, str) in why(found, row.job) for row in found.rows[1:])


def test_why_names_the_other_partitions_of_a_job() -> None:
    """Job 2 waits in `batch` behind job 1, and starts in `spare`; job 3 has one partition."""
    jobs = [
        small.running(1, [1, 2], 300),
        small.waiting(2, 2, 10, partitions=("batch", "spare")),
        small.waiting(3, 1, 10),
    ]
    plain = small.cluster(4, jobs)
    batch = attrs.evolve(plain.partitions[0], nodes=("n1", "n2"), tier=2)
    spare = attrs.evolve(batch, name="spare", nodes=("n3",), tier=1)
    found = board(attrs.evolve(plain, partitions=(batch, spare)))
    assert "also in spare, place 3: skipped" in why(found, "2") and "also in" not in why(found, "3")
    spare = attrs.evolve(spare, nodes=("n3", "n4"))
    found = board(attrs.evolve(plain, partitions=(batch, spare)))
    assert "also in spare, place 3: 21:20:00 on n[3-4]" in why(found, "2")


def test_a_narrow_title_has_the_other_parameters(tmp_path: Path) -> None:
    """They change what the plan means; how often it is captured does not."""
    found = captured(tmp_path, [waiting(3)])
    pieces = title(found, "slurm", Dates(), 5, Following(30.0), None, "bf_interval=60 (30)")
    assert "with bf_interval=60 (30)" in "".join(text for text, _ in pieces)[:80]


def test_a_held_job_is_nobodys_longest_wait(tmp_path: Path) -> None:
    """Nor is one that waits for another: neither is in the queue, however long ago it was submitted."""
    early = {"submit_time": number(NOW - 9000)}
    jobs = [waiting(3, priority=0, overlay=early), waiting(4)]
    jobs += [waiting(5, overlay=early | {"dependency": "afterok:3(unfulfilled)"})]
    found = captured(tmp_path, jobs)
    (ada,) = standings(found, USERS)
    assert (ada.waiting, ada.longest_wait) == (3, NOW - found.rows[0].submit) and ada.longest_wait < 9000


def test_the_nodes_of_a_planned_row_are_counted(tmp_path: Path) -> None:
    """A job that names CPUs alone asks for one node at least; SIZE has those that it gets."""
    found = captured(tmp_path, [waiting(3), waiting(4, priority=0)])
    record = found.rows[0].record
    few = attrs.evolve(record, request=attrs.evolve(record.request, least_nodes=1))
    spread = attrs.evolve(found.rows[0], record=few)
    assert (spread.nodes, spread.size) == ("n[1-2]", 2) and found.rows[1].size == 2
    assert PLAN["size"].values(BoardReading(found, NOW))(spread) == 2


def test_jobs_without_an_entry_stand_behind_the_plan_with_the_reason(tmp_path: Path) -> None:
    """Held, dependent, and not eligible yet."""
    jobs = [
        waiting(3, priority=0),
        waiting(4, overlay={"dependency": "afterok:3(unfulfilled)"}),
        waiting(5, overlay={"eligible_time": number(NOW + 900)}),
        waiting(6),
        waiting(7, overlay={"dependency": "afterany:2(fulfilled),singleton(unfulfilled)"}),
        waiting(8, overlay={"dependency": "afterok:3(unfulfilled)?afterany:4(unfulfilled)"}),
        ended(2, "n1", NOW - 60),
    ]
    found = captured(tmp_path, jobs)
    assert [(row.job, row.outcome) for row in found.rows] == [
        ("6", "started"), ("3", LEFT_OUT), ("4", LEFT_OUT), ("5", LEFT_OUT), ("7", LEFT_OUT),
        ("8", LEFT_OUT),
    ]  # fmt: skip
    assert found.rows[1].note == "held" and found.rows[3].note
    assert found.rows[2].note == "waits for afterok:3"
    assert found.rows[4].note == "waits for singleton: 3, 4, 5 and 1 more, of the same name and user"
    assert found.rows[5].note == "waits for afterok:3 or afterany:4"
    assert all(row.order is None for row in found.rows[1:])


def test_what_changed_between_two_captures(tmp_path: Path) -> None:
    """Job 2 ends early and job 3 starts; job 4 moves to an earlier start, job 5 is new, job 6 is gone."""
    before = captured(tmp_path / "a", [*FULL, waiting(3), waiting(4), waiting(6)])
    jobs = [
        FULL[0], ended(2, "n[3-4]", NOW - 300), running(3, ("n3", "n4"), NOW + 25), waiting(4), waiting(5),
    ]  # fmt: skip
    after = captured(tmp_path / "b", jobs, after=30)
    found = changes(before, after)
    assert (found.started, found.ended) == (("3",), ("2",))
    assert found.new == {("5", "batch", 0)} and found.nodes == {"n3", "n4"}
    assert found.shifts == {}
    moved = captured(tmp_path / "c", [FULL[0], waiting(4), waiting(5)], after=60)
    found = changes(after, moved)
    assert found.shifts == {
        ("4", "batch", 0): NOW + 60 - (NOW + 540),
        ("5", "batch", 0): NOW + 540 - (NOW + 625),
    }
    assert (found.earlier, found.later) == (2, 0)
    nothing = changes(moved, moved)
    assert not nothing.rows and not nothing.nodes


def test_an_array_is_one_job_with_several_rows(tmp_path: Path) -> None:
    """Each try of it has a key of its own."""
    found = captured(tmp_path, [*FULL, waiting(7, overlay=ARRAY)])
    assert [row.key for row in found.rows] == [("7_*", "batch", place) for place in range(3)]
    assert {row.number for row in found.rows} == {7}


@pytest.mark.parametrize(
    ("text", "jobs"),
    [
        ("", "345"),
        ("user=grace", "4"),
        ("user!=grace size=2", "35"),
        ("account=physics", "5"),
        ("qos=high", "5"),
        ("partition=batch id>3", "45"),
        ("starts<10m", "34"),
        ("starts>9m", "5"),
        ("state=planned limit<=10m", "345"),
        ("phys", "5"),
        ("5", "5"),
    ],
)
def test_the_filter_of_a_plan(tmp_path: Path, text: str, jobs: str) -> None:
    """The words of the queue's filter, with account, partition and quality of service."""
    last = waiting(5, overlay={"account": "physics", "qos": "high"})
    found = captured(tmp_path, [*FULL, waiting(3), waiting(4, user="grace"), last])
    assert "".join(row.job for row in shown_rows(found, text)) == jobs


@pytest.mark.parametrize("text", ["class=a", "size>x", "user<3", "starts=soon"])
def test_what_is_no_filter_is_one_line(tmp_path: Path, text: str) -> None:
    """With what was expected, or what stands in the place of a field that jobs of a cluster lack."""
    with pytest.raises(SessionError, match=r"^[^\n]*(expected|: account, qos)[^\n]*$"):
        shown_rows(captured(tmp_path, []), text)


def test_running_jobs_stand_by_their_ends_with_who_comes_next(tmp_path: Path) -> None:
    """Job 3 waits for job 2 last; job 5 comes on the same nodes after it, behind job 3."""
    found = captured(tmp_path, [*FULL, waiting(3, user="grace"), waiting(4), waiting(5)])
    second, first = running_rows(found)
    assert (second.job, second.end, second.nodes, second.size) == ("2", NOW + 300, "n[3-4]", 2)
    assert (second.next_job, second.next_start, first.next_job) == ("3", NOW + 300, "4")
    held = sum(share.cores for share in found.capture.jobs[1].shares)
    assert (second.cpus, second.state, second.begin) == (held, "running", NOW - 300)
    assert [(row.job, last) for row, last in next_on(found, second)] == [("3", True), ("5", False)]


def test_the_filter_holds_for_running_jobs(tmp_path: Path) -> None:
    """Their state is what they do; none has a start to come."""
    found = captured(tmp_path, [*FULL, waiting(3)])
    for text, jobs in (
        ("id=1", ["1"]), ("state=running", ["2", "1"]), ("starts<10d", []), ("state=planned", []),
        ("user=ada size>1", ["2", "1"]),
    ):  # fmt: skip
        assert [row.job for row in shown_running(found, text)] == jobs
    with pytest.raises(SessionError):
        shown_running(found, "colour=red")


def test_users_and_partitions_stand_by_what_they_hold(tmp_path: Path) -> None:
    """Who holds most CPUs comes first; a user who only waits has a place, too."""
    found = captured(tmp_path, [*FULL, waiting(3, user="grace"), waiting(4), waiting(5)])
    ada, grace = standings(found, USERS)
    assert (ada.name, ada.running, ada.nodes, ada.waiting) == ("ada", 2, 4, 2)
    assert (grace.name, grace.running, grace.cpus, grace.waiting) == ("grace", 0, 0, 1)
    assert (grace.next_job, grace.next_start) == ("3", NOW + 300)
    assert ada.longest_wait == max(NOW - row.submit for row in found.rows if row.user == "ada")
    (batch,) = (each for each in standings(found, PARTITIONS) if each.name == "batch")
    assert (batch.running, batch.waiting, batch.cpus) == (2, 3, ada.cpus)
