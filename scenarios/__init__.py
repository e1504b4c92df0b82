"""What is simulated: scenarios as values, and the readers and models that make them.

Everything is loaded when it is first asked for: the first import costs next to nothing.
"""

from shadowtime.lazily import names

__getattr__, __all__ = names(__name__, __file__)
