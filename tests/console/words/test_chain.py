"""The words of a chain."""

import pytest

from shadowtime.console.session.facts import Prediction, Reason
from shadowtime.console.session.jobs.chain import Chain, Link, steps
from shadowtime.console.words import NODES
from shadowtime.console.words.chain import beside_promise, cells, clause, opening

LINKS = (
    Link(60, "ends", 8, 12, "3", likely=30),
    Link(60, "backfilled", -12, 0, "4"),
    Link(120, "ends", 4, 4, "5"),
    Link(120, "ends", 4, 8, "6"),
    Link(180, "up", 2, 10),
    Link(240, "ends", 12, 22, "4"),
    Link(240, "start", -20, 2, "7"),
)
CHAIN = Chain("7", 20, 0, 4, LINKS)


def test_a_step_has_what_comes_goes_and_is_left() -> None:
    assert [cells(step, NODES) for step in steps(CHAIN)] == [
        ("0d 00:01:00", "+8 -12", "0", "job 3 ends (likely 0d 00:01), job 4 is backfilled"),
        ("0d 00:02:00", "+8", "8", "jobs 5, 6 end"),
        ("0d 00:03:00", "+2", "10", "nodes come back"),
        ("0d 00:04:00", "+12", "22", "job 4 ends, it starts"),
    ]


def test_steps_without_a_line_are_counted_in_one() -> None:
    first, between, last = steps(CHAIN, 3)[0], steps(CHAIN, 3)[-2], steps(CHAIN, 3)[-1]
    assert cells(first, NODES, short=True)[0] == "... 0d 00:02" and between.at == between.until == 180
    assert cells(first, NODES)[1:] == ("+16 -12", "8", "3 jobs end, 1 job is backfilled")
    assert cells(last, NODES)[2:] == ("22", "job 4 ends, it starts")


@pytest.mark.parametrize("most", [3, 4, 5])
def test_no_node_is_lost_in_a_chain_that_is_shortened(most: int) -> None:
    shown = steps(CHAIN, most)
    assert len(shown) <= most and [link for step in shown for link in step.links] == list(LINKS)


def test_the_sentence_names_who_comes_before_and_what_starts_it() -> None:
    assert opening(CHAIN, NODES) == "job 7 needs 20 nodes, 4 are free"
    assert (
        clause(CHAIN, None, NODES) == "1 job starts before it, and it starts at 0d 00:04:00, when job 4 ends"
    )
    for code, name in (
        ("head_blocked", "shadow"),
        ("planned", "planned"),
        ("reserved", "reserved"),
        ("being_loaded", "at"),
    ):
        assert clause(CHAIN, Reason(code, {name: 240}), NODES) == "", "its reason names the start"
    for code, name in (("no_room", "shadow"), ("no_room_now", "needs"), ("head_blocked", "free")):
        assert clause(CHAIN, Reason(code, {name: 240}), NODES), "the number is not its start"
    assert clause(Chain("7", 20, 0, 4, LINKS[:-1]), None, NODES).startswith("it never starts")
    assert clause(Chain("7", 20, 0, 4, LINKS[:-1]), Reason("operator_places", {}), NODES) == ""


def test_a_chain_on_a_cluster_names_nodes_reservations_and_the_rule_that_keeps_the_job_off() -> None:
    links = (
        Link(60, "ends", 2, 2, "3", nodes="n[1-2]"),
        Link(60, "waits", 0, 2, "7", Reason("would_delay_reserved", {"head": "r"})),
        Link(120, "reserved", -2, 0, "r", nodes="n[1-2]"),
        Link(180, "lifted", 2, 2, "r", nodes="n[1-2]"),
        Link(180, "waits", 0, 2, "7", Reason("rounded", {"step": 60})),
        Link(240, "start", -2, 0, "7", nodes="n[1-2]"),
    )
    made = Chain("7", 2, 0, 0, links)
    assert opening(made, NODES) == "job 7 is planned on 2 nodes, 0 are free"
    assert [cells(step, NODES)[3] for step in steps(made)] == [
        "job 3 (n[1-2]) ends, it waits: would delay a reservation",
        "reservation r (n[1-2]) begins",
        "reservation r (n[1-2]) is over, it waits: starts are tried in steps of 1m",
        "it starts",
    ]
    assert cells(steps(made, 3)[0], NODES)[3].startswith("1 job ends, 1 reservation begins, ")


def test_a_policy_of_an_operators_own_may_say_waits_itself() -> None:
    own = Reason("own_words", {"text": "waits for you: it needs 2 nodes"})
    made = Chain("7", 2, 0, 0, (Link(60, "waits", 0, 2, "7", own),))
    assert cells(steps(made)[0], NODES)[3] == "it waits for you: it needs 2 nodes"


def test_a_promise_that_is_not_the_start_at_the_limits_is_explained() -> None:
    assert beside_promise(CHAIN, Prediction(240, "guaranteed", 1), NODES) == ""
    assert beside_promise(CHAIN, Prediction(300, "expected", 1), NODES) == ""
    assert "0d 00:04:00 already" in beside_promise(CHAIN, Prediction(300, "guaranteed", 1), NODES)
    assert "may still change" in beside_promise(CHAIN, Prediction(200, "planned", 1), NODES)
