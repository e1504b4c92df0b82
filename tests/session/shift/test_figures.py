"""The figures of a shift and the index, by hand."""

from pathlib import Path

import pytest

from shadowtime.console.session import Session, load
from shadowtime.console.session.shift.figures import Figures, index
from shadowtime.console.session.shift.on_duty import figures_so_far
from shadowtime.scenarios.shift import Shift
from tests.session.shift.files import manual, shift_file

EASY = Shift("incident", "goal", wide=8)


def test_the_figures_of_a_whole_run(tmp_path: Path) -> None:
    """EASY: job 2 waits for 90 s, job 4 for 120; job 3 passes."""
    session = Session(load(manual(tmp_path)))
    session.go_end()
    found = figures_so_far(session, EASY)
    assert found.slowdown == pytest.approx((1 + 140 / 50 + 1 + 320 / 200) / 4)
    assert found.wide == pytest.approx(140 / 50) and (found.worst, found.over) == (120, 4)


def test_a_running_job_has_waited_only_before(tmp_path: Path) -> None:
    session = Session(load(manual(tmp_path)))
    session.go_time(60)
    assert figures_so_far(session, EASY).worst == 20, "at 30 job 2 waits since 10; job 1 runs since 0"


def test_a_cancelled_job_counts_up_to_the_end(tmp_path: Path) -> None:
    """It is not over, however soon it left."""
    session = Session(load(manual(tmp_path)))
    session.go_time(30)
    session.act("cancel 2")
    session.go_end()
    found = figures_so_far(session, EASY)
    assert found.over == 3 and found.wide == pytest.approx((session.time - 10) / 50)
    assert found.worst == session.time - 10


def test_an_urgent_job_counts_ten_times(tmp_path: Path) -> None:
    path = shift_file(tmp_path, 'kind = "incident"\ngoal = "x"\n', jobs=((1, 6, 0, 100), (2, 8, 0, 50)))
    path.write_text(path.read_text() + 'class = "urgent"\n')
    session = Session(load(path))
    session.go_end()
    assert figures_so_far(session, EASY).slowdown == pytest.approx((1 + 10 * 150 / 50) / 11)


def test_a_short_job_counts_as_one_of_ten_seconds(tmp_path: Path) -> None:
    path = shift_file(tmp_path, 'kind = "incident"\ngoal = "x"\n', jobs=((1, 6, 0, 100), (2, 8, 10, 2)))
    session = Session(load(path))
    session.go_end()
    assert figures_so_far(session, EASY).slowdown == pytest.approx((1 + 92 / 10) / 2)


def test_the_index_weighs_the_mean_the_worst_wait_and_the_wide_jobs() -> None:
    baseline = Figures(4.0, 100, 2.0, 5)
    assert index(baseline, baseline, 0.5) == pytest.approx(1)
    assert index(Figures(2.0, 50, 1.0, 5), baseline, 0.5) == pytest.approx(0.5)
    assert index(Figures(2.0, 200, 1.0, 5), baseline, 0.5) == pytest.approx(0.25 + 0.5 + 0.125)
    assert index(Figures(2.0, 200, 9.0, 5), baseline, 0) == pytest.approx(0.5)


def test_a_part_that_the_baseline_lacks_goes_to_the_mean() -> None:
    baseline = Figures(4.0, 0, None, 5)
    assert index(Figures(2.0, 70, None, 5), baseline, 0.5) == pytest.approx(0.5)
