"""What the session says when it is asked for something that cannot be."""


class SessionError(Exception):
    """One clear line: what is wrong with the value, then what was expected."""
