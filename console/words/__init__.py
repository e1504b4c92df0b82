"""Words: the console's English sentences for reasons, decisions, events, states and policies.

The kernels give codes and numbers; only this package turns them into sentences.
Times are seconds of the scenario's clock, durations seconds, sizes nodes.
"""

from shadowtime.lazily import names

__getattr__, __all__ = names(__name__, __file__)
