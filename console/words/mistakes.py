"""What is wrong with a wrong choice: a sentence for each misconception."""

from collections.abc import Mapping

from shadowtime.console.session.training import Mistaken
from shadowtime.console.words.questions import cluster, odds
from shadowtime.console.words.units import Unit

MISTAKES: Mapping[str, str] = {
    # Which job starts next.
    "larger_than_free": "job {job} needs more {units} than are free",
    "took_head": "job {job} heads the queue; that alone starts no job: it must also fit, and be its turn",
    "took_smallest": "job {job} is the smallest that waits; small size alone does not let a job pass",
    "took_shortest": "job {job} has the shortest estimate that waits; a short estimate alone does not let a"
    " job pass",
    "took_queued": "job {job} waits, but another one may start before it",
    "has_its_nodes": "job {job} has {units} already; a job that waits is to start",
    "took_nobody": "a job does start: at least one fits, and may start under this policy",
    # When a job starts.
    "fits_not_now": "at {at} too few {units} are free for job {job}",
    "may_not_now": "at {at} enough {units} are free for job {job}, but the policy keeps them for others, or"
    " for later",
    "not_now": "at {at} job {job} gets no {units} yet",
    "too_few_then": "at {at} a job ends, and too few {units} are free for job {job} all the same",
    "others_before_it": "at {at} enough {units} come free for job {job}, but others take them first, or"
    " have reserved them",
    "start_of_another": "{at} is the start of job {job}, not of the job in question",
    "end_of_another": "{at} is the end of job {job}; the job in question does not wait for it alone",
    "waits_too_long": "{at} is the end of job {job} by its estimate; enough {units} are free before",
    "end_if_started_now": "job {job} would end at {at} if it started now: that is an end, not a start",
    "its_own_end": "{at} is the end of job {job} by its estimate, not its start",
    "started_before": "job {job} starts before {at}",
    "starts_never": "job {job} has no start that is known, whoever ends at {at}",
    # What happens next.
    "ends_later": "by its estimate job {job} ends later than that: the earliest end comes first",
    "does_not_run": "job {job} does not run now, so it does not end next",
    "slot_ends_later": "the time slot ends later than that",
    "no_job_comes": "nobody knows of a job that is to come: what runs is due to end",
    "something_is_due": "something is due: a job runs, or a time slot is under way",
    # Who is preempted.
    "somebody_is_stopped": "a job is stopped: its turn is over, or another job gets its {units}",
    "nobody_is_stopped": "job {job} keeps its {units}: nothing that is known stops a job",
    "keeps_its_nodes": "job {job} is not among those that are stopped first",
    # In which state a job is.
    "has_nodes_already": "it waits no longer: it has its {units} after the pass",
    "does_not_run_yet": "it does not run: the pass gives it no {units} to run on",
    "runs_no_more": "it ran, and does not run any more",
    "state_N": "N is a job that has not started; this one has been started",
    "state_W": "W is a job that has a place in a row and waits for its turn",
    "state_i": "i is a job that is being brought in",
    "state_S": "S is a job that an operator has suspended",
    "state_o": "o is a job that is being saved",
    "state_O": "O is a job that was stopped before its end; this one was not",
    "state_H": "H is a job that an operator holds",
    "state_F": "F is a job that is over; this one is not",
    "other_state": "that letter is the state of another job",
    # What the screen shows.
    "counted_busy": "that is the number of {units} that are busy",
    "counted_down": "{units} that are out of service are not free",
    "counted_all": "that is the whole machine",
    "counted_after_pass": "so many are free after the pass of this instant, which is still to come",
    "size_of_head": "that is how many {units} job {job} needs, which heads the queue",
    "counted_jobs": "that adds the number of running jobs to the free {units}",
    "holds_others": "job {job} runs on other {units}",
    "has_no_nodes": "job {job} waits: it has no {units} yet",
    "node_is_held": "the {unit} is not free: a job has it",
    "from_submission": "the estimate counts from the start of job {job}, not from its submission",
    "from_now": "the estimate counts from the start of job {job}, not from now",
    "is_its_start": "that is when job {job} has started",
    "ends_another": "that is the end of job {job}",
    "took_the_clock": "that is the time since the run began; job {job} was submitted later",
    "took_submission": "that is when job {job} was submitted, not how long ago",
    "took_estimate": "that is the estimate of job {job}: how long it may run",
    "waited_by_another": "so long job {job} has waited",
    "took_utilization": "that is the share of the whole time so far, not of this moment",
    "took_utilization_now": "that is the share of this moment, not of the whole time so far",
    "took_backfill_ratio": "that is the share of the started jobs that were backfilled",
    "took_the_rest": "that is the share that is idle",
    "took_share_of_jobs": "that is the share of the jobs that run; the metric counts {units}",
    "took_running": "so many jobs run; those that wait are counted",
    "took_queue_length": "so many jobs wait; those that run are counted",
    "took_free_nodes": "that is the number of free {units}",
    "took_all_jobs": "so many jobs have been submitted in all",
    "took_their_nodes": "the waiting jobs need so many {units} together; the metric counts jobs",
    "took_mean_response": "that is the mean response: a wait and the run after it",
    "took_mean_wait": "that is the mean wait: without the run after it",
    "took_the_sum": "that is the sum of all waits, not their mean",
    "took_the_longest": "that is the longest wait",
    "took_all_submitted": "that divides by all submitted jobs; only started jobs count",
    "is_to_come": "that is still to come, at {at}",
    "was_before": "that was before, at {at}",
    # Why a job waits.
    "not_the_head": "it is not the first job of the queue, so it is not the head",
    "is_the_head": "it is the first job of the queue: it is the head itself",
    "it_fits": "its size is at most the number of free {units}: there is room for it",
    "it_does_not_fit": "its size is more than the number of free {units}: there is no room for it now",
    "delays_nobody": "the head would start no later: it would end by the shadow time, or needs extra"
    " {units} only",
    "a_later_one_runs": "a job that came later runs already: the order of arrival does not decide",
    "policy_lets_pass": "under this policy jobs may pass the head",
    "no_reservations": "this policy makes no reservations",
    "only_the_head": "this policy makes a reservation for the head alone, and it is not the head",
    "no_turns": "jobs do not take turns under this policy: there are no rows",
    "has_a_row": "it has its place in a row already",
    "is_first_in_line": "no job stands before it in the queue",
    "nobody_holds_it": "no operator holds it",
    "enough_in_service": "enough {units} are in service for it",
    "machine_is_large_enough": "the machine has enough {units} for it",
    # Why a job may run.
    "passed_the_head": "it is not the head: a job before it still waits",
    "had_its_place": "it had its place in the matrix before: no queue decides that",
    "was_the_head": "no job was before it: it was the head itself",
    "no_shadow": "where rows take turns there is no shadow time",
    "ends_after_shadow": "by its estimate it ends after the shadow time",
    "ends_in_time": "by its estimate it ends by the shadow time, and needs no extra {units}",
    "stopped_nobody": "no job was stopped for it",
    "row_of_others": "the row that has the machine is not its own",
    "its_own_row": "the row that has the machine is its own",
    # Rows, blocks, limits, reviews and actions.
    "row_without_it": "that row is not the one of job {job}: the packing takes another",
    "no_such_row": "there is no row of that number",
    "other_nodes": "job {job} has other {units}",
    "other_block": "that block is not the one of job {job}",
    "no_such_block": "no block of that size begins there",
    "limit_is_kept": "with it that limit is still kept",
    "a_limit_is_exceeded": "one limit at least is exceeded with it",
    "not_in_force": "the review decides otherwise",
    "no_candidate": "the review does not choose among others than its candidates",
    "delayed_less": "job {job} is delayed, but another one more",
    "not_delayed": "job {job} is not delayed",
    "somebody_is_delayed": "a job is delayed",
    "refused": "that action is refused",
    "too_late_all_the_same": "with that action job {job} does not start in time either",
    "held_before": "NQS holds it, so that the scheduler does not look at it",
    "not_held": "NQS does not hold it",
    "may_be_disturbed": "no job on the machine is in its do-not-disturb time",
    "no_claim_of_others": "no other job has a claim to a block",
    "all_lower": "every job with a block is of lower priority, and may be preempted",
    "no_reservation": "it has not reserved a block",
    "nothing_cleared": "no block is assigned to it",
    "not_saved": "it is not being saved",
    "all_before_fit": "no job before it needs more {units} than are free",
    "waited_less": "no job before it has waited longer than the limit",
    "no_prime_time": "prime time is over",
    "short_enough": "it is so short that it may start at any time",
    "small_enough": "it is not too large for prime time",
    "not_too_long": "it is not too long for prime time",
    "reserve_is_free": "as many {units} are free as prime time keeps",
    **odds.MISTAKES,
    "no_operator": "no operator does anything in this lesson",
}
"""A sentence by the code of a misconception. `{job}` and `{at}` stand for its numbers."""


def mistaken(part: Mistaken, unit: Unit) -> str:
    if part.code in cluster.MISTAKES:
        return cluster.mistaken(part)
    at = "" if part.time is None else unit.instant(part.time)
    return MISTAKES[part.code].format(job=part.job, at=at, unit=unit.one, units=unit.several)
