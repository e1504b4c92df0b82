"""How many nodes are free when, as jobs end and start, and as outages begin and end."""

from pathlib import Path

from shadowtime.console.session import Session, load, open_session
from shadowtime.console.session.jobs.availability import Profile, availability

DAY = Path(__file__).parents[3] / "scenarios" / "fj97" / "t3d-day.toml"
STORY = """
[machine]
nodes = 8
[policy]
name = "easy"
[[variant]]
name = "conservative"
policy = { name = "conservative" }
[[job]]
id = 1
size = 5
submit = 0
runtime = 1000
[[job]]
id = 2
size = 6
submit = 10
runtime = 500
[[job]]
id = 3
size = 3
submit = 20
runtime = 4000
[[job]]
id = 4
size = 2
submit = 20
runtime = 900
"""


def opened(folder: Path, more: str = "", variant: str | None = None, until: int = 20) -> Session:
    path = folder / "story.toml"
    path.write_text(STORY + more)
    session = open_session(load(path, variant=variant))
    session.go_time(until)
    session.predict()
    return session


def test_the_head_has_its_shadow_time_and_its_extra_nodes(tmp_path: Path) -> None:
    found = availability(opened(tmp_path))
    assert found.now == 20
    # Job 4 has passed the head: two of the three idle nodes are its own until 920.
    assert list(zip(found.ends.times, found.ends.free, strict=True)) == [(20, 1), (920, 3), (1000, 8)]
    assert found.head is not None
    assert (found.head.size, found.head.time, found.head.extra, found.head.shadow) == (6, 1000, 2, True)
    assert list(zip(found.planned.times, found.planned.free, strict=True)) == [
        (20, 1),
        (920, 3),
        (1000, 2),
        (1500, 5),
        (5500, 8),
    ]


def test_a_reservation_is_a_predicted_start(tmp_path: Path) -> None:
    found = availability(opened(tmp_path, variant="conservative"))
    assert found.head is not None and (found.head.time, found.head.shadow) == (1000, False)


def test_outages_take_nodes_and_give_them_back(tmp_path: Path) -> None:
    more = '[[outage]]\nnodes = "7"\nfrom = 15\nuntil = 300\n'
    more += '[[outage]]\nnodes = "0"\nfrom = 400\nuntil = 2000\n'
    found = availability(opened(tmp_path, more))
    assert found.ends.at(20) == 0
    assert found.ends.at(300) == found.ends.at(20) + 1
    assert found.ends.at(1999) == 7 and found.ends.at(2000) == 8


def test_the_nodes_of_jobs_that_are_being_stopped_or_about_to_run_come_free_too() -> None:
    session = open_session(load(DAY))
    session.go_event(41)
    assert {"o"} <= set(session.snapshot().holding.values())
    session.predict()
    found = availability(session)
    assert found.ends.free[-1] == 256


def test_a_profile_gives_the_least_of_a_stretch() -> None:
    profile = Profile([0, 10, 20], [4, 1, 8])
    assert (profile.at(0), profile.at(9), profile.at(10), profile.at(99)) == (4, 4, 1, 8)
    assert (profile.least(0, 10), profile.least(0, 11), profile.least(20, 30), profile.least(5, 5)) == (
        4,
        1,
        8,
        4,
    )
