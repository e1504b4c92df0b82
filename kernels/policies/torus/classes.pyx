"""The classes of service of the T3D, by day and by night (Feitelson & Jette 1997, Table 1; docs/schedulers.md, section 11).

Day is Monday to Friday from 07:00 on to before 18:00. At night interactive jobs have priority 3 and large jobs may
have the whole machine, whatever is in force by day; nothing else changes.
"""

cimport cython

from shadowtime.kernels.core.jobs cimport INTERACTIVE
from shadowtime.kernels.core.types cimport FOREVER

from shadowtime.kernels.core.jobs import SERVICES

TABLES = ("clock", "day", "night")
YEAR = 365 * 86400
LONGEST = 1 << 40   # seconds of the longest time: no instant can overflow

CLASSES = {
    "interactive": (4, 0, 10, 256),
    "debug": (4, 300, YEAR, 96),
    "production": (3, 3600, 10, 256),
    "benchmark": (2, YEAR, YEAR, 64),
    "standby": (1, YEAR, 3, 256),
}
FIELDS = ("priority", "max_wait", "do_not_disturb", "limit")
BOUNDS = ((-HIGHEST_PRIORITY, HIGHEST_PRIORITY), (0, LONGEST), (1, LONGEST), (0, 1 << 30))

cdef enum:
    DAY = 86400
    DAY_BEGINS = 25200      # 07:00
    DAY_ENDS = 64800        # 18:00
    NIGHT_PRIORITY = 3      # of interactive jobs
    NIGHT_LARGE = 256


def terms_of(name, changes):
    """The four numbers of a class by day, with changes by name. ValueError says what is wrong with them."""
    if name not in CLASSES:
        raise ValueError(f"there is no class {name!r}; expected one of {', '.join(CLASSES)}")
    terms = dict(zip(FIELDS, CLASSES[name]))
    for field, value in changes.items():
        if field not in terms:
            raise ValueError(f"class {name} has no {field!r}; expected one of {', '.join(FIELDS)}")
        low, high = BOUNDS[FIELDS.index(field)]
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ValueError(f"{field} of class {name} is {value!r}; expected {low} to {high}")
        terms[field] = value
    return terms.values()


@cython.final
cdef class Classes:
    def __cinit__(self, parameters, seconds_t epoch=0):
        self.table = TABLES.index(parameters["table"])
        self.epoch = epoch
        self.large = parameters["large"]
        self.large_limit[0] = parameters["large_limit"]
        self.large_limit[1] = NIGHT_LARGE
        changes = parameters["classes"]
        for name in changes:
            terms_of(name, {})
        for service, name in enumerate(SERVICES):
            priority, max_wait, undisturbed, limit = terms_of(name, changes.get(name, {}))
            self.priority[0][service] = self.priority[1][service] = priority
            self.max_wait[service] = max_wait
            self.undisturbed[service] = undisturbed
            self.limit[service] = limit
        self.priority[1][<int> INTERACTIVE] = NIGHT_PRIORITY

    cdef bint is_night(self, seconds_t now) noexcept nogil:
        cdef seconds_t day = (now + self.epoch) // DAY % 7, time = (now + self.epoch) % DAY
        if self.table != BY_CLOCK:
            return self.table == ALWAYS_NIGHT
        return day > 4 or time < DAY_BEGINS or time >= DAY_ENDS

    cdef seconds_t next_switch(self, seconds_t now) noexcept nogil:
        """The first instant after this one at which the other table is in force; FOREVER for never."""
        cdef seconds_t midnight = now - (now + self.epoch) % DAY
        cdef bint night = self.is_night(now)
        if self.table != BY_CLOCK:
            return FOREVER
        if not night:
            return midnight + DAY_ENDS
        while midnight + DAY_BEGINS <= now or self.is_night(midnight + DAY_BEGINS):
            midnight += DAY
        return midnight + DAY_BEGINS
