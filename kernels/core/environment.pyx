"""What surrounds a machine of so many nodes: its shape, who lets jobs through to it, and the clock on its wall."""

cimport cython

NQS_LIMITS = ("before", "after")
WEEK = 7 * 86400


@cython.final
cdef class Site:
    """`torus` is (X, Y, Z) or None, `nqs` the limits of the front end or None, `epoch` the second of the week at second 0.

    `requests` has what jobs of the T3D ask for, by row: (wire, lowest processor, locked), -1 for no wire and for no
    processor (docs/schedulers.md, section 11.11). ValueError where one of them is something else.
    """

    def __cinit__(self, *, torus=None, nqs=None, epoch=0, requests=None):
        if nqs is not None and nqs not in NQS_LIMITS:
            raise ValueError(f"the limits of NQS are {nqs!r}; expected one of {', '.join(NQS_LIMITS)}")
        if not 0 <= epoch < WEEK:
            raise ValueError(f"epoch is {epoch}; expected a second of the week, 0 to {WEEK - 1}")
        self.x, self.y, self.z = torus or (0, 0, 0)
        self.nqs = nqs
        self.epoch = epoch
        self.requests = dict(requests or {})

    cdef bint is_t3d(self) noexcept nogil:
        """Whether it is the torus whose blocks are known (docs/schedulers.md, section 11.1)."""
        return self.x == 8 and self.y == 4 and self.z == 8
