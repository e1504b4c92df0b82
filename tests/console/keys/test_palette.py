"""The palette: what a few words find, and what choosing it does."""

from pathlib import Path

import pytest
from textual.command import CommandList, CommandPalette

from shadowtime.console.app import Shadowtime
from shadowtime.console.screens.command_table import CONSOLE, commands_of
from shadowtime.console.screens.composed.copies import rows_of
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.pages.browser import Browser
from shadowtime.console.screens.palette.provider import Everything, Here, PaletteEntry, found
from shadowtime.console.session import open_session
from shadowtime.console.session.files.state import Recent
from shadowtime.console.widgets.frame.looks import depth_of
from tests.console.operator import Operator, case, operate, with_first


async def names(operator: Operator, query: str) -> list[str]:
    """The names that a query finds, the best first."""
    everything = Everything(operator.app.screen)
    await everything.startup()
    hits = [hit async for hit in everything.search(query)]
    return [hit.text or "" for hit in sorted(hits, key=lambda hit: -hit.score)]


@pytest.mark.proof
def test_a_word_finds_what_it_names_first() -> None:
    """Not what has its letters somewhere."""

    async def story(operator: Operator) -> None:
        assert (await names(operator, "export"))[0] == ":export KIND FILE"
        assert "Colour the node map by the next property" not in await names(operator, "export")
        assert (await names(operator, "hold"))[0] == ":hold JOB"
        assert (await names(operator, "colour node"))[0] == "Colour the node map by the next property"
        assert await names(operator, "nothing has this name") == []
        assert "To the next event that starts a job" in await names(operator, "decision")

    operate(story)


@pytest.mark.proof
def test_jobs_nodes_users_and_scenarios_are_found() -> None:
    """A number names a job and a node; a title a scenario."""

    async def story(operator: Operator) -> None:
        assert {"Job 3", "Job 3: why", "Node 3"} <= set(await names(operator, "3"))
        assert (await names(operator, "job 3"))[0] == "Job 3"
        assert (await names(operator, "node 17"))[0] == "Node 17"
        assert not any(name == "Node 128" for name in await names(operator, "node 128"))
        assert any(name.startswith("Open ") for name in await names(operator, "open unbounded"))

    operate(story)


@pytest.mark.parametrize(("kind", "value"), [("NO_COLOR", "1"), ("COLORTERM", "")])
def test_the_chosen_entry_is_seen_on_every_terminal(
    monkeypatch: pytest.MonkeyPatch, kind: str, value: str
) -> None:
    """Without colours, or with sixteen, it is underlined."""
    monkeypatch.setenv("TERM", "xterm-16color")
    monkeypatch.delenv("COLORTERM")
    monkeypatch.setenv(kind, value)

    async def story(operator: Operator) -> None:
        await operator.press("ctrl+p")
        await operator.until(lambda: "One event forward" in operator.text)
        rows = [row for row in rows_of(operator.app) if any("One event" in each.text for each in row)]
        lined = [[bool(it.style and it.style.underline) for it in row if it.text.strip("│ ")] for row in rows]
        assert all(lined[0]) and not any(lined[1])

    with_first(story, ConsoleScreen(open_session(case())), depth=depth_of())


def test_each_entry_shows_what_does_the_same() -> None:
    """A key has its command, a command its example and its key."""

    async def story(operator: Operator) -> None:
        entries = {entry.name: entry.help for entry in Everything(operator.console).entries()}
        assert entries["Go to an event, a time, a share, a job"].startswith("g   :goto PLACE")
        assert ":export swf out.swf" in entries[":export KIND FILE"]
        assert "key g" in entries[":goto PLACE"]
        for command in commands_of(CONSOLE):
            assert f":{command.usage}" in entries
        found_job = next(iter(Here(operator.console).entries("job 2")))
        assert found_job.help.endswith(":job 2")

    operate(story)


@pytest.mark.proof
def test_a_command_with_arguments_is_typed_on() -> None:
    """The line opens with its beginning, and with the job that is selected."""

    async def story(operator: Operator) -> None:
        await operator.press("ctrl+p", *"filter words", "enter")
        assert operator.message.startswith(":filter")
        await operator.press("escape")
        operator.console.command("job 2")
        await operator.press("ctrl+p", *"hold job", "enter")
        assert operator.message.startswith(":hold 2")

    operate(story, at="#3")


@pytest.mark.proof
def test_a_job_of_the_palette_is_selected() -> None:
    """Ctrl+P, its number, Enter."""

    async def story(operator: Operator) -> None:
        await operator.press("ctrl+p", *"job 3", "enter")
        assert not isinstance(operator.app.screen, CommandPalette)
        assert operator.console.desk.selected == 2

    operate(story, at="#4")


@pytest.mark.proof
def test_a_scenario_of_the_palette_opens_over_the_browser_and_is_kept(tmp_path: Path) -> None:
    """Files that were opened come first the next time."""
    recent = Recent(tmp_path / "state" / "recent")

    async def story(operator: Operator) -> None:
        operator.app._recent = recent
        await operator.press("ctrl+p", *"dilemma gain turns loss")
        await operator.until(lambda: "Open The dilemma: a gain that turns into a loss" in operator.text)
        await operator.press("enter")
        await operator.until(lambda: isinstance(operator.app.screen, ConsoleScreen))
        path = operator.console.session.case.scenario.path
        assert path is not None and path.name == "dilemma.toml" and recent.files() == (path.absolute(),)
        assert (await names(operator, "dilemma"))[0] == "Open again dilemma.toml"

    with_first(story, Browser())


def test_the_list_of_recent_files_is_short_and_survives_damage(tmp_path: Path) -> None:
    """What is gone is left out; a damaged list is empty; a folder in its place is no fault."""
    recent = Recent(tmp_path / "recent")
    paths = [tmp_path / f"{number}.toml" for number in range(20)]
    for path in paths:
        path.write_text("")
        recent.add(path)
    assert recent.files() == tuple(paths[:-13:-1])
    paths[-1].unlink()
    assert recent.files()[0] == paths[-2]
    recent.path.write_bytes(b"\xff\xfe\x00")
    assert recent.files() == ()
    recent.path.unlink()
    recent.path.mkdir()
    recent.add(paths[0])
    assert recent.files() == ()


def test_matching_needs_every_word() -> None:
    """A word of the help counts less than one of the name."""
    entries = [PaletteEntry("One thing", "alpha", print), PaletteEntry("Another", "one alpha", print)]
    assert [entry.name for _, entry in sorted(found(entries, "one"), key=lambda it: -it[0])] == [
        "One thing",
        "Another",
    ]
    assert [entry.name for _, entry in found(entries, "alpha other")] == ["Another"]
    assert isinstance(Shadowtime(Browser()).recent, tuple)


@pytest.mark.proof
def test_what_is_listed_before_a_letter_is_typed_shows_brackets() -> None:
    """`[COUNT]` is part of a usage, no markup."""

    async def story(operator: Operator) -> None:
        await operator.press_only("ctrl+p")
        listed = operator.app.screen.query_one(CommandList)
        await operator.until(lambda: listed.option_count > 100)
        shown = [str(option.prompt).splitlines() for option in listed.options]
        assert [":n [COUNT]", "so many events forward   :10n"] in shown
        assert any(lines[1].endswith("[reverse]") for lines in shown)

    operate(story)
