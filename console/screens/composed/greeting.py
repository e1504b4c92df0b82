"""The greeting of the first start: five keys, in the line of messages, until any key is pressed."""

from shadowtime.console.keys import keyboard_of
from shadowtime.console.screens.composed.screen import PanelScreen
from shadowtime.console.session.files.state import FirstStart

KEYS = (
    ("forward", "steps on"),
    ("why", "shows why a job waits"),
    ("act", "what can be done"),
    ("compare", "compares schedulers"),
    ("help", "lists all keys"),
    ("train", "is a tour"),
)
"""What is shown of a console at the first start, by the ids of the keys."""


class Greeting:
    """Greets once, on the first console that is shown."""

    def __init__(self, first: FirstStart) -> None:
        self._first = first
        self._screen: PanelScreen | None = None
        self._said = ""

    @property
    def ahead(self) -> bool:
        """Whether nobody was greeted yet."""
        return self._first.ahead

    def greet(self, screen: PanelScreen) -> None:
        """Show the keys on a console that has nothing else to say, and keep that they were shown."""
        if screen.message:
            return
        first = keyboard_of(screen.app).first
        self._said = f"New here? {', '.join(f'{first(id)} {does}' for id, does in KEYS)}."
        self._screen = screen
        screen.say(self._said, "key")
        self._first.over()

    def end(self) -> None:
        screen, self._screen = self._screen, None
        if screen is not None and screen.message == self._said:
            screen.say("")


def greeting_of(app: object) -> Greeting | None:
    """The greeting of an application; None once somebody was greeted, and where nobody is to be."""
    greeting: Greeting | None = getattr(app, "greeting", None)
    return greeting if greeting is not None and greeting.ahead else None


def greet(screen: PanelScreen) -> None:
    greeting = greeting_of(screen.app)
    if greeting is not None:
        greeting.greet(screen)
