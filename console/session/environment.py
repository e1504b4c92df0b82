"""What surrounds the machine of a scenario, and which policies can schedule it."""

from array import array
from collections.abc import Sequence

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.plugins import policies
from shadowtime.kernels.core.environment import Site
from shadowtime.kernels.policies.torus.torus import SIDES, SIZES, is_base
from shadowtime.scenarios import Labels, Scenario

DAY = 86400


def site_of(scenario: Scenario) -> Site:
    """Return the shape of the machine, what stands in front of it, and the clock on its wall."""
    epoch = scenario.epoch
    seconds = (
        0 if epoch is None else epoch.weekday() * DAY + epoch.hour * 3600 + epoch.minute * 60 + epoch.second
    )
    return Site(torus=scenario.machine.torus, nqs=scenario.nqs, epoch=seconds, requests=_requests(scenario))


def _requests(scenario: Scenario) -> dict[int, tuple[int, int, bool]]:
    """Return what jobs ask for, by row."""
    asked = scenario.workload.requests
    rows = {job: row for row, job in enumerate(scenario.workload.id)} if asked else {}
    return {
        rows[job]: (_or_none(request.wire), _or_none(request.base), request.locked)
        for job, request in asked.items()
        if job in rows
    }


def _zyx(base: int) -> str:
    """Return the lowest processor of a block as Z, Y and X."""
    return f"{base // 32}{base // 8 % 4}{base % 8}"


def _or_none(number: int | None) -> int:
    return -1 if number is None else number


def users(user: Sequence[str]) -> "array[int]":
    """Return a number for each job's user, -1 if it has no user."""
    labels = user if isinstance(user, Labels) else Labels.of(user)
    return array("q", (code if 0 <= code < 1 << 31 else -1 for code in labels.codes))


def refuse_machine(scenario: Scenario, policy: str) -> None:
    """Refuse a policy that does not know the machine, or the jobs on it. SessionError says what is wrong."""
    entry = policies()[policy]
    blocks = entry.places_blocks and scenario.machine.torus == SIDES
    if entry.needs_torus and not blocks:
        sides = ", ".join(map(str, SIDES))
        raise SessionError(f"policy {policy}: the machine is another one; expected torus = [{sides}]")
    if scenario.nqs is not None and not blocks:
        names = " and ".join(name for name, other in policies().items() if other.places_blocks)
        raise SessionError(f"policy {policy}: NQS lets jobs through to {names} on the torus only")
    if blocks:
        workload = scenario.workload
        wrong = next((row for row, size in enumerate(workload.size) if size not in SIZES), None)
        if wrong is not None:
            raise SessionError(
                f"policy {policy}: job {workload.id[wrong]} needs {workload.size[wrong]} processors; "
                f"expected the size of a block, one of {', '.join(map(str, SIZES))}"
            )
        for job, request in workload.requests.items():
            row = workload.find(job)
            if row is not None and request.base is not None and not is_base(workload.size[row], request.base):
                raise SessionError(
                    f"policy {policy}: job {job} asks for the base {_zyx(request.base)}; "
                    f"expected one of a block of {workload.size[row]}"
                )
