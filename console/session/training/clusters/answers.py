"""Answers to the questions about a captured cluster: all of them computed by the planner."""

from collections.abc import Callable, Mapping

from shadowtime.console.session.case import Case
from shadowtime.console.session.slurm.board import PlanRow, blockers
from shadowtime.console.session.training.clusters.causes import cause, false_causes, shown_reason
from shadowtime.console.session.training.clusters.scene import ClusterScene
from shadowtime.console.session.training.distractors import MOST, among
from shadowtime.console.session.training.facts import Answer, Because, Choices, Mistaken, OnCluster, Value
from shadowtime.console.session.training.refusing import UnanswerableError
from shadowtime.scenarios import Question
from shadowtime.scenarios.slurm import parse_hosts
from shadowtime.scenarios.slurm.changes import parse_change

HOLDERS = 2
"""Holders of the nodes that an explanation names."""


def cluster_answer(case: Case, question: Question) -> Answer:
    """Return the answer to a question about the cluster of a case. UnanswerableError."""
    capture = case.scenario.cluster
    assert capture is not None
    try:
        base = ClusterScene(capture)
        scene = ClusterScene(capture, question.do) if question.do else base
        if question.job is not None:
            scene.row(question.job)
        return _ANSWERS[question.ask](base, scene, question)
    except (_Unanswerable, KeyError, ValueError) as error:
        why = f"job {question.job} does not wait then" if isinstance(error, KeyError) else str(error)
        place = f"{case.scenario.path}:{question.line}: " if question.line else ""
        raise UnanswerableError(f"{place}{question.ask} has no answer: {why}") from None


class _Unanswerable(Exception):
    """A question without an answer: why."""


def _answer(
    question: Question,
    right: tuple[Value, ...],
    choices: Choices,
    because: tuple[Because, ...],
    against: Callable[[Value], tuple[Because, ...]] = lambda _: (),
) -> Answer:
    return Answer(
        question, 0, right, choices.offered, because, against, mistakes=choices.mistakes, pending=False
    )


def _not_running(_: ClusterScene, scene: ClusterScene, question: Question) -> Answer:
    job = _job(question)
    row = scene.row(job)
    if row.outcome == "started":
        raise _Unanswerable(f"job {job} starts in the next cycle")
    code = cause(scene, job)
    if not code:
        raise _Unanswerable(f"no reason of job {job} is settled by the plan")
    wrong: dict[Value, Mistaken] = false_causes(scene, job)
    why = OnCluster("cause", job, _numbers(scene, row, code), scene.do)
    because = (why, *_slurm(scene, row), *_when(scene, row))
    return _answer(question, (code,), among(code, wrong), because)


def _numbers(scene: ClusterScene, row: PlanRow, code: str) -> dict[str, int | str]:
    """What the sentence of a cause names."""
    job, numbers = scene.job(row.number), dict[str, int | str](cause=code)
    alone, _ = scene.alone(row.number)
    if alone is not None:
        numbers["alone"] = alone
    numbers |= {"begins": job.eligible, "dependency": job.dependency, "reservation": job.reservation}
    numbers |= {"quality": job.qos, "running": job.array.most_running if job.array else 0}
    return numbers


def _planned_start(_: ClusterScene, scene: ClusterScene, question: Question) -> Answer:
    job = _job(question)
    row, right = scene.row(job), scene.start(job)
    if right is None and cause(scene, job) == "":
        raise _Unanswerable(f"the plan has no start of job {job}, for a reason that it does not settle")
    wrong = _other_instants(scene, row, right, question)
    code = cause(scene, job) if right is None else ""
    why = (OnCluster("cause", job, _numbers(scene, row, code), scene.do),) if code else ()
    because = (*why, *_when(scene, row), *_holders(scene, row), *_alone(scene, row))
    return _answer(question, (right,), among(right, wrong), because)


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


def _planned_nodes(_: ClusterScene, scene: ClusterScene, question: Question) -> Answer:
    job = _job(question)
    row = scene.row(job)
    if scene.start(job) is None or not row.nodes:
        raise _Unanswerable(f"the plan has no nodes for job {job}")
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
    return _answer(question, (row.nodes,), among(row.nodes, wrong), because)


def _sooner(_: ClusterScene, scene: ClusterScene, question: Question) -> Answer:
    job = _job(question)
    row, before = scene.row(job), scene.start(job)
    if before is not None and before <= scene.now:
        raise _Unanswerable(f"job {job} starts in the next cycle anyway")
    right, wrong, facts = list[Value](), dict[Value, Mistaken](), dict[Value, OnCluster]()
    for do in question.among:
        try:
            after = ClusterScene(scene.capture, do).start(job)
        except (KeyError, ValueError):
            wrong[do] = Mistaken("gone_or_refused", job)
            continue
        facts[do] = _change(job, before, after, do)
        if after is not None and (before is None or after < before):
            right.append(do)
        else:
            wrong[do] = Mistaken("no_sooner", job)
    if not right:
        raise _Unanswerable(f"none of these changes starts job {job} sooner")
    because = (*_when(scene, row), *_holders(scene, row), *(facts[do] for do in right))

    def against(value: Value) -> tuple[Because, ...]:
        return (facts[value],) if value in facts else ()

    return _answer(question, tuple(right), among(right[0], wrong), because, against)


def _put_off(base: ClusterScene, scene: ClusterScene, question: Question) -> Answer:
    """The job whose planned start a change moves back most, that of the change aside."""
    acted = parse_change(question.do).job
    late = dict[int, tuple[int, OnCluster]]()
    for number in base.numbers:
        if number in scene.numbers and number != acted:
            one, two = base.start(number), scene.start(number)
            if one is not None and one != two:
                delay = (two - one) if two is not None else 1 << 40
                late[number] = delay, _change(number, one, two, question.do)
    delays = {number: delay for number, (delay, _) in late.items() if delay > 0}
    most = max(delays.values(), default=0)
    right: tuple[Value, ...] = tuple(number for number, delay in delays.items() if delay == most) or (None,)
    order = sorted(
        (number for number in base.numbers if number not in right and number != acted),
        key=lambda number: (-delays.get(number, 0), base.numbers.index(number)),
    )
    wrong: dict[Value, Mistaken] = {
        number: Mistaken("put_off_less" if number in delays else "not_put_off", number) for number in order
    }
    if delays:
        wrong = {**dict([*wrong.items()][: MOST - 2]), None: Mistaken("somebody_is_put_off")}
    because = tuple(late[value][1] for value in right if isinstance(value, int))

    def against(value: Value) -> tuple[Because, ...]:
        return (late[value][1],) if isinstance(value, int) and value in late else ()

    return _answer(question, right, among(right[0], wrong), because or _unmoved(question), against)


def _unmoved(question: Question) -> tuple[OnCluster, ...]:
    return (OnCluster("unmoved", None, {}, question.do),)


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


_ANSWERS: Mapping[str, Callable[[ClusterScene, ClusterScene, Question], Answer]] = {
    "not_running": _not_running,
    "planned_start": _planned_start,
    "planned_nodes": _planned_nodes,
    "sooner": _sooner,
    "put_off": _put_off,
}
