"""The menu of what can be asked about the row under the cursor: whatever it shows, nothing is done."""

from pathlib import Path

from shadowtime.console.screens.impact.answers import ImpactPage
from shadowtime.console.screens.slurm.answers import QuestionMenu
from shadowtime.console.screens.slurm.commands import NEEDS_MORE, questions
from shadowtime.console.session.impact.impact import Fate
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.board.running import running_rows
from shadowtime.console.session.slurm.capturing import Folder
from tests.console.operator import Operator
from tests.console.slurm.test_cluster_commands import JOBS, folder, screen_of, watch
from tests.scenarios.slurm.support import NOW, number, write
from tests.session.slurm.captures import contents, running, waiting

__all__ = ["folder"]


def test_what_is_asked_fits_what_is_under_the_cursor(tmp_path: Path) -> None:
    """A held job may be released, not held; each line that asks for more has a hint."""
    jobs = [running(1, ("n1", "n2"), NOW - 60), waiting(3), waiting(4, overlay={"priority": number(0)})]
    found = board(Folder(write(tmp_path / "cluster", contents(jobs))).take())
    rows = {row.number: row for row in found.rows}
    node = found.nodes[0]
    lines = {
        name: [each.command for each in questions(found, *about)]
        for name, about in {
            "waits": (rows[3], None, None),
            "held": (rows[4], None, None),
            "runs": (rows[3], running_rows(found)[0], None),
            "node": (rows[3], None, node),
        }.items()
    }
    assert lines["waits"][:3] == ["hold 3", f"priority 3 {rows[3].priority + 1}", "cancel 3"]
    assert "release 4" in lines["held"] and "hold 4" not in lines["held"]
    assert lines["runs"][:3] == ["cancel 1", "requeue 1", "limit 1"]
    assert lines["node"][:2] == [f"drain {node.name}", f"reserve {node.name}"]
    asked = [each for each in questions(found, rows[3], None, node) if each.asks]
    assert {each.command.split()[0] for each in asked} <= set(NEEDS_MORE)


def test_the_menu_shows_what_each_change_would_do(folder: Folder) -> None:
    """The impact of the line under the cursor; Enter opens its page, and the board stays as it is."""

    async def story(operator: Operator) -> None:
        screen = screen_of(operator)
        before = screen.board
        await operator.press("a")
        menu = operator.app.screen
        assert isinstance(menu, QuestionMenu)
        await operator.until(lambda: "harmed" in operator.text)
        await operator.press("down")
        await operator.until(lambda: "job 3: unaffected" in operator.text or "helped" in operator.text)
        await operator.press("up", "enter")
        await operator.until(lambda: isinstance(operator.app.screen, ImpactPage))
        page = operator.app.screen
        assert isinstance(page, ImpactPage)
        await operator.until(lambda: page.found is not None)
        assert page.found is not None and page.found.fate(3) is Fate.HARMED
        await operator.press("escape")
        assert screen.board is before and len(screen.board.rows) == len(JOBS) - 2

    watch(folder, story)
