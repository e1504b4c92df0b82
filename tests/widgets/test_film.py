"""Moving pictures: what stays is drawn once, and each frame shows what it held."""

import re

from rich.segment import Segment

from tests.film import FilmFrame, film

FRAMES = [
    FilmFrame(1.0, [[Segment("always")], [Segment("first")]]),
    FilmFrame(3.0, [[Segment("always")], [Segment("then")]]),
]


def test_what_stays_is_drawn_once_and_what_changes_has_its_time() -> None:
    svg = film(FRAMES, 10, "title")
    assert svg.count(">always<") == svg.count(">first<") == svg.count(">then<") == 1
    assert ".s{animation:4s step-end infinite}" in svg
    assert "@keyframes k1{0.00%{visibility:visible}25.00%{visibility:hidden}}" in svg
    assert "@keyframes k2{0.00%{visibility:hidden}25.00%{visibility:visible}}" in svg


def test_a_viewer_without_motion_shows_the_last_frame() -> None:
    svg = film(FRAMES, 10, "title")
    groups = dict(re.findall(r'<g class="s s(\d)"(.*?)>', svg))
    assert groups == {"1": ' visibility="hidden"', "2": ""}
