"""Whether what is said of a wrong choice is true: recomputed naively from lists, for jobs that share space.

A code that is not judged here gives None.
"""

from tests.oracles.training.statements import Situation, head_starts, idle


def true_of_time(here: Situation, job: int, code: str, at: int, right: int, before: int) -> bool | None:
    """What is said of an instant at which a job does not start; `before` nodes are idle before the pass."""
    size, estimate = here.jobs[job].size, here.jobs[job].estimate
    given = idle(here) + sum(here.jobs[other].size for other, end in here.running if end <= at)
    ends = {end for _, end in here.running}
    free = idle(here) if right > here.now else before
    judged = {
        "fits_not_now": at == here.now and size > free,
        "may_not_now": at == here.now and size <= free,
        "too_few_then": at in ends and at < right and given < size,
        "others_before_it": at in ends and at < right and given >= size,
        "waits_too_long": at in ends and at > right,
        "end_if_started_now": at == here.now + estimate,
        "its_own_end": at == right + estimate,
        "started_before": at > right,
    }
    return judged.get(code)


def true_of_job(before: Situation, job: int, code: str, jobs: list[int]) -> bool | None:
    """What is said of a job that does not start next; `jobs` are those that may be named."""
    known = before.jobs
    judged = {
        "larger_than_free": known[job].size > idle(before),
        "took_head": before.queue[:1] == [job],
        "took_smallest": all(known[job].size <= known[other].size for other in jobs),
        "took_shortest": all(known[job].estimate <= known[other].estimate for other in jobs),
        "took_queued": True,
        "has_its_nodes": any(other == job for other, _ in before.running),
    }
    return judged.get(code)


def true_of_reason(here: Situation, job: int, code: str) -> bool | None:
    """What is said of a reason for which a job does not wait; `here` is the machine after the pass."""
    fits, heads = here.jobs[job].size <= idle(here), here.queue[0] == job
    judged = {
        "not_the_head": not heads,
        "is_the_head": heads,
        "it_fits": fits,
        "it_does_not_fit": not fits,
        "a_later_one_runs": any(other > job for other, _ in here.running),
        "policy_lets_pass": here.policy != "fcfs",
        "no_reservations": here.policy == "fcfs",
        "only_the_head": here.policy == "easy" and not heads,
        "no_turns": True,
        "nobody_holds_it": True,
        "enough_in_service": here.jobs[job].size <= here.nodes,
        "machine_is_large_enough": here.jobs[job].size <= here.nodes,
    }
    if code == "delays_nobody":
        return not heads and fits and head_starts(here, job) == head_starts(here)
    return judged.get(code)
