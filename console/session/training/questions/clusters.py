"""Questions about a captured cluster: its plan, computed by the planner, and its factors of priority."""

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from random import Random

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.session import Session
from shadowtime.console.session.slurm.board.facts import PlanRow
from shadowtime.console.session.slurm.board.holding import blockers
from shadowtime.console.session.training.clusters.causes import cause, false_causes, shown_reason
from shadowtime.console.session.training.clusters.scene import ClusterScene, written_instant
from shadowtime.console.session.training.facts import Answer, Because, Mistaken, OnCluster, Value
from shadowtime.console.session.training.questions import proposing
from shadowtime.console.session.training.questions.choices import MOST, among, beside, latest
from shadowtime.console.session.training.questions.kind import CHOICES, QuestionKind
from shadowtime.console.session.training.questions.operating import DELAYS
from shadowtime.console.session.training.refusing import UnanswerableError, answered
from shadowtime.console.session.training.sentences import Sentence
from shadowtime.scenarios import Question
from shadowtime.scenarios.slurm import Capture, format_hosts, parse_hosts
from shadowtime.scenarios.slurm.changes import number_of
from shadowtime.scenarios.slurm.config import WEIGHTS
from shadowtime.scenarios.slurm.lesson import instant_after, supposed_change

NONE = frozenset(("nobody", "none", "never", "no job"))
"""What is typed for no job, and for no start."""
HOLDERS = 2
"""Holders of the nodes that an explanation names."""


class OnPlan(QuestionKind):
    """A kind of question about the plan of the next cycle."""

    def answer(self, session: Session, question: Question) -> Answer:
        case = session.case
        try:
            base = _as_captured(case)
            scene = _after(base, question.do) if question.do else base
            if question.job is not None:
                scene.row(question.job)
            return attrs.evolve(self.of(base, scene, question), pending=False)
        except (KeyError, ValueError) as error:
            why = f"job {question.job} does not wait then" if isinstance(error, KeyError) else str(error)
            place = f"{case.scenario.path}:{question.line}: " if question.line else ""
            raise UnanswerableError(f"{place}{question.ask} has no answer: {why}") from None

    def of(self, base: ClusterScene, scene: ClusterScene, question: Question) -> Answer:
        """Return the answer of a plan, without the supposed change and with it. ValueError: there is none."""
        raise NotImplementedError

    def reveals(self, part: Because, later: Answer, same: bool) -> bool:
        """Whether a fact of the cluster answers a later question about it."""
        return isinstance(part, OnCluster) and self.shows(part, later)

    def shows(self, part: OnCluster, later: Answer) -> bool:
        """The same of a fact."""
        raise NotImplementedError


CAUSES_SAID = {
    "held": re.compile(r"\b(?:held|holds (?:it|this job)|priority is 0)\b", re.IGNORECASE),
    "dependency": re.compile(r"\b(?:waits for|depends on) (?:the end of )?(?:another|job)", re.IGNORECASE),
    "begin": re.compile(r"\bbegin time\b|\bmay not begin", re.IGNORECASE),
    "kept": re.compile(r"\breserv", re.IGNORECASE),
    "behind": re.compile(r"\bkept for\b|\bkeeps? (?:those|these|them)", re.IGNORECASE),
    "busy": re.compile(r"\btoo few nodes\b|\brunning jobs leave", re.IGNORECASE),
    "over_limit": re.compile(r"\b(?:exceeds?|over|beyond) .*limit|as many nodes as", re.IGNORECASE),
    "array_limit": re.compile(r"\btasks .*(?:as may|at once)", re.IGNORECASE),
    "not_reached": re.compile(r"\bcycle (?:ended|ends) before", re.IGNORECASE),
}


class NotRunning(OnPlan):
    """Why a job does not run."""

    said_of = CAUSES_SAID
    read_in = "about"
    looked = 24

    def of(self, base: ClusterScene, scene: ClusterScene, question: Question) -> Answer:
        """The code of the cause."""
        job = _job(question)
        row = scene.row(job)
        if row.outcome == "started":
            raise ValueError(f"job {job} starts in the next cycle")
        code = cause(scene, job)
        if not code:
            raise ValueError(f"no reason of job {job} is settled by the plan")
        wrong: dict[Value, Mistaken] = false_causes(scene, job)
        why = OnCluster("cause", job, _numbers(scene, row, code), scene.do)
        because = (why, *_slurm(scene, row), *_when(scene, row))
        return answered(question, 0, (code,), among([code], wrong), because)

    def shows(self, part: OnCluster, later: Answer) -> bool:
        question = later.question
        return part.job == question.job and part.do == question.do and part.code == "cause"


class Planned(OnPlan):
    """When or where a job starts."""

    def gives_away(self, answer: Answer, sentence: Sentence) -> bool:
        """Whether a sentence names the job, the change, and what is right."""
        question = answer.question
        about = question.job in sentence.jobs and question.do in sentence.text
        return about and any(self.names(answer, value, sentence) for value in answer.right)


class PlannedStart(Planned):
    """When a job starts."""

    expected = "an instant such as 21:30:00 or 11-24 01:30:00, now, or never"

    def of(self, base: ClusterScene, scene: ClusterScene, question: Question) -> Answer:
        """The planned instant; None if the plan has none."""
        job = _job(question)
        row, right = scene.row(job), scene.start(job)
        if right is None and cause(scene, job) == "":
            raise ValueError(f"the plan has no start of job {job}, for a reason that it does not settle")
        wrong = _other_instants(scene, row, right, question)
        code = cause(scene, job) if right is None else ""
        why = (OnCluster("cause", job, _numbers(scene, row, code), scene.do),) if code else ()
        because = (*why, *_when(scene, row), *_holders(scene, row), *_alone(scene, row))
        return answered(question, 0, (right,), among([right], wrong, spread=True), because)

    def parse(self, case: Case, answer: Answer, word: str) -> Value:
        """Return the next instant from the capture on that a clock shows so; None for never."""
        capture = _capture(case)
        if word.lower() in NONE:
            return None
        if word.lower() == "now":
            return capture.taken
        return instant_after(capture.taken, word)

    def names(self, answer: Answer, value: Value, sentence: Sentence) -> bool:
        return isinstance(value, int) and written_instant(value).split()[1] in sentence.text

    def shows(self, part: OnCluster, later: Answer) -> bool:
        question = later.question
        named = part.job == question.job and question.do in ("", part.do)
        return named and any(at in later.right for at in part.numbers.values())


class PlannedNodes(Planned):
    """On which nodes a job starts."""

    quoted = True
    expected = "nodes such as n[01-04,7]"

    def of(self, base: ClusterScene, scene: ClusterScene, question: Question) -> Answer:
        """The planned nodes."""
        job = _job(question)
        row = scene.row(job)
        if scene.start(job) is None or not row.nodes:
            raise ValueError(f"the plan has no nodes for job {job}")
        wrong: dict[Value, Mistaken] = {}
        taken = {frozenset(parse_hosts(row.nodes))}

        def put(nodes: str, code: str, who: int) -> None:
            names = frozenset(parse_hosts(nodes))
            if nodes and names not in taken:
                taken.add(names)
                wrong[nodes] = Mistaken(code, who)

        put(scene.alone(job)[1], "nodes_if_alone", job)
        same = sorted(
            (other for other in scene.others(job) if other.nodes),
            key=lambda other: (abs(other.size - row.size), abs((other.start or 0) - (row.start or 0))),
        )
        for other in same:
            if abs(other.size - row.size) <= max(1, row.size // 4):
                put(other.nodes, "nodes_of_another", other.number)
        because = (*_when(scene, row), *_holders(scene, row))
        return answered(question, 0, (row.nodes,), among([row.nodes], wrong), because)

    def parse(self, case: Case, answer: Answer, word: str) -> Value:
        """Return the nodes as the choices write them, whatever their order."""
        capture = _capture(case)
        names = set(parse_hosts(word.lower().removeprefix("nodes ")))
        if not names or not names <= {node.name for node in capture.nodes}:
            raise ValueError
        for value in (*answer.right, *answer.offered):
            if isinstance(value, str) and set(parse_hosts(value)) == names:
                return value
        return format_hosts(node.name for node in capture.nodes if node.name in names)

    def shows(self, part: OnCluster, later: Answer) -> bool:
        question = later.question
        holder = str(part.numbers.get("who", "")).partition("_")[0]
        named = part.do == question.do and str(question.job) in (str(part.job), holder)
        return named and part.numbers.get("nodes") in later.right


class Sooner(OnPlan):
    """Which change starts a job earlier."""

    quoted = True
    expected = "one of the changes"

    def of(self, base: ClusterScene, scene: ClusterScene, question: Question) -> Answer:
        """The changes that do."""
        job = _job(question)
        row, before = scene.row(job), scene.start(job)
        if before is not None and before <= scene.now:
            raise ValueError(f"job {job} starts in the next cycle anyway")
        right, wrong, facts = list[Value](), dict[Value, Mistaken](), dict[Value, OnCluster]()
        for do in question.among:
            try:
                after = _after(scene, do).start(job)
            except (KeyError, ValueError):
                wrong[do] = Mistaken("gone_or_refused", job)
                continue
            facts[do] = _change(job, before, after, do)
            if after is not None and (before is None or after < before):
                right.append(do)
            else:
                wrong[do] = Mistaken("no_sooner", job)
        if not right:
            raise ValueError(f"none of these changes starts job {job} sooner")
        because = (*_when(scene, row), *_holders(scene, row), *(facts[do] for do in right))
        return answered(question, 0, tuple(right), among(right, wrong), because, facts)

    def completed(self, session: Session, question: Question, random: Random) -> Question | None:
        """Return the question with changes of which one alone starts the job sooner."""
        base, job = _as_captured(session.case), _job(question)
        before, sooner, others = base.start(job), list[str](), list[str]()
        for do in proposing.to_start_sooner(base, job, random):
            with suppress(KeyError, ValueError):
                start = _after(base, do).start(job)
                helps = start is not None and (before is None or start < before)
                (sooner if helps else others).append(do)
        if not sooner or len(others) < CHOICES - 1:
            return None
        among = sorted((sooner[0], *beside(sooner[0], others, MOST - 1)))
        return super().completed(session, attrs.evolve(question, among=tuple(among)), random)

    def shows(self, part: OnCluster, later: Answer) -> bool:
        """Whether a fact says what one of the changes does."""
        return part.code == "change" and part.do in later.offered


class PutOff(OnPlan):
    """Which job a change puts off most."""

    expected = "a job's number, or nobody"
    said = DELAYS
    read_in = "notes"
    looked = 4

    def of(self, base: ClusterScene, scene: ClusterScene, question: Question) -> Answer:
        """The jobs whose planned start the change moves back most, that of the change aside."""
        acted = supposed_change(question.do, base.now).job
        delays, facts = dict[int, int](), dict[Value, OnCluster]()
        for number in base.numbers:
            if number in scene.numbers and number != acted:
                one, two = base.start(number), scene.start(number)
                if one is not None and one != two:
                    facts[number] = _change(number, one, two, question.do)
                    if two is None or two > one:
                        delays[number] = 1 << 40 if two is None else two - one
        right = latest(delays)
        wrong = {
            number: Mistaken("put_off_less" if number in delays else "not_put_off", number)
            for number in sorted(base.numbers, key=lambda number: -delays.get(number, 0))
            if number != acted
        }
        choices = among(right, wrong, Mistaken("somebody_is_put_off"), spread=True)
        because = tuple(facts[value] for value in right if value is not None)
        unmoved = (OnCluster("unmoved", None, {}, question.do),)
        return answered(question, 0, right, choices, because or unmoved, facts)

    def completed(self, session: Session, question: Question, random: Random) -> Question | None:
        """Return the question about a change of the drawn job."""
        actions = proposing.to_put_off(_as_captured(session.case), _job(question), random)
        return self.first_asked(session, attrs.evolve(question, job=None), actions, random)

    def parse(self, case: Case, answer: Answer, word: str) -> Value:
        """Return the number of a waiting job; None for nobody."""
        capture = _capture(case)
        if word.lower() in NONE:
            return None
        digits = word.lower().removeprefix("job ").strip()
        numbers = {str(number_of(job)) for job in capture.jobs if job.waiting}
        if digits not in numbers:
            raise ValueError
        return int(digits)

    def names(self, answer: Answer, value: Value, sentence: Sentence) -> bool:
        return isinstance(value, int) and value in sentence.jobs

    def shows(self, part: OnCluster, later: Answer) -> bool:
        """Whether a fact says what the change does."""
        return part.code == "change" and part.do == later.question.do


def _capture(case: Case) -> Capture:
    capture = case.scenario.cluster
    assert capture is not None
    return capture


@lru_cache(maxsize=1)
def _as_captured(case: Case) -> ClusterScene:
    """The cluster without a change. The last one is kept: all questions of a lesson begin with its plan."""
    return ClusterScene(_capture(case))


@lru_cache(maxsize=64)
def _after(scene: ClusterScene, do: str) -> ClusterScene:
    """The cluster after a change. ValueError in one line if it cannot be made."""
    return ClusterScene(scene.capture, do)


def _numbers(scene: ClusterScene, row: PlanRow, code: str) -> dict[str, int | str]:
    job, numbers = scene.job(row.number), dict[str, int | str](cause=code)
    alone, _ = scene.alone(row.number)
    if alone is not None:
        numbers["alone"] = alone
    numbers |= {"begins": job.eligible, "dependency": job.dependency, "reservation": job.reservation}
    numbers |= {"quality": job.qos, "running": job.array.most_running if job.array else 0}
    return numbers


def _other_instants(
    scene: ClusterScene, row: PlanRow, right: int | None, question: Question
) -> Mapping[Value, Mistaken]:
    """Instants that are not the start, the likeliest first, each with what it is."""
    job, now = row.number, scene.now
    found: dict[Value, Mistaken] = {}

    def put(at: int | None, code: str, who: int | None = job) -> None:
        near = at is not None and right is not None and abs(at - right) <= question.within
        if at != right and not near and (at is None or at >= now):
            found.setdefault(at, Mistaken(code, who, at))

    alone, _ = scene.alone(job)
    if alone is not None and alone != now:
        put(alone, "start_if_alone")
    put(now, "starts_not_now")
    for holder in blockers(scene.board, row)[1:2]:
        put(holder.until, "others_hold_on")
    later = sorted(
        (other for other in scene.others(job) if other.start is not None),
        key=lambda other: (abs((other.start or 0) - (right or now)), other.number),
    )
    for other in later:
        put(other.start, "planned_for_another", other.number)
    if right is not None:
        put(right + (row.limit or 0), "planned_end")
        put(None, "has_a_start")
    return found


def _job(question: Question) -> int:
    assert question.job is not None
    return question.job


def _when(scene: ClusterScene, row: PlanRow) -> tuple[OnCluster, ...]:
    """When and where a job is planned; nothing if it has no entry."""
    if row.start is None:
        return ()
    order = row.order or 0
    numbers: dict[str, int | str] = {"start": row.start, "nodes": row.nodes, "order": order}
    numbers["partition"] = row.partition
    return (OnCluster("planned", row.number, numbers, scene.do),)


def _holders(scene: ClusterScene, row: PlanRow) -> tuple[OnCluster, ...]:
    """Who holds its nodes last."""
    found = blockers(scene.board, row)[:HOLDERS] if scene.start(row.number) is not None else ()
    return tuple(
        OnCluster(
            "holder", row.number,
            {"kind": each.kind, "who": each.who, "nodes": each.hosts, "until": each.until}, scene.do,
        )
        for each in found
    )  # fmt: skip


def _alone(scene: ClusterScene, row: PlanRow) -> tuple[OnCluster, ...]:
    """When a job would start if nobody else waited, if that is another time."""
    start, _ = scene.alone(row.number)
    if start is None or start == scene.start(row.number):
        return ()
    now = int(start == scene.now)
    return (OnCluster("alone", row.number, {"start": start, "now": now}, scene.do),)


def _slurm(scene: ClusterScene, row: PlanRow) -> tuple[OnCluster, ...]:
    """What Slurm shows as the reason; after a change it would show another."""
    shown = "" if scene.do else shown_reason(row)
    return (OnCluster("slurm", row.number, {"reason": shown}),) if shown else ()


def _change(job: int, before: int | None, after: int | None, do: str) -> OnCluster:
    numbers = {"before": before, "after": after}
    return OnCluster("change", job, {name: at for name, at in numbers.items() if at is not None}, do)


class LargestFactor(OnPlan):
    """Which factor gives a job most points of its priority."""

    def of(self, base: ClusterScene, scene: ClusterScene, question: Question) -> Answer:
        """The factors with the most points, by their titles in `sprio`. ValueError: no points are known."""
        assert question.job is not None
        job = scene.job(question.job)
        points = job.factors.get(scene.row(question.job).partition, {})
        given = {str(factor): points[factor] for factor in WEIGHTS if factor in points}
        most = max(given.values(), default=0)
        if most <= 0 or not job.priority:
            raise ValueError(f"the points of job {question.job} are not known, or it has none")
        facts: dict[Value, OnCluster] = {
            factor: OnCluster("points", question.job, {"factor": factor, "points": count}, scene.do)
            for factor, count in given.items()
        }
        right = tuple(factor for factor, count in given.items() if count == most)
        ranked = sorted(given, key=lambda factor: -given[factor])
        wrong: dict[Value, Mistaken] = {
            factor: Mistaken("fewer_points", question.job) for factor in ranked if factor not in right
        }
        because = tuple(facts[factor] for factor in ranked if given[factor])
        return answered(question, 0, right, among(right, wrong), because, facts)

    def shows(self, part: OnCluster, later: Answer) -> bool:
        """Whether a fact is the points of the job."""
        question = later.question
        return part.code == "points" and part.job == question.job and part.do == question.do
