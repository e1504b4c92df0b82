"""The parameters of a policy, settled and checked: the session checks values here alone.

The scenarios decide whether a value is of the kind that its parameter takes, the table of policies whether
it is one of the choices, and the policy itself whether it is in range.
"""

from collections.abc import Mapping

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.plugins import defaults_of, policies, refuse_broken
from shadowtime.kernels.policies import make
from shadowtime.scenarios import choose_policy, no_policy


def choose(
    policy: str, parameters: Mapping[str, object], settings: Mapping[str, object]
) -> dict[str, object]:
    """Return every parameter of a policy: its defaults, then those of the file, then the settings.

    SessionError if there is no such policy or a value is out of range, ScenarioError if a setting is not what
    a parameter takes.
    """
    known = policies()
    refuse_broken(policy)
    if policy not in known:
        raise SessionError(no_policy(policy, known))
    typed = choose_policy(policy, settings, known).parameters
    chosen = {**defaults_of(policy), **parameters, **typed}
    try:
        make(policy, chosen)
    except ValueError as error:
        raise SessionError(f"policy {policy}: {' '.join(str(error).split())}") from error
    return chosen
