"""Impact and advice agree with the naive program, on random snapshots and random actions."""

import random
from collections.abc import Iterable, Sequence

import pytest

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.impact.advice import AdviceWork, Advised
from shadowtime.console.session.impact.rows import JobChange
from shadowtime.console.session.operator.here import typed_action
from shadowtime.console.session.session import Session
from shadowtime.scenarios import Action, parse_duration
from tests.amount import many
from tests.oracles.jobs import Workload
from tests.oracles.steered import case as naive
from tests.oracles.steered.expected import Moved, acting, asking, expected, impact, moved, to_the_end
from tests.oracles.steered.run import Steered, steps
from tests.oracles.steered.workloads import crowded_case, random_case
from tests.session.build import FIRST_ID, case_under

POLICIES: tuple[naive.Policy, ...] = (
    ("easy", {}),
    ("conservative", {}),
    ("sjf", {}),
    ("gang", {"quantum": 3}),
)
DOING = ("hold", "suspend", "start", "cancel", "priority", "drain", "down", "policy")


def snapshot(rng: random.Random, policy: naive.Policy, crowded: bool) -> tuple[Steered, Session]:
    """The same random run at the same random event, as the naive program and as a session have it."""
    made = crowded_case(rng, (policy,)) if crowded else random_case(rng, (policy,), switches=False)
    case = made._replace(actions=(), outages=(), on_failure="kill")
    run = Steered(case)
    last = rng.randint(0, sum(1 for _ in steps(Steered(case))))
    for _ in range(last):
        run.step()
    session = Session(session_case(case))
    session.go_event(last)
    return run, session


def session_case(case: naive.Case) -> Case:
    """The case of a session for a naive one."""
    return case_under(Workload(case.jobs, case.nodes), *case.policy)


def random_action(rng: random.Random, case: naive.Case) -> tuple[str, naive.Action]:
    """An action as it is typed, and as the naive program takes it; its event is still to be named."""
    do, row = rng.choice(DOING), rng.randrange(len(case.jobs))
    if do in ("drain", "down"):
        first = rng.randrange(case.nodes)
        last = rng.randint(first, case.nodes - 1)
        return f"{do} {first}-{last}", naive.Action(do, nodes=tuple(range(first, last + 1)))
    if do == "policy":
        policy = rng.choice(POLICIES)
        settings = ",".join(f"{key}={value}" for key, value in policy[1].items())
        return f"policy {policy[0]}{':' if settings else ''}{settings}", naive.Action(do, policy=policy)
    to = rng.randint(-2, 2) if do == "priority" else 0
    return f"{do} {FIRST_ID + row}" + (f" {to}" if do == "priority" else ""), naive.Action(do, job=row, to=to)


def at_limits(rows: Iterable[JobChange]) -> set[tuple[int, str, int | None, int | None]]:
    """What moves at the limits; other rows move in samples alone."""
    return {(row.index, row.what, row.before, row.after) for row in rows if row.before != row.after}


def agree(rng: random.Random, policy: naive.Policy, crowded: bool) -> int:
    """Compare some actions at a snapshot; return how many were not refused."""
    run, session = snapshot(rng, policy, crowded)
    done = 0
    for _ in range(4):
        pairs = [random_action(rng, run.case) for _ in range(rng.choice((1, 1, 2)))]
        typed, actions = zip(*pairs, strict=True)
        wanted = impact(run, [action._replace(after=len(run.events)) for action in actions])
        if wanted is None:
            with pytest.raises(SessionError):
                session.impact(*typed)
            continue
        done += 1
        found = session.impact(*typed)
        assert at_limits(found.rows) == set(wanted), typed
        assert all(row.job == FIRST_ID + row.index for row in found.rows)
        delays = [row.change for row in found.rows if row.change is not None]
        # With samples the likely change orders the rows.
        assert found.odds.samples or delays == sorted(delays, reverse=True)
    return done


@pytest.mark.proof
@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy[0])
def test_impact_agrees(policy: naive.Policy) -> None:
    rng = random.Random(f"impact {policy[0]}")
    assert sum(agree(rng, policy, crowded=n % 25 == 0) for n in range(100)) > 50


@pytest.mark.proof
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy[0])
def test_many_impacts_agree(policy: naive.Policy, part: int) -> None:
    rng = random.Random(f"impact {policy[0]} {part}")
    for n in range(many(500)):
        agree(rng, policy, crowded=n % 25 == 0)


def naive_advice(run: Steered, job: int, do: Sequence[str], start: int) -> tuple[int | None, list[Moved]]:
    """When a job starts with a piece of advice, and what it changes for the others, by the naive program."""
    here = expected(run)
    actions = [] if do[0].split()[0] in ("size", "estimate") else [typed_action(text) for text in do]
    if not actions:
        word, _, value = do[0].split()
        was = here.world.jobs[job]
        size = int(value) if word == "size" else was.size
        estimate = was.estimate if word == "size" else parse_duration(value)
        other = asking(here, job, size, estimate)
    else:
        other = acting(here, [naive_action(each, len(here.events) + n) for n, each in enumerate(actions)])
    assert other is not None
    back = {"hold": "release", "suspend": "resume"}
    later = [
        naive.Action(back[each.do], at=start + 1, job=(each.job or 0) - FIRST_ID)
        for each in actions
        if each.do in back
    ]
    if later:
        number = len(other.case.actions)
        other.case = other.case._replace(actions=(*other.case.actions, *later))
        other.timed = [(start + 1, number + n) for n in range(len(later))]
    after = to_the_end(other)
    return after.world.records[job].start, [
        row for row in moved(run, to_the_end(expected(run)), after) if row.job != job
    ]


def naive_action(action: Action, after: int) -> naive.Action:
    """An action of advice as the naive program takes it."""
    job = None if action.job is None else action.job - FIRST_ID
    return naive.Action(action.do, after=after, job=job, to=action.to if isinstance(action.to, int) else 0)


def check_advice(run: Steered, session: Session, job: int, by: int) -> Advised:
    """Compare every piece of advice with the naive program."""
    found = AdviceWork(session.outlook(), FIRST_ID + job, by).run()
    assert found is not None
    before = to_the_end(expected(run))
    assert found.start == before.world.records[job].start
    for advice in found.advice:
        start, rows = naive_advice(run, job, advice.do, advice.start)
        assert start == advice.start <= by, advice.do
        assert at_limits(advice.payers) == set(rows), advice.do
    costs = [(each.asks, each.totals.never_jobs, each.totals.delay_total) for each in found.advice]
    # With samples, what likely costs the others least is first.
    assert any(each.likely for each in found.advice) or costs == sorted(costs)
    return found


def cheapest_single(run: Steered, job: int, by: int) -> int | None:
    """The least delay of others by starting the job at once, or putting it first; None if neither helps."""
    costs = []
    for action in (naive.Action("start", job=job), naive.Action("priority", job=job, to=1)):
        here = expected(run)
        other = acting(here, [action._replace(after=len(here.events))])
        if other is None:
            continue
        after = to_the_end(other)
        start = after.world.records[job].start
        if start is not None and start <= by:
            rows = moved(run, to_the_end(expected(run)), after)
            costs.append(sum(max(delay(row), 0) for row in rows if row.job != job))
    return min(costs, default=None)


def delay(row: Moved) -> int:
    """Seconds later; 0 from or to never."""
    return 0 if row.before is None or row.after is None else row.after - row.before


def advise(rng: random.Random, policy: naive.Policy, crowded: bool) -> int:
    """Ask for advice for a waiting job at a snapshot; return the pieces that were given."""
    run, session = snapshot(rng, policy, crowded)
    waiting = [job for job in run.world.queue() if run.world.records[job].state == "N"]
    if not waiting:
        return 0
    job = rng.choice(waiting)
    start = to_the_end(expected(run)).world.records[job].start
    by = run.world.now + rng.randint(0, max(0, (start or run.world.now) - run.world.now))
    found = check_advice(run, session, job, by)
    best = cheapest_single(run, job, by)
    if found.needed and best is not None:
        assert min(each.totals.delay_total for each in found.advice) <= best
    return len(found.advice)


@pytest.mark.proof
@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy[0])
def test_advice_agrees(policy: naive.Policy) -> None:
    rng = random.Random(f"advice {policy[0]}")
    assert sum(advise(rng, policy, crowded=n % 10 == 0) for n in range(80)) > 10


@pytest.mark.proof
@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy[0])
def test_much_advice_agrees(policy: naive.Policy) -> None:
    rng = random.Random(f"much advice {policy[0]}")
    for n in range(many(1000)):
        advise(rng, policy, crowded=n % 20 == 0)


@pytest.mark.parametrize(("job", "number"), [(31, 31), ("31", 31), ("12_3", 12), ("12_*", 12), ("12+1", 12)])
def test_a_task_and_a_component_have_the_number_of_their_job(job: int | str, number: int) -> None:
    """As a user names it."""
    assert JobChange(0, job, "kim", 1, "start", 0, 60).number == number
