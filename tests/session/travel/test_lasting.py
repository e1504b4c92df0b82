"""Runs of millions of events: what is kept along the way has a bound, and says what a short run says."""

import sys
from pathlib import Path
from threading import Thread

import attrs
import pytest

from shadowtime.console.session.case import base_case
from shadowtime.console.session.files.replay import Replay
from shadowtime.console.session.session import Session
from shadowtime.console.session.travel import trend
from shadowtime.console.session.travel.trend import MOST, Trend, sample_of
from shadowtime.scenarios import Job, Machine, PolicyChoice, Scenario, Workload
from tests.peak import used

DAY = 86400
SETTINGS: dict[str, tuple[str, dict[str, object], int]] = {
    "gang": ("gang", {}, 12_614_403),
    "gang-second": ("gang", {"quantum": 1}, 126_144_003),
    "wbas": ("wbas", {"frame": 4}, 15_768_007),
    "pbas": ("pbas", {"frame": 4}, 15_768_008),
    "prime": ("prime", {"shift": 4}, 15_768_008),
}
"""Policy, parameters, and the events of two jobs that need the whole machine for a year each."""
SLOW = ("gang-second", "wbas", "pbas", "prime")
"""They have ten times as many events, or no turns to skip: a run takes seconds. A screen runs them, too."""
BY_SETTING = pytest.mark.parametrize(
    "setting", [pytest.param(name, marks=pytest.mark.proof) if name in SLOW else name for name in SETTINGS]
)
MEGABYTES = 150
"""The most memory that a process may have had."""


def session_of(days: int = 365, policy: str = "gang", **parameters: object) -> Session:
    """Two jobs that both need all of ten nodes, and last so many days."""
    jobs = [Job(id=k + 1, size=10, submit=0, runtime=days * DAY, estimate=days * DAY) for k in range(2)]
    choice = PolicyChoice(policy, parameters)
    return Session(base_case(Scenario("a test", Machine(10), choice, Workload.of(jobs), Path("test.toml"))))


def scenario(path: Path, setting: str) -> Path:
    """The file of the same."""
    policy, parameters, _ = SETTINGS[setting]
    given = "".join(f", {key} = {value}" for key, value in parameters.items())
    job = '{{ id = {}, size = 10, submit = 0, runtime = "365d" }}'
    path.write_text(
        f'title = "a test"\nmachine = {{ nodes = 10 }}\npolicy = {{ name = "{policy}"{given} }}\n'
        f"job = [{job.format(1)}, {job.format(2)}]\n"
    )
    return path


def measured(program: str, *arguments: object) -> tuple[str, float]:
    """What a program in a process of its own prints, and the megabytes that it had at most."""
    # Without a bound a run ends at this one, and takes no machine down.
    found = used(program, *arguments, limit=1 << 30)
    assert found.code == 0, found.err[-500:]
    return found.out, found.megabytes


def test_a_long_run_takes_little_memory_on_the_command_line(tmp_path: Path) -> None:
    """With everything that it prints and writes of the jobs."""
    program = "import sys; from shadowtime.console.main import run; assert run(sys.argv[1:]) == 0"
    table, path = tmp_path / "schedule.csv", scenario(tmp_path / "long.toml", "gang")
    out, peak = measured(program, "run", path, "--json", "--jobs", "--schedule", table)
    assert f'"events": {SETTINGS["gang"][2]}' in out
    assert peak < MEGABYTES
    assert [line.rsplit(",", 1)[1] for line in table.read_text().splitlines()[1:]] == ["0-9"] * 2


@BY_SETTING
def test_a_long_run_takes_little_memory_with_all_that_a_screen_asks_for(tmp_path: Path, setting: str) -> None:
    """There and back, on by itself, with the past drawn and a second lane beside it."""
    program = """
import sys
from shadowtime.console.session import load, open_session
from shadowtime.console.session.comparison.lockstep import Lockstep
from shadowtime.console.session.jobs.bars import Bars, Viewport
from shadowtime.console.session.jobs.users import UsageWork
from shadowtime.console.session.nodes.course import NodeWork
case = load(sys.argv[1])
session = open_session(case)
survey = session.survey()
while survey.run():
    session.take_survey(survey)
session.take_survey(survey)
session.go_end()
print(session.number)
session.go_start()
session.go("50%")
session.back()
session.previous_decision()
session.next_decision()
session.step(64)
session.snapshot(), session.trend(), session.travel.timeline(), session.predict()
session.events(session.number, 64)
NodeWork(session.run, 0).run()
UsageWork(session.run).run()
bars = Bars(session)
bars.look()
window = Viewport(0, 1, 10, 0, bars.last // 100 + 1, 100)
while (work := bars.work(window)) is not None:
    while work.run():
        bars.take(work, window)
    bars.take(work, window)
bars.lanes(window)
lanes = Lockstep([open_session(case), open_session(case.under("gang"))])
courses = lanes.courses()
while courses.run():
    courses.take()
courses.take()
lanes.learn(courses.partings())
lanes.go_time(session.time)
lanes.back()
"""
    out, peak = measured(program, scenario(tmp_path / "long.toml", setting))
    assert int(out) == SETTINGS[setting][2]
    assert peak < MEGABYTES


def test_samples_are_at_even_distances_that_double_with_the_way() -> None:
    """Up to any event there are between half of `MOST` and all of it, if there are so many events."""
    session = session_of(20)
    session.go_end()
    total, course = session.number, session.run.trajectory.trend
    assert total > 64 * MOST
    assert len(course.after(0)) <= MOST + MOST // 2 * (total // MOST).bit_length()
    for event in (1, MOST - 1, MOST, MOST + 1, 2 * MOST, 2 * MOST + 1, 5 * MOST, total // 3, total):
        numbers = [sample.number for sample in course.until(event)]
        stride = numbers[0]
        assert numbers == list(range(stride, event + 1, stride)) and event // stride == len(numbers)
        assert len(numbers) <= MOST and (stride == 1 or len(numbers) >= MOST // 2)
    assert course.all() == course.until(course.end)
    assert [sample.number for sample in course.after(0)][:2] == [1, 2] and not course.after(course.end)


def test_a_trend_does_not_depend_on_what_is_known_beyond_it() -> None:
    """Going on, coming back, and leaving the course for another one show what was there before."""
    session, fresh = session_of(20), session_of(20)
    for one in (session, fresh):
        one.go_event(3 * MOST + 17)
    before = session.trend()
    session.go_end()
    session.go_event(3 * MOST + 17)
    assert session.trend() == before == fresh.trend()
    for one in (session, fresh):
        one.act("drain 9")
        one.go_end()
    assert session.travel.timeline() == fresh.travel.timeline() and session.digest() == fresh.digest()


def test_every_sample_is_that_of_its_event_where_turns_are_skipped() -> None:
    session = session_of(20)
    session.go_end()
    samples = session.run.trajectory.trend.after(0)
    simulation = session.case.simulation()
    for sample in samples[::97]:
        simulation.run(events=sample.number - simulation.event)
        assert sample_of(simulation) == sample


def test_the_distances_begin_with_that_of_the_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trend, "MOST", 4)
    course = Trend(512)
    found, sample = [], sample_of(session_of().run.simulation)
    for _ in range(12):
        found.append(course.end + course.stride)
        course.add([attrs.evolve(sample, number=found[-1])])
    assert course._first == 2
    assert found == [2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128]


def test_samples_are_read_while_a_thread_adds_some() -> None:
    """A reader at any moment finds those before the end that it sees."""
    course, first = Trend(1), sample_of(session_of().run.simulation)
    samples = [attrs.evolve(first, number=event) for event in range(1, 2 * MOST)]
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        adding = Thread(target=course.add, args=(samples,))
        adding.start()
        while adding.is_alive():
            end = course.end
            assert len(course.after(0)) >= end
            assert course.parted(end).end == end
            assert len(course.all()) >= end if end <= MOST else course.all()
        adding.join()
    finally:
        sys.setswitchinterval(switch)
    assert course.end == 2 * MOST - 1


def test_a_long_run_is_the_same_in_portions() -> None:
    """With samples and copies on the way the state is that of the kernel alone."""
    session = session_of(policy="gang")
    session.go_end()
    simulation = session.case.simulation()
    simulation.run()
    assert session.digest() == simulation.digest()
    session.go("50%")
    middle = session.digest()
    simulation = session.case.simulation()
    simulation.run(events=session.number)
    assert middle == simulation.digest()


@pytest.mark.parametrize("quantum", [2, 10, 600])
def test_the_nodes_held_last_are_those_of_every_event(quantum: int) -> None:
    """Turns that are passed over give nobody other nodes."""
    jobs = [
        Job(id=k + 1, size=1 + 7 * k % 10, submit=40 * (k // 2), runtime=900 + 37 * k, estimate=3600)
        for k in range(12)
    ]
    choice = PolicyChoice("gang", {"quantum": quantum})
    case = base_case(Scenario("a test", Machine(10), choice, Workload.of(jobs), Path("test.toml")))
    simulation, held = case.simulation(), dict[int, list[tuple[int, int]]]()
    origin = simulation.copy()
    while simulation.step():
        held |= {job: nodes for job in range(12) if (nodes := simulation.nodes_of(job))}
    found = Replay(case, simulation, origin).held()
    assert {job: list(found.of(job)) for job in held} == held
