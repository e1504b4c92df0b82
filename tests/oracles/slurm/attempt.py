"""What becomes of one entry of the queue in a cycle (section 4)."""

from typing import NamedTuple

from shadowtime.scenarios.slurm import Request
from tests.oracles.slurm.access.limits import (
    count_reached,
    most_nodes,
    over_limit,
    preferred,
    too_wide,
    weighed,
)
from tests.oracles.slurm.blocked import allowed, next_end
from tests.oracles.slurm.constraints.counted import busy, by_terms
from tests.oracles.slurm.constraints.features import alternatives, large_enough, matching, terms
from tests.oracles.slurm.devices import pick_devices
from tests.oracles.slurm.entry import Cycle, minutes, wish
from tests.oracles.slurm.holding import Running, Use, licenses_of
from tests.oracles.slurm.preemption import preempt, preemptable
from tests.oracles.slurm.profile import Span
from tests.oracles.slurm.queue import Entry
from tests.oracles.slurm.room import Wish
from tests.oracles.slurm.will_run import Question, Start, place, place_shared, will_run


class Outcome:
    """The words for what becomes of an entry."""

    PLANNED = "planned"
    STARTED = "started"
    BEYOND = "beyond window"
    SKIPPED = "skipped"


class Attempt(NamedTuple):
    """What became of an entry; times in seconds, nodes by index."""

    outcome: str
    start: int | None = None
    end: int | None = None
    nodes: frozenset[int] = frozenset()
    note: str = ""


NEVER = Attempt(Outcome.SKIPPED, note="cannot be scheduled")


def attempt(cycle: Cycle, entry: Entry) -> Attempt:
    """Try an entry again and again until it has a place, or none."""
    trying = Trying(cycle, entry)
    result = trying.result()
    if trying.component and trying.counted is None:
        cycle.together.failed.add(entry.job.het_job)
    if result.start is not None:
        cycle.reserved_jobs.add(entry.job.id)
    return result


class Trying:
    """The tries of one entry."""

    def __init__(self, cycle: Cycle, entry: Entry) -> None:
        self.cycle, self.entry = cycle, entry
        asked = wish(cycle, entry)
        most = max(asked.least, min(asked.most, most_nodes(cycle, entry)))
        self.wish: Wish = asked._replace(most=most, wanted=min(asked.wanted, most))
        self.counted: int | None = None
        """Of a component: the earliest start that a try found (22.05), or the planned one."""
        self.whole, planned = minutes(entry)
        self.limit = 60 * planned
        self.licenses = licenses_of(entry.job) if cycle.limits.licenses else {}
        self.later: int | None = cycle.now
        self.component = bool(entry.job.het_job)
        if self.component:
            self.later = cycle.together.first_try(entry, cycle.now)

    def result(self) -> Attempt:
        """What becomes of the entry."""
        if too_wide(self.cycle, self.entry):
            return Attempt(Outcome.SKIPPED, note="accounting limit")
        if self.now_only():
            return self.for_now()
        while self.later is not None:
            found = self.one_try(self.later)
            if found is not None:
                return found
        return NEVER

    def now_only(self) -> bool:
        """Whether only a start now is sought."""
        limits, entry = self.cycle.limits, self.entry
        if limits.one_resv_per_job and entry.job.id in self.cycle.reserved_jobs:
            return True
        if limits.min_prio_reserve and entry.priority < limits.min_prio_reserve:
            return True
        return bool(limits.min_age_reserve and self.cycle.now - entry.job.eligible < limits.min_age_reserve)

    def for_now(self) -> Attempt:
        """A start now, or none."""
        best = self.first_choice(frozenset())
        return NEVER if best is None or not self.entry.may_start else self.now_or_planned(best)

    def first_choice(self, closed: frozenset[int]) -> Start | None:
        """A start now beside all running jobs, on nodes that are not closed."""
        cycle = self.cycle
        may = allowed(cycle, self.entry, cycle.now, self.limit)
        if may.nodes is None or may.start > cycle.now:
            return None
        nodes, _, fits = self.free_nodes(may.nodes - closed, cycle.now)
        if not fits:
            return None
        if terms(self.wish.request):
            counted = by_terms(cycle, self.wish, nodes, self.beside_all)
            return counted if counted is not None and counted.starts else None
        best = self.immediate(nodes)
        for question in self.questions(nodes) if best is None else ():
            found = self.sharing(question)
            if found is not None:
                return Start(cycle.now, found)
        return best

    def immediate(self, nodes: frozenset[int]) -> Start | None:
        """A start now beside all running jobs; nodes that the job prefers go before others (section 10)."""
        cycle = self.cycle
        first = preferred(cycle, self.entry) if self.entry.may_start else frozenset()
        for question in self.questions(nodes):
            here = weighed(cycle, first, question.available)
            found = place(question._replace(here=here), cycle.running)
            if found is not None:
                return Start(cycle.now, found)
        return None

    def beside_all(self, question: Question) -> Start | None:
        """A start now beside all running jobs."""
        found = place(question, self.cycle.running)
        return None if found is None else Start(self.cycle.now, found)

    def sharing(self, question: Question) -> dict[int, int] | None:
        """Nodes for now beside jobs with which the job takes turns (`OverSubscribe=FORCE:n`)."""
        partition, exclusive = self.entry.partition, self.wish.exclusive
        if exclusive or not partition.forced or partition.shares < 2:
            return None
        return place_shared(question, self.cycle.running, partition.name, partition.shares)

    def preempting(self, nodes: frozenset[int]) -> tuple[Start, list[Running]] | None:
        """A start now on these nodes for which others are preempted, and who is requeued or cancelled."""
        cycle, capture = self.cycle, self.cycle.capture
        candidates = self.may_be_preempted()
        for question in self.questions(nodes) if candidates else ():
            found = preempt(question, capture, cycle.running, candidates)
            if found is not None:
                return Start(cycle.now, found[0]), found[1]
        return None

    def preempting_now(self, closed: frozenset[int]) -> tuple[Start, list[Running]] | None:
        """The same for the main pass, on nodes that are not closed."""
        may = allowed(self.cycle, self.entry, self.cycle.now, self.limit)
        if may.nodes is None or may.start > self.cycle.now:
            return None
        nodes, _, fits = self.free_nodes(may.nodes - closed, self.cycle.now)
        return self.preempting(nodes) if fits else None

    def one_try(self, start: int) -> Attempt | None:
        """One try; None: `later` says whether there is another."""
        cycle = self.cycle
        self.later = None
        may = allowed(cycle, self.entry, start, self.limit)
        if may.nodes is None:
            return Attempt(Outcome.SKIPPED, note="reservation defer")
        start = may.start
        if cycle.window_end < start:
            return Attempt(Outcome.SKIPPED, note="earliest try after the window")
        nodes, self.later, fits = self.free_nodes(may.nodes, start)
        after = next_end(cycle, start) if may.in_way else None
        if after is not None and after < min(self.later or after + 1, cycle.window_end):
            self.later = after
        if not fits:
            return None
        best = self.best_start(nodes, start, self.later)
        if start <= cycle.now and (best is None or best.at > cycle.now or best.overdue):
            shared = [found for question in self.questions(nodes) if (found := self.sharing(question))]
            preempting = (Start(cycle.now, shared[0]), []) if shared else self.preempting(nodes)
            if preempting is not None:
                best, victims = preempting
                cycle.preempted += victims
                for job in victims:
                    cycle.running[cycle.running.index(job)] = job._replace(
                        end=cycle.now, leaves=cycle.now + 1
                    )
                self.later = None
                return self.planned(cycle.now, best) if victims else self.now_or_planned(best)
        if best is None:
            return None
        at = max(best.at, start)
        old = cycle.version == "22.05"
        if old:
            self.counted = at if self.counted is None else min(at, self.counted)
            if self.component:
                cycle.together.found(self.entry, self.counted)
        if not old and at > cycle.now and self.overlaps(at, best):
            self.later = at + (cycle.limits.resolution if start == at else 0)
            return None
        if at <= cycle.now and not best.overdue:
            if not self.entry.may_start or terms(self.wish.request):
                return self.now_or_planned(best)
            again = self.immediate(nodes)
            return self.now_or_planned(again) if again else self.planned(at, best)
        if not best.overdue and self.later is not None and at > self.later:
            return None
        if old and at > cycle.now and self.overlaps(at, best):
            self.later = at + (cycle.limits.resolution if start == at else 0)
            return None
        self.later = None
        return self.planned(at, best)

    def free_nodes(self, nodes: frozenset[int], start: int) -> tuple[frozenset[int], int | None, bool]:
        """The nodes nobody has reserved, the end of the record to try next, and whether licences suffice."""
        cycle, entry = self.cycle, self.entry
        excluded = frozenset(
            cycle.here.places[name] for name in entry.job.request.excluded_nodes if name in cycle.here.places
        )
        nodes &= cycle.partition_nodes[entry.partition.name] & cycle.here.up
        nodes -= excluded
        opens = closed_until(cycle, self.wish, start)
        others = nodes & opens.keys()
        nodes -= others
        end = self.limit + max(start, cycle.now)
        spans, free, later, fits = cycle.spans, nodes, None, True
        for index, span in enumerate(spans):
            if span.end <= start:
                continue
            after = spans[index + 1] if index + 1 < len(spans) else None
            if span.begin <= end and self.lacks_licenses(span):
                fits = False
                later = span.end if later is None else later
                if cycle.version == "26.05":
                    break
            if after is not None and later is None and not nodes & after.free <= free & span.free:
                later = span.end
            if span.begin <= end:
                free &= span.free
                continue
            if later is None and after is not None and index + 2 < len(spans) and cycle.version != "22.05":
                later = after.end
            break
        if others and cycle.version != "22.05" and (later is None or len(nodes) < self.wish.least):
            later = min(opens[node] for node in others)
        return free, later, fits

    def lacks_licenses(self, span: Span) -> bool:
        """Whether a record has too few licences."""
        free = dict(span.licenses)
        return any(free.get(name, 0) < count for name, count in self.licenses.items())

    def questions(self, nodes: frozenset[int]) -> list[Question]:
        """One question for each alternative of the constraint that leaves enough nodes."""
        cycle, found = self.cycle, []
        if terms(self.wish.request) or not cycle.here.places.keys() >= set(self.wish.request.required_nodes):
            return []
        required = {cycle.here.places[name] for name in self.wish.request.required_nodes}
        for text in alternatives(self.wish.request.features):
            having = large_enough(cycle.here, matching(cycle.here, nodes, text), self.wish.request)
            if required <= having and len(having) >= self.wish.least:
                linear = cycle.limits.window_linear
                found.append(Question(cycle.here, self.wish, having, cycle.now, linear, busy(cycle)))
        return found

    def best_start(self, nodes: frozenset[int], start: int, later: int | None) -> Start | None:
        """The earliest start over the alternatives of the constraint, ties to the first."""
        best = None
        if terms(self.wish.request):
            return by_terms(
                self.cycle, self.wish, nodes, lambda each: will_run(each, self.cycle.running, start, later)
            )
        away = self.may_be_preempted()
        for question in self.questions(nodes):
            found = will_run(question, self.cycle.running, start, later, away)
            if found is not None and (best is None or found.at < best.at):
                best = found
        return best

    def may_be_preempted(self) -> list[Running]:
        """The running jobs that the entry may preempt, without those that the cycle has preempted."""
        cycle = self.cycle
        if cycle.capture.settings.preempt in ("", "preempt/none"):
            return []
        found = preemptable(cycle.capture, self.entry, cycle.running, cycle.now)
        return [job for job in found if job.id not in {each.id for each in cycle.preempted}]

    def overlaps(self, at: int, best: Start) -> bool:
        """Whether a record in the time of the run lacks one of the nodes, or licences."""
        cycle = self.cycle
        begin, end = cycle.floor(at), self.end_of(at)
        return any(
            span.begin < end
            and span.end > begin
            and (not best.nodes.keys() <= span.free or self.lacks_licenses(span))
            for span in cycle.spans
        )

    def end_of(self, at: int) -> int:
        """The end of the reservation of a run."""
        end = at + self.limit
        return self.cycle.floor(end) if self.cycle.version == "22.05" else self.cycle.ceil(end)

    def now_or_planned(self, best: Start) -> Attempt:
        """Start the job, or plan it at now if it may not start."""
        self.later = None
        if not self.entry.may_start or not best.starts:
            return self.planned(self.cycle.now, best)
        nodes = frozenset(best.nodes)
        if count_reached(self.cycle, self.entry) or over_limit(self.cycle, self.entry, nodes):
            return Attempt(Outcome.SKIPPED, note="accounting limit")
        return self.start_now(best)

    def start_now(self, best: Start) -> Attempt:
        """Start the job, now."""
        cycle, job = self.cycle, self.entry.job
        seconds = self.limit_started(best)
        uses = {}
        for node, cpus in trimmed(best.nodes, job.request, self.wish.exclusive).items():
            held = [each.nodes[node] for each in cycle.running if node in each.nodes]
            uses[node] = self.use(node, cpus, held)
        cycle.running.append(
            Running(
                job.id, cycle.now + seconds, cycle.now + seconds, uses, self.wish.exclusive, job.user,
                job.qos, licenses_of(job), self.entry.partition.name, cycle.take_place(job.id),
                self.wish.by_user,
            )
        )  # fmt: skip
        if self.wish.exclusive or self.licenses:
            nodes = frozenset(best.nodes) if self.wish.exclusive else frozenset()
            end = cycle.now + seconds
            rounded = cycle.floor(end) if cycle.version == "22.05" else cycle.ceil(end)
            cycle.reserve(cycle.spans[0].begin, rounded, nodes, self.licenses)
        return Attempt(Outcome.STARTED, cycle.now, None, frozenset(best.nodes))

    def use(self, node: int, cpus: int, held: list[Use]) -> Use:
        """What the job holds of a node once it has started."""
        here, request = self.cycle.here, self.wish.request
        threads = here.threads[node]
        cpus = -(-cpus // threads) * threads
        if self.wish.exclusive:
            cpus = here.cpus[node]
        memory = here.memory[node]
        if request.memory_per_node:
            memory = request.memory_per_node
        elif request.memory_per_cpu:
            memory = request.memory_per_cpu * cpus
        free = dict(here.devices[node])
        for each in held:
            for kind, count in each.devices.items():
                free[kind] = free.get(kind, 0) - count
        return Use(cpus, memory, pick_devices(free, self.wish.devices))

    def limit_started(self, best: Start) -> int:
        """The limit, in seconds, that a job starts with."""
        cycle, job = self.cycle, self.entry.job
        if job.deadline and job.least_limit:
            return 60 * max(job.least_limit, min(self.whole, (job.deadline - cycle.now) // 60))
        if cycle.version != "26.05" or 60 * self.whole == self.limit:
            return self.limit
        minutes = self.whole
        for span in cycle.spans:
            if cycle.now < span.begin < cycle.now + 60 * minutes and not best.nodes.keys() <= span.free:
                minutes = min(minutes, (span.begin - cycle.now) // 60)
        return max(60 * minutes, self.limit)

    def planned(self, at: int, best: Start) -> Attempt:
        """Reserve the place of the job."""
        cycle = self.cycle
        nodes = frozenset(best.nodes)
        if self.component:
            old = cycle.version == "22.05"
            if not old:
                self.counted = at
                cycle.together.found(self.entry, at)
            if cycle.together.deadlock(self.entry, old):
                return Attempt(Outcome.SKIPPED, note="hetjob deadlock")
        if at > cycle.now + 60 * cycle.limits.window:
            return Attempt(Outcome.BEYOND, at, at + self.limit, nodes)
        failed = best.overdue and at <= cycle.now and self.entry.may_start > 0
        if over_limit(cycle, self.entry, nodes, added=failed or cycle.version == "22.05"):
            return Attempt(Outcome.SKIPPED, note="accounting limit")
        end = self.end_of(at)
        if cycle.records >= (cycle.limits.node_space_size or cycle.limits.max_job_test):
            cycle.full = True
        else:
            cycle.reserve(cycle.floor(at), end, nodes, self.licenses)
        if self.component and at <= cycle.now:
            planned = cycle.together.now.setdefault(self.entry.job.het_job, [])
            if all(entry.job.id != self.entry.job.id for entry, _, _ in planned):
                planned.append((self.entry, self, best))
        return Attempt(Outcome.PLANNED, at, end, nodes)


def closed_until(cycle: Cycle, wish: Wish, start: int) -> dict[int, int]:
    """The nodes that other users close to a job, and when they open (section 21)."""
    closed, opens = set[int](), dict[int, int]()
    for job in cycle.running:
        opens |= {node: max(job.end, opens.get(node, 0)) for node in job.nodes}
        if job.user != wish.user and (job.by_user or wish.by_user):
            closed |= job.nodes.keys()
    return {node: opens[node] for node in closed if cycle.version == "22.05" or opens[node] > start}


def trimmed(given: dict[int, int], request: Request, exclusive: bool) -> dict[int, int]:
    """What is more than a job asks for is taken from its first nodes, down to the least that a node gives."""
    more = 0 if exclusive else sum(given.values()) - request.cpus
    found = {}
    for node, cpus in given.items():
        cut = max(0, min(more, cpus - max(1, request.least_cpus_per_node)))
        found[node] = cpus - cut
        more -= cut
    return found
