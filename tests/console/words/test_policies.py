"""What is said of a policy: why it switched or was kept, what it goes by, how its parameters are typed."""

import pytest

from shadowtime.console import words
from shadowtime.console.session import Decision, StatusValue, Value, policies_table
from tests.console.words.test_words import POLICYS, REVIEWED, reason

NOW = 3600


@pytest.mark.parametrize(("kind", "code"), REVIEWED)
def test_every_review_is_one_sentence_about_the_policy(kind: str, code: str) -> None:
    same: dict[str, Value] = {"becomes": POLICYS[code]["was"]} if kind == "keep" else {}
    text = words.decision(Decision(kind, None, reason(code, **same)), words.NODES)
    starts = ("the policy switches from ", "row 1 ") if kind == "switch" else "the policy stays "
    assert text.startswith(starts)
    assert "{" not in text and "none" not in text and "None" not in text


@pytest.mark.parametrize(
    ("code", "others", "text"),
    [
        (
            "aert",
            {},
            "fcfs to ljf: the mean estimate of 5 jobs waiting (AERT) is 9,000.2 s, above the upper bound"
            " 9,000 s",
        ),
        (
            "aert",
            {"becomes": "sjf", "was": "ljf", "total": 36_000},
            "ljf to sjf: the mean estimate of 5 jobs waiting (AERT) is 7,200 s, not above the lower bound"
            " 7,200 s",
        ),
        (
            "aert",
            {"becomes": "fcfs", "was": "ljf", "total": 36_001},
            "ljf to fcfs: the mean estimate of 5 jobs waiting (AERT) is 7,200.2 s, above the lower bound"
            " 7,200 s and not above the upper bound 9,000 s",
        ),
        (
            "classes_waiting",
            {},
            "fcfs to sjf: of the waiting jobs 12 are interactive and 3 batch; 90 of 128 nodes are busy",
        ),
        (
            "classes_waiting",
            {"becomes": "ljf", "batch": 20},
            "fcfs to ljf: of the waiting jobs 20 are batch and 12 interactive; 90 of 128 nodes are busy",
        ),
        (
            "classes_waiting",
            {"was": "sjf", "becomes": "fcfs", "busy": 60},
            "sjf to fcfs: the machine is not utilized; 60 of 128 nodes are busy",
        ),
        (
            "scores",
            {},
            "flex (reconstruction) to maui:windows=widest: utilization 87.20 % against 85.10 % in the last"
            " 2h",
        ),
        (
            "scores",
            {"metric": "response", "score_was": 4000.5, "score_becomes": 3600.0},
            "flex (reconstruction) to maui:windows=widest: response 1h00m against 1h06m in the last 2h",
        ),
        (
            "scores",
            {"metric": "slowdown", "score_was": 12.5, "score_becomes": 9.25},
            "flex (reconstruction) to maui:windows=widest: slowdown 9.25 against 12.50 in the last 2h",
        ),
        (
            "sizes",
            {},
            "easy to flex (reconstruction): 310 jobs came in the last 1d and asked for 41.9 nodes in the mean"
            " (AP_last), more than the average 37.2 (AP)",
        ),
        (
            "sizes",
            {"was": "flex", "becomes": "easy", "recent": 37.25},
            "flex (reconstruction) to easy: 310 jobs came in the last 1d and asked for 37.2 nodes in the mean"
            " (AP_last), not more than the average 37.2 (AP)",
        ),
    ],
)
def test_why_the_policy_switched(code: str, others: dict[str, Value], text: str) -> None:
    """The numbers that settled it, in their units, in each direction."""
    sentence = words.decision(Decision("switch", None, reason(code, **others)), words.NODES)
    assert sentence == f"the policy switches from {text}"


def test_why_the_policy_was_kept() -> None:
    kept: dict[str, Value] = {"becomes": "flex", "score_becomes": 0.851}
    assert words.decision(Decision("keep", None, reason("scores", **kept)), words.NODES) == (
        "the policy stays flex (reconstruction): no candidate did better in the last 2h than its"
        " utilization of 85.10 %"
    )
    assert words.decision(Decision("keep", None, reason("nobody_completed")), words.NODES) == (
        "the policy stays easy: in the last 2h a candidate completed no job, so there is no response"
        " to compare"
    )
    assert words.decision(Decision("keep", None, reason("no_arrivals")), words.NODES) == (
        "the policy stays easy: no job came in the last 1d; the average size (AP) is 37.2 nodes"
    )


def test_which_row_gets_the_machine() -> None:
    assert words.decision(Decision("switch", None, reason("next_row")), words.NODES) == (
        "row 1 of 3 gets the machine after row 0, whose quantum of 10s is over"
    )
    assert words.decision(Decision("switch", None, reason("row_empty")), words.NODES) == (
        "row 1 of 3 gets the machine: the one before has no jobs any more"
    )


def test_what_gang_scheduling_goes_by() -> None:
    """The rows of the matrix with their jobs; of many rows the first are listed."""
    values: dict[str, StatusValue] = {
        "current": 1,
        "rows": ((31, 32), (33,)),
        "next_switch": 3605,
        "quantum": 10,
        "switches": 1284,
        "utilization_slots": 0.875,
    }
    assert words.status(values, NOW, 128, words.NODES) == [
        ("current row", "1 of 2"),
        ("next switch", "0d 01:00:05 (5s)"),
        ("switches", "1,284, every 10s"),
        ("row 0", "job 31, 32"),
        ("row 1", "job 33"),
    ]
    many = {**values, "rows": ((1,),) * 11, "current": None, "next_switch": None}
    assert words.status(many, NOW, 128, words.NODES)[:2] == [
        ("current row", "none"),
        ("next switch", "never"),
    ]
    assert words.status(many, NOW, 128, words.NODES)[-1] == ("more rows", "7")


def test_what_dynp_goes_by() -> None:
    values: dict[str, StatusValue] = {
        "in_force": "ljf",
        "aert": 7992.3,
        "waiting": 7,
        "threshold": 5,
        "lower": 7200,
        "upper": 9000,
    }
    assert words.status(values, NOW, 128, words.NODES) == [
        ("in force", "ljf"),
        ("AERT", "2h13m of 7 jobs"),
        ("up to", "sjf 2h, fcfs 2h30m"),
    ]
    assert ("AERT", "2h13m of 3 jobs; kept below 5") in words.status(
        {**values, "waiting": 3}, NOW, 128, words.NODES
    )
    assert ("AERT", "no job waits") in words.status(
        {**values, "waiting": 0, "aert": None}, NOW, 128, words.NODES
    )


def test_what_ivs_goes_by() -> None:
    values: dict[str, StatusValue] = {
        "in_force": "sjf",
        "interactive": 12,
        "batch": 3,
        "delta": 0,
        "busy": 64,
        "utilized": 0.5,
    }
    assert words.status(values, NOW, 128, words.NODES) == [
        ("in force", "sjf"),
        ("interactive", "12 wait"),
        ("batch", "3 wait, delta 0"),
        ("busy", "64 of 128 nodes"),
        ("utilized", "yes, from 50 %"),
    ]
    assert ("utilized", "no, from 50 %") in words.status({**values, "busy": 63}, NOW, 128, words.NODES)


def test_what_pbas_goes_by() -> None:
    """Each candidate with its score of the last frame, who is in force, and when the next review is."""
    values: dict[str, StatusValue] = {
        "in_force": "maui:windows=widest",
        "candidates": ("flex", "maui:windows=widest"),
        "next_review": 10_800,
        "frame": 3600,
        "history": 7200,
        "scheduler": {},
        "metric": "utilization",
        "scores": (0.851, 0.872),
    }
    assert words.status(values, NOW, 128, words.NODES) == [
        ("in force", "maui:windows=widest"),
        ("utilization", "last 2h"),
        ("flex (reconstruction)", "85.10 %"),
        ("maui:windows=widest", "87.20 %"),
        ("next review", "0d 03:00:00 (2h00m)"),
    ]
    before: dict[str, StatusValue] = {**values, "scores": (None, None), "next_review": None}
    assert words.status(before, NOW, 128, words.NODES)[1:] == [
        ("utilization", "no frame is over yet"),
        ("flex (reconstruction)", "-"),
        ("maui:windows=widest", "-"),
        ("next review", "never"),
    ]


def test_what_wbas_goes_by_and_the_scheduler_in_force() -> None:
    values: dict[str, StatusValue] = {
        "in_force": "dynp",
        "candidates": ("flex:slack=7200", "dynp"),
        "next_review": 10_800,
        "frame": 7200,
        "scheduler": {
            "in_force": "fcfs",
            "aert": None,
            "waiting": 0,
            "threshold": 5,
            "lower": 7200,
            "upper": 9000,
        },
        "average": 37.25,
        "recent": 41.9,
        "recent_so_far": None,
        "maf": 7500,
    }
    assert words.status(values, NOW, 128, words.NODES) == [
        ("in force", "dynp"),
        ("AP last", "41.9 nodes"),
        ("AP", "37.2 nodes"),
        ("this frame", "-"),
        ("wide", "flex:slack=7200 (reconstruction)"),
        ("narrow", "dynp"),
        ("next review", "0d 03:00:00 (2h00m)"),
        ("dynp: in force", "fcfs"),
        ("dynp: AERT", "no job waits"),
        ("dynp: up to", "sjf 2h, fcfs 2h30m"),
    ]


def test_what_checkpoint_and_prime_go_by() -> None:
    assert words.status({"head": 31, "reserve_time": 7200}, NOW, 128, words.NODES) == [
        ("reserve time", "0d 02:00:00"),
        ("of the head", "job 31"),
    ]
    assert words.status({"prime": True, "boundary": 43_200}, NOW, 128, words.NODES) == [
        ("period", "prime"),
        ("until", "0d 12:00:00"),
    ]
    assert words.status({"prime": False, "boundary": 86_400}, NOW, 128, words.NODES)[0] == (
        "period",
        "non-prime",
    )


def test_a_status_that_nobody_knows_is_reported_by_its_own_names() -> None:
    """A policy in Python gives any names and values."""
    values: dict[str, StatusValue] = {
        "lucky_number": 4711,
        "late": True,
        "draws": (1, 2.5, None),
        "urn": {"red": 3},
        "mood": "calm",
    }
    assert words.status(values, NOW, 128, words.NODES) == [
        ("lucky number", "4,711"),
        ("late", "yes"),
        ("draws", "1, 2.5, -"),
        ("urn red", "3"),
        ("mood", "calm"),
    ]
    assert words.status({}, NOW, 128, words.NODES) == []


def test_values_are_spelled_as_they_are_typed() -> None:
    assert words.spelled(604_800, "duration") == "7d"
    assert words.spelled(0, "duration") == "0s"
    assert words.spelled(5, "int") == "5" and words.spelled(0.5, "number") == "0.5"
    assert words.spelled(False, "bool") == "false"
    assert words.spelled(None, "number") == "not set"
    assert words.spelled("flex", "policy") == "flex"
    candidates = ("flex", {"name": "maui", "windows": "widest", "preempt": True})
    assert words.spelled(candidates, "policies") == (
        '["flex", {name = "maui", windows = "widest", preempt = true}]'
    )
    assert words.settings("dynp", {"lower": 7200, "threshold": 5}) == {"lower": "2h", "threshold": "5"}
    assert words.settings("of another package", {"limit": 7200}) == {"limit": "7200"}


def test_a_reconstruction_is_marked_and_no_other_policy_is() -> None:
    """Flex is one; who chooses among others is none for having it among them."""
    marked = {entry.name for entry in policies_table() if "reconstruction" in words.policy_name(entry.name)}
    assert marked == {"flex"}
    assert words.policy_name("flex", "flex:slack=2h") == "flex:slack=2h (reconstruction)"
    assert words.policy_name("flex", "tight") == "tight (flex, reconstruction)"
    assert words.policy_name("easy", "sjbf") == "sjbf (easy)"
    assert words.scheduler("flex:slack=7200") == "flex:slack=7200 (reconstruction)"
    assert words.scheduler("maui:windows=widest") == "maui:windows=widest"
