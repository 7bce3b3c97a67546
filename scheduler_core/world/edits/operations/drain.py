"""The edit drain: nodes are cordoned, and the evictions of their pods asked for.

Of several nodes all are cordoned first. Then they are drained one after another, in the order in which they
are given: where a clock moves, the next one's turn comes when the pods of the one before are gone, or when
its timeout is over, which begins anew with each node.

A rolling drain is what an upgrade does: a node is cordoned only when its turn comes, so many at a time. Once
empty it comes back, uncordoned, after a while, and gives its turn to the next. A node that is given up stays
cordoned.

Source: kubectl v0.36 pkg/cmd/drain/drain.go RunDrain; pkg/drain/drain.go evictPods.
"""

from collections.abc import Iterator
from typing import Annotated

from scheduler_core.objects.identity import has_ended, is_daemon, is_mirror, is_recreated, uid_of
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.world.edits.additions import count_of
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.operations.base import MAX_NODES, SPAN, Field, Words, said, span_field
from scheduler_core.world.edits.operations.cordon import cordon
from scheduler_core.world.edits.operations.of_nodes import NODES, NodesEdit, Object
from scheduler_core.world.edits.results import EditResult, EvictionRequest
from scheduler_core.world.run_input import LATEST


class Drain(NodesEdit, kw_only=True, tag="drain", frozen=True):
    """Cordons nodes and asks for the eviction of their pods but for mirror and DaemonSet pods.

    Where a clock moves, evictions that a budget refuses are asked for again every five seconds, and several
    nodes are drained one after another.
    """

    moves_pods = True
    words = Words(
        "Drain nodes",
        "Drain",
        "Drain {nodes}",
        (
            NODES,
            span_field("timeout", "It gives up after, for each node"),
            Field("together", "Rolling: nodes at a time", "count", optional=True, clock=True, least=1),
            span_field("back", "Rolling: an empty node is back after"),
        ),
        {"node": ""},
    )
    makes_pods = False
    spans = {"timeout": "timeout", "back": "back"}

    timeout: Annotated[
        float | None,
        said(f"Seconds until it gives a node up, {SPAN}; only with a clock. Null: never."),
    ] = None
    together: Annotated[
        int | None,
        said(
            "Makes it a rolling drain, of so many nodes at a time: each is cordoned when its turn comes; "
            "only with a clock. Null: all are cordoned first, unless `back` is given."
        ),
    ] = None
    back: Annotated[
        float | None,
        said(
            f"Makes it a rolling drain: seconds, {SPAN}, after which an emptied node is uncordoned and the "
            "next one's turn comes; only with a clock. Null: emptied nodes stay cordoned."
        ),
    ] = None

    def check(self) -> None:
        super().check()
        if self.together is not None and not 1 <= self.together <= MAX_NODES:
            raise Refused("together", f"must be between 1 and {MAX_NODES:,}, not {self.together}")

    @property
    def is_rolling(self) -> bool:
        """Whether each node is cordoned only when its turn comes."""
        return self.together is not None or self.back is not None

    @property
    def patience(self) -> float:
        """For how many seconds it asks again for a node's evictions that a budget refuses."""
        return LATEST if self.timeout is None else self.timeout

    def because_of_time(self) -> Iterator[str]:
        yield from super().because_of_time()
        yield f"{self.target} {'is' if len(self.named_nodes()) == 1 else 'are'} drained"

    def apply(self, cluster: EditedCluster, result: EditResult) -> list[EvictionRequest]:
        """Cordon the nodes; return the evictions of their pods, node by node, in name order. Raises Refused.

        Whom a drain at an instant meets is not known here: of that none are returned.
        """
        nodes = self.find(cluster, result)
        if not self.is_rolling:
            cordon(cluster, nodes, result)
        who = self.subject(result)
        self.list_nodes(result)
        if self.is_rolling:
            result.note(self._how_it_rolls())
        elif len(nodes) > 1 and cluster.has_clock:
            result.note(
                "one node after another, as kubectl drain does: the next when the one before is empty"
            )
        if self.at is not None:
            result.sentence = f"drain {who}: asks for the eviction of whoever is there by then"
            return []
        requests, bare = [], 0
        for name in result.nodes:
            for pod in cluster.pods_on(name):
                if has_ended(pod):
                    continue
                skipped = reason_to_skip(pod)
                bare += skipped is None and not is_recreated(pod)
                requests.append(
                    EvictionRequest(
                        result.index,
                        uid_of(pod),
                        skipped,
                        self.patience,
                        in_turn=self.is_rolling or _in_turn(cluster, nodes),
                    )
                )
        tried = sum(1 for request in requests if request.skipped is None)
        result.sentence = f"drain {who}: asks for {count_of(tried, 'eviction')}"
        if len(requests) > tried:
            result.note(
                f"{count_of(len(requests) - tried, 'pod')} left alone: mirror, DaemonSet or terminating"
            )
        if bare:
            result.note(
                f"{count_of(bare, 'pod')} without a controller would be gone for good "
                "(kubectl asks for --force)"
            )
        return requests

    def _how_it_rolls(self) -> str:
        turns = f"{count_of(self.together or 1, 'node')} at a time, each cordoned when its turn comes"
        return turns if self.back is None else f"{turns}; back {self.back:g} s after it is empty"


def _in_turn(cluster: EditedCluster, nodes: list[Object]) -> bool:
    return cluster.has_clock and len(nodes) > 1


def reason_to_skip(pod: Object) -> str | None:
    """Return why a drain leaves a pod alone, None where it asks for its eviction."""
    if is_mirror(pod):
        return "a mirror pod: its kubelet keeps it"
    if is_daemon(pod):
        return "a DaemonSet's pod: it would come back on this node"
    if (pod.get("metadata") or {}).get("deletionTimestamp"):
        return "terminating already"
    return None
