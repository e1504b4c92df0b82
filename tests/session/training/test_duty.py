"""On duty: what an operator came to, beside the run left alone and the run where nothing fails."""

from pathlib import Path

import pytest

from console.session import Session, load
from console.session.training.duty import CALM, NOTHING, Compared, cost, points
from console.session.training.lessons import INCIDENTS, MANUAL, shift_files
from console.session.training.scores import Rivals, score_of
from console.words import duty
from tests.session.training.test_answers import scenario

OUTAGE = '[[outage]]\nnodes = "0-3"\nfrom = 20\nuntil = 200\nkill = true\n'


def incident(folder: Path) -> Path:
    """The jobs of the drills, four nodes of which fail at 20: job 1 begins anew."""
    path = scenario(folder)
    path.write_text(path.read_text().replace("nodes = 10\n", 'nodes = 10\non_failure = "requeue"\n') + OUTAGE)
    return path


def test_it_is_compared_with_the_run_left_alone_and_a_calm_one(tmp_path: Path) -> None:
    """Whatever the operator did, the others are as if nobody had been there."""
    session = Session(load(incident(tmp_path)))
    session.go_time(30)
    session.act("cancel 4")
    session.go_end()
    alone, calm = Session(load(incident(tmp_path))), Session(load(scenario(tmp_path)))
    for name, other in ((NOTHING, alone), (CALM, calm)):
        other.go_end()
        (found,) = [score for score in Compared(session.case).end() if score.name == name]
        assert found == score_of(name, other)
    assert Compared(session.case).cost() == cost(alone)
    assert [score.name for score in Compared(calm.case).end()] == [NOTHING], "nothing fails: nothing else"


def test_the_cost_counts_everybody(tmp_path: Path) -> None:
    """By hand: an urgent job ten times, a cancelled one with the time up to now."""
    text = scenario(tmp_path, jobs=((1, 6, 0, 100, 100), (2, 8, 0, 50, 50))).read_text()
    path = tmp_path / "urgent.toml"
    path.write_text(text + 'class = "urgent"\n')
    session = Session(load(path))
    session.go_end()
    assert session.time == 150
    assert cost(session) == pytest.approx((1.0 + 10 * 150 / 50) / 11)
    session.go_time(40)
    session.act("cancel 2")
    session.go_end()
    assert cost(session) == pytest.approx((1.0 + 10 * 100 / 50) / 11)


def test_points() -> None:
    """For a cost well below that of doing nothing; none where fewer jobs are over."""
    assert [points(own, 10.0, 4, 4) for own in (5.9, 7.9, 9.9, 10.0)] == [3, 2, 1, 0]
    assert points(1.0, 10.0, 3, 4) == 0


@pytest.mark.parametrize("path", shift_files(INCIDENTS), ids=lambda path: path.stem)
def test_there_is_something_to_avert_in_a_shipped_incident(path: Path) -> None:
    """Doing nothing earns nothing, and costs more than a quiet run or leaves the urgent waiting."""
    case = load(path)
    compared, session = Compared(case), Session(case)
    session.go_end()
    nothing = compared.cost()
    assert points(cost(session), nothing, session.snapshot().finished, compared.end()[0].over) == 0
    assert nothing > 1.25 * compared.cost(CALM) if case.scenario.outages else nothing > 3


def test_an_urgent_job_can_be_helped() -> None:
    """Suspend for it, let it go first, and resume: three points."""
    (path,) = (path for path in shift_files(INCIDENTS) if path.stem == "urgent-job")
    session = Session(load(path))
    stopped: list[int] = []
    session.go_job(90, "submit")
    for index in session.snapshot().running:
        if session.snapshot().free < 40:
            stopped.append(session.id_of(index))
            session.act(f"suspend {stopped[-1]}")
    session.act("priority 90 9")
    session.go_job(90, "end")
    for job in stopped:
        session.act(f"resume {job}")
    session.go_end()
    compared = Compared(session.case)
    alone = compared.end()[0]
    assert points(cost(session), compared.cost(), session.snapshot().finished, alone.over) == 3


@pytest.mark.parametrize("path", shift_files(MANUAL), ids=lambda path: path.stem)
def test_who_copies_a_scheduler_by_hand_comes_to_the_same(path: Path) -> None:
    """Start each job when EASY did: no worse than EASY, and a point for that."""
    rival, session = Session(load(path, policy="easy")), Session(load(path, policy=MANUAL))
    rival.go_end()
    starts = rival.outcomes().columns["start"]
    for time, index in sorted((start, index) for index, start in enumerate(starts)):
        session.go_time(time)
        session.act(f"start {session.id_of(index)}")
    session.go_end()
    own, others = score_of(duty.YOU, session), Rivals(session.case).end()
    easy = next(other for other in others if other.name == "easy")
    assert own.slowdown == pytest.approx(easy.slowdown) and own.over == easy.over
    assert duty.rank(own, others) >= 1


def test_a_short_job_costs_no_more_than_one_of_ten_seconds(tmp_path: Path) -> None:
    """By hand: job 2 runs for 2 s, has waited for 90, and 92 / 10 counts, not 92 / 2."""
    session = Session(load(scenario(tmp_path, jobs=((1, 6, 0, 100, 100), (2, 8, 10, 2, 50)))))
    session.go_end()
    assert session.time == 102
    assert cost(session) == pytest.approx((1.0 + 92 / 10) / 2)


def test_as_many_jobs_over_as_if_left_alone_are_enough_for_points() -> None:
    """None is asked for beyond."""
    assert points(1.0, 10.0, 4, 4) == 3
