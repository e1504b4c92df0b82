"""What the screen answers: against a naive recount on random workloads, and by hand."""

from pathlib import Path
from random import Random

import pytest

from shadowtime.console.session import Session, load
from shadowtime.console.session.training import Answer, UnanswerableError, answers_of
from shadowtime.console.words import NODES
from shadowtime.console.words.mistakes import mistaken
from shadowtime.console.words.training import asked, because, choice
from shadowtime.scenarios import Question
from tests.oracles.training.readings import Life, free, mean_wait, utilization
from tests.session.training.passes import EXAMPLES as ALL
from tests.session.training.passes import passes
from tests.session.training.test_answers import scenario
from tests.session.training.test_distractors import attempt

EXAMPLES = ALL // 8


def lives(session: Session) -> dict[int, Life]:
    """The jobs that have come, as the run has treated them so far."""
    fork, columns = session.fork_simulation(), session.case.columns
    found = {}
    for index in range(fork.submitted):
        start, over = fork.start_of(index), fork.state(index) == "F"
        end = None if start is None or not over else start + columns.runtime[index]
        found[columns.id[index]] = Life(
            columns.size[index], columns.submit[index], columns.estimate[index], start, end
        )
    return found


def checked(made: Answer | None) -> Answer:
    """An answer with one right choice, words for everything, and a misconception for each wrong choice."""
    assert made is not None
    assert len(made.right) == 1 and made.right[0] in made.offered
    assert set(made.mistakes) == set(made.offered) - set(made.right)
    assert all(mistaken(it, NODES) for it in made.mistakes.values())
    assert len({choice(made.question.ask, it, NODES) for it in made.offered}) == len(made.offered)
    assert asked(made).endswith("?") and all(because(part, NODES) for part in made.because)
    return made


@pytest.mark.proof
@pytest.mark.parametrize("policy", ["fcfs", "easy", "conservative"])
def test_what_is_read_is_what_is_counted(tmp_path: Path, policy: str) -> None:
    """At every event before a pass: free nodes, ends, waits, metrics."""
    random, asked_for = Random(policy), 0
    for session in passes(tmp_path, random, EXAMPLES, policy):
        now, jobs, nodes = session.time, lives(session), session.case.nodes
        made = checked(attempt(session, Question(now, "free")))
        assert made.right == (free(jobs, nodes, now),)
        for id_, job in jobs.items():
            made_end = attempt(session, Question(now, "end_time", id_))
            made_wait = attempt(session, Question(now, "waited", id_))
            if job.start is None:
                assert checked(made_wait).right == (now - job.submit,) and made_end is None
            elif job.end is None:
                assert checked(made_end).right == (job.start + job.estimate,) and made_wait is None
        if now > min(job.submit for job in jobs.values()):
            used = checked(attempt(session, Question(now, "metric", metric="utilization")))
            share = utilization(jobs, nodes, now)
            assert abs(int(str(used.right[0]).removeprefix("share:")) - 1000 * share) <= 0.5 + 1e-6
        if any(job.start is not None for job in jobs.values()):
            waits = checked(attempt(session, Question(now, "metric", metric="mean_wait")))
            assert abs(int(str(waits.right[0]).removeprefix("length:")) - mean_wait(jobs)) <= 0.5
        asked_for += 1
    assert asked_for > 3 * EXAMPLES


def test_who_holds_a_node_and_what_happened_last(tmp_path: Path) -> None:
    """Job 1 has the nodes 0 to 5 of ten; job 2 needs eight and waits; job 3 takes two nodes at 20."""
    path = scenario(tmp_path, "10 last_event", "25 last_event", "25 free")
    text = path.read_text()
    for node in (5, 6, 9):
        text += f'[[question]]\nat = 30\nask = "owner"\nnode = {node}\n'
    path.write_text(text)
    first, last, free_now, *owners = map(checked, answers_of(load(path)))
    assert (first.right, last.right, free_now.right) == ((("submit", 2),), (("submit", 3),), (2,))
    assert [it.right[0] for it in owners] == [1, 3, None]
    assert last.mistakes[("submit", 2)].code == "was_before"
    assert owners[0].mistakes[3].code == "holds_others" and owners[0].mistakes[None].code == "node_is_held"


@pytest.mark.parametrize("ask", ["30 end_time 2", "30 waited 1", "0 waited 2"])
def test_what_the_screen_does_not_show(tmp_path: Path, ask: str) -> None:
    with pytest.raises(UnanswerableError, match="has no answer: job"):
        answers_of(load(scenario(tmp_path, ask)))
