"""The shipped scenarios: nobody ever waits there without a reason and a predicted start."""

from pathlib import Path

import pytest

from shadowtime.console.session import Case, LogMissing, Session, cases_of, load, scenario_files
from tests.amount import SHARE, every

SMALL = 200
"""Jobs up to which every event is looked at, in the short tests."""
LARGE = 20_000
"""Jobs from which on not every event is looked at in the long ones either."""


def cases(path: Path, traces: str | None = None) -> tuple[Case, ...]:
    """Return the cases of a scenario; the test is skipped where its log is not at hand."""
    try:
        return cases_of(load(path, traces=traces))
    except LogMissing as error:
        pytest.skip(str(error))


def look(case: Case, stride: int) -> None:
    """Go through a case and look at every waiting job, after every event or after each of so many."""
    session, best = Session(case), dict[int, int]()
    while session.step(stride):
        session.predict()
        for index in session.snapshot().waiting:
            row = session.row(index)
            assert row.reason is not None, (session.number, row)
            assert row.reason.numbers, (session.number, row)
            if case.scenario.outages or case.scenario.actions:
                # A failure, or the operator, may break any promise, and leave no start to be foreseen.
                continue
            assert row.predicted is not None, (session.number, row)
            assert row.predicted.event == session.number
            if row.predicted.promise == "guaranteed":
                assert row.predicted.time <= best.get(index, row.predicted.time), (session.number, row)
                best[index] = row.predicted.time
            else:
                assert index not in best, (session.number, row)


@pytest.mark.parametrize("path", every(4, scenario_files()), ids=lambda path: path.stem)
def test_who_waits_knows_why_and_until_when(path: Path) -> None:
    """Every waiting job has a reason with numbers and a start; a guaranteed one never moves later."""
    for case in cases(path):
        look(case, 1 if len(case.jobs) <= SMALL else max(101, len(case.jobs) // 3))


@pytest.mark.proof
@pytest.mark.parametrize("path", every(4, scenario_files()), ids=lambda path: path.stem)
def test_who_waits_knows_why_at_every_event(path: Path, traces: Path) -> None:
    """The same, at every single event of the long ones too, or a share of them; but for the longest."""
    for case in cases(path, str(traces)):
        look(case, max(1, round(1 / SHARE)) if len(case.jobs) < LARGE else 1009)
