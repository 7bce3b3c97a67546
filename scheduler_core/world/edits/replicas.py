"""Controllers make or delete pods until there are as many as a workload wants.

Source: kubernetes v1.36 pkg/controller/replicaset/replica_set.go manageReplicas, getPodsToDelete.
"""

from typing import Any

from scheduler_core.objects.identity import controls, is_active, name_of, namespace_of, spec_of
from scheduler_core.objects.kinds import DEPLOYMENT, REPLICA_SET, kind_of
from scheduler_core.objects.workloads.workload_pods import intermediate, wanted_replicas
from scheduler_core.world.edits import rollout
from scheduler_core.world.edits.additions import create_pods
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.places import full_name
from scheduler_core.world.edits.ranking import first_to_go
from scheduler_core.world.edits.results import EditResult

Object = dict[str, Any]


def meet_replicas(cluster: EditedCluster, workload: Object, pods: list[Object], result: EditResult) -> None:
    """Let a workload's controller make or delete pods until there are as many as it wants. Raises Refused.

    `pods` are those of its own that are active.
    """
    if kind_of(workload) != DEPLOYMENT:
        _meet(cluster, workload, pods, wanted_replicas(workload), result)
        return
    sets = _replica_sets(cluster, workload)
    if not all(any(controls(one, pod) for one in sets) for pod in pods):
        _meet_without_sets(cluster, workload, rollout.newest(sets), pods, result)
        return
    sizes = rollout.sizes(workload, sets)
    for one in sets:
        own = [pod for pod in pods if controls(one, pod)]
        scaled = rollout.with_size(one, sizes[name_of(one)], workload)
        cluster.replace(one, scaled)
        _meet(cluster, scaled, own, sizes[name_of(one)], result, related=pods)
    if sum(size > 0 for size in sizes.values()) > 1:
        _note_rollout(workload, sizes, result)


def active_pods(cluster: EditedCluster, workload: Object) -> list[Object]:
    """Return a workload's pods that still count for it."""
    return [pod for pod in cluster.pods_of(workload) if is_active(pod)]


def _meet(
    cluster: EditedCluster,
    controller: Object,
    pods: list[Object],
    wanted: int,
    result: EditResult,
    related: list[Object] | None = None,
) -> None:
    if len(pods) < wanted:
        cluster.check_room(wanted - len(pods), "replicas")
        create_pods(cluster, controller, wanted - len(pods), result, "spec.template.spec")
    elif len(pods) > wanted:
        _remove(cluster, first_to_go(controller, pods, related)[: len(pods) - wanted], result)


def _meet_without_sets(
    cluster: EditedCluster, workload: Object, newest: Object, pods: list[Object], result: EditResult
) -> None:
    """Some pods are of ReplicaSets that were not imported: their shares are not known, and they go first."""
    own = [pod for pod in pods if controls(newest, pod)]
    others = [pod for pod in pods if not controls(newest, pod)]
    wanted = wanted_replicas(workload)
    gone = first_to_go(newest, others, pods)[: max(0, len(pods) - wanted)]
    _remove(cluster, gone, result)
    kept = wanted - (len(others) - len(gone))
    scaled = rollout.with_size(newest, kept, workload)
    cluster.replace(newest, scaled)
    _meet(cluster, scaled, own, kept, result, related=pods)


def _remove(cluster: EditedCluster, pods: list[Object], result: EditResult) -> None:
    for pod in pods:
        cluster.remove(pod)
        where = spec_of(pod).get("nodeName")
        result.note(f"deletes {full_name(pod)} ({'on ' + where if where else 'pending'})")


def _replica_sets(cluster: EditedCluster, deployment: Object) -> list[Object]:
    """Return a Deployment's ReplicaSets; the one that is made if there is none. Raises Refused."""
    sets = [found for found in cluster.controlled(deployment) if kind_of(found) == REPLICA_SET]
    made = None if sets else intermediate(deployment)
    if made is None:
        return sets
    known = cluster.find(REPLICA_SET, namespace_of(made), name_of(made))
    if not known:
        cluster.insert_new(made)
    return known or [made]


def _note_rollout(deployment: Object, sizes: dict[str, int], result: EditResult) -> None:
    shares = ", ".join(f"{name} {size}" for name, size in sorted(sizes.items()) if size)
    if not rollout.is_rolling(deployment):
        result.note(f"its strategy is Recreate: its ReplicaSets stay as they are ({shares})")
        return
    surge = rollout.max_surge(deployment)
    more = f", with the {surge} more that maxSurge allows meanwhile" if surge else ""
    result.note(f"a rollout is under way: its ReplicaSets keep their shares ({shares}){more}")
