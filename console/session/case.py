"""A case: one workload on one machine under one policy, ready to be simulated as often as needed."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from shadowtime.console.session.course.places import job_id
from shadowtime.console.session.environment import refuse_machine, site_of, users
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.operator.journal import spread
from shadowtime.console.session.operator.steering import (
    INTERACTIVE,
    PRIORITIES,
    SERVICE,
    by_class,
    settle,
    steering_of,
)
from shadowtime.console.session.plugins import choose, policies
from shadowtime.console.session.progress import Progress
from shadowtime.kernels.core.closed_loop import NO_JOB, close_loop
from shadowtime.kernels.core.jobs import Jobs
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.operator.steering import Intervention, Steering
from shadowtime.kernels.policies import make
from shadowtime.scenarios import Action, Scenario, Workload, parse_policy, parse_setting, read_scenario
from shadowtime.scenarios.text.writing import is_saved, stood_at


@attrs.frozen(eq=False)
class Case:
    """A scenario under one of its policies: `name` is the variant's name, or the policy's for the base."""

    scenario: Scenario
    jobs: Jobs
    nodes: int
    policy: str
    parameters: Mapping[str, object]
    name: str
    interventions: Sequence[Intervention] = ()
    """The intervention of each of the scenario's actions."""
    steering: Steering = attrs.field(factory=Steering)
    resized: bool = False
    """Whether the number of nodes was named beside the file."""

    @property
    def capture(self) -> str | None:
        """The instant of the capture, as it is typed; None where the scenario is no captured cluster."""
        if not self.scenario.path.is_dir():
            return None
        from shadowtime.scenarios.slurm.scenario import CAPTURED  # nothing else needs what reads clusters

        return str(CAPTURED)

    @property
    def columns(self) -> Workload:
        """What the workload says of its jobs, one column a field, in order of submission."""
        return self.scenario.workload

    def simulation(self) -> Simulation:
        """Return a new simulation that stands before the first event."""
        return self.begun(self.steering)

    def begun(self, steering: Steering) -> Simulation:
        """Return one to which other things happen from outside."""
        policy = make(self.policy, self.parameters)
        return Simulation(self.jobs, self.nodes, policy, site=site_of(self.scenario), steering=steering)

    def steered(self, actions: Sequence[Action], known: Mapping[int, Intervention] | None = None) -> "Case":
        """Return the same case with these actions: those at instants first, then those after events.

        `known` holds the interventions of some of them, by the identity of the action.
        """
        case = attrs.evolve(self, scenario=attrs.evolve(self.scenario, actions=tuple(actions)))
        interventions = settle(case, actions, known)
        return attrs.evolve(
            case, interventions=interventions, steering=steering_of(self.scenario, interventions)
        )

    @property
    def stood(self) -> int | None:
        """The event after which it stood when it was saved; None for a case that is no saved session."""
        return stood_at(self.scenario.text)

    @property
    def saved_cluster(self) -> Path | None:
        """The captured folder whose place a saved file has; None for every other case."""
        cluster = self.scenario.cluster
        return None if cluster is None or not is_saved(self.scenario.text) else Path(cluster.folder)

    def index_of(self, job: int) -> int:
        """Return the row of the job with the id `job`. SessionError if there is no such job.

        Quick if the ids ascend, as they do in most logs; O(jobs) otherwise.
        """
        ids = self.columns.id
        place = bisect_left(ids, job)
        if place < len(ids) and ids[place] == job:
            return place
        index = self.columns.find(job)
        if index is None:
            among = f"among the {len(self.jobs):,} jobs"
            raise SessionError(f"there is no job {job} {among}; expected a number of the column JOB")
        return index

    def id_called(self, name: str) -> int:
        """Return the id of the job that is called so: `31`, `46_12`. SessionError for what names no job."""
        tasks = (job for job, called in self.columns.called.items() if called == name)
        return next(tasks, None) or job_id(name)

    def under(self, policy: str, settings: Mapping[str, object] | None = None, name: str = "") -> "Case":
        """Return the same workload under another policy, at its defaults but for the settings."""
        return self._with(policy, {}, settings or {}, name or policy)

    def set(self, settings: Sequence[str]) -> "Case":
        """Return the same case with some parameters changed; a setting is `key=value`."""
        return self._with(
            self.policy, self.parameters, dict(parse_setting(text) for text in settings), self.name
        )

    def spoken(self, text: str) -> "Case":
        """Return the same workload under a policy as `--policy` spells it: `easy:scan=shortest`."""
        policy, settings = parse_policy(text)
        return self.under(policy, settings, text)

    def variants(self) -> tuple["Case", ...]:
        """Return every variant of the scenario, in the file's order."""
        return tuple(self.variant(variant.name) for variant in self.scenario.variants)

    def variant(self, name: str) -> "Case":
        """Return one variant of the scenario. SessionError if no variant has that name."""
        variant = self.scenario.variant(name)
        if variant is not None:
            return self._with(variant.policy.name, variant.policy.parameters, {}, name)
        known = ", ".join(variant.name for variant in self.scenario.variants) or "none"
        raise SessionError(f"there is no variant {name!r}; the scenario has: {known}")

    def _with(
        self, policy: str, parameters: Mapping[str, object], settings: Mapping[str, object], name: str
    ) -> "Case":
        chosen = choose(policy, parameters, settings)
        refuse_machine(self.scenario, policy)
        other = attrs.evolve(self, policy=policy, parameters=chosen, name=name)
        return other.steered(self.scenario.actions)


def load(
    path: str | Path,
    *,
    policy: str | None = None,
    settings: Sequence[str] = (),
    nodes: int | None = None,
    traces: str | Path | None = None,
    variant: str | None = None,
    progress: Progress | None = None,
) -> Case:
    """Read a scenario file or a log, and settle under which policy it is simulated.

    The policy is the variant's or the file's, unless one is named, as `--policy` spells it; then its other
    parameters have their defaults. `settings` (`key=value` each) change single parameters last. `nodes`
    overrides the machine, `traces` is a folder to look for logs in. `progress` is
    called while a log is read, with how far that is. ScenarioError: what is wrong in the file,
    in its log, or with the policy and its settings. SessionError: what this version cannot do, and what
    contradicts itself.
    """
    if variant is not None and policy is not None:
        raise SessionError(
            f"variant {variant!r} and policy {policy!r} cannot both be named; expected one of them"
        )
    scenario = read_scenario(
        Path(path),
        policies=policies(),
        traces=None if traces is None else Path(traces),
        nodes=nodes,
        check=make,
        progress=progress,
    )
    base = attrs.evolve(base_case(scenario), resized=nodes is not None)
    if variant is not None:
        base = base.variant(variant)
    if policy is not None:
        base = base.spoken(policy)
    return _closed(base.set(settings) if settings else base)


def base_case(scenario: Scenario) -> Case:
    """Return a scenario under its own policy. The machine is counted in the unit in which the jobs ask."""
    policy = scenario.policy
    parameters = choose(policy.name, policy.parameters, {})
    refuse_machine(scenario, policy.name)
    case = Case(scenario, table_of(scenario), scenario.machine.capacity, policy.name, parameters, policy.name)
    return case.steered(spread(scenario.actions))


def table_of(scenario: Scenario) -> Jobs:
    workload = scenario.workload
    return Jobs(
        submit=workload.submit,
        runtime=workload.runtime,
        estimate=workload.estimate,
        size=workload.size,
        killed=workload.killed,
        group=workload.group,
        priority=by_class(workload.klass, PRIORITIES),
        interactive=by_class(workload.klass, INTERACTIVE),
        service=by_class(workload.klass, SERVICE, SERVICE["production"]) if scenario.machine.torus else None,
        user=users(workload.user),
    )


def _closed(case: Case) -> Case:
    """Return the case with the submissions of its closed loop under its policy; itself if it has none."""
    workload = case.columns
    if workload.after is None or workload.settled:
        return case
    rows = {job: row for row, job in enumerate(workload.id)}
    after = [rows.get(before, NO_JOB) for before in workload.after]

    def begin(jobs: Jobs) -> Simulation:
        policy = make(case.policy, case.parameters)
        return Simulation(jobs, case.nodes, policy, site=site_of(case.scenario))

    think = workload.think or [0] * len(workload)
    settled = workload.resubmitted(close_loop(case.jobs, after, think, begin))
    scenario = attrs.evolve(case.scenario, workload=settled)
    return attrs.evolve(case, scenario=scenario, jobs=table_of(scenario)).steered(case.scenario.actions)


def reloaded(case: Case) -> Case:
    """Return what the file says now, under the policy that was in force. Raises as `load`.

    A policy that was named beside the file stays; a variant is that of the new file; otherwise the file's
    own policy holds.
    """
    scenario = case.scenario
    again = load(
        scenario.path,
        nodes=scenario.machine.nodes if case.resized else None,
        traces=None if scenario.log is None else scenario.log.parent,
    )
    own = base_case(scenario)
    if (case.policy, case.parameters) == (own.policy, own.parameters):
        return again
    if scenario.variant(case.name) is not None:
        return again.variant(case.name)
    return again.under(case.policy, case.parameters, case.name)
