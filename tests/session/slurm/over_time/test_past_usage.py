"""Limits on what has been used before: who is kept out, when they come free, and which jobs they end."""

from pathlib import Path
from typing import Any

import attrs
import pytest

from shadowtime.console.session.slurm.admission import Admission
from shadowtime.console.session.slurm.caveats import caveats
from shadowtime.console.session.slurm.over_time import OverTime, followed
from shadowtime.console.session.slurm.priorities.standing import with_calculation, with_standing
from shadowtime.scenarios.slurm import Association, Capture, FairShare, Job, Quality, read_capture
from tests.oracles.slurm.over_time import OverTime as NaiveOverTime
from tests.oracles.slurm.small import NOW, cluster, running, waiting
from tests.scenarios.slurm.support import files, write

SHARE = FairShare(0, 600, 60)
ARTS = ("association", 4)


def limited(
    jobs: list[Job],
    name: str,
    resource: str,
    most: int,
    used: float,
    of_quality: bool = False,
    **quality: Any,
) -> Capture:
    """Two nodes of four CPUs; a limit of the account of each job, or of its quality of service."""
    limit = {"limits": {(name, resource): most}, "used": {(name, resource): used}}
    plain: dict[str, Any] = {"limits": {}}
    own, of_job = (plain, limit) if of_quality else (limit, plain)
    capture = cluster(2, [attrs.evolve(job, association=9, account="arts", qos="day") for job in jobs])
    return attrs.evolve(
        capture,
        settings=attrs.evolve(capture.settings, priority="priority/multifactor", fair_share=SHARE),
        associations=(
            Association(1, "root", "", "", 1, {}),
            Association(id=4, account="arts", user="", partition="", shares=1, parent="root", **own),
            Association(9, "arts", "ada", "", 1, {}),
        ),
        qualities=(Quality(name="day", priority=0, preempts=(), **of_job, **quality),),
        calculated=NOW,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "resource", "most", "used", "after"),
    [
        ("GrpWall", "", 15, 14.39, 0), ("GrpWall", "", 15, 15.42, 60), ("GrpWall", "", 15, 15.0, 60),
        ("GrpTRESMins", "cpu", 60, 59, 0), ("GrpTRESMins", "cpu", 60, 63, 60),
        ("GrpTRESMins", "mem", 30_000, 50_000, 480), ("GrpTRESMins", "license/x", 1, 9, 0),
    ],
)  # fmt: skip
@pytest.mark.parametrize("of_quality", [False, True])
def test_a_job_starts_once_what_has_been_used_has_faded(
    name: str, resource: str, most: int, used: float, after: int, of_quality: bool
) -> None:
    """At the first calculation that leaves less than the limit; half of it is left after ten minutes."""
    capture = limited([waiting(1, 1, 10)], name, resource, most, used, of_quality)
    kept = Admission(capture).kept_out(capture.jobs[0])
    assert kept.startswith(f"{name} {resource}".rstrip() + f"={most} of ") is bool(after)
    (found,) = followed(capture, NOW)[0]
    assert found.start is not None and 0 <= found.start - NOW - after <= 33
    naive = NaiveOverTime(capture, NOW).run(NOW + after + 40)
    assert [event.at for event in naive if event.what in ("main pass", "backfill")] == [found.start]


def test_what_is_not_forgotten_keeps_a_job_out_for_ever() -> None:
    """A quality of service with NoDecay, a limit of 0, and a half-life of 0."""
    jobs = [waiting(1, 1, 10)]
    fixed = limited(jobs, "GrpWall", "", 15, 20, of_quality=True, flags=frozenset(("NO_DECAY",)))
    never = limited(jobs, "GrpWall", "", 0, 20)
    kept = attrs.evolve(never.settings, fair_share=attrs.evolve(SHARE, half_life=0))
    for capture in (fixed, never, attrs.evolve(limited(jobs, "GrpWall", "", 15, 20), settings=kept)):
        assert [each.start for each in followed(capture, NOW)[0]] == [None]


def test_jobs_end_when_what_they_use_reaches_the_limit() -> None:
    """Eight CPUs use up what is left at the second calculation; the third one lets the next job in."""
    jobs = [running(1, [1, 2], 3000, begin=NOW), waiting(2, 1, 10, priority=5)]
    capture = limited(jobs, "GrpTRESMins", "cpu", 60, 55)
    events = list(OverTime(capture, NOW).events())
    ends = [event.at - NOW for event in events if event.what == "end" and event.job == "1"]
    assert ends == [121]
    naive = NaiveOverTime(capture, NOW).run(NOW + 130)
    assert [event.at - NOW for event in naive if event.what == "end"] == ends
    (start,) = [event.at - NOW for event in events if event.starts]
    assert 180 <= start <= 213


def test_past_usage_follows_a_recorded_account() -> None:
    """Of 24.11.5: 59.19 CPU minutes after a calculation, and 55, 51 and 48 after the next ones."""
    capture = with_calculation(limited([], "GrpTRESMins", "cpu", 60, 59.19), NOW)
    left = []
    for at in range(NOW + 60, NOW + 240, 60):
        capture = with_standing(capture, at)
        assert capture.standing is not None
        left.append(capture.standing.past[ARTS, "cpu"] // 60)
    assert left == [55, 51, 48]


LINES = """Association Records

ClusterName=example Account=arts UserName= Partition= Priority=0 ID=4
    SharesRaw/Norm/Level/Factor=1/0.01/101/1.00
    UsageRaw/Norm/Efctv=0.00/0.00/0.00
    ParentAccount= Lineage=/ DefAssoc=No
    GrpSubmitJobs=N(0) GrpWall=15(14.39)
    GrpTRESMins=cpu=60(45),mem=N(18795),gres/gpu=7(3)

QOS Records

QOS=day(1)
    GrpJobs=N(0) GrpWall=N(99.21)
    GrpTRESMins=cpu=30(12),mem=N(0)
    Priority=100
"""


@pytest.mark.parametrize("json", [True, False])
def test_what_has_been_used_is_read(tmp_path: Path, json: bool) -> None:
    """Of qualities of service, too, if their limits are in a file of their own. N: there is no limit."""
    contents = files(42) | {"assoc_mgr.txt": LINES}
    quality = {"name": "day", "priority": 100, "limits": {"max": {"tres": {"minutes": {"total": [
        {"type": "cpu", "name": "", "count": 30}]}}}}}  # fmt: skip
    contents |= {"qos.json": {"meta": files(42)["squeue.json"]["meta"], "qos": [quality]}} if json else {}
    capture = read_capture(write(tmp_path, contents))
    (arts,), (day,) = capture.associations, capture.qualities
    assert arts.used == {
        ("GrpWall", ""): 14.39,
        ("GrpTRESMins", "cpu"): 45.0,
        ("GrpTRESMins", "gres/gpu"): 3.0,
    }
    assert day.limits == {("GrpTRESMins", "cpu"): 30}
    assert day.used == {("GrpTRESMins", "cpu"): 12.0}


@pytest.mark.parametrize(
    ("reason", "modelled"),
    [
        ("AssocGrpWallLimit", True),
        ("AssocGrpCPUMinutesLimit", True),
        ("QOSGrpGRESMinutes", True),
        ("QOSGrpBB", False),
    ],
)
def test_a_reason_of_past_usage_is_believed_where_what_is_used_is_not_known(
    reason: str, modelled: bool
) -> None:
    """Then the limit is named as one that the plan does not know, and the job never starts."""
    capture = limited([waiting(1, 1, 10, reason=reason)], "GrpWall", "", 15, 15.42)
    assert [each.start is not None for each in followed(capture, NOW)[0]] == [modelled]
    assert not any(each.names[:1] == ("GrpWall",) for each in caveats(capture))
    for unknown in ({"fair_share": None}, {"safe": True}):
        other = attrs.evolve(capture, settings=attrs.evolve(capture.settings, **unknown))
        assert [each.start for each in followed(other, NOW)[0]] == [None]
        assert any(each.names[:1] == ("GrpWall",) for each in caveats(other))
