"""What a scheduling policy is to the kernel: one pass an instant, and an account of itself.

`schedule` is the pass; it acts by the world's verbs. `released` tells that a job left `size` nodes before its
predicted end `until`. What a policy remembers between passes it saves and loads, so that copies are whole.
"""

from kernels.decisions cimport HEAD_BLOCKED, PASS_PENDING, reason_data
from kernels.types cimport NONE, int64_t


cdef class Policy:
    def __init__(self, name, parameters):
        self.name = name
        self.parameters = dict(parameters)

    def twin(self):
        """Another policy of the same name and parameters, with nothing to remember yet."""
        return type(self)(self.name, self.parameters)

    cdef int reset(self, World world) except -1 nogil:
        """Forget everything: a run begins."""
        return 0

    cdef int schedule(self, World world) except -1 nogil:
        with gil:
            raise NotImplementedError("a policy must schedule")

    cdef int released(self, World world, seconds_t until, nodes_t size) except -1 nogil:
        return 0

    cdef object explain_waiting(self, World world, Py_ssize_t at):
        """Why the job at a position of the queue waits: (code, numbers)."""
        raise NotImplementedError("a policy must explain itself")

    cdef object promise_waiting(self, World world, Py_ssize_t at):
        """(time, "guaranteed") where the policy promises a start to the job at a position, else None."""
        return None

    cdef size_t bytes(self) noexcept nogil:
        return 0

    cdef char *save(self, char *to) noexcept nogil:
        return to

    cdef const char *load(self, const char *source) except NULL nogil:
        return source


cdef job_t ending_job(World world, Py_ssize_t ending) noexcept nogil:
    """The running job behind an ending, NONE for no ending."""
    if ending == NONE:
        return NONE
    return world.running.slots[world.running.endings[ending].slot].job


cdef object pass_pending(World world, Py_ssize_t at):
    """The job fits and its turn is in the pass that is still to come."""
    cdef int64_t numbers[6]
    numbers[0] = world.queue.size[at]
    numbers[1] = world.at.free
    return reason_data(PASS_PENDING, numbers)


cdef object head_blocked(World world):
    """Why the head of the queue does not start, and when it is expected to by the predicted ends."""
    cdef int64_t numbers[6]
    cdef seconds_t shadow
    cdef nodes_t extra, needs = world.queue.size[world.queue.first]
    cdef Py_ssize_t ending = world.running.when_free(needs, world.at.free, world.at.now, &shadow, &extra)
    numbers[0] = needs
    numbers[1] = world.at.free
    numbers[2] = shadow
    numbers[3] = extra
    numbers[4] = ending_job(world, ending)
    return reason_data(HEAD_BLOCKED, numbers)
