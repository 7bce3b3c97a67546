"""The edit add-nodes: a group of equal, empty nodes comes, over zones in turn."""

from collections.abc import Iterator
from itertools import count, cycle
from typing import Annotated, Any

from scheduler_core.objects.identity import with_suffix
from scheduler_core.objects.kinds import NODE
from scheduler_core.objects.node_groups import ZONE_LABELS
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.world.edits.additions import OnNode, add_daemon_pods, count_of, empty_copy
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.operations.base import MAX_NODES, Edit, Field, Words, check_labels, said
from scheduler_core.world.edits.operations.of_nodes import labels_of
from scheduler_core.world.edits.operations.taints import parse_taint
from scheduler_core.world.edits.refusals import refuse_manifest
from scheduler_core.world.edits.results import EditResult

Object = dict[str, Any]
_GIVEN_BY = {
    "node.metadata.name": "namePrefix",
    "node.metadata.labels": "labels",
    "node.spec.taints": "taints",
    "node.status": "allocatable",
}
"""By the beginning of a place in a node: the field of the edit that says what is there."""
PODS = "110"
"""How many pods a kubelet takes whose configuration says nothing (maxPods)."""
HOST_NAME = "kubernetes.io/hostname"
_LONGEST_LABEL, _LONGEST_NAME = 63, 253


class AddNodes(Edit, kw_only=True, tag="add-nodes", rename="camel", frozen=True):
    """Adds a group of equal, empty nodes: like one that is there, or of a size that is given."""

    words = Words(
        "Add a group of nodes",
        "Node group",
        "Add nodes {namePrefix}: {count}",
        (
            Field("namePrefix", "Names begin with", "text"),
            Field("count", "How many", "count", least=1),
            Field("like", "Like this node", "node", optional=True),
            Field("allocatable", "Or of this size (cpu=16, memory=64Gi)", "labels", optional=True),
            Field("zones", "Over these zones in turn", "texts", optional=True),
            Field("labels", "Labels (key=value; key- takes one away)", "labels", optional=True),
            Field("taints", "Taints (key=value:NoSchedule)", "texts", optional=True),
        ),
        {"namePrefix": "", "count": 1},
        hint="of one shape, over zones",
    )
    makes_nodes = True
    ways = ("like", "allocatable")

    name_prefix: Annotated[str, said("What their names begin with, before a number.")]
    count: Annotated[int, said(f"How many, 1 to {MAX_NODES:,}.")]
    like: Annotated[str | None, said("A node whose size, labels and taints they have.")] = None
    allocatable: Annotated[
        dict[str, str | None] | None,
        said(
            f"What each has for pods, by resource, as Kubernetes writes amounts; `pods` is {PODS} if absent."
        ),
    ] = None
    zones: Annotated[list[str] | None, said("The zones of the first, the second and so on, in turn.")] = None
    labels: Annotated[
        dict[str, str | None] | None, said("Labels of theirs, over those of `like`; null takes one away.")
    ] = None
    taints: Annotated[
        list[str] | None, said("Each `key=value:Effect` or `key:Effect`, in place of those of `like`.")
    ] = None

    def check(self) -> None:
        super().check()
        if not 1 <= self.count <= MAX_NODES:
            raise Refused("count", f"must be between 1 and {MAX_NODES:,}, not {self.count}")
        if not self.name_prefix:
            raise Refused("namePrefix", "must not be empty")
        self._check_length()
        if self.allocatable is not None and None in self.allocatable.values():
            raise Refused("allocatable", "must have an amount for each resource")
        for text in self.taints or ():
            parse_taint(text, "taints")
        check_labels("labels", self.labels or {})

    def _check_length(self) -> None:
        """Refuse names that are too long for a node, or for the label that says its name too."""
        is_label = HOST_NAME not in (self.labels or {})
        most = (_LONGEST_LABEL if is_label else _LONGEST_NAME) - len(str(self.count))
        if len(self.name_prefix) > most:
            why = f"each name is also the value of the label {HOST_NAME}" if is_label else "a number follows"
            raise Refused("namePrefix", f"must have at most {most} characters: {why}")

    def named_nodes(self) -> list[str]:
        return [] if self.like is None else [self.like]

    def apply(self, cluster: EditedCluster, result: EditResult) -> None:
        """Add the nodes, with the pods that DaemonSets make there. Raises Refused."""
        shape = self._of_size() if self.like is None else cluster.node(self.like, "like")
        cluster.check_nodes(self.count, "count")
        zones = cycle(self.zones or [""])
        shown = OnNode(cluster, self.like or "")
        for name in self._free_names(cluster):
            node = self._named(shape, name, next(zones))
            _refuse_faulty(node)
            cluster.insert_new(node)
            result.nodes.append(name)
            shown.copy_to(name)
            add_daemon_pods(cluster, node, result)
        result.note("the new nodes are empty: no pods but those of DaemonSets, no images")
        names = result.nodes
        span = names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}"
        like = "" if self.like is None else f" like {self.like}"
        where = f" in {count_of(len(set(self.zones)), 'zone')}" if self.zones else ""
        result.sentence = f"add {count_of(len(names), 'node')}{like}{where} ({span})"

    def _free_names(self, cluster: EditedCluster) -> Iterator[str]:
        names = (with_suffix(self.name_prefix, str(number)) for number in count(1))
        free = (name for name in names if not cluster.find(NODE, None, name))
        for _ in range(self.count):
            yield next(free)

    def _of_size(self) -> Object:
        amounts = {"pods": PODS, **(self.allocatable or {})}
        return {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": self.name_prefix},
            "status": {"capacity": amounts, "allocatable": amounts},
        }

    def _named(self, shape: Object, name: str, zone: str) -> Object:
        node = empty_copy(shape, name)
        labels = labels_of(node)
        if zone:
            labels = {key: value for key, value in labels.items() if key not in ZONE_LABELS}
            labels[ZONE_LABELS[0]] = zone
        for key, value in (self.labels or {}).items():
            labels.pop(key, None)
            if value is not None:
                labels[key] = value
        node["metadata"]["labels"] = labels
        if self.taints is not None:
            node["spec"]["taints"] = [parse_taint(text, "taints") for text in self.taints]
        return node


def _refuse_faulty(node: Object) -> None:
    """Refuse a node that an API server would not take, by the fields of the edit. Raises Refused."""
    try:
        refuse_manifest([node], "node")
    except Refused as refused:
        found = ((_field_of(place), message) for place, message in refused.faults)
        faults = list(dict.fromkeys(found))  # capacity and allocatable come of one field
        raise Refused(*faults[0], faults[1:]) from None


def _field_of(place: str) -> str:
    return next((field for beginning, field in _GIVEN_BY.items() if place.startswith(beginning)), "like")
