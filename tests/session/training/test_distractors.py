"""No wrong choice is true: against a naive program, on random workloads; and every choice of the courses."""

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from shadowtime.console.session import Session
from shadowtime.console.session.training import Answer, LeftOut, Step, UnanswerableError, answer
from shadowtime.console.session.training.questions.starts import STEPS
from shadowtime.scenarios import Question
from tests.oracles.training.statements import (
    RESERVES,
    Known,
    Situation,
    head_starts,
    true_to_run,
    true_to_wait,
)
from tests.session.training.passes import EXAMPLES, passes


def situation(session: Session, after: bool) -> Situation:
    """The machine before or after the pass, in plain lists."""
    fork, columns = session.fork_simulation(), session.case.columns
    if after and fork.pending:
        fork.step()
    jobs = {
        job: Known(size, estimate)
        for job, size, estimate in zip(columns.id, columns.size, columns.estimate, strict=True)
    }
    running = []
    for index in fork.running():
        start = fork.start_of(index)
        assert start is not None
        running.append((columns.id[index], start + columns.estimate[index]))
    queue = [columns.id[index] for index in fork.waiting()]
    return Situation(session.case.policy, session.case.nodes, fork.now, jobs, queue, running)


@pytest.mark.parametrize("policy", RESERVES)
def test_a_wrong_reason_is_false_and_the_right_one_is_true(tmp_path: Path, policy: str) -> None:
    """Of every job at every pass of random workloads."""
    random, asked = Random(policy), 0
    for session in passes(tmp_path, random, EXAMPLES, policy):
        before, after = situation(session, after=False), situation(session, after=True)
        started = [job for job, _ in after.running if job in before.queue]
        for job, true in (
            *((job, true_to_wait(after, job)) for job in after.queue),
            *((job, true_to_run(before, after, job)) for job in started),
        ):
            made = answer(session, Question(session.time, "why", job))
            assert true[str(made.shown)], (
                (tmp_path / "random.toml").read_text(),
                session.time,
                job,
                made.shown,
            )
            wrong = [str(value) for value in made.offered if value not in made.right]
            assert wrong and not any(true[code] for code in wrong), (session.time, job, made, true)
            asked += 1
    assert asked > 5 * EXAMPLES


@pytest.mark.proof
def test_no_other_start_is_as_soon(tmp_path: Path) -> None:
    """Nobody among the wrong choices starts at that instant; no job is named before it comes."""
    random = Random(7)
    for session in passes(tmp_path, random, EXAMPLES):
        made = attempt(session, Question(session.time, "next_start"))
        if made is None:
            continue
        columns, here = session.case.columns, session.fork_simulation()
        come = {columns.id[index] for index in range(here.submitted)}
        assert {job for job in (*made.offered, *made.right) if job is not None} <= come
        ahead = here.expected()
        while not any(ahead.start_of(session.index_of(int(str(job)))) is not None for job in made.right):
            assert ahead.step()
        ahead.run(until=ahead.now)
        run_already = {columns.id[index] for index in here.running()}
        for job in set(made.offered) - set(made.right) - {None} - run_already:
            assert ahead.start_of(session.index_of(int(str(job)))) is None


@pytest.mark.proof
def test_the_steps_of_a_derivation_add_up(tmp_path: Path) -> None:
    """What is free next is what was free, less who started, plus who ended; the last step starts the job."""
    random, derived = Random(11), 0
    for session in passes(tmp_path, random, EXAMPLES):
        size = dict(zip(session.case.columns.id, session.case.columns.size, strict=True))
        for job in situation(session, after=True).queue:
            made = answer(session, Question(session.time, "start_time", job))
            steps = [part for part in made.because if isinstance(part, Step)]
            if any(isinstance(part, LeftOut) for part in made.because):
                assert len(steps) == STEPS
                continue
            derived += bool(steps)
            for one, two in pairwise(steps):
                taken, given = sum(it for _, it in one.started), sum(size[it] for it in two.ended)
                assert one.time <= two.time and two.free == one.free - taken + given
            assert not steps or ((steps[-1].time,) == made.right and job in dict(steps[-1].started))
    assert derived > EXAMPLES


def attempt(session: Session, question: Question) -> Answer | None:
    try:
        return answer(session, question)
    except UnanswerableError:
        return None


def test_the_oracle_by_hand() -> None:
    """Four of ten nodes are idle; the head needs eight, at 100; a job of two may pass if it ends by then."""
    jobs = {1: Known(6, 100), 2: Known(8, 50), 3: Known(2, 60), 4: Known(4, 500)}
    here = Situation("easy", 10, 20, jobs, [2, 3, 4], [(1, 100)])
    assert head_starts(here) == 100 and head_starts(here, 3) == 100 and head_starts(here, 4) == 520
    assert true_to_wait(here, 2)["head_blocked"] and true_to_wait(here, 2)["reserved"]
    assert true_to_wait(here, 4)["would_delay_head"] and not true_to_wait(here, 3)["would_delay_head"]
    assert true_to_run(here, here, 3)["ends_by_shadow"] and not true_to_run(here, here, 3)["within_extra"]
