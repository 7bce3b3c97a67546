"""The edits that change or take away what is there: delete, scale, cordon, uncordon, drain, patch, evict."""

from itertools import count
from typing import Any

from scheduler_core.objects.identity import (
    controller_of,
    has_ended,
    is_daemon,
    is_mirror,
    is_recreated,
    keeps_name,
    name_of,
    namespace_of,
    spec_of,
)
from scheduler_core.objects.kinds import (
    CRON_JOB,
    DAEMON_SET,
    DEPLOYMENT,
    JOB,
    NAMESPACE,
    NODE,
    PERSISTENT_VOLUME_CLAIM,
    POD,
    PRIORITY_CLASS,
    REPLICA_SET,
    REPLICATION_CONTROLLER,
    RESOURCE_QUOTA,
    STATEFUL_SET,
    WORKLOAD_KINDS,
    kind_of,
)
from scheduler_core.objects.workloads.daemons import runs_on
from scheduler_core.objects.workloads.ephemeral_volumes import ephemeral_claims
from scheduler_core.objects.workloads.workload_pods import (
    recreated_copy,
    wanted_replicas,
    with_replicas,
)
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.state.nodes import FAILED_TAINTS
from scheduler_core.world.edits import webhooks
from scheduler_core.world.edits.additions import (
    add_daemon_pods,
    count_of,
    insert_claims,
)
from scheduler_core.world.edits.edited_cluster import (
    EditedCluster,
    full_name,
    is_active,
    refuse_as_api,
)
from scheduler_core.world.edits.merge_patch import merge_patch
from scheduler_core.world.edits.places import uid_of
from scheduler_core.world.edits.replicas import meet_replicas
from scheduler_core.world.edits.results import EditResult, EvictionRequest
from scheduler_core.world.edits.shapes import (
    Cordon,
    Delete,
    Drain,
    Evict,
    Patch,
    Scale,
    StartKubelet,
    StopKubelet,
    Uncordon,
    grace_of,
    patience_of,
)

Object = dict[str, Any]

UNSCHEDULABLE_TAINT = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
_SCALABLE = (DEPLOYMENT, REPLICA_SET, REPLICATION_CONTROLLER, STATEFUL_SET, JOB)
_IMMUTABLE = ("name", "namespace", "uid")


def delete(cluster: EditedCluster, edit: Delete, result: EditResult, *, recreate: bool) -> None:
    """Delete an object and what belongs to it. Raises Refused."""
    kind = cluster.kind_named(edit.kind)
    document = cluster.get(kind, edit.namespace, edit.name)
    result.sentence = f"delete {full_name(document)}"
    if kind == POD:
        for pod in cluster.find(POD, edit.namespace, edit.name):
            _delete_pod(cluster, pod, result, recreate=recreate)
    elif kind in WORKLOAD_KINDS:
        _delete_workload(cluster, document, result, recreate=recreate)
    elif kind == NAMESPACE:
        _delete_namespace(cluster, document, result)
    else:
        webhooks.check_deletion(cluster, document)
        cluster.remove(document)
        if kind == NODE:
            if stranded := cluster.pods_on(edit.name):
                pods = f"{count_of(len(stranded), 'pod')} on it"
                result.note(
                    f"{pods} are deleted 40 to 60 seconds later; drain it first to move them in time"
                    if cluster.controllers_act
                    else f"{pods} stay bound, unseen by the scheduler; drain it first to move them"
                )
        elif kind == PRIORITY_CLASS:
            result.note("pods that have their priority from it keep it")


def _delete_pod(cluster: EditedCluster, pod: Object, result: EditResult, *, recreate: bool) -> None:
    cluster.remove(pod)
    _remove_claims_of(cluster, pod)
    if recreate and is_recreated(pod) and is_active(pod):
        numbers = count(1)
        copy = recreated_copy(pod, next(numbers))
        while not keeps_name(pod) and cluster.find(POD, namespace_of(pod), name_of(copy)):
            copy = recreated_copy(pod, next(numbers))
        cluster.insert_new(copy)
        insert_claims(cluster, ephemeral_claims(copy), result)
        result.note(f"its controller makes {full_name(copy)} in its place")


def _remove_claims_of(cluster: EditedCluster, pod: Object) -> None:
    """Take away the claims of its ephemeral volumes, as the garbage collector would."""
    for claim in ephemeral_claims(pod):
        for found in cluster.find(PERSISTENT_VOLUME_CLAIM, namespace_of(claim), name_of(claim)):
            owners = found["metadata"].get("ownerReferences") or ()
            if any(owner.get("uid") == uid_of(pod) for owner in owners):
                cluster.remove(found)


def _delete_workload(cluster: EditedCluster, workload: Object, result: EditResult, *, recreate: bool) -> None:
    reference = controller_of(workload)
    if (
        recreate
        and reference is not None
        and cluster.find(kind_of(reference), namespace_of(workload), str(reference.get("name")))
    ):
        owner = f"{kind_of(reference)} {namespace_of(workload)}/{reference.get('name')}"
        raise Refused("name", f"{owner} would make it anew; delete that")
    pods = cluster.pods_of(workload)
    for between in cluster.controlled(workload):
        if kind_of(between) != POD:
            cluster.remove(between)
    for pod in pods:
        cluster.remove(pod)
    cluster.remove(workload)
    result.sentence += f" and its {count_of(len(pods), 'pod')}"


def _delete_namespace(cluster: EditedCluster, namespace: Object, result: EditResult) -> None:
    inside = [
        document
        for document in cluster.objects()
        if (document.get("metadata") or {}).get("namespace") == name_of(namespace)
    ]
    for document in inside:
        cluster.remove(document)
    cluster.remove(namespace)
    result.sentence += f" with {count_of(len(inside), 'object')}"


def scale(cluster: EditedCluster, edit: Scale, result: EditResult) -> None:
    """Give a workload another number of pods. Raises Refused."""
    kind = cluster.kind_named(edit.kind)
    if kind not in _SCALABLE:
        raise Refused("kind", f"must be one of {', '.join(map(str, _SCALABLE))}, not {edit.kind}")
    workload = cluster.get(kind, edit.namespace, edit.name)
    reference = controller_of(workload)
    if reference is not None:
        raise Refused("name", f"{kind_of(reference)} {reference.get('name')} decides about it; scale that")
    before = sum(1 for pod in cluster.pods_of(workload) if is_active(pod))
    scaled = with_replicas(workload, edit.replicas)
    cluster.replace(workload, scaled)
    meet_replicas(cluster, scaled, result)
    result.sentence = f"scale {full_name(workload)} from {before} to {count_of(edit.replicas, 'pod')}"


def cordon(cluster: EditedCluster, edit: Cordon | Drain, result: EditResult) -> None:
    """Make a node unschedulable, with the taint that its controller adds. Raises Refused."""
    node = cluster.node(edit.node)
    spec = spec_of(node)
    result.sentence = f"cordon {edit.node}"
    if spec.get("unschedulable"):
        result.note(f"{edit.node} was cordoned already")
        return
    taints = [taint for taint in spec.get("taints") or () if taint.get("key") != UNSCHEDULABLE_TAINT["key"]]
    cluster.replace(
        node, {**node, "spec": {**spec, "unschedulable": True, "taints": [*taints, UNSCHEDULABLE_TAINT]}}
    )


def uncordon(cluster: EditedCluster, edit: Uncordon, result: EditResult) -> None:
    """Make a node schedulable again. Raises Refused."""
    node = cluster.node(edit.node)
    spec = {key: value for key, value in spec_of(node).items() if key != "unschedulable"}
    result.sentence = f"uncordon {edit.node}"
    if not spec_of(node).get("unschedulable"):
        result.note(f"{edit.node} was not cordoned")
    spec["taints"] = [
        taint for taint in spec.get("taints") or () if taint.get("key") != UNSCHEDULABLE_TAINT["key"]
    ]
    cluster.replace(node, {**node, "spec": spec})


def stop_kubelet(cluster: EditedCluster, edit: StopKubelet, result: EditResult) -> None:
    """Say what follows when a node's kubelet stops. Raises Refused."""
    cluster.node(edit.node)
    result.sentence = f"stop the kubelet of {edit.node}"
    if not cluster.controllers_act:
        result.note("no controller acts in this run: the node stays ready, and nobody moves its pods")
        return
    result.note(
        f"after {grace_of(edit):g} s without a word the node is unreachable; its pods go when their "
        "tolerations end, and stay terminating until the kubelet starts or the node is deleted"
    )


def start_kubelet(cluster: EditedCluster, edit: StartKubelet, result: EditResult) -> None:
    """Let a node be ready again, as its kubelet and its controller see to it. Raises Refused."""
    node = cluster.node(edit.node)
    spec, status = spec_of(node), node.get("status") or {}
    result.sentence = f"start the kubelet of {edit.node}"
    taints = [taint for taint in spec.get("taints") or () if taint.get("key") not in FAILED_TAINTS]
    conditions = [
        {**one, "status": "True"} if one.get("type") == "Ready" else one
        for one in status.get("conditions") or ()
    ]
    changed = {**node, "spec": {**spec, "taints": taints}, "status": {**status, "conditions": conditions}}
    cluster.replace(node, changed)


def drain(cluster: EditedCluster, edit: Drain, result: EditResult) -> list[EvictionRequest]:
    """Cordon a node and return the evictions of its pods in name order. Raises Refused.

    Whom a drain at an instant meets is not known here: of that none are returned.
    """
    cordon(cluster, edit, result)
    if edit.at is not None:
        result.sentence = f"drain {edit.node}: asks for the eviction of whoever is there by then"
        return []
    requests, bare = [], 0
    for pod in cluster.pods_on(edit.node):
        if has_ended(pod):
            continue
        skipped = reason_to_skip(pod)
        bare += skipped is None and not is_recreated(pod)
        requests.append(EvictionRequest(result.index, uid_of(pod), skipped, patience_of(edit)))
    tried = sum(1 for request in requests if request.skipped is None)
    result.sentence = f"drain {edit.node}: asks for {count_of(tried, 'eviction')}"
    if len(requests) > tried:
        result.note(f"{count_of(len(requests) - tried, 'pod')} left alone: mirror, DaemonSet or terminating")
    if bare:
        result.note(
            f"{count_of(bare, 'pod')} without a controller would be gone for good (kubectl asks for --force)"
        )
    return requests


def reason_to_skip(pod: Object) -> str | None:
    """Return why a drain leaves a pod alone, None where it asks for its eviction."""
    if is_mirror(pod):
        return "a mirror pod: its kubelet keeps it"
    if is_daemon(pod):
        return "a DaemonSet's pod: it would come back on this node"
    if (pod.get("metadata") or {}).get("deletionTimestamp"):
        return "terminating already"
    return None


def evict(cluster: EditedCluster, edit: Evict, result: EditResult) -> list[EvictionRequest]:
    """Return the eviction of one pod. Raises Refused."""
    pod = _named_pod(cluster, edit.pod)
    result.sentence = f"evict {full_name(pod)}"
    if not spec_of(pod).get("nodeName"):
        raise Refused("pod", f"{full_name(pod)} is on no node; delete it instead")
    if not is_active(pod):
        raise Refused("pod", f"{full_name(pod)} is finished or terminating already")
    return [EvictionRequest(result.index, uid_of(pod))]


def _named_pod(cluster: EditedCluster, name: str) -> Object:
    namespace, slash, short = name.partition("/")
    if slash:
        found = [pod for pod in cluster.find(POD, namespace, short) if is_active(pod)]
        found = found or cluster.find(POD, namespace, short)
    else:
        found = cluster.pods_with_uid(name)
    if not found:
        raise Refused("pod", f"there is no pod {name} (namespace/name or uid)")
    return found[-1]


def patch(cluster: EditedCluster, edit: Patch, result: EditResult) -> None:
    """Merge a patch into an object and let its controllers follow. Raises Refused."""
    kind = cluster.kind_named(edit.kind)
    old = cluster.get(kind, edit.namespace, edit.name)
    new = merge_patch(old, edit.patch)
    result.sentence = f"patch {full_name(old)}"
    if new == old:
        result.note("changes nothing")
        return
    change(cluster, old, new, result, "patch")


def change(cluster: EditedCluster, old: Object, new: Object, result: EditResult, place: str) -> None:
    """Put a changed object in the place of the old one, and let its controllers follow. Raises Refused.

    `place` is where in the edit the change stands.
    """
    kind = kind_of(old)
    if kind == RESOURCE_QUOTA and spec_of(new) != spec_of(old):
        new.pop("status", None)  # its controller writes the new limits there, and counts anew
    _refuse_immutable(old, new, place)
    refuse_as_api(new, place, before=old)
    webhooks.check_change(cluster, old, new, place)
    cluster.replace(old, new)
    if kind in WORKLOAD_KINDS:
        _follow_workload(cluster, old, new, result, place)
    elif kind == NODE:
        _follow_node(cluster, old, new, result)
    elif kind == PRIORITY_CLASS and old.get("value") != new.get("value"):
        result.note("pods that are there keep their priority; it counts for pods that come")


def _refuse_immutable(old: Object, new: Object, place: str) -> None:
    before, after = old.get("metadata") or {}, new.get("metadata")
    for field in ("kind", "apiVersion"):
        if old.get(field) != new.get(field):
            raise Refused(f"{place}.{field}", "cannot be changed")
    for field in _IMMUTABLE:
        if not isinstance(after, dict) or before.get(field) != after.get(field):
            raise Refused(f"{place}.metadata.{field}", "cannot be changed")


def _follow_workload(
    cluster: EditedCluster, old: Object, new: Object, result: EditResult, place: str
) -> None:
    """Make or delete pods as the changed workload wants; a changed template replaces them all at once."""
    if kind_of(new) == CRON_JOB:
        result.note("its running jobs stay as they are")
        return
    if spec_of(old).get("template") == spec_of(new).get("template"):
        if kind_of(new) != DAEMON_SET and wanted_replicas(old) != wanted_replicas(new):
            meet_replicas(cluster, new, result)
        return
    if kind_of(new) == JOB:
        raise Refused(f"{place}.spec.template", "of a Job cannot be changed")
    pods = cluster.pods_of(new)
    sets = [found for found in cluster.controlled(new) if kind_of(found) == REPLICA_SET]
    if cluster.controllers_act:
        cluster.rolling.add(uid_of(new))
        cluster.replaced.update((uid_of(found), new) for found in sets)
    for document in [*pods, *sets]:
        cluster.remove(document)
    if kind_of(new) == DAEMON_SET:
        for node in list(cluster.of_kind(NODE)):
            add_daemon_pods(cluster, node, result)
    else:
        meet_replicas(cluster, new, result)
    how = "in the run, as its strategy says" if cluster.controllers_act else "all at once"
    result.note(f"{count_of(len(pods), 'pod')} replaced by new ones from the changed template, {how}")


def _follow_node(cluster: EditedCluster, old: Object, new: Object, result: EditResult) -> None:
    for daemon_set in cluster.of_kind(DAEMON_SET):
        if runs_on(daemon_set, new) and not runs_on(daemon_set, old):
            add_daemon_pods(cluster, new, result)
            break
    before = [taint for taint in spec_of(old).get("taints") or () if taint.get("effect") == "NoExecute"]
    after = [taint for taint in spec_of(new).get("taints") or () if taint.get("effect") == "NoExecute"]
    if any(taint not in before for taint in after):
        result.note(
            "NoExecute evicts the pods there that do not tolerate it, when the run plays it"
            if cluster.controllers_act
            else "NoExecute keeps new pods away; those that run there stay: nobody evicts them in this run"
        )
