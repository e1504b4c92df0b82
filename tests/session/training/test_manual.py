"""The policy `manual`: the pass starts nobody, and says for whom each job waits."""

from shadowtime.console.session import Session, load
from tests.commandline import ROOT

LESSON = ROOT / "scenarios" / "courses" / "backfilling" / "01-first-come.toml"


def test_nothing_starts_by_itself() -> None:
    """Submissions happen, and nothing else; all jobs wait at the end."""
    session = Session(load(LESSON, policy="manual"))
    session.go_end()
    snapshot = session.snapshot()
    assert (len(snapshot.waiting), snapshot.running, snapshot.free) == (4, (), 10)
    assert session.outcomes().columns["start"].tolist() == [-1] * 4


def test_who_fits_waits_for_the_operator() -> None:
    session = Session(load(LESSON, policy="manual"))
    session.go_end()
    reason = session.why(2)
    assert reason is not None
    assert reason.numbers["text"] == "waits for you: it needs 8 nodes, 10 are free"
