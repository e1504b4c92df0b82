"""What the tests of the server share: a story that is served."""

from tests.serving.served import served

__all__ = ["served"]
