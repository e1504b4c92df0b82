"""Every wrong choice carries a misconception, and what is said of it is true: against a naive program."""

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from shadowtime.console.session import Session, load
from shadowtime.console.session.training import Drill, Mistaken
from shadowtime.console.words import NODES
from shadowtime.console.words.mistakes import MISTAKES, mistaken
from shadowtime.console.words.training import explained
from shadowtime.scenarios import Question
from shadowtime.scenarios.values import ODDS, READ_METRICS
from tests.oracles.training.mistakes import true_of_job, true_of_reason, true_of_time
from tests.session.training.passes import EXAMPLES as ALL
from tests.session.training.passes import passes
from tests.session.training.test_answers import only
from tests.session.training.test_distractors import attempt, situation

EXAMPLES = ALL // 4
SOURCES = Path(__file__).parents[3] / "console" / "session" / "training"


@pytest.mark.proof
@pytest.mark.parametrize("policy", ["fcfs", "easy", "conservative", "sjf", "ljf"])
def test_what_is_said_of_a_wrong_choice_is_true(tmp_path: Path, policy: str) -> None:
    """Of jobs, instants and reasons, at every pass of random workloads; few codes are not judged."""
    random, judged = Random(policy), Counter[bool | None]()
    for session in passes(tmp_path, random, EXAMPLES, policy):
        before, after = situation(session, after=False), situation(session, after=True)
        made = attempt(session, Question(session.time, "next_start"))
        if made is not None:
            jobs = [job for job in before.queue if job not in made.right]
            for value, mistake in made.mistakes.items():
                if isinstance(value, int):
                    judged[true_of_job(before, value, mistake.code, jobs)] += 1
        for job in after.queue:
            times = attempt(session, Question(session.time, "start_time", job))
            assert times is not None
            free = before.nodes - sum(before.jobs[it].size for it, _ in before.running)
            for value, mistake in times.mistakes.items():
                at, right = int(str(value)), int(str(times.right[0]))
                judged[true_of_time(after, job, mistake.code, at, right, free)] += 1
            for mistake in answers(session, job):
                judged[true_of_reason(after, job, mistake.code)] += 1
    assert not judged[False] and judged[True] > 20 * EXAMPLES and judged[None] < judged[True] / 2


def answers(session: Session, job: int) -> list[Mistaken]:
    """The misconceptions behind the reasons that are offered for a waiting job."""
    made = attempt(session, Question(session.time, "why", job))
    assert made is not None
    return list(made.mistakes.values())


def test_every_code_has_a_sentence_and_every_sentence_a_code() -> None:
    """The codes are those that the two modules name where they make them."""
    named = {f"took_{rank}" for rank in ("head", "smallest", "shortest", "queued")}
    for file in SOURCES.rglob("*.py"):
        named |= set(re.findall(r'"([a-zN-SW_]+)"', file.read_text()))
    named |= {f"took_{metric}" for _, others in READ_METRICS.values() for metric in others}
    named |= {f"is_{odds}" for odds in ODDS}
    named |= {f"state_{letter}" for letter in "NWiSoOHF"}
    assert set(MISTAKES) <= named, set(MISTAKES) - named


def test_a_wrong_answer_is_followed_by_its_misconception(tmp_path: Path) -> None:
    """The number of nodes decides what is said; the verdict begins with it."""
    answer = only(tmp_path, "30 start_time 4")
    assert {at: it.code for at, it in answer.mistakes.items()} == {
        80: "others_before_it",
        100: "others_before_it",
        30: "fits_not_now",
    }
    drill = Drill(load(tmp_path / "drill.toml"))
    drill.go_on()
    ended = drill.give("100")
    assert ended.because[0] == Mistaken("others_before_it", 4, 100)
    assert explained(ended, NODES)[0] == mistaken(Mistaken("others_before_it", 4, 100), NODES)
