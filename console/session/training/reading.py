"""What a text gives away: a reader who sees only the words, and no machine.

The reader knows notes, the texts of the lesson up to a question, and explanations of earlier ones. It looks
for the jobs and instants that they name. What it can answer in this way, the lesson has leaked.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

import attrs

from shadowtime.console.session.training.clusters.typed import written_instant
from shadowtime.console.session.training.facts import Answer, Value
from shadowtime.console.session.training.leaks import SUBJECTS

SENTENCE = re.compile(r"(?<=[.!?])\s+")
JOBS = re.compile(r"\bjobs? ((?:\d+(?:, (?:and )?| and | or )?)+)", re.IGNORECASE)
INSTANT = re.compile(r"(?:(\d+)d? )?\b(\d+):(\d\d):(\d\d)\b")
STARTS = re.compile(r"\b(?:start|next|pass|backfill)", re.IGNORECASE)
STOPS = re.compile(r"\b(?:stop|preempt|goes first|make room)", re.IGNORECASE)
DELAYS = re.compile(r"\b(?:delay|later|longer)", re.IGNORECASE)
NOT = re.compile(r"\b(?:not|no|none|nobody|never)\b", re.IGNORECASE)
STATES = {
    "N": re.compile(r"\b(?:waits?|waiting|has to wait)\b", re.IGNORECASE),
    "W": re.compile(r"\b(?:waits? for its turn|other row)", re.IGNORECASE),
    "R": re.compile(r"\b(?:runs|running|starts|resumes|goes on)\b", re.IGNORECASE),
    "O": re.compile(r"\b(?:stopped|preempted|requeued|in the queue again)\b", re.IGNORECASE),
    "F": re.compile(r"\b(?:over|ended|killed|finished)\b", re.IGNORECASE),
}
"""The words that give a state away."""


@attrs.frozen
class Sentence:
    """A sentence, the jobs and the instants that it names."""

    text: str
    jobs: frozenset[int]
    instants: frozenset[int]


def sentences(texts: Iterable[str]) -> Iterator[Sentence]:
    """Yield the sentences of texts, in their order."""
    for text in texts:
        for part in SENTENCE.split(" ".join(text.split())):
            yield Sentence(part, frozenset(_jobs(part)), frozenset(_instants(part)))


def leaks(
    answer: Answer, own: Iterable[Sentence], notes: Iterable[Sentence], explained: Iterable[Sentence]
) -> Sentence | None:
    """Return a sentence that names the right answer as what is asked for; None if no sentence does.

    `own` are the text of the question and the notes of its instant, `notes` all texts up to it, and
    `explained` the explanations of earlier questions. A state is that of one instant; a start is announced in
    any text; an instant counts wherever it stands.
    """
    ask = answer.question.ask
    read = (
        own
        if ask == "state"
        else notes
        if ask in ("next_start", "preempted", "put_off", *SUBJECTS)
        else (*notes, *explained)
    )
    return next((it for it in read if _answers(answer, it)), None)


def guess(answer: Answer, sentences: Sequence[Sentence]) -> Value | None:
    """Return the choice that the reader takes; None if the words favour none, and it must guess.

    It takes the choice that the latest sentence names alone. No text names states and reasons as they are
    offered, so those it guesses.
    """
    for sentence in reversed(sentences):
        named = [value for value in answer.offered if _names(answer, value, sentence)]
        if len(named) == 1:
            return named[0]
    return None


def _answers(answer: Answer, sentence: Sentence) -> bool:
    ask, job = answer.question.ask, answer.question.job
    if ask in SUBJECTS:
        return _gives_subject(answer, sentence)
    if answer.question.about_a_cluster:
        return _gives_plan(answer, sentence)
    if ask in ("start_time", "end_time"):
        return job in sentence.jobs and any(
            at in sentence.instants for at in answer.right if at != answer.time
        )
    if ask == "state":
        word = STATES.get(str(answer.shown))
        return sentence.jobs == {job} and word is not None and bool(word.search(sentence.text))
    if ask in ("next_start", "preempted"):
        word = STARTS if ask == "next_start" else STOPS
        offered = {value for value in answer.offered if isinstance(value, int)}
        named = sentence.jobs & offered
        said = word.search(sentence.text) and not NOT.search(sentence.text)
        return bool(named) and named <= set(answer.right) and bool(said)
    return False


def _gives_subject(answer: Answer, sentence: Sentence) -> bool:
    """Whether a sentence names the place, the limit, the scheduler or the job that is asked for."""
    ask, job, text = answer.question.ask, answer.question.job, sentence.text
    if ask == "row":
        return job in sentence.jobs and any(re.search(rf"\brow {row}\b", text) for row in answer.right)
    if ask == "nodes":
        named = (re.escape(str(nodes)) for nodes in answer.right)
        return job in sentence.jobs and any(re.search(rf"(?<!\d){it}(?!\d)", text) for it in named)
    if ask == "in_force":
        found = [value for value in answer.offered if str(value) in text]
        return found == [answer.shown] and bool(re.search(r"\b(?:in force|takes over|switch)", text))
    if ask == "delayed":
        named_jobs = sentence.jobs & {value for value in answer.offered if isinstance(value, int)}
        said = DELAYS.search(text) and not NOT.search(text)
        return bool(named_jobs) and named_jobs <= set(answer.right) and bool(said)
    return False


def _gives_plan(answer: Answer, sentence: Sentence) -> bool:
    """Whether a sentence names the start or the nodes of the job, or the job that a change puts off."""
    question = answer.question
    if question.ask in ("planned_start", "planned_nodes"):
        about = question.job in sentence.jobs and question.do in sentence.text
        return about and any(_names(answer, value, sentence) for value in answer.right)
    if question.ask == "put_off":
        named = sentence.jobs & {value for value in answer.offered if isinstance(value, int)}
        return bool(named) and named <= set(answer.right) and bool(DELAYS.search(sentence.text))
    return False


def _names(answer: Answer, value: Value, sentence: Sentence) -> bool:
    if answer.question.ask == "planned_start":
        if not isinstance(value, int):
            return False
        return written_instant(value).split()[1] in sentence.text
    if answer.question.ask in ("start_time", "end_time"):
        return value in sentence.instants
    if answer.question.ask in ("free", "waited", "metric"):
        return False
    if answer.question.ask == "row":
        return bool(re.search(rf"\brow {value}\b", sentence.text))
    if answer.question.ask == "not_running":
        return False
    if answer.question.ask in ("nodes", "in_force", "remedy", "planned_nodes", "sooner"):
        return bool(re.search(rf"(?<!\w){re.escape(str(value))}(?!\w)", sentence.text))
    job = value[1] if isinstance(value, tuple) else value
    return isinstance(job, int) and answer.question.ask != "why" and job in sentence.jobs


def _jobs(text: str) -> Iterator[int]:
    for found in JOBS.finditer(text):
        yield from map(int, re.findall(r"\d+", found[1]))


def _instants(text: str) -> Iterator[int]:
    for days, hours, minutes, seconds in INSTANT.findall(text):
        yield ((int(days or 0) * 24 + int(hours)) * 60 + int(minutes)) * 60 + int(seconds)
