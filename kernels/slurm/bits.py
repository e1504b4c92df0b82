"""Sets of nodes as whole numbers: which bits are set."""


def places(mask: int) -> list[int]:
    """The places of the set bits, lowest first."""
    digits = bin(mask)[:1:-1]
    found, place = [], digits.find("1")
    while place >= 0:
        found.append(place)
        place = digits.find("1", place + 1)
    return found


def mask_of(places_: "list[int] | dict[int, int]") -> int:
    """The number with these bits set."""
    mask = 0
    for place in places_:
        mask |= 1 << place
    return mask
