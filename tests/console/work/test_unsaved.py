"""Leaving with unsaved actions: a question; and what a session that ended left behind."""

from pathlib import Path

import pytest
from textual.events import Key
from textual.widgets import Input

from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.pages.browser import Browser
from shadowtime.console.session import load, open_session
from shadowtime.console.session.operator.recovery import Recovery, left_behind
from tests.console.operator import Operator, case, operate, with_first


async def hold(operator: Operator) -> None:
    await operator.press("colon")
    await operator.type("hold 2")
    assert "holds job 2" in operator.message


@pytest.mark.proof
def test_q_asks_and_each_answer_is_done(tmp_path: Path) -> None:
    """Stay; save under a name, and leave."""

    async def story(operator: Operator) -> None:
        await hold(operator)
        await operator.press("q")
        assert "UNSAVED ACTIONS" in operator.text and "1 action and is not saved: hold 2" in operator.text
        await operator.press("escape")
        assert isinstance(operator.app.screen, ConsoleScreen)
        await operator.press("q", "enter")
        operator.console.query_one(Input).value = str(tmp_path / "kept.toml")
        await operator.press_only("enter")
        await operator.until(lambda: not operator.app.is_running)

    operate(story, at="#6")
    assert [action.job for action in load(tmp_path / "kept.toml").scenario.actions] == [2]
    assert not left_behind(case())


@pytest.mark.proof
def test_what_is_left_without_saving_is_gone() -> None:
    async def story(operator: Operator) -> None:
        await hold(operator)
        await operator.press_only("q")
        await operator.until(lambda: "UNSAVED" in operator.text)
        await operator.press_only("l")
        await operator.until(lambda: not operator.app.is_running)

    operate(story, at="#6")
    assert not left_behind(case())


@pytest.mark.proof
def test_what_is_saved_or_taken_back_is_not_asked_about(tmp_path: Path) -> None:
    async def story(operator: Operator) -> None:
        await hold(operator)
        await operator.press("u")
        assert not operator.console.session.operator.unsaved and not left_behind(case())
        await operator.press("U")
        operator.console.steering.save(str(tmp_path / "kept.toml"))
        await operator.press_only("q")
        await operator.until(lambda: not operator.app.is_running)

    operate(story, at="#6")


@pytest.mark.proof
def test_actions_that_go_along_to_another_policy_are_unsaved_there() -> None:
    async def story(operator: Operator) -> None:
        await hold(operator)
        await operator.press("colon")
        await operator.type("under fcfs")
        assert " fcfs " in operator.title and operator.console.session.operator.unsaved
        await operator.press("q")
        assert "UNSAVED ACTIONS" in operator.text
        await operator.press("l")

    operate(story, at="#6")


@pytest.mark.proof
def test_the_next_start_offers_what_was_left_behind() -> None:
    """Once, and only of the same case; taken up it is unsaved as before."""
    session = open_session(case())
    session.go("#6")
    session.act("hold 2")
    recovery = Recovery(session.operator, session.case)
    recovery.write()
    assert not left_behind(case()), "a session that goes on is not offered"
    recovery._let_go()
    assert len(left_behind(case())) == 1 and not left_behind(case(policy="fcfs"))

    async def later(operator: Operator) -> None:
        assert "ACTIONS OF THE LAST SESSION" in operator.text
        await operator.press("n")

    async def typed_ahead(operator: Operator) -> None:
        for key in (*":#6", "enter"):
            name = {":": "colon", "#": "number_sign"}.get(key, key)
            operator.app.post_message(Key(name, key if len(key) == 1 else None))
        await operator.until(lambda: operator.console.snapshot.number == 6)

    async def taken(operator: Operator) -> None:
        await operator.press("y")
        await operator.until(lambda: "taken up: hold 2" in operator.message)
        assert operator.console.snapshot.number == 7 and operator.console.session.operator.unsaved
        await operator.press("u")
        assert not operator.console.session.operator.unsaved

    operate(later)
    operate(typed_ahead)
    operate(taken)
    assert not left_behind(case())


def test_a_file_that_cannot_be_read_is_one_message() -> None:
    session = open_session(case())
    session.go("#6")
    session.act("hold 2")
    recovery = Recovery(session.operator, session.case)
    recovery.write()
    recovery._let_go()
    (left,) = left_behind(case())
    left.path.write_text("not a scenario", encoding="utf-8")

    async def story(operator: Operator) -> None:
        await operator.press("y")
        await operator.until(lambda: left.path.name[:20] in operator.message)
        assert not operator.console.session.journal

    operate(story)


@pytest.mark.proof
@pytest.mark.parametrize("key", ["escape", "backspace"])
def test_the_browser_is_filtered(key: str) -> None:
    """While it is typed; Esc clears the filter, and leaves nothing."""

    async def story(operator: Operator) -> None:
        browser = operator.app.screen
        assert isinstance(browser, Browser)
        every = len(browser.shelf.items)
        await operator.press("slash", *"dilemma")
        assert 0 < len(browser.shelf.items) < every and "show only dilemma" in operator.text
        await operator.press("enter")
        assert "filter: dilemma" in operator.text
        if key == "escape":
            await operator.press("escape")
            assert len(browser.shelf.items) == every and operator.app.is_running
        await operator.press("slash", *"xyz", key)
        if key == "backspace":
            assert "show only xy_" in operator.text, "every filter begins anew"
        await operator.press("escape", "escape")
        assert len(browser.shelf.items) == every
        await operator.press("escape")
        assert operator.app.is_running
        await operator.press("question_mark")
        assert "   /  " in operator.text

    with_first(story, Browser())


@pytest.mark.proof
def test_what_is_typed_behind_enter_in_the_browser_reaches_the_scenario() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("slash", *"dilemma", "enter")
        await operator.press_only("enter", "n", "n")
        await operator.until(lambda: isinstance(operator.app.screen, ConsoleScreen))
        await operator.until(lambda: operator.console.snapshot.number == 2)

    with_first(story, Browser())


def test_a_saved_session_points_at_its_last_action(tmp_path: Path) -> None:
    """It opens at its beginning; the key back leads to where the operator acted last."""
    session = open_session(case())
    session.go("#6")
    session.act("hold 2")
    session.operator.save(tmp_path / "kept.toml")

    async def story(operator: Operator) -> None:
        assert operator.console.snapshot.number == 0
        assert "1 action: hold 2; '' goes to the last, event 7" in operator.message
        await operator.press("apostrophe", "apostrophe")
        assert operator.console.snapshot.number == 7

    async def elsewhere(operator: Operator) -> None:
        assert operator.console.snapshot.number == 3 and "goes to the last" not in operator.message

    operate(story, load(tmp_path / "kept.toml"))
    operate(elsewhere, load(tmp_path / "kept.toml"), at="#3")
