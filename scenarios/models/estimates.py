"""Estimates: what users ask for, as a workload has it or by a rule in its place (policies differ in how
they bear it).

Kinds: `log` (as they are), `exact` (the runtime), `uniform` (between the runtime and `factor` times it:
Feitelson & Weil 1998), `alpha` (a share `alpha` of the way from the runtime to the request: Niu et al.
2012), `tsafrir` (a few round values, as users give them: Tsafrir, Etsion & Feitelson 2005; what is a choice
in it stands in scenarios/models/tsafrir.py).
"""

from array import array
from collections.abc import Iterable
from fractions import Fraction

import attrs

from shadowtime.scenarios.times import HOUR, MAX_TIME
from shadowtime.scenarios.workload import TOO_LONG, Workload

KINDS = ("log", "exact", "uniform", "alpha", "tsafrir")


@attrs.frozen
class Estimates:
    """A rule for estimates; which of the fields count depends on the kind."""

    kind: str = attrs.field(default="log", validator=attrs.validators.in_(KINDS))
    factor: Fraction = Fraction(1)
    seed: int = 1
    alpha: Fraction = Fraction(1)
    max: int | None = None
    """The largest estimate of tsafrir, in seconds; None: the workload's own, up to the next whole hour."""
    popular: int = 20
    """How many values of tsafrir are popular, and the share of the jobs that they have together."""
    share: Fraction = Fraction(89, 100)

    def __attrs_post_init__(self) -> None:
        if self.kind == "tsafrir":
            from shadowtime.scenarios.models.tsafrir import least_share

            least = least_share(self.popular)
            if self.share < least:
                raise ValueError(
                    f"share is {float(self.share):g}; {self.popular} popular values have {least} or more"
                )


def estimated(workload: Workload, rule: Estimates) -> Workload:
    """The workload with the estimates of the rule. Runtimes stay; no estimate is below its runtime.

    The same seed gives the same estimates everywhere. ValueError where their sum passes 2^62, or where a
    runtime passes the `max` of the rule.
    """
    if rule.kind == "log":
        return workload
    if rule.kind == "exact":
        return attrs.evolve(workload, estimate=workload.runtime)
    if rule.kind == "uniform":
        return attrs.evolve(workload, estimate=_column(workload, _uniform(workload, rule)))
    if rule.kind == "tsafrir":
        return _modal(workload, rule)
    return attrs.evolve(workload, estimate=_column(workload, _alpha(workload, rule)))


def _uniform(workload: Workload, rule: Estimates) -> Iterable[int]:
    """Every whole number of seconds from the runtime to floor(factor * runtime) is as likely."""
    from random import Random

    draw = Random(rule.seed).random
    over, under = rule.factor.as_integer_ratio()
    for runtime in workload.runtime:
        width = over * runtime // under - runtime
        # Only random() gives the same numbers in every Python. Rounding may bring the product to the bound.
        yield runtime + min(int(draw() * (width + 1)), width)


def _alpha(workload: Workload, rule: Estimates) -> Iterable[int]:
    over, under = rule.alpha.as_integer_ratio()
    for runtime, estimate in zip(workload.runtime, workload.estimate, strict=True):
        yield runtime - (-over * (estimate - runtime) // under)


def _modal(workload: Workload, rule: Estimates) -> Workload:
    from shadowtime.scenarios.models.tsafrir import modal_estimates

    longest = rule.max
    if longest is None:
        longest = -(-max(workload.estimate, default=1) // HOUR) * HOUR
    if longest > MAX_TIME:
        raise ValueError(TOO_LONG)
    found = modal_estimates(
        workload.runtime, longest, seed=rule.seed, popular=rule.popular, share=float(rule.share)
    )
    notes = workload.notes
    if found.misfits:
        jobs = "1 job runs" if found.misfits == 1 else f"{found.misfits:,} jobs run"
        notes = (*notes, f"{jobs} too long for the estimates of the model: the next popular one is taken")
    return attrs.evolve(workload, estimate=_column(workload, found.estimates), notes=notes)


def _column(workload: Workload, estimates: Iterable[int]) -> "array[int]":
    values = list(estimates)
    if sum(values) + (workload.submit[-1] if len(workload) else 0) > MAX_TIME:
        raise ValueError(TOO_LONG)
    return array("q", values)


def shrunk(workload: Workload, factor: Fraction) -> Workload:
    """The workload with every submission at floor(factor * submit). Months stay those of the log.

    ValueError where the times pass 2^62.
    """
    over, under = factor.as_integer_ratio()
    times = [over * submit // under for submit in workload.submit]
    if times and times[-1] + sum(workload.estimate) > MAX_TIME:
        raise ValueError(TOO_LONG)
    return attrs.evolve(workload, submit=array("q", times))
