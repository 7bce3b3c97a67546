"""Which pods belong together by their Services and their controller, for default spread constraints.

Source: kubernetes v1.36 plugins/helper/spread.go DefaultSelector.
"""

from scheduler_core.objects import selectors
from scheduler_core.objects.selectors import Selector
from scheduler_core.objects.types import OwnerReference
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.pods import PodInfo

_WITH_LABEL_SELECTOR = {("apps/v1", "ReplicaSet"), ("apps/v1", "StatefulSet")}


def default_selector(state: ClusterState, pod: PodInfo) -> Selector | None:
    """Return the joined selectors of the pod's Services and controller; empty if there are none."""
    labels: dict[str, str] = {}
    for service in state.groups.services.get(pod.namespace, ()):
        if selectors.matches(selectors.from_labels(service), pod.labels):
            labels.update(service)
    owner = _controller(pod)
    if owner is None:
        return selectors.from_labels(labels)
    key = (owner.kind, pod.namespace, owner.name)
    if (owner.api_version, owner.kind) == ("v1", "ReplicationController"):
        labels.update(state.groups.replication_controllers.get(key, {}))
        return selectors.from_labels(labels)
    joined = set(selectors.from_labels(labels))
    if (owner.api_version, owner.kind) in _WITH_LABEL_SELECTOR and key in state.groups.selectors:
        joined |= set(state.groups.selectors[key] or ())
    return tuple(sorted(joined))


def _controller(pod: PodInfo) -> OwnerReference | None:
    owners = pod.pod.metadata.owner_references or ()
    return next((owner for owner in owners if owner.controller), None)
