"""What a text gives away: a reader who sees only the words, and no machine.

The reader knows notes, the texts of the lesson up to a question, and explanations of earlier ones. What it
can answer from the jobs and instants that they name, the lesson has leaked.
"""

from collections.abc import Iterable, Sequence

from shadowtime.console.session.training.facts import Answer, Value
from shadowtime.console.session.training.questions import kind_of
from shadowtime.console.session.training.sentences import Sentence


def leaks(
    answer: Answer, own: Iterable[Sentence], notes: Iterable[Sentence], explained: Iterable[Sentence]
) -> Sentence | None:
    """Return a sentence that names the right answer as what is asked for; None if no sentence does.

    `own` are the text of the question and the notes of its instant, `notes` all texts up to it, and
    `explained` the explanations of earlier questions. A state is that of one instant; a start is announced in
    any text; an instant counts wherever it stands.
    """
    kind = kind_of(answer.question)
    read = {"own": own, "about": own, "notes": notes}.get(kind.read_in, (*notes, *explained))
    if kind.read_in == "about":
        read = (*read, *(it for it in (*notes, *explained) if answer.question.job in it.jobs))
    return next((it for it in read if kind.gives_away(answer, it)), None)


def guess(answer: Answer, sentences: Sequence[Sentence]) -> Value | None:
    """Return the choice that the reader takes; None if the words favour none, and it must guess.

    It takes the choice that the latest sentence names alone. No text names states and reasons as they are
    offered, so those it guesses.
    """
    kind = kind_of(answer.question)
    for sentence in reversed(sentences):
        named = [value for value in answer.offered if kind.names(answer, value, sentence)]
        if len(named) == 1:
            return named[0]
    return None
