"""The edits stop-kubelet and start-kubelet: nodes are lost, and come back."""

from collections.abc import Iterator
from typing import Annotated

from scheduler_core.objects.identity import name_of, spec_of
from scheduler_core.objects.types import Node, convert
from scheduler_core.state.nodes import FAILED_TAINTS, is_ready
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.operations.base import SPAN, Words, said, span_field
from scheduler_core.world.edits.operations.of_nodes import NODES, NodesEdit, note_of
from scheduler_core.world.edits.results import EditResult
from scheduler_core.world.run_input import NODE_MONITOR_GRACE


class StopKubelet(NodesEdit, kw_only=True, tag="stop-kubelet", rename="camel", frozen=True):
    """Lets nodes be lost: their kubelets say and do nothing any more. Only with a clock."""

    moves_pods = True
    words = Words(
        "Lose nodes",
        "Lose nodes",
        "Stop the kubelet of {nodes}",
        (NODES, span_field("gracePeriod", f"It is unreachable after ({NODE_MONITOR_GRACE:g} s)")),
        {"node": ""},
        hint="their kubelets stop; the nodes become unreachable",
    )
    needs_clock = True
    makes_pods = False
    spans = {"grace_period": "gracePeriod"}

    grace_period: Annotated[
        float | None,
        said(
            "Seconds until a node counts as unreachable (node-monitor-grace-period), "
            f"{SPAN}. Null: {NODE_MONITOR_GRACE:g}."
        ),
    ] = None

    @property
    def grace(self) -> float:
        """For how many seconds a node whose kubelet has stopped still counts as ready."""
        return NODE_MONITOR_GRACE if self.grace_period is None else self.grace_period

    def because_of_time(self) -> Iterator[str]:
        yield from super().because_of_time()
        yield f"{self.target} {'is' if len(self.named_nodes()) == 1 else 'are'} lost"

    def apply(self, cluster: EditedCluster, result: EditResult) -> None:
        """Say what follows when kubelets stop. Raises Refused."""
        cluster.silent.update(name_of(node) for node in self.find(cluster, result))
        result.sentence = f"stop the kubelet of {self.subject(result)}"
        self.list_nodes(result)
        if not cluster.controllers_act:
            result.note("no controller acts in this run: the node stays ready, and nobody moves its pods")
            return
        result.note(
            f"after {self.grace:g} s without a word the node is unreachable; its pods go when their "
            "tolerations end, and stay terminating until the kubelet starts or the node is deleted"
        )


class StartKubelet(NodesEdit, kw_only=True, tag="start-kubelet", frozen=True):
    """Lets nodes that were lost come back: their kubelets speak again. Only with a clock."""

    words = Words(
        "Nodes come back",
        "Nodes come back",
        "Start the kubelet of {nodes}",
        (NODES,),
        {"node": ""},
        hint="their kubelets start",
    )
    needs_clock = True
    makes_pods = False

    def because_of_time(self) -> Iterator[str]:
        yield from super().because_of_time()
        yield f"{self.target} {'comes' if len(self.named_nodes()) == 1 else 'come'} back"

    def apply(self, cluster: EditedCluster, result: EditResult) -> None:
        """Let the nodes be ready again, as their kubelets and their controller see to it. Raises Refused."""
        nodes = self.find(cluster, result)
        running = [
            name_of(node)
            for node in nodes
            if is_ready(convert(node, Node)) and name_of(node) not in cluster.silent
        ]
        for node in nodes:
            cluster.silent.discard(name_of(node))
            spec, status = spec_of(node), node.get("status") or {}
            taints = [taint for taint in spec.get("taints") or () if taint.get("key") not in FAILED_TAINTS]
            conditions = [
                {**one, "status": "True"} if one.get("type") == "Ready" else one
                for one in status.get("conditions") or ()
            ]
            spec, status = {**spec, "taints": taints}, {**status, "conditions": conditions}
            cluster.replace(node, {**node, "spec": spec, "status": status})
        result.sentence = f"start the kubelet of {self.subject(result)}"
        note_of(result, running, "was not lost, and does not change", "were not lost, and do not change")
        self.list_nodes(result)
