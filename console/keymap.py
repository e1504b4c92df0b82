"""The operator's settings: which keys do what, the theme, and whether the mouse is used.

They are read from a TOML file that the operator writes, `keys.toml` in the folder of settings of shadowtime,
and never written by the program. Everything that is wrong with it is reported at once, each with its place.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import attrs
from platformdirs import user_config_path

from shadowtime.console.clock import KINDS
from shadowtime.console.keys import GANTT, KEYS, NAMES, USUAL, Key, Keyboard
from shadowtime.console.screens.compare.keys import COMPARING
from shadowtime.console.session.files.documents import (
    Document,
    Table,
    one_of,
    read_regular,
    shown,
    single,
)
from shadowtime.console.session.texts import printable
from shadowtime.console.themes import THEMES

BESIDE = ("zoom_in", "zoom_out", "detail")
"""Actions of the console that the Gantt chart has, too."""
TABLES: Mapping[str, tuple[Key, ...]] = {
    "": KEYS,
    " in the compare view": COMPARING,
    " in the Gantt chart": (*GANTT, *(key for key in KEYS if key.id in BESIDE)),
}
"""The actions of the console, and of views that have some of their own, by what a message says of them."""
LANES = tuple(key for key in COMPARING if key.id not in {key.id for key in KEYS})
"""The actions that only the compare view has."""
OWN = (*GANTT, *LANES)
"""The actions that only such a view has."""
FILE = "keys.toml"
LONGEST = 1_000_000
"""Bytes beyond which a file is no settings."""
SPELLED = {
    **{name.lower(): name for name in NAMES if len(name) > 1},
    "escape": "Esc",
    "insert": "Insert",
    "delete": "Delete",
    **{f"f{number}": f"F{number}" for number in range(1, 25)},
}
"""Keys that have a name, in small letters -> how they are written."""
SENT_AS = {"Ctrl+I": "Tab", "Ctrl+M": "Enter", "Ctrl+J": "Enter", "Ctrl+H": "Backspace", "Ctrl+[": "Esc"}
"""Keys that a terminal does not tell from others."""
KEPT = {
    **dict.fromkeys(("up", "down", "left", "right", "pageup", "pagedown"), "moves in every panel"),
    "ctrl+c": "says how to leave",
    "ctrl+q": "leaves at once",
    "ctrl+z": "goes back to the shell",
}
"""Keys that cannot be given away, and what they do."""
MUST = {"escape": "Esc", "palette": "Ctrl+P"}
"""Actions that must keep a key, which may do nothing else."""
EXPECTED = 'a key, such as "n", "F5" or "Ctrl+K", or a list of keys'


@attrs.frozen
class Settings:
    """What the operator chose."""

    keyboard: Keyboard = USUAL
    theme: str | None = None
    """A name of `THEMES`; None where none was chosen."""
    mouse: bool = True
    clock: str | None = None
    """A kind of clock; None where none was chosen."""


def usual_file() -> Path:
    return user_config_path("shadowtime") / FILE


def read_settings(path: str | Path | None = None) -> Settings:
    """Read the settings of a file, or of the usual one if there is one.

    ScenarioError carries every fault of it.
    """
    if path is None:
        path = usual_file()
        if not path.exists():
            return Settings()
    document = Document(str(path), _text(Path(path)))
    table = Table(document, (), "the file", document.values)
    theme, mouse = table.choice("theme", THEMES), table.boolean("mouse")
    clock = table.choice("clock", KINDS)
    chosen = table.table("keys", "[keys]")
    table.close()
    keyboard = USUAL if chosen is None else _keyboard(document, chosen.values)
    if document.faults:
        raise document.error()
    return Settings(keyboard, theme, mouse is not False, clock)


def _text(path: Path) -> str:
    try:
        return read_regular(path, LONGEST, "expected a TOML file of keys").decode()
    except UnicodeDecodeError:
        raise single(path, "is no text in UTF-8; expected a TOML file of keys") from None


def _keyboard(document: Document, given: Mapping[str, object]) -> Keyboard:
    known = {key.id: key for key in (*KEYS, *OWN)}
    chosen: dict[str, tuple[str, ...]] = {}
    for id, value in given.items():
        if id not in known:
            message = f"unknown action {printable(id)[:40]}; {one_of(known, id)}"
            document.fault(("keys", id), message, "key")
        else:
            chosen[id] = tuple(_keys(document, id, value))
    _clashes(document, chosen)
    moved = [attrs.evolve(key, keys=chosen.get(key.id, key.keys)) for key in (*KEYS, *OWN)]
    usual = {key.id: key.keys for key in OWN}
    others = (key for key in moved if key.id in usual and key.keys != usual[key.id])
    return Keyboard(tuple(moved[: len(KEYS)]), tuple(others))


def _keys(document: Document, id: str, value: object) -> Iterator[str]:
    """The keys that a value names, as they are written; each that is none is a fault."""
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not names:
        document.fault(("keys", id), f"{id} is {shown(value)}; expected {EXPECTED}")
        return
    for place, name in enumerate(names):
        path = ("keys", id) if isinstance(value, str) else ("keys", id, place)
        if not isinstance(name, str):
            document.fault(path, f"{id} is {shown(name)}; expected {EXPECTED}")
            continue
        key = written(name)
        fault = f"there is no key {shown(name)}; {_near(name)}" if key is None else _refused(id, key)
        if fault or key is None:
            document.fault(path, fault)
        else:
            yield key
    must = MUST.get(id)
    if must is not None and must not in map(written, filter(lambda name: isinstance(name, str), names)):
        document.fault(("keys", id), f"{id} is {shown(value)}; expected {must} among its keys")


def _near(name: str) -> str:
    near = one_of(SPELLED, name.lower())
    close = near.removeprefix("did you mean ").rstrip("?")
    return f"did you mean {SPELLED[close]}?" if close in SPELLED else f"expected {EXPECTED}"


def _refused(id: str, key: str) -> str:
    """Why a key cannot do this; empty where it can."""
    if key.lower() in KEPT:
        return f"{key} {KEPT[key.lower()]}, and cannot be given to {id}"
    if key in SENT_AS:
        return f"{key} is {SENT_AS[key]} to a terminal; expected another key for {id}"
    owner = next((owner for owner, must in MUST.items() if must == key and owner != id), None)
    return f"{key} belongs to {owner}, and cannot be given to {id}" if owner else ""


def _clashes(document: Document, chosen: Mapping[str, tuple[str, ...]]) -> None:
    """Make a fault of every key that two actions would have, where the file gives it to one of them."""
    reported = set()
    for where, table in TABLES.items():
        owners = {key: usual.id for usual in table if usual.id not in chosen for key in usual.keys}
        here = {usual.id for usual in table}
        for id, key in ((id, key) for id, keys in chosen.items() if id in here for key in keys):
            owner = owners.setdefault(key, id)
            if owner == id or (key, owner, id) in reported:
                continue
            reported.add((key, owner, id))
            also = "" if owner in chosen else f", unless [keys] gives {owner} another one"
            document.fault(("keys", id), f"{key} cannot be both {owner} and {id}{where}{also}")


def written(name: str) -> str | None:
    """A key as it is written on the screens, from how somebody wrote it; None where there is no such key."""
    if len(name) == 1:
        return SPELLED.get(name) or ("Space" if name == " " else name if name.isprintable() else None)
    found = SPELLED.get(name.lower())
    if found is not None:
        return found
    for character, spelled in NAMES.items():
        if name.lower() == spelled and len(character) == 1:
            return character
    if name.lower() in KEPT:
        return "+".join(part.capitalize() for part in name.split("+"))
    return _modified(name)


def _modified(name: str) -> str | None:
    modifier, _, key = name.rpartition("+")
    modifier = modifier.capitalize()
    named = SPELLED.get(key.lower())
    if modifier == "Ctrl" and len(key) == 1 and key.isascii() and (key.isalpha() or key in "[]\\"):
        return f"Ctrl+{key.upper()}"
    if modifier == "Alt" and len(key) == 1 and key.isprintable() and not key.isspace():
        return f"Alt+{key}"
    if named is not None and named[0] == "F" and modifier in ("Ctrl", "Shift"):
        return f"{modifier}+{named}"
    return None


def template(settings: Settings) -> Iterator[str]:
    """The lines of a file of settings that says what is in force."""
    yield f"# The keys of shadowtime. As {usual_file()} this file is read at"
    yield "# every start; --keymap FILE reads another one. An action that is left out keeps its keys."
    yield "# A key is a character, or Space, Enter, Tab, Backspace, Home, End, Insert, Delete, F1 to F24,"
    yield "# Ctrl+K, Alt+k, Shift+F5. Arrows and PageUp, PageDown stay what they are."
    yield ""
    yield f'{"" if settings.theme else "# "}theme = "{settings.theme or next(iter(THEMES))}"' + (
        f"{'':>17}# {' or '.join(THEMES)}"
    )
    yield f'{"" if settings.clock else "# "}clock = "{settings.clock or KINDS[1]}"' + (
        f"{'':>14}# {' or '.join(KINDS)}"
    )
    yield f"{'# ' if settings.mouse else ''}mouse = {str(settings.mouse).lower()}"
    yield ""
    yield "[keys]"
    for heading, keys in settings.keyboard.groups().items():
        yield f"# {heading}"
        yield from map(_line, keys)
    yield "# In the compare view"
    yield from map(_line, settings.keyboard.of(LANES))


def _line(key: Key) -> str:
    names = ", ".join('"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"' for name in key.keys)
    text = f"{key.id} = {names}" if len(key.keys) == 1 else f"{key.id} = [{names}]"
    return f"{text:<34}# {key.help}"
