"""The keys of steering: a, u and U, and the typed commands that act and save."""

from pathlib import Path

import pytest

from shadowtime.console import words
from shadowtime.console.session import Action, load
from shadowtime.console.session.operator.refusals import TAKES
from tests.console.operator import Operator, operate

ROOT = Path(__file__).parent.parent.parent.parent


async def command(operator: Operator, line: str) -> None:
    await operator.press("colon")
    await operator.type(line)


@pytest.mark.proof
def test_a_lists_what_can_be_done_and_why_the_rest_cannot() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("}", "a")
        text = operator.text
        assert "ACTIONS" in text
        chosen = operator.console.session.id_of(operator.console.selection.chosen or 0)
        assert f"hold {chosen}" in text and "policy" in text and "set" in text
        assert "not now: job" in text
        await operator.press("escape")
        assert "ACTIONS" not in operator.text

    operate(story)


@pytest.mark.proof
def test_enter_does_it_and_u_takes_it_back() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("}", "p", "p", "p", "p", "p")
        session = operator.console.session
        before, digest = session.number, session.digest()
        job = session.id_of(operator.console.selection.chosen or 0)
        await operator.press("a", "enter")
        did = Action("hold", job=job)
        assert operator.message == f"{words.did(did)}; u takes it back"
        assert session.row(session.index_of(job)).state == "H"
        assert words.did(did)[:20] in operator.panel(4)
        waiting = operator.console.snapshot.metrics.queue_length
        assert f"{waiting:,} waiting (1 held), " in operator.panel(2), "who is held waits"
        await operator.press("u")
        assert operator.message == f"{words.taken_back(did, before, before + 1, True)}; U does it again"
        assert (session.number, session.digest()) == (before, digest)
        await operator.press("U")
        assert operator.message == words.done_again(did, before, True)
        assert session.number == before + 1
        await operator.press("U")
        assert operator.message == "nothing has been taken back"
        await operator.press("u", "u")
        assert operator.message == words.nothing_done(())

    operate(story)


@pytest.mark.proof
def test_what_cannot_be_done_is_told_and_stays_in_the_menu() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("}", "p", "p", "p", "p", "p", "a")
        await operator.point("release")
        await operator.press("enter")
        assert "ACTIONS" in operator.text
        assert TAKES["release"] in operator.lines[-1]
        assert operator.console.session.journal == ()

    operate(story)


@pytest.mark.proof
def test_a_reason_that_is_cut_is_told_in_full_under_the_menu() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("}", "p", "p", "p", "p", "p", "a")
        await operator.point("suspend")
        line = next(line for line in operator.lines if line.startswith("│ > suspend"))
        assert "…" in line
        assert TAKES["suspend"] in operator.lines[-1]
        await operator.press("home")
        assert "suspended" not in operator.lines[-1]

    operate(story, size=(80, 24))


@pytest.mark.proof
def test_the_menu_asks_for_what_it_needs() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("}", "a")
        await operator.point("policy")
        await operator.press("enter")
        assert "policy " in operator.lines[-2]
        await operator.type("conservative")
        assert operator.message == "the operator puts conservative in force; u takes it back"
        assert "conservative, began as easy" in operator.title
        await operator.press("u")
        assert "began as" not in operator.title

    operate(story)


@pytest.mark.proof
def test_the_nodes_at_the_cursor_of_the_map() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("}", "1", "right", "right")
        await operator.press("a")
        assert "drain 1" in operator.text
        await operator.press("escape", "p", "p", "p", "p", "p")
        await command(operator, "drain 0-3")
        assert words.did(Action("drain", nodes=((0, 4),))) in operator.message
        assert "xxxxRRRR" in operator.panel(1) and "node 1 draining" in operator.panel(1)
        await operator.press("u")
        assert "x" not in operator.panel(1)
        await operator.press("U")
        await operator.press("end")
        assert "X" in operator.panel(1)

    operate(story)


WRONG = (
    ("hold 99", "there is no job 99 among the 3 jobs; expected a number of the column JOB"),
    ("hold", "hold needs more; expected hold JOB"),
    ("set quantum=5", "policy easy: unknown parameter quantum; expected scan"),
    ("policy nobody", "there is no policy 'nobody'; expected one of"),
    ("undo", words.nothing_done(())),
    ("redo", "nothing has been taken back"),
    ("save", "save where? expected the name of a file, such as save session.toml"),
    ("save .", ". is a folder; expected the name of a file"),
    ("save /nowhere/at/all.toml", "/nowhere/at/all.toml: no such file or directory"),
)
"""What is typed, and how the message begins."""


def test_what_is_typed_wrong_is_one_line() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("}")
        for line, message in WRONG:
            await command(operator, line)
            assert operator.message.startswith(message)
            assert operator.console.session.journal == ()

    operate(story)


@pytest.mark.proof
def test_a_saved_session_is_kept_up_to_date(tmp_path: Path) -> None:
    async def story(operator: Operator) -> None:
        path = tmp_path / "mine.toml"
        await operator.press("n", "n")
        await command(operator, f"save {path}")
        assert "saved to" in operator.message and "with 0 actions" in operator.message
        await command(operator, "drain 0")
        assert 'do = "drain"' in path.read_text()
        await operator.press("u")
        assert 'do = "drain"' not in path.read_text()
        path.unlink()
        path.mkdir()
        await command(operator, "drain 1")
        assert words.did(Action("drain", nodes=((1, 2),))) in operator.message
        assert "not saved" in operator.message

    operate(story)


@pytest.mark.proof
def test_the_course_ahead_is_found_out_anew() -> None:
    async def story(operator: Operator) -> None:
        session = operator.console.session
        await operator.press("n", "n")
        before = session.total
        await command(operator, "set scan=shortest")
        await operator.until(lambda: session.total is not None)
        assert session.total == session.case.simulation().run() != before
        assert f"/{session.total}" in operator.title

    operate(story)


@pytest.mark.proof
def test_the_commands_of_gangster_on_the_torus() -> None:
    """The class of a job changes; one is suspended, its memory is saved, and it is resumed."""
    do_not_disturb = load(ROOT / "scenarios" / "fj97" / "do-not-disturb.toml")

    async def story(operator: Operator) -> None:
        row = operator.console.session.row
        await operator.press("colon")
        await operator.type("12n")
        await command(operator, "class 3 debug")
        assert row(operator.console.session.index_of(3)).klass == "debug"
        await command(operator, "suspend 3")
        assert "the operator suspends job 3" in operator.panel(4)
        assert row(operator.console.session.index_of(3)).state == "o"
        await operator.until(lambda: not operator.console.busy)
        while row(operator.console.session.index_of(3)).state == "o":
            await operator.press("n")
        assert row(operator.console.session.index_of(3)).state == "S"
        assert "1 suspended" in operator.panel(2)
        await command(operator, "hold 3")
        assert operator.message == "job 3: the policy t3d does not offer hold; cancel 3 can be done"
        await command(operator, "resume 3")
        assert row(operator.console.session.index_of(3)).state in "Oi"

    operate(story, do_not_disturb)


@pytest.mark.proof
def test_what_is_taken_back_may_lie_ahead() -> None:
    """Whoever went back before the action is reported where it was."""

    async def story(operator: Operator) -> None:
        await operator.press("n", "n", "n")
        await command(operator, "drain 127")
        await operator.press("home", "u")
        drained = Action("drain", nodes=((127, 128),))
        assert operator.message == f"{words.taken_back(drained, 3, 0, True)}; U does it again"
        assert operator.console.session.number == 3

    operate(story)


@pytest.mark.proof
def test_the_job_acted_on_stays_selected() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("}", "p", "p", "p", "p", "p", "a", "enter", "a")
        assert "> release" in operator.text and TAKES["hold"] in operator.text

    operate(story)


@pytest.mark.proof
def test_u_tells_the_truth_of_what_never_comes(tmp_path: Path) -> None:
    """Nothing was done, so nothing is taken back, and the clock stays."""
    path = tmp_path / "late.toml"
    text = (ROOT / "tests" / "console" / "stories" / "dilemma.toml").read_text(encoding="utf-8")
    path.write_text(text + '\n[[action]]\nat = "#99"\ndo = "hold"\njob = 2\n', encoding="utf-8")

    async def story(operator: Operator) -> None:
        held = Action("hold", job=2)
        await operator.press("u")
        assert operator.message == f"{words.taken_back(held, 99, 4, False)}; U does it again"
        assert operator.console.session.number == 4
        await operator.press("U")
        assert operator.message == words.done_again(held, 99, False)
        assert operator.console.session.number == 4

    operate(story, of=load(path), at="#4")


@pytest.mark.proof
@pytest.mark.parametrize(
    "line", ["under easy:N", "under gang:quantum=60/ends", "under nobody", "policy easy:N"]
)
def test_a_policy_that_cannot_be_read_gives_a_line(line: str) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await operator.type(line)
        assert "expected" in operator.message or "did you mean" in operator.message
        assert operator.console.session.case.policy == "easy"

    operate(story)
