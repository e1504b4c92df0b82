"""What PBAS and WBAS share: several schedulers, one of them in force."""

from shadowtime.kernels.core.types cimport seconds_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.policies.policy cimport Policy


cdef class Meta(Policy):
    cdef readonly tuple candidates  # the schedulers, as policies
    cdef readonly tuple labels      # how they are called: name and parameters
    cdef Policy active              # the one in force
    cdef Py_ssize_t at              # its number among the candidates
    cdef seconds_t frame            # seconds from one review to the next
    cdef seconds_t phase            # seconds from the first submission to the first review; 0: a whole frame

    cdef int choose_among(self, parameters, candidates, Py_ssize_t active) except -1
    cdef bint review(self, World world) except -1 nogil
    cdef int hand_over(self, World world, Py_ssize_t to) except -1 nogil
