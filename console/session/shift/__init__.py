"""Shifts: scheduling by hand and incidents, as files: what is done, what it is worth, and what it cost."""

from shadowtime.console.session.shift.attempts import Attempts
from shadowtime.console.session.shift.debrief import Debrief, Moment, debriefed
from shadowtime.console.session.shift.figures import Figures, index
from shadowtime.console.session.shift.on_duty import ShiftSession
from shadowtime.console.session.shift.records import SHIFTS, shift_record
from shadowtime.console.session.shift.responses import (
    Reference,
    References,
    inject,
    references,
    references_of,
)
from shadowtime.console.session.shift.score import MOST, Score, scored
from shadowtime.console.session.shift.shelf import ShiftFile, name_of, open_shift, own_shifts, shift_files
from shadowtime.scenarios.shift import MANUAL, Shift

__all__ = [
    "MANUAL",
    "MOST",
    "SHIFTS",
    "Attempts",
    "Debrief",
    "Figures",
    "Moment",
    "Reference",
    "References",
    "Score",
    "Shift",
    "ShiftFile",
    "ShiftSession",
    "debriefed",
    "index",
    "inject",
    "name_of",
    "open_shift",
    "own_shifts",
    "references",
    "references_of",
    "scored",
    "shift_files",
    "shift_record",
]
