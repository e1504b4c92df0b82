"""The words of an impact: nodes that go out of service, and marks."""

from shadowtime.console.session.impact.advice import Advised, Counted
from shadowtime.console.session.impact.impact import Impact
from shadowtime.console.session.impact.outlook import LikelyMoves, Stay, Vacated
from shadowtime.console.session.impact.rows import START, JobChange, likely_change
from shadowtime.console.session.slurm.guard.caveat import Caveat, Left
from shadowtime.console.words.impact import advised, cells, headings, marked, report, vacated

STAYS = tuple(Stay(str(job), "ada", f"n{job}", 9000 - job) for job in range(1, 8))


def test_a_drain_says_when_its_nodes_are_empty_and_who_is_there_until_then() -> None:
    """Or that nobody is."""
    assert list(vacated(Vacated("n[1-2]", 60, ()), 60)) == ["n[1-2]: no job runs there"]
    assert list(vacated(Vacated("n[1-2]", 60, STAYS[:1]), 0)) == [
        "n[1-2] from 0d 00:01:00: empty at 0d 02:29:59 at the latest",
        "there until then: job 1 of ada on n1 until 0d 02:29:59",
    ]


def test_a_reservation_says_who_is_still_there_when_it_begins() -> None:
    """Five jobs are named."""
    found = list(vacated(Vacated("n[1-7]", 60, STAYS, "night", 120), 60))
    assert found[0] == (
        "night: n[1-7] from 0d 00:01:00 until 0d 00:02:00:"
        " 7 jobs still there when it begins, empty at 0d 02:29:59 at the latest"
    )
    assert found[1].endswith("job 5 of ada on n5 until 0d 02:29:55, and 2 more")
    assert list(vacated(Vacated("n1", 60, (), "night", 120), 60)) == [
        "night: n1 from 0d 00:01:00 until 0d 00:02:00: no job runs there when it begins"
    ]


def test_marked_rows_are_counted() -> None:
    """Both instants have the sign."""
    rows = (
        JobChange(0, 1, "ada", 1, START, 60, None, (Caveat(Left.SHARING),)),
        JobChange(1, 2, "ada", 1, START, 60, 120, ()),
    )
    found = Impact(0, 0, ("hold 1",), frozenset(), rows, 0)
    assert marked(found) == "~ marks 1 row of 2: the plan leaves something out"
    assert cells(rows[0])[3:5] == ("0d 00:01:00~", "never~")
    assert cells(rows[1])[3:5] == ("0d 00:01:00", "0d 00:02:00")
    assert marked(Impact(0, 0, ("hold 1",), frozenset(), rows[1:], 0)) == ""


def test_the_instants_of_a_row_stand_with_the_change_between_them() -> None:
    """Both are those at the limits: not what the likely change leads from and to."""
    likely = likely_change([0.0] * 25, [600.0] * 25, waits=True)
    row = JobChange(1, 2, "ada", 1, START, 60, 120, (), likely)
    found = Impact(0, 0, ("hold 1",), frozenset(), (row,), 0, odds=LikelyMoves(samples=25))
    shown = dict(zip(headings(found), cells(row), strict=True))
    assert list(shown)[-3:] == ["before", "after", "at the limits"]
    assert (shown["likely"], shown["at the limits"], shown["after"]) == (
        "10m00s later",
        "1m00s later",
        "0d 00:02:00",
    )


def test_an_action_with_an_instant_is_asked_about_at_another() -> None:
    for do, words in (
        (("drain 0",), "drain 0 at 0d 00:01:00, after event 3:"),
        (
            ("drain 0 at 15:00", "up 0 at +1h"),
            "drain 0 at 15:00; up 0 at +1h, asked at 0d 00:01:00, after event 3:",
        ),
    ):
        assert report(Impact(3, 60, do, frozenset(), (), 0))[0] == words


def test_a_deadline_says_which_start_it_counts_from() -> None:
    """The likely one or that at the limits; one that is over is now."""
    for counted, words in (
        (Counted(4200, True, 3600), "0d 00:10:00 (1h00m before its likely start, 0d 01:10:00)"),
        (Counted(4200, False, 3600), "0d 00:10:00 (1h00m before its start at the limits, 0d 01:10:00)"),
        (Counted(700, True, 3600), "0d 00:10:00 (now: 1h00m before its likely start, 0d 00:11:40, is over)"),
    ):
        found = Advised(9, 600, 7, 600, 9000, (), 3, counted=counted)
        assert advised(found).endswith(f"starts it by {words}")
