"""The state letters: at every event each letter changes by a legal move, under every policy, whoever acts."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.session import Session
from tests.oracles.jobs import workloads
from tests.session.steering import STEERED, case_of, states, torus_cases, typed_actions

LETTERS = ("", "N", "W", "i", "R", "S", "o", "O", "H", "F")

ALWAYS = {
    "": "N",
    "N": "RHF",
    "R": "FSO",
    "O": "RHF",
    "S": "OF",
    "H": "NOF",
    "F": "",
}
"""Where space is shared: who is new or stopped waits in the queue, runs, is held, or is cancelled."""
DELAYED = {**ALWAYS, "N": "WRHF", "W": "RSOF", "O": "WRHF"}
"""Who takes the nodes of stopped jobs waits for them until their checkpoints are written."""
GANG = {**ALWAYS, "N": "WRHF", "W": "RSOF", "R": "WFSO", "O": "WRHF"}
"""A job that has columns waits for its row."""
SWITCHED = {**GANG, "W": "RSOFN"}
"""A change of the policy puts those with columns back, the ones that never ran as new ones."""
TORUS = {
    "": "N",
    "N": "WiF",
    "W": "iNOSF",
    "i": "RF",
    "R": "oF",
    "o": "OSF",
    "O": "WiSF",
    "S": "OF",
    "F": "",
}
"""A job's memory is moved (docs/schedulers.md, section 11.2); a cancel ends it anywhere."""


def legal(moves: dict[str, str], before: str, after: str) -> bool:
    """Whether an event may lead from one letter to another."""
    return before == after or (after != "" and after in moves.get(before, ""))


def follow(case: Case, data: st.DataObject, moves: dict[str, str], nodes: int) -> set[tuple[str, str]]:
    """Run a case to its end under an operator's hands; every move is legal, and rows show it."""
    session, seen = Session(case), set[tuple[str, str]]()
    letters = states(session)
    left = data.draw(st.integers(0, 12))
    while not session.over:
        acted = False
        if left and data.draw(st.booleans()):
            left -= 1
            try:
                session.act(data.draw(typed_actions(len(case.jobs), nodes, moves is SWITCHED)))
                acted = True
            except SessionError:
                pass
        if not acted:
            session.step()
        now = states(session)
        for before, after in zip(letters, now, strict=True):
            assert legal(moves, before, after), (before, after, session.snapshot().last)
            seen.add((before, after))
        snapshot = session.snapshot()
        shown = {row.index: row.state for row in session.rows(snapshot.everybody, 0, len(now))}
        assert shown == {row: now[row] for row in snapshot.everybody}
        assert set(shown) == {row for row, letter in enumerate(now) if letter not in ("", "F")}
        letters = now
    assert set(letters) <= {"F", "H", "S", "N", "O"}
    return seen


SPACE = [name for name in STEERED if not name.startswith("gang")]


@pytest.mark.proof
@pytest.mark.parametrize("policy", SPACE)
@settings(max_examples=25)
@given(workload=workloads(6), on_failure=st.sampled_from(["kill", "requeue", "checkpoint"]), data=st.data())
def test_where_space_is_shared(policy: str, workload, on_failure: str, data: st.DataObject) -> None:  # type: ignore[no-untyped-def]
    moves = DELAYED if policy == "checkpoint" else ALWAYS
    follow(case_of(workload, policy, on_failure), data, moves, workload.nodes)


@pytest.mark.proof
@pytest.mark.parametrize("policy", ["gang", "gang-first"])
@settings(max_examples=40)
@given(workload=workloads(6), data=st.data())
def test_where_time_is_sliced(policy: str, workload, data: st.DataObject) -> None:  # type: ignore[no-untyped-def]
    follow(case_of(workload, policy), data, GANG, workload.nodes)


@pytest.mark.proof
@settings(max_examples=60)
@given(workload=workloads(6), policy=st.sampled_from(list(STEERED)), data=st.data())
def test_where_the_policy_changes(workload, policy: str, data: st.DataObject) -> None:  # type: ignore[no-untyped-def]
    follow(case_of(workload, policy, "requeue"), data, SWITCHED, workload.nodes)


@pytest.mark.proof
@settings(max_examples=60)
@given(case=torus_cases(), data=st.data())
def test_on_the_torus(case: Case, data: st.DataObject) -> None:
    follow(case, data, TORUS, 128)


def test_the_tables_name_every_letter() -> None:
    """Whatever is legal is a move between letters that there are; from the end none leads on."""
    for moves in (ALWAYS, DELAYED, GANG, SWITCHED, TORUS):
        assert set(moves) <= set(LETTERS)
        assert set("".join(moves.values())) <= set(LETTERS)
        assert not [
            1 for before, after in product(LETTERS, LETTERS) if before == "F" and after in moves["F"] != ""
        ]
