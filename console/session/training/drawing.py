"""Questions that a seed draws: their instants and jobs, from whatever the workload is.

The same scenario and the same seed give the same questions. Only a question that can be answered is drawn;
its answer is computed when it is asked, as that of any question.
"""

from collections.abc import Iterator, Sequence
from random import Random

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.session import Session
from shadowtime.console.session.training.answers import UnanswerableError, answer
from shadowtime.console.session.training.clusters.drawing import draw_jobs
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios import Question, format_time

TRIES = 40
"""Instants that are looked at for each question to draw."""
JOBS = 4
"""Jobs that are tried at an instant."""
CHOICES = 3
"""Choices that a drawn question has at least."""
DIFFICULTIES = {"": (1, None), "low": (1, 3), "medium": (4, 10), "high": (11, None)}
"""How many jobs wait after the pass, at least and at most."""


Seed = int | str
"""What settles choices and questions: a number as it was given, or a text derived from one."""


def exam_seed(number: int) -> Seed:
    """Return what settles an exam with the seed `number`.

    No drill, sheet or lecture of a number has it: none of them shows the questions that are drawn for the
    exam, or the order of its choices.
    """
    return f"exam {number}"


def questions_of(case: Case, seed: Seed) -> tuple[Question, ...]:
    """Return the questions of a lesson in order of their instants, with those that the seed draws.

    Of one instant those about its review come first.

    SessionError if a draw finds fewer questions than it is to find.
    """
    found = list[Question]()
    written = case.scenario.questions
    for place, question in enumerate(written):
        if not question.pick:
            found.append(question)
        elif question.about_a_cluster:
            random = Random(f"{seed} {case.scenario.path.stem} pick {place}")
            found += draw_jobs(case, question, random, [*written, *found])
        else:
            found += _draw(case, question, seed, place, found)
    return tuple(sorted(found, key=lambda it: (it.at, it.ask != "in_force")))


def _draw(case: Case, wanted: Question, seed: Seed, place: int, before: Sequence[Question]) -> list[Question]:
    """Draw the questions of one table. No job is asked about twice: one answer would give the other away."""
    random = Random(f"{seed} {case.scenario.path.stem} pick {place}")
    session, found = Session(case), list[Question]()
    for at, jobs in _instants(case, wanted, random):
        others = (*before, *found)
        tried: list[int | None]
        if wanted.about_a_job:
            tried = [job for job in jobs if all(it.job != job for it in others)]
        else:
            tried = [None] if all(it.at != at for it in others) else []
        for job in random.sample(tried, min(JOBS, len(tried))):
            made = attrs.evolve(wanted, at=at, job=job, pick=0)
            if _asks_well(session, made):
                found.append(made)
                break
        if len(found) == wanted.pick:
            return found
    raise SessionError(
        f"{case.scenario.path}:{wanted.line}: {len(found)} of {wanted.pick} {wanted.ask} questions can be"
        f" drawn from {format_time(wanted.start)} on; expected more instants at which as many jobs wait"
    )


def _instants(case: Case, wanted: Question, random: Random) -> Iterator[tuple[int, list[int]]]:
    """Yield instants of the wanted difficulty, in a random order, with the ids of the jobs to ask about.

    Half of them are instants of submissions, half those of the events after one.
    """
    last = wanted.until
    submits = [at for at in case.columns.submit if wanted.start <= at and (last is None or at <= last)]
    tries = sorted(random.sample(submits, min(len(submits), TRIES * wanted.pick)))
    least, most = DIFFICULTIES[wanted.difficulty]
    simulation, found = case.simulation(), list[tuple[int, list[int]]]()
    for at in dict.fromkeys(tries):
        simulation.run(until=at)
        upcoming = simulation.peek()
        if upcoming is not None and random.random() < 0.5 and (last is None or upcoming[0] <= last):
            simulation.run(until=upcoming[0])
        waiting = _waiting(case, simulation)
        if len(waiting) >= least and (most is None or len(waiting) <= most):
            found.append((simulation.now, [*waiting, *_others(case, simulation, wanted.ask)]))
    random.shuffle(found)
    yield from found


def _others(case: Case, simulation: Simulation, ask: str) -> list[int]:
    """Jobs beside those that wait: of a state or a place all with nodes, of a reason those just started."""
    active = (*simulation.running(), *simulation.held())
    ids = case.columns.id
    if ask in ("state", "row", "nodes"):
        return [ids[job] for job in active]
    return [ids[job] for job in active if ask == "why" and simulation.start_of(job) == simulation.now]


def _waiting(case: Case, simulation: Simulation) -> list[int]:
    return [case.columns.id[job] for job in simulation.waiting()]


def _asks_well(session: Session, question: Question) -> bool:
    """Whether a question can be answered at its moment, among enough choices."""
    session.go_time(question.at)
    last = session.snapshot().last
    if last is not None and last.kind == "pass" and last.time == question.at:
        session.go_event(session.number - 1)
    try:
        return len(answer(session, question).offered) >= CHOICES
    except UnanswerableError:
        return False
