"""The policies, by the names of the command line and of scenario files: one table, no second list."""

from shadowtime.kernels.policies.entries import ENTRIES
from shadowtime.kernels.policies.plain import PlainPolicy, PolicyError
from shadowtime.kernels.policies.policy import Policy
from shadowtime.kernels.policies.table import POLICIES, Parameter, PolicyEntry, make, make_from, register

__all__ = [
    "POLICIES",
    "Parameter",
    "PlainPolicy",
    "Policy",
    "PolicyEntry",
    "PolicyError",
    "make",
    "make_from",
    "register",
]

for _entry in ENTRIES:
    register(_entry)
