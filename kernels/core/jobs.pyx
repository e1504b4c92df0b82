"""The job table: columns in trace order, checked once here and immutable ever after.

The exception is a table whose submissions are being found by `kernels/core/closed_loop.py`: `put` fills rows that have
not come.
"""

cimport cython
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from shadowtime.kernels.core.types cimport FOREVER, NONE

SERVICES = ("interactive", "debug", "production", "benchmark", "standby")


cdef void *column(Py_ssize_t count, size_t width) except NULL:
    cdef void *room = malloc(max(count, 1) * width)
    if room == NULL:
        raise MemoryError
    return room


cdef void *of_column(const void *source, Py_ssize_t count, size_t width) except NULL:
    """The first rows of a column, as a column of their own."""
    cdef void *room = column(count, width)
    memcpy(room, source, count * width)
    return room


@cython.final
cdef class Jobs:
    """Columns of a workload, one row a job, in trace order.

    `submit` ascends; `runtime` and `estimate` are seconds with 1 <= runtime <= estimate; `size` is nodes, 1 or more;
    `killed` (0/1) marks jobs that end because their estimate ran out; `group` numbers the month of submission from 0;
    `klass` is the number of the job's class, -1 for none, and `priority` what that class counts for (0 without);
    `interactive` (0/1) marks jobs that somebody waits for, and `classed` tells whether it was given; `service` is the
    class of service, a place in SERVICES (production without), and `user` the number of the user, -1 for none. Each is a
    buffer of int64. ValueError names row and column.
    """

    def __init__(self, *, submit, runtime, estimate, size, killed=None, group=None, klass=None, priority=None,
                 interactive=None, service=None, user=None):
        cdef const int64_t[::1] submits = submit, runtimes = runtime, estimates = estimate, sizes = size
        cdef Py_ssize_t i, n = submits.shape[0]
        cdef int64_t total = 0
        for name, other in (("runtime", runtimes), ("estimate", estimates), ("size", sizes),
                            ("killed", killed), ("group", group), ("klass", klass), ("priority", priority),
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
        self._fill_marks(killed, group, klass)
        self._fill_classes(priority, interactive)
        self._fill_services(service, user)

    cdef _fill_marks(self, killed, group, klass):
        cdef const int64_t[::1] view
        cdef Py_ssize_t i, n = self.count
        self.killed = <uint8_t *> column(n, 1)
        self.group = <int32_t *> column(n, sizeof(int32_t))
        self.klass = <int32_t *> column(n, sizeof(int32_t))
        for i in range(n):
            self.killed[i] = 0
            self.group[i] = 0
            self.klass[i] = NONE
        self.groups = 1
        if killed is not None:
            view = killed
            for i in range(n):
                self.killed[i] = view[i] != 0
        if group is not None:
            view = group
            for i in range(n):
                if not 0 <= view[i] < 65536:
                    raise ValueError(f"row {i}: group is {view[i]}; expected 0 to 65535")
                self.group[i] = <int32_t> view[i]
                self.groups = max(self.groups, self.group[i] + 1)
        if klass is not None:
            view = klass
            for i in range(n):
                if not -1 <= view[i] < 65536:
                    raise ValueError(f"row {i}: klass is {view[i]}; expected -1 to 65535")
                self.klass[i] = <int32_t> view[i]

    cdef _fill_classes(self, priority, interactive):
        cdef const int64_t[::1] view
        cdef Py_ssize_t i, n = self.count
        self.priority = <int64_t *> column(n, sizeof(int64_t))
        self.interactive = <uint8_t *> column(n, 1)
        self.classed = interactive is not None
        for i in range(n):
            self.priority[i] = 0
            self.interactive[i] = 0
        if priority is not None:
            view = priority
            for i in range(n):
                self.priority[i] = view[i]
        if interactive is not None:
            view = interactive
            for i in range(n):
                self.interactive[i] = view[i] != 0

    cdef _fill_services(self, service, user):
        cdef const int64_t[::1] view
        cdef Py_ssize_t i, n = self.count
        self.service = <uint8_t *> column(n, 1)
        self.user = <int32_t *> column(n, sizeof(int32_t))
        for i in range(n):
            self.service[i] = PRODUCTION
            self.user[i] = NONE
        if service is not None:
            view = service
            for i in range(n):
                if not INTERACTIVE <= view[i] <= STANDBY:
                    raise ValueError(f"row {i}: service is {view[i]}; expected 0 to {len(SERVICES) - 1}")
                self.service[i] = <uint8_t> view[i]
        if user is not None:
            view = user
            for i in range(n):
                if not -1 <= view[i] <= 0x7FFFFFFF:
                    raise ValueError(f"row {i}: user is {view[i]}; expected -1 to {0x7FFFFFFF}")
                self.user[i] = <int32_t> view[i]

    def __dealloc__(self):
        free(self.submit)
        free(self.runtime)
        free(self.estimate)
        free(self.size)
        free(self.killed)
        free(self.group)
        free(self.klass)
        free(self.priority)
        free(self.interactive)
        free(self.service)
        free(self.user)

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
        self.submit[row] = submit
        self.runtime[row] = other.runtime[place]
        self.estimate[row] = other.estimate[place]
        self.size[row] = other.size[place]
        self.killed[row] = other.killed[place]
        self.group[row] = other.group[place]
        self.klass[row] = other.klass[place]
        self.priority[row] = other.priority[place]
        self.interactive[row] = other.interactive[place]
        self.service[row] = other.service[place]
        self.user[row] = other.user[place]

    def lasting_estimates(self):
        """The same table with every runtime equal to the estimate, and nobody killed."""
        cdef Jobs other = copy_of(self)
        memcpy(other.runtime, self.estimate, self.count * sizeof(seconds_t))
        memset(other.killed, 0, self.count)
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
        cdef Jobs other = self.lasting_estimates()
        other.size[job] = size
        other.estimate[job] = other.runtime[job] = estimate
        return other


cdef Jobs copy_of(Jobs jobs):
    cdef Jobs other = Jobs.__new__(Jobs)
    cdef Py_ssize_t count = jobs.count
    other.count = count
    other.widest = jobs.widest
    other.groups = jobs.groups
    other.classed = jobs.classed
    other.submit = <seconds_t *> of_column(jobs.submit, count, sizeof(seconds_t))
    other.runtime = <seconds_t *> of_column(jobs.runtime, count, sizeof(seconds_t))
    other.estimate = <seconds_t *> of_column(jobs.estimate, count, sizeof(seconds_t))
    other.size = <nodes_t *> of_column(jobs.size, count, sizeof(nodes_t))
    other.killed = <uint8_t *> of_column(jobs.killed, count, 1)
    other.group = <int32_t *> of_column(jobs.group, count, sizeof(int32_t))
    other.klass = <int32_t *> of_column(jobs.klass, count, sizeof(int32_t))
    other.priority = <int64_t *> of_column(jobs.priority, count, sizeof(int64_t))
    other.interactive = <uint8_t *> of_column(jobs.interactive, count, 1)
    other.service = <uint8_t *> of_column(jobs.service, count, 1)
    other.user = <int32_t *> of_column(jobs.user, count, sizeof(int32_t))
    return other
