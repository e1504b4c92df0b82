"""The score of a shift as it is kept beside the answers of drills."""

from shadowtime.console.session.shift.score import MOST, Score
from shadowtime.console.session.training import RIGHT, WRONG, Record, moment_now

SHIFTS = "shifts"
"""What the scores of shifts are kept under, in place of a course."""


def shift_record(name: str, operator: str, score: Score) -> Record:
    return Record(
        operator=operator,
        moment=moment_now(),
        course=SHIFTS,
        lesson=name,
        question=1,
        ask="shift",
        verdict=RIGHT if score.points else WRONG,
        given=f"{score.share:.3f}",
        points=score.points,
        most=MOST,
    )
