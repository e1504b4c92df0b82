"""What PBAS and WBAS share (Talby & Feitelson 2005; docs/schedulers.md, section 7): several schedulers, one of them in force.

Everything that a policy is asked goes to the one in force. A timer brings the reviews, after the completions and before
the submissions of their instants; the scheduler that a review puts in force adopts the machine as it stands.
"""

from shadowtime.kernels.core.types cimport FOREVER, aligned, int64_t, job_t, nodes_t

from shadowtime.kernels.policies.table import POLICIES, make_from


def label_of(policy):
    """The name of a policy with the parameters that are not at their defaults, as `--policy` spells them."""
    facts = [f"{parameter.name}={str(value).lower() if isinstance(value, bool) else value}"
             for parameter in POLICIES[policy.name].parameters
             if (value := policy.parameters[parameter.name]) != parameter.default]
    return policy.name + (":" + ",".join(facts) if facts else "")


cdef class Meta(Policy):
    cdef int choose_among(self, parameters, candidates, Py_ssize_t active) except -1:
        """`candidates`: each a name, or a table with the name and parameters; `active` is the number of the first in force."""
        self.candidates = tuple(make_from(candidate) for candidate in candidates)
        self.labels = tuple(label_of(candidate) for candidate in self.candidates)
        for candidate in self.candidates:
            (<Policy> candidate).candidate = True
            if (<Policy> candidate).alone:
                raise ValueError(f"a candidate is {(<Policy> candidate).name}; expected a scheduler that shares space")
        self.at = active
        self.active = self.candidates[active]
        self.frame = parameters["frame"]
        if self.frame < 1:
            raise ValueError(f"frame is {self.frame}; expected 1 second or more")
        self.phase = parameters["phase"] % self.frame
        self.promises = all((<Policy> candidate).promises for candidate in self.candidates)
        self.ranks = all((<Policy> candidate).ranks for candidate in self.candidates)
        self.classes = any((<Policy> candidate).classes for candidate in self.candidates)
        self.decides = any((<Policy> candidate).decides for candidate in self.candidates)
        return 0

    cdef int reset(self, World world) except -1 nogil:
        world.at.switch_at = FOREVER
        if world.jobs.count:
            world.at.switch_at = world.jobs.submit[0] + (self.phase or self.frame)
            # One that takes over in mid-run reviews at the instants at which it always would have.
            while world.at.switch_at <= world.at.now and world.at.event:
                world.at.switch_at += self.frame
        return self.active.reset(world)

    cdef int adopt(self, World world) except -1 nogil:
        self.reset(world)
        return self.active.adopt(world)

    cdef int schedule(self, World world) except -1 nogil:
        return self.active.schedule(world)

    cdef int completed(self, World world, job_t job, nodes_t size, seconds_t limit) except -1 nogil:
        return self.active.completed(world, job, size, limit)

    cdef int take_over(self, World world) except -1:
        self.reset(world)
        return self.active.take_over(world)

    cdef int disturbed(self, World world) except -1 nogil:
        return self.active.disturbed(world)

    cdef int freed(self, World world, seconds_t start, seconds_t end, nodes_t size) except -1 nogil:
        return self.active.freed(world, start, end, size)

    cdef bint has_room(self, World world, Py_ssize_t at) except -1:
        return self.active.has_room(world, at)

    cdef int start_now(self, World world, Py_ssize_t at) except -1:
        return self.active.start_now(world, at)

    cdef bint has_turned(self, World world) noexcept nogil:
        return self.active.decides and self.active.has_turned(world)

    cdef bint turn(self, World world) except -1 nogil:
        if world.at.switch_at > world.at.now:
            return self.active.turn(world)
        world.at.switch_at += self.frame
        return self.review(world)

    cdef bint review(self, World world) except -1 nogil:
        """Look back on the frame that ends now; returns whether another scheduler is in force from here on."""
        return False

    cdef int hand_over(self, World world, Py_ssize_t to) except -1 nogil:
        """Put another candidate in force."""
        self.at = to
        with gil:
            self.active = self.candidates[to]
        return self.active.adopt(world)

    cdef int foretell(self, World world) except -1 nogil:
        return self.active.foretell(world)

    cdef int redrawn(self, World world) except -1 nogil:
        return self.active.redrawn(world)

    cdef int forget_runtimes(self, World world) except -1 nogil:
        return self.active.forget_runtimes(world)

    cdef object explain_waiting(self, World world, Py_ssize_t at):
        return self.active.explain_waiting(world, at)

    cdef object promise_waiting(self, World world, Py_ssize_t at):
        """What the one in force promises may be undone by a change: it is a plan."""
        promise = self.active.promise_waiting(world, at)
        return None if promise is None else (promise[0], "planned")

    cdef object terms(self, World world, Py_ssize_t at):
        return self.active.terms(world, at)

    cdef object status(self, World world):
        return {
            "in_force": self.labels[self.at],
            "candidates": self.labels,
            "next_review": world.at.switch_at,
            "frame": self.frame,
            "scheduler": self.active.status(world),
        }

    # A copy: which one is in force, what the kind of review keeps, then every candidate; PBAS adds its frames
    # and virtual machines behind.
    cdef size_t bytes(self) noexcept nogil:
        cdef size_t size = 8 + Policy.bytes(self)
        with gil:
            for candidate in self.candidates:
                size += (<Policy> candidate).bytes() + 8
        return size

    cdef char *save(self, char *to) noexcept nogil:
        (<int64_t *> to)[0] = self.at
        to = Policy.save(self, to + 8)
        with gil:
            for candidate in self.candidates:
                to = aligned((<Policy> candidate).save(to))
        return to

    cdef const char *load(self, const char *source) except NULL nogil:
        self.at = (<const int64_t *> source)[0]
        source = Policy.load(self, source + 8)
        with gil:
            self.active = self.candidates[self.at]
            for candidate in self.candidates:
                source = aligned(<char *> (<Policy> candidate).load(source))
        return source
