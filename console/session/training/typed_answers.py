"""What an operator typed as an answer: the letter of a choice, or what its kind of question understands."""

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.training.facts import Answer, Value
from shadowtime.console.session.training.questions import kind_of


def letter_of(place: int) -> str:
    """The letter of a choice: a, b, c, ..."""
    return chr(ord("a") + place)


def read_answer(case: Case, answer: Answer, text: str) -> Value:
    """Return the answer that a text names.

    SessionError in one line if it names no answer: the question stays open.
    """
    word, kind = " ".join(text.split()), kind_of(answer.question)
    if len(word) == 1 and word.isascii() and word.isalpha():
        place = ord(word.lower()) - ord("a")
        if place < len(answer.offered):
            return answer.offered[place]
    try:
        return kind.parse(case, answer, word)
    except ValueError:
        last = letter_of(len(answer.offered) - 1)
        raise SessionError(f"{word!r} is no answer; expected a to {last}, or {kind.expected}") from None
