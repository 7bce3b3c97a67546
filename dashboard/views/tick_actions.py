"""What can be done to ticked rows of a snapshot's tables."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from scheduler_core.world.edits.operations.base import Field
from scheduler_core.world.edits.operations.set_workload import SetWorkload


class Action(NamedTuple):
    """An operation on ticked rows, in words; key: what does it on the keyboard.

    fields: those that are asked for, of the kinds that static/js/ticked-edits.js reads.
    values: fields that it sets. of: the operation, where several actions are of one.
    """

    name: str
    words: str
    key: str = ""
    fields: tuple[Field, ...] = ()
    values: Mapping[str, Any] = {}
    of: str = ""

    @property
    def op(self) -> str:
        """The operation of its edits."""
        return self.of or self.name

    @property
    def values_json(self) -> str:
        """The values that it sets, for the script."""
        return json.dumps(self.values)


_OF_WORKLOADS = tuple(
    field for field in SetWorkload.words.form if field.kind != "workload" and field.name != "replicas"
)
_SCALE = Action("scale", "Scale", fields=(Field("replicas", "Replicas", "count"),))
_TO_NONE = Action("scale-to-0", "Scale to 0", values={"replicas": 0}, of="scale")
_CHANGE = Action("set-workload", "Change their pods", fields=_OF_WORKLOADS)
_DELETE = Action("delete", "Delete")
ACTIONS: dict[str, list[Action]] = {
    "nodes": [
        Action("drain", "Drain", "d"),
        Action("cordon", "Cordon"),
        Action("uncordon", "Uncordon"),
        Action("taint", "Taint", fields=(Field("taints", "key=value:Effect", "texts"),)),
        Action("label", "Label", fields=(Field("labels", "key=value, or key-", "labels"),)),
        Action("delete", "Take away"),
    ],
    "pods": [Action("evict", "Evict"), _DELETE],
    "workloads": [Action("evict", "Evict their pods"), _SCALE, _TO_NONE, _CHANGE, _DELETE],
}
"""By table; the consequence of the first one is told before any is chosen."""
LONGEST_NAMES = 7_000
"""So many characters of nodes' names an address has at most: proxies take lines of 8 KiB."""
OF_WAITING = [_TO_NONE, _SCALE, _CHANGE, _DELETE]
"""On workloads of which pods wait: the first tells what they keep others from."""
