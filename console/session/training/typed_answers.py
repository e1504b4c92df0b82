"""What an operator typed as an answer: a choice's letter, a job, a time, a state, an event."""

from console.session.case import Case
from console.session.errors import SessionError
from console.session.training.facts import Answer, Value
from kernels.core.clock import EVENT_NAMES
from scenarios import parse_time

NOBODY = frozenset(("nobody", "none", "no job", "nothing"))
NEVER = frozenset(("never", "none"))
EXPECTED = {
    "next_start": "a job's id",
    "preempted": "a job's id, or nobody",
    "start_time": "a time: seconds, D HH:MM:SS or 1h30m",
    "next_event": "a kind of event with its job, as in finish 3",
    "state": "the letter of a state",
    "why": "one of the choices",
}
"""What can be typed for each question beside the letter of a choice."""


def letter_of(place: int) -> str:
    """The letter of a choice: a, b, c, ..."""
    return chr(ord("a") + place)


def read_answer(case: Case, answer: Answer, text: str) -> Value:
    """Return the answer that a text names.

    SessionError in one line if it names no answer: the question stays open.
    """
    word = " ".join(text.split())
    if len(word) == 1 and word.isascii() and word.isalpha():
        place = ord(word.lower()) - ord("a")
        if place < len(answer.offered):
            return answer.offered[place]
    ask = answer.question.ask
    if ask in ("next_start", "preempted"):
        return _job(case, word, answer)
    if ask == "start_time":
        return _time(word, answer)
    if ask == "next_event":
        return _event(case, word, answer)
    return _word(word, answer)


def _refused(word: str, answer: Answer) -> SessionError:
    last = letter_of(len(answer.offered) - 1)
    return SessionError(f"{word!r} is no answer; expected a to {last}, or {EXPECTED[answer.question.ask]}")


def _job(case: Case, word: str, answer: Answer) -> int | None:
    if word.lower() in NOBODY:
        return None
    digits = word.lower().removeprefix("job ").strip()
    if not (digits.isascii() and digits.isdigit()):
        raise _refused(word, answer)
    case.index_of(int(digits))
    return int(digits)


def _time(word: str, answer: Answer) -> int | None:
    if word.lower() in NEVER:
        return None
    if word.lower() == "now":
        return answer.time
    try:
        return parse_time(word)
    except ValueError:
        raise _refused(word, answer) from None


def _event(case: Case, word: str, answer: Answer) -> tuple[str, int | None] | None:
    if word.lower() in NOBODY:
        return None
    kind, _, job = word.lower().replace("finishes", "finish").partition(" ")
    if kind not in EVENT_NAMES:
        raise _refused(word, answer)
    return (kind, _job(case, job, answer) if job and kind != "submit" else None)


def _word(word: str, answer: Answer) -> str:
    known = {value for value in (*answer.offered, *answer.right) if isinstance(value, str)}
    if word in known or (answer.question.ask == "state" and word in set("NWRSHOFio")):
        return word
    raise _refused(word, answer)
