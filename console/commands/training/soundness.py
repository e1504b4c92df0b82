"""What a check of a course or of a shift found, in lines."""

from collections.abc import Sequence

from shadowtime.console import words
from shadowtime.console.commands.output import say
from shadowtime.console.session import Case
from shadowtime.console.session.shift.soundness import Report as ShiftReport
from shadowtime.console.session.training.drill import QuestionResult
from shadowtime.console.session.training.soundness import Report
from shadowtime.console.words import training


def spoken(ended: QuestionResult, case: Case) -> Sequence[str]:
    return training.explained(ended, words.unit_of(case.scenario.machine))


def say_course(name: str, report: Report) -> None:
    """Print what is wrong with a course, and what guessers score."""
    for flaw in report.flaws:
        say(str(flaw))
    guessers = (
        f"chance {report.chance:.0%}, one letter {report.letter:.0%}, a letter by kind {report.by_kind:.0%},"
        f" a reader {report.reader:.0%}, by value {report.value:.0%}"
    )
    sound = "sound" if not report.flaws else words.count(len(report.flaws), "flaw")
    say(f"{name}: {words.count(report.questions, 'question')}, {sound}; {guessers}")


def say_shift(name: str, report: ShiftReport) -> str:
    """Print what is wrong with a shift; return what the response and the simple rules earn, in words."""
    for flaw in report.flaws:
        say(f"{name}:{flaw.line}: {flaw.text}")
    sound = "sound" if not report.flaws else words.count(len(report.flaws), "flaw")
    rules = "".join(f", {rule} {points}" for rule, points in report.rules.items())
    response = (
        f": the response ({report.response}, index {report.index:.2f}) {report.reached}{rules}"
        if report.response
        else ""
    )
    return f"a shift, {sound}{response}"
