from collections.abc import Sequence

DECISION_NAMES: tuple[str, ...]
REASONS: Sequence[tuple[str, tuple[str, ...]]]

def reason(name: str, *numbers: str) -> int: ...
