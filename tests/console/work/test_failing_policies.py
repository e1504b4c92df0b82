"""Policies of other packages that fail: one line each, and the picture stands."""

import io
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from shadowtime.console.lines import tell
from shadowtime.console.screens.console import exports
from shadowtime.console.session import Case, PolicyError, SessionError, open_session
from shadowtime.console.session.progress import no_progress
from shadowtime.kernels.policies import PlainPolicy, PolicyEntry
from shadowtime.kernels.policies import table as policies
from tests.console.operator import Operator, case, operate


class Starts:
    """Starts what fits."""

    def schedule(self, machine) -> None:  # type: ignore[no-untyped-def]
        """One after the other, in the order of the queue."""
        for job in machine.waiting:
            if job.size <= machine.free:
                machine.start(job)
                return


class Decides(Starts):
    """Fails in the second pass, at ten minutes."""

    def schedule(self, machine) -> None:  # type: ignore[no-untyped-def]
        """Not twice."""
        if machine.now > 500:
            raise KeyError("boo\nsecond line")
        super().schedule(machine)


class Explains(Starts):
    """Fails when it is asked why."""

    def explain(self, machine, job) -> str:  # type: ignore[no-untyped-def]
        """Raises."""
        raise RuntimeError("no\nwords")


class Promises(Starts):
    """Fails when it is asked when."""

    def promise(self, machine, job) -> int:  # type: ignore[no-untyped-def]
        """Raises."""
        raise RuntimeError("no idea")


KINDS = {"decides": Decides, "explains": Explains, "promises": Promises}


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The table of policies with those of this file."""
    for name, kind in KINDS.items():
        entry = PolicyEntry(name, "", "", 0, partial(PlainPolicy, kind=kind))
        monkeypatch.setitem(policies._KNOWN, name, entry)
    yield


def failing(name: str) -> Case:
    """The dilemma under one of them."""
    return case("dilemma.toml", None).under(name)


def test_the_session_stays_before_the_pass_that_fails() -> None:
    session = open_session(failing("decides"))
    with pytest.raises(PolicyError):
        session.go_end()
    assert (session.number, session.time) == (3, 600)
    digest = session.digest()
    for move in (session.step, session.next_decision, session.go_end):
        with pytest.raises(PolicyError):
            move()
        assert session.digest() == digest
    session.predict()
    assert session.predicted and "decides failed at 600 s: KeyError" in session.failure
    assert len(session.events(1, 10)) == 3
    assert session.back(1) == 1


@pytest.mark.proof
def test_the_console_tells_what_failed_and_goes_on() -> None:
    async def story(operator: Operator) -> None:
        await operator.press(*"nnn")
        for keys in ("n", "N", "}", ":"):
            if keys == ":":
                await operator.press(":")
                await operator.type("goto 50%")
            else:
                await operator.press(keys)
            assert operator.message.startswith("policy decides failed at 600 s: KeyError: 'boo"), keys
            assert operator.console.snapshot.number == 3
        await operator.press("enter")
        await operator.press("escape", "p")
        assert operator.console.snapshot.number == 2
        await operator.press("end")
        assert operator.console.snapshot.number == 3
        assert "decides failed" in operator.message

    operate(story, failing("decides"))


@pytest.mark.proof
def test_play_stops_where_the_policy_fails() -> None:
    async def story(operator: Operator) -> None:
        operator.console.play.set_speed(2**10)
        await operator.press("space")
        await operator.until(lambda: "decides failed" in operator.message)
        assert not operator.console.player.playing and operator.console.snapshot.number == 3

    operate(story, failing("decides"))


@pytest.mark.proof
@pytest.mark.parametrize("name", ["explains", "promises"])
def test_what_cannot_be_explained_or_promised_is_told_and_the_clock_goes_on(name: str) -> None:
    said = f"policy {name} failed to {name.removesuffix('s')} at 600 s: RuntimeError: no "

    async def story(operator: Operator) -> None:
        await operator.press(*"nnnn")
        assert operator.message.startswith(said)
        await operator.press("enter")
        assert name == "promises" or "policy explains failed to" in operator.text
        await operator.press("escape", "s", "s", "end")
        assert operator.console.session.over

    operate(story, failing(name))


def test_a_report_beside_a_policy_that_fails_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(exports, "rival_of", lambda of: failing("decides"))
    path = tmp_path / "out.html"
    with pytest.raises(SessionError, match="decides failed at 600 s"):
        exports.ReportFile(open_session(case()), str(path)).run(no_progress)
    assert not path.exists()


@pytest.mark.parametrize("name", KINDS)
def test_line_mode_tells_it_in_one_line(name: str) -> None:
    out = io.StringIO()
    typed = io.StringIO("n 3\nn\nqueue\nwhy 2\np\nq\n")
    assert tell(failing(name), None, typed, out, True) == 0
    wording = [line for line in out.getvalue().splitlines() if "failed" in line]
    assert wording and all(f"policy {name} failed" in line for line in wording)
    assert "second line" not in [line.strip() for line in out.getvalue().splitlines()]


@pytest.mark.proof
def test_lanes_stay_together_where_one_fails() -> None:
    """The compare view tells it in one line; where the lanes part nobody knows then."""

    async def story(operator: Operator) -> None:
        await operator.press("equals_sign", "n", "n")
        view = operator.app.screen
        before = operator.title
        await operator.press("n")
        assert "policy decides failed at 600 s" in operator.message and operator.title == before
        await operator.press("D")
        assert "does not come to an end, so nobody knows where the lanes part" in operator.message
        await operator.press("end")
        assert "boo" in operator.message and operator.app.screen is view and operator.title == before

    operate(story, failing("decides"))


@pytest.mark.proof
@pytest.mark.parametrize("name", ["explains", "promises"])
def test_lanes_that_cannot_explain_are_compared_all_the_same(name: str) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("D", "e", "escape", "J", "end")
        assert "METRICS" in operator.text

    operate(story, failing(name))
