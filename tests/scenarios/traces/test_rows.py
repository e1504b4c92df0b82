"""The compiled reader of rows, against the plain one and by its rules."""

from array import array
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shadowtime.scenarios.files import PIECE
from shadowtime.scenarios.traces.rows import (
    CANCELLED,
    LIMIT,
    LogRows,
    classes,
    first_row,
    group_by,
    read_rows,
)
from tests.scenarios.support import row
from tests.scenarios.traces.plain_rows import plain_rows


def read(text: str | bytes, nodes: int = 100, **options: Any) -> LogRows:
    content = text.encode() if isinstance(text, str) else text
    return read_rows(content, 0, 1, nodes=nodes, **options)


def jobs(rows: LogRows) -> list[tuple[int, ...]]:
    columns = rows.id, rows.submit, rows.runtime, rows.estimate, rows.size, rows.killed, rows.user, rows.queue
    return list(zip(*columns, rows.cancel, rows.after, rows.think, rows.status, strict=True))


SMALL = st.integers(-2, 5).map(str)
ODD = st.sampled_from(
    [
        "12.5",
        "-0.5",
        "3.",
        ".5",
        "+4",
        "007",
        ".",
        "-",
        "+",
        "",
        "x",
        "1e5",
        "nan",
        "1e400",
        "0x1",
        "--1",
        "1.2.3",
    ]
    + [
        str(value)
        for value in (2**62, 2**62 + 1, -(2**62), -(2**62) - 1, 2**63, 2**64, 10**18, 10**19, 10**30)
    ]
    + ["0" * 40 + "7", "9" * 18, "9" * 19, "1" + "0" * 18 + ".9", "é", "1\0", ";"]
)
FIELD = st.one_of(SMALL, SMALL, SMALL, SMALL, SMALL, ODD)
BLANKS = st.sampled_from([" ", " ", "  ", "\t", " \t ", "     "])
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", " \n", "\n\n", "\n; x y\n", "\n  ;\n", "\n \t\n"])


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    text = draw(st.sampled_from(["", "; MaxProcs: 3\n", "\n\n", "  \n"]))
    for _ in range(draw(st.integers(0, 5))):
        count = draw(st.sampled_from([18] * 8 + [0, 1, 17, 19, 40]))
        fields = draw(st.lists(SMALL if draw(st.booleans()) else FIELD, min_size=count, max_size=count))
        text += draw(st.sampled_from(["", " ", "\t"]))
        text += "".join(field + draw(BLANKS) for field in fields).rstrip(" \t" if draw(st.booleans()) else "")
        text += draw(ENDS)
    return text.removesuffix(draw(st.sampled_from(["", "\n"]))).encode()


@pytest.mark.proof
@given(
    texts(),
    st.integers(1, 4),
    st.booleans(),
    st.booleans(),
    st.integers(0, 2),
    st.integers(3, 6),
    st.sampled_from(CANCELLED),
)
@example(b"", 1, False, False, 0, 1, "keep")
@example(row().encode(), 4, False, False, 0, 1, "keep")
@example(b" " + row(2).encode() + b"\r", 4, False, False, 0, 1, "keep")
@example((row(1) + "\n" + row(1)).encode(), 4, False, False, 0, 1, "keep")
@example("\n".join([row(2, status=3), row(2), row(3, "0.5", "2.5")]).encode(), 4, False, False, 0, 2, "keep")
@example(row(1, wait=2**62, runtime=2**62, status=5).encode(), 4, False, False, 0, 1, "replay")
def test_it_agrees_with_the_plain_reader(
    text: bytes, nodes: int, extend: bool, drop_missing: bool, first: int, last: int, status: str
) -> None:
    """The same jobs in the same order, the same counts, the same flaws, whatever the text holds."""
    rows = read(text, nodes, extend=extend, drop_missing=drop_missing, first=first, last=last, status=status)
    expected, dropped, flaws = plain_rows(text, nodes, extend, drop_missing, first, last, status)
    if rows.flaw_count <= 20:
        assert {(line, kind) for line, _, kind, _, _ in rows.flaws} == flaws
    if not flaws:
        assert jobs(rows) == expected
        assert rows.dropped == dropped
        assert rows.rows == len(rows.id) + sum(dropped.values())
        assert rows.work == min(LIMIT, sum(rows.estimate))


def test_the_columns_of_a_row() -> None:
    """Job number, submission, runtime, requested size and time, user, queue; no predecessor; status."""
    rows = read(row(7, 30, 100, allocated=8, requested=4, estimate=200, user=12, queue=3, status=0))
    assert jobs(rows) == [(7, 30, 100, 200, 4, 0, 12, 3, -1, -1, 0, 0)]


@pytest.mark.parametrize(
    ("fields", "options", "job"),
    [
        ({"requested": -1}, {}, (100, 200, 4, 0)),
        ({"requested": 0, "allocated": 9}, {}, (100, 200, 9, 0)),
        ({"estimate": -1}, {}, (100, 100, 4, 0)),
        ({"estimate": 60}, {}, (60, 60, 4, 1)),
        ({"estimate": 60}, {"extend": True}, (100, 100, 4, 0)),
        ({"runtime": "100.5", "estimate": "200.49"}, {}, (101, 200, 4, 0)),
        ({"wait": "12.5", "requested": 100}, {}, (100, 200, 100, 0)),
    ],
)
def test_rules_of_a_good_row(fields: dict[str, Any], options: dict[str, int], job: tuple[int, ...]) -> None:
    """Requested size, else allocated; without an estimate the runtime; an overrun is killed or extended."""
    (found,) = jobs(read(row(**fields), **options))
    assert found[2:6] == job


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"runtime": 0}, "runtime"),
        ({"runtime": -1, "requested": -1, "allocated": 0}, "runtime"),
        ({"runtime": "0.49"}, "runtime"),
        ({"requested": -1, "allocated": -1}, "size"),
        ({"requested": 101}, "larger_than_machine"),
        ({"estimate": 0}, "estimate"),
    ],
)
def test_rows_that_are_dropped(fields: dict[str, Any], reason: str) -> None:
    """Each for the first reason that holds; it is counted, and the others go on."""
    rows = read(row(1, **fields) + "\n" + row(2), drop_missing=True)
    assert rows.dropped == {reason: 1}
    assert (list(rows.id), rows.rows) == ([2], 2)


def test_flaws_have_places() -> None:
    """Line, column from 1, kind, field from 1, and the text."""
    text = "; c\n\n  " + row(1, "x", "1e400") + "\n" + row(2).removesuffix(" -1") + " \n" + row(3) + " 9 8\n"
    text += row("-4", 2**63) + "\n" + row(-5, -6)
    assert read(text).flaws == [
        (3, 5, "number", 2, b"x"),
        (3, 10, "number", 4, b"1e400"),
        (4, len(row(2)) - 2, "count", 17, b""),
        (5, len(row(3)) + 2, "count", 20, b"9"),
        (6, 1, "negative_id", 1, b"-4"),
        (6, 4, "range", 2, str(2**63).encode()),
        (7, 1, "negative_id", 1, b"-5"),
        (7, 4, "negative_submit", 2, b"-6"),
    ]


def test_many_flaws_are_counted() -> None:
    """The first 20 have places."""
    rows = read("x\n" * 50)
    assert (len(rows.flaws), rows.flaw_count) == (20, 50)
    assert len(read(" ".join("x" * 18) + "\n" + " ".join("x" * 18)).flaws) == 20


def test_numbers_at_the_limit() -> None:
    """2^62 is a number, one more is not; leading zeros do not count."""
    assert list(read(row(2**62, 2**62)).submit) == [2**62]
    assert list(read(row("0" * 60 + "7")).id) == [7]
    assert read(row(2**62 + 1)).flaws[0][2] == "range"
    assert read(row(1, 0, 100, estimate=2**62) + "\n" + row(2, 0, 100, estimate=2**62)).work == LIMIT


def test_fractions_are_rounded_and_counted() -> None:
    """Halves away from zero; what is no time of the job, and a fraction of 0, does not count."""
    text = "\n".join(
        [
            row(1, "0.5", "2.5", estimate="9.4999"),
            row(2, "1.0", "3."),
            row(3, 2, 5, wait="1.5"),
            row(4, 3, 5).replace(" 4 -1 -1 4 ", " 4 77.25 -1 4 "),
            row(5, 4, 7, estimate="0.4"),
        ]
    )
    rows = read(text)
    assert [job[1:4] for job in jobs(rows)] == [(1, 3, 9), (1, 3, 200), (2, 5, 200), (3, 5, 200), (4, 7, 7)]
    assert rows.rounded == 2
    assert read(text, status="replay").rounded == 3
    assert read(text, first=2).rounded == 1


def test_partial_executions_belong_to_their_job() -> None:
    """Rows of status 2 to 4 of a number that has another row, wherever they are; others are jobs."""
    text = "\n".join(
        [
            row(2, 0, 5, status=2),
            row(1, 0, 9),
            row(2, 1, 8, status=0),
            row(2, 1, 3, status=4),
            row(7, status=3),
        ]
    )
    rows = read(text)
    assert [job[0] for job in jobs(rows)] == [1, 7, 2]
    assert (rows.rows, rows.dropped, rows.dropped_lines) == (5, {"partial": 2}, {"partial": 1})
    assert rows.duplicates == []
    assert read(text, first=1).dropped == {"partial": 1}
    assert read("\n".join([row(4, status=2), row(4, status=3)])).duplicates == [(4, 2, 1)]
    assert read("\n".join([row(4), row(4, status=3), row(4)])).duplicates == [(4, 3, 1)]


def test_the_first_line_of_each_reason() -> None:
    """Lines are counted from the first of the file."""
    rows = read("; c\n" + "\n".join([row(1), row(2, runtime=0), row(3, requested=101), row(4, runtime=0)]))
    assert rows.dropped == {"runtime": 2, "larger_than_machine": 1}
    assert rows.dropped_lines == {"runtime": 3, "larger_than_machine": 4}


def test_rows_out_of_order_are_sorted() -> None:
    """Stable; every column goes along; those that come after a later one are counted."""
    submits = [5, 0, 7, 7, 3, 7, 6]
    rows = read("\n".join(row(i, time, 10 + i, user=i) for i, time in enumerate(submits)))
    assert list(rows.submit) == sorted(submits)
    assert list(rows.id) == [1, 4, 0, 6, 2, 3, 5]
    assert list(rows.runtime) == [10 + number for number in rows.id]
    assert rows.user == rows.id
    assert rows.disordered == 3
    assert read("\n".join(row(i, i // 2) for i in range(9))).disordered == 0


def test_a_job_number_that_comes_twice() -> None:
    """Its line and the line before; gaps and any order of the numbers are well."""
    text = "\n".join(["; c", row(5), row(3), row(5), row(9), row(3), row(5)])
    assert read(text).duplicates == [(3, 6, 3), (5, 4, 2), (5, 7, 4)]
    assert read("\n".join(row(i) for i in (5, 3, 9, 1))).duplicates == []
    assert read(row(5, runtime=0) + "\n" + row(5)).duplicates == [(5, 2, 1)]


def test_only_a_window_counts() -> None:
    """[first, last): what is outside is checked, neither counted nor kept; the whole log's span is known."""
    text = "\n".join(row(i, 10 * i, runtime=i % 3) for i in range(10))
    rows = read(text, first=20, last=70)
    assert list(rows.submit) == [20, 40, 50]
    assert (rows.rows, rows.dropped, rows.all_rows) == (5, {"runtime": 2}, 10)
    assert (rows.earliest, rows.latest) == (0, 90)
    assert read(text + "\nx", first=20, last=70).flaw_count == 1


def test_where_the_rows_begin() -> None:
    """After comments and blank lines; at the end where there is none."""
    assert first_row(b"; a\n\n ;b\r\n 1 2") == (10, 4)
    assert first_row(b"; a\n") == (4, 2)
    assert first_row(b"") == (0, 1)
    assert first_row(b"1") == (0, 1)


def test_a_start_outside_of_the_text() -> None:
    """It says what was expected."""
    with pytest.raises(ValueError, match="start is 9; expected 0 to 1"):
        read_rows(b"1", 9, 1, nodes=1)


def test_groups() -> None:
    """The last bound that is not after the time."""
    groups = group_by(array("q", [-5, 0, 9, 10, 10, 25, 99]), array("q", [0, 10, 20, 30]))
    assert list(groups) == [-1, 0, 0, 1, 1, 2, 3]
    assert list(group_by(array("q"), array("q", [0]))) == []


def test_classes() -> None:
    """Queue 0 is interactive, others batch; without a queue 0 there are no classes."""
    codes = classes(array("q", [0, 3, -1]))
    assert codes is not None and list(codes) == [0, 1, -1]
    assert classes(array("q", [1, -1])) is None


def test_a_long_log_is_read_in_pieces() -> None:
    """Rows that lie across two pieces are whole, and lines are counted on from one to the next."""
    count = 2 * PIECE // 100
    lines = [f"{number} {number} -1 5 1 -1 -1 1 9 {'0' * 70} 1 3 1 1 2 1 -1 -1" for number in range(count)]
    reported: list[tuple[int, int]] = []
    text = "\n".join(lines).encode()
    rows = read(text, progress=lambda done, total: reported.append((done, total)))
    assert rows.id == rows.submit == array("q", range(count))
    assert len(reported) > 1 and reported[-1] == (len(text), len(text))
    assert reported == sorted(set(reported)) and {total for _, total in reported} == {len(text)}
    assert read("\n".join([*lines, lines[0]])).duplicates == [(0, count + 1, 1)]
    assert [flaw[0] for flaw in read("\n".join([*lines, "x"])).flaws] == [count + 1]


def test_reading_ends_where_its_progress_raises() -> None:
    """Whoever has asked for a log may want it no more."""

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read(row(), progress=stop)
