DECISION_NAMES: tuple[str, ...]
REASONS: tuple[tuple[str, tuple[str, ...]], ...]
