"""How a job stands after the pass: in which state, and why it waits or runs."""

import re
from collections.abc import Mapping, Sequence

from shadowtime.console.session.case import Case
from shadowtime.console.session.facts import Decision
from shadowtime.console.session.training.facts import Answer, Because, Choices, Mistaken, Value, Waits
from shadowtime.console.session.training.questions.choices import STATES, among
from shadowtime.console.session.training.questions.kind import OnMachine
from shadowtime.console.session.training.questions.parts import about, moments
from shadowtime.console.session.training.questions.statements import false_to_run, false_to_wait
from shadowtime.console.session.training.refusing import answered, asked_job, unanswerable
from shadowtime.console.session.training.scene import STARTING, Scene
from shadowtime.console.session.training.sentences import Sentence
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios import Question

TELLING = "NWiSoOHF"
"""The letters whose meaning alone says why they are wrong."""
SAID = {
    "N": re.compile(r"\b(?:waits?|waiting|has to wait)\b", re.IGNORECASE),
    "W": re.compile(r"\b(?:waits? for its turn|other row)", re.IGNORECASE),
    "R": re.compile(r"\b(?:runs|running|starts|resumes|goes on)\b", re.IGNORECASE),
    "O": re.compile(r"\b(?:stopped|preempted|requeued|in the queue again)\b", re.IGNORECASE),
    "F": re.compile(r"\b(?:over|ended|killed|finished)\b", re.IGNORECASE),
}

HEADS = re.compile(r"\b(?:heads|(?:stands|is) (?:first in|the head of)) the queue", re.IGNORECASE)
REASONS_SAID = {
    "head_fits": HEADS,
    "head_blocked": HEADS,
    "waits_for_row": re.compile(r"other row .*has the machine|waits for its turn", re.IGNORECASE),
    "as_alternate": re.compile(r"\bidle in the row of", re.IGNORECASE),
    "scan_ended": re.compile(r"\bend(?:s|ed) the scan|scan ended", re.IGNORECASE),
    "waited_ends_scan": re.compile(r"\bwaited too long|waited .*longer than", re.IGNORECASE),
    "too_large_for_prime": re.compile(r"\btoo large for prime", re.IGNORECASE),
    "too_long_for_prime": re.compile(r"\btoo long for prime", re.IGNORECASE),
    "prime_reserve": re.compile(r"\bprime time keeps", re.IGNORECASE),
    "on_hold": re.compile(r"\b(?:on hold|holds it|is held)\b", re.IGNORECASE),
    "reserved_for": re.compile(r"\bhas (?:a claim|the reservation)", re.IGNORECASE),
    "within_extra": re.compile(r"\bextra nodes|\b(?:beyond|after) (?:the|its) shadow", re.IGNORECASE),
    "ends_by_shadow": re.compile(r"\bends? (?:by|before) .*shadow|extra nodes are gone", re.IGNORECASE),
    "would_delay_head": re.compile(r"\bhead would .*\blater\b|\bdelays? the head", re.IGNORECASE),
    "no_room": re.compile(r"\btoo few\b", re.IGNORECASE),
    "no_room_now": re.compile(r"\btoo few\b", re.IGNORECASE),
    "behind_head": re.compile(r"\b(?:no job|nobody) (?:may )?pass", re.IGNORECASE),
    "reserved": re.compile(r"\breserv", re.IGNORECASE),
    "reservation_due": re.compile(r"\breserv", re.IGNORECASE),
    "after_preemption": re.compile(r"\b(?:stopped|preempted) for", re.IGNORECASE),
}


class State(OnMachine):
    """In which state a job is."""

    expected = "the letter of a state"
    read_in = "own"
    with_nodes = True

    def at(self, scene: Scene, question: Question) -> Answer:
        """The letter of the state after the pass."""
        _, job = asked_job(scene, question)
        row = scene.row(job)
        seen = [event for event in (scene.arrived, scene.passed) if event is not None]
        made = [one for event in seen for one in event.decisions if event.time == scene.now]
        about: tuple[Because, ...] = tuple(one for one in made if one.job == job)
        # Whether a decision gives it nodes at once shows in how it stands then.
        gone = not any(one.kind in STARTING | {"resume"} for one in made if one.job == job)
        because = (*about, *((row,) if gone and about else ())) or scene.stands(job)
        return answered(question, scene.now, (row.state,), _states(scene, row.state), because)

    def parse(self, case: Case, answer: Answer, word: str) -> Value:
        return word if word in set("NWRSHOFio") else super().parse(case, answer, word)

    def gives_away(self, answer: Answer, sentence: Sentence) -> bool:
        """Whether a sentence about the job alone has a word of its state."""
        word = SAID.get(str(answer.shown))
        return sentence.jobs == {answer.question.job} and bool(word and word.search(sentence.text))

    def reveals(self, part: Because, later: Answer, same: bool) -> bool:
        """Whether a part is about the job there and then, or says when it starts."""
        starts = any(it == later.question.job and at >= later.time for it, at in moments(part))
        return starts or (same and about(part, later))


class Why(OnMachine):
    """Why a job waits, or may run."""

    said_of = REASONS_SAID
    read_in = "about"
    looked = 60

    def at(self, scene: Scene, question: Question) -> Answer:
        """The code of the reason. UnanswerableError if the job neither waits nor runs."""
        index, job = asked_job(scene, question)
        row = scene.row(job)
        if row.reason is not None:
            code = row.reason.code
            because: tuple[Because, ...] = (Waits(job, row.reason),)
            return answered(
                question, scene.now, (code,), _reasons(code, false_to_wait(scene, index)), because
            )
        turned = _turned(scene, job)
        if turned is None or row.state != "R":
            raise unanswerable(scene, question, f"job {job} neither waits nor runs")
        code = turned.reason.code
        choices = _reasons(code, false_to_run(scene, job, turned))
        return answered(question, scene.now, (code,), choices, (turned,), starts=True)

    def beside(self, case: Case, simulation: Simulation) -> Sequence[int]:
        """Return the jobs that have just started."""
        active = (*simulation.running(), *simulation.held())
        return [job for job in active if simulation.start_of(job) == simulation.now]

    def reveals(self, part: Because, later: Answer, same: bool) -> bool:
        """Whether a part gives the reason, at that instant or before."""
        if not isinstance(part, Decision | Waits) or not about(part, later):
            return False
        code = part.reason.code
        # A job whose reservation was named starts because it is due.
        return code in later.right or (code == "reserved" and "reservation_due" in later.right)


def _turned(scene: Scene, job: int) -> Decision | None:
    made = () if scene.passed is None else scene.passed.decisions
    here = [one for one in made if one.job == job and one.kind in STARTING | {"resume"}]
    return here[-1] if here else scene.session.turned(job)


def _states(scene: Scene, right: str) -> Choices:
    """Waiting, running, and what else this policy may make of a job."""
    after = scene.after
    seen = {after.state(job) for job in range(after.submitted)}
    wanted = {"N", "R", "F", *seen, *("W" if scene.sliced else "")}
    wanted |= {"O"} if scene.preempts else set()
    letters = {letter: _mistaken(right, letter) for letter in STATES if letter in wanted}
    return among([right], letters)


def _mistaken(right: str, value: str) -> Mistaken:
    """Return what a wrong letter overlooks of a job in the state `right`."""
    if value in ("N", "W") and right == "R":
        return Mistaken("has_nodes_already")
    if value == "R":
        return Mistaken("does_not_run_yet" if right in ("N", "W", "H") else "runs_no_more")
    return Mistaken(f"state_{value}" if value in TELLING else "other_state")


def _reasons(right: str, false: Mapping[str, str]) -> Choices:
    return among([right], {code: Mistaken(why) for code, why in false.items()})
