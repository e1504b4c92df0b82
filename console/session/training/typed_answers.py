"""What an operator typed as an answer: a choice's letter, a job, a time, a state, an event."""

import re

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.training.clusters.typed import EXPECTED as CLUSTER
from shadowtime.console.session.training.clusters.typed import read_cluster_answer
from shadowtime.console.session.training.facts import Answer, Value
from shadowtime.console.session.training.subjects.placing import AT
from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.scenarios import parse_time
from shadowtime.scenarios.nodes import format_nodes, parse_nodes

NOBODY = frozenset(("nobody", "none", "no job", "nothing"))
NEVER = frozenset(("never", "none"))
EXPECTED = {
    "next_start": "a job's id",
    "preempted": "a job's id, or nobody",
    "start_time": "a time: seconds, D HH:MM:SS or 1h30m",
    "next_event": "a kind of event with its job, as in finish 3",
    "state": "the letter of a state",
    "why": "one of the choices",
    "free": "a number",
    "owner": "a job's id, or nobody",
    "end_time": "a time: seconds, D HH:MM:SS or 1h30m",
    "waited": "a length: seconds, HH:MM:SS or 1h30m",
    "metric": "one of the choices",
    "last_event": "a kind of event with its job, as in finish 3",
    "row": "the number of a row",
    "nodes": "nodes such as 8-15, or the base of a block such as 020",
    "limit": "one of the choices",
    "in_force": "a scheduler or an order",
    "delayed": "a job's id, or nobody",
    "remedy": "one of the actions",
    **CLUSTER,
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
    if case.scenario.cluster is not None:
        try:
            return read_cluster_answer(case.scenario.cluster, answer, word)
        except ValueError:
            raise _refused(word, answer) from None
    ask = answer.question.ask
    if ask == "free":
        return _number(word, answer)
    if ask in ("next_start", "preempted", "owner", "delayed"):
        return _job(case, word, answer)
    if ask in ("start_time", "end_time", "waited"):
        return _time(word, answer)
    if ask in ("next_event", "last_event"):
        return _event(case, word, answer)
    if ask == "row":
        return _row(word, answer)
    if ask == "nodes":
        return _nodes(word, answer)
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
    named = job and (kind != "submit" or answer.question.ask == "last_event")
    return (kind, _job(case, job, answer) if named else None)


def _number(word: str, answer: Answer) -> int:
    if not (word.isascii() and word.isdigit()):
        raise _refused(word, answer)
    return int(word)


def _row(word: str, answer: Answer) -> int:
    digits = word.lower().removeprefix("row ").strip()
    if not (digits.isascii() and digits.isdigit()):
        raise _refused(word, answer)
    return int(digits)


def _nodes(word: str, answer: Answer) -> str:
    named = re.sub(r"^(the )?(block )?(at )?", "", word.lower())
    if str(answer.shown).startswith(AT):
        if not re.fullmatch(r"[0-7][0-3][0-7]", named):
            raise _refused(word, answer)
        return f"{AT}{named}"
    try:
        return format_nodes(parse_nodes(named.removeprefix("nodes ")))
    except ValueError:
        raise _refused(word, answer) from None


def _word(word: str, answer: Answer) -> str:
    known = {value for value in (*answer.offered, *answer.right) if isinstance(value, str)}
    if word in known or (answer.question.ask == "state" and word in set("NWRSHOFio")):
        return word
    raise _refused(word, answer)
