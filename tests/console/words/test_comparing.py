"""The words of a verdict."""

from collections.abc import Container

from shadowtime.console.clock import ELAPSED
from shadowtime.console.session.comparison.verdict import FEWEST, Evidence, LaneVerdict, LaneWaits, Window
from shadowtime.console.widgets.compare.verdict import longer, verdict_lines

ALL = LaneWaits("", 50, (600.0, 300.0), (60.0, 60.0), (900, 800), (30,), (5,))
ADA = LaneWaits("ada", 20, (900.0, 60.0), (60.0, 60.0), (900, 800), (20,), (0,))
KIM = LaneWaits("kim", 30, (400.0, 460.0), (60.0, 60.0), (900, 800), (10,), (5,))


def lines(evidence: Evidence | None, decided: Container[str] | None = None) -> list[str]:
    """The sentences of a verdict."""
    found = LaneVerdict(("easy", "sjf"), Window(86400), ALL, (ADA, KIM), (evidence,), (0, 2), (), ())
    return list(verdict_lines(found, ELAPSED, decided))


def test_a_verdict_is_how_much_how_sure_and_for_whom() -> None:
    assert lines(Evidence(-400.0, -200.0, 0.0351)) == [
        "sjf against easy, 50 jobs, submitted from 1d 00:00:00: the mean wait is 5m00s shorter (5m00s, not "
        "10m00s), the median stays 1m00s; 30 wait less, 5 longer.",
        "It is more than chance: by 20 stretches of these jobs the mean wait is between 6m40s shorter and "
        "3m20s shorter (95 %, p 0.035). User ada gains most (20 jobs, 14m00s shorter each), user kim pays "
        "most (30 jobs, 1m00s longer each).",
        "2 jobs never start under sjf, and are not measured.",
    ]
    assert lines(Evidence(-400.0, 200.0, 0.5))[1].startswith("It may be chance")
    assert lines(None)[1].startswith(f"Fewer than {FEWEST} jobs do not show whether that is chance")
    assert (longer(0.2), longer(-60)) == ("the same", "1m00s shorter")


def test_only_decided_users_are_named() -> None:
    """A user for whom the change may be chance neither gains nor pays most."""
    bounds = Evidence(-400.0, -200.0, 0.0)
    assert lines(bounds, {"ada"})[1].endswith("User ada gains most (20 jobs, 14m00s shorter each).")
    assert lines(bounds, ())[1].endswith("3m20s shorter (95 %, p <0.001).")
