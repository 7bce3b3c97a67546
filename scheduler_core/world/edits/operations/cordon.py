"""The edits cordon and uncordon: nodes are closed to pods, and open again."""

from scheduler_core.objects.identity import name_of, spec_of
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.operations.base import Words
from scheduler_core.world.edits.operations.of_nodes import NODES, NodesEdit, Object, note_of
from scheduler_core.world.edits.results import EditResult

UNSCHEDULABLE_TAINT = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}


class Cordon(NodesEdit, kw_only=True, tag="cordon", frozen=True):
    """Makes nodes unschedulable."""

    words = Words("Cordon nodes", "Cordon", "Cordon {nodes}", (NODES,), {"node": ""})
    makes_pods = False

    def apply(self, cluster: EditedCluster, result: EditResult) -> None:
        cordon(cluster, self.find(cluster, result), result)
        result.sentence = f"cordon {self.subject(result)}"
        self.list_nodes(result)


class Uncordon(NodesEdit, kw_only=True, tag="uncordon", frozen=True):
    """Makes nodes schedulable again."""

    words = Words("Uncordon nodes", "Uncordon", "Uncordon {nodes}", (NODES,), {"node": ""})
    makes_pods = False

    def apply(self, cluster: EditedCluster, result: EditResult) -> None:
        nodes = self.find(cluster, result)
        open_before = [name_of(node) for node in nodes if not spec_of(node).get("unschedulable")]
        for node in nodes:
            spec = {key: value for key, value in spec_of(node).items() if key != "unschedulable"}
            cluster.replace(node, {**node, "spec": {**spec, "taints": _other_taints(node)}})
        result.sentence = f"uncordon {self.subject(result)}"
        note_of(result, open_before, "was not cordoned", "were not cordoned")
        self.list_nodes(result)


def cordon(cluster: EditedCluster, nodes: list[Object], result: EditResult) -> None:
    """Make nodes unschedulable, with the taint that their controller adds."""
    closed = [name_of(node) for node in nodes if spec_of(node).get("unschedulable")]
    for node in nodes:
        if not spec_of(node).get("unschedulable"):
            taints = [*_other_taints(node), UNSCHEDULABLE_TAINT]
            cluster.replace(
                node, {**node, "spec": {**spec_of(node), "unschedulable": True, "taints": taints}}
            )
    note_of(result, closed, "was cordoned already", "were cordoned already")


def _other_taints(node: Object) -> list[Object]:
    return [
        taint for taint in spec_of(node).get("taints") or () if taint.get("key") != UNSCHEDULABLE_TAINT["key"]
    ]
