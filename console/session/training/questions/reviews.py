"""Which scheduler, or which order of the queue, the review of an instant puts in force."""

import re

import attrs

from shadowtime.console.session.facts import Decision
from shadowtime.console.session.plugins import policies
from shadowtime.console.session.training.facts import Answer, Because, InForce, Mistaken
from shadowtime.console.session.training.questions.choices import among
from shadowtime.console.session.training.questions.kind import CHOICES, OnMachine
from shadowtime.console.session.training.refusing import answered, unanswerable
from shadowtime.console.session.training.scene import Scene
from shadowtime.console.session.training.sentences import Sentence
from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies.orders import ORDERS_IN_FORCE
from shadowtime.scenarios import Question

REVIEWING = frozenset(("switch", "keep"))


class Review(OnMachine):
    """Which scheduler or order a review puts in force, or keeps."""

    quoted = True
    expected = "a scheduler or an order"
    read_in = "notes"
    before_review = True

    def at(self, scene: Scene, question: Question) -> Answer:
        """What is in force after the review of this instant. UnanswerableError if there is no review.

        dynP and IVS review right before each pass, PBAS and WBAS at their own instants. The scene stands
        before the review.
        """
        ahead = scene.session.fork_simulation()
        candidates = ahead.status().get("candidates")
        if "in_force" not in ahead.status():
            raise unanswerable(scene, question, f"{scene.case.policy} has one scheduler and one order")
        if not _review(ahead, question.at, candidates is None):
            raise unanswerable(scene, question, "nothing is reviewed at that instant")
        status = ahead.status()
        right = str(status["in_force"])
        names = (*(candidates or ORDERS_IN_FORCE),)
        others = {name: Mistaken("not_in_force") for name in names if name != right}
        if len(names) < CHOICES:
            kinds = {name.partition(":")[0] for name in names}
            known = (name for name, it in policies().items() if it.reserves and name not in kinds)
            others |= {next(known): Mistaken("no_candidate")}
        event = scene.event_of(ahead)
        made: tuple[Because, ...] = () if event is None else tuple(event.decisions)
        because = tuple(one for one in made if getattr(one, "kind", "") in REVIEWING)
        kept = InForce(right, int(status.get("waiting", 0)), status.get("aert"))
        made_now = answered(question, scene.now, (right,), among([right], others), because or (kept,))
        return attrs.evolve(made_now, time=question.at)

    def gives_away(self, answer: Answer, sentence: Sentence) -> bool:
        """Whether a sentence says of the right choice alone that it is in force."""
        found = [value for value in answer.offered if str(value) in sentence.text]
        said = re.search(r"\b(?:in force|takes over|switch)", sentence.text)
        return found == [answer.shown] and bool(said)

    def reveals(self, part: Because, later: Answer, same: bool) -> bool:
        """Whether a part is what the review decides."""
        return same and isinstance(part, Decision) and part.kind in REVIEWING


def before_review(simulation: Simulation, at: int) -> int:
    """Return the event after which the review of an instant comes. The simulation stands before it."""
    ahead = simulation.fork()
    while (upcoming := ahead.peek()) is not None and upcoming[0] <= at:
        if upcoming[0] == at and EVENT_NAMES[upcoming[1]] in ("switch_policy", "pass"):
            break
        ahead.step()
    return ahead.event


def _review(ahead: Simulation, at: int, each_pass: bool) -> bool:
    """Go to the review of an instant; return whether there is one."""
    wanted = ("switch_policy", "pass") if each_pass else ("switch_policy",)
    while (upcoming := ahead.peek()) is not None and upcoming[0] <= at:
        ahead.step()
        if upcoming[0] == at and EVENT_NAMES[upcoming[1]] in wanted:
            return True
    return False
