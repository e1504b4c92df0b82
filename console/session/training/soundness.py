"""Whether a course is sound: no leak, no true distractor, nothing unknowable, nothing for a guesser.

docs/training.md says what is checked.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import mean

import attrs

from shadowtime.console.session.case import Case, load
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.training.curriculum import needs_faults
from shadowtime.console.session.training.drill import RIGHT, Drill, QuestionResult, letter_of, shuffled
from shadowtime.console.session.training.facts import POINTS, Answer, Value
from shadowtime.console.session.training.lessons import Lesson, around, lessons_of
from shadowtime.console.session.training.questions import kind_of
from shadowtime.console.session.training.questions.kind import CHOICES
from shadowtime.console.session.training.sentences import Sentence, sentences
from shadowtime.scenarios import Course, ScenarioError
from shadowtime.scenarios.courses import line_of
from shadowtime.scenarios.library import COURSE_FILE

MARGIN = 0.03
"""By how much a guesser may do better than chance, as a share of the questions."""
LUCK = 0.001
"""With a smaller probability than this nobody scores so well by luck."""
EXTREMES = {"largest": -1, "smallest": 0}
"""What a guesser by value takes of the choices in order of their size."""
NAMED = 12
"""Questions that the flaw of the reader names."""
DRAWN = 8
"""Seeds under which a lesson is examined whose questions are drawn."""
SHEETS = 10_000
"""Questions on the sheets by which letters are judged: as many seeds as that takes."""

Spoken = Callable[[QuestionResult, Case], Sequence[str]]
"""The sentences that explain a verdict."""


@attrs.frozen
class Flaw:
    """What is wrong with a question, or with a course as a whole (line 0)."""

    path: Path
    line: int
    code: str
    """needs, uncovered, unanswerable, choices, leak, unexplained, unreachable, letter, reader, value."""
    text: str

    def __str__(self) -> str:
        """The place and what is wrong: `file:line: text`."""
        return f"{self.path}:{self.line}: {self.text}" if self.line else f"{self.path}: {self.text}"


@attrs.frozen
class Asked:
    """A question of a course with its answer, and what a trainee has read before it."""

    path: Path
    lesson: str
    place: int
    answer: Answer
    own: tuple[Sentence, ...]
    """The text of the question, and the notes of its instant."""
    notes: tuple[Sentence, ...]
    """All texts of the lesson up to the question, its own last."""
    explained: tuple[Sentence, ...]
    """The explanations of earlier questions."""


@attrs.frozen
class Report:
    """What was found: the questions, the flaws, and what guessers score (shares of all questions)."""

    questions: int
    chance: float
    letter: float
    """The best single letter."""
    by_kind: float
    """The best letter for each kind of question."""
    reader: float
    """A reader of the notes and texts."""
    value: float
    """Who takes the largest number, the latest instant, the longest text; or who takes the smallest."""
    flaws: tuple[Flaw, ...]


@attrs.frozen
class Taken:
    """A course that was taken by answering all of it right: its questions, and their flaws."""

    course: Course
    asked: tuple[Asked, ...]
    flaws: tuple[Flaw, ...]


def examine(course: Course, spoken: Spoken) -> Report:
    return report((taken(course, spoken),))


def taken(course: Course, spoken: Spoken) -> Taken:
    """Take a course, and return its questions with what is wrong with each."""
    asked, known = list[Asked](), around(course)
    flaws = [
        Flaw(course.folder / COURSE_FILE, line_of(course, path), "needs", text)
        for path, text in needs_faults(course, known)
    ]
    for lesson, seed in _sheets(course):
        try:
            drill = Drill(load(lesson.path), seed)
        except ScenarioError as error:
            flaws += [Flaw(lesson.path, 0, "unanswerable", str(it)) for it in error.faults]
            continue
        except SessionError as error:
            flaws.append(_unanswerable_flaw(lesson.path, 0, error))
            continue
        flaws += _unanswerable(lesson.path, drill) + _uncovered(lesson.path, drill)
        if not any(flaw.path == lesson.path for flaw in flaws):
            found, unreached = _take(lesson.path, drill, spoken)
            asked += found
            flaws += [*(flaw for it in found for flaw in _flaws(it)), *unreached]
    return Taken(course, tuple(asked), tuple(flaws))


def _sheets(course: Course) -> Iterator[tuple[Lesson, int]]:
    """Yield the lessons of a course with seeds: one that draws questions with several."""
    for lesson in lessons_of(course):
        try:
            picks = any(question.pick for question in load(lesson.path).scenario.questions)
        except (ScenarioError, SessionError):
            picks = False
        yield from ((lesson, seed) for seed in range(DRAWN if picks else 1))


def _unanswerable(path: Path, drill: Drill) -> list[Flaw]:
    return [
        _unanswerable_flaw(path, question.line, made)
        for question, made in zip(drill.questions, drill.answers, strict=True)
        if not isinstance(made, Answer)
    ]


def _unanswerable_flaw(path: Path, line: int, error: Exception) -> Flaw:
    """The flaw that an error reports; the place that its line begins with is that of the flaw."""
    text = str(error)
    if (found := re.match(rf"{re.escape(str(path))}:(\d+): ", text)) is not None:
        return Flaw(path, int(found[1]), "unanswerable", text[found.end() :])
    return Flaw(path, line, "unanswerable", text)


def _uncovered(path: Path, drill: Drill) -> list[Flaw]:
    """Questions that would stay covered, because a later one is."""
    last = max((place for place, it in enumerate(drill.questions) if it.covered), default=-1)
    text = "the screen is to answer it, but a later question covers the screen; expected it after that one"
    return [Flaw(path, it.line, "uncovered", text) for it in drill.questions[: last + 1] if not it.covered]


def _take(path: Path, drill: Drill, spoken: Spoken) -> tuple[list[Asked], list[Flaw]]:
    """Answer a whole lesson right, by the letters: all points must come, each answer with an explanation.

    Returns what has been read before each question, and what is wrong with what was earned or explained.
    """
    case, explained, points = drill.session.case, list[str](), 0
    scenario, asked, flaws = case.scenario, list[Asked](), list[Flaw]()
    # Of questions that are drawn nobody can settle the order: theirs is explained after the lesson.
    drawn = any(question.pick for question in scenario.questions)
    while drill.question is not None:
        drill.go_on()
        made, place, at = drill.answer, drill.place, drill.question.at
        texts = [*scenario.about.split("\n\n")]
        texts += [note.text for note in scenario.notes if note.at <= at]
        texts += [question.text for question in drill.questions[: place + 1]]
        own = [made.question.text, *(note.text for note in scenario.notes if note.at == at)]
        read = (tuple(sentences(it)) for it in (own, texts, explained))
        asked.append(Asked(path, path.stem, place, made, *read))
        verdict = drill.give(letter_of(made.offered.index(made.shown)))
        points += verdict.points
        explained += spoken(verdict, case)
        if verdict.verdict == RIGHT and made.because and not verdict.because and not drawn:
            text = "all that explains it answers a later question; expected that question before it"
            flaws.append(Flaw(path, made.question.line, "unexplained", text))
    if points != POINTS * len(drill.questions):
        text = f"{points} of {POINTS * len(drill.questions)} points can be reached"
        flaws.append(Flaw(path, 0, "unreachable", text))
    return asked, flaws


def _flaws(asked: Asked) -> Iterator[Flaw]:
    """What is wrong with one question by itself."""
    made, line = asked.answer, asked.answer.question.line
    right = [value for value in made.offered if made.holds(value)]
    if len(right) != 1 or len(set(made.offered)) != len(made.offered) or len(made.offered) < CHOICES:
        text = f"{len(right)} of {len(made.offered)} choices are right; expected one of {CHOICES} or more"
        yield Flaw(asked.path, line, "choices", text)
    leak = leaks(made, asked.own, asked.notes, asked.explained)
    if leak is not None and made.question.covered:
        yield Flaw(asked.path, line, "leak", f"what was read before gives the answer: {leak.text!r}")


def report(courses: Sequence[Taken]) -> Report:
    """Return what is wrong with courses; what guessers score is counted over all of them together."""
    asked = [each for it in courses for each in it.asked]
    total = max(len(asked), 1)
    chance = sum(1 / len(it.answer.offered) for it in asked) / total
    letter, by_kind = _letters(asked)
    reader = sum(_reads(it) for it in asked) / total
    found = [flaw for it in courses for flaw in it.flaws]
    place = courses[0].course.folder if len(courses) == 1 else Path("courses")
    for code, score, who in (
        ("letter", letter, "one letter"),
        ("letter", by_kind, "one letter for each kind of question"),
        ("reader", reader, "a reader of the notes and texts"),
    ):
        if score > chance + MARGIN:
            most = f"expected {chance + MARGIN:.1%} at most"
            text = f"{who} scores {score:.1%}, chance {chance:.1%}; {most}"
            text += f"; it reads the answers of {_read_right(asked)}" if code == "reader" else ""
            found.append(Flaw(place, 0, code, text))
    value = max(mean(_taken(it, name) for it in asked) for name in EXTREMES) if asked else 0.0
    found += [Flaw(place, 0, "value", text) for text in _by_value(asked)]
    return Report(len(asked), chance, letter, by_kind, reader, value, tuple(found))


def _by_value(asked: Sequence[Asked]) -> Iterator[str]:
    """Yield the kinds of questions of which a guesser by value gets more right than chance and luck explain.

    A question that several seeds draw counts once.
    """
    kinds = defaultdict[str, dict[object, Asked]](dict)
    for it in asked:
        if _sized(it.answer):
            for ask in (it.answer.question.ask, "all"):
                kinds[ask][it.path, it.answer.question, it.answer.shown] = it
    for ask, each in sorted(kinds.items()):
        chances = [1 / len(it.answer.offered) for it in each.values()]
        for name in EXTREMES:
            right = sum(_taken(it, name) == 1 for it in each.values())
            share, chance = right / len(each), mean(chances)
            if share > chance + MARGIN and sum(by_chance(chances)[right:]) < LUCK:
                yield (
                    f"the {name} choice is right in {share:.1%} of {len(each)} {ask} questions, chance"
                    f" {chance:.1%}; expected wrong choices on both sides of the right one"
                )


def _sized(answer: Answer) -> Sequence[tuple[int, Value]]:
    """The choices that have a size: numbers, instants, and texts that stand as they are."""
    quoted = kind_of(answer.question).quoted
    sizes = [len(it) if isinstance(it, str) and quoted else it for it in answer.offered]
    return [(size, it) for size, it in zip(sizes, answer.offered, strict=True) if isinstance(size, int)]


def _taken(asked: Asked, name: str) -> float:
    """What the largest or the smallest choice is worth: all, nothing, or chance if there is none."""
    sized = sorted(_sized(asked.answer), key=lambda it: (it[0], str(it[1])))
    if not sized:
        return 1 / len(asked.answer.offered)
    return float(asked.answer.holds(sized[EXTREMES[name]][1]))


def by_chance(chances: Iterable[float]) -> list[float]:
    """Return the probabilities of 0, 1, 2 ... right answers, by the probability to guess each."""
    exactly = [1.0]
    for chance in chances:
        missed = [it * (1 - chance) for it in exactly]
        hit = [it * chance for it in exactly]
        exactly = [one + two for one, two in zip([*missed, 0.0], [0.0, *hit], strict=True)]
    return exactly


def _letters(asked: Sequence[Asked]) -> tuple[float, float]:
    """The best letter of all, and the best for each kind of question, over the sheets of many seeds."""
    if not asked:
        return 0.0, 0.0
    seeds = -(-SHEETS // len(asked))
    kinds: dict[str, Counter[int]] = defaultdict(Counter)
    for number, it in enumerate(asked):
        plain = attrs.evolve(it.answer, offered=tuple(sorted(it.answer.offered, key=repr)))
        # Questions that several seeds draw have one place: each needs seeds of its own.
        for seed in range(number * seeds, (number + 1) * seeds):
            made = shuffled(plain, seed, it.lesson, it.place)
            kinds[made.question.ask][made.offered.index(made.shown)] += 1
    drawn, every = seeds * len(asked), sum(kinds.values(), Counter[int]())
    return max(every.values()) / drawn, sum(max(it.values()) for it in kinds.values()) / drawn


def _read_right(asked: Sequence[Asked]) -> str:
    """The questions that the reader answers right: `01-early.toml:70 (question 3)`, each once."""
    read = dict.fromkeys(
        f"{it.path.name}:{it.answer.question.line} (question {it.place + 1})"
        for it in asked
        if (taken := guess(it.answer, it.notes)) is not None and taken in it.answer.right
    )
    others = len(read) - NAMED
    return ", ".join([*read][:NAMED]) + (f" and {others:,} others" if others > 0 else "")


def _reads(asked: Asked) -> float:
    """What the reader can expect of a question: all, nothing, or chance if the words favour no choice."""
    taken = guess(asked.answer, asked.notes)
    if taken is None:
        return 1 / len(asked.answer.offered)
    return float(taken in asked.answer.right)


def leaks(
    answer: Answer, own: Iterable[Sentence], notes: Iterable[Sentence], explained: Iterable[Sentence]
) -> Sentence | None:
    """Return a sentence that names the right answer as what is asked for; None if no sentence does.

    `own` are the text of the question and the notes of its instant, `notes` all texts up to it, and
    `explained` the explanations of earlier questions. A state is that of one instant; a start is announced in
    any text; an instant counts wherever it stands.
    """
    kind = kind_of(answer.question)
    read = {"own": own, "about": own, "notes": notes}.get(kind.read_in, (*notes, *explained))
    if kind.read_in == "about":
        read = (*read, *(it for it in (*notes, *explained) if answer.question.job in it.jobs))
    return next((it for it in read if kind.gives_away(answer, it)), None)


def guess(answer: Answer, sentences: Sequence[Sentence]) -> Value | None:
    """Return the choice that the reader takes; None if the words favour none, and it must guess.

    It takes the choice that the latest sentence names alone. No text names states and reasons as they are
    offered, so those it guesses.
    """
    kind = kind_of(answer.question)
    for sentence in reversed(sentences):
        named = [value for value in answer.offered if kind.names(answer, value, sentence)]
        if len(named) == 1:
            return named[0]
    return None
