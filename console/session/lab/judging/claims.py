"""Judging a claim: in how many cases the values are as a figure shows them."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import inf

from shadowtime.console.session.lab.frames import Frame, Lookup, frame_of, written
from shadowtime.console.session.lab.judging.chance import of_claim, reaches
from shadowtime.console.session.lab.judging.means import Sense, sense_of
from shadowtime.console.session.lab.judging.verdicts import (
    FEWEST,
    MOSTLY,
    ClaimFound,
    Verdict,
    verdict_of,
)
from shadowtime.scenarios.experiment import Claim, Experiment


def judge_claim(experiment: Experiment, claim: Claim, results: Lookup) -> ClaimFound:
    """Count in how many cases the values are as a figure shows them."""
    frame = frame_of(experiment.grids[claim.view.grid], claim.view, results)
    each = frame.labels(claim.each) if claim.each is not None and frame.values else ("",)
    held = cases = open_ = groups = 0
    failing = list[str]()
    for label in each:
        compared = list(_compared(claim, frame, {} if claim.each is None else {claim.each: label}))
        groups += bool(compared)
        for good, words in compared:
            if good is None:
                open_ += 1
                continue
            cases += 1
            held += good
            if not good:
                failing.append(words + (f" at {claim.each} {label}" if claim.each else ""))
    total = cases + open_
    if not total:
        return ClaimFound(claim, 0, 0, (), Verdict.NO_DATA, "nothing could be run")
    verdict = verdict_of(
        held >= claim.share * total,
        total >= FEWEST and held >= MOSTLY * total,
        False,
        held + open_ >= claim.share * total,
        stand_in=claim.source.is_stand_in,
    )
    undecided = f", {open_} more undecided" if open_ else ""
    finding = (
        f"in {held} of {cases} comparisons{undecided}" if cases else f"all {total} comparisons are undecided"
    )
    chance = of_claim(claim, total, groups)
    return ClaimFound(claim, held, cases, tuple(failing), verdict, finding, chance)


def _compared(claim: Claim, frame: Frame, fixed: Mapping[str, str]) -> Iterator[tuple[bool | None, str]]:
    """Yield for each comparison whether it is as claimed, None if it is undecided, and what is compared."""
    labels = claim.among or (frame.labels(claim.along) if frame.values else ())
    pairs = list(pairwise(claim.order))
    if claim.least is not None:
        pairs = [(claim.least, label) for label in labels if label != claim.least]
    if claim.greatest is not None:
        pairs = [(label, claim.greatest) for label in labels if label != claim.greatest]
    for less, more in pairs:
        one, other = (frame.at({**fixed, claim.along: name}) for name in (less, more))
        if one is not None and other is not None:
            sense = sense_of(one, other)
            holds = None if sense is Sense.UNDECIDED else sense is Sense.LESS
            yield holds, f"{less} {written(one)}, {more} {written(other)}"
    band = (-inf if claim.above is None else claim.above, inf if claim.below is None else claim.below)
    if claim.between:
        ends = [frame.at({**fixed, claim.along: label}) for label in claim.between]
        known = sorted(end.mean for end in ends if end is not None)
        if len(known) < len(ends):
            return
        band = (known[0], known[1])
    if band == (-inf, inf):
        return
    for label in labels:
        value = frame.at({**fixed, claim.along: label})
        if value is not None and label not in claim.between:
            good = band[0] < value.least and value.most < band[1]
            yield good or (None if reaches(value, band) else False), f"{label} {written(value)}"
