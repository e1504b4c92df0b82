"""What the kernel's numbers stand for: no row, no number of an order, no millionth leaves the session."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from shadowtime.console.session.facts import Decision
from shadowtime.console.session.jobs.names import Names
from shadowtime.console.session.session import Session
from tests.oracles.jobs import Job, Workload
from tests.session.build import FIRST_ID, case_under

LONG, SHORT = 12_000, 600
MIXED = Workload(
    [Job(0, 5000, 4, LONG), *(Job(10 + i, 400, 2, LONG if i % 3 else SHORT) for i in range(12))], 4
)
"""A full machine and a queue of long and short jobs, by turns."""


def run(policy: str, **parameters: object) -> Session:
    """A session of that workload under a policy."""
    return Session(case_under(MIXED, policy, parameters))


def decisions(session: Session) -> Iterator[Decision]:
    """Every decision of a run, from the first event on."""
    session.go_start()
    while session.step():
        event = session.snapshot().last
        assert event is not None
        yield from event.decisions


def test_a_decision_about_the_policy_has_no_job_and_names_the_orders() -> None:
    """dynP's switches carry the names of the orders, the sum of the estimates and the bounds."""
    switches = [made for made in decisions(run("dynp")) if made.kind == "switch"]
    assert switches
    for made in switches:
        assert made.job is None
        assert made.reason.code == "aert"
        assert {made.reason.numbers["was"], made.reason.numbers["becomes"]} <= {"fcfs", "sjf", "ljf"}
    assert switches[0].reason.numbers["was"] == "fcfs"


def test_a_decision_about_the_policy_changes_no_job() -> None:
    """What an event without a job decided about the policy makes no job stand out."""
    session = run("dynp")
    while session.step():
        shot = session.snapshot()
        if shot.last is not None and shot.last.kind == "switch_policy":
            assert shot.changed == frozenset()
            assert shot.last.job is None
            return
    raise AssertionError("the policy never switched")


def test_reviews_name_the_candidates_and_score_in_plain_numbers() -> None:
    """PBAS and WBAS name schedulers, shares as fractions, sizes in nodes."""
    pbas = run("pbas", candidates=["flex", {"name": "maui", "windows": "widest"}], frame=1000)
    reviews = [made for made in decisions(pbas) if made.job is None]
    assert {made.kind for made in reviews} <= {"switch", "keep"} and reviews
    for made in reviews:
        numbers = made.reason.numbers
        assert {numbers["was"], numbers["becomes"]} <= {"flex", "maui:windows=widest"}
        assert numbers["metric"] == "utilization"
        score = numbers["score_becomes"]
        assert isinstance(score, float) and 0 <= score <= 1
    wbas = run("wbas", wide="easy", narrow="fcfs", frame=10)
    sized = [made.reason.numbers for made in decisions(wbas) if made.reason.code == "sizes"]
    assert sized
    for numbers in sized:
        assert {numbers["was"], numbers["becomes"]} <= {"easy", "fcfs"}
        average = numbers["average"]
        assert isinstance(average, float) and 1 <= average <= 4


def test_numbers_that_name_jobs_are_ids() -> None:
    """Whom a job was pushed back for, who is before it, whose end it waits for."""
    pushed = [made for made in decisions(run("flex")) if "by" in made.reason.numbers]
    assert pushed
    for made in pushed:
        by = made.reason.numbers["by"]
        assert isinstance(by, int) and by >= FIRST_ID
    session = run("easy")
    session.go_time(50)
    for index in session.snapshot().waiting:
        reason = session.why(session.id_of(index))
        assert reason is not None
        for key in {"head", "blocker"} & reason.numbers.keys():
            job = reason.numbers[key]
            assert isinstance(job, int) and job >= FIRST_ID


def test_what_never_comes_is_none() -> None:
    """An instant that the kernel puts beyond all others, and the job that would bring it, are None."""
    names = Names([7, 8, 9])
    numbers = {"needs": 4, "free": 1, "shadow": 1 << 62, "extra": 0, "blocker": -1}
    found = names.reason(run("easy").run.simulation, "head_blocked", numbers)
    assert found.numbers == {"needs": 4, "free": 1, "shadow": None, "extra": 0, "blocker": None}


def test_the_snapshot_has_the_status_of_the_policy() -> None:
    """Plain data with names and ids: empty if a policy has no status."""
    easy = run("easy")
    easy.go_time(50)
    assert easy.snapshot().status == {}
    dynp = run("dynp")
    dynp.go_time(50)
    status = dynp.snapshot().status
    assert status["in_force"] in ("fcfs", "sjf", "ljf")
    assert (status["lower"], status["upper"]) == (7200, 9000)
    pbas = run("pbas", candidates=["flex", "easy"], frame=1000)
    pbas.go_time(50)
    status = pbas.snapshot().status
    assert status["candidates"] == ("flex", "easy") and status["scores"] == (None, None)
    assert status["next_review"] == 1000
    pbas.go_end()
    assert pbas.snapshot().status["next_review"] is not None
    checkpoint = run("checkpoint")
    checkpoint.go_time(50)
    status = checkpoint.snapshot().status
    assert status["head"] == FIRST_ID + 1, "the id, not the row"
    gang = run("gang")
    gang.go_time(50)
    rows = gang.snapshot().status["rows"]
    assert isinstance(rows, tuple) and rows[0] == (FIRST_ID,)


def test_a_status_of_any_kind_is_frozen_into_plain_data() -> None:
    """Lists become tuples, tables stay tables, what never comes is None, a stranger is its text."""

    foreign = {"draws": [1, [2]], "urn": {"job": 0, "at": 1 << 62}, "path": Path("x"), "late": True}
    found = Names([7])._frozen("status", foreign)
    assert found == {"draws": (1, (2,)), "urn": {"job": 7, "at": None}, "path": "x", "late": True}


@pytest.mark.parametrize("policy", ["dynp", "pbas", "flex", "checkpoint", "gang"])
def test_the_events_of_a_run_are_json_lines(policy: str, tmp_path: Path) -> None:
    """A decision about the policy has the job null; names stand where the kernel has numbers."""
    parameters: dict[str, dict[str, object]] = {
        "pbas": {"candidates": ["flex", "easy"], "frame": 1000},
        "gang": {"quantum": 500},
    }
    session = run(policy, **parameters.get(policy, {}))
    session.go_end()
    session.events_jsonl(tmp_path / "events.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    made = [decision for line in lines for decision in line["decisions"]]
    about_policy = [decision for decision in made if decision["kind"] in ("switch", "keep")]
    assert bool(about_policy) == (policy in ("dynp", "pbas", "gang"))
    assert all(decision["job"] is None for decision in about_policy)
    assert all(decision["job"] >= FIRST_ID for decision in made if decision not in about_policy)
