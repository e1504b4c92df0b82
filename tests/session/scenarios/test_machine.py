"""Whatever an operator does in whatever order, the session shows what a straight run shows at that event."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from shadowtime.console.session.jobs.predictions import PredictionWork
from shadowtime.console.session.session import Session
from shadowtime.console.session.travel import trajectory as course
from tests.oracles.jobs import Workload, workloads
from tests.session.build import FIRST_ID, POLICIES, case_of, seen, straight

counts = st.integers(0, 40)
shares = st.floats(0, 1)


class Operator(RuleBasedStateMachine):
    """Moves, looks and predicts; the model is the list of what a straight run shows after each event."""

    @initialize(
        workload=workloads(10), policy=st.sampled_from(list(POLICIES)), gap=st.sampled_from([0.0, 1e-3])
    )
    def open(self, workload: Workload, policy: str, gap: float) -> None:
        self.gap, course.GAP = course.GAP, gap
        case = case_of(workload, policy)
        self.moments = straight(case)
        self.jobs = workload.jobs
        self.session = Session(case)
        self.number = 0
        self.works: list[PredictionWork] = []

    def teardown(self) -> None:
        if hasattr(self, "gap"):
            course.GAP = self.gap

    @property
    def end(self) -> int:
        return len(self.moments) - 1

    @rule(count=counts)
    def step(self, count: int) -> None:
        assert self.session.step(count) == min(count, self.end - self.number)
        self.number = min(self.number + count, self.end)

    @rule(count=counts)
    def back(self, count: int) -> None:
        assert self.session.back(count) == min(count, self.number)
        self.number = max(self.number - count, 0)

    @rule(share=shares)
    def go_event(self, share: float) -> None:
        self.number = round(share * self.end)
        self.session.go_event(self.number)

    @rule(share=shares)
    def go_fraction(self, share: float) -> None:
        self.number = round(share * self.end)
        self.session.travel.go_fraction(share)

    @rule(share=shares)
    def go_time(self, share: float) -> None:
        first, last = self.moments[0].time, self.moments[-1].time
        time = first - 1 + round(share * (last - first + 2))
        self.session.go_time(time)
        self.number = max(n for n, moment in enumerate(self.moments) if n == 0 or moment.time <= time)

    @rule(share=shares, moment=st.sampled_from(["submit", "start", "end"]))
    def go_job(self, share: float, moment: str) -> None:
        row = round(share * (len(self.jobs) - 1))
        self.session.travel.go_job(FIRST_ID + row, moment)
        self.number = next(
            n for n, seen in enumerate(self.moments) if happened(seen.results, seen.last, row, moment)
        )

    @rule()
    def go_end(self) -> None:
        self.session.go_end()
        self.number = self.end
        assert self.session.over
        assert self.session.total == self.end

    @rule()
    def next_decision(self) -> None:
        later = [n for n, moment in enumerate(self.moments) if moment.acted and n > self.number]
        assert self.session.next_decision() is bool(later)
        self.number = later[0] if later else self.number

    @rule()
    def previous_decision(self) -> None:
        earlier = [n for n, moment in enumerate(self.moments) if moment.acted and n < self.number]
        assert self.session.previous_decision() is bool(earlier)
        self.number = earlier[-1] if earlier else self.number

    @rule()
    def predict(self) -> None:
        self.session.predict()
        for row in self.session.rows(self.session.order(), 0, 100):
            waits = row.state == "N"
            assert (row.predicted is not None) is waits
            assert row.predicted is None or row.predicted.event == self.number
            assert (row.reason is not None) is waits

    @rule()
    def start_prediction(self) -> None:
        self.works.append(self.session.forecasts.start())

    @precondition(lambda self: self.works)
    @rule()
    def take_prediction(self) -> None:
        work = self.works.pop()
        work.run()
        assert self.session.forecasts.take(work) is (work.event == self.number)

    @rule(first=st.integers(-3, 60), count=st.integers(0, 70))
    def events(self, first: int, count: int) -> None:
        numbers = [event.number for event in self.session.events(first, count)]
        assert numbers == [n for n in range(max(first, 1), first + count) if n <= self.end]

    @rule(chunk=st.integers(1, 50), rounds=st.integers(1, 4))
    def survey(self, chunk: int, rounds: int) -> None:
        survey = self.session.survey()
        for _ in range(rounds):
            more = survey.run(chunk)
            assert self.session.take_survey(survey) >= (not more)

    @rule()
    def history(self) -> None:
        for index in self.session.order()[:2]:
            assert all(
                made.event <= self.number
                for made in self.session.forecasts.life_of(self.session.id_of(index)).run()
            )

    @invariant()
    def shows_what_a_straight_run_shows(self) -> None:
        if hasattr(self, "moments"):
            assert self.session.number == self.number
            assert seen(self.session) == self.moments[self.number]


def happened(results: object, last: tuple[int, str, int] | None, row: int, moment: str) -> bool:
    """Whether a moment of a job has come at the first event that shows it."""
    assert isinstance(results, dict)
    if moment == "submit":
        return last is not None and last[1:] == ("submit", row)
    return bool(results["start" if moment == "start" else "finish"][row] != -1)


TestOperator = Operator.TestCase
TestOperator.settings = settings(max_examples=30, stateful_step_count=40)
