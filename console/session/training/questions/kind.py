"""A kind of question, and what the kinds of one sort of answer share: jobs, instants, texts.

A kind computes its answer, understands what is typed, and knows what would give its answer away. Its words
stand in `console/words`, what its table in a file may have in `scenarios/values.py`.
"""

import re
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from random import Random

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.session import Session
from shadowtime.console.session.training.facts import Answer, Because, Value
from shadowtime.console.session.training.refusing import unanswerable
from shadowtime.console.session.training.scene import Scene
from shadowtime.console.session.training.sentences import Sentence
from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios import Question, parse_time

NOBODY = frozenset(("nobody", "none", "no job", "nothing"))
NEVER = frozenset(("never", "none"))
"""What is typed for no job and no event, and for no instant."""
IDLE = 4
"""Of so many drawn actions one concerns nobody, if there is such an action."""
CHOICES = 3
"""Choices that a question has at least: with two a guesser is right half of the time."""


class QuestionKind:
    """A kind of question. Unless a kind says otherwise, its answer is one of its choices, by name."""

    expected = "one of the choices"
    """What can be typed beside the letter of a choice."""
    read_in = "all"
    """Where a reader finds its answer: in "all" texts, in "notes" but not explanations, in its "own" text; in
    that and in all sentences "about" its job."""
    quoted = False
    """Whether texts name its choices as they are offered."""
    of_jobs = False
    """Whether its right answers are jobs, which stay covered up to it."""
    said: re.Pattern[str] | None = None
    """The word that a sentence says of right jobs alone if it gives the answer away."""
    said_of: Mapping[str, re.Pattern[str]] = {}
    """The words of the choices: a sentence that has those of the right one alone gives the answer away."""
    with_nodes = False
    """Whether the jobs with nodes can be asked about, beside those that wait."""
    looked = 0
    """Of how many candidates each drawn question is chosen, as `sort_of` returns; 0: as they come."""
    before_review = False
    """Whether it is asked before the review of its instant."""

    def answer(self, session: Session, question: Question) -> Answer:
        """Return the answer at the session's present event. UnanswerableError if there is none."""
        raise NotImplementedError

    def beside(self, case: Case, simulation: Simulation) -> Sequence[int]:
        """Return the jobs that can be asked about beside those that wait, by index."""
        return (*simulation.running(), *simulation.held()) if self.with_nodes else ()

    def parse(self, case: Case, answer: Answer, word: str) -> Value:
        """Return the answer that a typed word names. ValueError if it names none; SessionError: why not."""
        if word not in {value for value in (*answer.offered, *answer.right) if isinstance(value, str)}:
            raise ValueError
        return word

    def names(self, answer: Answer, value: Value, sentence: Sentence) -> bool:
        """Whether a sentence names a choice."""
        return self.quoted and isinstance(value, str) and sentence.quotes(value)

    def gives_away(self, answer: Answer, sentence: Sentence) -> bool:
        """Whether a sentence names the right answer as what is asked for."""
        if self.said is not None:
            return only_says(answer, sentence, self.said)
        return alone_said(answer, sentence, self.said_of)

    def reveals(self, part: Because, later: Answer, same: bool) -> bool:
        """Whether a part of an earlier explanation answers a later question; `same`: of the same instant."""
        return False

    def completed(self, session: Session, question: Question, random: Random) -> Question | None:
        """Return a drawn question as it can be answered here, among enough choices; None if it cannot."""
        return question if self.asks_well(session, question) else None

    def sort_of(self, answer: Answer) -> Hashable:
        """Return in what drawn questions are to differ: a code that is right, or the place of a right number.

        None for a question that is drawn if there is no other.
        """
        return answer.shown if isinstance(answer.shown, str) else answer.offered.index(answer.shown)

    def asks_well(self, session: Session, question: Question) -> bool:
        """Whether a question can be answered here, among enough choices."""
        try:
            return len(self.answer(session, question).offered) >= CHOICES
        except SessionError:
            return False

    def first_asked(
        self, session: Session, question: Question, actions: Sequence[str], random: Random
    ) -> Question | None:
        """Return a question about the first action that concerns somebody; in one of `IDLE`, nobody."""
        idle, others = random.randrange(IDLE) == 0, list[Question]()
        for do in actions:
            made = attrs.evolve(question, do=do)
            with suppress(SessionError):
                found = self.answer(session, made)
                if len(found.offered) >= CHOICES:
                    if (None in found.right) == idle:
                        return made
                    others.append(made)
        return others[0] if others and idle else None


class OnMachine(QuestionKind):
    """A kind of question about the simulated machine, at the pass of an instant."""

    def answer(self, session: Session, question: Question) -> Answer:
        try:
            scene = Scene(session, question.at, question.do)
        except SessionError as error:
            raise unanswerable(Scene(session, question.at), question, str(error)) from None
        if question.do and scene.now != scene.before.now:
            why = "nothing happens at that instant; expected the instant of an event for an action"
            raise unanswerable(scene, question, why)
        made = self.at(scene, question)
        # What the run does without the action is no news about the run with it.
        turns_out = None if question.do else made.turns_out
        return attrs.evolve(made, turns_out=turns_out, pending=scene.passed is not None)

    def at(self, scene: Scene, question: Question) -> Answer:
        """Return the answer in a scene. UnanswerableError if there is none."""
        raise NotImplementedError


class OfJobs(OnMachine):
    """A kind of question whose answer is a job, or nobody."""

    expected = "a job's id, or nobody"
    read_in = "notes"
    of_jobs = True

    def parse(self, case: Case, answer: Answer, word: str) -> Value:
        """Return the job that a word names, by id; None for nobody."""
        return typed_job(case, word)

    def names(self, answer: Answer, value: Value, sentence: Sentence) -> bool:
        """Whether a sentence names a job."""
        return isinstance(value, int) and value in sentence.jobs


class OfInstants(OnMachine):
    """A kind of question whose answer is an instant, or never."""

    expected = "a time: seconds, D HH:MM:SS or 1h30m"

    def parse(self, case: Case, answer: Answer, word: str) -> Value:
        """Return the instant that a word names; None for never."""
        return typed_time(answer, word)

    def names(self, answer: Answer, value: Value, sentence: Sentence) -> bool:
        """Whether a sentence names an instant."""
        return value in sentence.instants

    def gives_away(self, answer: Answer, sentence: Sentence) -> bool:
        """Whether a sentence has the job and the instant."""
        later = (at for at in answer.right if at != answer.time)
        return answer.question.job in sentence.jobs and any(at in sentence.instants for at in later)


class OfEvents(OnMachine):
    """A kind of question whose answer is an event: its kind, and the job."""

    expected = "a kind of event with its job, as in finish 3"
    names_submitted = False
    """Whether the job of a submission is a part of the answer."""

    def parse(self, case: Case, answer: Answer, word: str) -> Value:
        """Return the event that a word names; None for nothing."""
        if word.lower() in NOBODY:
            return None
        kind, _, job = word.lower().replace("finishes", "finish").partition(" ")
        if kind not in EVENT_NAMES:
            raise ValueError
        named = job and (kind != "submit" or self.names_submitted)
        return (kind, typed_job(case, job) if named else None)

    def names(self, answer: Answer, value: Value, sentence: Sentence) -> bool:
        """Whether a sentence names the job of an event."""
        return isinstance(value, tuple) and value[1] in sentence.jobs


def only_says(answer: Answer, sentence: Sentence, word: re.Pattern[str]) -> bool:
    """Whether a sentence says a word of right choices alone."""
    named = sentence.jobs & {value for value in answer.offered if isinstance(value, int)}
    return bool(named) and named <= set(answer.right) and sentence.says(word)


def alone_said(answer: Answer, sentence: Sentence, words: Mapping[str, re.Pattern[str]]) -> bool:
    """Whether a sentence has the words of the right choice, and those of no other."""
    codes = (str(value) for value in answer.offered)
    return [it for it in codes if it in words and words[it].search(sentence.text)] == [answer.shown]


def typed_job(case: Case, word: str) -> int | None:
    """Return the job that a word names, by id; None for nobody. ValueError, SessionError."""
    if word.lower() in NOBODY:
        return None
    job = typed_number(word, "job ")
    case.index_of(job)
    return job


def typed_number(word: str, before: str = "") -> int:
    """Return a number, behind a word or not. ValueError if it is none."""
    digits = word.lower().removeprefix(before).strip()
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError
    return int(digits)


def typed_time(answer: Answer, word: str) -> int | None:
    """Return an instant, or a length, in seconds; None for never. ValueError."""
    if word.lower() in NEVER:
        return None
    return answer.time if word.lower() == "now" else parse_time(word)
