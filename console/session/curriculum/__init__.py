"""The curriculum of one trainee: the map of the courses, how far the trainee is, what is due for review."""

from shadowtime.console.session.curriculum.lecture import Counted, Lecture, Stage
from shadowtime.console.session.curriculum.map import LEVELS, Mapped, map_of, suggested
from shadowtime.console.session.curriculum.review import BOXES, due, missed, of_question
from shadowtime.console.session.curriculum.trainee import Due, Trainee

__all__ = [
    "BOXES",
    "LEVELS",
    "Counted",
    "Due",
    "Lecture",
    "Mapped",
    "Stage",
    "Trainee",
    "due",
    "map_of",
    "missed",
    "of_question",
    "suggested",
]
