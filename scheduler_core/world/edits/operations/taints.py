"""The edits taint and untaint: which pods nodes keep off.

Source: kubectl v0.36 pkg/cmd/taint/utils.go parseTaint, parseTaints; the taint is put as by `--overwrite`.
"""

from collections.abc import Iterator
from typing import Annotated

from scheduler_core.objects.identity import name_of, spec_of
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.operations.base import Field, Words, label_faults, said
from scheduler_core.world.edits.operations.of_nodes import NODES, NodesEdit, Object, note_of, put_changed
from scheduler_core.world.edits.results import EditResult

EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
SICK = "node.kubernetes.io/"
"""How keys of taints begin that controllers put on nodes that aren't well, or are cordoned."""


class Taint(NodesEdit, kw_only=True, tag="taint", frozen=True):
    """Puts taints on nodes; one of the same key and effect gets the new value."""

    moves_pods = True
    words = Words(
        "Taint nodes",
        "Taint",
        "Taint {nodes}: {taints}",
        (NODES, Field("taints", "Taints (key=value:NoSchedule)", "texts")),
        {"node": "", "taints": []},
    )
    makes_pods = False

    taints: Annotated[list[str], said("Each `key=value:Effect` or `key:Effect`, as kubectl takes it.")]

    def check(self) -> None:
        super().check()
        if not self.taints:
            raise Refused("taints", "names no taint")
        for text in self.taints:
            parse_taint(text, "taints")

    def because_of_time(self) -> Iterator[str]:
        yield from super().because_of_time()
        if any(text.endswith(":NoExecute") for text in self.taints):
            yield f"a NoExecute taint evicts pods from {self.target}"

    def apply(self, cluster: EditedCluster, result: EditResult) -> None:
        wanted = [parse_taint(text, "taints") for text in self.taints]
        keys = [(taint["key"], taint["effect"]) for taint in wanted]
        for node in self.find(cluster, result):
            present = spec_of(node).get("taints") or []
            others = [taint for taint in present if (taint.get("key"), taint.get("effect")) not in keys]
            put_changed(
                cluster, node, {"spec": {**spec_of(node), "taints": [*others, *wanted]}}, result, "taints"
            )
        result.sentence = f"taint {self.subject(result)} with {', '.join(self.taints)}"
        self.list_nodes(result)


class Untaint(NodesEdit, kw_only=True, tag="untaint", frozen=True):
    """Takes taints from nodes."""

    words = Words(
        "Take taints from nodes",
        "Untaint",
        "Untaint {nodes}: {taints}",
        (NODES, Field("taints", "Taints (key, or key:NoSchedule)", "texts")),
        {"node": "", "taints": []},
    )
    makes_pods = False

    taints: Annotated[list[str], said("Each `key`, which means all its effects, or `key:Effect`.")]

    def check(self) -> None:
        super().check()
        if not self.taints:
            raise Refused("taints", "names no taint")
        for text in self.taints:
            key, colon, effect = text.partition(":")
            if not key or (colon and effect not in EFFECTS):
                raise Refused("taints", f"{text!r} must be key or key:Effect ({', '.join(EFFECTS)})")

    def apply(self, cluster: EditedCluster, result: EditResult) -> None:
        without = []
        for node in self.find(cluster, result):
            present = spec_of(node).get("taints") or []
            left = [taint for taint in present if not self._means(taint)]
            if len(left) == len(present):
                without.append(name_of(node))
            else:
                put_changed(cluster, node, {"spec": {**spec_of(node), "taints": left}}, result, "taints")
        what = "taint" if len(self.taints) == 1 else "taints"
        result.sentence = f"remove the {what} {', '.join(self.taints)} from {self.subject(result)}"
        note_of(result, without, "has no such taint", "have no such taint")
        self.list_nodes(result)

    def _means(self, taint: Object) -> bool:
        key, effect = taint.get("key"), taint.get("effect")
        return key in self.taints or f"{key}:{effect}" in self.taints


def parse_taint(text: str, field: str) -> Object:
    """Return the taint that a text means. Raises Refused for `field`."""
    rest, colon, effect = text.rpartition(":")
    key, equals, value = rest.partition("=")
    if not colon or not key or effect not in EFFECTS:
        raise Refused(field, f"{text!r} must be key=value:Effect or key:Effect ({', '.join(EFFECTS)})")
    for fault in label_faults(key, value):
        raise Refused(field, fault)
    return {"key": key, **({"value": value} if equals else {}), "effect": effect}
