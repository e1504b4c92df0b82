VERB_NAMES: tuple[str, ...]
"""The fixed words, in the order of the verbs."""
