"""Fair share over time: by hand, as recorded, and beside the naive program."""

from itertools import takewhile
from random import Random
from typing import Any

import attrs
import pytest

from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.console.session.slurm.priorities.standing import (
    Bills,
    Priorities,
    charged,
    next_calculation,
    standing_at,
    with_calculation,
)
from shadowtime.console.session.slurm.stepping.cluster import Boards
from shadowtime.console.session.slurm.stepping.coming import coming
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.kernels.slurm.over_time.moments import Happening
from shadowtime.scenarios.slurm import Association, Capture, FairShare, Job, Quality, Share
from shadowtime.scenarios.slurm.priorities import Factor
from tests.amount import every, many
from tests.oracles.slurm.access.sharing import begun, factors_of
from tests.oracles.slurm.over_time import OverTime as NaiveOverTime
from tests.oracles.slurm.small import NOW, cluster, running, waiting
from tests.session.slurm.over_time.test_over_time import AHEAD, as_naive, capture_of

CLUSTERS = many(40)


def account(id_: int, name: str, shares: int | None, usage: float, parent: str = "root") -> Association:
    """An account, below the root unless it is the root."""
    return Association(id_, name, "", "", shares, {}, "" if name == "root" else parent, usage)


def user(id_: int, name: str, above: str, shares: int | None, usage: float) -> Association:
    """A user of an account."""
    return Association(id_, above, name, "", shares, {}, usage=usage)


def sharing(jobs: list[Job], associations: list[Association], **share: Any) -> Capture:
    """A small cluster whose fair share counts 1000 points, calculated every 60 s, the last time at NOW."""
    capture = cluster(2, jobs)
    plain = FairShare(1000, 600, 60)
    settings = attrs.evolve(
        capture.settings, priority="priority/multifactor", fair_share=attrs.evolve(plain, **share)
    )
    capture = attrs.evolve(capture, settings=settings, calculated=NOW, associations=tuple(associations))
    return with_calculation(capture, NOW)


RECORDED = [
    account(1, "root", 1, 1320), user(2, "root", "root", 1, 0),
    account(3, "a", 20, 240), user(4, "ada", "a", 5, 240), user(5, "grace", "a", 5, 0),
    account(6, "b", 20, 240), user(7, "edsger", "b", 5, 0), user(8, "linus", "b", 5, 240),
    account(9, "c", 10, 240), user(10, "ada", "c", None, 240), user(11, "barbara", "c", None, 0),
    user(12, "linus", "c", None, 0),
    account(13, "p", None, 240), user(14, "edsger", "p", 3, 0), user(15, "grace", "p", 3, 240),
    account(16, "q", 10, 120), user(17, "grace", "q", 3, 120),
    account(18, "r", 10, 240), user(19, "edsger", "r", 3, 240), user(20, "linus", "r", 3, 0),
    account(21, "rr", None, 0, "r"), user(22, "edsger", "rr", 3, 0),
]  # fmt: skip
"""A tree of 24.11.5 with ties, and with accounts and users that have the shares of their account."""
RANKS = {2: 14, 4: 11, 5: 12, 7: 11, 8: 9, 10: 7, 11: 7, 12: 7, 14: 14, 15: 1, 17: 9, 19: 2, 20: 7, 22: 7}
"""What sshare showed: the factor times 14, the number of the users."""


def test_the_ranks_of_fair_tree_are_those_of_a_recorded_tree() -> None:
    """Accounts of equal levels are visited one after the other; the first of the second has the last rank."""
    capture = sharing([], RECORDED)
    assert capture.standing is not None
    found = {each: round(14 * factor, 9) for each, factor in capture.standing.factors.items()}
    assert found == RANKS
    usage = {each.id: each.usage or 0.0 for each in RECORDED}
    assert factors_of(capture, usage) == capture.standing.factors


CLASSIC = {
    2: 1.0, 4: 0.378929, 5: 0.615572, 7: 0.615572, 8: 0.378929, 10: 0.378929, 11: 0.378929, 12: 0.378929,
    14: 1.0, 15: 0.039373, 17: 0.615572, 19: 0.054409, 20: 0.378929, 22: 0.378929,
}  # fmt: skip
"""What sshare showed for the same tree and usage with PriorityFlags=NO_FAIR_TREE."""


def test_the_classic_factors_are_those_of_a_recorded_tree() -> None:
    """Users and accounts with the shares of their account have those, or stand in its place."""
    capture = sharing([], RECORDED, tree=False)
    assert capture.standing is not None
    assert capture.standing.factors == pytest.approx(CLASSIC, abs=1e-6)


@pytest.mark.parametrize(("first", "used"), [(True, 0.0), (False, 480 * 0.998845**60)])
def test_a_classic_factor_counts_what_is_charged_before_the_turn_of_the_user(
    first: bool, used: float
) -> None:
    """ada's waiting job stands before or behind her running one in the list; the account counts as before."""
    tree = [
        account(1, "root", 1, 1000), account(2, "a", 1, 500), user(3, "ada", "a", 1, 0),
        user(4, "grace", "a", 3, 500), account(5, "b", 1, 500),
    ]  # fmt: skip
    jobs = [waiting(1, 1, 10, association=3), running(2, [1, 2], 600, association=3, begin=NOW)]
    standing = standing_at(sharing(jobs if first else jobs[::-1], tree, tree=False), NOW + 60)
    own = used / (1000 * 0.998845**60 + used)
    assert standing is not None
    assert standing.factors[3] == pytest.approx(2 ** -((own + (0.5 - own) / 4) / (0.5 / 4)))


def test_a_user_without_any_usage_stands_first_and_one_without_shares_last() -> None:
    """Nobody has used anything: all are equal, but for the account that has no shares."""
    tree = [
        account(1, "root", 1, 0), account(2, "a", 1, 0), user(3, "ada", "a", 1, 0),
        account(4, "b", 0, 0), user(5, "grace", "b", 1, 0), user(6, "linus", "root", 1, 0),
    ]  # fmt: skip
    capture = sharing([], tree)
    assert capture.standing is not None
    assert capture.standing.factors == {3: 1.0, 6: 1.0, 5: pytest.approx(1 / 3)}


CHARGES = [
    (48, 4, 1.0, 0.9765625, 225.984940), (53, 6, 2.0, 0.0, 598.213782), (54, 4, 1.0, 0.0, 202.932287),
    (57, 4, 1.0, 0.0, 213.464935),
]  # fmt: skip
"""Of 24.11.5, half-life 10 min: seconds, CPUs, UsageFactor, billing of the memory, the usage added."""


@pytest.mark.parametrize(("seconds", "cpus", "factor", "memory", "added"), CHARGES)
def test_a_job_charges_what_slurmctld_logged(
    seconds: int, cpus: int, factor: float, memory: float, added: float
) -> None:
    """At its end; the accounts above it have used as much."""
    tree = [account(1, "root", 1, 0), account(2, "a", 1, 0), user(3, "ada", "a", 1, 0)]
    job = running(1, [1], 600, association=3, begin=NOW, qos="q")
    job = attrs.evolve(job, shares=(attrs.evolve(job.shares[0], cores=cpus, memory=1000),))
    capture = sharing([job], tree)
    part = attrs.evolve(capture.partitions[0], billing={"cpu": 1.0, "mem": memory / 1000})
    quality = Quality("q", 0, (), {}, usage_factor=factor)
    capture = attrs.evolve(capture, partitions=(part,), qualities=(quality,))
    standing = charged(capture, job, NOW + seconds).standing
    assert standing is not None and standing.moved
    assert [standing.usage[each] for each in (1, 2, 3)] == pytest.approx([added] * 3, abs=1e-5)


def test_a_billing_is_the_sum_or_the_greatest_of_the_weighted_resources() -> None:
    """4 CPUs and 8 GiB and 2 devices of one type on one node, and half of that on another one."""
    tree = [account(1, "root", 1, 0), user(2, "ada", "root", 1, 0)]
    shares = (Share("n1", 4, 8192, "gpu:a100:2(IDX:0-1)"), Share("n2", 2, 4096, "gpu:1"))
    job = attrs.evolve(running(1, [1, 2], 600), shares=shares)
    capture = sharing([job], tree)
    weights = {
        "cpu": 1.0,
        "mem": 0.25 / 1024,
        "gres/gpu": 2.0,
        "gres/gpu:a100": 1.0,
        "license/x": 9.0,
        "node": 5.0,
    }
    part = attrs.evolve(capture.partitions[0], billing=weights)
    capture = attrs.evolve(capture, partitions=(part,))
    assert Bills(capture).of(job)[1] == 6 + 3 + 6 + 2 + 10
    settings = attrs.evolve(capture.settings, greatest_billing=True)
    assert Bills(attrs.evolve(capture, settings=settings)).of(job)[1] == 10


def test_what_was_used_is_forgotten_and_a_running_job_charges_at_each_calculation() -> None:
    """ada's usage halves in 600 s; grace's job of four CPUs overtakes it, and then ada's job starts first."""
    tree = [
        account(1, "root", 1, 4000), user(2, "ada", "root", 1, 4000), user(3, "grace", "root", 1, 0),
    ]  # fmt: skip
    jobs = [
        running(1, [1, 2], 3000, user="grace", association=3, begin=NOW),
        waiting(2, 2, 10, user="grace", association=3, priority=2000),
        waiting(3, 2, 10, user="ada", association=2, priority=1500),
    ]
    capture = sharing(jobs, tree)
    usage = [standing_at(capture, NOW + each) for each in (0, 59, 60, 600)]
    assert [round(each.usage[2]) for each in usage if each] == [4000, 4000, 3732, 1999]
    assert [round(each.usage[3]) for each in usage if each][:3] == [0, 0, round(60 * 8 * 0.998845**60)]
    found = [[Priorities(capture, NOW + each).of(job, "batch") for job in jobs[1:]] for each in (0, 299, 600)]
    assert found == [[2000, 1500], [2000, 1500], [1500, 2000]]
    history = History(capture, NOW)
    foreseen = coming(history)
    assert history.next(lambda moment: moment.what is Happening.PRIORITIES)
    assert history.moment is not None and history.moment.subjects == ("3",)
    at = history.time
    assert (foreseen.what, foreseen.change, foreseen.changing) == (Happening.PRIORITIES, at, ("3",))
    shown = [(row.job, row.priority) for row in Boards(history).board(history.number).rows]
    assert shown == [("3", 2000), ("2", 1500)]
    assert (at - NOW) % 60 == 0 and Priorities(capture, at - 1).of(jobs[2], "batch") == 1500
    starts = [event.job for event in OverTime(capture, NOW).events() if event.starts]
    assert starts == ["3", "2"]


def test_points_of_sprio_are_where_fair_share_begins() -> None:
    """ada has 250 points by `sprio`; the next calculation gives her 500 of 1000."""
    tree = [account(1, "root", 1, 9), user(2, "ada", "root", 1, 9), user(3, "grace", "root", 1, 0)]
    job = waiting(2, 2, 10, association=2, priority=900, factors={"batch": {Factor.FAIR_SHARE: 250}})
    capture = sharing([running(1, [1, 2], 3000, association=2), job], tree)
    assert [Priorities(capture, NOW + each).of(job, "batch") for each in (0, 60)] == [900, 1150]


def test_nothing_is_calculated_once_no_job_charges() -> None:
    """What fades does so in proportion. A job that has ended since the last one moves the next one."""
    tree = [account(1, "root", 1, 9), user(2, "ada", "root", 1, 9)]
    held = waiting(2, 2, 10, association=2)
    idle = sharing([held], tree)
    assert next_calculation(idle, idle.jobs, NOW + 5) is None
    moved = charged(idle, running(1, [1], 9, association=2, begin=NOW), NOW + 5)
    assert next_calculation(moved, moved.jobs, NOW + 5) == NOW + 60
    assert next_calculation(moved, moved.jobs, NOW + 60) is None


def quotas(random: Random) -> dict[str, Any]:
    """Sometimes a limit on what has been used, which is soon reached or free again."""
    if random.random() < 0.7:
        return {}
    name, resource = random.choice(
        [("GrpWall", ""), ("GrpTRESMins", "cpu"), ("GrpTRESMins", "node"), ("GrpTRESMins", "billing")]
    )
    most = random.randint(0, 120)
    return {"limits": {(name, resource): most}, "used": {(name, resource): random.randint(0, 150)}}


def shared(seed: int) -> Capture:
    """A random cluster whose jobs are of users that share it."""
    capture, random = capture_of(seed), Random(seed)
    tree = [account(1, "root", 1, 0)]
    for id_, name, parent in ((2, "a", "root"), (3, "b", "root"), (4, "c", "a")):
        tree.append(account(id_, name, random.choice([1, 1, 3, None, 0]), 0, parent))
    for id_ in range(5, 12):
        used = random.choice([0, 0, 500, 500, random.randint(1, 9000)])
        shares = random.choice([1, 1, 2, 5, None])
        tree.append(user(id_, f"u{id_}", random.choice(["root", "a", "b", "c"]), shares, used))
    usage = {each.id: each.usage or 0.0 for each in tree}
    accounts = {each.account: each.id for each in tree if not each.user}
    for each in reversed(tree):
        above = accounts.get(each.account if each.user else each.parent)
        if above is not None:
            usage[above] += usage[each.id]
    tree = [attrs.evolve(each, **quotas(random)) for each in tree]
    weights = random.choice([{}, {"cpu": 1.0, "mem": 0.001}])
    share = FairShare(
        random.choice([0, 300, 2000]),
        random.choice([0, 600, 600, 86_400]),
        capture.settings.calculation_period or 60,
        tree=random.random() < 0.5,
        dampening=random.choice([1, 3]),
    )
    jobs = [attrs.evolve(job, association=random.randint(5, 12)) for job in capture.jobs]
    flags = frozenset(("NO_DECAY",) if random.random() < 0.5 else ())
    twice = Quality("twice", 0, (), {}, usage_factor=2.0, flags=flags)
    qualities = (*capture.qualities, attrs.evolve(twice, **quotas(random)))
    jobs = [attrs.evolve(job, qos=random.choice([job.qos, "twice"])) for job in jobs]
    settings = attrs.evolve(capture.settings, priority="priority/multifactor", fair_share=share)
    settings = attrs.evolve(settings, greatest_billing=random.random() < 0.3)
    return attrs.evolve(
        capture,
        jobs=tuple(jobs),
        settings=settings,
        associations=tuple(attrs.evolve(each, usage=usage[each.id]) for each in tree),
        partitions=tuple(attrs.evolve(each, billing=weights) for each in capture.partitions),
        qualities=qualities if not capture.qualities else capture.qualities,
        calculated=capture.calculated or NOW - random.randint(0, 59),
    )


def test_the_factors_of_random_trees_are_those_of_the_naive_program() -> None:
    """Fair Tree and the classic ones, also of accounts and users with the shares of their account."""
    for seed in range(200):
        capture = with_calculation(shared(seed), NOW)
        theirs = begun(capture).standing
        assert capture.standing is not None and theirs is not None
        assert capture.standing.factors == pytest.approx(theirs.factors, rel=1e-12), seed


@pytest.mark.parametrize("seed", every(4, range(CLUSTERS)))
def test_no_event_differs_on_random_clusters(seed: int) -> None:
    """Every end, submission and start of 50 minutes, with its nodes."""
    capture = shared(seed)
    theirs = NaiveOverTime(capture, NOW).run(NOW + AHEAD)
    events = takewhile(lambda event: event.at <= NOW + AHEAD, OverTime(capture, NOW).events())
    ours = [as_naive(event) for event in events]
    assert ours == theirs[: len(ours)]
    assert not [event for event in theirs[len(ours) :] if event.what != "end"]


@pytest.mark.parametrize("seed", [1, 4])
def test_a_cluster_at_a_position_has_the_usage_of_then(seed: int) -> None:
    """After steps back and forth, and in a fork that is followed on its own."""
    capture = shared(seed)
    history, over_time = History(capture, NOW), OverTime(capture, NOW)
    fork = over_time.fork()
    standings = [moment.standing for moment in over_time.moments(NOW + AHEAD)]
    assert [moment.standing for moment in fork.moments(NOW + AHEAD)] == standings
    assert len({id(each) for each in standings}) > 2
    for position in (len(standings), 1, len(standings) // 2):
        assert history.go_event(position)
        assert history.capture_at(position).standing == standings[position - 1]
    assert history.capture_at(0).standing == with_calculation(capture, NOW).standing
