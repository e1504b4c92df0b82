"""The priority of a job that comes in a sample is the one that Slurm would give it."""

from typing import Any

import attrs

from shadowtime.console.session.slurm.likely.comes import Again
from shadowtime.console.session.slurm.likely.rows import LikelyRows
from shadowtime.console.session.slurm.sampling import Sampler
from shadowtime.scenarios.slurm import Ageing, Association, Capture, FairShare
from shadowtime.scenarios.slurm.accounted.records import Past
from shadowtime.scenarios.slurm.config import MULTIFACTOR
from shadowtime.scenarios.slurm.priorities import Factor
from shadowtime.scenarios.slurm.records import Quality
from tests.oracles.slurm.small import NOW, cluster, waiting
from tests.session.slurm.likely.test_odds import run


def shared(**settings: Any) -> Capture:
    """Job 1 of ada has 500 points of fair share, 100 of its quality, 100 of its age, and 70; job 2 is held.

    In the accounting are an urgent run of bob, who has used less than ada, and one of ada.
    """
    names = {1: ("root", ""), 2: ("root", "ada"), 3: ("root", "bob")}
    used = {1: 400.0, 2: 300.0, 3: 100.0}
    associations = tuple(
        Association(id_, account, user, "", 1, {}, usage=used[id_]) for id_, (account, user) in names.items()
    )
    ada: dict[str, Any] = {
        "account": "root",
        "user": "ada",
        "association": 2,
        "qos": "normal",
        "eligible": NOW - 100,
    }
    jobs = [waiting(1, 1, 30, priority=770, **ada), waiting(2, 1, 30, priority=0, **ada)]
    runs = (
        run(11, -60, -30, user="bob", account="root", qos="urgent"),
        run(12, -50, -30, user="ada", account="root", qos="normal"),
    )
    changed: dict[str, Any] = {
        "priority": MULTIFACTOR,
        "ageing": Ageing(1000, 1000, 60),
        "fair_share": FairShare(1000, 3600, 60),
        "weights": {Factor.FAIR_SHARE: 1000, Factor.QUALITY: 200},
        **settings,
    }
    made = cluster(2, jobs)
    return attrs.evolve(
        made,
        calculated=NOW,
        associations=associations,
        qualities=(Quality("normal", 10, (), {}), Quality("urgent", 20, (), {})),
        past=Past(runs),
        settings=attrs.evolve(made.settings, **changed),
    )


def priorities(capture: Capture) -> dict[int, int]:
    """Job or run -> the priority with which it comes again."""
    again, rows = Again(capture), LikelyRows(capture, NOW, Sampler(capture, NOW).units)
    made = {row.name[0]: again.of(row) for row in rows.of}
    return {id_: job.priority for id_, job in made.items() if job is not None}


def test_a_job_that_comes_has_the_points_of_its_own_user_and_quality() -> None:
    """And those that jobs of the queue have but for their age; a run of before is not behind all others."""
    assert priorities(shared()) == {1: 670, 2: 670, 11: 1270, 12: 670}


def test_without_a_fair_share_only_the_quality_is_its_own() -> None:
    """The 500 points that nobody can name stay with all."""
    assert priorities(shared(fair_share=None)) == {1: 670, 2: 670, 11: 770, 12: 670}


def test_without_factors_a_job_that_comes_is_behind_all_others() -> None:
    """As it is submitted last."""
    assert set(priorities(shared(priority="priority/basic", ageing=None)).values()) == {769}
