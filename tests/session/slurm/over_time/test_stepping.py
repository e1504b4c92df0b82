"""A stepped cluster: forward and back is a straight run, and its passes and cycles are the naive ones."""

from pathlib import Path
from random import Random

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session import ScenarioError, SessionError
from shadowtime.console.session.course.places import LAST, START, AtJob, AtTime
from shadowtime.console.session.slurm.board.chain import passing
from shadowtime.console.session.slurm.board.changes import NOTHING
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.console.session.slurm.stepping.cluster import Boards
from shadowtime.console.session.slurm.stepping.coming import coming
from shadowtime.console.session.slurm.stepping.history import History, starts
from shadowtime.console.widgets.frame.ink import plain
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.event_text import event_lines, event_text
from shadowtime.console.widgets.slurm.why_text import why_lines
from shadowtime.kernels.slurm.over_time.moments import Happening, Moment, PassKind
from shadowtime.scenarios.slurm import Capture, Job, parse_hosts, read_capture
from tests.amount import every, many
from tests.oracles.slurm.cycle import Row
from tests.oracles.slurm.over_time import OverTime as NaiveOverTime
from tests.oracles.slurm.over_time import Round
from tests.oracles.slurm.recorded import differences, read_plan, snapshots
from tests.oracles.slurm.small import NOW, array, cluster, reserved, running, waiting
from tests.scenarios.slurm.mutations import PARSERS, mutated
from tests.scenarios.slurm.support import write
from tests.session.slurm.over_time.test_over_time import capture_of

CLUSTERS = many(120)
"""How many random clusters."""
AHEAD = 1500
GROUPS = 3


def as_naive(moment: Moment) -> Round:
    """A pass or a cycle as the naive program has it."""
    names = tuple(each.job for each in moment.started)
    return Round(
        moment.at, moment.what.value, names, moment.tried, moment.stopped, moment.closed, moment.planned
    )


def straight(capture: Capture) -> list[tuple[Job, ...] | None]:
    """The jobs after each moment of a run that only goes forward; None before another moment of its second.

    A run shows its jobs at the end of a second.
    """
    over_time, last = OverTime(capture, NOW), None
    states: list[tuple[Job, ...] | None] = [capture.jobs]
    for moment in over_time.moments():
        if moment.at == last:
            states[-1] = None
        states.append(over_time.capture.jobs)
        last = moment.at
    return states


def as_straight(history: History, states: list[tuple[Job, ...] | None]) -> None:
    """A history is where the straight run was."""
    expected = states[history.number]
    assert expected is None or history.capture_at(history.number).jobs == expected


@pytest.mark.parametrize("group", every(GROUPS, range(GROUPS)))
def test_no_pass_and_no_cycle_differs_on_random_clusters(group: int) -> None:
    """Also those that start nobody: how many were tried, what closed a partition, what ended them."""
    for seed in range(group, CLUSTERS, GROUPS):
        compare_rounds(seed)


@pytest.mark.parametrize("seed", [113, 163])
def test_how_many_tasks_may_start_is_counted_anew(seed: int) -> None:
    """Of an array with a limit, more tasks may start in a cycle once others have ended."""
    compare_rounds(seed)


def compare_rounds(seed: int) -> None:
    """Compare every pass and cycle of a random cluster with the naive program."""
    capture = capture_of(seed)
    naive = NaiveOverTime(capture, NOW)
    naive.run(NOW + AHEAD)
    history = History(capture, NOW)
    history.go_place(AtTime(NOW + AHEAD))
    found = [history.moment_at(place) for place in range(1, history.number + 1)]
    ours = [as_naive(each) for each in found if each and (each.kind or each.what is Happening.BACKFILL)]
    # Once no job waits, the fast program stops, and the naive one goes on with passes over nothing.
    last = history.instant(history.number) if history.complete else NOW + AHEAD
    # Passes and cycles that can find nothing new are counted, and not made.
    made = {(each.at, each.what) for each in ours}
    assert ours == [each for each in naive.rounds if (each.at, each.what) in made], seed
    left = [each for each in naive.rounds if each.at <= last and (each.at, each.what) not in made]
    assert not any(each.started for each in left), seed


@pytest.mark.proof
@pytest.mark.parametrize("seed", every(3, range(0, CLUSTERS, 3)))
def test_any_walk_leads_to_the_states_of_a_straight_run(seed: int) -> None:
    """Steps, jumps to starts and to instants, forward and back: the same jobs in the same order."""
    capture, random = capture_of(seed), Random(seed)
    states = straight(capture)
    history = History(capture, NOW)
    for _ in range(60):
        way = random.randrange(7)
        if way == 0:
            history.step(random.randint(1, 9))
        elif way == 1:
            history.back(random.randint(1, 9))
        elif way == 2:
            assert not history.next(starts) or (history.moment is not None and history.moment.started)
        elif way == 3:
            history.previous(starts)
        elif way == 4:
            at = NOW + random.randint(-100, AHEAD)
            history.go_place(AtTime(at))
            assert history.number == 0 or history.time <= at
            assert not history.reach(history.number + 1) or history.instant(history.number + 1) > at
        elif way == 5:
            history.go_event(random.randint(0, len(states)))
        else:
            history.go_place(LAST) if random.random() < 0.3 else history.go_event(0)
        as_straight(history, states)
    history.go_place(LAST)
    assert history.known == len(states) - 1


@pytest.mark.parametrize("seed", every(3, range(1, CLUSTERS, 3)))
def test_what_comes_next_is_what_then_comes(seed: int) -> None:
    """The next cycle, the next whole pass and the next change, from every position."""
    history = History(capture_of(seed), NOW)
    history.go_place(LAST)
    seen = 0
    moments = [history.moment_at(place) for place in range(1, history.known + 1)]
    for position in range(history.known + 1):
        history.go_event(position)
        found, rest = coming(history), [each for each in moments[position:] if each]
        # Until the first start: it changes the cluster.
        first = next((place for place, each in enumerate(rest) if each.started), len(rest))
        rest = rest[: first + 1]
        # A cycle without a change that starts a job all the same is not foreseen.
        cycles = [each.at for each in rest if each.what is Happening.BACKFILL]
        cycles = cycles if found.changed or len(cycles) != 1 or not rest[-1].started else []
        wholes = [each.at for each in rest if each.kind is PassKind.WHOLE]
        assert not cycles or found.cycle == cycles[0]
        assert not wholes or found.whole_pass == wholes[0]
        changes = (Happening.END, Happening.SUBMISSION, Happening.RESERVATION)
        clocked = [each for each in rest if each.what in changes and each.at > history.time]
        if clocked:
            seen += 1
            assert found.change == clocked[0].at
            assert found.what is clocked[0].what
            assert found.what is not Happening.END or found.changing == clocked[0].subjects
    assert seen or history.known < 4


def test_only_the_board_of_the_capture_is_compared_with_slurms_own_plan() -> None:
    """Later Slurm has had other cycles, of which the capture shows nothing."""
    jobs = [running(1, [1, 2], 600), *(waiting(each, 3, 10, reason="Priority") for each in (2, 3))]
    history = History(cluster(3, jobs), NOW)
    boards = Boards(history)
    history.step()
    assert (boards.board(0).beside.compared > 0, boards.board(1).beside.compared) == (True, 0)


@pytest.mark.proof
def test_a_board_is_that_of_its_position_however_it_is_reached() -> None:
    """Rows, nodes and changes; a cycle's board has its own plan, whose starts are those of the moment."""
    for seed in range(0, CLUSTERS, 6):
        capture = capture_of(seed)
        history = History(capture, NOW)
        boards = Boards(history)
        history.go_place(LAST)
        places = range(min(history.known, 12) + 1)
        there = [boards.board(place) for place in places]
        back = Boards(history)
        again = [(back.board(place), back.changes(place)) for place in reversed(places)][::-1]
        assert [board for board, _ in again] == there
        assert [changes for _, changes in again] == [boards.changes(place) for place in places]
        for place in places:
            moment = history.moment_at(place)
            if moment is not None and moment.what is Happening.BACKFILL:
                rows = [row for row in there[place].rows if row.outcome == "started"]
                ours = [(each.waited_as, each.nodes) for each in moment.started]
                assert sorted((row.job, row.nodes) for row in rows) == sorted(ours)
                assert there[place].begun


def test_a_start_is_found_by_the_name_of_its_job() -> None:
    """A task, an array by its first task, a job; a job that never starts is not found, and nothing moves."""
    jobs = [running(1, [1, 2], 600), waiting(2, 2, 10), array(3, 1, 10, "1-3"), waiting(9, 3, 10)]
    history = History(cluster(2, jobs), NOW)
    assert history.go_place(AtJob("2", START)) and history.time == NOW + 603
    assert history.go_place(AtJob("3", START)) and history.time == NOW + 1205
    assert history.go_place(AtJob("3_3", START)) and history.time == NOW + 1807
    assert history.moment is not None and [each.job for each in history.moment.started] == ["3_3"]
    place = history.number
    with pytest.raises(SessionError):
        history.go_place(AtJob("9", START))
    assert history.number == place


def test_a_small_run_moment_by_moment() -> None:
    """By hand: a cycle that backfills one job, the end of another, the pass after it, a reservation."""
    jobs = [running(1, [1, 2], 600), waiting(2, 3, 10), waiting(3, 1, 5), waiting(4, 1, 30)]
    capture = cluster(3, jobs, reservations=[reserved("dawn", [1], 3000, 4000)])
    history = History(capture, NOW)
    assert history.step()
    first = history.moment
    assert first is not None and (first.at, first.what, first.tried) == (NOW, Happening.BACKFILL, 3)
    assert [(each.job, each.nodes, each.end) for each in first.started] == [("3", "n3", NOW + 300)]
    assert first.planned == 2
    board = Boards(history).board(1)
    row = next(row for row in board.rows if row.job == "3")
    assert attrs.astuple(passing(board, row)) == (1, "2", NOW + 600)
    found = coming(history)
    assert (found.cycle, found.change, found.changing) == (NOW + 30, NOW + 301, ("3",))
    kinds = []
    while history.step():
        assert history.moment is not None
        kinds.append((history.time - NOW, history.moment.what.value))
    assert kinds[:4] == [(30, "backfill"), (60, "main pass"), (301, "end"), (303, "main pass")]
    assert history.back(history.number) and not history.back() and history.time == NOW


@pytest.mark.parametrize("folder", every(16, snapshots()), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_the_first_cycle_of_a_stepped_cluster_is_the_recorded_one(folder: Path) -> None:
    """Stepped to its first backfill cycle, the console shows that cycle's plan, row by row."""
    recorded = read_plan(folder)
    history = History(read_capture(folder), recorded.now)
    while history.step():
        if history.moment is not None and history.moment.what is Happening.BACKFILL:
            break
    rows = [
        Row(
            row.job, row.partition, row.reservation, row.priority, row.outcome, row.start, row.end,
            frozenset(parse_hosts(row.nodes)), row.note,
        )
        for row in Boards(history).board(history.number).rows if row.order is not None
    ]  # fmt: skip
    wrong = differences(rows, recorded)
    assert not wrong, "\n".join(wrong[:10])


@pytest.mark.proof
@pytest.mark.skipif(not snapshots(), reason="no recorded plans")
def test_a_recorded_cluster_is_stepped_to_its_end_and_back() -> None:
    """The states after the last moment and each tenth on the way back."""
    for folder in snapshots()[-1:]:
        capture = attrs.evolve(read_capture(Path(folder)), taken=NOW)
        states = straight(capture)
        history = History(capture, NOW)
        history.go_place(LAST)
        while history.number:
            as_straight(history, states)
            history.back(10)
        assert history.capture_at(0).jobs == capture.jobs


@pytest.mark.proof
@given(st.sampled_from(PARSERS), st.data())
def test_any_change_of_a_capture_is_stepped_or_is_one_line(
    tmp_path_factory: pytest.TempPathFactory, parser: int, data: st.DataObject
) -> None:
    """What the reader accepts can be stepped and shown; going back leads to the capture."""
    folder = write(tmp_path_factory.mktemp("cluster"), mutated(parser, data))
    try:
        capture = read_capture(folder)
        history = History(capture, capture.taken or NOW)
        boards = Boards(history)
        first = boards.board(0)
        for _ in range(8):
            history.step()
            board = boards.board(history.number)
            lines = [why_lines(board, NOTHING, each, Dates(), 60, coming(history)) for each in board.rows]
            found = [line for each in lines for line in each]
            assert all(len(plain(line)) <= 60 for line in found)
            begin = history.begin
            assert event_lines(history.moment, history.number, board, Dates(), begin, 60)
            assert "\n" not in event_text(history.moment, Dates(), begin)
    except ScenarioError as error:
        assert "\n" not in str(error)
    else:
        history.back(8)
        assert Boards(history).board(0) == first
