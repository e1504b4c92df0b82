"""Training at the keyboard: lessons, answers, hints, what is covered, what is kept."""

from pathlib import Path

import attrs
import pytest

from shadowtime.console import words
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.training.drill import DrillScreen
from shadowtime.console.screens.training.example_page import ExamplePage
from shadowtime.console.screens.training.kinds import drill_screen
from shadowtime.console.screens.training.menu import Training
from shadowtime.console.session import load, open_session
from shadowtime.console.session.training import Drill, Progress, progress_file
from shadowtime.console.widgets.frame.lines import LineView
from shadowtime.console.widgets.frame.looks import Depth
from shadowtime.console.widgets.frame.question import QuestionPanel
from shadowtime.console.words import NODES, training
from tests.console.operator import Operator, case, operate, with_first
from tests.console.training.support import choose
from tests.console.wording import flat
from tests.session.training.test_answers import scenario

LESSONS = Path(__file__).parent.parent.parent.parent / "scenarios" / "courses" / "backfilling"
SIZES = [(80, 24), (120, 36)]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of the test's own, and an operator."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("SHADOWTIME_OPERATOR", "kim")
    return tmp_path


def question(operator: Operator) -> str:
    """What stands in the panel of the question, on one line."""
    panel = operator.app.screen.query_one(QuestionPanel)
    return " ".join(" ".join("".join(text for text, _ in line) for line in panel.lines).split())


def about(operator: Operator) -> str:
    """What stands on the right of the menu, on one line, wherever its lines are broken."""
    return " ".join(" ".join(operator.app.screen.query_one("#about", LineView).text).split())


def drilled(name: str = "02-shadow-time.toml") -> DrillScreen:
    screen = drill_screen(Drill(load(LESSONS / name)))
    assert isinstance(screen, DrillScreen)
    return screen


async def begin(operator: Operator) -> None:
    """Read the story, and go to the first question."""
    await operator.press("enter")


@pytest.mark.proof
async def past_examples(operator: Operator) -> None:
    """Read the worked examples before a question."""
    while isinstance(operator.app.screen, ExamplePage):
        await operator.press("enter")


@pytest.mark.parametrize("size", SIZES)
def test_a_lesson_from_the_menu_to_its_end(size: tuple[int, int]) -> None:
    """Everything right: full points, each kept at once, and the menu tells them."""

    async def story(operator: Operator) -> None:
        await operator.press("t")
        assert "TRAINING" in operator.text
        await choose(operator, "backfilling", "01-first-come")
        await operator.press("enter", "enter")
        await past_examples(operator)
        answers = ("head_blocked", "behind_head", "2", "0 04:00:00", "R")
        for place, answer in enumerate(answers, 1):
            assert question(operator).startswith(f"QUESTION {place} of 5")
            await operator.press("i")
            await operator.type(answer)
            assert "RIGHT, 3 points of 3" in question(operator), answer
            assert len(Progress(progress_file()).records("kim")) == place
            await operator.press("t")
            await past_examples(operator)
        assert "THE LESSON IS OVER 15 points of 15; 5 of 5 answered right." in question(operator)
        assert operator.app.screen is operator.app.screen_stack[-1]
        await operator.press("t")
        assert "15 of 15" in operator.text
        await operator.press("escape")
        assert isinstance(operator.app.screen, ConsoleScreen)

    operate(story, size=size)


@pytest.mark.proof
@pytest.mark.parametrize("asked", [("colon", "sort starts"), ("slash", "starts<9h"), ("colon", "sort slip")])
def test_an_order_does_not_tell_what_is_covered(asked: tuple[str, str]) -> None:
    """Neither a column nor a filter of starts to come works while a question is open; nor a node's page."""

    async def story(operator: Operator) -> None:
        await begin(operator)
        jobs = operator.jobs
        await operator.press(asked[0])
        await operator.type(asked[1])
        assert "starts and ends to come are covered" in operator.message
        assert operator.jobs == jobs and not operator.console.desk.filter
        await operator.press("tab", "6")
        assert "starts and ends to come are covered" in operator.message
        assert operator.jobs == jobs and not operator.console.desk.filter
        await operator.press("1", "right", "enter")
        assert isinstance(operator.app.screen, DrillScreen)
        await operator.press("colon")
        await operator.type("node 1")
        assert isinstance(operator.app.screen, DrillScreen)

    with_first(story, drilled())


@pytest.mark.proof
def test_what_would_tell_the_answer_is_covered_until_it_is_given() -> None:
    """No prediction, no reason, no event to come; after the answer they are there."""

    async def story(operator: Operator) -> None:
        await begin(operator)
        assert "0d 02:00:00 exp" not in operator.panel(2) and "head, 3 of 8 free" not in operator.panel(2)
        log = operator.panel(4)
        assert words.happened("submit", 5) not in log and "WHY  job 4 waits" not in log
        await operator.press("e")
        assert "2:00:00" not in operator.panel(4)
        await operator.press("enter")
        assert operator.message.startswith("answer first")
        assert "= compare" not in operator.lines[-1]
        for key in ("=", "D"):
            await operator.press("equals_sign" if key == "=" else key)
            assert isinstance(operator.app.screen, DrillScreen)
        await operator.press("a")
        assert "0d 02:00:00 exp" in operator.panel(2) and "head, 3 of 8 free" in operator.panel(2)
        assert words.TALLIES["backfill"].format("job 5") not in operator.panel(4), (
            "the next question is still to come"
        )

    with_first(story, drilled())


@pytest.mark.proof
def test_nothing_goes_on_before_the_answer_and_back_it_goes_freely() -> None:
    async def story(operator: Operator) -> None:
        await begin(operator)
        here = operator.console.snapshot.number
        for key in ("n", "N", "right_curly_bracket", "end"):
            await operator.press(key)
            assert operator.console.snapshot.number == here, key
            assert operator.message == "the question comes first: a letter or i answers, k skips it", key
        await operator.press("colon")
        await operator.type("99%")
        assert operator.console.snapshot.number == here
        await operator.press("p", "p")
        assert operator.console.snapshot.number == here - 2
        assert "t go there" in question(operator)
        await operator.press("space")
        await operator.until(lambda: operator.console.snapshot.number == here)
        assert "When does job 4 start?" in question(operator)
        assert not operator.console.player.playing and operator.message.startswith("the question comes first")
        await operator.press("space")
        assert not operator.console.player.playing, "nothing can go on"

    with_first(story, drilled())


@pytest.mark.proof
def test_hint_skip_and_show_the_answer() -> None:
    """A hint costs a point, two leave two choices; a skipped question comes again the next time."""

    async def story(operator: Operator) -> None:
        await begin(operator)
        await operator.press("h")
        assert "HINT Free now: 3." in question(operator) and "2 points" in question(operator)
        await operator.press("h", "h")
        shown = operator.console.drill.question  # type: ignore[attr-defined]
        assert flat(training.hinted(shown, 2, NODES)) in question(operator)
        assert operator.message == "there are no more hints; answer, or give up"
        assert sum(f" {letter} 0d " in question(operator) for letter in "abcd") == 2
        await operator.press("k")
        assert question(operator).startswith("QUESTION 2 of 6")
        await operator.press("o")
        assert 'THE ANSWER, 0 points of 3: "it passes the head' in question(operator)
        assert f"job 5 {words.VERBS['backfill']}" in question(operator)

    with_first(story, drilled())


@pytest.mark.proof
def test_one_key_answers() -> None:
    """The letter of a choice, while its question is open; a letter that a hint took does nothing."""

    async def story(operator: Operator) -> None:
        await begin(operator)
        drill = operator.console.drill  # type: ignore[attr-defined]
        await operator.press("h", "h")
        gone = next(letter for letter in "abcd" if drill.answer.offered[ord(letter) - 97] not in drill.left)
        await operator.press(gone)
        assert question(operator).startswith("QUESTION 1 of 6") and "0 points" not in question(operator)
        await operator.press("slash", "a", "enter")
        assert drill.place == 0, "a letter that belongs to a line answers nothing"
        await operator.press("escape", "a")
        assert "RIGHT, 1 point of 3: 0d 02:00:00" in question(operator)
        await operator.press("b")
        assert drill.place == 1, "no question is open"

    with_first(story, drilled())


@pytest.mark.proof
def test_leaving_gives_no_hint_back() -> None:
    """A hint of the question at which the lesson was left is still taken."""

    async def story(operator: Operator) -> None:
        await choose(operator, "backfilling", "01-first-come")
        await operator.press("enter", "enter", "h", "escape", "escape", "enter", "enter")
        assert "HINT How many nodes does job 2 need" in question(operator) and "2 points" in question(
            operator
        )
        await operator.press("i")
        await operator.type("head_blocked")
        assert "RIGHT, 2 points of 3" in question(operator)

    with_first(story, Training(seed=1))


@pytest.mark.proof
def test_what_the_run_does_is_shown_after_the_lesson() -> None:
    """That job 2 starts at 2:10:00 answers a later question: no verdict shows it, the end does."""

    async def story(operator: Operator) -> None:
        await begin(operator)
        await operator.press("o")
        assert "as it turns out" not in question(operator)
        while operator.console.drill.question is not None:  # type: ignore[attr-defined]
            await operator.press("t", "o")
        await operator.press("t")
        assert "question 1: as it turns out, job 2 starts at 0d 02:10:00" in question(operator)

    with_first(story, drilled("03-early-ends.toml"), size=(120, 36))


@pytest.mark.proof
def test_the_choices_are_seen_on_a_small_screen() -> None:
    """At 60 columns and 18 lines, with the question and the keys."""

    async def story(operator: Operator) -> None:
        await begin(operator)
        while operator.console.drill.question is not None:  # type: ignore[attr-defined]
            drill = operator.console.drill  # type: ignore[attr-defined]
            text = question(operator)
            for value in drill.answer.offered:
                shown = training.choice(drill.answer.question.ask, value, operator.console.desk.unit)
                assert shown in text, (shown, text)
            assert "Esc leave" in text
            await operator.press("k")

    with_first(story, drilled(), size=(60, 18))


@pytest.mark.proof
def test_a_wrong_answer_is_explained_with_the_job_that_was_named() -> None:
    async def story(operator: Operator) -> None:
        await begin(operator)
        for _ in range(4):
            await operator.press("k")
        assert training.WORDINGS["next_start"].asks in question(operator)
        await operator.press("i", "8", "enter")
        text = question(operator)
        assert "WRONG, 0 points of 3: your answer: job 8; right: job 7" in text
        assert f"job 7 {words.VERBS['backfill']}" in text
        drill = operator.console.drill  # type: ignore[attr-defined]
        reason = drill.session.why(8)
        said, _, _ = words.waits(8, reason, words.NODES).partition(":")
        assert said not in text, "why job 8 waits is the next question"

    with_first(story, drilled())


def test_one_key_goes_on_and_another_types() -> None:
    """Where a question is open the key that goes on takes no text; the words of a choice are an answer."""

    async def story(operator: Operator) -> None:
        await begin(operator)
        await operator.press("k", "t")
        drill = operator.console.drill  # type: ignore[attr-defined]
        assert not operator.console._prompt.asking and "the question is open" in operator.message
        await operator.press("i")
        await operator.type(training.choice(drill.answer.question.ask, drill.answer.shown, words.NODES))
        assert "RIGHT, 3 points of 3" in question(operator)

    with_first(story, drilled())


def test_what_is_no_answer_is_told_and_counts_for_nothing() -> None:
    async def story(operator: Operator) -> None:
        await begin(operator)
        await operator.press("i", "x", "enter")
        assert operator.message.startswith("'x' is no answer; expected a to d, or a time")
        assert question(operator).startswith("QUESTION 1 of 6")
        await operator.press("i", "escape")
        assert question(operator).startswith("QUESTION 1 of 6")

    with_first(story, drilled())


@pytest.mark.proof
def test_a_lesson_that_was_left_goes_on_where_it_was_left() -> None:
    async def story(operator: Operator) -> None:
        await choose(operator, "backfilling", "01-first-come")
        await operator.press("enter", "enter", "i")
        await operator.type("head_blocked")
        await operator.press("escape", "escape")
        assert "3 of 3" in operator.text
        await operator.press("enter")
        assert question(operator).startswith("QUESTION 2 of 5")

    with_first(story, Training(seed=1))


@pytest.mark.proof
def test_damaged_progress_is_told_and_the_lesson_goes_on(data: Path) -> None:
    """In one line, and the file stays as it is."""
    path = data / "shadowtime" / "training.sqlite3"
    path.parent.mkdir()
    path.write_bytes(b"no database")

    async def story(operator: Operator) -> None:
        assert "is damaged" in about(operator)
        await choose(operator, "backfilling", "01-first-come")
        await operator.press("enter", "enter", "i")
        await operator.type("head_blocked")
        assert "RIGHT" in question(operator)
        assert "left as it is" in operator.message or "is damaged" in operator.message

    with_first(story, Training(seed=1), size=(200, 50))
    assert path.read_bytes() == b"no database"


@pytest.mark.proof
def test_a_course_of_ones_own(tmp_path: Path) -> None:
    """From a folder; what is wrong with a lesson is reported where it is opened."""
    (tmp_path / "course.toml").write_text(
        'title = "Mine"\nabout = "A"\naudience = "B"\nlessons = ["a.toml"]\n'
    )
    (tmp_path / "a.toml").write_text("title = 3\n")

    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await operator.type(f"train {tmp_path}")
        assert "Mine" in operator.text and "Backfilling" not in operator.text
        await operator.press("enter")
        assert "expected a text" in about(operator)
        assert "this lesson cannot be opened" in operator.text
        await operator.press("escape", "colon")
        await operator.type(f"train {tmp_path / 'none'}")
        assert "no such folder; expected one with a course.toml" in operator.message

    operate(story, of=case(), size=(200, 50))


@pytest.mark.proof
def test_the_matrix_is_seen_and_the_chart_of_what_is_to_come_is_not() -> None:
    """Panel 3 shows who has which row; where space is shared it would show the future."""

    async def sliced(operator: Operator) -> None:
        await begin(operator)
        assert 3 in operator.console.numbers

    async def shared(operator: Operator) -> None:
        await begin(operator)
        assert 3 not in operator.console.numbers

    with_first(sliced, drill_screen(Drill(load(LESSONS.parent / "gang" / "01-time-slots.toml"))))
    with_first(shared, drilled())


@pytest.mark.proof
@pytest.mark.parametrize("depth", list(Depth))
@pytest.mark.parametrize("size", SIZES)
def test_a_question_fits_on_every_screen(size: tuple[int, int], depth: Depth) -> None:
    """No line is cut, and the panel in use keeps some lines."""

    async def story(operator: Operator) -> None:
        await begin(operator)
        while operator.console.drill.question is not None:  # type: ignore[attr-defined]
            assert "Esc leave" in question(operator)
            assert all(len(line) <= size[0] for line in operator.lines)
            assert "…" not in question(operator)
            assert operator.console.query_one(f"#panel{operator.console.panels.used}").size.height >= 4
            await operator.press("o")
            assert "…" not in question(operator) or size == (80, 24)
            await operator.press("t")

    with_first(story, drilled("06-busy-morning.toml"), size=size, depth=depth)


@pytest.mark.proof
def test_the_session_of_a_drill_is_the_case_of_its_file() -> None:
    """The console of a lesson shows the same as the console of its file."""
    screen, plain = drilled(), open_session(load(LESSONS / "02-shadow-time.toml"))
    assert screen.session.digest() == plain.digest()


@pytest.mark.proof
def test_the_debrief_replays_the_moments_with_the_answers() -> None:
    """After the lesson each question where it was asked, with the answer given, the right one, the note.

    Nothing of it is shown before; a question that was skipped is asked again, so its answer is not shown.
    """
    case = load(LESSONS / "02-shadow-time.toml")
    noted = [attrs.evolve(it, debrief=f"remark {n}") for n, it in enumerate(case.scenario.questions, 1)]
    scenario = attrs.evolve(case.scenario, questions=tuple(noted), debrief="remark on all")
    drill = Drill(attrs.evolve(case, scenario=scenario))

    async def story(operator: Operator) -> None:
        await begin(operator)
        wrong = next(v for v in drill.answer.offered if not drill.answer.holds(v))
        await operator.press("abcd"[drill.answer.offered.index(wrong)])
        await operator.press("t")
        while drill.question is not None:
            assert "remark" not in operator.text
            await operator.press("k" if drill.place == 3 else "o")
            await operator.press(*(() if drill.place == 4 else ("t",)))
        assert "h debrief: the 6 moments" in question(operator) and "remark on all" in question(operator)
        for place in range(6):
            await operator.press("h")
            text = question(operator)
            assert text.startswith(f"DEBRIEF {place + 1} of 6") and (f"NOTE remark {place + 1}" in text) is (
                place != 3
            )
            assert operator.console.snapshot.number == drill.places[place]
            assert ("your answer" in text) is (place == 0) and ("THE ANSWER" in text) is (place not in (0, 3))
        await operator.press("n")
        assert operator.console.snapshot.number == drill.places[5] + 1, "the pass is seen"
        await operator.press("h")
        assert question(operator).startswith("THE LESSON IS OVER")
        await operator.press("t")
        assert len(operator.app.screen_stack) == 1

    with_first(story, drill_screen(drill), size=(120, 50))


def test_a_question_before_the_first_event_waits_for_a_letter(tmp_path: Path) -> None:
    """The lesson stands where it is asked when the story ends: no line to type an answer into is opened."""
    drill = Drill(load(scenario(tmp_path, "5 next_event", jobs=((1, 6, 20, 100, 100),))))

    async def story(operator: Operator) -> None:
        await operator.press("enter")
        assert drill.due and drill.places == (0,)
        await operator.press("a")
        assert drill.question is None

    with_first(story, drill_screen(drill))


@pytest.mark.parametrize("size", [(80, 24), (60, 18)])
def test_worked_examples_come_before_the_first_question(size: tuple[int, int]) -> None:
    """One is solved, of the other the answer is given by a letter; nothing of them is kept."""

    async def story(operator: Operator) -> None:
        await choose(operator, "backfilling", "01-first-come")
        await operator.press("enter", "enter")
        await operator.until(lambda: isinstance(operator.app.screen, ExamplePage))
        assert "WORKED EXAMPLE" in operator.text and "QUESTION 1" in operator.text
        await operator.press("enter")
        await operator.until(lambda: "ANOTHER ONE" in operator.text)
        await operator.press("a")
        assert "RIGHT" in operator.text or "WRONG" in operator.text
        await operator.press("enter")
        await operator.until(lambda: isinstance(operator.app.screen, DrillScreen))
        assert "QUESTION 1 of 5" in question(operator)
        assert all(len(line) <= size[0] for line in operator.lines)
        assert not Progress(progress_file()).records()

    with_first(story, Training(), size=size)
