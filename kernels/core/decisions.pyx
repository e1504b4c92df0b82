"""What one event decided, and why: codes and numbers, as data. The console words them.

Each module declares the reasons that it gives, beside its rules: `cdef int ANCHOR = reason("anchor", "needs", "at")`.
"""

cimport cython
from libc.stdlib cimport free

from shadowtime.kernels.core.memory cimport grown

DECISION_NAMES = ("start", "backfill", "reserve", "preempt", "resume", "place", "move", "release", "refuse",
                  "switch", "keep")

REASONS = []        # of each code the name of the reason and the names of its numbers

cdef dict CODES = {}

cdef enum:
    MOST_CODES = 256    # a code is one byte


def reason(str name not None, *numbers):
    """The code of a reason, by its name and the names of its numbers, in the order in which they are given with it.

    A module calls this once for each reason that it gives; modules that give the same reason name the same numbers.
    ValueError if the numbers are others than before, or too many. A code is that of this process alone: what is
    written, or compared with another process, has the name.

    `head`, `blocker` and `by` are rows of the table; `was` and `becomes` are numbers of orders or candidates; averages
    and scores are in millionths; `service` is a place in SERVICES, `queue` one in NQS_QUEUES, `state` the code of a
    letter, `level` the priority of a class as it stands.
    """
    if name not in CODES:
        if len(numbers) > MOST_NUMBERS:
            raise ValueError(f"the reason {name!r} has {len(numbers)} numbers; expected {MOST_NUMBERS} at most")
        if len(REASONS) == MOST_CODES:
            raise ValueError(f"the reason {name!r} is one too many; expected {MOST_CODES} at most")
        CODES[name] = len(REASONS)
        REASONS.append((name, numbers))
    known = REASONS[CODES[name]][1]
    if numbers != known:
        raise ValueError(f"the numbers of the reason {name!r} are {numbers}; expected {known}, as elsewhere")
    return CODES[name]


cdef object reason_data(int code, const int64_t *numbers):
    """(name, {name: number}) of a reason."""
    cdef int i
    name, names = REASONS[code]
    return name, {names[i]: numbers[i] for i in range(len(names))}


cdef object because(int code, int64_t a=0, int64_t b=0, int64_t c=0, int64_t d=0, int64_t e=0, int64_t f=0):
    """The same, by the numbers in their order."""
    cdef int64_t[MOST_NUMBERS] numbers = [a, b, c, d, e, f]
    return reason_data(code, numbers)


cdef int reason_code(object given, int64_t *numbers) except -1:
    """The other way round."""
    cdef int i, code = CODES[given[0]]
    for i, key in enumerate(REASONS[code][1]):
        numbers[i] = given[1][key]
    return code


@cython.final
cdef class Decisions:
    def __dealloc__(self):
        free(self.made)

    cdef int _write(self, int kind, job_t job, int reason, int64_t a, int64_t b, int64_t c, int64_t d,
                    int64_t e, int64_t f) except -1 nogil:
        cdef Decision *made
        if self.count == self.capacity:
            self.made = <Decision *> grown(self.made, &self.capacity, self.count + 1, sizeof(Decision))
        made = &self.made[self.count]
        made.numbers[0] = a
        made.numbers[1] = b
        made.numbers[2] = c
        made.numbers[3] = d
        made.numbers[4] = e
        made.numbers[5] = f
        made.job = job
        made.kind = <uint8_t> kind
        made.reason = <uint8_t> reason
        self.count += 1
        return 0
