"""The node map as a widget: keys, mouse, sizes, colours, and what it redraws."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import ClassVar

import pytest
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.geometry import Region
from textual.pilot import Pilot

from shadowtime.console.widgets.nodemap.panel import NodeMap
from shadowtime.console.widgets.nodemap.scene import Colouring
from shadowtime.console.widgets.nodemap.torus_layout import Torus
from shadowtime.console.widgets.nodemap.zoom import ZOOMS
from tests.widgets.machines import approved, facts, owners, small, snapshot


class MapApp(App[None]):
    """An application with a node map and nothing else; it notes what the map says."""

    CSS = "NodeMap { padding: 0 1; }"

    def __init__(self, *, ansi: bool | None = None, torus: Torus | None = None) -> None:
        super().__init__(ansi_color=ansi)
        self.torus = torus
        self.picked: list[tuple[int, int]] = []
        self.opened: list[tuple[int, int]] = []
        self.captions: list[str] = []
        self.homes = 0

    BINDINGS: ClassVar[list[BindingType]] = [("home", "home", "Home")]

    def compose(self) -> ComposeResult:
        yield NodeMap(torus=self.torus, id="map")

    @property
    def map(self) -> NodeMap:
        return self.query_one(NodeMap)

    def on_node_map_picked(self, event: NodeMap.Picked) -> None:
        assert event.control is self.map
        self.picked.append((event.job_index, event.node))

    def on_node_map_opened(self, event: NodeMap.Opened) -> None:
        assert event.control is self.map
        self.opened.append((event.job_index, event.node))

    def on_node_map_recaptioned(self, event: NodeMap.Recaptioned) -> None:
        assert event.control is self.map
        self.captions.append(event.caption)

    def action_home(self) -> None:
        self.homes += 1


def with_map(
    steps: Callable[[MapApp, "Pilot[None]"], Awaitable[None]],
    size: tuple[int, int] = (34, 8),
    nodes: bytes | None = None,
    ansi: bool | None = None,
    torus: Torus | None = None,
) -> None:
    """Run an application with a map of the small machine, or of these nodes."""

    async def run() -> None:
        app = MapApp(ansi=ansi, torus=torus)
        async with app.run_test(size=size) as pilot:
            app.map.show(snapshot(small() if nodes is None else nodes), **facts())  # type: ignore[arg-type]
            app.map.focus()
            await pilot.pause()
            await steps(app, pilot)

    asyncio.run(run())


def lines(widget: NodeMap) -> list[str]:
    """What the widget shows, line by line."""
    return [widget.render_line(y).text.rstrip() for y in range(widget.size.height)]


@pytest.mark.parametrize("size", [(58, 16), (80, 24), (120, 36)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize(("nodes", "zoom"), [(100, 0), (100, 1), (4_096, 0)])
def test_the_panel_looks_as_approved(size: tuple[int, int], nodes: int, zoom: int) -> None:
    """The text of the whole panel at three sizes: letters, jobs, cards, and a large machine."""

    async def steps(app: MapApp, pilot: "Pilot[None]") -> None:
        app.map.action_zoom(zoom)
        for right, down in ((0, 1), (0, 1), (1, 0)):
            app.map.action_move(right, down)
        await pilot.pause()
        name = f"nodemap_{nodes}_{zoom}_{size[0]}x{size[1]}"
        assert "\n".join(lines(app.map)) + "\n" == approved(name)

    many = owners((7, 1_000), (8, 1_500), (-1, 600), (10, 800), (-2, 100), (11, 96))
    with_map(steps, size, many if nodes == 4_096 else None)


def test_the_cursor_moves_and_opens() -> None:
    """The first key puts it on node 0; Enter says whose node is wanted; at the edges it stays."""

    async def steps(app: MapApp, pilot: "Pilot[None]") -> None:
        await pilot.press("enter")
        await pilot.press("right", "right", "down", "down", "left", "left", "up")
        assert app.map.cursor == 20
        await pilot.press("enter")
        await pilot.press("down", "enter")
        await pilot.pause()
        assert app.opened == [(7, 20), (-1, 40)] and not app.picked
        assert lines(app.map)[-3] == "node 40  idle"

    with_map(steps)


def test_the_cursor_begins_at_the_selected_job() -> None:
    """Its first node."""

    async def steps(app: MapApp, pilot: "Pilot[None]") -> None:
        app.map.selected = 9
        await pilot.press("down")
        assert app.map.cursor == 39

    with_map(steps)


def test_a_click_picks_the_job_under_it() -> None:
    """Label, padding and gap are counted; a click beside a node does nothing."""

    async def steps(app: MapApp, pilot: "Pilot[None]") -> None:
        await pilot.click("#map", offset=(1 + 3 + 10 + 1 + 2, 1))
        await pilot.click("#map", offset=(1 + 3 + 10, 1))
        await pilot.click("#map", offset=(5, 7))
        await pilot.pause()
        assert app.picked == [(8, 32)]
        assert app.map.cursor == 32

    with_map(steps)


@pytest.mark.proof
def test_zoom_and_colouring_show_their_caption() -> None:
    """`z` nearer, `Z` farther, `v` the next colouring; both ends hold."""

    async def steps(app: MapApp, pilot: "Pilot[None]") -> None:
        assert app.map.caption == "by state, one letter a node"
        await pilot.press("z", "z", "z", "z", "Z", "Z", "Z", "Z", "Z", "Z", "v")
        await pilot.pause()
        assert app.captions[-1] == app.map.caption == "by job, 2 nodes a cell"
        assert "by state, a card a node" in app.captions
        assert "by state, two nodes a cell" in app.captions

    with_map(steps)


def test_the_operators_zoom_holds_until_another_machine_comes() -> None:
    """A new size of the panel keeps it; another machine is fitted anew, and the cursor is gone."""

    async def steps(app: MapApp, pilot: "Pilot[None]") -> None:
        await pilot.press("Z", "down")
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        assert app.map.caption == "by state, two nodes a cell"
        app.map.show(snapshot(owners((1, 30), (-1, 34)), number=2))
        await pilot.pause()
        assert app.map.caption == "by state, the job of a node"
        assert app.map.cursor is None
        assert lines(app.map)[0].split()[:6] == ["0", "R", "1", "1", "R", "1"]

    with_map(steps)


def test_the_cursor_stays_in_sight() -> None:
    """Where the machine is taller than the panel, moving scrolls."""

    async def steps(app: MapApp, pilot: "Pilot[None]") -> None:
        await pilot.press("z", "z", "down")
        for _ in range(40):
            app.map.action_move(0, 1)
        await pilot.pause()
        assert app.map.caption == "by state, one letter a node"
        assert app.map.cursor == 40 * 50
        assert [line.split()[0] for line in lines(app.map)[:-2]] == [str(50 * row) for row in range(31, 41)]
        for _ in range(40):
            app.map.action_move(0, -1)
        await pilot.pause()
        assert lines(app.map)[0].split()[0] == "0"

    with_map(steps, nodes=owners((1, 3_000)), size=(60, 12))


def test_keys_of_the_console_pass_through() -> None:
    """Home is the console's: the map does not take it for scrolling."""

    async def steps(app: MapApp, pilot: "Pilot[None]") -> None:
        await pilot.press("home")
        assert app.homes == 1

    with_map(steps)


def test_only_changed_lines_are_drawn_again() -> None:
    """One job of one node begins: its line and the status, and not one line more."""

    async def steps(app: MapApp, pilot: "Pilot[None]") -> None:
        asked: list[Region] = []
        app.map.refresh = lambda *regions, **_: asked.extend(regions)  # type: ignore[method-assign, assignment]
        begun = owners((7, 32), (8, 7), (9, 1), (-1, 10), (10, 40), (-2, 2), (12, 1), (-1, 6), (11, 1))
        app.map.show(snapshot(begun, number=2, changed=[12]), **facts())  # type: ignore[arg-type]
        assert sorted(region.y for region in asked) == [4, app.map.size.height - 3]
        asked.clear()
        app.map.show(snapshot(begun, number=2, changed=[12]), **facts())  # type: ignore[arg-type]
        assert asked == []

    with_map(steps)


def test_the_last_event_stands_out_for_one_step() -> None:
    """Forward: what it freed is underlined; after the next event no longer."""

    async def steps(app: MapApp, pilot: "Pilot[None]") -> None:
        freed = owners((7, 32), (8, 7), (-1, 11), (10, 40), (-2, 2), (-1, 7), (11, 1))
        app.map.show(snapshot(freed, number=2, changed=[9]), **facts())  # type: ignore[arg-type]
        assert underlined(app.map, 1) == "."
        app.map.show(snapshot(freed, number=3), **facts())  # type: ignore[arg-type]
        assert underlined(app.map, 1) == ""
        app.map.show(snapshot(small(), number=9), **facts())  # type: ignore[arg-type]
        app.map.show(snapshot(freed, number=2), **facts())  # type: ignore[arg-type]
        assert underlined(app.map, 1) == ""

    with_map(steps)


def underlined(widget: NodeMap, y: int) -> str:
    """The underlined letters of a line."""
    strip = widget.render_line(y)
    return "".join(part.text for part in strip if part.style is not None and part.style.underline)


def test_a_theme_changes_every_line() -> None:
    """Dark to light: no line keeps the ground of the theme before."""

    async def steps(app: MapApp, pilot: "Pilot[None]") -> None:
        app.theme = "textual-light"
        await pilot.pause()
        grounds = {part.style.bgcolor for y in range(5) for part in app.map.render_line(y) if part.style}
        assert grounds == {app.map.rich_style.bgcolor}

    with_map(steps)


@pytest.mark.parametrize("colours", ["NO_COLOR", "16", "many"])
def test_the_map_is_drawn_on_every_terminal(monkeypatch: pytest.MonkeyPatch, colours: str) -> None:
    """With many colours, sixteen and none; every zoom and colouring; every segment has a style."""
    monkeypatch.setenv("TERM", "xterm-16color" if colours == "16" else "xterm-256color")
    if colours == "NO_COLOR":
        monkeypatch.setenv("NO_COLOR", "1")
    else:
        monkeypatch.delenv("NO_COLOR", raising=False)

    async def steps(app: MapApp, pilot: "Pilot[None]") -> None:
        await pilot.press("down", "Z", "Z", "Z")
        for _ in ZOOMS:
            for colouring in Colouring:
                app.map.colouring = colouring
                await pilot.pause()
                strips = [app.map.render_line(y) for y in range(app.map.size.height)]
                assert all(part.style is not None for strip in strips for part in strip)
                assert {strip.cell_length for strip in strips} == {app.map.size.width}
                assert app.export_screenshot()
            await pilot.press("z")
        assert app.map.caption.endswith("a card a node")

    with_map(steps, ansi=True if colours != "many" else None)


@pytest.mark.parametrize("size", [(3, 1), (9, 3), (200, 60)], ids=str)
@pytest.mark.parametrize("nodes", [1, 4, 100_000])
def test_no_size_is_too_small_or_too_large(size: tuple[int, int], nodes: int) -> None:
    """From one cell (beside the padding) upward, from one node to 100,000, in every zoom."""

    async def steps(app: MapApp, pilot: "Pilot[None]") -> None:
        app.map.action_move(1, 0)
        for nearer in (-1, -1, -1, 1, 1, 1):
            app.map.action_zoom(nearer)
            assert len(lines(app.map)) == app.map.size.height
        app.map.action_move(0, 1)
        app.map.action_pick()
        await pilot.pause()
        assert app.picked

    with_map(steps, size=size, nodes=owners((5, nodes)))


def test_ages_and_ends_are_one_digit_a_node() -> None:
    """Several would read as several nodes; another colouring has its letters again."""

    async def steps(app: MapApp, pilot: "Pilot[None]") -> None:
        captions = []
        for colouring in (Colouring.JOB, Colouring.AGE, Colouring.END, Colouring.USER):
            app.map.colouring = colouring
            await pilot.pause()
            captions.append(app.map.caption.split(", ")[1])
        assert captions == ["4 letters a node", *["one digit a node"] * 2, "4 letters a node"]

    with_map(steps, size=(60, 16))
