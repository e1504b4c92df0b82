"""A cluster over time on the screen: its chart, its metrics, its time bar, and lanes side by side."""

import csv
from pathlib import Path

import pytest

from shadowtime.console.screens.compare.screen import CompareScreen
from shadowtime.console.screens.composed.panels import CHART, METRICS, QUEUE
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.session.slurm.lanes.cluster_lane import ClusterLane
from shadowtime.console.widgets.nodemap.panel import NodeMap
from tests.console.operator import Operator
from tests.console.slurm.test_cluster_screen import FULL, HELD, WAITING, panel, screen_of, watch
from tests.scenarios.slurm.support import NOW, write
from tests.session.slurm.captures import contents


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Two running jobs, three waiting ones, and one that is held."""
    return Folder(write(tmp_path / "cluster", contents([*FULL, *WAITING, HELD])))


def compared(operator: Operator) -> CompareScreen:
    found = operator.app.screen
    assert isinstance(found, CompareScreen)
    return found


def test_the_chart_has_a_row_a_node_and_the_job_of_the_plan_stands_out(folder: Folder) -> None:
    """Nodes by name, bars that run and that are planned; a cursor leads to the page of its job."""

    async def story(operator: Operator) -> None:
        screen = screen_of(operator)
        await operator.press("3")
        rows = panel(operator, CHART)
        assert [row.split()[0] for row in rows[1:5]] == ["n1", "n2", "n3", "n4"]
        assert "▓" in rows[1]
        assert "▒" in rows[3] and screen.panels.used == CHART
        assert "█ job 3  planned" in "".join(rows)
        await operator.press("up", "enter")
        assert isinstance(operator.app.screen, Page) and "JOB 1" in operator.text
        await operator.press("escape")
        assert screen.panels.used == CHART

    watch(folder, story, (120, 36))


def test_the_chart_and_the_time_bar_follow_the_steps(folder: Folder) -> None:
    """A job that starts runs to its limit from there on; back, what runs is drawn as before."""

    async def story(operator: Operator) -> None:
        screen = screen_of(operator)
        await operator.press("3")
        seen = [row.partition("▒")[0][:-1] for row in panel(operator, CHART)[1:5]]
        await operator.press("N")
        bars, now = screen.picture.charts.bars, screen.board.now
        started = bars.job(bars.index("3"))
        assert started is not None and (started.state, started.start, started.end) == ("R", now, now + 601)
        assert bars.stand().time == now > NOW
        await operator.press("home")
        rows = panel(operator, CHART)[1:5]
        assert all(row.startswith(begun) for row, begun in zip(rows, seen, strict=True))
        await operator.press("end")
        assert screen.picture.charts.line._course.total == screen.travel.course.stand.number

    watch(folder, story, (120, 36))


def test_the_metrics_are_those_of_the_position(folder: Folder) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("5")
        assert screen_of(operator).panels.used == METRICS
        first = "".join(panel(operator, METRICS))
        assert "4 jobs" in first and "2 jobs" in first
        await operator.press("end")
        assert "1 job " in "".join(panel(operator, METRICS))

    watch(folder, story, (120, 36))


def test_a_cluster_stands_beside_another_scheduler_at_its_instant(folder: Folder) -> None:
    """`=` compares with EASY where the console stands; Esc comes back."""

    async def story(operator: Operator) -> None:
        screen = screen_of(operator)
        await operator.press("N", "=")
        view = compared(operator)
        assert view.lockstep.names == ("slurm", "easy")
        assert view.lockstep.time == screen.board.now - NOW + 1
        first, *_ = view.query(NodeMap)
        await operator.press("m")
        assert first.display and first.render_line(0).text.split()[0] == "n1"
        await operator.press("n", "p", "escape")
        assert operator.app.screen is screen and screen.panels.used == QUEUE
        assert operator.app.clock is None, "nobody chose a clock"

    watch(folder, story, (80, 24))


@pytest.mark.proof
def test_parameters_and_changes_are_lanes(folder: Folder) -> None:
    """What is typed stands beside the cluster; what if adds a lane; what is no lane is one line."""

    async def story(operator: Operator) -> None:
        screen = screen_of(operator)
        for typed, names in (
            ("compare bf_interval=600", ("slurm", "slurm:bf_interval=600")),
            ("whatif hold 3", ("slurm", "if hold 3")),
        ):
            await operator.press("colon")
            await operator.type(typed)
            assert compared(operator).lockstep.names == names
            await operator.press("escape")
        await operator.press("colon")
        await operator.type("whatif hold 4")
        await operator.press("colon")
        await operator.type("whatif hold 5")
        view = compared(operator)
        assert view.lockstep.names == ("slurm", "if hold 4", "if hold 5")
        await operator.press("D")
        assert view.lockstep.partings is not None
        held = view.lockstep.lanes[1]
        await operator.press("end")
        assert isinstance(held, ClusterLane) and held.started_at(held.index_of(4)) is None
        await operator.press("enter")
        assert "has no console" in operator.lines[-2]
        await operator.press("escape")
        for typed in ("compare nothing", "whatif drain n9", "whatif", "compare captured"):
            await operator.press("colon")
            await operator.type(typed)
            assert operator.app.screen is screen and operator.lines[-2].strip()

    watch(folder, story, (120, 36))


@pytest.mark.proof
def test_bars_loads_and_the_screen_are_written_to_files(folder: Folder, tmp_path: Path) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("N")
        for kind in ("gantt", "metrics", "svg"):
            await operator.press("colon")
            await operator.type(f"export {kind} {tmp_path / kind}")
        bars = list(csv.DictReader((tmp_path / "gantt").open()))
        assert {row["kind"] for row in bars} == {"held", "planned"}
        assert {row["name"]: row["nodes"] for row in bars}["1"] == "n[1-2]"
        loads = list(csv.DictReader((tmp_path / "metrics").open()))
        position = screen_of(operator).travel.course.stand.number
        assert [int(row["event"]) for row in loads if not row["partition"]] == [*range(position + 1)]
        assert (tmp_path / "svg").read_text().startswith("<svg")
        await operator.press("colon")
        await operator.type(f"export gantt {tmp_path / 'gantt'}")
        assert "already" in " ".join(operator.lines[-4:])

    watch(folder, story, (120, 36))
