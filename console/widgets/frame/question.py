"""The question of a drill, under the panels: what is asked, the choices, the verdict and why."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from shadowtime.console import words
from shadowtime.console.clock import ELAPSED, Clock
from shadowtime.console.session.training import (
    POINTS,
    RIGHT,
    SKIPPED,
    Answer,
    Drill,
    QuestionResult,
    letter_of,
)
from shadowtime.console.widgets.frame.ink import Line, Piece, width_of, wrap
from shadowtime.console.widgets.frame.status import StatusLine
from shadowtime.console.words import training

GAP = 3
WIDE = 84
"""Columns from which on the keys of a question are shown in full."""
ROLES = {RIGHT: "good", SKIPPED: "dim"}
"""The role of a verdict's line; any other verdict stands out as wrong."""
MORE = "…  :note shows all"


class QuestionPanel(StatusLine):
    """A panel of as many lines as `fit` gives it."""

    DEFAULT_CSS = """
    QuestionPanel { padding: 0 1; background: $boost; }
    """

    def fit(self, lines: Sequence[Line], most: int) -> None:
        """Show the lines, `most` of them: what is left out is said so; the last line always stays."""
        shown = list(lines)
        if len(shown) > most:
            shown = [*shown[: max(0, most - 2)], [(f"  {MORE}", "key")], shown[-1]]
        if self.styles.height is None or self.styles.height.value != len(shown):
            self.styles.height = len(shown)
        self.put(*shown)


def head(drill: Drill, place: int, role: str = "head") -> Piece:
    return (f"QUESTION {place + 1} of {len(drill.questions)}  ", role)


def question_lines(drill: Drill, width: int, unit: words.Unit, tight: bool = False) -> list[Line]:
    """An open question, with its choices; those that a hint struck out are gone.

    If `tight`, without the text before it and what it assumes: the notes page has both.
    """
    question = drill.question
    assert question is not None
    answer = drill.answer
    lines: list[Line] = []
    if tight:
        lines += wrap(training.asked(answer, short=True), width, "strong", [head(drill, drill.place)], 2)
    elif question.text:
        lines += wrap(" ".join(question.text.split()), width, "text", [head(drill, drill.place)], 2)
        lines += wrap(training.asked(answer), width, "strong", [], 0)
    else:
        lines += wrap(training.asked(answer), width, "strong", [head(drill, drill.place)], 2)
    lines += choice_lines(training.choices(answer, drill.left, unit), width)
    if drill.hints:
        hint = training.hinted(question, drill.hints, unit)
        lines += wrap(hint, width, "note", [("HINT  ", "key")], 6)
    return lines


def choice_lines(choices: Sequence[tuple[str, str]], width: int) -> list[Line]:
    """The choices side by side where they fit: all of them in a line, else two, else one."""
    shown: list[Line] = [[(f"  {letter}  ", "key"), (text, "text")] for letter, text in choices]
    if sum(width_of(choice) + GAP for choice in shown) <= width:
        return [[piece for choice in shown for piece in (*choice, (" " * GAP, "text"))]]
    cell = max(map(width_of, shown)) + GAP
    if 2 * cell - GAP <= width:
        filled = [[*choice, (" " * (cell - width_of(choice)), "text")] for choice in shown]
        return [[*left, *(right or ())] for left, right in zip_longest(filled[::2], shown[1::2])]
    return [
        line for letter, text in choices for line in wrap(text, width, "text", [(f"  {letter}  ", "key")], 5)
    ]


def open_keys(drill: Drill, answer_key: str, leave: str, width: int) -> Line:
    """What can be done with an open question; in fewer words on a narrow screen."""
    worth = max(0, POINTS - drill.hints)
    last = letter_of(len(drill.answer.offered) - 1)
    if width < WIDE:
        hint: list[Piece] = [("h", "key"), (" hint  ", "dim")] if drill.hints < drill.most_hints else []
        return [
            (f"a-{last}", "key"), (" answer  ", "dim"), (answer_key, "key"), (" typed  ", "dim"), *hint,
            ("k", "key"), (" skip  ", "dim"), ("o", "key"), (" show  ", "dim"),
            (leave, "key"), (" leave", "dim"),
        ]  # fmt: skip
    line: list[Piece] = [
        (f"a-{last}", "key"), (f" answer, {words.count(worth, 'point')}   ", "dim"),
        (answer_key, "key"), (" typed   ", "dim"),
    ]  # fmt: skip
    if drill.hints < drill.most_hints:
        line += [("h", "key"), (" hint, costs one   ", "dim")]
    return [
        *line,
        ("k", "key"), (" skip   ", "dim"), ("o", "key"), (" the answer   ", "dim"),
        (leave, "key"), (" leave", "dim"),
    ]  # fmt: skip


def verdict_lines(drill: Drill, verdict: QuestionResult, width: int, unit: words.Unit) -> list[Line]:
    """How a question ended, and why: the same words as in the panel of events."""
    role = ROLES.get(verdict.verdict, "bad")
    lines = wrap(training.verdict(verdict, unit), width, role, [head(drill, verdict.place)], 2)
    return [*lines, *listed(training.explained_so_far(verdict, unit), width)]


def listed(sentences: Iterable[str], width: int) -> Iterator[Line]:
    """Sentences one under the other, each behind a mark."""
    for sentence in sentences:
        yield from wrap(sentence, width, "text", [("* ", "key")], 2)


def on_the_way(drill: Drill, go_on: Line, clock: Clock = ELAPSED) -> Line:
    question = drill.question
    assert question is not None
    when = clock.format(question.at)
    return [head(drill, drill.place), (f"at {when}:  ", "text"), *go_on]


def debrief_lines(
    drill: Drill, place: int, ended: QuestionResult | None, width: int, unit: words.Unit
) -> list[Line]:
    """A key moment of a lesson that is over: the question, the answer given, the right one, and why.

    `ended` is how it ended in this sitting; None if it was answered before.
    """
    question, made = drill.questions[place], drill.answers[place]
    heading = [(f"DEBRIEF {place + 1} of {len(drill.questions)}  ", "head")]
    if not isinstance(made, Answer):
        return [*wrap(str(made), width, "bad", heading, 2)]
    moment = training.moment(question, unit)
    asked = f"{moment}{moment and ': '}{training.asked(made, short=True)}"
    lines: list[Line] = [*wrap(asked, width, "strong", heading, 2)]
    role = "text" if ended is None else ROLES.get(ended.verdict, "bad")
    lines += wrap(training.looked_back(made, ended, unit), width, role)
    lines += listed(training.whole_explanation(made, ended, unit), width)
    if question.debrief and (ended is None or ended.verdict != SKIPPED):
        lines += wrap(question.debrief, width, "note", [("NOTE  ", "key")], 6)
    return lines


def end_lines(
    drill: Drill, ended: Sequence[QuestionResult], go_on: Line, width: int, unit: words.Unit
) -> list[Line]:
    """What the lesson came to, and what the run does otherwise than could be known."""
    points = sum(verdict.points for verdict in ended)
    right = sum(verdict.verdict == RIGHT for verdict in ended)
    text = (
        f"{words.count(points, 'point')} of {POINTS * len(ended)}; {right} of {len(ended)} answered right."
        f" The run goes on to its end: look around as long as you like."
        if ended
        else "every question was answered before."
    )
    done = "THE LESSON IS OVER  " if len(ended) == len(drill.questions) else "OVER  "
    lines: list[Line] = [*wrap(text, width, "strong", [(done, "good")], 2)]
    lines += listed(training.afterwards(drill, unit), width)
    note = drill.session.case.scenario.debrief
    if note:
        lines += wrap(note, width, "note", [("NOTE  ", "key")], 6)
    moments: Line = [("h", "key"), (f" debrief: the {len(drill.questions)} moments   ", "dim")]
    return [*lines, [*moments, *go_on]]
