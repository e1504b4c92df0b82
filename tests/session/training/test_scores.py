"""Scores: rivals run the same workload, and the costliest stretch is the largest that was wasted."""

from pathlib import Path

import attrs

from console.session import Session, load
from console.session.training.scores import RIVALS, Rivals, costliest
from tests.session.training.test_answers import scenario


def test_rivals_are_what_they_are_alone(tmp_path: Path) -> None:
    """Figure for figure those of a run under each policy: at an instant, at the end, and back again."""
    case = load(scenario(tmp_path, policy="manual"))
    rivals = Rivals(case)
    for time in (30, 150, 30):
        for score in rivals.at(time):
            alone = Session(load(scenario(tmp_path, policy=score.name)))
            alone.go_time(time)
            metrics = alone.snapshot().metrics
            assert (score.slowdown, score.utilization) == (
                metrics.mean_bounded_slowdown,
                metrics.utilization,
            )
    assert [score.name for score in rivals.end()] == list(RIVALS)
    assert all(score.over == 4 and score.slowdown is not None for score in rivals.end())


def test_the_costliest_stretch(tmp_path: Path) -> None:
    """Nobody is started: from 30 on jobs 1 and 3 would have fitted together, and 4 not beside them."""
    session = Session(load(scenario(tmp_path, policy="manual")))
    session.go_end()
    gap = costliest(session)
    assert gap is not None
    assert (gap.time, gap.length, gap.jobs, gap.nodes, gap.lost) == (20, 10, (1, 3), 8, 80)
    assert gap.free == 10


def test_a_scheduler_that_wastes_nothing_has_no_gap(tmp_path: Path) -> None:
    """Where everybody who fits starts at once there is nothing to do better."""
    jobs = ((1, 6, 0, 100, 100), (2, 8, 10, 50, 50))
    session = Session(load(scenario(tmp_path, policy="easy", jobs=jobs)))
    session.go_end()
    assert costliest(session) is None
    assert attrs.asdict(Rivals(session.case).end()[0])["over"] == 2


def test_a_job_that_takes_the_last_node_has_fitted(tmp_path: Path) -> None:
    """Two of five nodes are ten, and ten are idle."""
    jobs = ((1, 5, 0, 100, 100), (2, 5, 0, 50, 50), (3, 1, 40, 10, 10))
    session = Session(load(scenario(tmp_path, policy="manual", jobs=jobs)))
    session.go_end()
    gap = costliest(session)
    assert gap is not None
    assert (gap.time, gap.length, gap.jobs, gap.nodes) == (0, 40, (1, 2), 10)
