"""Who may have which nodes from a moment on: what was recorded in samples of what may come.

Each sample is a share of every node, and all together are the whole of it: a `Grid` of the stretches has the mean over
the samples.
"""

cimport cython

from shadowtime.kernels.charts.bars cimport Open, Recorder, Stretches, WHOLE
from shadowtime.kernels.core.clock cimport FINISH, KILL
from shadowtime.kernels.core.simulation cimport Simulation
from shadowtime.kernels.core.types cimport DOWN, int32_t, job_t
from shadowtime.kernels.core.world cimport World


@cython.final
cdef class Chances:
    """The stretches of so many samples, 64 at most; ValueError for another number."""

    def __cinit__(self, int samples):
        if not 1 <= samples <= WHOLE:
            raise ValueError(f"{samples} samples; expected 1 to {WHOLE}")
        self.samples = samples
        self.made = Stretches()

    @property
    def whole(self):
        """Whether all samples are there."""
        return self.drawn == self.samples and not self.crowded

    cdef Recorder begin(self, Simulation runner):
        """What records the next sample, from where the runner stands; None if there is no more to record."""
        self.recorder = None
        if self.drawn < self.samples and not self.crowded:
            self.recorder = Recorder(runner)
            # Nothing may come to pass before the sample has its arrivals.
            self.recorder.until = runner.world.at.now
            self.recorder._restart()
            self.recorder.goal = MOST
        return self.recorder

    cdef int end(self, job_t rows) except -1:
        """Take what was recorded of jobs in rows before `rows`, and of nodes that are down, each to its end in the sample."""
        cdef Recorder recorder = self.recorder
        cdef World world
        cdef Open *open
        cdef Py_ssize_t i
        cdef int32_t j, slot, sample = self.drawn
        cdef int share = WHOLE * (sample + 1) // self.samples - WHOLE * sample // self.samples
        if recorder is None:
            return 0
        if recorder.made.count >= MOST or self.made.count >= MOST:
            self.crowded = True
            self.made = Stretches()
            return 0
        world = recorder.simulation.world
        for i in range(world.heap.count):
            slot = world.heap.entries[i].item
            if world.heap.entries[i].kind in (FINISH, KILL) and slot < recorder.slots:
                open = &recorder.open[slot]
                for j in range(open.stretches):
                    recorder.made.of[open.at + j].until = world.heap.entries[i].time
        for i in range(recorder.made.count):
            if recorder.made.of[i].job == DOWN or 0 <= recorder.made.of[i].job < rows:
                self.made.put(&recorder.made.of[i], c"X" if recorder.made.of[i].job == DOWN else c"%", share)
        self.drawn += 1
        return 0
