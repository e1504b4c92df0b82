"""The numbers of a cell, and what experiments ask of them: shares, classes, groups of jobs."""

import json
from pathlib import Path

import pytest

from shadowtime.console.session.lab.measures import MEASURES, Results, measured
from shadowtime.console.session.lab.simulate import run_cell
from tests.scenarios.support import log, row


def numbers(results: Results, measure: str) -> dict[str, float]:
    """The values of a measure by label, without their intervals."""
    return {label: value.mean for label, value in measured(results, measure).items()}


def test_every_measure_is_there_or_has_no_value() -> None:
    """Of a log with a calendar, under a policy that changes its order."""
    results = json.loads(
        run_cell(
            'title = "T"\nmachine = {nodes = 16, epoch = "2020-01-31 22:00"}\npolicy = {name = "dynp"}\n'
            'workload = {model = "feitelson96", jobs = 300, load = 0.9}\n'
        )
    )
    assert sum(numbers(results, "months.jobs").values()) == 300
    assert list(numbers(results, "months.jobs"))[:2] == ["2020-01", "2020-02"]
    assert sum(numbers(results, "sizes.jobs").values()) == 300
    assert sum(numbers(results, "shares.time").values()) == pytest.approx(1)
    assert sum(numbers(results, "ratios.jobs").values()) == pytest.approx(1)
    for measure in MEASURES:
        assert all(isinstance(value, float) for value in numbers(results, measure).values())


@pytest.mark.parametrize(
    ("policy", "shares"),
    [
        ('{name = "dynp"}', {"fcfs": 1.0, "ljf": 0.0, "sjf": 0.0}),
        ('{name = "pbas", frame = "7d"}', {"flex": 1.0, "maui:windows=widest": 0.0}),
    ],
)
def test_what_is_never_in_force_has_no_share_of_the_time(policy: str, shares: dict[str, float]) -> None:
    """A mean over several sequences counts those with none."""
    results = json.loads(
        run_cell(
            f'title = "T"\nmachine = {{nodes = 16}}\npolicy = {policy}\n'
            'workload = {model = "feitelson96", jobs = 10, load = 0.9}\n'
        )
    )
    assert numbers(results, "shares.time") == shares


def test_a_class_has_what_was_worst_for_its_jobs() -> None:
    """Total time in the system over total runtime, and the largest slowdown; weeks are of whole days."""
    results = json.loads(
        run_cell(
            'title = "T"\nmachine = {nodes = 64}\npolicy = {name = "easy"}\n'
            'workload = {model = "livermore", jobs = 2000}\n'
        )
    )
    runtimes = sum(numbers(results, "sizes.jobs").values()) * numbers(results, "workload.mean_runtime")[""]
    jobs, took = numbers(results, "classes.jobs"), numbers(results, "classes.mean_response")
    ratios, slowest = numbers(results, "classes.total_ratio"), numbers(results, "classes.max_slowdown")
    assert list(jobs) == ["batch", "interactive"]
    assert sum(jobs[name] * took[name] / ratios[name] for name in jobs) == pytest.approx(runtimes)
    assert all(slowest[name] > mean for name, mean in numbers(results, "classes.mean_slowdown").items())
    assert numbers(results, "classes.max_preemptions") == {"batch": 0, "interactive": 0}
    days = list(numbers(results, "days.utilization").values())
    weeks = numbers(results, "weeks.utilization")
    assert list(weeks) == [str(week + 1) for week in range(len(days) // 7)]
    assert weeks["1"] == pytest.approx(sum(days[:7]) / 7)
    waits = numbers(results, "classes.max_wait")
    assert all(waits[name] > mean for name, mean in numbers(results, "classes.mean_wait").items())


@pytest.mark.proof
def test_months_have_the_utilization_of_their_days() -> None:
    """Each day counts for the month in which it begins; without a calendar there is none."""
    text = (
        'title = "T"\nmachine = {nodes = 64, epoch = "2020-01-30 00:00"}\npolicy = {name = "easy"}\n'
        'workload = {model = "livermore", jobs = 2000}\n'
    )
    results = json.loads(run_cell(text))
    days = list(numbers(results, "days.utilization").values())
    months = numbers(results, "calendar.utilization")
    assert list(months) == ["2020-01", "2020-02"]
    assert months["2020-01"] == pytest.approx(sum(days[:2]) / 2)
    assert (
        numbers(
            json.loads(run_cell(text.replace(', epoch = "2020-01-30 00:00"', ""))), "calendar.utilization"
        )
        == {}
    )


def test_relocations_are_counted_where_jobs_have_blocks() -> None:
    """On the torus, of jobs that were saved; elsewhere there is no such number."""
    torus = (
        'title = "T"\nmachine = {torus = [8, 4, 8], unit = "processor", per_node = 2}\n'
        'policy = {name = "t3d"}\nworkload = {model = "livermore", jobs = 500}\n'
    )
    (moved,) = numbers(json.loads(run_cell(torus)), "relocations").values()
    assert moved > 0
    flat = torus.replace('torus = [8, 4, 8], unit = "processor", per_node = 2', "nodes = 256")
    flat = flat.replace("t3d", "easy")
    assert numbers(json.loads(run_cell(flat)), "relocations") == {}


def test_the_means_of_groups_are_those_of_their_jobs() -> None:
    """Weighted by their numbers of jobs they give the metrics of the whole."""
    results = json.loads(
        run_cell(
            'title = "T"\nmachine = {nodes = 16}\npolicy = {name = "easy"}\n'
            'workload = {model = "feitelson96", jobs = 300, load = 0.9}\n'
        )
    )
    counts, waits = numbers(results, "sizes.jobs"), numbers(results, "sizes.mean_wait")
    whole = sum(counts[label] * waits[label] for label in counts) / 300
    assert whole == pytest.approx(numbers(results, "mean_wait")[""])


def test_jobs_are_counted_by_how_often_they_are_run() -> None:
    """In a closed loop, whose jobs say whom they follow; an open one has no such shares."""
    text = (
        'title = "T"\nmachine = {nodes = 64}\npolicy = {name = "easy"}\n'
        'workload = {model = "feitelson97", jobs = 3000, load = 0.5, arrivals = "HOW"}\n'
    )
    closed = json.loads(run_cell(text.replace("HOW", "closed")))
    shares = numbers(closed, "runs.jobs")
    assert sum(shares.values()) == pytest.approx(1)
    # Of the weights r^-2.5, once and twice; a few sequences are cut at the end of the workload.
    assert shares["1"] == pytest.approx(0.746, abs=0.03) and shares["2"] == pytest.approx(0.132, abs=0.03)
    assert numbers(json.loads(run_cell(text.replace("HOW", "open"))), "runs.jobs") == {}
    below = numbers(closed, "sizes.below_minute"), numbers(closed, "sizes.below_hour")
    assert all(0 < below[0][size] < below[1][size] <= 1 for size in below[0])


def test_the_jobs_of_a_log_are_counted_by_status(tmp_path: Path) -> None:
    """Those at their request use 99 % of it, rounded down; one that ran beyond it is not among them."""
    hours = 14_400
    rows = [
        row(1, 0, 99, estimate=100, status=0),
        row(2, 1, 100, estimate=100, status=0),
        row(3, 2, 98, estimate=100, status=0),
        row(4, 3, 250, estimate=100, status=0),
        row(5, 4, hours - 1, estimate=hours, status=0),
        row(6, 5, 60, estimate=hours, status=1),
        row(7, 6, 199, estimate=200, status=1),
    ]
    (tmp_path / "small.swf").write_text(log(*rows))
    results = json.loads(
        run_cell('title = "T"\nworkload = {log = "small.swf"}\npolicy = {name = "easy"}\n', str(tmp_path))
    )
    assert numbers(results, "statuses.jobs") == {"0": 5, "1": 2, "all": 7}
    assert numbers(results, "statuses.at_request") == {"0": 2, "1": 1, "all": 3}
    assert numbers(results, "statuses.of_four_hours") == {"0": 1, "1": 1, "all": 2}
    assert numbers(results, "statuses.of_four_hours_at_request") == {"0": 1, "1": 0, "all": 1}
    percents = numbers(results, "percents.jobs")
    assert {label: round(7 * share) for label, share in percents.items() if share} == {
        "0": 1,
        "98": 1,
        "99": 3,
        "100": 2,
    }
    assert len(percents) == 101


def test_a_model_has_no_statuses() -> None:
    """What no log says is counted nowhere."""
    results = json.loads(
        run_cell(
            'title = "T"\nmachine = {nodes = 16}\npolicy = {name = "easy"}\n'
            'workload = {model = "feitelson96", jobs = 10, load = 0.9}\n'
        )
    )
    assert numbers(results, "statuses.jobs") == {}


def test_a_day_is_busy_until_its_end() -> None:
    """One job has the machine for two days and a half, another waits for it all the while."""
    results = json.loads(
        run_cell(
            'title = "T"\nmachine = {nodes = 4}\npolicy = {name = "easy"}\n'
            "job = [{id = 1, submit = 0, size = 4, runtime = 216000}, "
            "{id = 2, submit = 0, size = 4, runtime = 21600}]\n"
        )
    )
    assert numbers(results, "days.utilization") == pytest.approx({"0": 1, "1": 1, "2": 0.75})
    assert numbers(results, "days.mean_queue_length") == pytest.approx({"0": 1, "1": 1, "2": 0.5})


@pytest.mark.parametrize(("estimates", "expected"), [([10, 10], {"": 1 / 3}), ([10, 5], {})])
def test_the_looseness_of_a_workload(estimates: list[int], expected: dict[str, float]) -> None:
    """Of runtimes of 10 and 5 s; exact estimates have none."""
    jobs = "".join(
        f"[[job]]\nid = {k}\nsize = 1\nsubmit = 0\nruntime = {10 // k}\nestimate = {estimates[k - 1]}\n"
        for k in (1, 2)
    )
    results = json.loads(
        run_cell(f'title = "T"\nmachine = {{nodes = 2}}\npolicy = {{name = "fcfs"}}\n{jobs}')
    )
    assert numbers(results, "workload.looseness") == pytest.approx(expected)


def test_the_jobs_that_wait_are_counted_apart() -> None:
    """Of four jobs three wait, and one of them is backfilled."""
    results = json.loads(
        run_cell(
            'title = "T"\nmachine = {nodes = 4}\npolicy = {name = "easy"}\n'
            "job = [{id = 1, submit = 0, size = 4, runtime = 10}, "
            "{id = 2, submit = 1, size = 2, runtime = 20}, {id = 3, submit = 2, size = 4, runtime = 9}, "
            "{id = 4, submit = 3, size = 2, runtime = 9}]\n"
        )
    )
    assert numbers(results, "waited.jobs") == {"": 0.75}
    assert numbers(results, "waited.backfilled") == pytest.approx({"": 1 / 3})
