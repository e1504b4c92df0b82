from array import array
from collections.abc import Sequence

def order_of(values: array[int]) -> Sequence[int]: ...
