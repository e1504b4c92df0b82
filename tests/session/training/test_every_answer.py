"""Every kind of question under every policy of the courses: the answers are those of the naive schedulers."""

from pathlib import Path
from random import Random

import pytest

from shadowtime.console.session import Session, load
from shadowtime.scenarios import Question
from tests.oracles.jobs import Job
from tests.oracles.space.conservative import conservative
from tests.oracles.space.easy import easy
from tests.oracles.space.fcfs import fcfs
from tests.oracles.space.flex import flex
from tests.oracles.space.maui import maui
from tests.oracles.space.orders import dynp, ivs, ljf, sjf
from tests.oracles.training.answers import Naive, known, next_ends, next_starts, state
from tests.session.training.passes import EXAMPLES as ALL
from tests.session.training.passes import workload
from tests.session.training.test_distractors import attempt

EXAMPLES = ALL // 5


def bounded(jobs: list[Job], nodes: int) -> list[int]:
    return dynp(jobs, nodes, lower=15, upper=30, threshold=2)


def voted(jobs: list[Job], nodes: int) -> list[int]:
    return ivs(jobs, nodes, interactive=20)


def slack(jobs: list[Job], nodes: int) -> list[int]:
    return flex(jobs, nodes, slack=20).starts


def plain(jobs: list[Job], nodes: int) -> list[int]:
    return maui(jobs, nodes).starts


def widest(jobs: list[Job], nodes: int) -> list[int]:
    return maui(jobs, nodes, weight_size=1.0).starts


POLICIES: dict[str, tuple[str, Naive]] = {
    "fcfs": ("", fcfs),
    "easy": ("", easy),
    "conservative": ("", conservative),
    "sjf": ("", sjf),
    "ljf": ("", ljf),
    "dynp": ("lower = 15\nupper = 30\nthreshold = 2\n", bounded),
    "ivs": ("interactive = 20\n", voted),
    "flex": ("slack = 20\n", slack),
    "maui": ("", plain),
    "maui-widest": ("weight_size = 1.0\n", widest),
}
PROMISING = ("conservative", "flex")
"""The policies of which a start is a reservation: the expected run may be earlier, and is never later."""


@pytest.mark.parametrize("name", POLICIES)
def test_every_answer_is_that_of_the_naive_scheduler(tmp_path: Path, name: str) -> None:
    parameters, naive = POLICIES[name]
    random, path, compared = Random(name), tmp_path / "random.toml", 0
    policy = name.partition("-")[0]
    for _ in range(EXAMPLES):
        head = f'name="{policy}"\n'
        path.write_text(workload(random, policy).replace(head, head + parameters))
        session = Session(load(path))
        columns = session.case.columns
        rows = zip(columns.submit, columns.runtime, columns.size, columns.estimate, strict=True)
        jobs = [Job(*row) for row in rows]
        while session.step():
            if session.snapshot().pending:
                compared += compare(session, jobs, naive, name in PROMISING)
    assert compared > 20 * EXAMPLES


def compare(session: Session, jobs: list[Job], naive: Naive, promising: bool) -> int:
    """Compare the answers to all questions at one instant; return how many there were."""
    now, compared = session.time, 0
    here = known(jobs, session.case.nodes, now, naive)
    ids = session.case.columns.id

    def asked(ask: str, job: int | None = None) -> tuple[object, ...] | None:
        made = attempt(session, Question(now, ask, None if job is None else ids[job]))
        return None if made is None else made.right

    first = asked("next_start")
    if first is not None and (not promising or min(here.starts[it] for it in next_starts(here)) == now):
        assert set(first) == {ids[it] for it in next_starts(here)}, (now, here)
        compared += 1
    ends: set[object] = {("finish", ids[it]) for it in next_ends(here)} or {None}
    happens = set(asked("next_event") or ())
    # A reservation that is due and a change of the order are events, too; the naive schedulers have none.
    own = {it for it in happens if isinstance(it, tuple) and it[0] in ("reservation_due", "switch_policy")}
    assert happens - own == ends or (own and happens == own), (now, here, happens)
    assert asked("preempted") == (None,)
    for job, start in enumerate(here.starts):
        assert asked("state", job) == (state(here, job),), (now, job, here)
        if start >= now:
            (when,) = asked("start_time", job) or ()
            assert when == start or (promising and isinstance(when, int) and when > start), (now, job, here)
        compared += 3
    return compared
