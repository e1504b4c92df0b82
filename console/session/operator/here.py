"""An action here and now: what a typed line means at the place where a simulation stands, or why not."""

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.jobs.names import Names
from shadowtime.console.session.operator.refusals import refused
from shadowtime.console.session.operator.steering import checked, intervention_of
from shadowtime.console.session.plugins import broken, policies
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.operator.steering import Intervention
from shadowtime.scenarios import Action, ScenarioError, parse_action


def typed_action(text: str) -> Action:
    """Return the action of a typed line. SessionError in one line if the line is no action."""
    try:
        return parse_action(text, policies(), broken())
    except ScenarioError as error:
        raise SessionError(str(error).splitlines()[0]) from error


def here_and_now(
    case: Case, names: Names, simulation: Simulation, wanted: Action | str
) -> tuple[Action, Intervention]:
    """Return what is meant right after the last event, and the intervention. SessionError: the refusal."""
    force = (simulation.policy_name, simulation.parameters)
    meant = typed_action(wanted) if isinstance(wanted, str) else wanted
    action = checked(case, meant.right_after(simulation.event), force)
    given = intervention_of(case, action, force)
    found = simulation.refusal(given)
    if found is not None:
        reason = names.reason(simulation, *found)
        raise SessionError(refused(action, reason.code, reason.numbers, simulation.policy_name))
    return action, given
