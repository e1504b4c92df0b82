"""What a class sees, line by line."""

from collections.abc import Iterable

from shadowtime.console import words
from shadowtime.console.session.curriculum.lecture import Lecture, Stage
from shadowtime.console.widgets.asked.text import machine_lines
from shadowtime.console.widgets.frame.ink import READABLE, Line, plain, printable, wrap
from shadowtime.console.widgets.frame.question import listed
from shadowtime.console.words import training

TALL = 30
"""Lines from which on choices are large."""
DIGITS = 3
"""Digits of the largest count of hands."""
LARGE = 4 * DIGITS
"""Columns of a count in large digits."""
HEIGHT = 3
"""Lines of a large letter or digit, which is read from the last row of a lecture room."""
GLYPHS = {
    "0": ("█▀█", "█ █", "▀▀▀"),
    "1": ("▀█ ", " █ ", "▀▀▀"),
    "2": ("▀▀█", "█▀▀", "▀▀▀"),
    "3": ("▀▀█", " ▀█", "▀▀▀"),
    "4": ("█ █", "▀▀█", "  ▀"),
    "5": ("█▀▀", "▀▀█", "▀▀▀"),
    "6": ("█▀▀", "█▀█", "▀▀▀"),
    "7": ("▀▀█", "  █", "  ▀"),
    "8": ("█▀█", "█▀█", "▀▀▀"),
    "9": ("█▀█", "▀▀█", "▀▀▀"),
    "a": ("█▀█", "█▀█", "▀ ▀"),
    "b": ("█▀▄", "█▀▄", "▀▀ "),
    "c": ("█▀▀", "█  ", "▀▀▀"),
    "d": ("█▀▄", "█ █", "▀▀ "),
}
NONE = ("   ", "   ", "   ")


def lecture_lines(lecture: Lecture, width: int, height: int) -> list[Line]:
    """The lines of the present stage for a body of this size: a table may be wider than what is read."""
    whole, width = width, min(width, READABLE)
    if lecture.stage is Stage.OVER:
        return over_lines(lecture, width)
    if lecture.stage is Stage.STORY:
        return story_lines(lecture, width)
    full, brief = question_lines(lecture, width), question_lines(lecture, width, brief=True)
    # What stands before the question has been read.
    if lecture.stage is Stage.PREDICT:
        invitation = "Predict: what is the answer, and why? Then the choices are shown."
        return [*full, [], *wrap(invitation, width, "note"), [], *machine(lecture, whole)]
    tall = height >= TALL
    choices = {
        letter: [*([[]] if tall else []), *choice_lines(lecture, letter, width, tall)]
        for letter in lecture.letters
    }
    every = [line for choice in choices.values() for line in choice]
    hands = lecture.stage is Stage.HANDS
    below = list(machine(lecture, whole)) if hands else explained_lines(lecture, width)
    for lines in (full, brief):
        if len(lines) + len(every) + 1 + len(below) <= height:
            return [*lines, *every, [], *below]
    if hands:
        return [*brief, *every, [], *below]
    right = choices.pop(lecture.right)
    others = [line for choice in choices.values() for line in choice]
    return [*brief, *right, [], *below, [], *others]


def story_lines(lecture: Lecture, width: int) -> list[Line]:
    place = f"LESSON {lecture.number + 1} of {len(lecture.lessons)}   "
    lines: list[Line] = [*wrap(lecture.lesson.title, width, "head", [(place, "head")], 2)]
    for part in lecture.lesson.about.split("\n\n"):
        lines += [[], *wrap(part, width, "strong")]
    return lines


def question_lines(lecture: Lecture, width: int, brief: bool = False) -> list[Line]:
    """The question, with the text before it if it is not to be `brief`."""
    question, unit = lecture.made.question, unit_of(lecture)
    place = f"QUESTION {lecture.number + 1}.{lecture.place + 1} of {len(lecture.drill.questions)}"
    lines: list[Line] = [[(f"{place}   {training.moment(question, unit)}".rstrip(), "head")], []]
    if question.text and not brief:
        lines += [*wrap(question.text, width, "text"), []]
    return [*lines, *wrap(training.asked(lecture.made), width, "strong")]


def choice_lines(lecture: Lecture, letter: str, width: int, tall: bool) -> list[Line]:
    """A choice with the hands for it; once the answer is shown the right one stands out."""
    place = lecture.letters.index(letter)
    value = lecture.made.offered[place]
    text = printable(training.choice(lecture.made.question.ask, value, unit_of(lecture)))
    shown = lecture.stage is Stage.ANSWER
    if shown and letter == lecture.right:
        # Not by its colour alone.
        text = f"RIGHT: {text}"
    role = "good" if shown and letter == lecture.right else "dim" if shown else "strong"
    hands = lecture.hands.get(letter, 0) if lecture.total else None
    if not tall:
        counted: Line = [] if hands is None else [(f"   {words.count(hands, 'hand')}", "head")]
        room = max(1, width - 5 - len(plain(counted)))
        begun = [("> " if role == "good" else "  ", role), (f"{letter}  ", "key")]
        lines = wrap(text, room, role)
        first = [*begun, *lines[0], *counted]
        return [first, *([("     ", "text"), *line] for line in lines[1:])]
    return _large_choice(letter, text, hands, role, width)


def _large_choice(letter: str, text: str, hands: int | None, role: str, width: int) -> list[Line]:
    """A choice on three lines: the letter and the count large, the text between them."""
    room = max(1, width - 6 - LARGE - 1)
    middle = [list(line) for line in wrap(text, room, role)]
    middle = [[], *middle] if len(middle) == 1 else middle
    count = ("",) * HEIGHT if hands is None else large(f"{hands:>{DIGITS}}")
    found: list[Line] = []
    for number in range(max(HEIGHT, len(middle))):
        piece = middle[number] if number < len(middle) else []
        used = sum(len(part) for part, _ in piece)
        glyph = large(letter)[number] if number < HEIGHT else "   "
        digits = count[number] if number < HEIGHT else ""
        found.append(
            [
                (f" {glyph}  ", "good" if role == "good" else "key"),
                *piece,
                (" " * (room - used + 1), "text"),
                (digits, "head"),
            ]
        )
    return found


def explained_lines(lecture: Lecture, width: int) -> list[Line]:
    """How many were right, and why the answer is right."""
    lines: list[Line] = []
    if lecture.total:
        right = lecture.hands.get(lecture.right, 0)
        share = f"{right} of {lecture.total} hands right, {100 * right // lecture.total} %"
        lines += [*wrap(share, width, "head"), []]
    assert lecture.verdict is not None
    return [*lines, *listed(training.explained(lecture.verdict, unit_of(lecture)), width)]


def over_lines(lecture: Lecture, width: int) -> list[Line]:
    lines: list[Line] = [*wrap(f"{lecture.course.title}: the lecture is over", width, "head")]
    if not lecture.counted:
        return [*lines, [], *wrap("No hands were counted.", width)]
    for it in lecture.counted:
        share = 100 * it.right // it.hands
        text = f"{share:>3} %  {it.right} of {it.hands}  {it.lesson}, question {it.question}"
        lines += [[], *wrap(text, width, "strong")]
    return lines


def machine(lecture: Lecture, width: int) -> Iterable[Line]:
    """The machine as it stands at the question; what is too wide all the same is cut."""
    return [
        [(printable(line)[:width], "text")] for line in machine_lines(lecture.drill, unit_of(lecture), width)
    ]


def unit_of(lecture: Lecture) -> words.Unit:
    return words.unit_of(lecture.drill.session.case.scenario.machine)


def large(text: str) -> tuple[str, ...]:
    """Return a text as `HEIGHT` lines; what has no glyph is a gap."""
    glyphs = [GLYPHS.get(sign, NONE) for sign in text]
    return tuple(" ".join(glyph[line] for glyph in glyphs) for line in range(HEIGHT))
