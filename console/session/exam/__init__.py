"""Exams: a course under a seed and a time limit, kept in a file, and the files of a class collected."""

from shadowtime.console.session.exam.collecting import TABLES, gather, tables, unfinished
from shadowtime.console.session.exam.paper import PaperError
from shadowtime.console.session.exam.sitting import Sitting
from shadowtime.console.session.exam.statements import statements

__all__ = [
    "TABLES",
    "PaperError",
    "Sitting",
    "gather",
    "statements",
    "tables",
    "unfinished",
]
