"""Exams: a course under a seed and a time limit, kept in a file, and the files of a class collected."""

from shadowtime.console.session.exam.collecting import TABLES, gather, tables, unfinished
from shadowtime.console.session.exam.forms import FORMS
from shadowtime.console.session.exam.paper import PaperError
from shadowtime.console.session.exam.sitting import Sitting
from shadowtime.console.session.exam.statements import statements
from shadowtime.console.session.exam.verifying import certificate, read_certificate, save_certificate, verify

__all__ = [
    "FORMS",
    "TABLES",
    "PaperError",
    "Sitting",
    "certificate",
    "gather",
    "read_certificate",
    "save_certificate",
    "statements",
    "tables",
    "unfinished",
    "verify",
]
