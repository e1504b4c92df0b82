"""Training: drills whose answers are computed at their moment, courses of them, and what was earned."""

from console.session.training.answers import UnanswerableError, answer
from console.session.training.drill import GIVEN_UP, RIGHT, SKIPPED, WRONG, Drill, Verdict, answers_of
from console.session.training.facts import (
    HINTS,
    POINTS,
    Answer,
    Because,
    Foreseen,
    Step,
    TurnsOut,
    Value,
    Waits,
)
from console.session.training.lessons import (
    Lesson,
    Shelf,
    courses,
    hint_of,
    key_of,
    lessons_of,
    open_lesson,
    own_courses,
    progress_file,
    record_of,
    sheet,
)
from console.session.training.operators import moment_now, operator_name
from console.session.training.progress import HINTED, Progress, ProgressError, Record, Standing, Unkept
from console.session.training.typed_answers import letter_of
from scenarios import Course, Question, course_folders, read_course
from scenarios.library import COURSE_FILE

__all__ = [
    "COURSE_FILE",
    "GIVEN_UP",
    "HINTED",
    "HINTS",
    "POINTS",
    "RIGHT",
    "SKIPPED",
    "WRONG",
    "Answer",
    "Because",
    "Course",
    "Drill",
    "Foreseen",
    "Lesson",
    "Progress",
    "ProgressError",
    "Question",
    "Record",
    "Shelf",
    "Standing",
    "Step",
    "TurnsOut",
    "UnanswerableError",
    "Unkept",
    "Value",
    "Verdict",
    "Waits",
    "answer",
    "answers_of",
    "course_folders",
    "courses",
    "hint_of",
    "key_of",
    "lessons_of",
    "letter_of",
    "moment_now",
    "open_lesson",
    "operator_name",
    "own_courses",
    "progress_file",
    "read_course",
    "record_of",
    "sheet",
]
