"""The long proof on a real log: ten thousand steps forth and back, a thousand jumps: no byte differs."""

import random
from pathlib import Path

import pytest

from shadowtime.console.session import Session, load
from shadowtime.kernels.core.simulation import Simulation

pytestmark = pytest.mark.proof

BLUE = "SDSC-BLUE-2000-4-cln.derived.swf.xz"
KTH = "KTH-SP2-1996-2.1-cln.swf.xz"
STEPS, JUMPS = 10_000, 1_000
EVERY = (
    "sjf",
    "dynp",
    "ivs",
    "maui:windows=widest,weight_expansion=1.0",
    "maui:preempt=true",
    "flex",
    "pbas:frame=1d",
    "wbas:frame=6h",
    "checkpoint:delay=215,extend=430",
    "prime",
    "unicos",
    "gang:quantum=10m,overhead=5",
)
"""One of each of the other schedulers, tried on KTH."""


class Straight:
    """A second simulation that never goes back: digests of any events, asked for in ascending order."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    def digest(self, event: int) -> bytes:
        """Return the state after `event` events."""
        self._simulation.run(events=event - self._simulation.event)
        assert self._simulation.event == event
        return self._simulation.digest()


@pytest.fixture(scope="module", params=["fcfs", "easy", "conservative", *EVERY])
def session(request: pytest.FixtureRequest, traces: Path) -> Session:
    """A session of the whole log, surveyed as the console does it."""
    log, nodes = (KTH, 100) if request.param in EVERY else (BLUE, 1152)
    session = Session(load(traces / log, policy=request.param, nodes=nodes))
    survey = session.survey()
    while survey.run():
        pass
    assert session.take_survey(survey)
    return session


def test_forward_and_back_ten_thousand(session: Session) -> None:
    """From the middle of the log: every step forward, and every step back, is where a straight run is."""
    total = session.total
    assert total is not None
    first = total // 2
    straight = Straight(session.case.simulation())
    session.go_event(first)
    digests = [straight.digest(first)]
    for number in range(first + 1, first + STEPS + 1):
        assert session.step() == 1
        digests.append(straight.digest(number))
        assert session.digest() == digests[-1]
    for number in range(STEPS - 1, -1, -1):
        assert session.back() == 1
        assert session.digest() == digests[number]
    assert session.number == first


def test_a_thousand_random_jumps(session: Session) -> None:
    """Each jump, far or near, to an event, a time or a job, lands in the state of a straight run there."""
    total, choose = session.total, random.Random(11)
    assert total is not None
    found: dict[int, bytes] = {}
    for _ in range(JUMPS):
        kind = choose.randrange(4)
        if kind == 0:
            session.go_event(choose.randrange(total + 1))
        elif kind == 1:
            session.go_event(min(max(session.number + choose.randrange(-300, 300), 0), total))
        elif kind == 2:
            submits = session.case.columns.submit
            session.go_time(choose.randrange(submits[0] - 1, submits[-1] + 10**6))
        else:
            session.travel.go_job(
                choose.choice(session.case.columns.id), choose.choice(["submit", "start", "end"])
            )
        found[session.number] = session.digest()
    straight = Straight(session.case.simulation())
    assert all(straight.digest(event) == found[event] for event in sorted(found))


def test_the_end_is_the_end(session: Session) -> None:
    """After all of it the whole schedule is the one of a straight run."""
    session.go_end()
    simulation = session.case.simulation()
    simulation.run()
    assert session.digest() == simulation.digest()
    assert session.outcomes().columns == simulation.results()
