"""Drawing questions: their instants and jobs, from whatever the workload is, or out of all that wait.

Only a question that can be answered is drawn; its answer is computed when it is asked, as that of any other.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.session import Session
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios import Question, format_time
from shadowtime.scenarios.slurm.changes import number_of

TRIES = 40
"""Instants that are looked at for each question to draw, before all others are."""
JOBS = 4
"""Jobs that are tried at an instant."""
DIFFICULTIES = {"": (1, None), "low": (1, 3), "medium": (4, 10), "high": (11, None)}
"""How many jobs wait after the pass, at least and at most."""

Drawn = list[Question]
Completed = Callable[[Session, Question, Random], Question | None]
"""Returns a question as it can be asked where a session stands; None if it cannot be answered there."""


class Sorts(NamedTuple):
    """How a draw chooses."""

    looked: int
    """Of how many candidates each question is chosen; 0 to take them as they come."""
    sort: Callable[[Session, Question], Hashable]
    """In what the drawn ones are to differ; None for a candidate that is drawn only if there is no other."""


def draw_instants(
    case: Case,
    wanted: Question,
    random: Random,
    before: Sequence[Question],
    beside: Callable[[Case, Simulation], Sequence[int]],
    completed: Completed,
    sorts: Sorts,
) -> Drawn:
    """Draw the questions of one table. No job is asked about twice: one answer would give the other away."""
    session, found = Session(case), Drawn()

    def candidates() -> Iterator[Question]:
        for at, jobs in _instants(case, wanted, random, beside):
            others = (*before, *found)
            tried: list[int | None]
            if wanted.about_a_job:
                tried = [job for job in jobs if all(it.job != job for it in others)]
            else:
                tried = [None] if all(it.at != at for it in others) else []
            for job in random.sample(tried, min(JOBS, len(tried))):
                made = attrs.evolve(wanted, at=at, job=job, pick=0)
                _go(session, made.at)
                if (whole := completed(session, made, random)) is not None:
                    yield whole
                    if found[-1:] == [whole]:
                        break

    def fresh(one: Question) -> bool:
        return all(it.at != one.at and (one.job is None or it.job != one.job) for it in found)

    _choose(candidates(), found, wanted.pick, random, fresh, session, sorts)
    if len(found) == wanted.pick:
        return found
    raise SessionError(
        f"{case.scenario.path}:{wanted.line}: {len(found)} of {wanted.pick} {wanted.ask} questions can be"
        f" drawn from {format_time(wanted.start)} on; expected more instants at which as many jobs wait"
    )


def _choose(
    candidates: Iterator[Question],
    found: Drawn,
    most: int,
    random: Random,
    fresh: Callable[[Question], bool],
    session: Session,
    sorts: Sorts,
) -> None:
    """Draw so many candidates into `found`: of those looked at, of the sort that was drawn least."""
    looked = [(sorts.sort(session, it), it) for it in islice(candidates, sorts.looked * most)]
    used = Counter[Hashable]()
    order = {code: random.random() for code in dict.fromkeys(it for it, _ in looked)}
    while len(found) < most and (left := [each for each in looked if fresh(each[1])]):
        code, one = min(left, key=lambda each: (each[0] is None, used[each[0]], order[each[0]]))
        used[code] += 1
        found.append(one)
    while len(found) < most and (other := next(filter(fresh, candidates), None)) is not None:
        found.append(other)


def _instants(
    case: Case, wanted: Question, random: Random, beside: Callable[[Case, Simulation], Sequence[int]]
) -> Iterator[tuple[int, list[int]]]:
    """Yield instants of the wanted difficulty, in a random order, with the ids of the jobs to ask about.

    Half of them are instants of submissions, half those of the events after one.
    """
    last = wanted.until
    submits = [at for at in case.columns.submit if wanted.start <= at and (last is None or at <= last)]
    tries = random.sample(submits, min(len(submits), TRIES * wanted.pick))
    for some in (tries, set(submits).difference(tries)):
        yield from _fitting(case, wanted, random, beside, sorted(some))


def _fitting(
    case: Case,
    wanted: Question,
    random: Random,
    beside: Callable[[Case, Simulation], Sequence[int]],
    tries: Sequence[int],
) -> Iterator[tuple[int, list[int]]]:
    """Yield those of some instants, in order, that are of the wanted difficulty."""
    last = wanted.until
    least, most = DIFFICULTIES[wanted.difficulty]
    simulation, found = case.simulation(), list[tuple[int, list[int]]]()
    for at in dict.fromkeys(tries):
        simulation.run(until=at)
        upcoming = simulation.peek()
        if upcoming is not None and random.random() < 0.5 and (last is None or upcoming[0] <= last):
            simulation.run(until=upcoming[0])
        waiting = simulation.waiting()
        if len(waiting) >= least and (most is None or len(waiting) <= most):
            jobs = (*waiting, *beside(case, simulation))
            found.append((simulation.now, [case.columns.id[job] for job in jobs]))
    random.shuffle(found)
    yield from found


def _go(session: Session, at: int) -> None:
    """Stand where a question of an instant is asked: before its pass."""
    session.go_time(at)
    last = session.snapshot().last
    if last is not None and last.kind == "pass" and last.time == at:
        session.go_event(session.number - 1)


def draw_jobs(
    case: Case,
    wanted: Question,
    random: Random,
    before: Sequence[Question],
    completed: Completed,
    sorts: Sorts,
) -> Drawn:
    """Draw the questions of one table. No job of the lesson is asked about, or changed, twice.

    SessionError if there are too few jobs about which the question has an answer.
    """
    capture = case.scenario.cluster
    assert capture is not None
    asked = {question.job for question in (*case.scenario.questions, *before)}
    numbers = sorted({number_of(job) for job in capture.jobs if job.waiting} - asked)
    session, found = Session(case), Drawn()
    candidates = (
        made
        for number in random.sample(numbers, len(numbers))
        if (made := completed(session, attrs.evolve(wanted, job=number, pick=0), random)) is not None
    )

    def fresh(one: Question) -> bool:
        # A change need not be one of the job: two jobs may draw the same one.
        about = (one.ask, one.job, one.do)
        return all((it.ask, it.job, it.do) != about for it in (*before, *found))

    _choose(candidates, found, wanted.pick, random, fresh, session, sorts)
    if len(found) == wanted.pick:
        return found
    raise SessionError(
        f"{case.scenario.path}:{wanted.line}: {len(found)} of {wanted.pick} {wanted.ask} questions can be"
        " drawn; expected more jobs about which the plan has an answer"
    )
