"""A live cluster: what its commands or its REST interface give becomes a folder that the reader reads."""

from shadowtime.lazily import names

__getattr__, __all__ = names(__name__, __file__)
