"""What holds for every workload on the naive T3D, whatever the operator does."""

import random
from collections.abc import Iterator
from itertools import combinations, pairwise

import pytest

from tests.oracles.torus.classes import NEVER_PREEMPTED, Rules
from tests.oracles.torus.machine import loading_time, overlap, saving_time
from tests.oracles.torus.t3d import Change, watch
from tests.oracles.torus.workloads import T3DCase, random_case, random_nqs_case

MOVES = {"NW", "Ni", "Wi", "WN", "WO", "iR", "Ro", "RF", "oO", "oS", "OW", "Oi", "OS", "WS", "SO"}


class Run:
    """A case, what became of it, and all moments of its run."""

    def __init__(self, case: T3DCase) -> None:
        self.case = case
        self.rules = Rules(**{key: value for key, value in case.rules.items() if key != "nqs"})
        self.outcome, self.moments = watch(case.jobs, case.actions, **case.rules)

    def story(self, job: int) -> list[Change]:
        """The changes of a job."""
        return [change for change in self.outcome.history if change.job == job]

    def class_at(self, job: int, now: int) -> str:
        """The class of a job at an instant with a pass."""
        return next(moment.classes[job] for moment in self.moments if moment.now == now)


@pytest.fixture(scope="module")
def runs() -> list[Run]:
    """Workloads of all kinds with the operator's actions, some behind NQS."""
    rng = random.Random(31)
    return [Run(random_case(rng)) for _ in range(50)] + [Run(random_nqs_case(rng)) for _ in range(5)]


def saves(runs: list[Run]) -> Iterator[tuple[Run, int, int, int]]:
    """All preemptions: the instant, who was preempted, and for whom."""
    for run in runs:
        for save in run.outcome.saves:
            if save.by is not None:
                yield run, save.at, save.job, save.by


@pytest.mark.proof
def test_only_the_moves_of_the_text_are_made(runs: list[Run]) -> None:
    """And a cancel, from anywhere. Every one of them happens in these workloads."""
    seen = set()
    for run in runs:
        for job in range(len(run.case.jobs)):
            states = [change.state for change in run.story(job)]
            assert states == [] or states[0] in ("N", "C")
            seen |= {before + after for before, after in pairwise(states) if after != "C"}
    assert seen == MOVES


def test_nobody_is_preempted_who_may_not_be(runs: list[Run]) -> None:
    """Neither before the do-not-disturb time is over, nor a debug or benchmark job."""
    count = 0
    for run, at, job, _ in saves(runs):
        entered = max(change.at for change in run.story(job) if change.state == "R" and change.at <= at)
        klass = run.class_at(job, at)
        assert klass not in NEVER_PREEMPTED
        assert at >= entered + run.rules.rule(klass).do_not_disturb * run.case.jobs[job].size
        count += 1
    assert count > 100


def test_nobody_is_preempted_for_a_job_that_is_worth_less(runs: list[Run]) -> None:
    """Among equals only for the job that has the reservation when the pass is over."""
    equals = 0
    for run, at, job, by in saves(runs):
        preempted, rival = (run.rules.priority(run.class_at(other, at), at) for other in (job, by))
        reserved = next(moment.reserved for moment in run.moments if moment.now == at)
        assert rival > preempted or (rival == preempted and reserved == by)
        equals += rival == preempted
    assert equals > 10


def test_no_processor_has_two_jobs(runs: list[Run]) -> None:
    """Nor is it assigned to two, nor assigned to one while it is idle for all of its block."""
    for run in runs:
        for moment in run.moments:
            places = [
                (state, block) for state, block in zip(moment.states, moment.blocks, strict=True) if block
            ]
            for kinds in ("iRo", "W"):
                mine = [block for state, block in places if state in kinds]
                assert not any(overlap(one, other) for one, other in combinations(mine, 2))
            for state, block in places:
                assert state in "WiRo"
                held = [other for kind, other in places if kind != "W" and overlap(block, other)]
                assert held


def test_the_reservation_is_one_job_that_waits_for_its_block(runs: list[Run]) -> None:
    """It is in W; all that run or are loaded in its block may be preempted for it, sooner or later."""
    reservations = 0
    for run in runs:
        for moment in run.moments:
            job = moment.reserved
            if job is None:
                continue
            block = moment.blocks[job]
            assert moment.states[job] == "W"
            assert block is not None
            mine = run.rules.priority(moment.classes[job], moment.now)
            for other, theirs in enumerate(moment.blocks):
                if moment.states[other] in ("i", "R") and theirs is not None and overlap(block, theirs):
                    assert run.rules.priority(moment.classes[other], moment.now) <= mine
                    assert moment.classes[other] not in NEVER_PREEMPTED
            reservations += 1
    assert reservations > 100


def test_a_job_never_loaded_gets_no_block_past_the_system_limit(runs: list[Run]) -> None:
    """All that have a block, or had one, never pass the limit together."""
    tight = 0
    for run in runs:
        sizes = [job.size for job in run.case.jobs]
        for moment in run.moments:
            standing = [
                size for size, state in zip(sizes, moment.states, strict=True) if state in tuple("WiRoOS")
            ]
            assert sum(standing) <= run.rules.system_limit
            tight += sum(standing) == run.rules.system_limit
    assert tight > 10


def test_the_limits_of_pass_2_hold_for_those_it_loads(runs: list[Run]) -> None:
    """With strict limits they hold for everybody that is loaded, at the moment when that begins."""
    for run in (run for run in runs if run.rules.strict_limits):
        for moment in run.moments:
            rows = [
                (job, moment.classes[job])
                for job in range(len(run.case.jobs))
                if moment.states[job] in ("W", "i", "R", "o")
            ]
            for job, klass in rows:
                if any(load.at == moment.now for load in run.outcome.loads[job]):
                    mine = sum(run.case.jobs[other].size for other, theirs in rows if theirs == klass)
                    assert mine <= run.rules.rule(klass).limit


def test_a_job_keeps_its_wire_once_it_was_loaded(runs: list[Run]) -> None:
    """Every load of a job is on the same wire, and it never has another one in between."""
    for run in runs:
        for job, loads in enumerate(run.outcome.loads):
            if loads:
                later = {moment.wires[job] for moment in run.moments if moment.now >= loads[0].at}
                assert later == {load.wire for load in loads} == {loads[0].wire}
                assert loads[0].wire in range(4)


def test_a_job_without_a_wire_was_never_given_a_block(runs: list[Run]) -> None:
    """New jobs have none; W, i, R, o, O and S have one."""
    for run in runs:
        for moment in run.moments:
            for state, wire in zip(moment.states, moment.wires, strict=True):
                assert state in ("F", "C") or (wire is not None) == (state in tuple("WiRoOS"))


def test_progress_is_the_runtime(runs: list[Run]) -> None:
    """The seconds in R of a job that has finished are its runtime, no more and no less."""
    finished = 0
    for run in runs:
        for job, finish in enumerate(run.outcome.finishes):
            story = run.story(job)
            progress = sum(after.at - before.at for before, after in pairwise(story) if before.state == "R")
            if finish is not None:
                assert progress == run.case.jobs[job].runtime
                assert story[-1] == (finish, job, "F")
                finished += 1
            else:
                assert progress < run.case.jobs[job].runtime
    assert finished > 500


def test_transfers_take_their_time(runs: list[Run]) -> None:
    """Side by side, the first loading lasts size/2, and every save and restore 15/16 of the size."""
    for run in (run for run in runs if run.rules.io == "parallel"):
        for job, row in enumerate(run.case.jobs):
            lengths = [
                (before.state, after.at - before.at)
                for before, after in pairwise(run.story(job))
                if before.state in ("i", "o") and after.state != "C"
            ]
            loads = [length for state, length in lengths if state == "i"]
            assert loads[:1] in ([], [loading_time(row.size)])
            assert set(loads[1:]) <= {saving_time(row.size)}
            assert {length for state, length in lengths if state == "o"} <= {saving_time(row.size)}


def test_the_storage_is_never_overfull(runs: list[Run]) -> None:
    """Saved and suspended jobs, and those on the way there or back, have room for their states."""
    for run in runs:
        stored = dict.fromkeys(range(len(run.case.jobs)), 0)
        for change in run.outcome.history:
            if change.state == "o":
                stored[change.job] = run.case.jobs[change.job].size
            elif change.state in ("R", "F", "C"):
                stored[change.job] = 0
            assert sum(stored.values()) <= run.rules.storage


def test_preemptions_are_the_saves_that_the_user_did_not_ask_for(runs: list[Run]) -> None:
    """Every save is a change to o, and is counted if it was for another job."""
    for run in runs:
        changes = sorted((change.at, change.job) for change in run.outcome.history if change.state == "o")
        assert changes == sorted((save.at, save.job) for save in run.outcome.saves)
        for job, count in enumerate(run.outcome.preemptions):
            assert count == sum(save.job == job and save.by is not None for save in run.outcome.saves)


def test_whoever_is_left_at_the_end_cannot_go_on(runs: list[Run]) -> None:
    """Without suspended jobs and strict limits all are over but the too large and those turned away."""
    for run in runs:
        last = {change.job: change.state for change in run.outcome.history}
        if "S" in last.values() or run.rules.strict_limits:
            continue
        most = min(run.rules.job_limit, run.rules.system_limit)
        for job, row in enumerate(run.case.jobs):
            over = last.get(job) in ("F", "C")
            assert over or row.size > most or job in run.outcome.turned_away
