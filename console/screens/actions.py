"""Actions of a screen, as Textual looks for them."""

from collections.abc import Callable, Mapping

Action = Callable[..., object]
"""Gets the parameters that stand in the action of a key."""


def perform(screen: object, actions: Mapping[str, Action]) -> None:
    """Let a screen do the actions of a table: Textual looks for each as `action_NAME` of the screen."""
    for name, action in actions.items():
        setattr(screen, f"action_{name}", action)
