"""Who is put off, beside a naive program that notes every prediction, and beside the page of a job."""

import random
from itertools import pairwise

import pytest

from shadowtime.console.session import open_session
from shadowtime.console.session.jobs import history
from shadowtime.console.session.jobs.put_off import PutOff
from shadowtime.console.session.session import Session
from tests.amount import many
from tests.console.operator import case
from tests.oracles.jobs import Workload, random_workload
from tests.oracles.put_off import Moved, expecting, planning, put_off
from tests.oracles.steered.case import Policy
from tests.oracles.steered.run import Steered
from tests.oracles.steered.workloads import crowded_case, random_case
from tests.session.build import case_under

FORECASTING: tuple[Policy, ...] = (
    ("fcfs", {}),
    ("easy", {}),
    ("easy", {"scan": "shortest"}),
    ("sjf", {}),
    ("conservative", {"compress": "replan"}),
    ("maui", {"windows": "widest"}),
    ("gang", {"quantum": 3}),
)


def found(session: Session, events: int | None = None) -> dict[int, PutOff]:
    work = session.forecasts.put_off(events).run()
    assert work is not None
    return {each.job: each for each in work}


def figures(job: PutOff) -> Moved:
    return Moved(job.times, job.most, job.at, job.event, job.slip)


@pytest.mark.parametrize("policy", FORECASTING, ids=lambda policy: "-".join(map(str, policy)))
def test_it_is_what_runs_at_the_limits_after_each_instant_give(policy: Policy) -> None:
    rng, moved = random.Random(f"put off {policy}"), 0
    for number in range(many(600)):
        crowded = number % 50 == 49
        made = crowded_case(rng, (policy,)) if crowded else random_case(rng, (policy,), switches=False)
        plain = made._replace(policy=policy, actions=(), outages=(), on_failure="kill")
        wanted = put_off(expecting(Steered(plain)))
        session = Session(case_under(Workload(plain.jobs, plain.nodes), *policy))
        assert {job: figures(each) for job, each in found(session).items()} == wanted
        moved += len(wanted)
    assert (moved > 0) is (policy != ("fcfs", {}))


def test_it_is_what_a_plan_has_after_each_instant() -> None:
    rng, moved = random.Random("plans"), 0
    for _ in range(many(3000)):
        jobs, nodes = random_workload(rng)
        wanted = put_off(planning(jobs, nodes, 4))
        session = Session(case_under(Workload(jobs, nodes), "flex", {"slack": 4}))
        got = {job: figures(each)._replace(event=wanted[job].event) for job, each in found(session).items()}
        assert got == wanted
        moved += len(wanted)
    assert moved


@pytest.mark.parametrize("policy", ["easy", "flex"])
def test_it_is_what_the_pages_of_the_jobs_show(policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "SAMPLES", 10**6)
    session = open_session(case("busy.swf").spoken(policy))
    session.go_end()
    everybody = found(session)
    assert everybody
    for index in range(len(session.case.jobs)):
        told = [each.time for each in session.forecasts.life_of(session.id_of(index)).run()]
        later = [after - before for before, after in pairwise(told) if after > before]
        of = everybody.get(index)
        assert (len(later), max(later, default=0)) == ((of.times, of.most) if of else (0, 0))


def test_only_the_last_events_count_if_their_number_is_given() -> None:
    session = open_session(case("busy.swf"))
    whole = found(session)
    worst = max(whole.values(), key=lambda each: each.most)
    session.go_event(worst.event)
    assert found(session, 0) == {}
    few = found(session, 20)
    assert figures(few[worst.job])[1:4] == figures(worst)[1:4]
    assert all(each.event > session.number - 20 for each in few.values())


def test_what_is_broken_off_finds_nothing() -> None:
    work = open_session(case("busy.swf")).forecasts.put_off()
    work.cancel()
    assert work.run() is None
