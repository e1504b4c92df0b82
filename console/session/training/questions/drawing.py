"""Drawing questions: their instants and jobs, from whatever the workload is, or out of all that wait.

Only a question that can be answered is drawn; its answer is computed when it is asked, as that of any other.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import islice
from random import Random

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.session import Session
from shadowtime.console.session.training.questions.kind import QuestionKind
from shadowtime.scenarios import Question, format_time
from shadowtime.scenarios.slurm.changes import number_of

TRIES = 40
"""Instants that are looked at for each question to draw, before all others are."""
JOBS = 4
"""Jobs that are tried at an instant."""
DIFFICULTIES = {"": (1, None), "low": (1, 3), "medium": (4, 10), "high": (11, None)}
"""How many jobs wait after the pass, at least and at most."""

Drawn = list[Question]


def draw(
    kind: QuestionKind, case: Case, wanted: Question, random: Random, before: Sequence[Question]
) -> Drawn:
    """Draw the questions of one table. SessionError if too few can be drawn."""
    drawn = _of_jobs if wanted.about_a_cluster else _of_instants
    return drawn(kind, case, wanted, random, before)


def _of_instants(
    kind: QuestionKind, case: Case, wanted: Question, random: Random, before: Sequence[Question]
) -> Drawn:
    """Draw instants. No job is asked about twice: one answer would give the other away."""
    session, found = Session(case), Drawn()

    def candidates() -> Iterator[Question]:
        for at, jobs in _instants(kind, case, wanted, random):
            others = (*before, *found)
            tried: list[int | None]
            if wanted.about_a_job:
                tried = [job for job in jobs if all(it.job != job for it in others)]
            else:
                tried = [None] if all(it.at != at for it in others) else []
            for job in random.sample(tried, min(JOBS, len(tried))):
                made = attrs.evolve(wanted, at=at, job=job, pick=0)
                _go(session, made.at)
                if (whole := kind.completed(session, made, random)) is not None:
                    yield whole
                    if found[-1:] == [whole]:
                        break

    def fresh(one: Question) -> bool:
        return all(it.at != one.at and (one.job is None or it.job != one.job) for it in found)

    few = f" drawn from {format_time(wanted.start)} on; expected more instants at which as many jobs wait"
    return _chosen(kind, session, wanted, random, candidates(), fresh, found, few)


def _chosen(
    kind: QuestionKind, session: Session, wanted: Question, random: Random, candidates: Iterator[Question],
    fresh: Callable[[Question], bool], found: Drawn, few: str,
) -> Drawn:  # fmt: skip
    """Draw candidates into `found`: of those looked at, of the sort that was drawn least.

    SessionError, which ends with `few`, if there are too few.
    """
    most = wanted.pick
    looked = [(kind.sort_of(kind.answer(session, it)), it) for it in islice(candidates, kind.looked * most)]
    used = Counter[Hashable]()
    order = {code: random.random() for code in dict.fromkeys(it for it, _ in looked)}
    while len(found) < most and (left := [each for each in looked if fresh(each[1])]):
        code, one = min(left, key=lambda each: (each[0] is None, used[each[0]], order[each[0]]))
        used[code] += 1
        found.append(one)
    while len(found) < most and (other := next(filter(fresh, candidates), None)) is not None:
        found.append(other)
    if len(found) == most:
        return found
    place = f"{session.case.scenario.path}:{wanted.line}"
    raise SessionError(f"{place}: {len(found)} of {most} {wanted.ask} questions can be{few}")


def _instants(
    kind: QuestionKind, case: Case, wanted: Question, random: Random
) -> Iterator[tuple[int, list[int]]]:
    """Yield instants of the wanted difficulty, in a random order, with the ids of the jobs to ask about.

    Half of them are instants of submissions, half those of the events after one.
    """
    last = wanted.until
    least, most = DIFFICULTIES[wanted.difficulty]
    submits = [at for at in case.columns.submit if wanted.start <= at and (last is None or at <= last)]
    tries = random.sample(submits, min(len(submits), TRIES * wanted.pick))
    for some in ({*tries}, {*submits}.difference(tries)):
        simulation, found = case.simulation(), list[tuple[int, list[int]]]()
        for at in sorted(some):
            simulation.run(until=at)
            upcoming = simulation.peek()
            if upcoming is not None and random.random() < 0.5 and (last is None or upcoming[0] <= last):
                simulation.run(until=upcoming[0])
            waiting = simulation.waiting()
            if len(waiting) >= least and (most is None or len(waiting) <= most):
                jobs = (*waiting, *kind.beside(case, simulation))
                found.append((simulation.now, [case.columns.id[job] for job in jobs]))
        random.shuffle(found)
        yield from found


def _go(session: Session, at: int) -> None:
    """Stand where a question of an instant is asked: before its pass."""
    session.go_time(at)
    last = session.snapshot().last
    if last is not None and last.kind == "pass" and last.time == at:
        session.go_event(session.number - 1)


def _of_jobs(
    kind: QuestionKind, case: Case, wanted: Question, random: Random, before: Sequence[Question]
) -> Drawn:
    """Draw jobs of a cluster. No job of the lesson is asked about, or changed, twice."""
    capture = case.scenario.cluster
    assert capture is not None
    asked = {question.job for question in (*case.scenario.questions, *before)}
    numbers = sorted({number_of(job) for job in capture.jobs if job.waiting} - asked)
    session, found = Session(case), Drawn()
    candidates = (
        made
        for number in random.sample(numbers, len(numbers))
        if (made := kind.completed(session, attrs.evolve(wanted, job=number, pick=0), random)) is not None
    )

    def fresh(one: Question) -> bool:
        # A change need not be one of the job: two jobs may draw the same one.
        about = (one.ask, one.job, one.do)
        return all((it.ask, it.job, it.do) != about for it in (*before, *found))

    few = " drawn; expected more jobs about which the plan has an answer"
    return _chosen(kind, session, wanted, random, candidates, fresh, found, few)
