"""Expectations: what a scenario file says must come out, beside what does."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from shadowtime.console.session.case import Case, base_case
from shadowtime.console.session.facts import Checked
from shadowtime.console.session.files.report import Outcomes
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios import Expect, format_time


def check(case: Case) -> tuple[Checked, ...]:
    """Evaluate every expectation of a case's scenario, base and variants, in the file's order.

    Of a lesson on a captured cluster they are those of the cluster.
    """
    if case.scenario.cluster is not None:
        # Most scenarios need nothing of Slurm.
        from shadowtime.console.session.slurm.expectations import check_plan

        return check_plan(Path(case.scenario.cluster.folder))[0]
    expects = case.scenario.expects
    base = base_case(case.scenario)
    found: list[tuple[int, Checked]] = []
    for name in dict.fromkeys(expect.variant for expect in expects):
        one = base if name is None else base.variant(name)
        found.extend(_evaluate(one, (expect for expect in expects if expect.variant == name)))
    return tuple(outcome for _, outcome in sorted(found, key=lambda pair: pair[0]))


def _evaluate(case: Case, expects: Iterable[Expect]) -> Iterator[tuple[int, Checked]]:
    """Run once through the instants that are asked for, in their order; those without one come at the end."""
    simulation = case.simulation()
    for expect in sorted(expects, key=lambda expect: (expect.at is None, expect.at or 0)):
        simulation.run(until=expect.at)
        yield expect.line, _outcome(case, expect, _value(case, simulation, expect))


def _value(case: Case, simulation: Simulation, expect: Expect) -> float | int | None:
    if expect.job is not None:
        index = case.index_of(expect.job)
        if expect.field == "preemptions":
            return simulation.preemptions(index)
        return simulation.start_of(index) if expect.field == "start" else simulation.finish_of(index)
    assert expect.metric is not None
    if expect.metric == "mean_prediction_error":
        outcomes = Outcomes(case, simulation)
        outcomes.predict()
        return outcomes.mean_error()
    return simulation.metrics()[expect.metric]


def _outcome(case: Case, expect: Expect, found: float | int | None) -> Checked:
    return Checked(
        file=str(case.scenario.path),
        line=expect.line,
        case=case.name,
        what=_what(case, expect),
        expected=expect.text,
        found=_shown(expect, found),
        passed=expect.holds(found),
    )


def _what(case: Case, expect: Expect) -> str:
    """Return what is expected of whom: `easy: job 3 start`, `easy: utilization_now at 0 00:20:00`."""
    subject = expect.metric if expect.job is None else f"job {expect.job} {expect.field}"
    when = "" if expect.at is None else f" at {format_time(expect.at)}"
    return f"{case.name}: {subject}{when}"


def _shown(expect: Expect, found: float | int | None) -> str:
    """Return a value as the file would write it, with three decimals more than it compares."""
    if found is None:
        return "none"
    if expect.job is not None:
        plain = expect.field == "preemptions" or expect.text.strip('"').isdigit()
        return str(found) if plain else format_time(int(found))
    if isinstance(found, int):
        return str(found)
    return f"{found:.{expect.decimals + 3}f}".rstrip("0").rstrip(".")
