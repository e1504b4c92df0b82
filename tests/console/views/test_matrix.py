"""Panel 3 on the screen: the matrix where the policy slices time, its keys, and steps over the switches."""

import re
from pathlib import Path

import pytest

from shadowtime.console import words
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.pages.detail import JobDetail
from shadowtime.console.session import Case, load, open_session
from shadowtime.console.widgets.frame.looks import Depth
from shadowtime.console.widgets.matrix.panel import MatrixPanel
from tests.console.operator import Operator, operate, with_first
from tests.console.views.test_screens import compare

SCENARIO = Path(__file__).parents[3] / "scenarios" / "fj97" / "dilemma.toml"
GOLDEN = Path(__file__).parent.parent / "golden"


def gang() -> Case:
    return load(SCENARIO, variant="gang")


@pytest.mark.proof
@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 50)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_matrix_on_the_screen_is_as_it_was(size: tuple[int, int]) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("3")
        compare(operator.panel(3), GOLDEN / f"matrix-{size[0]}x{size[1]}.txt")
        assert all(len(line) <= size[0] for line in operator.lines)

    operate(story, gang(), size, at="#9")


def test_who_waits_for_a_turn_is_next_up_on_a_small_screen() -> None:
    async def story(operator: Operator) -> None:
        assert "1 waiting, 1 running, 1 holding nodes" in operator.panel(2)
        assert "NEXT UP  job 1, 64 nodes, at 0d 00:30:00 exp, in 10m00s  turn 0d 00:30:00" in operator.text
        assert "turn 0d 00:30:00 · 3 0d 00:30" in operator.text

    operate(story, gang(), (100, 24), at="#7")


@pytest.mark.proof
def test_without_colours_the_matrix_is_the_same() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("3")
        compare(operator.panel(3), GOLDEN / "matrix-120x36.txt")

    with_first(story, ConsoleScreen(open_session(gang()), "#9"), depth=Depth.NONE)


@pytest.mark.proof
def test_three_puts_the_matrix_in_use_and_one_gives_the_place_back() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("3")
        assert isinstance(operator.app.focused, MatrixPanel)
        assert "row 0 of 0-1 is on" in operator.panel(3) and not operator.panel(1)
        await operator.press("1")
        assert operator.panel(1) and not operator.panel(3)
        await operator.press("2", "tab", "n")
        assert "row 1 of 0-1 is on" in operator.panel(3)
        await operator.press("v")
        assert operator.panel(1), "a key of the map brings it into sight"
        await operator.resize(200, 50)
        assert operator.panel(1) and operator.panel(3)

    operate(story, gang(), (80, 24), at="#9")


def chosen(operator: Operator) -> int | None:
    return operator.console.selection.chosen


@pytest.mark.proof
def test_the_cursor_goes_over_rows_and_jobs_and_selects() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("2", "end", "3", "home", "g")
        await operator.type("#9")
        await operator.press("escape", "3", "right")
        found = []
        for key in ("up", "right", "right", "down", "up", "left", "left", "pagedown", "pageup"):
            await operator.press(key)
            found.append(chosen(operator))
        assert found == [0, 2, 2, 1, 2, 0, 0, 1, 0], "from row to row it stays over the same nodes"
        assert "job 1 of ada  row 0, nodes 0-63" in operator.panel(3)
        assert ">a    1" in operator.panel(2), "the queue follows"
        await operator.press("enter")
        page = operator.app.screen
        assert isinstance(page, JobDetail) and "job              1 " in operator.text
        await operator.press("escape", "2", "home")
        await operator.press("g")
        await operator.type("#9")
        while chosen(operator) != 1:
            await operator.press("up")
        assert "job 2 of grace" in operator.panel(3), "and the matrix follows the queue"
        await operator.press("escape")
        assert operator.console.desk.selected is None

    operate(story, gang(), (200, 50), at="#9")


@pytest.mark.proof
def test_a_click_selects_the_job_under_it() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("3")
        rows = operator.panel(3).splitlines()[1:-1]
        (first,) = (line for line, row in enumerate(rows) if row[1:].startswith(">  0 a"))
        await operator._pilot.click("#matrix", offset=(rows[first].rindex("c") - 1, first))
        await operator.rest()
        assert operator.console.desk.selected == 2
        await operator._pilot.click("#matrix", offset=(rows[first + 1].index("b") - 1, first + 1))
        await operator.rest()
        assert operator.console.desk.selected == 1
        await operator._pilot.click("#matrix", offset=(8, len(rows) - 1))
        await operator._pilot.click("#matrix", offset=(rows[first].rindex(".") - 1, first))
        await operator.rest()
        assert operator.console.desk.selected == 1, "no row and no job there"

    operate(story, gang(), at="#9")


@pytest.mark.proof
def test_more_rows_than_lines_scroll_to_the_job_looked_at(tmp_path: Path) -> None:
    """Thirty jobs of the whole machine: thirty rows, one of which has it."""
    jobs = "".join(f"[[job]]\nid = {k}\nsize = 8\nsubmit = 0\nruntime = 600\n" for k in range(1, 31))
    path = tmp_path / "many.toml"
    path.write_text(f'title = "many"\n[machine]\nnodes = 8\n[policy]\nname = "gang"\n{jobs}')

    async def story(operator: Operator) -> None:
        await operator.press("3", "right")
        assert ">  0 a" in operator.panel(3) and " 29 " not in operator.panel(3)
        await operator.press(*["pagedown"] * 20)
        assert chosen(operator) == 29 and " 29 " in operator.panel(3)
        assert ">  0 a" not in operator.panel(3) and " now a" in operator.panel(3)
        await operator.press("up")
        assert chosen(operator) == 28
        await operator.resize(60, 18)
        assert " 28 " in operator.panel(3)
        await operator.resize(24, 8)
        await operator.press("n", "up", "down")

    operate(story, load(path), at="#31")


@pytest.mark.proof
def test_before_the_first_job_there_is_no_row() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("3", "right", "down", "left", "pageup")
        assert "no job has a row" in operator.panel(3) and "no rows" in operator.panel(3)
        await operator.press("end")
        assert "no job has a row" in operator.panel(3)

    operate(story, gang())


@pytest.mark.proof
def test_the_queue_and_the_detail_tell_what_jobs_that_take_turns_expect() -> None:
    """When each runs next, when it ends, how often it was preempted."""

    async def story(operator: Operator) -> None:
        await operator.press("2")
        heading, *rows = operator.panel(2).splitlines()[1:]
        heading, first, second = (" ".join(line.split()) for line in (heading, *rows[:2]))
        assert "STARTS IN ENDS PRE" in heading and ">b 2 grace W 128" in first
        assert re.search(r"0d 00:40:00 exp \S+ 0d 06:10:00 1 turn 0d 00:40:00", first), first
        assert re.search(r"0d 00:00:00 (\S+ )?0d 11:00:00 1 runs", second), second
        await operator.press("enter")
        text = " ".join(operator.text.split())
        assert "start 0d 00:40:00 expected" in text and "end 0d 06:10:00 expected" in text
        assert f"preempted {words.times(1)}" in text

    operate(story, gang(), (200, 50), at="#9")
