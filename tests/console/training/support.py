"""Finding one's way in the menu of training."""

from collections.abc import Callable

from shadowtime.console.screens.training.menu import Training
from shadowtime.console.screens.training.menu_text import Item
from shadowtime.console.session.curriculum.map import Mapped
from shadowtime.console.session.training import Lesson
from tests.console.operator import Operator


async def choose(operator: Operator, course: str, lesson: str = "") -> None:
    """Put the cursor on a course, by its folder's name, or on a lesson of it, by its stem."""
    menu = operator.app.screen
    assert isinstance(menu, Training)
    _go(menu, lambda it: isinstance(it.opens, Mapped) and it.opens.course.name == course)
    item = menu.shelf.current
    assert item is not None
    if lesson:
        if item.fold == "+":
            await operator.press("enter")
        _go(
            menu,
            lambda it: (
                isinstance(it.opens, Lesson) and (it.opens.course.name, it.opens.name) == (course, lesson)
            ),
        )
    await operator.rest()


def _go(menu: Training, holds: Callable[[Item], bool]) -> None:
    place = next(place for place, item in enumerate(menu.shelf.items) if holds(item))
    menu.shelf.action_move(place - menu.shelf.cursor)
