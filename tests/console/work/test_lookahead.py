"""Looking ahead behind the screen: where steps are made in advance, every key shows the same screen."""

import pytest

from shadowtime.console.session.travel import landings
from tests.console.operator import Operator, case, operate

KEYS = ("n", "n", "n", "p", "N", "N", "P", "}", "n", "p", "{", "N")


@pytest.mark.proof
@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
def test_every_key_shows_what_it_shows_without(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The keys of time in a long queue, with a look ahead after each and with none."""
    seen: list[list[str]] = []

    async def story(operator: Operator) -> None:
        for key in KEYS:
            await operator.press(key)
            seen[-1].append(operator.text)
        kept = operator.console.session.run.trajectory.landings.all()
        assert bool(kept) is (landings.WORTH == 0)

    for worth in (0.0, 1e9):
        monkeypatch.setattr(landings, "WORTH", worth)
        seen.append([])
        operate(story, case("busy.swf", "conservative"), size, at="50%")
    assert seen[0] == seen[1]
