"""Questions on captured clusters: every answer is that of the naive plan, and every wrong choice is false."""

from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import attrs
import pytest

from shadowtime.console.session import Session, load
from shadowtime.console.session.training import Answer, Drill, UnanswerableError, answer, letter_of
from shadowtime.scenarios import Question, cluster_folders
from shadowtime.scenarios.slurm import Capture, parse_hosts, read_capture
from tests.oracles.slurm.small import NOW
from tests.oracles.training import clusters as naive
from tests.session.slurm.clusters import random_capture

COURSES = Path(__file__).parents[3] / "scenarios" / "courses"
LESSONS = sorted((COURSES / "slurm").glob("0*.toml"))
OTHERS = [COURSES / "gpus" / "04-who-pays.toml", COURSES / "maintenance" / "02-a-window.toml"]
OTHERS += [COURSES / "priorities" / "01-points.toml"]
RANDOM, SEEDS = 40, 3
QUICK = 8
"""Random clusters of the quick test."""


class Bare(SimpleNamespace):
    """A case with nothing but a scenario; each is another one."""

    __hash__ = object.__hash__  # type: ignore[assignment]


def session_of(capture: Capture) -> Session:
    """A session with nothing but a cluster."""
    scenario = SimpleNamespace(cluster=capture, path=Path("random.toml"))
    return cast(Session, SimpleNamespace(case=Bare(scenario=scenario)))


def attempt(capture: Capture, ask: str, job: int | None, **more: Any) -> Answer | None:
    """The answer to a question; None if it has none."""
    try:
        return answer(session_of(capture), Question(0, ask, job, **more))
    except UnanswerableError:
        return None


def compare(capture: Capture, made: Answer) -> None:
    """Compare an answer and its choices with the naive plan."""
    question, now = made.question, capture.taken
    after = naive.changed(capture, question.do) if question.do else capture
    number = question.job or 0
    if question.ask == "not_running":
        true = naive.true_reasons(after, now, number)
        assert set(made.right) <= true, (question, true)
        assert not true & set(made.offered) - set(made.right), (question, true, made.offered)
    elif question.ask == "planned_start":
        assert made.right == (naive.start(after, now, number),), question
    elif question.ask == "planned_nodes":
        row = naive.first_row(after, now, number)
        assert row is not None and len(made.right) == 1
        same = [value for value in made.offered if frozenset(parse_hosts(str(value))) == row.nodes]
        assert same == [made.right[0]], question
    elif question.ask == "factor":
        assert set(made.right) == naive.largest(after, number), question
    elif question.ask == "sooner":
        assert set(made.right) == naive.helping(capture, now, number, question.among), question
    else:
        assert set(made.right) == naive.put_off(capture, now, question.do), question
    assert sum(made.holds(value) for value in made.offered) == 1


@pytest.mark.proof
@pytest.mark.parametrize("seeds", [range(1), pytest.param(range(1, SEEDS), marks=pytest.mark.proof)])
@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_answer_of_the_course_is_that_of_the_naive_plan(path: Path, seeds: range) -> None:
    """Of those that are written, and of those that some seeds draw."""
    asked = set()
    for seed in seeds:
        drill = Drill(load(path), seed)
        cluster = drill.session.case.scenario.cluster
        assert cluster is not None
        for made in drill.answers:
            assert isinstance(made, Answer)
            if (made.question.ask, made.question.job, made.question.do) not in asked:
                asked.add((made.question.ask, made.question.job, made.question.do))
                compare(cluster, made)


@pytest.mark.proof
@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.stem)
def test_answers_of_the_courses_after_it_are_those_of_the_naive_plan(path: Path) -> None:
    """With changes that the first course has not: nodes drained and reserved, more time for running jobs."""
    drill = Drill(load(path))
    cluster = drill.session.case.scenario.cluster
    assert cluster is not None
    for made in drill.answers:
        assert isinstance(made, Answer)
        compare(cluster, made)


@pytest.mark.proof
def test_every_job_of_the_shipped_cluster() -> None:
    """Why it does not run; when and where it starts is compared row by row elsewhere."""
    capture = read_capture(cluster_folders()[0])
    for number in naive.numbers(capture):
        made = attempt(capture, "not_running", number)
        assert made is not None
        compare(capture, made)


@pytest.mark.proof
@pytest.mark.parametrize("seeds", [range(QUICK), range(QUICK, RANDOM)])
def test_random_clusters(seeds: range) -> None:
    """Every kind of question about every job, and random changes."""
    kinds = dict[str, int]()
    for seed in seeds:
        capture, random = attrs.evolve(random_capture(seed), taken=NOW), Random(seed)
        # A question names a job by its number, and the components of a heterogeneous job share one.
        capture = attrs.evolve(capture, jobs=tuple(job for job in capture.jobs if not job.het_job))
        waiting = naive.numbers(capture)
        for number in waiting:
            others = [f"cancel {random.choice(waiting)}", f"job {number} limit=1m", f"job {number} nodes=1"]
            among = tuple(dict.fromkeys([*others, f"job {number} priority=5000"]))
            found = [
                attempt(capture, "not_running", number),
                attempt(capture, "planned_start", number),
                attempt(capture, "planned_nodes", number),
                attempt(capture, "sooner", number, among=among),
                attempt(capture, "put_off", None, do=random.choice(among)),
            ]
            for made in found:
                if made is not None and len(made.offered) > 1:
                    compare(capture, made)
                    kinds[made.question.ask] = kinds.get(made.question.ask, 0) + 1
    assert min(kinds.values()) >= len(seeds) and len(kinds) == 5, kinds


@pytest.mark.parametrize(
    ("place", "typed"),
    [(0, "22:46"), (0, "22:46:47"), (0, "11-23 22:46:40"), (1, "20:41:31")],
)
def test_a_start_is_typed_as_the_clock_shows_it(place: int, typed: str) -> None:
    """Within a minute."""
    drill = Drill(load(LESSONS[1]), 0)
    drill.begin(place)
    assert drill.give(typed).points == 3


def test_nodes_are_typed_in_any_order_and_what_is_no_answer_is_refused() -> None:
    """One line, and the question stays open."""
    drill = Drill(load(LESSONS[2]), 0)
    for text in ("n[1", "nowhere", "", "n[01-99]", "z"):
        with pytest.raises(Exception, match="is no answer; expected a to d, or nodes such as"):
            drill.give(text)
    assert drill.give("n36,n[44-47],big4,big[1-2]").points == 3
    assert drill.give(letter_of(drill.answer.offered.index(drill.answer.shown))).points == 3
