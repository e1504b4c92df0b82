"""Every kind of question has its answer from the kernel: change the scenario, and the answer follows."""

from pathlib import Path

import pytest

from shadowtime.console.session import Decision, Session, SessionError, load
from shadowtime.console.session.training import (
    Answer,
    Drill,
    Foreseen,
    Step,
    TurnsOut,
    UnanswerableError,
    Waits,
    answers_of,
)
from shadowtime.console.session.training.drill import read_answer
from shadowtime.scenarios import Question

MACHINE = '[machine]\nnodes = 10\n[policy]\nname = "{policy}"\n'
Jobs = tuple[tuple[int, ...], ...]
JOBS: Jobs = ((1, 6, 0, 100, 100), (2, 8, 10, 50, 50), (3, 2, 20, 60, 60), (4, 4, 30, 500, 500))
"""Id, size, submission, runtime, estimate: job 2 is a blocked head, 3 ends in time, 4 would delay it."""


def scenario(folder: Path, *asks: str, policy: str = "easy", jobs: Jobs = JOBS) -> Path:
    """A file with these jobs and questions, each as `30 why 4`."""
    text = MACHINE.format(policy=policy)
    for job in jobs:
        keys = zip(("id", "size", "submit", "runtime", "estimate"), job, strict=True)
        text += "[[job]]\n" + "".join(f"{key} = {value}\n" for key, value in keys)
    for ask in asks:
        at, kind, *job_id = ask.split()
        text += f'[[question]]\nat = {at}\nask = "{kind}"\n' + "".join(f"job = {id}\n" for id in job_id)
    path = folder / "drill.toml"
    path.write_text(text)
    return path


def only(folder: Path, ask: str, policy: str = "easy", jobs: Jobs = JOBS) -> Answer:
    (answer,) = answers_of(load(scenario(folder, ask, policy=policy, jobs=jobs)))
    return answer


def changed(index: int, **values: int) -> Jobs:
    """The jobs with some values of one of them changed."""
    keys = ("id", "size", "submit", "runtime", "estimate")
    job = tuple(values.get(key, value) for key, value in zip(keys, JOBS[index], strict=True))
    return (*JOBS[:index], job, *JOBS[index + 1 :])


def test_next_start_in_this_very_pass(tmp_path: Path) -> None:
    """The pass backfills job 3; were it a little longer nobody would start before the head."""
    answer = only(tmp_path, "20 next_start")
    assert answer.right == (3,) and not answer.foreseen and 2 in answer.offered
    later = only(tmp_path, "20 next_start", jobs=changed(2, runtime=90, estimate=90, size=3))
    assert later.right == (2,) and later.foreseen


def test_next_start_that_only_a_forecast_gives(tmp_path: Path) -> None:
    """By what is known job 2 is next; that job 1 ends early is shown, and changes nothing."""
    early = changed(0, runtime=40)
    answer = only(tmp_path, "10 next_start", jobs=early)
    assert answer.right == (2,) and answer.foreseen
    assert answer.turns_out == TurnsOut((3,), 20)
    assert [type(part) for part in answer.because[:2]] == [Waits, Foreseen]


@pytest.mark.parametrize("estimate", [100, 130, 300])
def test_start_time_follows_the_estimates(tmp_path: Path, estimate: int) -> None:
    """The head starts when job 1 must be over; its real end is shown beside it."""
    answer = only(tmp_path, "10 start_time 2", jobs=changed(0, estimate=estimate))
    assert answer.right == (estimate,)
    assert answer.turns_out == (None if estimate == 100 else TurnsOut((2,), 100))
    assert answer.holds(estimate) and not answer.holds(estimate + 1)


@pytest.mark.parametrize("policy", ["fcfs", "easy", "conservative", "gang"])
def test_start_time_of_exact_estimates_is_what_happens(tmp_path: Path, policy: str) -> None:
    """With exact estimates and nobody to come the answer is the start in a run to the end."""
    path = scenario(tmp_path, "30 start_time 2", "30 start_time 4", policy=policy)
    case = load(path)
    session = Session(case)
    session.go_end()
    for answer in answers_of(case):
        assert answer.question.job is not None
        assert answer.right == (session.row(session.index_of(answer.question.job)).start,)
        assert answer.turns_out is None


def test_next_event(tmp_path: Path) -> None:
    """The pass is passed over; jobs to come and early ends cannot be known, and are not asked for."""
    assert only(tmp_path, "30 next_event").right == (("finish", 3),)
    assert only(tmp_path, "10 next_event").right == (("finish", 1),)
    assert only(tmp_path, "30 next_event", jobs=changed(0, runtime=50)).right == (("finish", 3),)
    assert only(tmp_path, "9999 next_event").right == (None,)
    both = only(tmp_path, "20 next_event", jobs=changed(2, runtime=80, estimate=80))
    assert both.right == (("finish", 1), ("finish", 3)) and both.foreseen


def test_at_an_instant_without_an_event(tmp_path: Path) -> None:
    """It is asked at that instant, not at the event before: what is over is over, and now is now."""
    answer = only(tmp_path, "25 start_time 2")
    assert (answer.time, answer.right, answer.pending) == (25, (100,), False)
    assert 25 in answer.offered and 20 not in answer.offered
    assert only(tmp_path, "20 start_time 2").pending


def test_a_start_is_derived_step_by_step(tmp_path: Path) -> None:
    """Who ends, what is free then, and who starts, up to the start that is asked for."""
    steps = [part for part in only(tmp_path, "30 start_time 4").because if isinstance(part, Step)]
    assert steps == [
        Step(30, (), 2),
        Step(80, (3,), 4),
        Step(100, (1,), 10, ((2, 8),)),
        Step(150, (2,), 10, ((4, 4),)),
    ]


def test_nobody_who_has_not_come_is_named(tmp_path: Path) -> None:
    """If no job waits, no job can start next as far as is known: the question has no answer."""
    with pytest.raises(UnanswerableError, match="no start is predicted"):
        only(tmp_path, "5 next_start", policy="maui")


def test_preempted(tmp_path: Path) -> None:
    """Under gang scheduling the turn changes; where jobs share space nobody is."""
    assert only(tmp_path, "10 preempted", policy="gang").right == (1,)
    assert only(tmp_path, "10 preempted").right == (None,)


def test_state(tmp_path: Path) -> None:
    """After the pass, not before it."""
    assert only(tmp_path, "20 state 3").right == ("R",)
    assert only(tmp_path, "20 state 3", jobs=changed(2, size=5)).right == ("N",)
    assert only(tmp_path, "10 state 2", policy="gang").right == ("W",)
    assert only(tmp_path, "999 state 1").right == ("F",)


def test_why(tmp_path: Path) -> None:
    """Why it waits, and where it runs why it may."""
    assert only(tmp_path, "10 why 2").right == ("head_blocked",)
    assert only(tmp_path, "30 why 4").right == ("no_room",)
    assert only(tmp_path, "30 why 4", jobs=changed(3, size=2)).right == ("within_extra",)
    assert only(tmp_path, "20 why 3").right == ("ends_by_shadow",)
    assert only(tmp_path, "20 why 3", policy="fcfs").right == ("behind_head",)
    waits, starts = only(tmp_path, "30 why 4"), only(tmp_path, "20 why 3")
    assert starts.starts and not waits.starts
    assert "would_delay_head" in waits.offered and "no_room" not in starts.offered


@pytest.mark.parametrize("ask", ["5 why 2", "5 start_time 3", "999 why 1"])
def test_what_has_no_answer(tmp_path: Path, ask: str) -> None:
    """One line with the place in the file."""
    with pytest.raises(UnanswerableError, match=r"drill\.toml:\d+: .* has no answer: "):
        only(tmp_path, ask)


def test_choices(tmp_path: Path) -> None:
    """One of the choices is right, they differ, and there are two to four of them."""
    asks = ("10 why 2", "20 next_start", "20 state 3", "30 start_time 4", "30 next_event", "30 preempted")
    for policy in ("fcfs", "easy", "conservative", "gang", "sjf", "flex", "checkpoint"):
        for answer in answers_of(load(scenario(tmp_path, *asks, policy=policy))):
            assert len([value for value in answer.offered if value in answer.right]) == 1, answer
            assert 2 <= len(answer.offered) <= 4 and len(set(answer.offered)) == len(answer.offered)


def test_the_session_stays_where_it_is(tmp_path: Path) -> None:
    """An answer is computed on a fork: not a byte of the session changes."""
    drill = Drill(load(scenario(tmp_path, "20 next_start", "30 start_time 4")))
    drill.go_on()
    before, number = drill.session.digest(), drill.session.number
    assert drill.answer.right == (3,)
    assert (drill.session.digest(), drill.session.number) == (before, number)


def test_what_is_typed(tmp_path: Path) -> None:
    """A letter of a choice, a job, a time in any notation, a state, an event."""
    case = load(
        scenario(tmp_path, "20 next_start", "30 start_time 4", "30 state 3", "30 next_event", "30 why 4")
    )
    start, time, state, event, why = answers_of(case)
    assert read_answer(case, start, "3") == read_answer(case, start, " job 3 ") == 3
    assert read_answer(case, start, "B") == start.offered[1]
    for text in ("150", "0 00:02:30", "0d 00:02:30", "2m30s"):
        assert read_answer(case, time, text) == 150
    assert read_answer(case, time, "now") == 30 and read_answer(case, time, "never") is None
    assert read_answer(case, state, "O") == "O" and read_answer(case, state, "i") == "i"
    assert read_answer(case, event, "finish 3") == read_answer(case, event, "finishes job 3") == ("finish", 3)
    assert read_answer(case, why, "no_room") == "no_room"
    for answer, text, message in (
        (start, "x", "'x' is no answer; expected a to c, or a job's id"),
        (start, "99", "there is no job 99 among the 4 jobs; expected a number of the column JOB"),
        (time, "soon", "'soon' is no answer; expected a to d, or a time: seconds, D HH:MM:SS or 1h30m"),
        (why, "", "'' is no answer; expected a to d, or one of the choices"),
    ):
        with pytest.raises(SessionError) as caught:
            read_answer(case, answer, text)
        assert str(caught.value) == message


def test_a_time_within_what_the_question_says(tmp_path: Path) -> None:
    """Exact, unless the question allows some seconds."""
    answer = only(tmp_path, "10 start_time 2")
    assert answer.right == (100,)
    near = Answer(
        Question(10, "start_time", 2, within=5), answer.time, answer.right, answer.offered, (), answer.against
    )
    assert near.holds(95) and near.holds(105) and not near.holds(94) and not near.holds(None)


def test_a_strike_is_shown(tmp_path: Path) -> None:
    """The state of a job on a node that fails in this instant, and what was lost of it."""
    path = scenario(tmp_path, "40 state 1", "40 state 3")
    path.write_text(path.read_text() + '[[outage]]\nnodes = "2"\nfrom = 40\nuntil = 90\nkill = true\n')
    struck, spared = answers_of(load(path))
    assert (struck.right, spared.right) == (("F",), ("R",))
    reason = struck.because[0]
    assert isinstance(reason, Decision) and reason.job == 1 and reason.kind != "start"
    assert not isinstance(spared.because[0], Decision)
