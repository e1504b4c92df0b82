"""Clock and durations as everything writes them. Seconds in, text out."""

MINUTE, HOUR, DAY = 60, 3600, 86400


def clock(seconds: int) -> str:
    """An instant of the scenario: `0d 06:12:44`; before second 0 with a minus in front."""
    sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
    days, rest = divmod(seconds, DAY)
    return f"{sign}{days}d {rest // HOUR:02}:{rest % HOUR // MINUTE:02}:{rest % MINUTE:02}"


def duration(seconds: float) -> str:
    """A duration in its two largest units: `44s`, `12m44s`, `6h12m`, `3d6h`; six letters up to 99 days."""
    whole = round(abs(seconds))
    sign = "-" if seconds < 0 and whole else ""
    if whole < MINUTE:
        return f"{sign}{whole}s"
    if whole < HOUR:
        return f"{sign}{whole // MINUTE}m{whole % MINUTE:02}s"
    if whole < DAY:
        return f"{sign}{whole // HOUR}h{whole % HOUR // MINUTE:02}m"
    return f"{sign}{whole // DAY}d{whole % DAY // HOUR}h"
