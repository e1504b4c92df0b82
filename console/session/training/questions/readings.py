"""Questions that the screen answers: what is free, who holds a node, ends, waits, metrics, the last event.

Nothing of the future is asked. The state is that before the pass of the instant, as the panels show it.
"""

from collections.abc import Iterator, Mapping

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.facts import DOWN, Event
from shadowtime.console.session.training.facts import Answer, Because, Mistaken, Read, Value
from shadowtime.console.session.training.questions.choices import among
from shadowtime.console.session.training.questions.kind import (
    OfEvents,
    OfInstants,
    OfJobs,
    OnMachine,
    typed_number,
    typed_time,
)
from shadowtime.console.session.training.refusing import answered, unanswerable
from shadowtime.console.session.training.scene import Scene
from shadowtime.console.session.travel.trend import metrics_of
from shadowtime.scenarios import Question
from shadowtime.scenarios.values import READ_METRICS

IDLE = -1
"""The owner of an idle node."""
LOG = 12
"""Events of the log among which the last one is looked for."""


class Free(OnMachine):
    """How many nodes are free."""

    expected = "a number"

    def at(self, scene: Scene, question: Question) -> Answer:
        """The number of idle nodes."""
        before, owners = scene.before, scene.before.owners()
        down = sum(owner == DOWN for owner in owners)
        free, every = before.free, before.nodes
        queue = before.waiting()
        wrong: dict[Value, Mistaken] = {
            every - free - down: Mistaken("counted_busy"),
            free + down if down else every: Mistaken("counted_down" if down else "counted_all"),
            scene.after.free: Mistaken("counted_after_pass"),
        }
        if queue:
            wrong.setdefault(scene.case.columns.size[queue[0]], Mistaken("size_of_head", scene.id(queue[0])))
        wrong.setdefault(every, Mistaken("counted_all"))
        wrong.setdefault(free + len(before.running()), Mistaken("counted_jobs"))
        because = Read("free", {"free": free, "busy": every - free - down, "down": down})
        return _read(scene, question, free, wrong, because)

    def parse(self, case: Case, answer: Answer, word: str) -> Value:
        return typed_number(word)


class Owner(OfJobs):
    """Which job holds a node."""

    of_jobs = False

    def at(self, scene: Scene, question: Question) -> Answer:
        """The job, or nobody. UnanswerableError if the node is out of service."""
        owners, node = scene.before.owners(), question.node or 0
        owner = owners[node]
        if owner == DOWN:
            raise unanswerable(scene, question, f"node {node} is out of service")
        near = sorted(range(len(owners)), key=lambda other: (abs(other - node), other))
        others = dict.fromkeys(owners[other] for other in near if owners[other] not in (owner, IDLE, DOWN))
        wrong: dict[Value, Mistaken] = {
            scene.id(it): Mistaken("holds_others", scene.id(it)) for it in [*others][:2]
        }
        wrong |= {} if owner == IDLE else {None: Mistaken("node_is_held")}
        for index in scene.before.waiting():
            wrong[scene.id(index)] = Mistaken("has_no_nodes", scene.id(index))
        right = None if owner == IDLE else scene.id(owner)
        because = Read("owner_free" if right is None else "owner", {"node": node}, right)
        return _read(scene, question, right, wrong, because)


class EndTime(OfInstants):
    """When a job ends by its estimate."""

    def at(self, scene: Scene, question: Question) -> Answer:
        """The instant. UnanswerableError if the job does not run."""
        index, job = _come(scene, question)
        start, right = scene.before.start_of(index), scene.before.end_of(index)
        if index not in scene.before.running() or start is None or right is None:
            raise unanswerable(scene, question, f"job {job} does not run")
        length, submit = scene.case.columns.estimate[index], scene.case.columns.submit[index]
        wrong: dict[Value, Mistaken] = {
            submit + length: Mistaken("from_submission", job),
            scene.now + length: Mistaken("from_now", job),
            start: Mistaken("is_its_start", job),
        }
        for other in scene.before.running():
            wrong.setdefault(scene.before.end_of(other), Mistaken("ends_another", scene.id(other)))
        return _read(scene, question, right, wrong, Read("end_time", {"start": start, "length": length}, job))


class Waited(OnMachine):
    """How long a job has waited."""

    expected = "a length: seconds, HH:MM:SS or 1h30m"

    def at(self, scene: Scene, question: Question) -> Answer:
        """The seconds since its submission. UnanswerableError if the job does not wait."""
        index, job = _come(scene, question)
        if index not in scene.before.waiting():
            raise unanswerable(scene, question, f"job {job} does not wait in the queue")
        columns = scene.case.columns
        submit = columns.submit[index]
        wrong: dict[Value, Mistaken] = {
            scene.now: Mistaken("took_the_clock", job),
            submit: Mistaken("took_submission", job),
            columns.estimate[index]: Mistaken("took_estimate", job),
        }
        for other in scene.before.waiting():
            wrong.setdefault(
                scene.now - columns.submit[other], Mistaken("waited_by_another", scene.id(other))
            )
        because = Read("waited", {"submit": submit, "now": scene.now}, job)
        return _read(scene, question, scene.now - submit, wrong, because)

    def parse(self, case: Case, answer: Answer, word: str) -> Value:
        return typed_time(answer, word)


class Metric(OnMachine):
    """What a metric is."""

    def at(self, scene: Scene, question: Question) -> Answer:
        """Its measure and its whole number. UnanswerableError if it has no value yet."""
        name = question.metric
        found = attrs.asdict(metrics_of(scene.before))
        measure, others = READ_METRICS[name]
        if found[name] is None:
            raise unanswerable(scene, question, f"{name} has no value yet")
        right = whole(found[name], measure)
        wrong: dict[Value, Mistaken] = {}
        for other in others:
            if found[other] is not None:
                wrong.setdefault(f"{measure}:{whole(found[other], measure)}", Mistaken(f"took_{other}"))
        for number, code in _slips(scene, measure, right):
            wrong.setdefault(f"{measure}:{number}", Mistaken(code))
        value = f"{measure}:{right}"
        because = Read("metric", {"metric": name, "value": value})
        choices = among([value], wrong, rank=lambda it: int(it.partition(":")[2]))
        return answered(question, scene.now, (value,), choices, (because,))


class LastEvent(OfEvents):
    """What has happened last."""

    names_submitted = True

    def at(self, scene: Scene, question: Question) -> Answer:
        """The last event but for passes. UnanswerableError if nothing has happened."""
        session = scene.session
        past = session.events(max(1, session.number - LOG), min(LOG + 1, session.number))
        known = [event for event in past if event.kind != "pass" and event.time <= scene.now]
        if not known:
            raise unanswerable(scene, question, "nothing has happened yet")
        last = known[-1]
        same = {_named(event) for event in known if event.time == last.time}
        wrong: dict[Value, Mistaken] = {}
        for event in scene.next_events()[:1]:
            wrong[_named(event)] = Mistaken("is_to_come", event.job, event.time)
        for event in reversed(known):
            if _named(event) not in same:
                wrong.setdefault(_named(event), Mistaken("was_before", event.job, event.time))
        return _read(scene, question, _named(last), wrong, last)


def _read(
    scene: Scene, question: Question, right: Value, wrong: Mapping[Value, Mistaken], because: Because
) -> Answer:
    """What the screen shows, what is mistaken for it, and which numbers of the screen explain it."""
    return answered(question, scene.now, (right,), among([right], wrong), (because,))


def whole(value: float, measure: str) -> int:
    """Return a metric as a whole number, a share in thousandths; halves are rounded up."""
    return int(value * (1000 if measure == "share" else 1) + 0.5)


def _slips(scene: Scene, measure: str, right: int) -> Iterator[tuple[int, str]]:
    """Yield what is computed instead of a metric by mistake."""
    before, columns = scene.before, scene.case.columns
    if measure == "share":
        yield 1000 - right, "took_the_rest"
        yield 1000 * len(before.running()) // max(1, before.submitted), "took_share_of_jobs"
    elif measure == "count":
        yield before.submitted, "took_all_jobs"
        yield sum(columns.size[job] for job in before.waiting()), "took_their_nodes"
    else:
        started = ((job, before.start_of(job)) for job in range(before.submitted))
        waits = [start - columns.submit[job] for job, start in started if start is not None]
        yield sum(waits), "took_the_sum"
        yield max(waits, default=0), "took_the_longest"
        yield sum(waits) // max(1, before.submitted), "took_all_submitted"


def _named(event: Event) -> tuple[str, int | None]:
    return event.kind, event.job


def _come(scene: Scene, question: Question) -> tuple[int, int]:
    """The index and the id of the job that is asked about."""
    assert question.job is not None
    index = scene.case.index_of(question.job)
    if scene.before.state(index) == "":
        raise unanswerable(scene, question, f"job {question.job} has not been submitted")
    return index, question.job
