"""A sweep: policies and values of parameters, run behind a page, that ends in a table."""

import csv
from pathlib import Path

import pytest

from shadowtime.console.screens.pages.sweep import SweepPage, table_lines
from shadowtime.console.screens.pages.sweep_form import SweepForm
from shadowtime.console.session import SessionError
from shadowtime.console.session.comparison.sweep import Sweep, save_csv, spoken
from shadowtime.console.widgets.frame.ink import texts, width_of
from tests.console.operator import Operator, case, operate


def test_values_between_commas_are_runs_of_their_own() -> None:
    assert spoken("easy gang:quantum=60,600 easy") == ("easy", "gang:quantum=60", "gang:quantum=600")
    assert spoken("a:x=1,2,y=p,q") == ("a:x=1,y=p", "a:x=1,y=q", "a:x=2,y=p", "a:x=2,y=q")
    assert spoken("a:x=[1,2]") == ("a:x=[1,2]",)
    for text, message in (
        ("", "sweep over what? expected policies, such as easy gang:quantum=60,600"),
        ("gang:60", "gang:60: '60' is no parameter; expected policies, such as easy gang:quantum=60,600"),
        (f"a:x={','.join(map(str, range(70)))}", "70 runs are more than a sweep does; expected 64 at most"),
    ):
        with pytest.raises(SessionError) as caught:
            spoken(text)
        assert str(caught.value) == message


def test_the_table_has_a_metric_a_row_at_every_width(tmp_path: Path) -> None:
    """What has no room beside stands below."""
    found = Sweep(case(), "fcfs easy gang:quantum=60,600").run()
    assert found is not None
    for width in (60, 80, 120):
        lines = table_lines(found, width)
        assert all(width_of(line) <= width for line in lines)
        text = "\n".join(texts(lines))
        assert all(name in text for name in ("fcfs", "gang:quantum=600", "mean_wait"))
    save_csv(found, tmp_path / "a.csv")
    rows = list(csv.reader((tmp_path / "a.csv").open()))
    assert rows[0] == ["metric", "fcfs", "easy", "gang:quantum=60", "gang:quantum=600"]
    assert rows[1][0] == "mean_wait" and float(rows[1][1]) == 4200


@pytest.mark.proof
def test_a_sweep_runs_behind_its_page_and_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line that does the same stands below; a file that is there is not written over."""
    monkeypatch.chdir(tmp_path)

    async def story(operator: Operator) -> None:
        operator.console.command("sweep fcfs gang:quantum=60,600")
        await operator.rest()
        await operator.until(lambda: "mean_wait" in operator.text)
        assert "--policy fcfs --policy gang:quantum=60" in operator.text
        await operator.press("s", "s")
        assert "wrote sweep-2.csv" in operator.text and (tmp_path / "sweep.csv").is_file()
        await operator.press("escape")
        assert not isinstance(operator.app.screen, SweepPage)

    operate(story)


@pytest.mark.proof
def test_what_is_no_sweep_is_refused() -> None:
    async def story(operator: Operator) -> None:
        operator.console.command("sweep nopolicy")
        assert "nopolicy" in operator.message and not isinstance(operator.app.screen, SweepPage)

    operate(story)


@pytest.mark.proof
def test_without_words_a_form_makes_the_sweep() -> None:
    """Space chooses, values are typed, Enter runs, Esc leads back to the form as it was."""

    async def story(operator: Operator) -> None:
        operator.console.command("sweep")
        await operator.rest()
        form = operator.app.screen
        assert isinstance(form, SweepForm)
        assert form.chosen.text == "easy" and "SWEEP  1 run " in operator.lines[0]
        shown = " ".join(operator.text.replace("│", " ").split())
        assert all(
            f"{name} {entry.summary}" in shown
            for name, entry in form.chosen.entries.items()
            if name != "easy"
        )
        await operator.press("down", *"jkg", "backspace", "backspace", "backspace")
        assert form.chosen.text == "easy" and form.chosen.value(form.field) == ""
        await operator.press(*"arrival", "comma", *"shortest")
        assert form.chosen.text == "easy:scan=arrival,shortest" and "SWEEP  2 runs" in operator.lines[0]
        await operator.press("G", "end")
        assert form.field.policy == "manual"
        await operator.press("home", "j", "k", "space")
        assert form.chosen.text == "fcfs easy:scan=arrival,shortestG"
        await operator.press("enter")
        assert isinstance(operator.app.screen, SweepForm)
        assert "shortestG" in operator.text and form._fault in operator.lines[-1]
        await operator.press("down", "down", "down", "backspace", "enter")
        page = operator.app.screen
        assert isinstance(page, SweepPage)
        await operator.until(lambda: "mean_wait" in operator.text)
        assert page._sweep.policies == ("fcfs", "easy:scan=arrival", "easy:scan=shortest")
        await operator.press("escape")
        assert form.chosen.text == "fcfs easy:scan=arrival,shortest"
        await operator.press("home", "space", "down", "down", "space", "enter")
        assert isinstance(operator.app.screen, SweepForm) and "choose a policy first" in operator.text

    operate(story)


@pytest.mark.proof
@pytest.mark.parametrize("size", [(60, 18), (80, 24), (200, 50)])
def test_the_form_keeps_its_cursor_in_sight(size: tuple[int, int]) -> None:
    """At any size, whatever is chosen; what the policy under the cursor does is whole."""

    async def story(operator: Operator) -> None:
        operator.console.command("sweep")
        await operator.rest()
        for _ in range(12):
            await operator.press("space", "down", "end")
        assert any("> [" in line for line in operator.lines)
        await operator.press("home")
        assert "> [ ] fcfs" in operator.text and "the queue." in operator.text

    operate(story, size=size)


def test_a_sweep_says_what_its_metrics_leave_out_and_what_was_done(tmp_path: Path) -> None:
    """A job that is held never starts, under whatever policy."""

    async def story(operator: Operator) -> None:
        await operator.press("n", "n", "n")
        operator.console.command("hold 2")
        operator.console.command("sweep fcfs")
        await operator.until(lambda: "mean_wait" in operator.text)
        assert "fcfs: 1 job never starts as things stand" in operator.text
        assert "under every policy: 1 action, hold 2; the command needs" in operator.text

    operate(story)
