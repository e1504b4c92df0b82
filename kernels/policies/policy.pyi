from collections.abc import Mapping

class Policy:
    name: str
    parameters: dict[str, object]
    def __init__(self, name: str, parameters: Mapping[str, object]) -> None: ...
    def twin(self) -> Policy: ...
