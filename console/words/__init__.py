"""Words: the console's English sentences for reasons, decisions, events, states and policies.

The kernels give codes and numbers; only this package turns them into sentences.
Times are seconds of the scenario's clock, durations seconds, sizes nodes.
"""

from shadowtime.console.clock import clock, duration
from shadowtime.console.words.deciding import CLAUSES, DECISIONS, POLICY, VERBS, decision
from shadowtime.console.words.happening import EVENTS, TALLIES, event, happened, occurred, skipped, tally
from shadowtime.console.words.jobs import (
    PROMISES,
    from_line,
    history_line,
    prediction,
    progress,
    reading,
    standing,
    tallied,
    times,
)
from shadowtime.console.words.nodes import emptied, holds, node_list, whereabouts
from shadowtime.console.words.notes import LINGERS, dated, fresh, gone, heading
from shadowtime.console.words.operating import did, done_again, nothing_done, taken_back
from shadowtime.console.words.phrases import (
    STATES,
    ahead,
    count,
    instant,
    moved,
    scheduler,
    slip,
    state,
)
from shadowtime.console.words.policies import in_force, policy_name, settings, spelled, status
from shadowtime.console.words.units import NODES, PE, Unit, unit_of
from shadowtime.console.words.waiting import BRIEF, ENDLESS, WAITING, brief, waits

__all__ = [
    "BRIEF",
    "CLAUSES",
    "DECISIONS",
    "ENDLESS",
    "EVENTS",
    "LINGERS",
    "NODES",
    "PE",
    "POLICY",
    "PROMISES",
    "STATES",
    "TALLIES",
    "VERBS",
    "WAITING",
    "Unit",
    "ahead",
    "brief",
    "clock",
    "count",
    "dated",
    "decision",
    "did",
    "done_again",
    "duration",
    "emptied",
    "event",
    "fresh",
    "from_line",
    "gone",
    "happened",
    "heading",
    "history_line",
    "holds",
    "in_force",
    "instant",
    "moved",
    "node_list",
    "nothing_done",
    "occurred",
    "policy_name",
    "prediction",
    "progress",
    "reading",
    "scheduler",
    "settings",
    "skipped",
    "slip",
    "spelled",
    "standing",
    "state",
    "status",
    "taken_back",
    "tallied",
    "tally",
    "times",
    "unit_of",
    "waits",
    "whereabouts",
]
