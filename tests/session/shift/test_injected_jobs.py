"""Jobs that an instructor submits: the past is the same, and all that follows has the job."""

from pathlib import Path
from random import Random

import attrs
import pytest

from shadowtime.console.session import Case, SessionError, load
from shadowtime.console.session.case import table_of
from shadowtime.console.session.course.course import go_on
from shadowtime.console.session.shift import ShiftSession, inject, open_shift, references, references_of
from shadowtime.kernels.policies import POLICIES
from shadowtime.scenarios import Job, Workload, format_action
from tests.session.shift.files import incident, manual, shift_file

TORUS = """
[machine]
torus = [8, 4, 8]
[policy]
name = "t3d"
[shift]
kind = "incident"
goal = "Short waits."
"""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def test_a_job_is_submitted_a_second_from_now_and_starts(tmp_path: Path) -> None:
    """On ten nodes job 1 holds six: job 5 needs the other four, as an operator finds out."""
    session = ShiftSession(load(manual(tmp_path)))
    session.go_time(30)
    session.act("start 1")
    number, digest, journal = session.number, session.digest(), session.journal
    session.inject("job 4 10m")
    assert (session.number, session.digest(), session.journal) == (number, digest, journal)
    with pytest.raises(SessionError):
        session.act("start 5")
    session.go_time(31)
    (row,) = [row for row in session.snapshot().waiting if session.id_of(row) == 5]
    columns = session.case.columns
    assert [values[row] for values in (columns.submit, columns.size, columns.estimate)] == [31, 4, 600]
    session.act("start 5")
    assert [format_action(action) for action in session.journal] == ["start 1", "start 5"]
    session.go_time(630)
    assert 5 in session.left_over
    session.go_time(631)
    assert 5 not in session.left_over


def test_jobs_that_are_to_come_keep_their_ids(tmp_path: Path) -> None:
    """The job stands in the table before job 3 and job 4, which come later."""
    session = ShiftSession(load(manual(tmp_path)))
    session.go_time(10)
    session.stops.set("job 3")
    session.inject("job 1 5m")
    assert list(session.case.columns.id) == [1, 2, 5, 3, 4]
    assert go_on(session) == ("job 3",) and session.time == 20
    session.go_time(30)
    session.act("start 3")
    session.go_end()
    outcomes = session.outcomes().columns
    assert dict(zip(session.case.columns.id, outcomes["start"], strict=True))[3] == 30


def test_the_comparison_has_the_job(tmp_path: Path) -> None:
    """It competes with the others: the baseline is another one, and one job more is over."""
    case = load(incident(tmp_path))
    session = ShiftSession(case)
    session.go_time(30)
    compared = inject(session, "job 10 1h")
    before = references(case)
    assert compared.baseline.figures.over == before.baseline.figures.over + 1
    assert references_of(session).baseline.figures == compared.baseline.figures


def test_a_response_that_cannot_be_done_any_more_is_left_out(tmp_path: Path) -> None:
    """It suspends job 3 while it runs; behind a job of nine nodes, job 3 waits."""
    steps = ((150, "suspend"), (350, "resume"))
    response = '[[shift.response]]\nname = "rest"\n' + "".join(
        f'[[shift.response.action]]\nat = {at}\ndo = "{do}"\njob = 3\n' for at, do in steps
    )
    kind = 'kind = "incident"\ngoal = "Rest."\nallow = ["suspend", "resume"]\nwide = 8\n'
    session = ShiftSession(load(shift_file(tmp_path, kind, response, "fcfs")))
    assert [it.name for it in references_of(session).responses] == ["rest"]
    session.go_time(10)
    compared = inject(session, "job 9 1h")
    assert "rest" not in [it.name for it in compared.responses]
    assert references_of(session).best.figures == compared.best.figures
    with pytest.raises(SessionError, match="rest"):
        references(session.file)


def test_actions_that_lie_ahead_are_dropped(tmp_path: Path) -> None:
    session = ShiftSession(load(manual(tmp_path)))
    session.go_time(10)
    session.act("start 1")
    session.go_time(30)
    session.act("start 3")
    session.go_time(15)
    known = session.hindsight
    session.inject("job 2 5m")
    assert [format_action(action) for action in session.journal] == ["start 1"]
    assert session.hindsight is known and known.seen == 30


def test_after_the_end_no_job_comes(tmp_path: Path) -> None:
    session = ShiftSession(load(manual(tmp_path)))
    session.go_time(1000)
    with pytest.raises(SessionError, match="the shift is over"):
        session.inject("job 2 5m")


@pytest.mark.parametrize(("size", "fits"), [("64", True), ("63", False)])
def test_on_the_torus_a_job_has_the_size_of_a_block(tmp_path: Path, size: str, fits: bool) -> None:
    path = tmp_path / "torus.toml"
    path.write_text(
        TORUS
        + "".join(f"[[job]]\nid = {n}\nsize = 64\nsubmit = {10 * n}\nruntime = 100\n" for n in range(1, 7))
    )
    session = ShiftSession(load(path))
    session.go_time(35)
    before = session.digest()
    if not fits:
        with pytest.raises(SessionError, match="expected the size of a block"):
            session.inject(f"job {size} 5m")
        assert session.digest() == before and not session.injected
        return
    session.inject(f"job {size} 5m")
    assert session.digest() == before
    session.go_end()
    assert not session.left_over and len(session.case.jobs) == 7


def test_what_was_injected_is_resumed(tmp_path: Path) -> None:
    """Jobs and failures, the actions on them, and the place; the operator goes on with what is kept."""
    path = manual(tmp_path)
    first, _, _ = open_shift(path, "kim")
    first.go_time(30)
    first.act("start 1")
    first.inject("job 2 2m")
    first.inject("9 5m")
    first.inject("job 1 3m")
    first.go_time(40)
    first.act("start 5")
    first.go_time(60)
    second, attempts, resumed = open_shift(path, "kim")
    assert resumed and attempts is not None and not attempts.fault
    assert set(second.injected) == set(first.injected) and len(second.injected) == 3
    assert second.journal == first.journal and second.digest() == first.digest()
    second.act("start 6")
    third, _, _ = open_shift(path, "kim")
    assert [format_action(action) for action in third.journal] == ["start 1", "start 5", "start 6"]


def test_an_attempt_of_an_earlier_version_has_no_orders(tmp_path: Path) -> None:
    path = manual(tmp_path)
    first, attempts, _ = open_shift(path, "kim")
    first.go_time(30)
    first.act("start 1")
    assert attempts is not None
    attempts.path.write_text(attempts.path.read_text().replace(', "heard": 0', ""))
    assert "heard" not in attempts.path.read_text()
    second, again, resumed = open_shift(path, "kim")
    assert resumed and again is not None and not again.fault and second.journal == first.journal


def test_an_attempt_with_a_job_that_cannot_be_leaves_the_shift_as_it_is(tmp_path: Path) -> None:
    path = manual(tmp_path)
    first, attempts, _ = open_shift(path, "kim")
    first.go_time(30)
    first.inject("job 2 2m")
    assert attempts is not None
    attempts.path.write_text(attempts.path.read_text().replace("job 2 2m", "job 0 2m"))
    session, again, resumed = open_shift(path, "kim")
    assert not resumed and again is not None and "size" in again.fault
    assert not session.injected and len(session.case.jobs) == 4


@pytest.mark.parametrize("policy", [name for name, entry in POLICIES.items() if not entry.needs_torus])
def test_under_every_policy_the_past_is_the_same(tmp_path: Path, policy: str) -> None:
    """At any event of random workloads, also when all jobs of the file are over or have come."""
    random, base = Random(policy), load(incident(tmp_path, ""))
    for _ in range(5):
        session = ShiftSession(_with(base, _jobs(random)).under(policy))
        session.go_end()
        for number in sorted(random.sample(range(session.number), 6)):
            there = ShiftSession(session.file)
            there.go_event(number)
            before = there.digest()
            there.inject(f"job {random.randint(1, 10)} 50")
            assert (there.number, there.digest()) == (number, before)
            there.go_end()
            assert len(there.outcomes().columns["start"]) == 13


def _jobs(random: Random) -> Workload:
    submit, jobs = 0, []
    for job in range(1, 13):
        submit += random.choice((0, 1, 5, 40, 200))
        runtime = random.randint(1, 150)
        jobs.append(Job(job, random.randint(1, 10), submit, runtime, runtime + random.randint(0, 50)))
    return Workload.of(jobs)


def _with(case: Case, workload: Workload) -> Case:
    scenario = attrs.evolve(case.scenario, workload=workload, outages=())
    return attrs.evolve(case, scenario=scenario, jobs=table_of(scenario)).steered(())
