"""The edit label: what nodes say of themselves to schedulers.

Source: kubectl v0.36 pkg/cmd/label/label.go; labels are put as by `--overwrite`.
"""

from typing import Annotated

from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.operations.base import Field, Words, check_labels, said
from scheduler_core.world.edits.operations.of_nodes import NODES, NodesEdit, labels_of, put_changed
from scheduler_core.world.edits.results import EditResult


class Label(NodesEdit, kw_only=True, tag="label", frozen=True):
    """Puts labels on nodes, or takes some away."""

    words = Words(
        "Label nodes",
        "Label",
        "Label {nodes}: {labels}",
        (NODES, Field("labels", "Labels (key=value; key- takes it away)", "labels")),
        {"node": "", "labels": {}},
    )

    labels: Annotated[dict[str, str | None], said("By key; null takes a label away.")]

    def check(self) -> None:
        super().check()
        if not self.labels:
            raise Refused("labels", "names no label")
        check_labels("labels", self.labels)

    def apply(self, cluster: EditedCluster, result: EditResult) -> None:
        for node in self.find(cluster, result):
            labels = {key: value for key, value in labels_of(node).items() if key not in self.labels}
            labels |= {key: value for key, value in self.labels.items() if value is not None}
            put_changed(cluster, node, {"metadata": {**node["metadata"], "labels": labels}}, result, "labels")
        told = [f"{key}-" if value is None else f"{key}={value}" for key, value in self.labels.items()]
        result.sentence = f"label {self.subject(result)}: {', '.join(told)}"
        self.list_nodes(result)
