"""The operator acts: what is done is an event, what is refused changes nothing, all can be taken back."""

import json
from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session.case import base_case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.operator.journal import spread
from shadowtime.console.session.operator.steering import SERVICE, columns_of
from shadowtime.console.session.session import Session
from shadowtime.console.session.travel.copies import Tape
from shadowtime.scenarios import Action, Outage
from tests.oracles.jobs import Job, Workload, workloads
from tests.refusals import cannot
from tests.session.build import FIRST_ID, seen, straight
from tests.session.steering import case_of, typed_actions

FIRST, SECOND, THIRD = FIRST_ID, FIRST_ID + 1, FIRST_ID + 2
THREE = Workload([Job(0, 10, 3, 10), Job(1, 10, 3, 20), Job(2, 5, 1, 5)], 4)
"""The first runs, the second waits for it, the third passes it."""


def session(policy: str = "easy", at: int = 2) -> Session:
    """Stand at the end of an instant."""
    made = Session(case_of(THREE, policy))
    made.go_time(at)
    return made


def test_a_line_that_is_no_action_is_refused_in_one_line() -> None:
    """Also a line with two faults; the session stays as it was."""
    here = session()
    number = here.number
    for typed, error in (("hold x", "'x' is no job"), ("policy easy:scan=x,a=1", 'scan is "x"')):
        with pytest.raises(SessionError, match=error) as raised:
            here.act(typed)
        assert "\n" not in str(raised.value)
    assert (here.number, here.journal) == (number, ())


def test_an_action_that_has_a_moment_is_not_for_here_and_now() -> None:
    """An action of the journal is no typed one."""
    here = session()
    with pytest.raises(ValueError, match="has a moment already"):
        here.act(Action("hold", job=SECOND, at=1))


def test_an_action_is_the_next_event() -> None:
    """It stands in the journal with the number of the event before, and in the list of events."""
    here = session()
    number = here.number
    action = here.act(f"hold {SECOND}")
    assert action == Action("hold", job=SECOND, after=number)
    assert here.journal == (action,)
    assert here.number == number + 1
    last = here.snapshot().last
    assert last is not None
    assert (last.kind, last.job, last.action) == ("action", SECOND, action)
    assert [(made.kind, made.reason.code) for made in last.decisions] == [("move", "operator_held")]
    assert here.events(number + 1, 1) == (last,)
    assert here.row(1).state == "H"


REFUSED = [
    (f"release {SECOND}", cannot("release", SECOND, "N")),
    (f"hold {FIRST}", cannot("hold", FIRST, "R")),
    (f"resume {FIRST}", cannot("resume", FIRST, "R")),
    (f"suspend {SECOND}", cannot("suspend", SECOND, "N")),
    (
        f"start {SECOND}",
        f"there is no room for job {SECOND} now: it needs 3, and 0 are idle; why {SECOND} shows who has them",
    ),
    (f"class {SECOND} debug", "the policy easy does not look at classes; policy ivs does"),
    ("hold 7", "there is no job 7 among the 3 jobs; expected a number of the column JOB"),
    ("up 0-1", "nodes 0-1 are in service already; drain 0-1 or down 0-1 takes nodes out of it"),
    ("drain 4", "there is no node 4; the machine has the nodes 0 to 3"),
    ("policy t3d", "policy t3d: the machine is another one; expected torus = [8, 4, 8]"),
    (
        "set quantum=5",
        "policy easy: unknown parameter quantum; expected scan, reservation, relax, predict or speculate",
    ),
    ("set scan=up", 'policy easy: scan is "up"; expected arrival, shortest, longest, widest or narrowest'),
]


@pytest.mark.parametrize(("typed", "error"), REFUSED)
def test_a_refusal_says_why_and_changes_nothing(typed: str, error: str) -> None:
    here = session()
    before, case = seen(here), here.case
    assert here.refusal(typed) == error
    with pytest.raises(SessionError) as raised:
        here.act(typed)
    assert str(raised.value) == error
    assert seen(here) == before
    assert (here.case, here.journal) == (case, ())
    assert here.undo() is None


def test_jobs_that_are_not_there_or_over() -> None:
    here = Session(case_of(THREE, "easy"))
    assert (
        here.refusal(f"hold {FIRST}")
        == f"job {FIRST} has not been submitted yet; it comes at 0d 00:00:00; goto submit {FIRST} leads there"
    )
    here.go_end()
    assert here.refusal(f"hold {FIRST}") == f"job {FIRST} is over; goto end {FIRST} leads there"


def test_acting_in_the_past_drops_what_came_after_and_undo_brings_it_back() -> None:
    here = session()
    later = here.act(f"hold {SECOND}")
    digest = here.digest()
    here.go_event(3)
    earlier = here.act("drain 0")
    assert here.journal == (earlier,)
    entry = here.undo()
    assert entry is not None and entry.action == earlier
    assert (here.number, here.journal) == (3, (later,))
    here.go_event((later.after or 0) + 1)
    assert here.digest() == digest
    assert here.undo() is not None
    assert not here.journal
    assert here.redo() is not None
    assert here.digest() == digest
    assert here.redo() is not None
    assert here.journal == (earlier,)
    assert here.redo() is None


def test_an_action_that_has_been_taken_back_is_forgotten_by_the_next() -> None:
    here = session()
    here.act(f"hold {SECOND}")
    here.undo()
    here.act(f"priority {SECOND} 3")
    assert here.redo() is None
    assert [action.do for action in here.journal] == ["priority"]


def test_timed_actions_and_outages_of_the_file_stay() -> None:
    """They are part of the case, and happen whatever the operator does."""
    actions, outages = (Action("hold", at=3, job=SECOND),), (Outage(((2, 4),), 4, 30),)
    here = Session(base_case(attrs.evolve(case_of(THREE, "easy").scenario, actions=actions, outages=outages)))
    here.go_time(2)
    here.act("set scan=shortest")
    for _ in range(2):
        here.go_time(3)
        assert here.row(1).state == "H"
        here.go_time(4)
        assert here.snapshot().draining == {2, 3}
        here.go_end()
        kinds = [event.kind for event in here.events(1, 40)]
        assert kinds.count("node_down") == kinds.count("node_up") == 1
        here.undo()
        assert here.journal == ()


def test_two_actions_after_one_event_get_numbers_of_their_own() -> None:
    actions = [
        Action("hold", job=1, after=7),
        Action("release", job=1, after=7),
        Action("hold", at=5, job=2),
    ]
    assert [(each.at, each.after) for each in spread([actions[2], *actions[:2]])] == [
        (5, None),
        (None, 7),
        (None, 8),
    ]


def test_another_policy_from_here_on() -> None:
    here = session()
    here.act("policy conservative")
    assert (here.snapshot().policy, here.case.policy) == ("conservative", "easy")
    here.act("set compress=replan")
    assert here.snapshot().parameters["compress"] == "replan"
    here.back(1)
    assert here.snapshot().parameters["compress"] == "arrival"
    here.back(1)
    assert here.snapshot().policy == "easy"


def test_a_fork_goes_its_own_way() -> None:
    """It has the same past and journal; what is done to one is not done to the other."""
    here = session()
    here.act(f"hold {SECOND}")
    before = seen(here)
    other = here.fork("what if", "policy fcfs")
    assert (other.case.name, other.snapshot().policy) == ("what if", "fcfs")
    assert seen(here) == before
    assert other.undo() is not None
    assert seen(other) == before
    other.undo()
    assert here.journal != other.journal == ()
    assert seen(here) == before


@given(workload=workloads(6), policy=st.sampled_from(["fcfs", "easy", "easy-shortest"]), data=st.data())
def test_what_was_known_of_the_past_still_holds(workload: Workload, policy: str, data: st.DataObject) -> None:
    """After acting anywhere the session shows, everywhere, what a straight run of the same actions shows."""
    here = Session(case_of(workload, policy))
    survey = here.survey()
    while survey.run(7):
        here.take_survey(survey)
    here.take_survey(survey)
    here.events(1, 50)
    here.travel.go_fraction(data.draw(st.floats(0, 1)))
    here.predict()
    try:
        here.act(data.draw(typed_actions(len(workload.jobs), workload.nodes, switches=False)))
    except SessionError:
        return
    assert not here.take_survey(survey) or here.over
    moments = straight(here.case)
    assert seen(here) == moments[here.number]
    for event in here.events(1, 100):
        moment = moments[event.number]
        assert moment.last is not None and (event.time, event.kind) == moment.last[:2]
    here.go_end()
    assert here.total == len(moments) - 1
    for number in data.draw(st.lists(st.integers(0, len(moments) - 1), max_size=4)):
        here.go_event(number)
        assert seen(here) == moments[number]
    samples = [sample.number for sample in here.travel.timeline()]
    assert samples == sorted(set(samples))


def test_another_class_is_shown() -> None:
    """From the action on, and not before."""
    here = session("ivs")
    was = here.row(1).klass
    here.act(f"class {SECOND} standby")
    assert here.row(1).klass == "standby"
    here.back(1)
    assert here.row(1).klass == was


def test_the_written_events_show_what_was_done(tmp_path: Path) -> None:
    here = session()
    here.act("drain 0-1,3")
    here.events_jsonl(tmp_path / "events.jsonl")
    last = json.loads((tmp_path / "events.jsonl").read_text().splitlines()[-1])
    assert (last["kind"], last["action"]) == ("action", "drain 0-1,3")


def test_a_branch_that_cannot_be_built_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is the matter: one line says so, and the session goes on as if nobody had asked."""
    here = session()
    here.act(f"hold {SECOND}")
    here.step()
    journal, number, digest, last = here.journal, here.number, here.digest(), here.snapshot().last

    def broken(self: Tape, event: int, share: object) -> Tape:
        raise ValueError("an outage at 2 s;\nthis run is at 2 s already")

    with monkeypatch.context() as patched:
        patched.setattr(Tape, "parted", broken)
        for attempt in (lambda: here.act(f"release {SECOND}"), here.undo, lambda: here.fork("other")):
            with pytest.raises(SessionError) as raised:
                attempt()
            refusal = "this cannot be done here, and nothing has changed: "
            assert str(raised.value) == f"{refusal}an outage at 2 s; this run is at 2 s already"
            assert (here.journal, here.number, here.digest()) == (journal, number, digest)
            assert here.snapshot().last == last
    here.act(f"release {SECOND}")
    assert [action.do for action in here.journal] == ["hold", "release"]
    here.undo()
    here.undo()
    assert here.undo() is None
    with monkeypatch.context() as patched:
        patched.setattr(Tape, "parted", broken)
        with pytest.raises(SessionError, match="nothing has changed"):
            here.redo()
    assert here.redo() is not None
    assert [action.do for action in here.journal] == ["hold"]


def test_parameters_of_a_file_are_changed_one_after_the_other() -> None:
    """Each changes the policy as the one before has left it."""
    actions = (
        Action("parameter", at=1, key="p", value=0.5),
        Action("parameter", at=3, key="threshold", value=7),
        Action("parameter", at=5, key="delay", value=9),
    )
    case = case_of(THREE, "checkpoint")
    here = Session(base_case(attrs.evolve(case.scenario, actions=actions)))
    before = dict(case.parameters)
    for time, changed in ((1, {"p": 0.5}), (3, {"threshold": 7}), (5, {"delay": 9})):
        here.go_time(time)
        before |= changed
        assert here.snapshot().parameters == before


@pytest.mark.parametrize(
    ("klass", "columns"),
    [
        ("interactive", (SERVICE["interactive"], 1, 4)),
        ("debug", (SERVICE["debug"], 0, 4)),
        ("standby", (SERVICE["standby"], 0, 1)),
        ("of ours", (SERVICE["production"], 0, 0)),
    ],
)
def test_what_a_class_counts_for(klass: str, columns: tuple[int, int, int]) -> None:
    """Its class of service, whether somebody waits for it, its priority: as for jobs that come with it."""
    assert columns_of(klass) == columns
