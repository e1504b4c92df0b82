"""The shipped shifts: a computed response earns all points, and no simple rule does."""

from pathlib import Path

import attrs
import pytest

from shadowtime.console.session import Session, load
from shadowtime.console.session.shift import ShiftSession, debriefed, references, scored, shift_files
from shadowtime.console.session.shift.debrief import moments_by_hand
from shadowtime.console.session.shift.on_duty import on_duty
from shadowtime.console.session.shift.shelf import shift_paths
from shadowtime.console.session.shift.soundness import RULES, examine_shift, follow, imitate, nothing
from shadowtime.scenarios.actions import ACTIONS

SHIPPED = pytest.mark.parametrize("path", shift_paths(), ids=lambda path: path.stem)
SUBJECTS = {
    *("day-by-hand", "gang-by-hand", "maintenance-window", "flapping-node", "stuck-drain"),
    *("wrong-limits", "urgent-job", "full-storage", "cooling"),
    *("blocked-head", "flooded-queue", "long-job"),
    *("cluster-maintenance", "cluster-full-disk", "cluster-why"),
}


def test_there_is_a_shift_for_each_subject() -> None:
    """The manual ones come first."""
    found = shift_files()
    assert {it.path.stem for it in found} >= SUBJECTS
    kinds = [it.kind for it in found]
    assert kinds.count("manual") >= 2 and kinds == sorted(kinds, reverse=True)


@SHIPPED
def test_a_shift_is_sound(path: Path) -> None:
    """Its response is within the budget and what is allowed, and reaches all points."""
    report = examine_shift(load(path))
    assert not report.flaws and report.reached == 100


@SHIPPED
def test_no_rule_earns_all_points(path: Path) -> None:
    """Not even if everything may be done, as often as one likes."""
    case = load(path)
    compared = references(case)
    shift = case.scenario.shift
    assert shift is not None
    free = attrs.evolve(shift, budget=None, allow=ACTIONS)
    case = attrs.evolve(case, scenario=attrs.evolve(case.scenario, shift=free))
    assert scored(follow(case, nothing), compared).points == 0
    for name, rule in RULES.items():
        assert scored(follow(case, rule), compared).points <= 60, name


@SHIPPED
def test_hindsight_costs(path: Path) -> None:
    """The response after the whole shift was seen: the share is whole, the points are not."""
    case = load(path)
    compared = references(case)
    best = imitate(case, compared.best)
    session = ShiftSession(case)
    session.go_end()
    session.begin_anew()
    for action in best.journal:
        session.go_event(action.after or 0)
        session.act(attrs.evolve(action, after=None))
    session.go_end()
    score = scored(session, compared)
    assert score.share == pytest.approx(1) and 0 < score.points < 100


@SHIPPED
def test_the_debrief_names_the_moments_that_decided(path: Path) -> None:
    """Doing the response: what was done saved points; doing nothing: in a manual shift every wait costs."""
    case = load(path)
    compared = references(case)
    session = imitate(case, compared.best)
    session.go_end()
    score = scored(session, compared)
    found = debriefed(session, compared, score)
    assert found.score == score and found.notes
    if session.shift.kind == "manual":
        assert not found.moments, "the response loses nothing against itself"
        idle = follow(case, nothing)
        moments = debriefed(idle, compared, scored(idle, compared)).moments
        assert (moments is None) == ("quantum" in case.parameters), "rows that are taken over are others"
        if moments is not None:
            assert all(not it.done and it.response for it in moments) and sum(it.cost for it in moments) > 0
    else:
        assert found.moments is not None
        assert [it.done for it in found.moments] and min(it.points for it in found.moments) < 0
        assert not found.delayed


@SHIPPED
def test_the_debrief_has_the_odds_before_each_action(path: Path) -> None:
    """Where enough jobs have ended: what the console shows there, and what came of the job."""
    case = load(path)
    compared = references(case)
    session = imitate(case, compared.best)
    session.go_end()
    found = debriefed(session, compared, scored(session, compared)).odds
    if path.stem != "wrong-limits":
        # On a cluster more than 20 jobs have ended by the time of some responses.
        assert not found or case.scenario.path.stem in ("cluster-maintenance", "cluster-full-disk")
        return
    assert [(it.action, it.came) for it in found] == [
        (it, at.time) for it, at in zip(session.journal, found, strict=True)
    ]
    first, there = found[0], Session(on_duty(case))
    there.go_event(first.action.after or 0)
    work = there.forecasts.start_likely()
    work.run()
    assert work.answer is not None and work.answer.starts[there.index_of(first.job)] == first.likely
    assert first.likely.likely is not None and first.came is not None and first.came < first.likely.likely


def test_the_costs_of_all_moments_are_the_gap_to_the_response() -> None:
    """By hand, shortest first: what was lost from instant to instant is all that was lost."""
    (path,) = (it for it in shift_paths() if it.stem == "day-by-hand")
    case = load(path)
    compared = references(case)
    session = follow(case, RULES["the shortest that fits"])
    session.go_end()
    score = scored(session, compared)
    total = sum(moment.cost for moment in moments_by_hand(session, compared))
    assert total == pytest.approx(score.index - compared.best.index)
    assert total > 0.2


def test_one_start_and_three_cancellations_score_nothing() -> None:
    """To have few jobs over quickly is no success."""
    (path,) = (it for it in shift_paths() if it.stem == "day-by-hand")
    case = load(path)
    session = ShiftSession(attrs.evolve(case))
    case = attrs.evolve(
        case,
        scenario=attrs.evolve(
            case.scenario, shift=attrs.evolve(session.shift, allow=(*session.shift.allow, "cancel"))
        ),
    )
    session = ShiftSession(case)
    session.go_time(4 * 3600)
    waiting = [session.id_of(row) for row in session.snapshot().waiting]
    session.act(f"start {waiting[0]}")
    for job in waiting[1:4]:
        session.act(f"cancel {job}")
    session.go_end()
    score = scored(session, references(case))
    assert (score.lost, score.points) == (3, 0)


def test_a_drain_in_the_middle_of_a_failure_counts() -> None:
    """The node is down: the drain is accepted, holds when it is repaired, and all points can be reached."""
    (path,) = (it for it in shift_paths() if it.stem == "flapping-node")
    case = load(path)
    session = ShiftSession(case)
    session.go_time(75 * 60)
    assert session.snapshot().owners is not None
    session.act("drain 1")
    session.go_time(80 * 60)
    owners = memoryview(session.snapshot().owners).cast("i")
    assert owners[1] == -2, "the outage ended at 79 minutes"
    session.go_end()
    assert scored(session, references(case)).points == 100
