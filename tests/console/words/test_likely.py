"""Likely starts in words."""

import attrs
import pytest

from shadowtime.console.session.clock import ELAPSED
from shadowtime.console.session.facts import LikelyStart, Prediction, TrackRecord
from shadowtime.console.session.jobs.history import Life
from shadowtime.console.session.likely.starts import LikelyStarts
from shadowtime.console.session.nodes.whereabouts import Holder, Idle, Whereabouts
from shadowtime.console.session.slurm.likely.odds import Likely
from shadowtime.console.words import likely, nodes
from shadowtime.console.words.cluster import likely as cluster

MANY = TrackRecord(200, 158)


def start(early: int | None, middle: int | None, late: int | None, record: TrackRecord = MANY) -> LikelyStart:
    return LikelyStart(early, middle, late, 100, True, 7, record)


def test_the_sentence_has_the_odds_the_limits_and_how_such_forecasts_held() -> None:
    expected = Prediction(85_200, "expected", 7)
    assert likely.sentence(start(45_000, 51_000, 64_800), expected, 43_800, 7, ELAPSED) == (
        "likely 0d 14:10 (in 2h00m); 9 in 10 by 0d 18:00 (1 in 10 before 0d 12:30); at the limits 0d 23:40. "
        "Of the last 200 such forecasts 79 in 100 came true, 80 in 100 should"
    )


def test_a_forecast_of_another_event_is_marked() -> None:
    said = likely.sentence(start(None, 60, None, TrackRecord(19, 10)), None, 0, 8, ELAPSED)
    assert said == "likely 0d 00:01 (in 1m00s); it may never start (as of event 7). Not calibrated yet"
    assert likely.odds(start(None, None, None), 0, ELAPSED) == "likely never"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, ""),
        (LikelyStarts(7, {}, TrackRecord(0, 0)), ""),
        (LikelyStarts(7, {}, TrackRecord(0, 0), absent="few"), "no likely starts: too few jobs"),
        (LikelyStarts(7, {}, TrackRecord(0, 0), absent="history"), "no likely starts: no history"),
        (Likely({}, 12, None, absent="many"), "no likely starts: too many jobs and tasks wait"),
        (LikelyStarts(7, {3: start(1, 2, 3)}, TrackRecord(19, 19)), "likely starts: not calibrated yet"),
        (LikelyStarts(7, {3: start(1, 2, 3)}, MANY), "likely starts: 79 in 100 came true, 80 in 100 should"),
    ],
)
def test_how_likely_starts_stand(answer: LikelyStarts | Likely | None, words: str) -> None:
    found = cluster.standing(answer) if isinstance(answer, Likely) else likely.standing(answer)
    assert found == words


def test_a_line_has_how_many_may_wait() -> None:
    (line,) = cluster.odds_words(Likely({}, 12, None, absent="many"))
    assert line == "no likely starts: too many jobs and tasks wait, more than 100,000"


LIFE = Life(
    [Prediction(7200, "expected", 4), Prediction(5400, "guaranteed", 9)],
    {4: 0, 9: 60},
    {4: attrs.evolve(start(600, 3600, None), event=4)},
)


def test_the_life_of_a_job_is_a_table_by_the_clock() -> None:
    assert likely.life_table(LIFE, ELAPSED) == [
        "AT           LIKELY    9 IN 10 BY  AT THE LIMITS",
        "0d 00:00:00  0d 01:00  never       0d 02:00",
        "0d 00:01:00                        0d 01:30 guaranteed",
    ]
    assert likely.life_table(attrs.evolve(LIFE, odds={}), ELAPSED)[1:] == [
        "0d 00:00:00  0d 02:00:00 expected",
        "0d 00:01:00  0d 01:30:00 guaranteed",
    ]


def test_what_came_is_compared_with_what_was_forecast_at_the_submission() -> None:
    assert likely.came(LIFE, 4800, ELAPSED) == (
        "0d 01:20:00  started: 20m00s later than was likely at its submission,"
        " 40m00s earlier than was predicted at the limits"
    )
    assert likely.came(LIFE, 3600, ELAPSED) == (
        "0d 01:00:00  started: just when it was likely at its submission,"
        " 1h00m earlier than was predicted at the limits"
    )


def test_how_good_likely_starts_have_been() -> None:
    known = LikelyStarts(7, {}, TrackRecord(200, 158, 4320))
    assert likely.metrics(known) == [("likely", "79 % came true, half within 1h12m")]
    assert likely.accuracy(known) == (
        "of 200 forecasts 79 in 100 came true: the job started between the two bounds, as 80 in 100 should;"
        " half of the jobs started within 1h12m of the likely start"
    )
    assert likely.metrics(LikelyStarts(7, {}, TrackRecord(19, 19, 5))) == likely.metrics(None) == []


def test_why_a_job_has_no_likely_start() -> None:
    assert likely.absent("few") == "no likely start: too few jobs; 20 have to end first"
    assert likely.absent("history") == "no likely start: no history; fewer than 20 jobs have ended so far"


def test_likely_nodes_are_no_promise() -> None:
    assert nodes.whereabouts(Whereabouts(((0, 2),), 7200, (), ((4, 6),))) == (
        "in most cases 4-5; at the limits 0-1 from 0d 02:00"
    )
    assert nodes.whereabouts(Whereabouts(((0, 2),), 7200, (), ((4, 5),))) == (
        "in most cases 1 of 2: 4; at the limits 0-1 from 0d 02:00"
    )
    assert nodes.whereabouts(Whereabouts(((0, 2),), 7200, (), ())) == (
        "none in most cases; at the limits 0-1 from 0d 02:00"
    )


def test_who_has_the_nodes_that_a_job_waits_for() -> None:
    """A job that runs, and one that is planned before it."""
    holders = (Holder(1, ((0, 2), (5, 6)), 3600), Holder(2, ((8, 9),), 60, runs=False))
    assert nodes.waits_for(Whereabouts(((0, 9),), 7200, holders)) == (
        "0-1, 5: job 1 may run until 0d 01:00:00; 8: job 2 is planned before it, until 0d 00:01:00"
    )


def test_who_comes_to_idle_nodes() -> None:
    """In the words of a cluster's page: who comes, or that there are too few."""
    idle = (Idle(((0, 2), (5, 6)), 3), Idle(((8, 9),), 1, 7, 3600), Idle(((9, 10),), 1, 8, 60))
    assert nodes.idle_now(Whereabouts(((0, 9),), 7200, idle=idle), 9, 60) == (
        "0-1, 5: 3 nodes, it asks for 9; 8: free until 0d 01:00:00, then job 7 is planned there;"
        " 9: job 8 starts there"
    )
    many = tuple(Idle(((node, node + 1),), 1, node, 3600) for node in range(8))
    assert nodes.idle_now(Whereabouts(((0, 9),), 7200, idle=many), 9, 60).endswith("; 2 more come")
