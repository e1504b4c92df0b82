"""The order of the queue: by any column, stable, either way, filtered by what is typed."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from shadowtime.console.session.clock import Clock
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.facts import LikelyStart, Row, TrackRecord
from shadowtime.console.session.jobs.fields import QUEUE
from shadowtime.console.session.likely.starts import LikelyStarts
from shadowtime.console.session.session import Session, open_session
from shadowtime.console.session.table.field import Field, Fields, Kind, of
from shadowtime.console.session.table.filtering import COMPARISONS, continued, exactly, fault_of, let_through
from tests.oracles.jobs import Job, Workload, workloads
from tests.session.build import FIRST_ID, POLICIES, SOME, session_of
from tests.session.steering import case_of as steered_case

COLUMNS: dict[str, Callable[[Row], int | str | None]] = {
    "id": lambda row: row.id,
    "user": lambda row: row.user,
    "class": lambda row: row.klass,
    "state": lambda row: row.state,
    "size": lambda row: row.size,
    "submit": lambda row: row.submit,
    "wait": lambda row: row.wait,
    "limit": lambda row: row.estimate,
    "starts": lambda row: None if row.predicted is None else row.predicted.time,
    "slip": lambda row: row.slip,
}


def rows_of(session: Session, **asked: object) -> tuple[Row, ...]:
    """Return the rows in an order, all of them."""
    return session.rows(session.order(**asked), 0, 1000)  # type: ignore[arg-type]


@pytest.mark.parametrize("policy", POLICIES)
@SOME
@given(workload=workloads(), steps=st.integers(0, 40))
def test_the_queue_comes_in_its_own_order(policy: str, workload: Workload, steps: int) -> None:
    """Without a key: the waiting jobs by arrival, then the running ones by start. No job was stopped."""
    session = session_of(workload, policy)
    session.step(steps)
    shown = rows_of(session)
    assume(all(row.state in "NR" and not row.preemptions for row in shown))
    waiting = [row.index for row in shown if row.state == "N"]
    running = [(row.start, row.index) for row in shown if row.state == "R"]
    assert waiting == sorted(waiting)
    assert [start for start, _ in running] == sorted(start for start, _ in running if start is not None)
    assert [row.index for row in shown] == waiting + [index for _, index in running]
    assert list(session.order(reverse=True)) == list(session.order())[::-1]


@pytest.mark.proof
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("key", COLUMNS)
@SOME
@given(workload=workloads(), steps=st.integers(0, 40), policy=st.sampled_from(list(POLICIES)))
def test_every_column_sorts(key: str, reverse: bool, workload: Workload, steps: int, policy: str) -> None:
    """Sorted by what the rows show, equal ones as they were, those without a value always last."""
    session = session_of(workload, policy)
    session.step(steps)
    session.predict()
    work = session.forecasts.start_first(session.order())
    if work is not None:
        work.run()
        session.forecasts.take_first(work)
    value, shown = COLUMNS[key], rows_of(session)
    known = [row for row in shown if value(row) is not None]
    falls = reverse is not QUEUE[key].falls
    expected = sorted(known, key=value, reverse=falls) + [row for row in shown if value(row) is None]  # type: ignore[arg-type]
    assert rows_of(session, key=key, reverse=reverse) == tuple(expected)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("user:KI", lambda row: row.user == "kim"),
        ("user=kim", lambda row: row.user == "kim"),
        ("user!=kim", lambda row: row.user != "kim"),
        ("user:", lambda row: True),
        ("class:deb", lambda row: row.klass == "debug"),
        ("state:R", lambda row: row.state == "R"),
        ("state:r", lambda row: False),
        ("size>2", lambda row: row.size > 2),
        ("size<=2", lambda row: row.size <= 2),
        ("SIZE>=2 user:ada", lambda row: row.size >= 2 and row.user == "ada"),
        ("wait>0", lambda row: row.wait > 0),
        ("estimate<1m", lambda row: row.estimate < 60),
        ("submit=0", lambda row: row.submit == 0),
        (f"id:{FIRST_ID + 1}", lambda row: row.id == FIRST_ID + 1),
        ("ada", lambda row: row.user == "ada"),
        ("DEBUG", lambda row: row.klass == "debug"),
        ("10", lambda row: str(row.id).startswith("10") or "10" in row.name),
        ("name:7", lambda row: "7" in row.name),
        ("  ", lambda row: True),
    ],
)
def test_filters(text: str, holds: Callable[[Row], bool]) -> None:
    """Every word must hold; a plain word is looked for in id, user, class and name, in either case."""
    session = session_of(workload_of_many())
    session.go_time(6)
    shown = rows_of(session)
    assert len({row.state for row in shown}) == 2
    assert rows_of(session, text=text) == tuple(row for row in shown if holds(row))


def workload_of_many() -> Workload:
    """Return a workload with waiting and running jobs of several sizes at the instant 6."""
    return Workload([Job(k // 3, 5 + k % 4, 1 + k % 4, 9 + k % 60) for k in range(24)], 6)


@pytest.mark.parametrize("text", ["colour:red", "size>many", "user>kim", "size:", "wait<-1"])
def test_what_is_no_filter_is_said_in_one_line(text: str) -> None:
    """A filter that asks for what there is not, or compares with what is no number, is refused."""
    with pytest.raises(SessionError, match="filter"):
        session_of(workload_of_many()).order(text=text)


def test_what_is_no_column_is_refused() -> None:
    """An unknown key is named, with the known ones."""
    with pytest.raises(SessionError, match=r"'colour'.*order, starts"):
        session_of(workload_of_many()).order("colour")


def test_rows_are_cut_where_the_order_ends() -> None:
    """A window that reaches past the order gives what there is."""
    session = session_of(workload_of_many())
    session.go_time(6)
    order = session.order()
    assert [row.index for row in session.rows(order, 2, 3)] == list(order[2:5])
    assert [row.index for row in session.rows(order, len(order) - 1, 5)] == [order[-1]]
    assert session.rows(order, len(order), 5) == ()


def test_a_class_that_the_operator_gave_is_sorted_and_filtered_by() -> None:
    """From the action on, and not before."""
    workload = Workload([Job(0, 5, 3, 6), Job(2, 2, 2, 6), Job(3, 3, 2, 6)], 4)
    here = open_session(steered_case(workload, "ivs"))
    here.go_time(3)
    given = here.order()[1]
    here.act(f"class {here.id_of(given)} aaa")
    classes = [here.row(index).klass for index in here.order("class")]
    assert classes == sorted(classes)
    assert "aaa" in classes
    assert list(here.order(text="class=aaa")) == [given]
    here.back(1)
    assert list(here.order(text="class=aaa")) == []


def test_predicted_is_an_older_word_for_starts() -> None:
    """Both sort alike."""
    session = session_of(workload_of_many())
    session.go_time(6)
    session.predict()
    assert list(session.order("predicted")) == list(session.order("starts"))


@pytest.mark.parametrize("policy", ["easy", "conservative", "flex", "gang", "checkpoint"])
@SOME
@given(workload=workloads(), steps=st.integers(0, 40))
def test_who_starts_next_comes_by_the_predicted_start(policy: str, workload: Workload, steps: int) -> None:
    """The first by what the rows show; jobs without a prediction come last, in the order of the queue."""
    session = Session(steered_case(workload, policy))
    session.step(steps)
    session.predict()
    found = session.next_up(3)
    rows = [session.row(index) for index in session.snapshot().idle]
    known = sorted(row.predicted.time for row in rows if row.predicted is not None)
    assert len(found) == min(3, len(rows))
    times = [made.time for made in (session.row(index).predicted for index in found) if made is not None]
    assert times == known[: len(found)]
    assert session.order("starts")[: len(times)] == [*found[: len(times)]]


def test_who_starts_next_comes_by_the_likely_start_where_there_is_one() -> None:
    session = session_of(workload_of_many(), "easy")
    session.go_time(6)
    session.predict()
    *_, last = session.next_up(99)
    odds = LikelyStart(
        session.time, session.time, session.time, 100, False, session.number, TrackRecord(0, 0)
    )
    session.run.likely._answers[session.number] = LikelyStarts(session.number, {last: odds}, odds.record)
    assert session.next_up(1) == [last]
    assert session.order("likely")[0] == last
    session.step()
    assert session.row(last).likely == (odds if session.row(last).waits else None)


def test_without_a_forecast_who_starts_next_comes_by_the_queue() -> None:
    """What is promised comes first; as long as nothing is known the order of the queue holds."""
    session = session_of(workload_of_many(), "easy")
    session.go_time(6)
    assert not session.predicted
    assert list(session.next_up(4)) == list(session.snapshot().waiting[:4])
    session.predict()
    starts = [session.row(index).predicted for index in session.next_up(4)]
    assert None not in starts


@pytest.mark.parametrize("sign", ["<", "<=", ">", ">=", "=", "!="])
@pytest.mark.parametrize(
    ("value", "instant"), [("10", 16), ("1m", 66), ("0 00:00:16", 16), ("0d 00:00:16", 16), ("00:00:16", 16)]
)
def test_a_start_is_compared_from_now_or_as_an_instant(sign: str, value: str, instant: int) -> None:
    """A clock time is an instant; anything else is how long it is until then. No start: no match."""
    session = session_of(workload_of_many())
    session.go_time(6)
    session.predict()
    compare = COMPARISONS[sign]
    shown = rows_of(session, text=f"starts{sign}{value} size>1")
    wanted = [
        row
        for row in rows_of(session)
        if row.predicted is not None and compare(row.predicted.time, instant) and row.size > 1
    ]
    assert list(shown) == wanted


def test_running_jobs_are_found_by_their_ends_and_waiting_ones_by_their_slip() -> None:
    """`ends` is that of the estimate; a slip may be less than nothing."""
    session = session_of(workload_of_many())
    session.go_time(6)
    session.predict()
    late = rows_of(session, text="ends>10")
    assert late == tuple(row for row in rows_of(session) if row.state == "R" and (row.end or 0) > 16)
    slipped = rows_of(session, text="slip>-1h")
    assert slipped == tuple(row for row in rows_of(session) if row.slip is not None and row.slip > -3600)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("starz<1h", "asks for 'starz'; expected one of id, user, class, queue, name, state, size"),
        ("user=ada starz<1h", "asks for 'starz'"),
        ("starts<", "starts< is followed by a duration from now"),
        ("size>", "size> is followed by a number"),
        ("size>x", "expected a number"),
        ("size> user=ada", "compares with ''"),
        ("user<ada", "compares a text"),
        ("star", ""),
        ("starts<1h user=ada", ""),
        ("user=", ""),
    ],
)
def test_the_fault_of_a_filter_is_known_while_it_is_typed(text: str, fault: str) -> None:
    """An unknown field is named with the known ones; what has no value yet is said what it expects."""
    found = fault_of(text, QUEUE)
    assert fault in found and bool(found) == bool(fault)


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("us", "user"),
        ("size>2 st", "size>2 state"),
        ("sta", "state"),
        ("star", "starts"),
        ("user=a", "user=ada"),
        ("user=ada cl", "user=ada class"),
        ("user=zoe", None),
        ("size>", None),
        ("user=ada ", None),
        ("", None),
    ],
)
def test_a_filter_is_completed(text: str, whole: str | None) -> None:
    """The last word: the name of a field, or a text that the field has."""
    assert continued(text, lambda field: {"ada", "kim"} if field == "user" else (), QUEUE) == whole


def test_a_filter_for_exactly_a_text_finds_it_with_its_blanks() -> None:
    """A text with a blank, or without a letter, stands in quotes."""
    assert [exactly("user", each) for each in ("ada", "night shift", "")] == [
        "user=ada", 'user="night shift"', 'user=""',
    ]  # fmt: skip
    session = session_of(workload_of_many())
    session.go_time(6)
    nobody = rows_of(session, text=exactly("user", ""))
    assert nobody == tuple(row for row in rows_of(session) if not row.user) and nobody


class Instants(NamedTuple):
    """What a table is read from that has nothing but instants."""

    now: int
    clock: Clock


def test_a_filter_reads_instants_of_the_calendar() -> None:
    """A date, a date with its time; without a calendar one line says so, also while it is typed."""
    clock = Clock(datetime(2000, 6, 1, 13, 0, tzinfo=UTC))
    submits = Field[Instants, int]("submit", Kind.INSTANT, of([0, 3599, 3600, 90_000].__getitem__))
    starts = Field[Instants, int]("starts", Kind.MOMENT, of(lambda _: None))
    fields = Fields((submits, starts), ("submit",))

    def found(text: str) -> list[int]:
        return list(let_through(range(4), text, fields, Instants(0, clock)))

    assert found("submit<2000-06-01 14:00") == [0, 1]
    assert found("submit>=2000-06-01 14:00:00 submit<2000-06-02") == [2]
    assert found("submit>2000-06-02") == [3]
    assert fault_of("submit<2000-06-01 14:00 ", fields, clock) == ""
    assert "the calendar is not known here" in fault_of("starts<2000-06-01 14:00", fields)
    assert "is no time of the calendar" in fault_of("starts<2000-13-01 ", fields, clock)
