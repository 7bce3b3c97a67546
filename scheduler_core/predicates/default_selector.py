"""Which pods belong together by their Services and their controller, for default spread constraints.

Source: kubernetes v1.36 plugins/helper/spread.go DefaultSelector.
"""

from scheduler_core.objects import selectors
from scheduler_core.objects.kinds import REPLICA_SET, REPLICATION_CONTROLLER, STATEFUL_SET
from scheduler_core.objects.selectors import Selector
from scheduler_core.objects.types import OwnerReference, Pod
from scheduler_core.state.cluster import ClusterState, Groups
from scheduler_core.state.pods import PodInfo

_WITH_LABEL_SELECTOR = {("apps/v1", kind.name): kind for kind in (REPLICA_SET, STATEFUL_SET)}


def default_selector(state: ClusterState, pod: PodInfo) -> Selector | None:
    """Return the joined selectors of the pod's Services and controller; empty if there are none."""
    return selector_of_groups(state.groups, pod.namespace, pod.pod)


def selector_of_groups(groups: Groups, namespace: str, pod: Pod) -> Selector | None:
    """Return the same of a pod in this namespace that stands in no table."""
    labels: dict[str, str] = {}
    own = pod.metadata.labels or {}
    for service in groups.services_of(namespace, own):
        labels.update(service)
    owner = _controller(pod)
    if owner is None:
        return selectors.from_labels(labels)
    if (owner.api_version, owner.kind) == ("v1", "ReplicationController"):
        controller = (REPLICATION_CONTROLLER, namespace, owner.name)
        labels.update(groups.replication_controllers.get(controller, {}))
        return selectors.from_labels(labels)
    joined = set(selectors.from_labels(labels))
    kind = _WITH_LABEL_SELECTOR.get((owner.api_version, owner.kind))
    if kind is not None:
        joined |= set(groups.selectors.get((kind, namespace, owner.name)) or ())
    return tuple(sorted(joined))


def _controller(pod: Pod) -> OwnerReference | None:
    owners = pod.metadata.owner_references or ()
    return next((owner for owner in owners if owner.controller), None)
