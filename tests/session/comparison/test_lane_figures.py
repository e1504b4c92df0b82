"""How lanes stand side by side: their figures at the common instant, and the jobs that differ, how much."""

import re
from pathlib import Path

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.console.session import Case, Session, compare, load, open_session
from shadowtime.console.session.comparison.divergence import NEVER
from shadowtime.console.session.comparison.lane_figures import carried, some_of, standings
from shadowtime.console.session.comparison.lanes import (
    by_clock,
    choices,
    distinct,
    lanes_of,
    sliced,
    spoken_lanes,
    typed_lanes,
)
from shadowtime.console.session.comparison.lockstep import Lockstep
from shadowtime.console.session.comparison.runs import cases_of as cases_of_compare
from shadowtime.console.session.errors import SessionError
from shadowtime.console.widgets.compare.text import figures_table, figures_width, happened, jobs_table
from shadowtime.console.widgets.frame.ink import plain
from tests.oracles.jobs import Job, Workload, workloads
from tests.refusals import cannot
from tests.session.build import case_of, case_under
from tests.session.comparison.lanes import go
from tests.session.comparison.test_lockstep import LANES, Lanes, cases_of, laned, learn, lockstep_of

SCENARIOS = Path(__file__).parents[3] / "scenarios"
DILEMMA = SCENARIOS / "fj97" / "dilemma.toml"
STORIES = Path(__file__).parents[2] / "console" / "stories"
SOME = settings(max_examples=15)
MOMENTS = (
    # instant, utilization now and by slots of partition (fcfs or easy), and of gang
    ("fcfs", "0 00:10:00", (0.50, 0.50), (0.50, 0.75)),
    ("fcfs", "0 00:20:00", (0.50, 0.50), (1.00, 0.875)),
    ("easy", "0 00:20:00", (0.75, 0.75), (1.00, 0.875)),
    ("easy", "0 00:30:00", (0.75, 0.75), (0.75, 0.875)),
    ("fcfs", "0 01:00:00", (1.00, 1.00), (1.00, 0.875)),
    ("easy", "0 01:00:00", (0.25, 0.25), (1.00, 0.875)),
    ("easy", "0 01:40:00", (0.25, 0.25), (1.00, 0.625)),
    ("easy", "0 04:20:00", (1.00, 1.00), (0.25, 0.25)),
)
"""50 % while the large job waits, 75 % and then 25 % with backfilling; 87.5 % and 62.5 % of the slots."""


@pytest.mark.parametrize(("partition", "at", "one", "other"), MOMENTS)
def test_the_dilemma_shows_partition_and_gang_at_the_papers_shares(
    partition: str, at: str, one: tuple[float, float], other: tuple[float, float]
) -> None:
    lockstep = lockstep_of([load(DILEMMA, policy=partition), load(DILEMMA, variant="gang")])
    go(lockstep, at)
    found = [figures.metrics for figures in standings(lockstep, 3).figures]
    assert [(m.utilization_now, m.utilization_slots) for m in found] == [one, other]


@pytest.mark.proof
@laned
@SOME
@given(workload=workloads(), data=st.data())
def test_figures_are_those_of_the_common_instant(
    lanes: Lanes, workload: Workload, data: st.DataObject
) -> None:
    """Also where a lane's own last event is earlier: its jobs went on running and waiting until then."""
    lockstep = lockstep_of(cases_of(workload, lanes))
    lockstep.step(data.draw(st.integers(1, 40)))
    now, submits = lockstep.time, [job.submit for job in workload.jobs]
    it = standings(lockstep, 99)
    for lane, shot, figures in zip(lockstep.lanes, it.snapshots, it.figures, strict=True):
        assert isinstance(lane, Session)
        results = lane.outcomes().columns
        ends = [now if end == -1 else end for end in results["finish"]]
        stays = [end - submit for end, submit in zip(ends, submits, strict=True) if submit <= now]
        assert figures.here == sum(stays) / len(stays)
        assert (figures.submitted, figures.finished) == (len(stays), shot.finished)
        before = Session(lane.case)
        before.go_time(now)
        span = now - submits[0]
        if span and shot.upcoming is not None:
            wanted = before.snapshot().metrics
            held = (wanted.utilization or 0.0) * (before.time - submits[0])
            busy = held + wanted.utilization_now * (now - before.time)
            assert figures.metrics.utilization == pytest.approx(busy / span)
            queued = (wanted.mean_queue_length or 0.0) * (before.time - submits[0])
            queued += wanted.queue_length * (now - before.time)
            assert figures.metrics.mean_queue_length == pytest.approx(queued / span)


@pytest.mark.proof
@laned
@SOME
@given(workload=workloads(), data=st.data())
def test_the_jobs_that_differ_are_those_whose_starts_or_ends_do(
    lanes: Lanes, workload: Workload, data: st.DataObject
) -> None:
    """By how much, counted to now for what is to come; the same whether it is known how the lanes go on."""
    lockstep = lockstep_of(cases_of(workload, lanes))
    if data.draw(st.booleans()):
        learn(lockstep)
    lockstep.step(data.draw(st.integers(0, 40)))
    sessions = [lane for lane in lockstep.lanes if isinstance(lane, Session)]
    now, results = lockstep.time, [lane.outcomes().columns for lane in sessions]

    def times(name: str, row: int) -> list[int]:
        return [NEVER if column[name][row] == -1 else column[name][row] for column in results]

    def by(row: int) -> int:
        both = (times("start", row), times("finish", row))
        return max(max(0, (now if NEVER in found else max(found)) - min(found)) for found in both)

    wanted = {
        row: by(row)
        for row in range(len(workload.jobs))
        if any(len(set(times(name, row))) > 1 for name in ("start", "finish"))
    }
    found = standings(lockstep, 99).differing
    assert {job.rows[0].index: job.by for job in found.jobs} == wanted
    assert found.count == len(wanted)
    assert [job.by for job in found.jobs] == sorted(wanted.values(), reverse=True)
    for name, alike in (("start", found.started), ("finish", found.finished)):
        happened = [{row for row, time in enumerate(column[name]) if time != -1} for column in results]
        assert alike == all(jobs == happened[0] for jobs in happened)
    for job in found.jobs:
        order = list(zip(times("finish", job.rows[0].index), times("start", job.rows[0].index), strict=True))
        assert [order[lead] for lead in job.leads] == [min(order)] * len(job.leads)
        row = job.rows[0].index
        assert job.growing == any(
            NEVER in found and len(set(found)) > 1 for found in (times("start", row), times("finish", row))
        )


def test_waiting_jobs_differ_by_their_predicted_starts() -> None:
    """Under FCFS job 2 waits for 8 hours; with job 1 suspended it starts at once, and job 3 behind it."""
    session = open_session(load(DILEMMA))
    session.go("0 00:20:00")
    lockstep = Lockstep([session.fork("one"), session.fork("other", "suspend 1")])
    for lane in lockstep.lanes:
        lane.predict()
    found = standings(lockstep, 9).differing
    starts = [lane.predicted_starts() for lane in lockstep.lanes]
    assert [job.rows[0].id for job in found.jobs] == [2, 3]
    assert [job.by for job in found.jobs] == [starts[0][1] - 1200, starts[0][2] - starts[1][2]]
    assert [(job.growing, job.leads) for job in found.jobs] == [(False, (1,)), (False, (1,))]


def test_a_job_that_waits_has_waited_until_the_common_instant() -> None:
    """Under FCFS nothing happens between 20 minutes and an hour, while gang switches its slots."""
    lockstep = lockstep_of([load(DILEMMA), load(DILEMMA, variant="gang")])
    go(lockstep, "0 00:40:00")
    assert [lane.time for lane in lockstep.lanes] == [1200, 2400]
    first = standings(lockstep, 9).differing.jobs[0]
    assert [(row.id, row.state, row.wait, row.now) for row in first.rows] == [
        (2, "N", 1800, 2400),
        (2, "R", 600, 2400),
    ]
    assert (first.by, first.growing, first.leads) == (1200, True, (1,))


def test_at_the_end_the_figures_are_those_of_the_command() -> None:
    """`shadowtime compare` runs each case by itself, and prints what the lanes come to."""
    cases = cases_of_compare(load(DILEMMA))
    lockstep = lockstep_of(cases, known=True)
    lockstep.go_end()
    table = dict(compare(cases).rows())
    found = [figures.metrics for figures in standings(lockstep, 1).figures]
    for name, values in table.items():
        if name != "mean_prediction_error":
            assert tuple(getattr(metrics, name) for metrics in found) == values, name
    assert lockstep.partings is not None
    assert lockstep.partings.responses == pytest.approx(table["mean_response"])


def test_at_the_end_of_a_large_workload_all_that_differ_are_listed_once_they_are_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Looking at each job there would hold up the screen."""
    cases = cases_of_compare(load(DILEMMA))
    lockstep = lockstep_of(cases)
    lockstep.go_end()
    small = standings(lockstep, 9).differing
    monkeypatch.setattr("shadowtime.console.session.comparison.lane_figures.FEW", 0)
    large = standings(lockstep, 9).differing
    assert small.known and not large.known
    assert not large.jobs
    known = lockstep_of(cases, known=True)
    known.go_end()
    assert standings(known, 9).differing == small


def test_a_job_that_runs_has_not_waited_longer() -> None:
    session = open_session(load(DILEMMA))
    session.go_time(1200)
    assert [carried(session.row(index), 3000).wait for index in range(3)] == [0, 2400, 1800]


def test_events_are_those_of_the_instant() -> None:
    lockstep = lockstep_of([load(DILEMMA), load(DILEMMA, variant="gang")])
    assert standings(lockstep, 1).events == ((), ())
    go(lockstep, "0 00:20:00")
    kinds = [[event.kind for event in events] for events in standings(lockstep, 1).events]
    assert kinds == [["submit", "pass"], ["switch_slot", "submit", "pass"]]
    lockstep.step()
    kinds = [[event.kind for event in events] for events in standings(lockstep, 1).events]
    assert kinds == [[], ["switch_slot", "pass"]]


def test_what_a_lane_refused_is_shown_for_good(tmp_path: Path) -> None:
    """A job that runs in one lane when the operator holds it, and waits in the other."""
    job = '[[job]]\nid = {}\nsize = {}\nsubmit = 0\nruntime = "1h"\n'
    text = 'title = "a hold"\n[machine]\nnodes = 4\n'
    text += job.format(1, 3) + job.format(2, 4) + job.format(3, 1)
    path = tmp_path / "hold.toml"
    path.write_text(text + '[policy]\nname = "fcfs"\n[[action]]\nat = 5\ndo = "hold"\njob = 3\n')
    lockstep = lockstep_of([load(path), load(path, policy="easy")])
    lockstep.go_time(0)
    assert standings(lockstep, 9).refused == ((), ())
    for _ in range(2):
        lockstep.go_end()
        whole = standings(lockstep, 9)
        assert [len(refused) for refused in whole.refused] == [0, 1]
        assert some_of(whole, (1,)).refused == whole.refused[1:]
        assert "refused" not in happened(whole, 0)
        refusal = f"an action is refused here: {cannot('hold', 3, 'R')}"
        assert happened(whole, 1).startswith(refusal), "what follows may be cut"
    lockstep.go_time(0)
    assert standings(lockstep, 9).refused == ((), ())


def test_some_of_the_lanes_keep_their_places() -> None:
    lockstep = lockstep_of([load(DILEMMA, policy=name) for name in ("fcfs", "easy", "gang:quantum=10m")])
    go(lockstep, "0 00:30:00")
    whole = standings(lockstep, 9)
    some = some_of(whole, (1, 2))
    assert some.names == whole.names[1:] and some.figures == whole.figures[1:]
    assert [job.leads for job in whole.differing.jobs] == [(2,), (1,)]
    assert [job.leads for job in some.differing.jobs] == [(1,), (0,)]
    assert some_of(whole, (0, 1, 2)) is whole


# Which lanes.


def names(cases: tuple[Case, ...]) -> list[str]:
    """What the lanes are called."""
    return [case.name for case in cases]


def test_two_lanes_show_the_base_and_what_shares_the_machine_in_another_way() -> None:
    """So the dilemma is partition beside gang; the case that is open is never left out."""
    assert names(lanes_of(load(DILEMMA))) == ["fcfs", "gang"]
    assert names(lanes_of(load(DILEMMA, variant="easy"))) == ["fcfs", "easy"]
    assert names(lanes_of(load(DILEMMA, policy="sjf"))) == ["fcfs", "sjf"]
    assert names(lanes_of(load(DILEMMA), 4)) == ["fcfs", "easy", "conservative", "gang"]
    assert names(lanes_of(load(DILEMMA, policy="sjf"), 3)) == ["fcfs", "sjf", "easy"]
    assert [sliced(case) for case in lanes_of(load(DILEMMA))] == [False, True]


def test_other_policies_take_the_operators_actions_by_the_clock() -> None:
    """Their events have other numbers: what followed an event here follows its instant there."""
    session = open_session(load(DILEMMA))
    assert by_clock(session) is session.case
    session.go_event(6)
    session.act("hold 2")
    session.go_time(3600)
    session.act("release 2")
    case = by_clock(session)
    assert [(action.do, action.at, action.after) for action in case.scenario.actions] == [
        ("hold", 1201, None),
        ("release", 3601, None),
    ]
    lockstep = lockstep_of([session.case, *(one for one in lanes_of(case) if one.policy == "gang")])
    lockstep.go_time(1201)
    assert [lane.row(1).state for lane in lockstep.lanes] == ["H", "R"], "one that runs cannot be held"
    lockstep.go_end()
    assert [lane.row(1).state for lane in lockstep.lanes] == ["F", "F"]


def test_without_a_variant_the_other_is_one_that_the_machine_takes() -> None:
    assert names(lanes_of(load(STORIES / "busy.swf"))) == ["easy", "conservative"]
    assert names(lanes_of(load(STORIES / "busy.swf", policy="fcfs"))) == ["easy", "fcfs"]
    assert names(lanes_of(load(SCENARIOS / "fj97" / "do-not-disturb.toml"))) == ["t3d", "unicos"]


@given(workload=workloads())
def test_any_case_has_another_one_beside_it(workload: Workload) -> None:
    for policy in ("easy", "fcfs"):
        assert len(lanes_of(case_of(workload, policy))) == 2


def test_lanes_are_spoken_as_variants_or_as_policies() -> None:
    case = load(DILEMMA)
    assert names(spoken_lanes(case, ["easy", "gang", "gang:quantum=60"])) == [
        "easy",
        "gang",
        "gang:quantum=60",
    ]
    assert names(spoken_lanes(case, ["sjf"])) == ["fcfs", "sjf"], "one stands beside the case"
    assert names(spoken_lanes(case, ["fcfs", "easy", "easy"])) == ["fcfs", "easy"]
    assert dict(spoken_lanes(case, ["gang"])[1].parameters)["quantum"] == 600, "the variant, not the policy"


def test_names_with_blanks_are_typed_as_they_are() -> None:
    case = load(SCENARIOS / "fj97" / "waiting-limit.toml")
    assert names(typed_lanes(case, " 15 minutes easy ")) == ["15 minutes", "easy"]
    assert names(typed_lanes(case, "")) == ["unicos", "15 minutes", "a week", "easy"]
    assert names(typed_lanes(case, "", 2)) == ["unicos", "15 minutes"]
    with pytest.raises(SessionError, match="speed"):
        typed_lanes(case, "easy:speed=3 easy")


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["fcfs"], "fcfs cannot be compared with itself"),
        (["nope", "easy"], "there is no policy 'nope'"),
        (["fcfs", "easy", "gang", "sjf", "ljf"], "5 cannot be compared; expected 2 to 4 lanes"),
    ],
)
def test_lanes_that_cannot_be_are_one_clear_line(texts: list[str], message: str) -> None:
    with pytest.raises(SessionError, match=message):
        spoken_lanes(load(DILEMMA), texts)


def test_cases_that_are_simulated_alike_are_one() -> None:
    case = load(DILEMMA)
    assert names(distinct((case, case.under("fcfs", name="again"), case.under("easy")))) == ["fcfs", "easy"]
    assert names(choices(load(DILEMMA, policy="sjf"))) == ["fcfs", "sjf", "easy", "conservative", "gang"]


def test_the_lanes_of_the_rules_are_different_policies() -> None:
    """So that the rules of lockstep are tried on lanes that do part."""
    for lanes in LANES:
        workload = Workload([], 4)
        made = [case_under(workload, policy, parameters) for policy, parameters in lanes]
        assert len(distinct(made)) == len(lanes)
        assert not Lockstep([open_session(case) for case in made]).step()


def test_lanes_without_room_for_their_names_are_numbers_and_no_difference_is_cut() -> None:
    cases = [load(DILEMMA, policy=name) for name in ("fcfs", "easy", "conservative")]
    lockstep = lockstep_of([*cases, load(DILEMMA, variant="gang")])
    learn(lockstep)
    go(lockstep, "0 00:20:00")
    four = standings(lockstep, 9)
    figures = [plain(line).rstrip() for line in figures_table(four, 60, 20)]
    assert "mean wait           0s       0s       0s    5m00s other jobs" in figures
    assert any(line.endswith(" [2,3,4]") for line in figures)
    assert "[4] best" in plain(figures_table(four, 60, 1)[0])
    assert "conservative     gang best" in plain(figures_table(four, figures_width(four, 120), 1)[0])
    alike = attrs.evolve(four, names=tuple(f"slurm:bf_max_job_user={count}" for count in range(4)))
    for shown, width, numbers in ((alike, 70, "1234"), (some_of(alike, (2, 3)), 45, "344")):
        assert re.findall(r"\[(\d)\]", plain(figures_table(shown, width, 1)[0])) == [*numbers]
    assert [plain(line).split()[-1] for line in jobs_table(four, None, 64, 9)] == ["ahead", "[4]", "[2,3]"]
    jobs = tuple(attrs.evolve(found, by=64_800, growing=False) for found in four.differing.jobs)
    two = some_of(attrs.evolve(four, differing=attrs.evolve(four.differing, jobs=jobs)), (0, 3))
    apart = [[plain(line).split()[-1] for line in jobs_table(two, None, width, 9)] for width in (32, 35)]
    assert apart == [["apart", "18h", "18h"], ["apart", "18h00m", "18h00m"]]


def held_beside_free() -> tuple[int, tuple[Case, Case]]:
    """Thirty jobs at once on four nodes, and the same with one of them held."""
    crowd = Workload([Job(0, 10 + at % 7, 1 + at % 4, 40 - at) for at in range(30)], 4)
    session = open_session(case_under(crowd, "easy", {}))
    session.go_event(31)
    head = session.snapshot().waiting[0]
    session.act(f"hold {session.id_of(head)}")
    return head, (case_under(crowd, "easy", {}), session.case)


def test_a_job_that_is_held_in_a_lane_stands_first_among_those_that_differ() -> None:
    """Others differ by more so far, but its difference has no end."""
    head, cases = held_beside_free()
    lockstep = lockstep_of(cases)
    lockstep.step(32)
    first, second, *_ = standings(lockstep, 4).differing.jobs
    assert first.rows[0].index == head and first.by < second.by


def test_a_comparison_counts_the_jobs_that_never_start() -> None:
    """Of the run that leaves one behind, and of no other."""
    _, cases = held_beside_free()
    assert [report.get("not_started") for report in compare(cases).reports] == [None, 1]
