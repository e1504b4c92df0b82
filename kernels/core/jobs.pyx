"""The job table: columns in trace order, checked once here and immutable ever after.

The exception is a table whose submissions are being found by `kernels/core/closed_loop.py`: `put` fills rows that have
not come.
"""

cimport cython
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from shadowtime.kernels.core.memory cimport resized
from shadowtime.kernels.core.types cimport FOREVER

SERVICES = ("interactive", "debug", "production", "benchmark", "standby")


cdef void *column(Py_ssize_t count, size_t width) except NULL:
    return resized(NULL, max(count, 1) * width)


cdef void *of_column(const void *source, Py_ssize_t count, Py_ssize_t more, size_t width) except? NULL:
    """The first rows of a column, as a column of their own, and `more` zeros; NULL of NULL."""
    cdef char *room
    if source == NULL:
        return NULL
    room = <char *> column(count + more, width)
    memcpy(room, source, count * width)
    memset(room + count * width, 0, more * width)
    return room


@cython.final
cdef class Jobs:
    """Columns of a workload, one row a job, in trace order.

    `submit` ascends; `runtime` and `estimate` are seconds with 1 <= runtime <= estimate; `size` is nodes, 1 or more;
    `killed` (0/1) marks jobs that end because their estimate ran out; `group` numbers the month of submission from 0;
    `priority` is what the job's class counts for (0 without);
    `interactive` (0/1) marks jobs that somebody waits for, and `classed` tells whether it was given; `service` is the
    class of service, a place in SERVICES (production without), and `user` the number of the user, -1 for none. Each is a
    buffer of int64. ValueError names row and column.
    """

    def __init__(self, *, submit, runtime, estimate, size, killed=None, group=None, priority=None, interactive=None,
                 service=None, user=None):
        cdef const int64_t[::1] submits = submit, runtimes = runtime, estimates = estimate, sizes = size
        cdef Py_ssize_t i, n = submits.shape[0]
        cdef int64_t total = 0
        for name, other in (("runtime", runtimes), ("estimate", estimates), ("size", sizes),
                            ("killed", killed), ("group", group), ("priority", priority),
                            ("interactive", interactive), ("service", service), ("user", user)):
            if other is not None and len(other) != n:
                raise ValueError(f"column {name} has {len(other)} rows; submit has {n}")
        self.count = n
        self.submit = <seconds_t *> column(n, sizeof(seconds_t))
        self.runtime = <seconds_t *> column(n, sizeof(seconds_t))
        self.estimate = <seconds_t *> column(n, sizeof(seconds_t))
        self.size = <nodes_t *> column(n, sizeof(nodes_t))
        for i in range(n):
            if i == 0 and submits[0] < 0:
                raise ValueError(f"row 0: submit is {submits[0]}; expected 0 or later")
            if i and submits[i] < submits[i - 1]:
                raise ValueError(f"row {i}: submit is {submits[i]}; expected {submits[i - 1]} or later")
            if not 1 <= runtimes[i] <= estimates[i]:
                raise ValueError(f"row {i}: runtime is {runtimes[i]}; expected 1 to the estimate {estimates[i]}")
            if not 1 <= sizes[i] <= 0x7FFFFFFE:
                raise ValueError(f"row {i}: size is {sizes[i]}; expected 1 to {0x7FFFFFFE}")
            # One sum bounds every instant of every schedule: nothing later can overflow.
            if estimates[i] >= FOREVER - total:
                raise ValueError(f"row {i}: the estimates add up to more than {FOREVER} seconds")
            total += estimates[i]
            self.submit[i] = submits[i]
            self.runtime[i] = runtimes[i]
            self.estimate[i] = estimates[i]
            self.size[i] = <nodes_t> sizes[i]
            self.widest = max(self.widest, self.size[i])
        if n and submits[n - 1] >= FOREVER - total:
            raise ValueError(f"row {n - 1}: submit and estimates add up to more than {FOREVER} seconds")
        self._fill_marks(killed, group)
        self._fill_classes(priority, interactive)
        self._fill_services(service, user)

    cdef _fill_marks(self, killed, group):
        cdef const int64_t[::1] view
        cdef Py_ssize_t i, n = self.count
        self.groups = 1
        if killed is not None:
            view = killed
            self._killed = <uint8_t *> column(n, 1)
            for i in range(n):
                self._killed[i] = view[i] != 0
        if group is not None:
            view = group
            self._group = <int32_t *> column(n, sizeof(int32_t))
            for i in range(n):
                if not 0 <= view[i] < 65536:
                    raise ValueError(f"row {i}: group is {view[i]}; expected 0 to 65535")
                self._group[i] = <int32_t> view[i]
                self.groups = max(self.groups, self._group[i] + 1)

    cdef _fill_classes(self, priority, interactive):
        cdef const int64_t[::1] view
        cdef Py_ssize_t i, n = self.count
        self.classed = interactive is not None
        if priority is not None:
            view = priority
            self._priority = <int64_t *> column(n, sizeof(int64_t))
            for i in range(n):
                self._priority[i] = view[i]
        if interactive is not None:
            view = interactive
            self._interactive = <uint8_t *> column(n, 1)
            for i in range(n):
                self._interactive[i] = view[i] != 0

    cdef _fill_services(self, service, user):
        cdef const int64_t[::1] view
        cdef Py_ssize_t i, n = self.count
        if service is not None:
            view = service
            self._service = <uint8_t *> column(n, 1)
            for i in range(n):
                if not INTERACTIVE <= view[i] <= STANDBY:
                    raise ValueError(f"row {i}: service is {view[i]}; expected 0 to {len(SERVICES) - 1}")
                self._service[i] = <uint8_t> view[i]
        if user is not None:
            view = user
            self._user = <int32_t *> column(n, sizeof(int32_t))
            for i in range(n):
                if not -1 <= view[i] <= 0x7FFFFFFF:
                    raise ValueError(f"row {i}: user is {view[i]}; expected -1 to {0x7FFFFFFF}")
                self._user[i] = <int32_t> view[i]

    def __dealloc__(self):
        if self._borrowed:
            return
        free(self.submit)
        free(self.runtime)
        free(self.estimate)
        free(self.size)
        free(self._killed)
        free(self._group)
        free(self._priority)
        free(self._interactive)
        free(self._service)
        free(self._user)

    def __len__(self):
        return self.count

    def row(self, Py_ssize_t job):
        """(submit, runtime, estimate, size) of one row. IndexError outside the table."""
        if not 0 <= job < self.count:
            raise IndexError(f"row {job}; the table has {self.count}")
        return self.submit[job], self.runtime[job], self.estimate[job], self.size[job]

    def copied(self):
        """Another table with the same rows."""
        return copy_of(self)

    def put(self, Py_ssize_t row, Jobs other not None, Py_ssize_t place, *, seconds_t submit):
        """Make a row that of another table, submitted at `submit`. IndexError outside either table.

        Nothing may have read the row yet, and no row before it may be submitted later: nothing here checks that.
        """
        other.row(place)
        self.row(row)
        self.take_row(row, other, place, submit)

    cdef void take_row(self, Py_ssize_t row, Jobs other, Py_ssize_t place, seconds_t submit) noexcept nogil:
        """`put` of rows that exist."""
        self.submit[row] = submit
        self.runtime[row] = other.runtime[place]
        self.estimate[row] = other.estimate[place]
        self.size[row] = other.size[place]
        if self._killed != NULL:
            self._killed[row] = other.killed(place)
        if self._group != NULL:
            self._group[row] = other.group(place)
        if self._priority != NULL:
            self._priority[row] = other.priority(place)
        if self._interactive != NULL:
            self._interactive[row] = other.interactive(place)
        if self._service != NULL:
            self._service[row] = other.service(place)
        if self._user != NULL:
            self._user[row] = other.user(place)

    cdef Jobs roomy(self, Py_ssize_t more):
        """A copy in which nobody is killed, with rows for `more` jobs that may come: each like the first, for one second."""
        cdef Jobs other = copy_of(self, more)
        cdef Py_ssize_t row
        free(other._killed)
        other._killed = NULL
        for row in range(self.count, other.count):
            other.submit[row] = self.submit[self.count - 1] if self.count else 0
            other.runtime[row] = other.estimate[row] = 1
            other.size[row] = self.size[0] if self.count else 1
        return other

    def lasting_estimates(self):
        """The same table with every runtime equal to the estimate, and nobody killed. It has no columns of its own."""
        cdef Jobs other = Jobs.__new__(Jobs)
        _set_sums(other, self)
        other._lender, other._borrowed = self if self._lender is None else self._lender, True
        other.submit, other.runtime, other.estimate = self.submit, self.estimate, self.estimate
        other.size, other._group = self.size, self._group
        other._priority, other._interactive = self._priority, self._interactive
        other._service, other._user = self._service, self._user
        return other

    def asking(self, Py_ssize_t job, *, nodes_t size, seconds_t estimate):
        """This table with another request of one job, which runs to its estimate.

        `size` and `estimate` are at most those of the table: ValueError otherwise; IndexError outside the table.
        """
        known_size, known_estimate = self.row(job)[3], self.row(job)[2]
        if not 1 <= size <= known_size:
            raise ValueError(f"row {job}: size is {size}; expected 1 to {known_size}")
        if not 1 <= estimate <= known_estimate:
            raise ValueError(f"row {job}: estimate is {estimate}; expected 1 to {known_estimate}")
        cdef Jobs other = copy_of(self.lasting_estimates())
        other.size[job] = size
        other.estimate[job] = other.runtime[job] = estimate
        return other


cdef void _set_sums(Jobs to, Jobs jobs):
    """What is known of all rows together."""
    to.count = jobs.count
    to.widest = jobs.widest
    to.groups = jobs.groups
    to.classed = jobs.classed


cdef Jobs copy_of(Jobs jobs, Py_ssize_t more=0):
    """A table with the same rows, and `more` that nothing is written into: zero in the columns that may be left out."""
    cdef Jobs other = Jobs.__new__(Jobs)
    cdef Py_ssize_t count = jobs.count
    _set_sums(other, jobs)
    other.count += more
    other.submit = <seconds_t *> of_column(jobs.submit, count, more, sizeof(seconds_t))
    other.runtime = <seconds_t *> of_column(jobs.runtime, count, more, sizeof(seconds_t))
    other.estimate = <seconds_t *> of_column(jobs.estimate, count, more, sizeof(seconds_t))
    other.size = <nodes_t *> of_column(jobs.size, count, more, sizeof(nodes_t))
    other._killed = <uint8_t *> of_column(jobs._killed, count, more, 1)
    other._group = <int32_t *> of_column(jobs._group, count, more, sizeof(int32_t))
    other._priority = <int64_t *> of_column(jobs._priority, count, more, sizeof(int64_t))
    other._interactive = <uint8_t *> of_column(jobs._interactive, count, more, 1)
    other._service = <uint8_t *> of_column(jobs._service, count, more, 1)
    other._user = <int32_t *> of_column(jobs._user, count, more, sizeof(int32_t))
    return other
