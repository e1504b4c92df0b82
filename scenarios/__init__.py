"""What is simulated: scenarios as values, and the readers and models that make them.

Everything is loaded when it is first asked for: the first import costs next to nothing.
"""

from importlib import import_module

# typing itself would take most of the time of this import.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from shadowtime.scenarios.actions import Action as Action
    from shadowtime.scenarios.actions import format_action as format_action
    from shadowtime.scenarios.actions import parse_action as parse_action
    from shadowtime.scenarios.clusters import cluster_folders as cluster_folders
    from shadowtime.scenarios.courses import Course as Course
    from shadowtime.scenarios.courses import read_course as read_course
    from shadowtime.scenarios.errors import Fault as Fault
    from shadowtime.scenarios.errors import LogMissing as LogMissing
    from shadowtime.scenarios.errors import ScenarioError as ScenarioError
    from shadowtime.scenarios.errors import nearest as nearest
    from shadowtime.scenarios.errors import one_of as one_of
    from shadowtime.scenarios.library import Head as Head
    from shadowtime.scenarios.library import course_folders as course_folders
    from shadowtime.scenarios.library import read_head as read_head
    from shadowtime.scenarios.library import scenario_files as scenario_files
    from shadowtime.scenarios.models.estimates import Estimates as Estimates
    from shadowtime.scenarios.models.estimates import estimated as estimated
    from shadowtime.scenarios.models.estimates import shrunk as shrunk
    from shadowtime.scenarios.models.generating import GeneratedLog as GeneratedLog
    from shadowtime.scenarios.models.generating import generate as generate
    from shadowtime.scenarios.models.lublin import lublin99 as lublin99
    from shadowtime.scenarios.nodes import format_nodes as format_nodes
    from shadowtime.scenarios.nodes import parse_nodes as parse_nodes
    from shadowtime.scenarios.policy import PolicyChoice as PolicyChoice
    from shadowtime.scenarios.policy import choose_policy as choose_policy
    from shadowtime.scenarios.policy import no_policy as no_policy
    from shadowtime.scenarios.policy import parse_policy as parse_policy
    from shadowtime.scenarios.policy import parse_setting as parse_setting
    from shadowtime.scenarios.policy import parse_value as parse_value
    from shadowtime.scenarios.reader import read_scenario as read_scenario
    from shadowtime.scenarios.times import format_duration as format_duration
    from shadowtime.scenarios.times import format_time as format_time
    from shadowtime.scenarios.times import parse_duration as parse_duration
    from shadowtime.scenarios.times import parse_time as parse_time
    from shadowtime.scenarios.traces.finding import find_log as find_log
    from shadowtime.scenarios.traces.finding import user_folder as user_folder
    from shadowtime.scenarios.traces.labels import Labels as Labels
    from shadowtime.scenarios.traces.swf import read_swf as read_swf
    from shadowtime.scenarios.values import Expect as Expect
    from shadowtime.scenarios.values import Machine as Machine
    from shadowtime.scenarios.values import Note as Note
    from shadowtime.scenarios.values import Outage as Outage
    from shadowtime.scenarios.values import Question as Question
    from shadowtime.scenarios.values import Scenario as Scenario
    from shadowtime.scenarios.values import Variant as Variant
    from shadowtime.scenarios.workload import Job as Job
    from shadowtime.scenarios.workload import Workload as Workload

_HOMES = {
    "actions": ("Action", "format_action", "parse_action"),
    "courses": ("Course", "read_course"),
    "errors": ("Fault", "LogMissing", "ScenarioError", "nearest", "one_of"),
    "models.estimates": ("Estimates", "estimated", "shrunk"),
    "models.generating": ("GeneratedLog", "generate"),
    "traces.labels": ("Labels",),
    "clusters": ("cluster_folders",),
    "library": ("Head", "course_folders", "read_head", "scenario_files"),
    "traces.finding": ("find_log", "user_folder"),
    "models.lublin": ("lublin99",),
    "nodes": ("format_nodes", "parse_nodes"),
    "policy": ("PolicyChoice", "choose_policy", "no_policy", "parse_policy", "parse_setting", "parse_value"),
    "reader": ("read_scenario",),
    "traces.swf": ("read_swf",),
    "times": ("format_duration", "format_time", "parse_duration", "parse_time"),
    "values": (
        "Expect",
        "Machine",
        "Note",
        "Outage",
        "Question",
        "Scenario",
        "Variant",
    ),
    "workload": ("Job", "Workload"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [name for names in _HOMES.values() for name in names]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value
