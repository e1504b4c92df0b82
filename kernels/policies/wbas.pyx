"""WBAS, workload-based adaptive scheduling (Talby & Feitelson 2005; docs/schedulers.md, section 7).

Of two schedulers the one for wide jobs is in force while the jobs that came in the last frame are wider than those of
the longer past. Only the scheduler in force runs.
"""

cimport cython

from shadowtime.kernels.core.decisions cimport KEEP, SWITCH
from shadowtime.kernels.core.types cimport NONE, job_t

from shadowtime.kernels.core.decisions import reason

cdef int SIZES = reason("sizes", "was", "becomes", "average", "recent", "arrivals", "frame")
cdef int NO_ARRIVALS = reason("no_arrivals", "was", "becomes", "average", "frame")

cdef enum:
    WIDE
    NARROW


@cython.final
cdef class Wbas(Meta):
    def __cinit__(self, name, parameters):
        self.kept, self.kept_bytes = &self.sizes, sizeof(Sizes)
        self.choose_among(parameters, (parameters["wide"], parameters["narrow"]), NARROW)
        self.maf = parameters["maf"]
        if self.maf < 1:
            raise ValueError(f"maf is {self.maf}; expected 1 or more arrivals")
        self.same = self.labels[WIDE] == self.labels[NARROW]

    cdef int reset(self, World world) except -1 nogil:
        self.sizes.average = self.sizes.recent = 0.0
        self.sizes.counted = self.sizes.arrivals = 0
        self.at = NARROW
        with gil:
            self.active = self.candidates[NARROW]
        return Meta.reset(self, world)

    cdef Sizes _upto_now(self, World world, double *sum) noexcept nogil:
        """The averages with all arrivals since the last review; `sum` gets the sum of their sizes."""
        cdef Sizes sizes = self.sizes
        cdef job_t job
        sum[0] = 0.0
        for job in range(<job_t> sizes.counted, world.at.arrivals):
            sizes.counted += 1
            sizes.average += (world.jobs.size[job] - sizes.average) / min(sizes.counted, self.maf)
            sum[0] += world.jobs.size[job]
        sizes.arrivals = sizes.counted - self.sizes.counted
        return sizes

    cdef bint review(self, World world) except -1 nogil:
        cdef double sum
        cdef Py_ssize_t to
        self.sizes = self._upto_now(world, &sum)
        if self.sizes.arrivals == 0:
            world.decisions.add(KEEP, NONE, NO_ARRIVALS, self.at, self.at, <int64_t> (self.sizes.average * 1e6 + 0.5),
                                self.frame)
            return False
        self.sizes.recent = sum / self.sizes.arrivals
        to = WIDE if self.sizes.average < self.sizes.recent else NARROW
        if self.same:
            to = self.at
        world.decisions.add(KEEP if to == self.at else SWITCH, NONE, SIZES, self.at, to,
                            <int64_t> (self.sizes.average * 1e6 + 0.5), <int64_t> (self.sizes.recent * 1e6 + 0.5),
                            self.sizes.arrivals, self.frame)
        if to == self.at:
            return False
        self.hand_over(world, to)
        return True

    cdef object status(self, World world):
        cdef double sum
        cdef Sizes sizes = self._upto_now(world, &sum)
        facts = Meta.status(self, world)
        facts["average"] = sizes.average if sizes.counted else None
        facts["recent"] = self.sizes.recent if self.sizes.counted else None
        facts["recent_so_far"] = sum / sizes.arrivals if sizes.arrivals else None
        facts["maf"] = self.maf
        return facts
