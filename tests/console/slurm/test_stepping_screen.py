"""A cluster stepped forward and back on the screen: events, states, places, and a following that waits."""

import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from threading import Event

import pytest

from shadowtime.console.screens.slurm import sampling
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.console.words.cluster.events import closed
from tests.console.operator import Operator
from tests.console.slurm.test_cluster_screen import FULL, HELD, WAITING, panel, screen_of, watch
from tests.console.views.test_screens import GOLDEN, compare
from tests.scenarios.slurm.support import NOW, write
from tests.session.slurm.captures import contents, waiting

SHORT = waiting(8, overlay={"time_limit": {"set": True, "infinite": False, "number": 2}})


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Two running jobs, three waiting ones, and one that is held."""
    return Folder(write(tmp_path / "cluster", contents([*FULL, *WAITING, HELD])))


@pytest.mark.proof
@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_stepped_screen_is_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    """Two starts on; against a dump that a person has looked at."""
    monkeypatch.chdir(tmp_path)
    source = Folder(write(Path("cluster"), contents([*FULL, *WAITING, HELD])))

    async def story(operator: Operator) -> None:
        await operator.press("N", "N", "4")
        golden = GOLDEN / f"cluster-stepped-{size[0]}x{size[1]}.txt"
        await operator.until(lambda: "no history" in operator.text)
        if golden.exists() and not os.environ.get("SHADOWTIME_WRITE_GOLDEN"):
            # What is found behind the screen comes to it in its own time.
            with suppress(TimeoutError):
                await operator.until(lambda: operator.text + "\n" == golden.read_text(encoding="utf-8"))
        compare(operator.text, golden)

    watch(source, story, size)


def shown(operator: Operator) -> list[list[str]]:
    """What a screen shows that does not depend on how far the course is known."""
    top = screen_of(operator).query_one("#panel2").region.y
    lines = operator.lines
    return [lines[:1], lines[2:top], *(panel(operator, number) for number in (2, 6, 7)), lines[-2:]]


@pytest.mark.proof
def test_steps_lead_through_the_events_and_back_to_the_same_screen(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Job 2 ends, the quick pass starts job 3, which then has its nodes; back, every screen is as before.

    The chart, the events and the bar of time show what is known of the course. So the first way compares all
    else, and the second one, on which as much is known as on the first way back, every line.
    """
    # Likely starts come by the clock on the wall: a screen that stands for longer would have them.
    monkeypatch.setattr(sampling, "STILL", 3600)

    async def story(operator: Operator) -> None:
        screen = screen_of(operator)
        seen = [shown(operator)]
        while (screen.travel.course.moment is None or not screen.travel.course.moment.started) and len(
            seen
        ) < 20:
            await operator.press("n")
            seen.append(shown(operator))
        moment = screen.travel.course.moment
        assert moment is not None and (moment.at, [each.job for each in moment.started]) == (NOW + 303, ["3"])
        assert screen.board.now == NOW + 303 and "3" in screen.board.running
        node = next(node for node in screen.board.nodes if node.name == "n3")
        assert (node.jobs, node.states[0], node.free_at) == (("3",), "ALLOCATED", NOW + 903)
        assert "3 starts on n[3-4]" in "\n".join(operator.lines[:4])
        back = []
        for before in reversed(seen[:-1]):
            await operator.press("p")
            await operator.until(partial(lambda then: shown(operator) == then, before))
            back.append(operator.lines)
        for then in back[-2::-1]:
            await operator.press("n")
            await operator.until(partial(lambda lines: operator.lines == lines, then))
        for then in back[1:]:
            await operator.press("p")
            await operator.until(partial(lambda lines: operator.lines == lines, then))
        await operator.press("p")
        assert "capture" in operator.message and screen.travel.course.number == 0

    watch(folder, story)


@pytest.mark.proof
def test_decisions_places_and_both_ends(folder: Folder) -> None:
    """N, P, g, Home and End; what is no place is one line, and nothing moves."""

    async def story(operator: Operator) -> None:
        travel = screen_of(operator).travel
        await operator.press("N")
        assert travel.course.time == NOW + 303
        await operator.press("N")
        assert travel.course.time == NOW + 543
        await operator.press("P")
        assert travel.course.time == NOW + 303
        for text, at in (("job 4", 543), ("#1", 0), ("22:18:23", 303), ("+1m", 363)):
            await operator.press("g")
            await operator.type(text)
            moment = travel.course.moment
            assert moment is not None and moment.at <= NOW + at == max(moment.at, NOW + at)
        place = travel.course.number
        for text in ("soon", "99:99", "job 6"):
            await operator.press("g")
            await operator.type(text)
            assert travel.course.number == place and operator.message
        await operator.press("g")
        await operator.type("#4000")
        assert travel.course.over and f"{travel.course.number}" in operator.message
        await operator.press("end")
        assert travel.course.complete and travel.course.number == travel.course.known
        await operator.press("n")
        assert "no job waits" in operator.message
        await operator.press("home")
        assert travel.course.number == 0
        await operator.press("right_curly_bracket", "left_curly_bracket")
        assert travel.course.number == 0
        await operator.press("G", "g", "g")
        assert screen_of(operator).picture.plan.table.place == 0

    watch(folder, story)


@pytest.mark.proof
def test_the_events_are_a_panel_with_a_page(folder: Folder) -> None:
    """Enter goes to the event under the cursor; on it, everything about it: starts, nodes, why it came."""

    async def story(operator: Operator) -> None:
        travel = screen_of(operator).travel
        await operator.press("N", "4")
        last = travel.course.number
        assert panel(operator, 4)[last].startswith(f">    {last} 22:18:23  quick pass: 3 starts")
        await operator.press("k")
        screen_of(operator).show()
        await operator.press("enter")
        assert travel.course.number == last - 1
        await operator.press("j", "enter", "enter")
        assert f"EVENT {last}" in operator.text and "job 3 of batch on n[3-4]" in operator.text
        words = " ".join(line.strip("│ ") for line in operator.lines)
        moment = travel.course.moment_at(last)
        assert moment is not None
        what, job = moment.closed[0]
        assert closed(what, job, screen_of(operator).board) in words

    watch(folder, story, (80, 24))


def test_why_names_the_limits_and_what_comes_next(tmp_path: Path) -> None:
    """A job that the cycle does not reach has the bound, and a planned one what its start waits for."""
    found = contents([FULL[0], waiting(3, node_count=3), SHORT, waiting(9)])
    found["config.txt"] = found["config.txt"].replace(
        "bf_interval=5", "bf_interval=5,bf_max_job_test=2,bf_node_space_size=9"
    )
    folder = Folder(write(tmp_path / "c", found))

    async def story(operator: Operator) -> None:
        text = "\n".join(panel(operator, 7))
        assert "cycle" in text and "next" in text
        await operator.press("G")
        assert "bf_max_job_test=2" in "\n".join(panel(operator, 7))

    watch(folder, story)


@pytest.mark.proof
def test_a_step_pauses_the_following_and_a_key_returns_to_now(folder: Folder) -> None:
    """A capture that comes meanwhile waits; Space shows it and follows again."""

    async def story(operator: Operator) -> None:
        screen = screen_of(operator)
        await operator.press("n")
        assert screen.captures.follower.paused and "paused" in operator.message and "PAUSED" in operator.title
        write(folder.path, contents([*FULL, *WAITING, waiting(7)], after=30))
        await operator.press("R")
        assert screen.travel.stepped and screen.board.now == NOW and "waits" in operator.message
        await operator.press("space")
        assert not screen.travel.stepped and not screen.captures.follower.paused
        await operator.until(lambda: screen.board.now == NOW + 30)
        assert "1 new" in operator.message or screen.captures.changes.new

    watch(folder, story, every=60)


@pytest.mark.proof
def test_a_folder_that_is_read_again_waits_for_home(folder: Folder) -> None:
    """The place of an operator who steps is kept; Home shows what was read."""

    async def story(operator: Operator) -> None:
        await operator.press("n")
        write(folder.path, contents([*FULL, *WAITING, waiting(7)], after=30))
        await operator.press("R")
        assert "Home returns to now" in operator.message and screen_of(operator).board.now == NOW
        await operator.press("home")
        assert screen_of(operator).board.now == NOW + 30

    watch(folder, story)


@pytest.mark.proof
def test_space_plays_a_folder(folder: Folder) -> None:
    """At sixteen events a second; a step pauses it, and so does Esc."""

    async def story(operator: Operator) -> None:
        travel = screen_of(operator).travel
        await operator.press(*["right_square_bracket"] * 9, "space")
        await operator.until(lambda: travel.course.number >= 2)
        await operator.press("escape")
        assert not travel.player.playing
        place = travel.course.number
        await operator.press("space", "p")
        assert not travel.player.playing and travel.course.number >= place - 1

    watch(folder, story)


@pytest.mark.proof
def test_a_console_opens_at_a_place(folder: Folder) -> None:
    """As the command line names it."""

    async def story(operator: Operator) -> None:
        assert screen_of(operator).travel.course.time == NOW + 543

    watch(folder, story, at="job 4")


@pytest.mark.proof
def test_any_keys_do_no_harm(folder: Folder) -> None:
    """Thirty keys at random; then Home leads to the capture, with the plan that it had."""
    random = Random(7)
    keys = [*"npNPsSjkG1234ry", "end", "home", "tab", "enter", "escape", "space", "question_mark"]
    keys += ["left_curly_bracket", "right_curly_bracket", "left_square_bracket", "pagedown"]

    async def story(operator: Operator) -> None:
        screen = screen_of(operator)
        first = screen.board
        await operator.press(*random.choices(keys, k=30))
        while operator.app.screen is not screen:
            await operator.press("escape")
        await operator.press("escape", "home")
        assert screen.board == first

    watch(folder, story)


def test_a_slow_step_leaves_the_keys_alive_and_esc_breaks_it_off(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cursor moves meanwhile, other keys arrive later, in order; Esc leaves the history as it was."""
    free = Event()
    compute = History._compute

    def slow(history: History) -> bool:
        free.wait(5)
        return compute(history)

    async def story(operator: Operator) -> None:
        screen = screen_of(operator)
        monkeypatch.setattr(History, "_compute", slow)
        await operator.press_only("n", "j")
        await operator.until(lambda: screen.travel.busy and screen.picture.plan.table.place == 1)
        assert (screen.travel.course.stand.number, screen.board) == (0, screen.travel.course.stand.board)
        await operator.press_only("n", "n")
        free.set()
        await operator.until(lambda: screen.travel.course.stand.number == 3)
        free.clear()
        await operator.press_only("n", "n")
        await operator.until(lambda: screen.travel.busy)
        await operator.press_only("escape")
        free.set()
        await operator.until(lambda: operator.message == "stopped at event 3")
        assert screen.travel.course.stand.number == 3
        await operator.press("p")
        assert screen.travel.course.stand.number == 2

    watch(folder, story)
