"""Sixty answers of the shipped courses, drawn by lot, recomputed by the naive schedulers."""

from collections.abc import Iterator
from random import Random

from shadowtime.console.session import Case, load
from shadowtime.console.session.training import Answer, answers_of, lessons_of, read_course
from shadowtime.scenarios import course_folders
from tests.oracles.jobs import Job
from tests.oracles.training.answers import Known, known, next_ends, next_starts, state
from tests.session.training.test_every_answer import POLICIES

COUNT = 60
POLICY = ("fcfs", "easy", "sjf", "ljf")
"""Those whose expected run is their promise; lessons that give them parameters are left out."""
ASKS = ("next_start", "start_time", "state", "next_event")


def cases() -> Iterator[tuple[Case, int]]:
    """The lessons of which the naive schedulers know all, those that draw under several seeds."""
    for folder in course_folders():
        for lesson in lessons_of(read_course(folder)):
            case = load(lesson.path)
            scenario = case.scenario
            plain = (
                scenario.cluster is None and scenario.machine.torus is None and not scenario.policy.parameters
            )
            if plain and case.policy in POLICY and not (scenario.outages or scenario.actions):
                yield from ((case, seed) for seed in range(3 if lesson.drawn else 1))


def jobs_of(case: Case) -> list[Job]:
    columns = case.columns
    rows = zip(columns.submit, columns.runtime, columns.size, columns.estimate, strict=True)
    return [Job(*row) for row in rows]


def naive_answer(case: Case, made: Answer, here: Known) -> set[object]:
    """The right answers to a question, by what is known at its instant."""
    ids, question = case.columns.id, made.question
    if question.ask == "next_start":
        return {ids[it] for it in next_starts(here)}
    if question.ask == "next_event":
        return {("finish", ids[it]) for it in next_ends(here)} or {None}
    assert question.job is not None
    job = case.index_of(question.job)
    return {state(here, job) if question.ask == "state" else here.starts[job]}


def test_sixty_answers_drawn_by_lot() -> None:
    """Of all that can be recomputed so, each course and kind among them."""
    found = [
        (case, made)
        for case, seed in cases()
        for made in answers_of(case, seed)
        if made.question.ask in ASKS and not made.question.do and made.pending
    ]
    lot = Random(60).sample(found, COUNT)
    assert {made.question.ask for _, made in lot} == set(ASKS)
    for case, made in lot:
        here = known(jobs_of(case), case.nodes, made.question.at, POLICIES[case.policy][1])
        place = case.scenario.path, made.question
        assert set(made.right) == naive_answer(case, made, here), place
        wrong = set(made.offered) - set(made.right)
        assert not wrong & naive_answer(case, made, here), place
