"""What a policy gives by name: its numbers, and its status."""

from collections.abc import Mapping

Value = int | float | str | None
"""What a policy gives by name: a number, or the name of an order, a scheduler or a metric.

None stands for an instant that never comes, and for no job."""
StatusValue = Value | tuple["StatusValue", ...] | Mapping[str, "StatusValue"]
"""The status of a policy: values, lists and tables of them."""
