"""The edit clone-node: empty nodes come that are like one that is there."""

from typing import Annotated

from scheduler_core.objects.identity import with_suffix
from scheduler_core.objects.kinds import NODE
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.world.edits.additions import OnNode, add_daemon_pods, count_of, empty_copy
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.operations.base import MAX_NODES, Edit, Field, Words, said
from scheduler_core.world.edits.refusals import check_manifest
from scheduler_core.world.edits.results import EditResult


class CloneNode(Edit, kw_only=True, tag="clone-node", rename="camel", frozen=True):
    """Adds empty nodes like one that is there."""

    words = Words(
        "Add copies of a node",
        "More nodes",
        "Add copies of {node}: {count}",
        (
            Field("node", "Node to copy", "node"),
            Field("count", "Copies", "count"),
            Field("namePrefix", "Names begin with", "text", optional=True),
        ),
        {"node": "", "count": 1},
    )
    makes_nodes = True

    node: Annotated[str, said("The node that they are like.")]
    count: Annotated[int, said(f"How many, 1 to {MAX_NODES:,}.")] = 1
    name_prefix: Annotated[
        str | None, said("What their names begin with, before a number. Null: the node's name and `-`.")
    ] = None

    def check(self) -> None:
        super().check()
        if not 1 <= self.count <= MAX_NODES:
            raise Refused("count", f"must be between 1 and {MAX_NODES:,}, not {self.count}")

    def named_nodes(self) -> list[str]:
        return [self.node]

    def apply(self, cluster: EditedCluster, result: EditResult) -> None:
        node = cluster.node(self.node)
        cluster.check_nodes(self.count, "count")
        prefix = f"{self.node}-" if self.name_prefix is None else self.name_prefix
        names: list[str] = []
        shown = OnNode(cluster, self.node)
        number = 1
        while len(names) < self.count:
            name = with_suffix(prefix, str(number))
            number += 1
            if cluster.find(NODE, None, name):
                continue
            copy = empty_copy(node, name)
            check_manifest(copy, "namePrefix")
            cluster.insert_new(copy)
            names.append(name)
            result.nodes.append(name)
            shown.copy_to(name)
            add_daemon_pods(cluster, copy, result)
        result.note("the new nodes are empty: no pods but those of DaemonSets, no images")
        if shown.slices:
            result.note(f"drivers offer on each what they offer on {self.node}")
        span = names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}"
        result.sentence = f"clone node {self.node}: {count_of(len(names), 'node')} ({span})"
