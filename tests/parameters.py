"""The parameters that reports show."""


def easy(scan: str) -> dict[str, object]:
    """The parameters of EASY with one order of the scan."""
    return {
        "scan": scan,
        "reservation": "recomputed",
        "relax": 0.0,
        "predict": "estimates",
        "speculate": 0.0,
    }


FCFS: dict[str, object] = {"leapfrog": 0}
