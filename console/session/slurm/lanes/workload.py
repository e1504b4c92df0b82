"""The jobs of a cluster as a workload: its lanes stand beside each other and other schedulers."""

from array import array
from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from pathlib import Path

import attrs

from shadowtime.console.session.case import Case, base_case
from shadowtime.console.session.clock import dated_clock
from shadowtime.console.session.slurm.forecasting import forecast_of, planned_sizes, size_of
from shadowtime.scenarios import Scenario, Workload
from shadowtime.scenarios.policy import PolicyChoice
from shadowtime.scenarios.slurm import Capture
from shadowtime.scenarios.slurm.scenario import BASE, is_capture, listed_jobs, slurm_names
from shadowtime.scenarios.traces.labels import Labels
from shadowtime.scenarios.values import Machine


@attrs.frozen(eq=False)
class ClusterJobs:
    """The jobs of a cluster: a case, and the index of each job by the name that Slurm gives it.

    Second 0 of the case is the second before `begin`, an instant in seconds since 1970.
    """

    case: Case
    begin: int
    names: tuple[str, ...]
    places: Mapping[str, int]
    taken: Sequence[int]
    """What each job takes of the room, for metrics: CPUs, or what the case counts in."""
    room: int

    def second(self, at: int) -> int:
        return at - self.begin + 1

    def named(self, name: str) -> Case:
        return attrs.evolve(self.case, name=name)


def every_job(capture: Capture, begin: int, zone: tzinfo | None) -> ClusterJobs:
    """Return all jobs of a cluster, counted in nodes, with the calendar of a zone.

    A job that waits at the capture was submitted before: its second is below 1.
    """
    rows, names = listed_jobs(capture, begin)
    planned = planned_sizes(forecast_of(capture, begin).rows)
    for row in rows:
        if int(str(row["submit"])) > 0:
            row["size"] = size_of(planned, names[int(str(row["id"]))], int(str(row["size"])))
            row["submit"] = int(str(row["submit"])) - int(str(row["waited"]))
    rows.sort(key=lambda row: int(str(row["submit"])))
    id_, submit, runtime, size = (
        array("q", (int(str(row[key])) for row in rows)) for key in ("id", "submit", "runtime", "size")
    )
    texts = {
        key: _labels([str(row.get(key, "")) for row in rows]) for key in ("user", "class", "queue", "name")
    }
    count = len(rows)
    workload = Workload(
        id=id_,
        submit=array("q", (max(0, each) for each in submit)),
        runtime=runtime,
        size=size,
        estimate=runtime,
        killed=array("q", bytes(8 * count)),
        user=texts["user"],
        klass=texts["class"],
        queue=texts["queue"],
        name=texts["name"],
        command=Labels.none(count),
        rows=count,
    )
    here = dated_clock(zone).epoch
    epoch = datetime.fromtimestamp(begin - 1, None if here is None else here.tzinfo)
    machine = Machine(max(1, len(capture.nodes)), epoch=epoch)
    title, folder = capture.settings.cluster or "cluster", Path(capture.folder)
    # The folder of a live cluster is gone, and its name says nothing.
    path = folder if is_capture(folder) else folder / title
    scenario = Scenario(title, machine, PolicyChoice(BASE), workload, path)
    room = sum(node.cores * node.threads for node in capture.nodes)
    case = base_case(scenario)
    # A simulation has no submission before its second 0; what is shown of a job has.
    case = attrs.evolve(case, scenario=attrs.evolve(scenario, workload=attrs.evolve(workload, submit=submit)))
    return _of(case, begin, names, [int(str(row["cpus"])) for row in rows], room)


def compared_jobs(capture: Capture, begin: int, case: Case) -> ClusterJobs:
    """Return the jobs of a case of a captured folder: those that other schedulers can run."""
    return _of(case, begin, slurm_names(capture, begin), case.columns.size, case.nodes)


def _of(case: Case, begin: int, names: Mapping[int, str], taken: Sequence[int], room: int) -> ClusterJobs:
    called = {id_: names[id_] for id_ in case.columns.id if names[id_] != str(id_)}
    workload = attrs.evolve(case.columns, called=called)
    case = attrs.evolve(case, scenario=attrs.evolve(case.scenario, workload=workload))
    listed = tuple(map(str, workload.ids))
    places = {name: index for index, name in enumerate(listed)}
    return ClusterJobs(case, begin, listed, places, taken, max(1, room))


def _labels(texts: list[str]) -> Labels:
    words = list(dict.fromkeys(filter(None, texts)))
    codes = {word: code for code, word in enumerate(words)}
    return Labels(array("q", (codes.get(text, -1) for text in texts)), words)
