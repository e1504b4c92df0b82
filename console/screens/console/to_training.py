"""Schooling: the way from the console to training."""

from console.screens.console.session_screen import SessionScreen
from console.session import ScenarioError
from console.session.training import read_course


class Schooling(SessionScreen):
    """What the key and the command of training do."""

    def action_train(self) -> None:
        """The tour, the courses, and how far the operator has come."""
        self.train("")

    def train(self, folder: str) -> None:
        """Open training, with the course of a folder alone where one is named; what is none is told."""
        # Its screens stand on the console's own.
        from console.screens.training.menu import Training

        try:
            course = read_course(folder) if folder else None
        except ScenarioError as error:
            self.say(str(error.faults[0]), "warn")
        else:
            self.open_page(Training(course))
