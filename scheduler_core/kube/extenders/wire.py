"""An extender's answers as they come over the wire: JSON of the types of extender/v1.

Of a node in an answer only the name counts; what else an extender says of it is not read.

Source: kubernetes v1.36 staging/src/k8s.io/kube-scheduler/extender/v1 types.go.
"""

from __future__ import annotations

from typing import Any

from scheduler_core.go.json_syntax import GoJsonError, first_value
from scheduler_core.go.json_types import Place, Reader, list_of, map_of, struct, text, whole_number
from scheduler_core.kube.extenders.extender import ExtenderError

_NODE = struct("Node", {"metadata": struct("ObjectMeta", {"name": text})})
_REASONS = map_of(text, "v1.FailedNodesMap")
FILTER_RESULT = struct(
    "ExtenderFilterResult",
    {
        "Nodes": struct("NodeList", {"items": list_of(_NODE, "[]v1.Node")}, pointer=True),
        "NodeNames": list_of(text, "[]string"),
        "FailedNodes": _REASONS,
        "FailedAndUnresolvableNodes": _REASONS,
        "Error": text,
    },
)
HOST_PRIORITIES = list_of(
    struct("HostPriority", {"Host": text, "Score": whole_number}), "v1.HostPriorityList"
)
_META_VICTIMS = struct(
    "MetaVictims",
    {
        "Pods": list_of(struct("MetaPod", {"UID": text}, pointer=True), "[]*v1.MetaPod"),
        "NumPDBViolations": whole_number,
    },
    pointer=True,
)
PREEMPTION_RESULT = struct(
    "ExtenderPreemptionResult",
    {"NodeNameToMetaVictims": map_of(_META_VICTIMS, "map[string]*v1.MetaVictims")},
)
BINDING_RESULT = struct("ExtenderBindingResult", {"Error": text})


def read(body: bytes, reader: Reader) -> Any:
    """Return a body's value. Raises ExtenderError in the words of Go's decoder."""
    try:
        return reader(first_value(body), Place())
    except GoJsonError as error:
        raise ExtenderError(str(error)) from error
