"""Parameters as they are typed: `--set key=value`, and `--policy name:key=value,...`."""

import tomllib
from collections.abc import Mapping, Sequence

from console.session.errors import SessionError
from scenarios import parse_duration


def parse_settings(settings: Sequence[str], kinds: Mapping[str, str]) -> dict[str, object]:
    """Return the parameters that `key=value` texts give; `kinds` says what each parameter of the policy is.

    A value is TOML; what is none is a string, or a number of seconds where the parameter is a duration (`7d`).
    """
    values: dict[str, object] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        key = key.strip()
        if not equals or not key:
            raise SessionError(f"setting {setting!r} is not a parameter with a value; expected key=value")
        value = toml_value(text.strip())
        if kinds.get(key) == "duration" and isinstance(value, str):
            value = _seconds(key, value)
        values[key] = value
    return values


def toml_value(text: str) -> object:
    """Return the TOML value that a text spells, or the text itself where it spells none."""
    if "\n" in text or "\r" in text:
        return text
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def parse_policy(text: str) -> tuple[str, tuple[str, ...]]:
    """Split `name:key=value,key=value` into the name and the settings; commas inside brackets and quotes stay."""
    name, _, rest = text.partition(":")
    if not name.strip():
        raise SessionError(f"policy {text!r} has no name; expected NAME or NAME:key=value,...")
    return name.strip(), tuple(split_outside(rest)) if rest.strip() else ()


def split_outside(text: str) -> list[str]:
    """Split at the commas that stand outside brackets, braces and quotes."""
    parts, depth, quote, part = [], 0, "", ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "[{":
            depth += 1
        elif letter in "]}":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(part)
            part = ""
            continue
        part += letter
    return [*parts, part]


def _seconds(key: str, text: str) -> int:
    try:
        return parse_duration(text)
    except ValueError:
        raise SessionError(f"{key} is {text!r}; expected a duration such as 3600, 1h30m or 7d") from None
