"""The operator chooses how instants are written, and goes to places by the calendar."""

from pathlib import Path

import pytest

from shadowtime.console.app import Shadowtime
from shadowtime.console.clock import calendar_of
from shadowtime.console.keymap import Settings
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.session import Case, load, open_session
from tests.console.operator import STORIES, Operator, case, operate


def dated(folder: Path) -> Case:
    """A story whose log says when it begins: at 14:00:31, in Stockholm."""
    text = (STORIES / "busy.swf").read_text()
    path = folder / "busy.swf"
    path.write_text(
        text.replace("UnixStartTime: 0", "UnixStartTime: 843480031\n; TimeZoneString: Europe/Stockholm")
    )
    return load(path, policy="easy")


@pytest.mark.proof
def test_a_log_with_a_start_opens_by_the_calendar_and_the_clock_turns(tmp_path: Path) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("n", "n", "n")
        assert "1996-09-23 14:" in operator.panel(4) and "0d 00:" not in operator.text
        await operator.press("colon")
        await operator.type("clock elapsed")
        assert "0d 00:" in operator.panel(4)
        await operator.press("colon")
        await operator.type("clock calendar")
        assert operator.message.startswith(
            "instants are written by the calendar; second 0 is 1996-09-23 14:00:31"
        )
        assert "1996-09-23 14:" in operator.title
        assert "1996-09-23 14:" in operator.panel(4) and "0d 00:" not in operator.text
        await operator.press("3")
        assert "09-23 14:" in operator.panel(3)
        await operator.press("T")
        assert "0d 00:" in operator.title and "1996" not in "\n".join(operator.lines[:-2])

    operate(story, of=dated(tmp_path))


@pytest.mark.proof
def test_the_clock_holds_for_screens_opened_later(tmp_path: Path) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("n", "T", "colon")
        await operator.type("under fcfs")
        await operator.until(lambda: "0d 00:" in operator.message)
        assert "0d 00:" in operator.title
        await operator.press("equals_sign")
        assert "0d 00:" in operator.text and "1996-09-23" not in operator.text

    operate(story, of=dated(tmp_path))


@pytest.mark.proof
def test_without_a_calendar_one_line_says_so() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("T")
        assert "the calendar is not known here" in operator.message
        await operator.press("colon")
        await operator.type("clock lunar")
        assert "there is no clock 'lunar'" in operator.message
        assert "0d 00:" in operator.title

    operate(story)


@pytest.mark.parametrize(("chosen", "wanted"), [(None, True), ("calendar", True), ("elapsed", False)])
def test_the_setting_chooses_the_clock(chosen: str | None, wanted: bool) -> None:
    app = Shadowtime(ConsoleScreen(open_session(case())), settings=Settings(clock=chosen))
    assert calendar_of(app) == wanted


@pytest.mark.proof
def test_g_reads_a_time_of_the_calendar(tmp_path: Path) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("g")
        await operator.type("1996-09-23 16:00")
        assert operator.console.snapshot.time <= 7200 < operator.console.snapshot.time + 3600
        assert operator.message.startswith("came to 1996-09-23 16:00")

    operate(story, of=dated(tmp_path))


@pytest.mark.proof
def test_a_number_alone_shows_what_it_is_read_as() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("g", "1", "0")
        assert "second 10, 0d 00:00:10; #10 is the event" in operator.lines[-2]
        await operator.press("backspace", "backspace", "2")
        assert "#2 is the event, job 2 the job" in operator.lines[-2]
        await operator.press("enter")
        assert operator.message.startswith("second 2, 0d 00:00:02; #2 is the event, job 2 the job")
        await operator.press("colon", *"goto", "space", "3")
        assert "job 3 the job" in operator.lines[-2]

    operate(story)


@pytest.mark.proof
def test_goto_job_goes_to_its_start_and_selects_it() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await operator.type("goto job 3")
        console = operator.console
        assert console.desk.selected == console.session.index_of(3)
        assert console.session.row(console.session.index_of(3)).start == console.snapshot.time
        await operator.press("colon")
        await operator.type("goto job 99")
        assert operator.message == "there is no job 99 among the 3 jobs; expected a number of the column JOB"

    operate(story)


@pytest.mark.proof
def test_the_key_turns_the_clock_of_the_lanes_and_of_the_console(tmp_path: Path) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("n", "n", "n", "equals_sign")
        assert "1996-09-23 14:" in operator.text and "0d 00:" not in operator.text
        await operator.press("T")
        assert "0d 00:" in operator.text and "1996-09-23 14:" not in "\n".join(operator.lines[:-2])
        await operator.press("colon")
        await operator.type("clock lunar")
        assert "there is no clock 'lunar'" in operator.text

    operate(story, of=dated(tmp_path))


@pytest.mark.proof
def test_the_page_of_a_node_and_of_impact_are_written_by_the_calendar(tmp_path: Path) -> None:
    async def story(operator: Operator) -> None:
        await operator.press(*"nnnnnn", "colon")
        await operator.type("node 0")
        await operator.until(lambda: "FROM" in operator.text)
        assert "1996-09-23 14:" in operator.text and "0d 00:" not in operator.text
        await operator.press("escape", "colon")
        await operator.type("impact drain 0-15")
        await operator.until(lambda: "IMPACT" in operator.text)
        await operator.until(lambda: "at 1996-09-23 14:" in operator.text)

    operate(story, of=dated(tmp_path))
