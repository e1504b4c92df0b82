EVENT_NAMES: tuple[str, ...]
"""The fixed words for the kinds of events, in the order of an instant; a kind is an index into it."""
