"""Questions about odds: the likely start, what makes it uncertain, how earlier forecasts came out, requests.

The answers are those of the samples that the console shows (docs/forecast.md), at the event of the question.
"""

from array import array
from collections.abc import Callable, Iterator, Mapping
from statistics import median_low

import attrs

from shadowtime.console.session.case import Case, table_of
from shadowtime.console.session.facts import LikelyStart
from shadowtime.console.session.likely.starts import ENDED, Came, came
from shadowtime.console.session.session import Session
from shadowtime.console.session.training.facts import Answer, Because, Mistaken, Read, Value
from shadowtime.console.session.training.questions.choices import among
from shadowtime.console.session.training.questions.kind import (
    CHOICES,
    OfInstants,
    OfJobs,
    OnMachine,
    typed_number,
)
from shadowtime.console.session.training.refusing import answered, asked_job, unanswerable
from shadowtime.console.session.training.scene import Scene
from shadowtime.console.session.travel.scout import Scout
from shadowtime.scenarios import Question, parse_time
from shadowtime.scenarios.values import ODDS

PLACES = ("before_early", "before_likely", "before_late", "after_late")
"""Where a start can lie among those that were forecast."""
TENTHS = 10
FOREVER = 1 << 60
"""The instant of a start that does not come."""
USERS = 2
"""Users whose earlier jobs an explanation sums up."""


class LikelyOf(OfInstants):
    """When a job is likely to start, has started with 9 in 10, or starts before with 1 in 10."""

    def at(self, scene: Scene, question: Question) -> Answer:
        """The instant. UnanswerableError if there are no odds."""
        index, job = asked_job(scene, question)
        starts = odds_of(scene, question)
        if index not in starts:
            raise unanswerable(scene, question, f"job {job} does not wait in the queue")
        right = getattr(starts[index], question.odds)
        wrong: dict[Value, Mistaken] = {}

        def put(at: int | None, code: str, who: int) -> None:
            if at is not None and (right is None or abs(at - right) > question.within):
                wrong.setdefault(at, Mistaken(code, who, at))

        for other in ODDS:
            put(getattr(starts[index], other), f"is_{other}", job)
        expected = scene.prediction(index)
        put(None if expected is None else expected.time, "is_at_limits", job)
        for row, likely in starts.items():
            put(getattr(likely, question.odds), "odds_of_another", scene.id(row))
        because = (*_habits(scene), *_spread(scene, index, starts[index]))
        return answered(question, scene.now, (right,), among([right], wrong), because)


class LeastCertain(OfJobs):
    """Which waiting job's start is the least certain."""

    of_jobs = False

    def at(self, scene: Scene, question: Question) -> Answer:
        """The job with the longest time from its early to its late start. UnanswerableError without odds."""
        starts = odds_of(scene, question)
        widths = {row: _width(likely) for row, likely in starts.items()}
        most = max(widths.values())
        right = scene.ids([row for row, width in widths.items() if width == most])
        size, last = scene.case.columns.size, max(starts, key=lambda row: starts[row].likely or 0)
        codes = {scene.before.waiting()[0]: "odds_of_head", last: "odds_of_last"}
        codes[max(starts, key=lambda row: size[row])] = "odds_of_largest"
        wrong = {
            scene.id(row): Mistaken(codes.get(row, "narrower_odds"), scene.id(row))
            for row in sorted(starts, key=lambda row: (row not in codes, -widths[row]))
        }
        parts = {scene.id(row): _spread(scene, row, likely)[0] for row, likely in starts.items()}
        because = (*(parts[job] for job in right), *_ahead(scene, right), *_habits(scene))
        return answered(question, scene.now, right, among(right, wrong), because, parts)


class LikelyFirst(OfJobs):
    """Which waiting job is likely to start first."""

    def at(self, scene: Scene, question: Question) -> Answer:
        """The job with the earliest likely start, among others that start before it in few cases only.

        Its "9 in 10 by" comes no later than the "1 in 10 before" of any other. UnanswerableError if the odds
        are less clear, if this pass starts it, or if there are none.
        """
        starts = odds_of(scene, question)
        first = min(starts, key=lambda row: _or_never(starts[row].likely))
        late = _or_never(starts[first].late)
        others = [row for row in starts if row != first and _or_never(starts[row].early) >= late]
        settled = scene.now < late < FOREVER and len(others) == len(starts) - 1
        if len(others) < CHOICES - 1 or not settled:
            raise unanswerable(scene, question, "the odds do not settle which job starts first")
        size, queue = scene.case.columns.size, scene.before.waiting()
        codes = {min(others, key=size.__getitem__): "smallest_by_odds", queue[0]: "head_by_odds"}
        wrong = {
            scene.id(row): Mistaken(codes.get(row, "later_by_odds"), scene.id(row), starts[row].early)
            for row in sorted(others, key=lambda row: (row not in codes, _or_never(starts[row].likely)))
        }
        parts = {scene.id(row): _spread(scene, row, likely)[0] for row, likely in starts.items()}
        right = scene.id(first)
        because = (*scene.waits(right), *_spread(scene, first, starts[first]))
        return answered(question, scene.now, (right,), among([right], wrong), because, parts)


class Recorded(OnMachine):
    """How many of ten earlier forecasts held, or had started by an instant that they named."""

    expected = "a number of ten"

    def at(self, scene: Scene, question: Question) -> Answer:
        """The number of ten. UnanswerableError if no forecast is settled."""
        seen = list(earlier(scene))
        if not seen:
            raise unanswerable(scene, question, "no earlier forecast is settled")
        holds = _limits(scene, seen) if question.odds == "limits" else RECORDED[question.odds]
        count = sum(map(holds, seen))
        exact = TENTHS * count / len(seen)
        right = round(exact)
        wrong: dict[Value, Mistaken] = {}
        for number, code in ((TENTHS, "never_certain"), (TENTHS - right, "counted_others")):
            wrong.setdefault(number, Mistaken(code))
        if question.odds != "likely":
            wrong.setdefault(TENTHS // 2, Mistaken("half_is_likely"))
        wrong.setdefault(0, Mistaken("some_did"))
        wrong.setdefault(right - 2 if right > 1 else right + 2, Mistaken("counted_wrong"))
        wrong = {number: it for number, it in wrong.items() if abs(number - exact) >= 1}  # type: ignore[operator]
        because = Read(
            "odds_record", {"odds": question.odds, "count": count, "of": len(seen), "tenths": right}
        )
        return answered(question, scene.now, (right,), among([right], wrong), (because,))

    def parse(self, case: Case, answer: Answer, word: str) -> Value:
        return typed_number(word)


class AsForecast(OnMachine):
    """Where the start of a job lies among the starts that were forecast when it came."""

    def at(self, scene: Scene, question: Question) -> Answer:
        """One of `PLACES`. UnanswerableError if it has not started, or nothing was forecast."""
        index, job = asked_job(scene, question)
        start = scene.before.start_of(index)
        there = Session(scene.case)
        there.go_time(scene.case.columns.submit[index])
        made = odds_of(Scene(there, there.time), question).get(index)
        if start is None or made is None:
            raise unanswerable(scene, question, f"job {job} has not started, or did not wait")
        right = PLACES[sum(at is not None and start > at for at in (made.early, made.likely, made.late))]
        place = PLACES.index(right)
        wrong = {
            other: Mistaken("came_later" if at < place else "came_earlier", job, start)
            for at, other in enumerate(PLACES)
        }
        numbers = {**_numbers("", made), "instant": there.time, "start": start}
        because = (Read("odds_came", numbers, job), Read(f"odds_{right}", {}, job))
        return answered(question, scene.now, (right,), among([right], wrong, rank=PLACES.index), because)


class Requested(OnMachine):
    """What a user may ask for instead so that a job that has just come is likely to start earliest."""

    quoted = True
    expected = "one of the requests"
    read_in = "notes"

    def at(self, scene: Scene, question: Question) -> Answer:
        """The requests with the earliest likely start. UnanswerableError if none starts it sooner."""
        index, job = asked_job(scene, question)
        if scene.case.columns.submit[index] != scene.now or not scene.before.pending:
            raise unanswerable(scene, question, f"job {job} is not submitted at that instant")
        facts = {
            do: Read("odds_request", _numbers(do, self._odds(scene, question, index, do)), job)
            for do in ("", *question.among)
        }
        likely = {do: int(fact.numbers["likely"]) for do, fact in facts.items()}
        first = min(likely.values())
        if likely[""] == first:
            raise unanswerable(scene, question, f"none of these requests starts job {job} sooner")
        right = tuple(do for do in question.among if likely[do] == first)
        wrong = {
            do: Mistaken("no_sooner_by_odds" if likely[do] >= likely[""] else "less_by_odds", job)
            for do in question.among
        }
        columns, free = scene.case.columns, scene.before.free
        room = {"free": free, "size": columns.size[index], "length": columns.estimate[index]}
        because = (
            Read("odds_room", room, job), *scene.waits(job), facts[""], *(facts[do] for do in right),
        )  # fmt: skip
        return answered(question, scene.now, right, among(right, wrong), because, facts)

    def reveals(self, part: Because, later: Answer, same: bool) -> bool:
        """Whether a part says what one of the requests does."""
        asked = isinstance(part, Read) and part.code == "odds_request" and part.job == later.question.job
        return same and asked and part.numbers["do"] in later.offered  # type: ignore[union-attr]

    @staticmethod
    def _odds(scene: Scene, question: Question, index: int, do: str) -> LikelyStart:
        try:
            session = Session(requesting(scene.case, index, do) if do else scene.case)
        except ValueError as error:
            raise unanswerable(scene, question, str(error)) from None
        session.go_event(scene.before.event)
        return odds_of(Scene(session, question.at), question)[index]


def requesting(case: Case, index: int, text: str) -> Case:
    """Return the case in which a job, by index, asks for something else: `limit=1h`, `size=8`.

    ValueError in one line if the text is no request.
    """
    name, _, value = text.partition("=")
    if name not in ("limit", "size"):
        raise ValueError(f"{text!r} is no request; expected limit=1h or size=8")
    asked = parse_time(value) if name == "limit" else typed_number(value)
    if not 1 <= asked <= (case.nodes if name == "size" else 1 << 40):
        raise ValueError(f"{text!r} cannot be asked for; the machine has {case.nodes:,} nodes")
    workload = case.columns
    if name == "size":
        workload = attrs.evolve(workload, size=_with(workload.size, index, asked))
    else:
        runtime = _with(workload.runtime, index, min(workload.runtime[index], asked))
        workload = attrs.evolve(workload, estimate=_with(workload.estimate, index, asked), runtime=runtime)
    scenario = attrs.evolve(case.scenario, workload=workload)
    return attrs.evolve(case, scenario=scenario, jobs=table_of(scenario))


def _with(column: "array[int]", index: int, value: int) -> "array[int]":
    changed = array(column.typecode, column)
    changed[index] = value
    return changed


def odds_of(scene: Scene, question: Question) -> Mapping[int, LikelyStart]:
    """Return the likely start of each job of the queue, by index. UnanswerableError if there are none."""
    work = scene.session.forecasts.start_likely()
    work.run()
    if work.answer is None or not work.answer.starts:
        why = f"no job waits, or fewer than {ENDED} jobs have ended: there are no odds"
        raise unanswerable(scene, question, why)
    return work.answer.starts


def earlier(scene: Scene) -> Iterator[Came]:
    """Yield the forecasts of earlier moments whose jobs have started by now, the oldest first."""
    run, here = scene.session.run, scene.before
    past = run.likely.past(Scout(here.fork()), run.trajectory.tape.marks(), here, bool)
    return came(past, here)


RECORDED: Mapping[str, Callable[[Came], bool]] = {
    "held": lambda it: it.early <= it.start <= it.late,
    "early": lambda it: it.start <= it.early,
    "likely": lambda it: it.start <= it.likely,
    "late": lambda it: it.start <= it.late,
}


def _limits(scene: Scene, seen: list[Came]) -> Callable[[Came], bool]:
    """Whether a job had started by the start that was expected at the limits."""
    simulation, expected = scene.case.simulation(), dict[tuple[int, int], int]()
    for instant in sorted({it.instant for it in seen}):
        simulation.run(until=instant)
        forecast = simulation.forecast()
        forecast.run()
        expected |= {(instant, row): start for row, start in forecast.starts().items()}
    return lambda it: it.start <= expected.get((it.instant, it.job), it.start)


def _or_never(at: int | None) -> int:
    return FOREVER if at is None else at


def _width(likely: LikelyStart) -> float:
    if likely.early is None or likely.late is None:
        return float("inf")
    return likely.late - likely.early


def _numbers(do: str, likely: LikelyStart) -> dict[str, int | str]:
    found = {name: at if (at := getattr(likely, name)) is not None else FOREVER for name in ODDS}
    return {"do": do, **found}


def _spread(scene: Scene, index: int, likely: LikelyStart) -> tuple[Read, ...]:
    """The odds of a job, and its start at the limits."""
    expected = scene.prediction(index)
    numbers = _numbers("", likely)
    if likely.early is not None and likely.late is not None:
        numbers["length"] = likely.late - likely.early
    found = [Read("odds_start" if "length" in numbers else "odds_open", numbers, scene.id(index))]
    if expected is not None:
        found.append(Read("odds_limits", {"start": expected.time}, scene.id(index)))
    return tuple(found)


def _ahead(scene: Scene, jobs: tuple[int, ...]) -> tuple[Read, ...]:
    """How many ends nobody knows before the first of some jobs can start."""
    queue, runs = scene.ids(scene.before.waiting()), len(scene.before.running())
    return (Read("odds_ahead", {"runs": runs, "waits": queue.index(jobs[0])}, jobs[0]),)


def _habits(scene: Scene) -> tuple[Read, ...]:
    """What the users of the running jobs have made of their limits so far."""
    columns, found = scene.case.columns, []
    results = scene.before.results("start", "finish")
    shares: dict[str, list[int]] = {}
    for row, (start, finish) in enumerate(zip(results["start"], results["finish"], strict=True)):
        if start >= 0 and 0 <= finish <= scene.now:
            shares.setdefault(columns.user[row], []).append(100 * (finish - start) // columns.estimate[row])
    for user in sorted({columns.user[row] for row in scene.before.running()}):
        known = shares.get(user, [])
        if known:
            half = median_low(known)
            numbers: dict[str, int | str] = {"user": user, "jobs": len(known), "least": min(known)}
            found.append(Read("odds_habit", {**numbers, "half": half, "most": max(known)}))
    return tuple(sorted(found, key=lambda it: -int(it.numbers["jobs"]))[:USERS])
