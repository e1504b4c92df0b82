"""What the tests of the commands share: a story that is served."""

from tests.serving import served

__all__ = ["served"]
