"""Cells of so many nodes by so many seconds, and who has each: what a Gantt chart is drawn from."""

cimport cython
from libc.stdlib cimport free

from shadowtime.kernels.charts.bars cimport Stretch, Stretches, WHOLE
from shadowtime.kernels.core.memory cimport zeros
from shadowtime.kernels.core.types cimport DOWN, NONE

cdef enum:
    SEVERAL = -3            # nobody has half of what is taken


@cython.final
cdef class Grid:
    """Rows of `per` nodes from node `first` on, columns of `span` seconds from `since` on; and who has each cell.

    `add` what was and will be held, then `fill`. O(stretches + cells that they touch), without the lock.
    """

    def __cinit__(self, nodes_t nodes, nodes_t first, nodes_t per, int32_t rows, seconds_t since, seconds_t span,
                  int32_t columns):
        self.nodes = nodes
        self.first = first
        self.per = per
        self.rows = max(0, min(rows, (nodes - first + per - 1) // per))
        self.since = since
        self.span = span
        self.columns = max(0, columns)
        self.parts = []
        self.cells = <Cell *> zeros(self.rows * self.columns, sizeof(Cell))

    def __dealloc__(self):
        free(self.cells)

    def add(self, Stretches stretches not None, low=None, high=None, job_t job=NONE):
        """Take these stretches in, as far as they lie in [low, high); those of one job alone if one is given."""
        cdef seconds_t end = self.since + self.span * self.columns
        begin = self.since if low is None else max(<seconds_t> low, self.since)
        end = end if high is None else min(<seconds_t> high, end)
        if begin < end:
            self.parts.append((stretches, begin, end, job))

    def fill(self):
        """Sum the node-seconds of every cell, in parts of WHOLE."""
        cdef Stretches stretches
        cdef seconds_t low, high
        cdef bint counting
        cdef job_t job
        for counting in (False, True):
            for stretches, low, high, job in self.parts:
                with nogil:
                    self._vote(stretches, low, high, job, counting)

    cdef void _vote(self, Stretches stretches, seconds_t low, seconds_t high, job_t job, bint counting) noexcept nogil:
        """First find for each cell the one job that may have half or more; then count what it has."""
        cdef Py_ssize_t i
        cdef Stretch *held
        cdef Cell *cell
        cdef seconds_t since, until, from_, to
        cdef nodes_t first, end, low_node, high_node
        cdef int64_t row, column, last_row, last_column, area
        cdef nodes_t stop = min(self.nodes, <nodes_t> (self.first + <int64_t> self.per * self.rows))
        for i in range(stretches.count):
            held = &stretches.of[i]
            if job != NONE and held.job != job:
                continue
            since, until = max(held.since, low), min(held.until, high)
            first, end = max(held.first, self.first), min(held.first + held.count, stop)
            if since >= until or first >= end:
                continue
            last_row = (end - 1 - self.first) // self.per
            last_column = (until - 1 - self.since) // self.span
            for row in range((first - self.first) // self.per, last_row + 1):
                low_node = <nodes_t> max(first, self.first + row * self.per)
                high_node = <nodes_t> min(end, self.first + (row + 1) * self.per)
                for column in range((since - self.since) // self.span, last_column + 1):
                    from_ = max(since, self.since + column * self.span)
                    to = min(until, self.since + (column + 1) * self.span)
                    area = (to - from_) * (high_node - low_node) * held.share
                    cell = &self.cells[row * self.columns + column]
                    if not counting:
                        vote(cell, held, area)
                    elif cell.job == held.job:
                        cell.own += area
                        if area > cell.most:
                            cell.most = area
                            cell.kind = held.kind

    def runs(self, int32_t row):
        """(first column, columns, job, kind, eighths taken) of each run of alike cells of a row, without the idle.

        The job is -3 where nobody has half of what is taken. Eighths are rounded up; beside a job that has
        less, those of nodes that are down are what is down alone.
        """
        cdef Cell *cell
        cdef int32_t column, begun = 0
        cdef int64_t area, taken
        cdef int job = NONE, kind = 0, eighths = 0, its, its_kind, its_eighths
        if not 0 <= row < self.rows:
            raise IndexError(f"row {row} of {self.rows}")
        area = <int64_t> min(self.per, self.nodes - self.first - row * self.per) * self.span * WHOLE
        found = []
        for column in range(self.columns):
            cell = &self.cells[<int64_t> row * self.columns + column]
            its = NONE if not cell.busy else cell.job if 2 * cell.own >= cell.busy else SEVERAL
            its_kind = cell.kind if its != NONE else 0
            taken = cell.own if its == DOWN else cell.busy
            its_eighths = <int> min(8, (8 * taken + area - 1) // area)
            if its != job or its_kind != kind or its_eighths != eighths:
                if job != NONE:
                    found.append((begun, column - begun, job, chr(kind), eighths))
                begun, job, kind, eighths = column, its, its_kind, its_eighths
        if job != NONE:
            found.append((begun, self.columns - begun, job, chr(kind), eighths))
        return found


cdef inline void vote(Cell *cell, Stretch *held, int64_t area) noexcept nogil:
    cell.busy += area
    if cell.job == held.job and cell.weight:
        cell.weight += area
    elif cell.weight >= area:
        cell.weight -= area
        if not cell.weight and held.job < cell.job:
            cell.job = held.job     # two that have half each: the lower, whatever the order
    else:
        cell.weight = area - cell.weight
        cell.job = held.job
