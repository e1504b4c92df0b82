"""The words of the plan of a captured cluster."""

import pytest

from shadowtime.console.session.slurm.guard.beside import Apart, Beside
from shadowtime.console.session.slurm.guard.caveat import Caveat, Left
from shadowtime.console.session.slurm.limits import Reached
from shadowtime.console.words.plan import (
    apart_words,
    beside_words,
    kept_out_words,
    left_out_words,
    limit_words,
    marked_lanes,
    marks_words,
    note_words,
    reason_words,
)
from shadowtime.kernels.slurm.records import Measure

SHARING = (Caveat(Left.SHARING),)


def test_what_a_reason_means() -> None:
    """The longest beginning that is known counts; of another nothing is said."""
    assert reason_words("PartitionDown") == ": its partition is down"
    assert reason_words("AssocGrpCpuLimit") == ": a limit of its account or its user"
    assert "no more nodes" not in reason_words("QOSGrpNodeLimit") and reason_words("QOSGrpNodeLimit")
    assert reason_words("SomethingNew") == ""


def test_a_note_that_is_a_reason_says_whose_it_is() -> None:
    """Other notes stay."""
    assert note_words("Slurm: PartitionDown") == "PartitionDown: its partition is down (Slurm's reason)"
    assert note_words("cannot be scheduled") == "cannot be scheduled"


@pytest.mark.parametrize(
    ("reached", "words"),
    [
        (Reached("GrpTRES node", Measure.HELD, 8, "user ada", 4, 6), "node=8 of user ada: 6 held, 4 wanted"),
        (Reached("MaxTRESPU mem", Measure.HELD, 9, "QOS x", 4, None), "mem=9M of QOS x: 4M wanted"),
        (Reached("GrpJobs", Measure.JOBS, 2, "account a", 1, 2), "GrpJobs=2 of account a: 2 run"),
        (Reached("MaxTRESPN cpu", Measure.BY_NODE, 2, "QOS x", 4, None), "QOS x: 4 wanted of one node"),
        (
            Reached("MaxTRESMinsPJ cpu", Measure.MOST_MINUTES, 2, "x", 4, None),
            "wanted, each times its minutes",
        ),
    ],
)
def test_a_limit_has_its_value_its_owner_and_its_use(reached: Reached, words: str) -> None:
    """Of a limit on one job there is no other use."""
    assert limit_words(reached).endswith(words)


def test_jobs_that_are_not_in_the_queue_are_a_line_for_each_reason() -> None:
    """In their order."""
    kept_out = [("3", "partition p is DOWN"), ("4", "a limit"), ("5", "partition p is DOWN")]
    assert list(kept_out_words(kept_out)) == [
        "not in the queue: jobs 3, 5: partition p is DOWN",
        "not in the queue: job 4: a limit",
    ]


def test_marks_are_a_line_each_with_the_jobs() -> None:
    """Rows that rest on others last; a job is named once, and of many some."""
    rows = [
        ("9", (Caveat(Left.NEVER, ("its partition refuses it",)),)),
        ("8", (Caveat(Left.RESTS, ("7",)),)),
        ("7", SHARING),
        ("7", SHARING),
    ]
    rows += [(str(job), (Caveat(Left.RESTS, ("8",)),)) for job in range(10, 17)]
    assert list(marks_words(rows)) == [
        "never starts: its partition refuses it: job 9",
        "without oversubscription: job 7",
        "rest on marked rows: jobs 8, 10, 11, 12, 13, 14 and 2 more",
    ]


def test_what_all_starts_leave_out_stands_before_what_some_do() -> None:
    """A caveat that marks a job is not one of all."""
    marked = [("7", SHARING), ("8", (Caveat(Left.RESTS, ("7",)),)), ("9", ())]
    assert list(left_out_words((*SHARING, Caveat(Left.TOPOLOGY, ("tree",))), marked)) == [
        "not in this plan: topology tree",
        "~ without oversubscription: job 7",
        "~ rest on marked rows: job 8",
    ]
    lanes = marked_lanes(("slurm", "easy"), ({"marks": {"7": SHARING}}, {}))
    assert list(lanes) == ["slurm: ~ without oversubscription: job 7"]


def test_the_jobs_that_differ_from_slurm_are_counted_and_the_first_is_named() -> None:
    """With its starts where they can be written; nothing is said if nothing could be compared."""
    apart = Apart("31", None, 60, "Resources")
    assert beside_words(Beside()) == ""
    assert beside_words(Beside(4, age=9)) == "0 of 4 jobs differ from Slurm's last cycle, 9s before"
    assert beside_words(Beside(4, (apart,), 9, 1, 2), str).endswith("since then 1 job started, 2 submitted")
    assert beside_words(Beside(4)) == "0 of 4 jobs differ from Slurm's last cycle"
    assert beside_words(Beside(4, (apart,))) == "1 of 4 jobs differ from Slurm's last cycle, first job 31"
    assert beside_words(Beside(4, (apart,)), str).endswith("first job 31: here no start, Slurm 60, Resources")
    assert apart_words(Apart("3", 7, None, "None"), str) == "job 3: here 7, Slurm no start, None"
