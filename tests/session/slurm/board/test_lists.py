"""The lists of a cluster: reservations, nodes out of service, partitions by their wait."""

import csv
import json
from pathlib import Path
from typing import Any

import attrs
import pytest

from shadowtime.console.session import SessionError
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.board.fields import BoardReading
from shadowtime.console.session.slurm.board.lists import LISTS, OUT, RESERVATIONS, reservation_rows
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.board.standing import partition_rows
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.session.table.filtering import let_through
from shadowtime.scenarios.slurm import Job, Reservation
from tests.commandline import Shadowtime
from tests.oracles.slurm.small import NOW, cluster, reserved, running, waiting
from tests.scenarios.slurm.support import NOW as TAKEN
from tests.scenarios.slurm.support import number, write
from tests.session.slurm.captures import contents
from tests.session.slurm.captures import running as runs
from tests.session.slurm.captures import waiting as waits


def board_of(nodes: int, jobs: list[Job], reservations: list[Reservation]) -> Board:
    """The board of a small cluster."""
    return board(cluster(nodes, jobs, reservations=reservations))


def test_a_reservation_delays_who_would_start_earlier_without_it() -> None:
    """Job 2 fits on n1 now but for the night; job 3 fits before it; job 4 is of the course that is over."""
    night, over = reserved("night", [1], 120, 4000, "MAINT"), reserved("over", [2], -500, -100)
    course = attrs.evolve(reserved("course", [3], 600, 5000), accounts=("physics",))
    jobs = [
        running(1, [2, 3], 3600),
        waiting(2, 1, 10),
        waiting(3, 1, 1),
        waiting(4, 1, 10, reservation="over"),
        waiting(5, 1, 10, reservation="course"),
    ]
    first, second = reservation_rows(board_of(3, jobs, [course, over, night]))
    assert (first.name, first.state, first.begin, first.end) == ("night", "coming", NOW + 120, NOW + 4000)
    assert (first.nodes, first.size, first.users, first.flags) == ("n1", 1, ("root",), ("MAINT",))
    assert (first.waiting, first.delays) == ((), ("2",))
    assert (second.accounts, second.waiting, second.delays) == (("physics",), ("5",), ())
    (active,) = reservation_rows(board_of(1, [], [reserved("now", [1], -10, 10)]))
    assert active.state == "active"


def test_nodes_out_of_service_have_their_reason_its_age_and_who_gave_it() -> None:
    """The newest first; a node that is up is not one of them."""
    capture = cluster(4, [running(1, [1, 2], 600)])
    states: dict[int, dict[str, Any]] = {
        0: {"states": ("DOWN",), "reason": "dimm 3", "reason_by": "ada", "reason_at": NOW - 500},
        1: {"states": ("MIXED", "DRAIN"), "reason": "disk", "reason_by": "root", "reason_at": NOW - 60},
        3: {"states": ("UNKNOWN",)},
    }
    nodes = [attrs.evolve(node, **states.get(place, {})) for place, node in enumerate(capture.nodes)]
    found = board(attrs.evolve(capture, nodes=tuple(nodes)))
    rows = OUT.fields.records(BoardReading(found, found.now), OUT.rows(found))
    names = ("node", "reason", "by", "since", "age")
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("n2", "disk", "root", NOW - 60, 60),
        ("n1", "dimm 3", "ada", NOW - 500, 500),
        ("n4", "", "", None, None),
    ]
    assert [rows[0][name] for name in ("state", "jobs", "empty_at")] == ["mixed+drain", ("1",), NOW + 600]


def test_the_partition_that_starves_stands_first() -> None:
    """By the longest wait of a job in its queue; a held job waits for itself."""
    jobs = [
        running(1, [1, 2], 600),
        waiting(2, 1, 10, submit=NOW - 900),
        waiting(3, 1, 10, partitions=("short",), submit=NOW - 5000),
        waiting(4, 1, 10, submit=NOW - 9000, priority=0),
    ]
    capture = cluster(3, jobs)
    (batch,) = capture.partitions
    short = attrs.evolve(batch, name="short", nodes=("n1", "n2"))
    down = attrs.evolve(capture.nodes[2], states=("DOWN",))
    made = attrs.evolve(capture, partitions=(batch, short), nodes=(*capture.nodes[:2], down))
    first, second = partition_rows(board(made))
    assert (first.name, first.longest_job, first.longest_wait, first.waiting) == ("short", "3", 5000, 1)
    assert (second.name, second.longest_job, second.longest_wait, second.waiting) == ("batch", "2", 900, 2)
    assert (second.size, second.up, second.idle, second.running) == (3, 2, 0, 1)


def test_a_filter_of_a_list_asks_for_its_own_fields() -> None:
    """A word alone is looked for in all texts, a number compared; another field is refused."""
    found = board_of(4, [], [reserved("night", [1], 10, 20), reserved("day", [2, 3], 10, 20, "MAINT")])
    rows, reading = reservation_rows(found), BoardReading(found, NOW)

    def shown(text: str) -> list[str]:
        return [row.name for row in let_through(rows, text, RESERVATIONS.fields, reading)]

    assert shown("") == ["day", "night"] and shown("nig") == ["night"] and shown("maint") == ["day"]
    assert shown("size>1") == ["day"] and shown("name=night") == ["night"] and shown("2") == ["day"]
    assert shown("delays<1") == ["day", "night"] and shown("user=root flags>0") == ["day"]
    with pytest.raises(SessionError):
        shown("partition=batch")
    assert "age" in OUT.fields.asked


def outside(folder: Path) -> Path:
    """A captured cluster with a node that is drained, and a reservation."""
    found = contents([runs(1, ("n1", "n2"), TAKEN - 60), waits(3) | {"requeue": False}])
    drained = {"reason": "dimm 3", "reason_set_by_user": "kim", "reason_changed_at": number(TAKEN - 60)}
    found["nodes.json"]["nodes"][3] |= {"state": ["IDLE", "DRAIN"], **drained}
    night = {
        "name": "night", "start_time": number(TAKEN + 60), "end_time": number(TAKEN + 600),
        "node_list": "n[1-2]", "flags": ["MAINT"], "users": "root", "accounts": "physics,maths",
    }  # fmt: skip
    found["reservations.json"]["reservations"] = [night]
    return write(folder, found)


def test_the_files_say_who_set_a_reason_and_when(tmp_path: Path) -> None:
    """And which accounts a reservation has, and that a job cannot be requeued."""
    capture = Folder(outside(tmp_path)).take()
    node, (night,) = capture.nodes[3], capture.reservations
    assert (node.reason, node.reason_by, node.reason_at) == ("dimm 3", "kim", TAKEN - 60)
    assert night.accounts == ("physics", "maths")
    assert [job.can_requeue for job in capture.jobs] == [True, False]


def test_lists_are_printed_as_text_as_json_and_as_csv(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """The same rows; a file that is there is kept."""
    folder = outside(tmp_path / "c")
    show = "run", folder, "--show"
    text = shadowtime(*show, "out").out
    assert "n4" in text and "dimm 3" in text and "kim" in text
    (row,) = json.loads(shadowtime(*show, "out", "--json").out)
    assert (row["node"], row["since"], row["age"]) == ("n4", TAKEN - 60, 60)
    for name in LISTS:
        path = tmp_path / f"{name}.csv"
        found = json.loads(shadowtime(*show, name, "--json", "--csv", path).out)
        with path.open(encoding="utf-8", newline="") as stream:
            cells = list(csv.DictReader(stream))
        assert len(cells) == len(found) > 0
        assert list(cells[0]) == list(found[0])
        assert shadowtime(*show, name, "--csv", path).code == 2
        assert shadowtime(*show, name, "--csv", path, "--force").code == 0
    (night,) = json.loads(shadowtime(*show, "reservations", "--json").out)
    assert night["accounts"] == ["physics", "maths"]


@pytest.mark.parametrize(
    "options",
    [
        ("--show", "nodes"), ("--csv", "x.csv"), ("--show", "out", "--follow", "30s"), ("--json",),
        ("--show", "out", "--jobs"),
    ],
)  # fmt: skip
def test_a_list_that_there_is_not_is_one_line(
    shadowtime: Shadowtime, tmp_path: Path, options: tuple[str, ...]
) -> None:
    """Of a cluster; a scenario has no list."""
    ended = shadowtime("run", outside(tmp_path / "c"), *options)
    assert ended.code == 2 and len(ended.complaints) == 1, ended
