"""The shapes of edits: which fields each operation has. Others are refused, as are numbers out of range."""

import math
from typing import Annotated, Any

import msgspec

from scheduler_core.objects.checks.cluster_checks import Limits
from scheduler_core.objects.conversion import field_and_reason, plain_message
from scheduler_core.objects.reading.json_text import MAX_DEPTH
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.world.run_input import LATEST, NODE_MONITOR_GRACE, SHORTEST_SECONDS

MAX_REPLICAS, MAX_NODES = Limits().pods, Limits().nodes


def _said(description: str) -> msgspec.Meta:
    """Return what the schema says of a field; what its values may be is checked where the edit is applied."""
    return msgspec.Meta(description=description)


KindName = Annotated[
    str, _said("As kubectl takes it: `Job`, or with its API group, `PodGroup.scheduling.volcano.sh`.")
]
Namespace = Annotated[str | None, _said("Null: `default`, or none for kinds that have none.")]
NodeName = Annotated[str, _said("The node's name.")]
Replicas = Annotated[int, _said(f"How many pods it is to have, 0 to {MAX_REPLICAS:,}.")]


class Edit(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, tag_field="op", frozen=True):
    """Base of all edits. `at`: seconds of virtual time; null is at the run's start."""

    at: Annotated[
        float | None,
        _said(f"Seconds after the run's start, 0 to {LATEST:,}; only with a clock. Null: at its start."),
    ] = None


class Add(Edit, kw_only=True, tag="add", frozen=True):
    """Adds objects, workloads with their pods. What is there already is changed as by `kubectl apply`."""

    manifest: Annotated[
        dict[str, Any] | str, _said("An object, a `List`, or the text of a file in YAML or JSON.")
    ]
    replicas: Annotated[
        int | None, _said(f"How many pods each workload has, or copies each pod, 0 to {MAX_REPLICAS:,}.")
    ] = None
    duration: Annotated[
        float | None,
        _said(
            f"Seconds that the pods run, {SHORTEST_SECONDS} to {LATEST:,}; only with a clock. Null: for good."
        ),
    ] = None
    withheld: Annotated[
        int, _said("How many Secrets and kubeconfigs of the manifest were left out: they are never stored.")
    ] = 0


class Delete(Edit, kw_only=True, tag="delete", frozen=True):
    """Takes an object away, with what it owns or holds: a workload's pods, all that is in a namespace."""

    kind: KindName
    name: str
    namespace: Namespace = None


class Scale(Edit, kw_only=True, tag="scale", frozen=True):
    """Gives a Deployment, ReplicaSet, ReplicationController, StatefulSet or Job another number of pods."""

    kind: KindName
    name: str
    replicas: Replicas
    namespace: Namespace = None


class Cordon(Edit, kw_only=True, tag="cordon", frozen=True):
    """Makes a node unschedulable."""

    node: NodeName


class Uncordon(Edit, kw_only=True, tag="uncordon", frozen=True):
    """Makes a node schedulable again."""

    node: NodeName


class Drain(Edit, kw_only=True, tag="drain", frozen=True):
    """Cordons a node and asks for the eviction of its pods but for mirror and DaemonSet pods.

    Where a clock moves, evictions that a budget refuses are asked for again every five seconds.
    """

    node: NodeName
    timeout: Annotated[
        float | None,
        _said(
            f"Seconds until it gives up, {SHORTEST_SECONDS} to {LATEST:,}; only with a clock. Null: never."
        ),
    ] = None


class StopKubelet(Edit, kw_only=True, tag="stop-kubelet", rename="camel", frozen=True):
    """Lets a node be lost: its kubelet says and does nothing any more. Only with a clock."""

    node: NodeName
    grace_period: Annotated[
        float | None,
        _said(
            "Seconds until the node counts as unreachable (node-monitor-grace-period), "
            f"{SHORTEST_SECONDS} to {LATEST:,}. Null: {NODE_MONITOR_GRACE:g}."
        ),
    ] = None


class StartKubelet(Edit, kw_only=True, tag="start-kubelet", frozen=True):
    """Lets a node that was lost come back: its kubelet speaks again. Only with a clock."""

    node: NodeName


class CloneNode(Edit, kw_only=True, tag="clone-node", rename="camel", frozen=True):
    """Adds empty nodes like one that is there."""

    node: Annotated[str, _said("The node that they are like.")]
    count: Annotated[int, _said(f"How many, 1 to {MAX_NODES:,}.")] = 1
    name_prefix: Annotated[
        str | None, _said("What their names begin with, before a number. Null: the node's name and `-`.")
    ] = None


class Patch(Edit, kw_only=True, tag="patch", frozen=True):
    """Applies a merge patch (RFC 7386) to an object; its controllers follow."""

    kind: KindName
    name: str
    patch: Annotated[dict[str, Any], _said("The fields that change; null takes one away.")]
    namespace: Namespace = None


class Evict(Edit, kw_only=True, tag="evict", frozen=True):
    """Asks for the eviction of one pod."""

    pod: Annotated[str, _said("`namespace/name`, or a uid.")]


AnyEdit = (
    Add | Delete | Scale | Cordon | Uncordon | Drain | StopKubelet | StartKubelet | CloneNode | Patch | Evict
)
OPERATIONS = (
    "add",
    "delete",
    "scale",
    "cordon",
    "uncordon",
    "drain",
    "stop-kubelet",
    "start-kubelet",
    "clone-node",
    "patch",
    "evict",
)
OF_CLOCKS = ("stop-kubelet", "start-kubelet")
"""Operations whose effects come only as time passes."""


def read_edit(edit: Any, driver: str) -> AnyEdit:
    """Return the typed edit. Raises Refused."""
    if not isinstance(edit, dict):
        raise Refused("", "must be an object")
    _refuse_unusual(edit)
    if edit.get("op") not in OPERATIONS:
        raise Refused("op", f"must be one of {', '.join(OPERATIONS)}")
    if driver != "timed":
        if edit["op"] in OF_CLOCKS:
            raise Refused("op", f"needs the driver timed: no clock moves with the driver {driver}")
        for field in ("at", "duration", "timeout"):
            if edit.get(field) is not None:
                raise Refused(field, f"needs the driver timed: no clock moves with the driver {driver}")
    try:
        typed: AnyEdit = msgspec.convert(edit, AnyEdit)
    except msgspec.ValidationError as error:
        raise Refused(*field_and_reason(plain_message(str(error)), edit)) from None
    _check_numbers(typed)
    return typed


def _check_numbers(edit: AnyEdit) -> None:
    """Refuse numbers that no cluster makes sense of, instants and durations that are none."""
    if edit.at is not None and not (math.isfinite(edit.at) and 0 <= edit.at <= LATEST):
        raise Refused("at", f"must be seconds from 0 to {LATEST:,} after the run's start")
    if isinstance(edit, Add | Scale) and edit.replicas is not None and not 0 <= edit.replicas <= MAX_REPLICAS:
        raise Refused("replicas", f"must be between 0 and {MAX_REPLICAS:,}, not {edit.replicas}")
    if isinstance(edit, CloneNode) and not 1 <= edit.count <= MAX_NODES:
        raise Refused("count", f"must be between 1 and {MAX_NODES:,}, not {edit.count}")
    spans = {"duration": "duration", "timeout": "timeout", "grace_period": "gracePeriod"}
    for name, field in spans.items():
        seconds = getattr(edit, name, None)
        if seconds is not None and not (math.isfinite(seconds) and SHORTEST_SECONDS <= seconds <= LATEST):
            raise Refused(field, f"must be seconds from {SHORTEST_SECONDS} to {LATEST:,}")


def grace_of(edit: StopKubelet) -> float:
    """Return for how many seconds a node whose kubelet has stopped still counts as ready."""
    return NODE_MONITOR_GRACE if edit.grace_period is None else edit.grace_period


def patience_of(drain: Drain) -> float:
    """Return for how many seconds a drain asks again for evictions that a budget refuses."""
    return LATEST if drain.timeout is None else drain.timeout


def _refuse_unusual(edit: Any) -> None:
    """Refuse what JSON cannot carry, and nesting that no object has, before anything goes through it."""
    level = [edit]
    for _ in range(MAX_DEPTH + 2):
        level = [child for value in level for child in _children(value)]
    if level:
        raise Refused("", f"is nested deeper than {MAX_DEPTH} levels")
    try:
        msgspec.json.encode(edit)
    except (UnicodeEncodeError, TypeError, ValueError, OverflowError):
        raise Refused("", "has text or values that JSON cannot carry") from None


def _children(value: Any) -> Any:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
