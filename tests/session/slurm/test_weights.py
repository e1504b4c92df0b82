"""Weights of priorities: the factors of a job, its neighbours, and the plan with another weight."""

from pathlib import Path
from typing import Any

import attrs
import pytest

from shadowtime.console.session import SessionError
from shadowtime.console.session.course.places import AtTime
from shadowtime.console.session.impact.impact import ImpactWork
from shadowtime.console.session.slurm.board.factors import standpoint
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.impact.outlook import ClusterOutlook
from shadowtime.console.session.slurm.parameters import parse_overrides
from shadowtime.console.session.slurm.stepping.cluster import Boards
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.console.widgets.slurm.why_text import factor_words
from shadowtime.scenarios.slurm import Association, Capture, FairShare, read_capture
from shadowtime.scenarios.slurm.config import Ageing
from shadowtime.scenarios.slurm.priorities import Factor
from tests.scenarios.slurm.support import NOW, write
from tests.session.slurm.captures import contents, running, waiting

WEIGHTS = {
    "PriorityWeightAge": 1000, "PriorityWeightFairShare": 10000, "PriorityWeightJobSize": 100,
    "PriorityWeightQOS": 0, "PriorityWeightAssoc": 0, "PriorityWeightPartition": 0,
}  # fmt: skip
TABLE = """\
JOBID,PARTITION,PRIORITY,SITE,AGE,ASSOC,FAIRSHARE,JOBSIZE,PARTITION,QOS,NICE,TRES
3,batch,5350,0,300,0,5000,50,0,0,0,cpu=0
4,batch,3040,0,600,0,2500,40,0,0,100,cpu=0
5,batch,1011,0,1,0,1000,10,0,0,0,cpu=0
"""
"""Job 3 has half a fair share, job 4 a quarter, job 5 a tenth."""
FULL = [running(1, ("n1", "n2"), NOW - 60), running(2, ("n3", "n4"), NOW - 60)]


def captured(folder: Path, sprio: str | None = TABLE, kind: str = "priority/multifactor") -> Capture:
    """Three jobs that wait for nodes of two that run."""
    priorities = {3: 5350, 4: 3040, 5: 1011}
    jobs = [waiting(id_, priority=priority) for id_, priority in priorities.items()]
    made: dict[str, Any] = contents([*FULL, *jobs])
    lines = "".join(f"{name} = {weight}\n" for name, weight in WEIGHTS.items())
    made["config.txt"] = made["config.txt"].replace("priority/basic", kind) + lines
    return read_capture(write(folder, made | ({"sprio.txt": sprio} if sprio is not None else {})))


def priorities(capture: Capture) -> dict[str, int]:
    """Job -> the priority that it is planned with, in the order of the queue."""
    return {row.job: row.priority for row in board(capture).rows}


@pytest.mark.parametrize(
    ("setting", "wanted"),
    [
        ("PriorityWeightFairshare=10000", {"3": 5350, "4": 3040, "5": 1011}),
        ("PriorityWeightFairshare=0", {"4": 540, "3": 350, "5": 11}),
        ("PriorityWeightFairShare=1000", {"3": 850, "4": 790, "5": 111}),
        ("PriorityWeightAge=10000", {"4": 8440, "3": 8050, "5": 1020}),
        ("PriorityWeightJobSize=50,PriorityWeightAge=0", {"3": 5025, "4": 2420, "5": 1005}),
    ],
)
def test_priorities_with_another_weight(tmp_path: Path, setting: str, wanted: dict[str, int]) -> None:
    """By hand: each factor times its weight, less what nice takes away."""
    found = parse_overrides(f"slurm:{setting}").apply(captured(tmp_path))
    assert list(priorities(found).items()) == list(wanted.items())


def test_a_weight_there_and_back_changes_nothing(tmp_path: Path) -> None:
    """Ten times as much, and a tenth of that."""
    before = captured(tmp_path)
    there = parse_overrides("slurm:PriorityWeightAge=10000").apply(before)
    assert parse_overrides("slurm:PriorityWeightAge=1000").apply(there) == before != there


def test_a_priority_stays_above_that_of_a_held_job(tmp_path: Path) -> None:
    """Nice takes away more than is left."""
    table = TABLE.replace("3,batch,5350,0,300,0,5000,50,0,0,0", "3,batch,5350,0,300,0,9000,50,0,0,4000")
    found = parse_overrides("slurm:PriorityWeightFairshare=0").apply(captured(tmp_path, table))
    assert priorities(found)["3"] == 1


@pytest.mark.parametrize(
    ("setting", "sprio", "kind"),
    [
        ("PriorityWeightAge=5", None, "priority/multifactor"),
        ("PriorityWeightAge=5", "JOBID PARTITION PRIORITY\n3 batch 5350\n", "priority/multifactor"),
        ("PriorityWeightQOS=5", TABLE, "priority/multifactor"),
        ("PriorityWeightAge=5", None, "priority/basic"),
    ],
)
def test_what_is_not_in_the_capture_is_one_line(
    tmp_path: Path, setting: str, sprio: str | None, kind: str
) -> None:
    """No table, a table without factors, a factor that counts nothing, priorities without factors."""
    capture = captured(tmp_path, sprio, kind)
    with pytest.raises(SessionError) as caught:
        parse_overrides(f"slurm:{setting}").apply(capture)
    assert "\n" not in str(caught.value) and setting.partition("=")[0] in str(caught.value)
    if kind == "priority/multifactor":
        with pytest.raises(SessionError):
            ImpactWork(ClusterOutlook(capture, NOW), [f"set {setting}"]).run()


def test_the_impact_of_a_weight(tmp_path: Path) -> None:
    """Job 4 comes before job 3 if only age and size count; two of the three start at once."""
    outlook = ClusterOutlook(captured(tmp_path), NOW)
    found = ImpactWork(outlook, ["set PriorityWeightFairshare=0", "priority 5 9000"]).run()
    assert found is not None and {row.job for row in found.rows if row.what == "start"} == {3, 5}


def test_the_factors_of_a_job_and_its_neighbours(tmp_path: Path) -> None:
    """Raw factors are the points without the weight; who is first has nobody above."""
    found: Board = board(captured(tmp_path))
    first, second, last = (standpoint(found, row) for row in found.rows)
    points = {each.factor: (each.points, each.weight, each.raw) for each in first.factors}
    assert points == {
        Factor.FAIR_SHARE: (5000, 10000, 0.5), Factor.AGE: (300, 1000, 0.3), Factor.SIZE: (50, 100, 0.5),
    }  # fmt: skip
    assert first.above is None and first.below is not None and first.below.job == "4"
    assert last.below is None and last.above is not None and last.above.job == "4"
    assert (Factor.NICE, -100) in {(each.factor, each.points) for each in second.factors}
    assert factor_words(second).endswith("nice -100")
    assert factor_words(standpoint(board(captured(tmp_path / "b", None)), found.rows[0])) == ""


def test_the_factors_follow_the_priority_over_time(tmp_path: Path) -> None:
    """Two minutes on: jobs are older, and what two jobs of their user use takes from the fair share."""
    given = captured(tmp_path)
    capture = attrs.evolve(
        given,
        settings=attrs.evolve(
            given.settings, fair_share=FairShare(10000, 600, 60), ageing=Ageing(1000, 600, 60)
        ),
        associations=(
            Association(1, "root", "", "", 1, {}, usage=0),
            Association(4, "arts", "", "", 1, {}, parent="root", usage=0),
            *(Association(id_, "arts", f"user{id_}", "", 1, {}, usage=0) for id_ in (9, 10, 11)),
        ),
        jobs=tuple(attrs.evolve(job, association=9, accrued_since=NOW - 9) for job in given.jobs),
        calculated=NOW,
    )
    history = History(capture, NOW)
    history.go_place(AtTime(NOW + 150))
    later = Boards(history).board(history.number)
    row = next(row for row in later.rows if row.job == "3")
    found = standpoint(later, row)
    assert sum(each.points for each in found.factors) == row.priority != 5350
    assert found.grown[Factor.AGE] > 0 > found.grown[Factor.FAIR_SHARE]
