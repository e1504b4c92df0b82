"""Runs of a policy in samples of what may come."""

from shadowtime.kernels.charts.bars cimport Recorder
from shadowtime.kernels.core.jobs cimport Jobs
from shadowtime.kernels.core.results cimport Results
from shadowtime.kernels.core.simulation cimport Copy, Simulation
from shadowtime.kernels.core.types cimport int64_t, job_t, seconds_t
from shadowtime.kernels.likely.history cimport History
from shadowtime.kernels.likely.levels cimport Levels


cdef struct Begun:
    int64_t event           # of its first start
    job_t job
    seconds_t progress


cdef struct Asked:
    job_t job
    bint end                # asked for its end; otherwise for its start


cdef class Odds:
    cdef Results of                 # of the run that is sampled
    cdef History history
    cdef Levels levels
    cdef Jobs jobs                  # the run's table
    cdef Jobs table                 # that of the samples
    cdef Simulation runner
    cdef Copy here
    cdef int64_t _acted             # actions so far when the runner was made
    cdef job_t _submitted
    cdef job_t _true                # rows of the table before this one are those of the run
    cdef Begun *_begun              # jobs that have started and are not over, the newest first
    cdef Py_ssize_t _beginnings
    cdef job_t *_waiting            # jobs that have not started, in the order of draws
    cdef Py_ssize_t _waiters
    cdef Py_ssize_t _room
    cdef seconds_t _first           # the first submission of the table
    cdef job_t _source              # arrivals are those of the rows from here on, ...
    cdef seconds_t _period          # ... so many seconds later, and again
    cdef job_t _arrived             # one past the last row with an arrival
    cdef seconds_t _asked           # seconds that arrivals have asked for, all together

    cdef int _stand(self, Simulation simulation) except -1
    cdef Simulation _runner(self, Simulation simulation, tuple further)
    cdef int _list(self, Simulation simulation) except -1
    cdef int _put_back(self, job_t first, job_t last) except -1
    cdef int _prepare(self, int mode) except -1
    cdef int _draw(self) except -1 nogil
    cdef int _arrive(self, job_t most) except -1 nogil
    cdef int _run(self, Asked *asked, Py_ssize_t count, int mode, Recorder recorder) except -1 nogil
    cdef int _begin(self, int mode, tuple done) except -1
    cdef int _restore_requests(self, tuple done) except -1
    cdef seconds_t _start_of(self, job_t job, int mode, tuple done) except -2
    cdef int64_t _some(self, seconds_t until, Recorder recorder) except -1 nogil
