"""Reading a case again from its file, which may have been edited."""

from shadowtime.console.session.case import Case, base_case, load


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
