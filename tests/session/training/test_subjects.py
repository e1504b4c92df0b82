"""Rows, blocks, limits, reviews and actions: the answers against naive programs, on random workloads."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from shadowtime.console.session import Session, load
from shadowtime.console.session.training import Answer, UnanswerableError, answer
from shadowtime.console.session.training.drill import places_of
from shadowtime.console.session.training.questions.placing import SHAPES, bases, written
from shadowtime.scenarios import Question
from shadowtime.scenarios.nodes import parse_nodes
from tests.oracles.gang.policy import gang_of, passes
from tests.oracles.jobs import Job
from tests.oracles.space.meta import pbas, wbas
from tests.oracles.space.orders import dynp_switches
from tests.oracles.steered.case import Action, Case
from tests.oracles.steered.expected import acting, expected, impact, to_the_end
from tests.oracles.steered.run import Steered
from tests.oracles.torus.jobs import Moment, T3DJob
from tests.oracles.torus.machine import Block, blocks
from tests.oracles.torus.t3d import watch
from tests.oracles.torus.workloads import random_jobs
from tests.oracles.training.limits import exceeded, may_be_true

EXAMPLES = int(os.environ.get("SHADOWTIME_EXAMPLES", "12"))


def workload(random: Random, nodes: int) -> list[Job]:
    submit, jobs = 0, []
    for _ in range(random.randint(3, 12)):
        submit += random.choice((0, 1, 5, 20))
        estimate = random.randint(1, 60)
        runtime = random.choice((estimate, random.randint(1, estimate)))
        jobs.append(Job(submit, runtime, random.randint(1, nodes), estimate))
    return jobs


def written_jobs(jobs: Sequence[Job | T3DJob]) -> str:
    """The jobs as a scenario has them, with ids from 1 on."""
    text = ""
    for number, job in enumerate(jobs, 1):
        text += f"[[job]]\nid={number}\nsize={job.size}\nsubmit={job.submit}\n"
        text += f"runtime={job.runtime}\nestimate={job.estimate}\n"
        if isinstance(job, T3DJob):
            text += f'class="{job.klass}"\nuser="u{job.user}"\n'
    return text


def attempt(session: Session, question: Question) -> Answer | None:
    try:
        return answer(session, question)
    except UnanswerableError:
        return None


def at_passes(session: Session) -> Iterator[int]:
    """Go to each place at which a pass is due; yield its instant."""
    while session.step():
        if session.snapshot().pending:
            yield session.time


@pytest.mark.proof
@pytest.mark.parametrize("packing", ["buddy", "first", "best"])
def test_rows_and_nodes_are_those_of_the_naive_matrix(tmp_path: Path, packing: str) -> None:
    random, path, asked = Random(packing), tmp_path / "gang.toml", 0
    for _ in range(EXAMPLES):
        nodes, unify = random.randint(3, 17), random.random() < 0.5
        jobs = workload(random, nodes)
        text = f'name="gang"\nquantum=7\npacking="{packing}"\nunify={str(unify).lower()}\n'
        path.write_text(f"[machine]\nnodes={nodes}\n[policy]\n{text}{written_jobs(jobs)}")
        naive = gang_of(jobs, nodes, quantum=7, packing=packing, unify=unify)
        matrices = {now: naive.moment(now).rows for now in passes(naive)}
        session = Session(load(path))
        for now in at_passes(session):
            rows = matrices[now]
            for number, row in enumerate(rows):
                for job, columns in row:
                    made = answer(session, Question(now, "row", job + 1))
                    assert made.right == (number,) and len(set(made.offered) & {number}) == 1
                    made = answer(session, Question(now, "nodes", job + 1))
                    found = [node for a, b in parse_nodes(str(made.shown)) for node in range(a, b)]
                    assert tuple(found) == columns
                    asked += 1
            placed = {job for row in rows for job, _ in row}
            for job in range(len(jobs)):
                if job not in placed:
                    assert attempt(session, Question(now, "row", job + 1)) is None
    assert asked > 5 * EXAMPLES


def test_the_blocks_are_those_of_the_torus() -> None:
    """Of every size, in order of their bases."""
    for size in SHAPES:
        named = [f"at {z}{y}{x}" for (z, y, x), _ in blocks(size)]
        assert [written(base) for base in bases(size)] == named


@pytest.mark.proof
@pytest.mark.parametrize("nqs", [None, "before", "after"])
def test_blocks_limits_and_reasons_are_those_of_the_naive_t3d(tmp_path: Path, nqs: str | None) -> None:
    """Every wrong choice is false, and every limit is counted a second time."""
    random, path, counts = Random(f"t3d {nqs}"), tmp_path / "t3d.toml", {"nodes": 0, "limit": 0, "why": 0}
    for _ in range(EXAMPLES):
        jobs = random_jobs(random, random.randint(5, 25), random.choice((30, 600)), 2000)
        front = "" if nqs is None else f'[nqs]\nlimits="{nqs}"\n'
        machine = '[machine]\ntorus=[8,4,8]\nunit="processor"\nper_node=2\n[policy]\nname="t3d"\n'
        path.write_text(machine + front + written_jobs(jobs))
        outcome, seen = watch(jobs, nqs=nqs)
        moments = {moment.now: moment for moment in seen}
        session = Session(load(path))
        for now in at_passes(session):
            here = moments.get(now)
            for job in range(len(jobs)) if here is not None else ():
                assert here is not None
                if here.states[job] == "":
                    continue
                kinds = check_job(session, jobs, here, nqs, job)
                if here.states[job] in "NWO":
                    made = answer(session, Question(now, "why", job + 1))
                    possible = may_be_true(jobs, here, outcome.history, nqs, job)
                    assert not possible & (set(map(str, made.offered)) - set(map(str, made.right)))
                    kinds.append("why")
                for kind in kinds:
                    counts[kind] += 1
    assert all(count > EXAMPLES for count in counts.values()), counts


def check_job(session: Session, jobs: Sequence[T3DJob], here: Moment, nqs: str | None, job: int) -> list[str]:
    """Compare the block and the limits of a job; return what could be asked."""
    block, found = here.blocks[job], []
    made = attempt(session, Question(here.now, "nodes", job + 1))
    if isinstance(block, Block) and here.states[job] in "WiRo":
        z, y, x = block.base
        assert made is not None and made.right == (f"at {z}{y}{x}",), (here, job)
        found.append("nodes")
    made = attempt(session, Question(here.now, "limit", job + 1))
    if here.states[job] in "NO":
        over = exceeded(jobs, here, nqs, job)
        assert made is not None and set(made.right) - {None} == over, (here, job)
        assert not over & (set(made.offered) - set(made.right))
        found.append("limit")
    return found


@pytest.mark.proof
def test_what_an_action_delays_is_the_impact_of_the_naive_program(tmp_path: Path) -> None:
    """Under FCFS, EASY and conservative backfilling, for every action on jobs and for drains."""
    random, path, counts = Random(5), tmp_path / "steered.toml", {True: 0, False: 0}
    for _ in range(EXAMPLES):
        policy = random.choice(("fcfs", "easy", "conservative"))
        nodes = random.randint(3, 12)
        jobs = workload(random, nodes)
        path.write_text(f'[machine]\nnodes={nodes}\n[policy]\nname="{policy}"\n{written_jobs(jobs)}')
        session, naive = Session(load(path)), Steered(Case(jobs, nodes, (policy, {})))
        while session.step():
            assert naive.step() is not None
            do, action = random_action(random, len(jobs), nodes)
            rows = impact(naive, [action])
            made = attempt(session, Question(session.time, "delayed", do=do))
            assert (rows is None) == (made is None), (do, path.read_text())
            if rows is None or made is None:
                continue
            late = {
                row.job + 1: delay
                for row in rows
                if row.job != action.job and (delay := later(row.before, row.after)) > 0
            }
            right = {job for job, delay in late.items() if delay == max(late.values())}
            assert set(made.right) - {None} == right, (do, session.time, path.read_text())
            assert not right & (set(made.offered) - {made.shown})
            counts[bool(late)] += 1
    assert min(counts.values()) > EXAMPLES


def random_action(random: Random, jobs: int, nodes: int) -> tuple[str, Action]:
    """An action, as it is typed, and as the naive program has it; many are refused."""
    do = random.choice(("hold", "cancel", "suspend", "start", "drain", "down"))
    if do in ("drain", "down"):
        node = random.randrange(nodes)
        return f"{do} {node}", Action(do, nodes=(node,))
    job = random.randrange(jobs)
    return f"{do} {job + 1}", Action(do, job=job)


def later(before: int | None, after: int | None) -> float:
    """How much later something comes; without end if it comes no more."""
    if before is None:
        return 0
    return float("inf") if after is None else after - before


@pytest.mark.proof
def test_a_remedy_is_one_in_the_naive_program(tmp_path: Path) -> None:
    """Each of the actions is tried there, too."""
    random, path, counts = Random(6), tmp_path / "steered.toml", {True: 0, False: 0}
    for _ in range(2 * EXAMPLES):
        nodes = random.randint(3, 12)
        jobs = workload(random, nodes)
        path.write_text(f'[machine]\nnodes={nodes}\n[policy]\nname="easy"\n{written_jobs(jobs)}')
        session, naive = Session(load(path)), Steered(Case(jobs, nodes, ("easy", {})))
        while session.step():
            assert naive.step() is not None
            queue = session.fork_simulation().waiting()
            start = to_the_end(expected(naive)).world.records[queue[0]].start if queue else None
            if start is None or start <= session.time:
                continue
            job, by = queue[0], random.randint(session.time, start - 1)
            actions = dict(random_action(random, len(jobs), nodes) for _ in range(12))
            tried = dict(list(actions.items())[:4])
            helps = {do for do, action in tried.items() if in_time(naive, action, job, by)}
            question = Question(session.time, "remedy", job + 1, by=by, among=tuple(tried))
            made = attempt(session, question)
            assert (set() if made is None else set(made.right)) == helps, (question, path.read_text())
            counts[bool(helps)] += 1
    assert min(counts.values()) > EXAMPLES / 2


def in_time(naive: Steered, action: Action, job: int, by: int) -> bool:
    """Whether a job starts by an instant if an action is done now."""
    other = acting(expected(naive), [action])
    start = None if other is None else to_the_end(other).world.records[job].start
    return start is not None and start <= by


POLICIES = {
    "pbas": 'name="pbas"\ncandidates=["fcfs","easy","conservative"]\nframe=25\n',
    "wbas": 'name="wbas"\nwide="easy"\nnarrow="fcfs"\nframe=25\n',
    "dynp": 'name="dynp"\nlower=20\nupper=30\nthreshold=2\n',
}


@pytest.mark.parametrize("policy", POLICIES)
def test_a_review_puts_in_force_what_the_naive_program_does(tmp_path: Path, policy: str) -> None:
    """At every review of PBAS and WBAS, and at every pass of dynP."""
    random, path, asked = Random(policy), tmp_path / "reviews.toml", 0
    for _ in range(EXAMPLES):
        nodes = random.randint(3, 12)
        jobs = workload(random, nodes)
        path.write_text(f"[machine]\nnodes={nodes}\n[policy]\n{POLICIES[policy]}{written_jobs(jobs)}")
        changes, in_force = reviewed(policy, jobs, nodes)
        case, session = load(path), Session(load(path))
        instants = set()
        while session.step():
            instants.add(session.time)
        for at in sorted(instants):
            question = Question(at, "in_force")
            (place,) = places_of(case.simulation(), [question])
            session.go_event(place)
            made = attempt(session, question)
            in_force = changes.get(at, in_force)
            if made is not None:
                assert made.right == (in_force,), (at, path.read_text())
                asked += 1
    assert asked > 2 * EXAMPLES


def reviewed(policy: str, jobs: list[Job], nodes: int) -> tuple[dict[int, str], str]:
    """What the naive program puts in force, by instant, and what it begins with."""
    if policy == "dynp":
        return dict(dynp_switches(jobs, nodes, 20, 30, 2)), "fcfs"
    if policy == "wbas":
        names = ("easy", "fcfs")
        switches = wbas(jobs, nodes, ("easy", {}), ("fcfs", {}), 25).switches
        return {at: names[place] for at, place in switches}, "fcfs"
    names_of = ("fcfs", "easy", "conservative")
    found = pbas(jobs, nodes, [(name, {}) for name in names_of], 25).switches
    return {at: names_of[place] for at, place in found}, "fcfs"
