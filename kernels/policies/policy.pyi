from collections.abc import Mapping

class Policy:
    name: str
    parameters: dict[str, object]
    promises: bool
    """Whether it promises every waiting job a start, in the pass of its submission."""
    decides: bool
    turns: bool
    alone: bool
    may_fail: bool
    ranks: bool
    """Whether it takes the waiting in the order of the queue, so that priorities count."""
    classes: bool
    blocks: bool
    def __init__(self, name: str, parameters: Mapping[str, object]) -> None: ...
    @property
    def head_delay(self) -> int: ...
    def twin(self) -> Policy: ...
