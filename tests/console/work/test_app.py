"""The application: terminals with few colours or none, the browser, and how it begins."""

import asyncio
import io
import tempfile
from pathlib import Path

import pytest
from textual.widgets import Input

from shadowtime.console import app, words
from shadowtime.console.app import Shadowtime, browse, open_console
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.pages.browser import Browser
from shadowtime.console.screens.pages.browser_text import paragraphs
from shadowtime.console.session import Entry, SessionError, load, open_session
from shadowtime.console.widgets.frame.looks import Depth
from shadowtime.console.widgets.frame.panel import Frame
from tests.console.operator import STORIES, Operator, case, operate, with_first


@pytest.mark.proof
@pytest.mark.parametrize("depth", list(Depth))
def test_every_key_works_with_few_colours_and_none(depth: Depth, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text of the screen is the same on every terminal: nothing is reported by colour alone."""
    if depth is Depth.NONE:
        monkeypatch.setenv("NO_COLOR", "1")
    if depth is Depth.SIXTEEN:
        monkeypatch.delenv("COLORTERM")
        monkeypatch.setenv("TERM", "xterm-16color")
    seen: list[str] = []

    async def story(operator: Operator) -> None:
        await operator.press("n", "down", "tab", "up", "v", "plus", "enter", "escape", "slash", "escape")
        await operator.press("question_mark", "escape", "m", "a", "1", "z", "5", "enter", "escape", "2")
        await operator.press("underscore", "v", "v", "v", "v", "escape", "escape")
        seen.append(operator.text)

    with_first(story, ConsoleScreen(open_session(case()), "#6"), depth=depth)
    assert "[2] QUEUE" in seen[0] and ">" in seen[0]


@pytest.mark.proof
def test_frames_are_seen_on_a_black_ground_of_sixteen_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of panels that are not in use, too."""
    monkeypatch.delenv("COLORTERM", raising=False)
    monkeypatch.setenv("TERM", "xterm-16color")
    seen: list[str] = []

    async def story(operator: Operator) -> None:
        seen.extend(str(frame.styles.border_top[1].ansi) for frame in operator.console.query(Frame))

    with_first(story, ConsoleScreen(open_session(case()), "#6"), depth=Depth.SIXTEEN)
    assert len(seen) > 1 and "0" not in seen


@pytest.mark.proof
@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 50)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_is_painted_black_or_white_in_sixteen_colours(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The terminal's ground may be dark or light: on one that is a blot, on the other it is not seen."""
    monkeypatch.delenv("COLORTERM", raising=False)
    monkeypatch.setenv("TERM", "xterm-16color")
    seen: set[str] = set()

    async def story(operator: Operator) -> None:
        for keys in (
            ("2",),
            ("v",),
            ("3",),
            ("4",),
            ("t", "escape"),
            ("equals_sign",),
            ("escape", "colon", "a"),
        ):
            await operator.press(*keys)
            for strip in operator.app.screen._compositor.render_strips():
                for segment in strip:
                    color = segment.style and (segment.style.color, segment.style.bgcolor)
                    seen.update(one.name for one in color or () if one is not None)
        cursor = operator.app.screen.query_one(Input).get_component_styles("input--cursor")
        assert cursor.text_style.reverse and (cursor.color.ansi, cursor.background.ansi) == (-1, -1)

    with_first(story, ConsoleScreen(open_session(case()), "#6"), depth=Depth.SIXTEEN)
    assert "default" in seen
    assert not seen & {"black", "white", "bright_white", "color(0)", "color(7)", "color(15)"}, seen


@pytest.mark.proof
def test_the_queue_reads_the_same_without_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    async def story(operator: Operator) -> None:
        seen.append(operator.panel(2))

    operate(story, at="#6")
    monkeypatch.setenv("NO_COLOR", "1")
    with_first(story, ConsoleScreen(open_session(case()), "#6"), depth=Depth.NONE)
    assert seen[0].replace("\u2500", "") == seen[1].replace("\u2501", "").replace("\u2500", "") or (
        seen[0].splitlines()[1:-1]
        == [line.replace("\u2503", "\u2502") for line in seen[1].splitlines()[1:-1]]
    )


def test_a_terminal_that_cannot_draw_is_told_in_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert open_console(case()) == 0
    assert f"job 3 {words.VERBS['backfill']}" in capsys.readouterr().out


def test_a_place_that_is_none_is_refused_before_the_screen_opens() -> None:
    for place in ("nowhere", "99 start"):
        with pytest.raises(SessionError):
            open_console(case(), place)


@pytest.mark.proof
def test_open_and_browse_begin_with_their_screens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both run the application and return its exit code; `q` ends it with 0."""
    begun: list[str] = []

    def run(self: Shadowtime, mouse: bool) -> int | None:
        async def play() -> None:
            async with self.run_test(size=(120, 36)) as pilot:
                await pilot.pause()
                begun.append(type(self.screen).__name__)
                await pilot.press("q")
                await pilot.pause()

        asyncio.run(play())
        return self.return_value

    monkeypatch.setattr(Shadowtime, "run", run)
    assert open_console(case()) == 0
    assert browse() == 0
    assert begun == ["ConsoleScreen", "Browser"]


def shelf() -> tuple[Entry, ...]:
    """A shelf with a story, a broken file and a missing log."""
    return (
        Entry(STORIES / "dilemma.toml", "A dilemma", "Feitelson & Jette 1997, Fig. 1", "One.\n\nTwo\nlines."),
        Entry(STORIES / "broken.toml", "broken", fault="broken.toml:1:9: expected a value"),
    )


def browsing(story: object, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int] = (120, 36)) -> None:
    """Open the browser on the shelf of the tests."""
    monkeypatch.setattr("shadowtime.console.screens.pages.browser.catalogue", shelf)
    with_first(story, Browser(), size)  # type: ignore[arg-type]


@pytest.mark.proof
@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 50)])
def test_the_browser_shows_titles_and_what_they_are_about(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(operator: Operator) -> None:
        assert "> A dilemma" in operator.text
        for shown in ("Feitelson & Jette 1997, Fig. 1", "One.", "Two lines."):
            assert shown in operator.text
        assert all(len(line) <= size[0] for line in operator.lines)

    browsing(story, monkeypatch, size)


@pytest.mark.proof
def test_enter_opens_the_scenario_and_q_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("enter")
        assert "dilemma.toml" in operator.title and "event 0/12" in operator.title
        await operator.press("n", "q")
        assert "> A dilemma" in operator.text
        await operator.press("enter", "escape")
        assert "> A dilemma" in operator.text, "Esc goes back too, when nothing else is left to leave"
        await operator.press_only("q")
        await operator.until(lambda: not operator.app.is_running)

    browsing(story, monkeypatch)


@pytest.mark.proof
def test_a_broken_file_shows_its_faults_and_stays_closed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("down")
        assert "! broken.toml:1:9: expected a value" in operator.text
        await operator.press("enter")
        assert "this file cannot be opened" in operator.lines[-1]
        assert "! " in operator.text and "broken.toml" in operator.text
        await operator.press("up")
        assert "One." in operator.text and "cannot be opened" not in operator.text

    browsing(story, monkeypatch)


@pytest.mark.proof
def test_the_story_can_be_scrolled_and_the_help_read(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("tab")
        assert operator.app.focused is operator.app.screen.query_one("#about")
        await operator.press("tab", "question_mark")
        assert "HELP" in operator.lines[0]
        await operator.press("escape")
        assert "SCENARIOS" in operator.text

    browsing(story, monkeypatch)


@pytest.mark.proof
def test_shipped_scenarios_are_on_the_shelf() -> None:
    async def story(operator: Operator) -> None:
        assert "Feitelson & Jette 1997" in operator.text and "Generated workloads" in operator.text

    with_first(story, Browser())


def test_paragraphs_lose_their_line_breaks() -> None:
    assert paragraphs("\nOne\ntwo.\n\n  Three.\n") == ["One two.", "Three."]


@pytest.mark.proof
def test_control_c_says_how_to_leave() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("ctrl+c")
        assert operator.message == "q quits"

    operate(story)


@pytest.mark.proof
def test_what_a_log_left_out_is_told() -> None:
    """Jobs that cannot be simulated are counted by reason, on opening and under `:note`."""
    log = (STORIES / "busy.swf").read_text(encoding="utf-8").splitlines()
    log.append("900 99999 -1 60 4096 -1 -1 4096 60 -1 1 1 1 -1 1 -1 -1 -1")
    log.append("901 99999 -1 0 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1")

    async def story(operator: Operator) -> None:
        workload = operator.console.session.case.scenario.workload
        (whole,) = words.reading(workload.dropped, workload.dropped_lines, ())
        wording = whole.partition(":")[0]
        assert operator.message.startswith(whole)
        await operator.press("colon")
        await operator.type("note")
        assert wording in operator.text

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "oversized.swf"
        path.write_text("\n".join(log) + "\n", encoding="utf-8")
        operate(story, of=load(path))


def test_an_error_of_our_own_ends_with_its_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(self: Shadowtime, mouse: bool) -> int | None:
        self._return_code = 1
        return None

    monkeypatch.setattr(Shadowtime, "run", run)
    assert open_console(case()) == app.INTERNAL_ERROR == 70


@pytest.mark.proof
def test_pages_pause_play() -> None:
    async def story(operator: Operator) -> None:
        await operator.press_only("n", "n", "space", "question_mark")
        await operator.rest()
        assert not operator.console.player.playing

    operate(story)


@pytest.mark.proof
def test_an_empty_queue_says_so() -> None:
    async def story(operator: Operator) -> None:
        assert "nobody waits, nobody runs" in operator.panel(2)
        await operator.press("n", "n", "slash")
        await operator.type("nobody")
        assert "no job matches 'nobody'" in operator.panel(2)

    operate(story)
