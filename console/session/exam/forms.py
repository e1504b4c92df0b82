"""Which questions an exam asks: all, or one of two equal forms; and the points that pass it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import ceil
from random import Random

from shadowtime.console.session.training import POINTS, Answer, Seed, exam_seed
from shadowtime.console.session.training.soundness import by_chance

FORMS = ("pre", "post")
"""A test before a course and one after it."""
SHARE = 2 / 3
"""The share of the questions that must be right."""
BY_CHANCE = 0.01
"""Whoever guesses passes with a smaller probability than this."""


def seed_of(seed: int, form: str) -> Seed:
    """Return what settles an exam; both forms of a seed share out what it draws."""
    return f"{exam_seed(seed)} forms" if form else exam_seed(seed)


def left_out(lessons: Sequence[Sequence[object]], seed: int, form: str) -> list[frozenset[int]]:
    """Return the places that a form does not ask, of each lesson by its answers.

    Two questions of one kind with as many choices are a pair; the seed gives one of them to each form. A
    question without such a sibling is in neither.
    """
    omitted = [set[int]() for _ in lessons]
    if not form:
        return [frozenset(it) for it in omitted]
    alike: dict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for lesson, answers in enumerate(lessons):
        for place, made in enumerate(answers):
            if isinstance(made, Answer):
                alike[made.question.ask, len(made.offered)].append((lesson, place))
    for kind, found in sorted(alike.items()):
        random = Random(f"{seed} {kind}")
        while found:
            pair = [found.pop(0), *found[:1]]
            del found[:1]
            kept = pair[random.randrange(2) ^ FORMS.index(form)] if len(pair) == 2 else None
            for lesson, place in pair:
                if (lesson, place) != kept:
                    omitted[lesson].add(place)
    return [frozenset(it) for it in omitted]


def mark_of(chances: Iterable[float]) -> int:
    """Return the points that pass an exam, by each question's probability to be guessed; 0 if none will do.

    Two thirds of the questions, and more until whoever guesses passes with less than `BY_CHANCE`.
    """
    exactly = by_chance(chances)
    asked = len(exactly) - 1
    right = (it for it in range(ceil(SHARE * asked), asked + 1) if sum(exactly[it:]) < BY_CHANCE)
    return POINTS * next(right, 0)
