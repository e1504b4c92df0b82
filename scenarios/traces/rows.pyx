"""The rows of a log in the Standard Workload Format: bytes in, int64 columns out.

One pass over the text checks every field of every row, applies the rules for jobs that cannot be simulated,
and fills the columns. No Python object is made for a row. Nothing here opens a file or words an error:
`shadowtime.scenarios.traces.swf` does.

A row is a line of 18 numbers between blanks. Numbers with a fraction are rounded, halves away from zero: by
the format a runtime of 0 is one of less than half a second. Lines that are blank or begin with `;` are passed
over. A row of status 2, 3 or 4 is one run of a job that another row, of another status, stands for; it is
counted and left out. Lines and columns are counted from 1, columns in bytes.
"""

cimport cython
from cpython cimport array
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memchr, memset

import array as arrays

# Numbers beyond +-2^62 are refused, so that the sum of any two that are kept is an int64.
cdef int64_t _LIMIT = (<int64_t> 1) << 62
cdef enum:
    FIELDS = 18
    # The shortest row: 18 digits, 17 blanks between them, a line end.
    SHORTEST_ROW = 36
    MAX_FLAWS = 20
    # Bytes that are read without a look at signals: some ten milliseconds.
    PIECE = 16777216

cdef enum Kind:
    COUNT = 0
    NUMBER = 1
    RANGE = 2
    NEGATIVE_ID = 3
    NEGATIVE_SUBMIT = 4

KINDS = ("count", "number", "range", "negative_id", "negative_submit")
LIMIT = _LIMIT

cdef array.array _TEMPLATE = arrays.array("q")
cdef array.array _NONE = arrays.array("q")

ctypedef const unsigned char *text_t

cdef struct Flaw:
    int64_t line
    int64_t column
    Kind kind
    int64_t field         # which field (from 1); how many there are, where the count is wrong
    Py_ssize_t begin      # the field's text: data[begin:end]
    Py_ssize_t end

cdef struct Pair:
    int64_t key
    int64_t index

cdef enum Cancelled:
    KEEP = 0              # it is a row like any other
    DROP = 1
    REPLAY = 2            # it is cancelled when the log did

CANCELLED = ("keep", "drop", "replay")

cdef enum:
    STATUS_PART = 2       # the first and the last status of a partial execution
    STATUS_LAST_PART = 4
    STATUS_CANCELLED = 5

cdef enum Reason:
    # Why a row is left out, in the order of _REASONS.
    NO_RUNTIME, NO_SIZE, TOO_LARGE, NO_ESTIMATE, CANCELLED_THEN, PARTIAL, REASONS

_REASONS = ("runtime", "size", "larger_than_machine", "estimate", "cancelled", "partial")

cdef enum:
    # What `_number` returns for a number that was rounded; a kind of flaw is 0 or more.
    EXACT = -1
    ROUNDED = -2

cdef struct Rules:
    int64_t nodes         # rows that need more are dropped
    bint extend           # a runtime beyond the estimate extends the estimate; otherwise it is cut
    bint drop_missing     # a row without an estimate is dropped; otherwise its runtime is taken
    int64_t first         # only rows submitted in [first, last) are counted or kept
    int64_t last
    Cancelled cancelled   # what becomes of a row of status 5
    int64_t times         # the fields, as bits, whose rounding is counted

cdef enum:
    # The columns that are filled, and how many they are.
    ID, SUBMIT, RUNTIME, ESTIMATE, SIZE, KILLED, USER, QUEUE, CANCEL, AFTER, THINK, STATUS, COLUMNS

cdef struct Tally:
    int64_t rows          # rows submitted in the window
    int64_t all_rows      # rows of the log
    int64_t kept
    int64_t rounded       # rows submitted in the window with a time that was rounded
    int64_t dropped[REASONS]
    int64_t dropped_line[REASONS]
    int64_t disordered    # kept rows submitted before one that stands above them
    int64_t newest        # the latest submission among the kept rows so far
    int64_t earliest      # first and last submission of the whole log
    int64_t latest
    int64_t work          # sum of max(runtime, estimate) of the kept rows; _LIMIT when it is not below that
    bint ascending        # every job number is larger than the one before
    int64_t last_id       # that of the last row so far, -1 before the first
    int64_t line          # the line that is read next
    Py_ssize_t next_part  # the place in the list of partial executions of the next one
    int64_t flaws         # how many were met, also those beyond MAX_FLAWS


cdef inline bint _blank(unsigned char c) noexcept nogil:
    return c == 32 or c == 9 or c == 13


# Digits past the range wrap on purpose: their count shows that the number is out of range.
@cython.overflowcheck(False)
cdef inline int _number(text_t *place, text_t end, int64_t *value) noexcept nogil:
    """Read the number at `place` and move it behind the field. Returns EXACT, ROUNDED, or the kind of flaw.

    The text ends in a NUL that belongs to no number, so only the end of a field looks for the end of the
    text.
    """
    cdef text_t p = place[0]
    cdef text_t whole
    cdef text_t point
    cdef uint64_t v = 0
    cdef unsigned int digit
    cdef bint negative = p[0] == 45
    if negative or p[0] == 43:
        p += 1
    whole = p
    while True:
        digit = <unsigned int> p[0] - 48
        if digit > 9:
            break
        # Past 19 digits this wraps round; `_unusual` then computes it anew.
        v = v * 10 + digit
        p += 1
    point = p
    if p[0] == 46:
        p += 1
        while <unsigned int> p[0] - 48 <= 9:
            p += 1
    place[0] = p
    if p - whole == (p != point) or not (_blank(p[0]) or p[0] == 10 or p == end):
        place[0] = _field_end(p, end)
        return NUMBER
    # 18 digits are below 2^62 in any case.
    if p != point or point - whole > 18:
        return _unusual(whole, negative, value)
    value[0] = -(<int64_t> v) if negative else <int64_t> v
    return EXACT


cdef int _unusual(text_t whole, bint negative, int64_t *value) noexcept nogil:
    """Read a number, of digits from `whole` on, that has many of them or a point: EXACT, ROUNDED or RANGE.

    A function of its own keeps `_number` small enough to be a part of the loop that calls it for every field:
    1.35 times as long without.
    """
    cdef uint64_t v
    cdef text_t p = whole
    cdef int kind = EXACT
    while 48 <= p[0] <= 57:
        p += 1
    v = _long_number(whole, p)
    if p[0] == 46:
        v += 53 <= p[1] <= 57
        p += 1
        while p[0] == 48:
            p += 1
        if 48 < p[0] <= 57:
            kind = ROUNDED
    if v > <uint64_t> _LIMIT:
        return RANGE
    value[0] = -(<int64_t> v) if negative else <int64_t> v
    return kind


cdef text_t _field_end(text_t p, text_t end) noexcept nogil:
    while p < end and not _blank(p[0]) and p[0] != 10:
        p += 1
    return p


cdef uint64_t _long_number(text_t p, text_t stop) noexcept nogil:
    """The value of many digits, or something beyond the limit where it is beyond the limit."""
    cdef uint64_t v = 0
    while p < stop and p[0] == 48:
        p += 1
    if stop - p > 19:
        return <uint64_t> _LIMIT + 1
    while p < stop:
        v = v * 10 + (p[0] - 48)
        p += 1
    return v


cdef inline void _note(Flaw *flaws, Tally *tally, Flaw flaw) noexcept nogil:
    if tally.flaws < MAX_FLAWS:
        flaws[tally.flaws] = flaw
    tally.flaws += 1


cdef inline text_t _line_end(text_t p, text_t end) noexcept nogil:
    cdef text_t found = <text_t> memchr(p, 10, end - p)
    return end if found is NULL else found


cdef text_t _examine(
    text_t data, text_t p, text_t end, text_t line_begin, int64_t line, Flaw *flaws, Tally *tally,
) noexcept nogil:
    """Note what is wrong with the row at `p`: how many its fields are, else each bad one; return its end."""
    # One more than can be wrong, for the field at hand.
    cdef Flaw bad[FIELDS + 1]
    cdef Flaw flaw
    cdef int64_t count = 0, value = 0, wrong = 0
    cdef int kind, i
    cdef text_t last = p
    flaw = Flaw(line, 0, COUNT, 0, 0, 0)
    while not (p[0] == 10 or p >= end):
        bad[wrong].begin = p - data
        kind = _number(&p, end, &value)
        last = p
        bad[wrong].end = p - data
        count += 1
        if count == FIELDS + 1:
            # Of too many fields the first is to blame.
            flaw.begin, flaw.end = bad[wrong].begin, bad[wrong].end
        if kind < 0 and value < 0 and count <= 2:
            kind = NEGATIVE_ID if count == 1 else NEGATIVE_SUBMIT
        if kind >= 0 and count <= FIELDS:
            bad[wrong].kind = <Kind> kind
            bad[wrong].field = count
            wrong += 1
        while _blank(p[0]):
            p += 1
    if count != FIELDS:
        flaw.field = count
        if count < FIELDS:
            flaw.begin = flaw.end = last - data
        bad[0] = flaw
        wrong = 1
    for i in range(wrong):
        bad[i].line = line
        bad[i].column = bad[i].begin - (line_begin - data) + 1
        _note(flaws, tally, bad[i])
    return p


cdef inline void _drop(Tally *tally, int reason, int64_t line) noexcept nogil:
    if not tally.dropped[reason]:
        tally.dropped_line[reason] = line
    tally.dropped[reason] += 1


cdef inline void _keep(
    const int64_t *v, int64_t rounded, bint part, int64_t line, const Rules *rules, int64_t **to, Tally *tally,
) noexcept nogil:
    """Judge one good row and append it to the columns, or count why not.

    Bit k of `rounded` is set where v[k] was rounded; `part` is whether the row is a run of another row's job.
    """
    cdef int64_t submit = v[1], runtime = v[3], estimate = v[8], size = v[7], cost
    cdef int64_t k = tally.kept
    cdef int64_t cancel = -1
    cdef bint killed = False
    if submit < rules.first or submit >= rules.last:
        return
    tally.rows += 1
    if part:
        _drop(tally, PARTIAL, line)
        return
    tally.rounded += (rounded & rules.times) != 0
    if size <= 0:
        size = v[4]
    if v[10] == STATUS_CANCELLED and rules.cancelled == DROP:
        _drop(tally, CANCELLED_THEN, line)
        return
    if v[10] == STATUS_CANCELLED and rules.cancelled == REPLAY and 0 <= v[2] <= _LIMIT - max(runtime, 0):
        cancel = v[2] + max(runtime, 0)
        if runtime <= 0:
            # It never ran: if it starts before it is cancelled, it would run to its limit.
            runtime = estimate
    if runtime <= 0:
        _drop(tally, NO_RUNTIME, line)
        return
    if size <= 0:
        _drop(tally, NO_SIZE, line)
        return
    if size > rules.nodes:
        _drop(tally, TOO_LARGE, line)
        return
    if estimate <= 0:
        if rules.drop_missing:
            _drop(tally, NO_ESTIMATE, line)
            return
        estimate = runtime
    elif runtime > estimate:
        if rules.extend:
            estimate = runtime
        else:
            runtime = estimate
            killed = True
    if submit < tally.newest:
        tally.disordered += 1
    else:
        tally.newest = submit
    # The estimate is never below the runtime here.
    cost = estimate
    tally.work = tally.work + cost if tally.work < _LIMIT - cost else _LIMIT
    to[ID][k] = v[0]
    to[SUBMIT][k] = submit
    to[RUNTIME][k] = runtime
    to[ESTIMATE][k] = estimate
    to[SIZE][k] = size
    to[KILLED][k] = killed
    to[USER][k] = v[11]
    to[QUEUE][k] = v[14]
    to[CANCEL][k] = cancel
    to[AFTER][k] = v[16] if v[16] > 0 else -1
    to[THINK][k] = max(v[17], 0)
    to[STATUS][k] = v[10]
    tally.kept = k + 1


cdef Py_ssize_t _scan(
    text_t data, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t length,
    const int64_t[::1] parts, const Rules *rules, int64_t **to, Flaw *flaws, Tally *tally,
) noexcept nogil:
    """Read every row that begins in data[start:stop], where a line begins at `start`; return where the next one does.

    `parts` has the lines of the rows that are runs of another row's job, in order.
    """
    cdef text_t p = data + start
    cdef text_t end = data + length
    cdef text_t until = data + stop
    cdef text_t line_begin
    cdef text_t row
    cdef int64_t values[FIELDS]
    cdef int64_t line, rounded
    cdef int count, kind
    cdef bint part
    while p < until:
        line = tally.line
        tally.line += 1
        line_begin = p
        while _blank(p[0]):
            p += 1
        if p[0] == 10:
            p += 1
            continue
        if p >= end:
            break
        if p[0] == 59:
            p = _line_end(p, end) + 1
            continue
        row = p
        count = 0
        rounded = 0
        while count < FIELDS:
            kind = _number(&p, end, &values[count])
            if kind != EXACT:
                if kind != ROUNDED:
                    break
                rounded |= 1 << count
            count += 1
            while _blank(p[0]):
                p += 1
            if p[0] == 10 or p >= end:
                break
        if count != FIELDS or not (p[0] == 10 or p >= end) or values[0] < 0 or values[1] < 0:
            p = _examine(data, row, end, line_begin, line, flaws, tally) + 1
            continue
        p += 1
        part = tally.next_part < parts.shape[0] and parts[tally.next_part] == line
        if part:
            tally.next_part += 1
        else:
            if values[0] <= tally.last_id:
                tally.ascending = False
            tally.last_id = values[0]
        tally.earliest = min(tally.earliest, values[1])
        tally.latest = max(tally.latest, values[1])
        tally.all_rows += 1
        _keep(values, rounded, part, line, rules, to, tally)
    return p - data


cdef int _by_key(const void *a, const void *b) noexcept nogil:
    cdef const Pair *x = <const Pair *> a
    cdef const Pair *y = <const Pair *> b
    if x.key != y.key:
        return -1 if x.key < y.key else 1
    return -1 if x.index < y.index else (1 if x.index > y.index else 0)


cdef Py_ssize_t _ids(
    text_t data, Py_ssize_t start, Py_ssize_t length, int64_t line, Pair *pairs,
) noexcept nogil:
    """Job number of every row of a text known to be good, and twice its line, odd for a partial execution."""
    cdef text_t p = data + start
    cdef text_t end = data + length
    cdef int64_t values[FIELDS]
    cdef int field
    cdef Py_ssize_t n = 0
    while p < end:
        while _blank(p[0]):
            p += 1
        if p[0] != 10 and p[0] != 59 and p < end:
            for field in range(11):
                _number(&p, end, &values[field])
                while _blank(p[0]):
                    p += 1
            pairs[n].key = values[0]
            pairs[n].index = 2 * line + (STATUS_PART <= values[10] <= STATUS_LAST_PART)
            n += 1
        p = _line_end(p, end) + 1 if p < end else end
        line += 1
    return n


cdef tuple _repeated(text_t data, Py_ssize_t start, Py_ssize_t length, int64_t line, int64_t rows):
    """Rows whose number another row has: those that are parts of its job, and those that cannot be.

    The lines of the parts, in order; then (job number, its line, the line that had it before), by number.
    """
    cdef Pair *pairs = <Pair *> malloc((rows + 1) * sizeof(Pair))
    cdef Py_ssize_t i, n, begin = 0, end, before
    cdef bint whole
    if pairs is NULL:
        raise MemoryError
    parts, twice = arrays.array("q"), []
    try:
        with nogil:
            n = _ids(data, start, length, line, pairs)
            qsort(pairs, n, sizeof(Pair), &_by_key)
        while begin < n:
            end = begin + 1
            while end < n and pairs[end].key == pairs[begin].key:
                end += 1
            if end - begin > 1:
                whole = False
                for i in range(begin, end):
                    whole = whole or not pairs[i].index & 1
                before = -1
                for i in range(begin, end):
                    if whole and pairs[i].index & 1:
                        parts.append(pairs[i].index >> 1)
                        continue
                    if before >= 0:
                        twice.append((pairs[i].key, pairs[i].index >> 1, pairs[before].index >> 1))
                    before = i
            begin = end
    finally:
        free(pairs)
    return arrays.array("q", sorted(parts)), twice


@cython.final
cdef class LogRows:
    """What a log holds: the usable rows as columns, in order of submission, and the count of the others.

    The columns are array('q') of equal length: `id`, `submit` (s), `runtime` (s), `estimate` (s, never below
    the runtime), `size`, `killed` (1 where the runtime was cut to the estimate), `user`, `queue` (-1: none),
    `cancel` (s after the submission at which it is cancelled, -1: never), `after` (the number of the job that it
    follows, -1: none), `think` (s from the end of that job on), `status` (as the log has it; -1: none).
    `dropped` has how many rows were left out by reason, `dropped_lines` the first line of each reason, `rounded`
    how many rows have a time of submission, run, request, think or, where it is used, wait that was rounded.
    """

    cdef readonly object id, submit, runtime, estimate, size, killed, user, queue, cancel, after, think, status
    cdef readonly int64_t rows, all_rows, disordered, earliest, latest, work, flaw_count
    cdef readonly int64_t rounded
    cdef readonly dict dropped, dropped_lines
    cdef readonly list flaws
    cdef readonly list duplicates


cdef array.array _column(Py_ssize_t capacity):
    # Fresh pages that are never written cost nothing, so room for the most rows that can be is free.
    return array.clone(_TEMPLATE, capacity, zero=False)


def read_rows(
    bytes text not None, Py_ssize_t start, int64_t line, *, int64_t nodes,
    bint extend=False, bint drop_missing=False, int64_t first=0, int64_t last=_LIMIT + 1, str status="keep",
    progress=None,
):
    """Read the rows of text[start:], whose first line has the number `line`, for a machine of `nodes`.

    `extend` and `drop_missing` say what becomes of a runtime beyond the estimate and of a missing estimate,
    `status`, one of CANCELLED, what becomes of a row of status 5.
    Only rows submitted in [first, last) are kept or counted in `rows`; all are checked. Where `flaws` or
    `duplicates` is not empty the columns are not to be used. `progress` is called with the bytes read and all bytes.
    """
    cdef text_t data = text
    cdef Py_ssize_t length = len(text)
    cdef Rules rules
    cdef int64_t *to[COLUMNS]
    cdef Tally tally
    cdef Flaw flaws[MAX_FLAWS]
    cdef Py_ssize_t i, place
    cdef bint sorted_well
    cdef int cancelled = CANCELLED.index(status)
    cdef LogRows result
    if not 0 <= start <= length:
        raise ValueError(f"start is {start}; expected 0 to {length}")
    columns = [_column((length - start) // SHORTEST_ROW + 2) for _ in range(COLUMNS)]
    for i in range(COLUMNS):
        to[i] = <int64_t *> (<array.array> columns[i]).data.as_longlongs
    rules.nodes, rules.extend, rules.drop_missing = nodes, extend, drop_missing
    rules.first, rules.last = first, last
    rules.cancelled = <Cancelled> cancelled
    rules.times = 1 << 1 | 1 << 3 | 1 << 8 | 1 << 17 | (1 << 2 if cancelled == REPLAY else 0)
    cdef const int64_t[::1] parts = _NONE
    duplicates = []
    while True:
        memset(&tally, 0, sizeof(Tally))
        tally.earliest, tally.ascending, tally.last_id, tally.line = _LIMIT, True, -1, line
        place = start
        while place < length:
            with nogil:
                place = _scan(data, place, min(place + PIECE, length), length, parts, &rules, to, flaws, &tally)
            # Between pieces a signal ends the reading.
            PyErr_CheckSignals()
            if progress is not None:
                progress(min(place, length), length)
        if tally.ascending or tally.flaws or parts.shape[0]:
            break
        # A log with partial executions is read again, now that they are known.
        found, duplicates = _repeated(data, start, length, line, tally.all_rows)
        if not found:
            break
        parts = found
    with nogil:
        sorted_well = not tally.disordered or _sort(to, tally.kept)
    if not sorted_well:
        raise MemoryError
    for column in columns:
        array.resize(column, tally.kept)
    result = LogRows.__new__(LogRows)
    _settle(result, columns, &tally)
    result.flaws = [_told(text, &flaws[i]) for i in range(min(tally.flaws, MAX_FLAWS))]
    result.duplicates = duplicates
    return result


cdef tuple _told(bytes text, const Flaw *flaw):
    return flaw.line, flaw.column, KINDS[flaw.kind], flaw.field, text[flaw.begin:flaw.end]


cdef void _settle(LogRows result, list columns, const Tally *tally):
    cdef int reason
    result.id, result.submit, result.runtime, result.estimate = columns[:4]
    result.size, result.killed, result.user, result.queue = columns[4:8]
    result.cancel, result.after, result.think, result.status = columns[8:]
    result.rows, result.all_rows = tally.rows, tally.all_rows
    result.disordered, result.work = tally.disordered, tally.work
    result.earliest, result.latest = tally.earliest, tally.latest
    result.flaw_count = tally.flaws
    result.rounded = tally.rounded
    result.dropped, result.dropped_lines = {}, {}
    for reason in range(<int> REASONS):
        if tally.dropped[reason]:
            result.dropped[_REASONS[reason]] = tally.dropped[reason]
            result.dropped_lines[_REASONS[reason]] = tally.dropped_line[reason]


cdef bint _sort(int64_t **columns, int64_t n) noexcept nogil:
    """Order the rows by submission; rows of one instant keep their order. False where memory is short."""
    cdef Pair *pairs = <Pair *> malloc(n * sizeof(Pair))
    cdef int64_t *scratch = <int64_t *> malloc(n * sizeof(int64_t))
    cdef int64_t i
    cdef bint enough = pairs is not NULL and scratch is not NULL
    if enough:
        for i in range(n):
            pairs[i].key = columns[SUBMIT][i]
            pairs[i].index = i
        qsort(pairs, n, sizeof(Pair), &_by_key)
        for i in range(COLUMNS):
            _permute(columns[i], pairs, scratch, n)
    free(pairs)
    free(scratch)
    return enough


cdef void _permute(int64_t *column, const Pair *pairs, int64_t *scratch, int64_t n) noexcept nogil:
    cdef int64_t i
    for i in range(n):
        scratch[i] = column[pairs[i].index]
    for i in range(n):
        column[i] = scratch[i]


def first_row(bytes text not None):
    """(place, line) of the first line that is neither blank nor a comment; place is len(text) without one."""
    cdef text_t data = text
    cdef text_t p = data
    cdef text_t end = data + len(text)
    cdef text_t line_begin
    cdef int64_t line = 1
    while p < end:
        line_begin = p
        while _blank(p[0]):
            p += 1
        if p < end and p[0] != 10 and p[0] != 59:
            return line_begin - data, line
        p = _line_end(p, end) + 1 if p < end else end
        line += 1
    return len(text), line


def group_by(const int64_t[::1] times, const int64_t[::1] bounds):
    """For each of the ascending times (s) the index of the last of the ascending bounds up to it, or -1."""
    cdef array.array groups = _column(times.shape[0])
    cdef int64_t[::1] to = groups
    cdef Py_ssize_t i, k = 0
    with nogil:
        for i in range(times.shape[0]):
            while k < bounds.shape[0] and bounds[k] <= times[i]:
                k += 1
            to[i] = k - 1
    return groups


def classes(const int64_t[::1] queues):
    """Return 0 (interactive) for queue 0, 1 (batch) for others, -1 without a queue; None if no queue is 0."""
    cdef array.array codes = _column(queues.shape[0])
    cdef int64_t[::1] to = codes
    cdef Py_ssize_t i
    cdef bint distinct = False
    with nogil:
        for i in range(queues.shape[0]):
            to[i] = 0 if queues[i] == 0 else (1 if queues[i] > 0 else -1)
            distinct = distinct or queues[i] == 0
    return codes if distinct else None
