"""Which pods a controller deletes when it is to have fewer, as things stand then.

Source: kubernetes v1.36 pkg/controller/replicaset/replica_set.go getPodsToDelete, getIndirectlyRelatedPods.
"""

from __future__ import annotations

from typing import Any

from scheduler_core.objects.identity import controller_of
from scheduler_core.objects.timestamps import format_timestamp
from scheduler_core.state.cluster import ClusterState
from scheduler_core.world.controllers.controller import LiveCluster
from scheduler_core.world.controllers.recreated_pods import Controllers
from scheduler_core.world.edits.ranking import first_to_go
from scheduler_core.world.timeline_entry import Entry

Document = dict[str, Any]


def surplus(entry: Entry, cluster: LiveCluster, controllers: Controllers) -> list[int]:
    """Return the pods that go, in their controller's order, until `entry.keep` are left; by row."""
    assert entry.document is not None
    related = {uid: _active(uid, cluster.state, controllers) for uid in entry.related}
    own = related[entry.document["metadata"]["uid"]]
    documents = {pod: _as_it_is(pod, cluster, controllers) for pods in related.values() for pod in pods}
    rows = {id(document): pod for pod, document in documents.items()}
    ranked = first_to_go(entry.document, [documents[pod] for pod in own], list(documents.values()))
    return [rows[id(document)] for document in ranked[: max(0, len(own) - entry.keep)]]


def _active(uid: str, state: ClusterState, controllers: Controllers) -> list[int]:
    """Return a controller's pods that are there and not on their way out."""
    return [
        info.row
        for info in state.present()
        if (controller_of(controllers.document(info.row)) or {}).get("uid") == uid
        and info.pod.metadata.deletion_timestamp is None
    ]


def _as_it_is(pod: int, cluster: LiveCluster, controllers: Controllers) -> Document:
    """Return the pod as its API server has it, also one that was bound in the run."""
    document = controllers.document(pod)
    since = cluster.ready_from.get(pod)
    if since is None:
        return dict(document)
    ready = {"type": "Ready", "status": "True" if cluster.is_ready(pod) else "False"}
    ready["lastTransitionTime"] = format_timestamp(cluster.epoch + since)
    node = cluster.state.pods.infos[pod].pod.spec.node_name
    return {
        **document,
        "spec": {**document["spec"], "nodeName": node},
        "status": {"phase": "Running", "conditions": [ready]},
    }
