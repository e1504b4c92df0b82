"""Input is checked once, at the door: what is wrong is refused with its value and corrupts nothing."""

import gc
from array import array

import pytest

from shadowtime.kernels.core.jobs import Jobs
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import make
from tests.kernels.drive import CONSERVATIVE, SETTINGS, simulate, table
from tests.oracles.jobs import Job, Workload

GOOD = [Job(0, 3, 2, 5), Job(0, 3, 3, 5), Job(1, 1, 1, 9)]
# Questions about a job that the position alone answers, and those about what happened on the way to it.
MOVING = ("state", "explain", "promise", "end_of", "preemptions", "since", "nodes_of")
KNOWN = ("start_of", "finish_of", "submit_event", "start_event", "finish_event", "first_promise")
OTHERS = [Job(0, 4, 1, 4), Job(0, 3, 4, 5), Job(1, 2, 1, 2)]
CROWD = [Job(0, 10, 3, 20)] * 50


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (Job(0, 1, 1, 1), "row 3: submit is 0; expected 1 or later"),
        (Job(1, 0, 1, 4), "row 3: runtime is 0; expected 1 to the estimate 4"),
        (Job(1, 5, 1, 4), "row 3: runtime is 5; expected 1 to the estimate 4"),
        (Job(1, 1, 0, 1), "row 3: size is 0; expected 1 to"),
        (Job(1, 1, 1, 2**62), "row 3: the estimates add up to more than"),
    ],
)
def test_a_bad_row_is_refused(row: Job, message: str) -> None:
    """The error names the row, the column, the value and what was expected."""
    with pytest.raises(ValueError, match=message):
        table([*GOOD, row])


def test_columns_of_different_lengths_are_refused() -> None:
    """Every column has a value for every job."""
    one, two = array("q", [1]), array("q", [1, 1])
    with pytest.raises(ValueError, match="column size has 2 rows; submit has 1"):
        Jobs(submit=one, runtime=one, estimate=one, size=two)


def test_a_job_larger_than_the_machine_is_refused() -> None:
    """It could never start."""
    with pytest.raises(ValueError, match="needs 3 nodes; the machine has 2"):
        Simulation(table(GOOD), 2, make("fcfs", {}))


def test_a_machine_has_nodes() -> None:
    """None is too few."""
    with pytest.raises(ValueError, match="nodes is 0; expected 1 or more"):
        Simulation(table(GOOD), 0, make("fcfs", {}))


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("eazy", {}, "policy is 'eazy'; expected one of"),
        ("easy", {"scn": "arrival"}, "easy has no parameter 'scn'; its parameters: scan"),
        ("easy", {"scan": "up"}, "scan is 'up'; expected one of arrival"),
        ("conservative", {"compress": 3}, "compress is 3; expected one of arrival"),
        ("pbas", {"frame": 60, "history": 90}, "history is 90; expected whole frames of 60 seconds, 1,000"),
        ("pbas", {"frame": 60, "history": 60060}, "history is 60060; expected whole frames of 60"),
    ],
)
def test_a_wrong_policy_is_refused(name: str, parameters: dict[str, object], message: str) -> None:
    """The error names what is wrong and what there is."""
    with pytest.raises(ValueError, match=message):
        make(name, parameters)


@pytest.mark.parametrize("job", [-1, len(GOOD), 2**40])
@pytest.mark.parametrize("question", [*MOVING, *KNOWN])
def test_a_job_that_is_not_in_the_table(question: str, job: int) -> None:
    """Every question about a job checks that there is one."""
    simulation = simulate(Workload(GOOD, 4), CONSERVATIVE)
    simulation.run(until=1)
    with pytest.raises(IndexError, match=f"job {job}; the table has 3 rows"):
        getattr(simulation, question)(job)


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_table_without_jobs(setting: str) -> None:
    """Its simulation is over before it begins."""
    policy, parameters, _ = SETTINGS[setting]
    none = array("q")
    jobs = Jobs(submit=none, runtime=none, estimate=none, size=none)
    simulation = Simulation(jobs, 4, make(policy, parameters))
    assert (simulation.over, simulation.peek(), simulation.step(), simulation.run()) == (True, None, False, 0)
    assert simulation.metrics()["mean_wait"] is None
    assert not any(len(column) for column in simulation.results().values())


def test_the_table_is_its_own() -> None:
    """Columns that are changed later do not change the jobs."""
    submit, runtime, size, estimate = (array("q", column) for column in zip(*GOOD, strict=True))
    jobs = Jobs(submit=submit, runtime=runtime, size=size, estimate=estimate)
    for column in (submit, runtime, size, estimate):
        column[1] = 4
    simulation = Simulation(jobs, 4, make("easy", {}))
    simulation.run()
    assert list(simulation.results()["start"]) == [0, 3, 1]


def test_two_simulations_of_one_policy_object() -> None:
    """They do not disturb each other; a policy that cannot serve two says so."""
    policy, jobs = make("conservative", {}), table(GOOD)
    first = Simulation(jobs, 4, policy)
    first.run(events=4)
    try:
        second = Simulation(jobs, 4, policy)
    except ValueError:
        return
    second.run()
    first.run()
    assert list(first.results()["start"]) == list(second.results()["start"]) == [0, 3, 1]


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize(
    "foreign",
    [Workload(CROWD, 4), Workload(GOOD[:2], 4), Workload(GOOD, 5), Workload(OTHERS, 4)],
    ids=["more", "fewer", "nodes", "others"],
)
def test_a_copy_of_another_case_is_refused(foreign: Workload, setting: str) -> None:
    """A copy goes back only into a simulation of the same jobs on as many nodes."""
    simulation, other = simulate(Workload(GOOD, 4), setting), simulate(foreign, setting)
    other.run(until=0)
    before = simulation.digest()
    with pytest.raises(ValueError, match="copy"):
        simulation.restore(other.copy())
    assert simulation.digest() == before


def test_a_copy_of_another_policy_is_refused() -> None:
    """The state of one policy means nothing to another."""
    jobs = table(GOOD)
    simulation, other = (Simulation(jobs, 4, make(name, {})) for name in ("easy", "conservative"))
    other.run(until=0)
    with pytest.raises(ValueError, match="copy"):
        simulation.restore(other.copy())


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_copy_of_another_run_is_refused(setting: str) -> None:
    """A copy has no results: one of another run would leave unknown what only that run went through."""
    policy, parameters, _ = SETTINGS[setting]
    jobs = table(GOOD)
    here, ahead = (Simulation(jobs, 4, make(policy, parameters)) for _ in range(2))
    ahead.run(until=3)
    before = here.digest()
    with pytest.raises(ValueError, match="another simulation"):
        here.restore(ahead.copy())
    assert here.digest() == before


def test_a_column_that_is_not_given_holds_what_stands_for_nothing() -> None:
    """No month, no class, nobody killed: the same schedule, to the byte."""
    submit, runtime, size, estimate = (array("q", column) for column in zip(*GOOD, strict=True))
    zeros, twos, none = (array("q", [value] * len(GOOD)) for value in (0, 2, -1))
    given = Jobs(
        submit=submit,
        runtime=runtime,
        size=size,
        estimate=estimate,
        **{"killed": zeros, "group": zeros, "priority": zeros, "service": twos, "user": none},
    )
    simulations = [Simulation(jobs, 4, make("maui", {"weight_class": 5})) for jobs in (given, table(GOOD))]
    for simulation in simulations:
        simulation.run()
    first, second = simulations
    assert first.digest() == second.digest()
    assert first.results() == second.results() and first.tally() == second.tally()


def test_a_table_that_borrows_its_columns_outlives_the_lender() -> None:
    """Runtimes are estimates there, and nobody is killed; copies have columns of their own."""
    rows = [(0, 3, 2, 9), (0, 1, 1, 4)]
    submit, runtime, size, estimate = (array("q", column) for column in zip(*rows, strict=True))
    lender = Jobs(submit=submit, runtime=runtime, size=size, estimate=estimate, killed=array("q", [1, 0]))
    lasting = lender.lasting_estimates().lasting_estimates()
    others = [lasting.copied(), lasting.asking(0, size=1, estimate=5), lender.copied()]
    del lender
    gc.collect()
    assert [lasting.row(job) for job in range(2)] == [(0, 9, 9, 2), (0, 4, 4, 1)]
    assert [other.row(0) for other in others] == [(0, 9, 9, 2), (0, 5, 5, 1), (0, 3, 9, 2)]


@pytest.mark.parametrize("setting", SETTINGS)
def test_results_by_name_and_by_job_are_those_of_all_columns(setting: str) -> None:
    """At every event, also behind one that the run has seen."""
    policy, parameters, _ = SETTINGS[setting]
    simulation = Simulation(table(GOOD), 4, make(policy, parameters))
    begun = simulation.copy()
    simulation.run()
    end = simulation.results()
    simulation.restore(begun)
    while True:
        columns = simulation.results()
        assert list(columns) == ["start", "finish", "backfilled", "preemptions", "first_promise"]
        for name in columns:
            assert simulation.results(name) == {name: columns[name]}
        rows = [simulation.result(job) for job in range(len(GOOD))]
        assert rows == list(zip(*columns.values(), strict=True))
        if not simulation.step():
            break
    assert columns == end
    with pytest.raises(ValueError):
        simulation.results("nothing")
