"""Steering in line mode: the same commands, reported line by line."""

from io import StringIO
from pathlib import Path

from shadowtime.console import words
from shadowtime.console.lines import tell
from shadowtime.console.session import Action, Decision, Reason, load, policies
from shadowtime.console.session.course.breakpoints import EXPECTED
from shadowtime.console.words.moving import nothing
from shadowtime.scenarios.actions import parse_action
from tests.console.operator import case
from tests.refusals import cannot

HOLD = Action("hold", job=2)


def printed(*lines: str, at: str = "#5") -> list[str]:
    """What is reported after these lines are typed, without the lines before the first prompt."""
    out = StringIO()
    tell(case(), at=at, stdin=StringIO("\n".join(lines) + "\n"), stdout=out, interactive=True)
    return out.getvalue().partition("> ")[2].splitlines()


def test_actions_are_told_and_taken_back() -> None:
    text = "\n".join(printed("hold 2", "undo", "redo", "queue", "redo"))
    assert "     6  0d 00:" in text
    held = Reason("operator_held", {})
    assert words.did(HOLD) in text and words.decision(Decision("move", 2, held), words.NODES) in text
    assert words.taken_back(HOLD, 5, 6, True) in text
    assert words.brief(Reason("on_hold", {}), 0, words.NODES) in text
    assert "nothing has been taken back" in text


def test_what_cannot_be_done_is_one_line() -> None:
    text = printed("hold 99", "resume 1", "drain x", "undo", "save", "break nowhere", "c", "unbreak 1")
    assert text[:8] == [
        "there is no job 99 among the 3 jobs; expected a number of the column JOB",
        f"> {cannot('resume', 1, 'R')}",
        '> nodes: "x" names no nodes; expected nodes such as "0-15" or "3,8-11"',
        f"> {words.nothing_done(())}",
        "> save where? expected the name of a file, such as save session.toml",
        f"> 'nowhere' is no breakpoint; expected {EXPECTED}",
        "> no breakpoint is set; break sets one, as in break queue > 100",
        "> there is no breakpoint 1; 0 breakpoints set",
    ]


def test_another_policy_and_its_name() -> None:
    text = "\n".join(printed("policy conservative", "policy", "set compress=replan", "policy"))
    assert words.did(parse_action("policy conservative", policies())) in text
    assert "policy: conservative, began as easy" in text
    assert "policy: conservative:compress=replan, began as easy" in text


def test_breakpoints() -> None:
    text = "\n".join(printed("break finish", "breaks", "c", "C", "unbreak 1", at="#1"))
    assert "1  finish" in text and "breakpoint: finish" in text
    assert nothing("", False) in text and "no breakpoint is set" in text


def test_saving(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = "\n".join(printed(f"save {path}", "drain 0", f"save {tmp_path}"))
    assert "with 0 actions" in text and "is a folder" in text
    assert 'do = "drain"' in path.read_text()


def test_what_never_comes_is_not_taken_back(tmp_path: Path) -> None:
    """An action after an event that the run does not have was never done, and nobody moves for it."""
    path = tmp_path / "late.toml"
    action = '\n[[action]]\nat = "#99"\ndo = "hold"\njob = 2\n'
    path.write_text(case().scenario.text + action, encoding="utf-8")
    out = StringIO()
    typed = StringIO("undo\nredo\nundo\nundo\n")
    tell(load(path), at="#4", stdin=typed, stdout=out, interactive=True)
    lines = out.getvalue().partition("> ")[2].splitlines()
    struck, again = words.taken_back(HOLD, 99, 4, False), words.done_again(HOLD, 99, False)
    assert [line.removeprefix("> ") for line in lines if words.did(HOLD) in line] == [struck, again, struck]
    assert sum(line.startswith("     4  ") for line in lines) == 3
    assert f"> {words.nothing_done(())}" in lines
