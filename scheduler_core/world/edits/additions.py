"""How objects are made: those of add and clone-node, and the pods that controllers make in their wake."""

from typing import Any

import msgspec

from scheduler_core.objects.identity import (
    controller_of,
    derived_uid,
    name_of,
    namespace_of,
    spec_of,
    with_identity,
    with_suffix,
)
from scheduler_core.objects.imports.offered_resources import asked_of_nodes
from scheduler_core.objects.kinds import (
    CSI_NODE,
    DAEMON_SET,
    JOB,
    NAMESPACE,
    NODE,
    PERSISTENT_VOLUME_CLAIM,
    POD,
    READ_KINDS,
    REPLICA_SET,
    REPLICATION_CONTROLLER,
    RESOURCE_SLICE,
    STATEFUL_SET,
    WORKLOAD_KINDS,
    kind_of,
)
from scheduler_core.objects.workloads.daemons import runs_on
from scheduler_core.objects.workloads.ephemeral_volumes import ephemeral_claims
from scheduler_core.objects.workloads.workload_pods import (
    intermediate,
    make_claims,
    make_daemon_pod,
    make_pods,
    wanted_replicas,
    with_replicas,
)
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.schedulers.registry import own_kinds, registration
from scheduler_core.world.edits import webhooks
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.places import full_name
from scheduler_core.world.edits.results import EditResult

Object = dict[str, Any]

_TRYING_AGAIN = (REPLICA_SET, REPLICATION_CONTROLLER, STATEFUL_SET, JOB)
_CONDITION_TAINTS = (
    "not-ready",
    "unreachable",
    "unschedulable",
    "disk-pressure",
    "memory-pressure",
    "pid-pressure",
    "network-unavailable",
)


def add_object(cluster: EditedCluster, document: Object, replicas: int | None, result: EditResult) -> str:
    """Add a new object, a workload with its pods, a pod several times; return its name. Raises Refused."""
    _refuse_leaving_namespace(cluster, document)
    if kind_of(document) in WORKLOAD_KINDS:
        return _add_workload(cluster, document, replicas, result)
    if kind_of(document) == POD and replicas is not None:
        return _add_copies(cluster, document, replicas, result)
    return _add_single(cluster, document, result)


def _refuse_leaving_namespace(cluster: EditedCluster, document: Object) -> None:
    """Source: kubernetes v1.36 apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go Admit."""
    name = (document.get("metadata") or {}).get("namespace")
    there = cluster.find(NAMESPACE, None, name) if name else []
    if any((one.get("status") or {}).get("phase") == "Terminating" for one in there):
        raise Refused(
            "manifest.metadata.namespace", f"{name} is being deleted: nothing new can be made in it"
        )


def with_wanted_replicas(document: Object, replicas: int | None) -> Object:
    """Return a workload with the number of pods that an edit gives it. Raises Refused."""
    if replicas is None:
        return document
    if kind_of(document) == DAEMON_SET:
        raise Refused("replicas", "a DaemonSet has one pod a node")
    return with_replicas(document, replicas)


def _add_single(cluster: EditedCluster, document: Object, result: EditResult) -> str:
    if kind_of(document) == NODE:
        cluster.check_nodes(1, "manifest")
    if kind_of(document) == POD:
        cluster.check_room(1, "manifest")
    admitted = cluster.admission.admit(document)
    if admitted.problems or admitted.quota_refusals:
        faults = [(f"manifest.{problem.field}".rstrip("."), problem.message) for problem in admitted.problems]
        faults += [("manifest", reason) for reason in admitted.quota_refusals]
        raise Refused(*faults[0], faults[1:])
    for change in admitted.changes:
        result.note(change)
    document = webhooks.admit(cluster, admitted.document, result.note)
    if kind_of(document) == POD:
        webhooks.check_pod(document, "manifest.spec")
        _tell_of_resources(cluster, document, result)
    if kind_of(document) not in READ_KINDS | own_kinds():
        result.note(f"no scheduler reads {full_name(document)}")
    cluster.insert_new(document)
    webhooks.added(document, result.note)
    if kind_of(document) == POD:
        insert_claims(cluster, ephemeral_claims(document), result)
    if kind_of(document) == NODE:
        add_daemon_pods(cluster, document, result)
    return full_name(document)


def _add_copies(cluster: EditedCluster, pod: Object, replicas: int, result: EditResult) -> str:
    """Add a pod several times over: `<name>-1`, `<name>-2`, …"""
    cluster.check_room(replicas, "replicas")
    taken = cluster.taken_names(namespace_of(pod))
    pods: list[Object] = []
    number = 1
    while len(pods) < replicas:
        name = with_suffix(name_of(pod), f"-{number}")
        number += 1
        if name not in taken:
            metadata = {key: value for key, value in pod["metadata"].items() if key != "uid"}
            pods.append({**pod, "metadata": {**metadata, "name": name}})
    made = insert_pods(cluster, pods, result, "manifest.spec")
    return f"{made} pods {namespace_of(pod)}/{name_of(pod)}-…"


def _add_workload(cluster: EditedCluster, document: Object, replicas: int | None, result: EditResult) -> str:
    document = with_wanted_replicas(document, replicas)
    metadata = {
        key: value
        for key, value in (document.get("metadata") or {}).items()
        if key not in ("uid", "resourceVersion", "creationTimestamp", "generation")
    }
    workload = with_identity({**document, "metadata": metadata, "status": {}})
    if not (document.get("metadata") or {}).get("namespace"):
        result.note("namespace default")
    cluster.insert_new(workload)
    between = intermediate(workload)
    if between is not None:
        cluster.insert_new(between)
    if kind_of(workload) == DAEMON_SET:
        made = sum(_make_daemon_pod(cluster, workload, node, result) for node in list(cluster.of_kind(NODE)))
    else:
        wanted = wanted_replicas(workload)
        cluster.check_room(wanted, "replicas" if replicas is not None else "manifest.spec.replicas")
        made = create_pods(cluster, between or workload, wanted, result, "manifest.spec.template.spec")
    return f"{full_name(workload)}: {count_of(made, 'pod')}"


def create_pods(
    cluster: EditedCluster, controller: Object, count: int, result: EditResult, field: str
) -> int:
    """Let a controller make pods; return how many came into being. Raises Refused."""
    pods = make_pods(controller, count, cluster.taken_names(namespace_of(controller)))
    for pod in pods:
        _give_new_uid(cluster, pod["metadata"])
    if kind_of(controller) == STATEFUL_SET and not cluster.controllers_act:
        for pod in pods:
            insert_claims(cluster, make_claims(controller, pod), result)
    return insert_pods(cluster, pods, result, field)


def _give_new_uid(cluster: EditedCluster, metadata: Object) -> None:
    """Let a pod under the name of an earlier one be another pod."""
    number, uid = 1, metadata["uid"]
    while metadata["uid"] in cluster.used_uids:
        metadata["uid"] = derived_uid("again", uid, number)
        number += 1
    cluster.used_uids.add(metadata["uid"])


def insert_claims(cluster: EditedCluster, claims: list[Object], result: EditResult) -> None:
    """Add the claims that are not there yet."""
    for claim in claims:
        if not cluster.find(PERSISTENT_VOLUME_CLAIM, namespace_of(claim), name_of(claim)):
            cluster.insert_new(claim)
            result.note(f"creates {full_name(claim)}")


def insert_pods(cluster: EditedCluster, pods: list[Object], result: EditResult, field: str) -> int:
    """Admit and add pods; what a quota refuses is noted, anything else refuses the edit.

    Where controllers make their pods in the run, all refusals are noted: they will try again.
    """
    refusals: list[str] = []
    for pod in pods:
        admitted = cluster.admission.admit_pod(pod)
        if admitted.problems and cluster.controllers_act and controller_of(pod) is not None:
            problem = admitted.problems[0]
            refusals.append(": ".join(filter(None, (problem.field, problem.message))))
            continue
        if admitted.problems:
            faults = [
                (f"{field}.{problem.field.removeprefix('spec.')}".rstrip("."), problem.message)
                for problem in admitted.problems
            ]
            raise Refused(*faults[0], faults[1:])
        webhooks.check_pod(admitted.document, field)
        if admitted.quota_refusals:
            refusals += admitted.quota_refusals[:1]
            continue
        for change in admitted.changes:
            result.note(change)
        _tell_of_resources(cluster, admitted.document, result)
        cluster.insert_new(admitted.document)
        insert_claims(cluster, ephemeral_claims(admitted.document), result)
    if refusals:
        cluster.lacking |= any(map(_is_made_again, pods))
        result.problems.append(f"{len(refusals)} of {count_of(len(pods), 'pod')} not created: {refusals[0]}")
    return len(pods) - len(refusals)


def _is_made_again(pod: Object) -> bool:
    """Return whether a controller tries again, in a run, to make a pod that was refused."""
    reference = controller_of(pod)
    return reference is not None and kind_of(reference) in _TRYING_AGAIN


def _tell_of_resources(cluster: EditedCluster, pod: Object, result: EditResult) -> None:
    """Say which resource of a new pod no node offers since its name is most likely misspelt."""
    for name in asked_of_nodes(pod):
        if meant := cluster.offered().meant_by(name):
            sentence = f"no node offers {name}, which pods ask for; did you mean {meant}?"
            if sentence not in result.problems:
                result.problems.append(sentence)


def add_daemon_pods(cluster: EditedCluster, node: Object, result: EditResult) -> None:
    """Let every DaemonSet that runs on the node and has no pod there make one."""
    served = {
        str((controller_of(pod) or {}).get("uid"))
        for pod in cluster.pods_on(name_of(node))
        if controller_of(pod) is not None
    }
    for daemon_set in list(cluster.of_kind(DAEMON_SET)):
        if (daemon_set.get("metadata") or {}).get("uid") not in served and _make_daemon_pod(
            cluster, daemon_set, node, result
        ):
            result.note(f"{full_name(daemon_set)} makes a pod for {name_of(node)}")


def _make_daemon_pod(cluster: EditedCluster, daemon_set: Object, node: Object, result: EditResult) -> int:
    if not runs_on(daemon_set, node):
        return 0
    cluster.check_room(1, "manifest")
    pod = make_daemon_pod(daemon_set, name_of(node), cluster.taken_names(namespace_of(daemon_set)))
    _give_new_uid(cluster, pod["metadata"])
    return insert_pods(cluster, [pod], result, "manifest.spec.template.spec")


def empty_copy(node: Object, name: str) -> Object:
    """Return a node as it would join: same labels, taints and size; not cordoned, healthy, without images.

    Devices that schedulers share it registers as its own: as many, with other ids.
    """
    copy: Object = msgspec.json.decode(msgspec.json.encode(node))
    metadata, spec, status = copy["metadata"], copy.get("spec") or {}, copy.get("status") or {}
    keys = [f"node.kubernetes.io/{condition}" for condition in _CONDITION_TAINTS]
    taints = [taint for taint in spec.get("taints") or () if taint.get("key") not in keys]
    labels = {**(metadata.get("labels") or {}), "kubernetes.io/hostname": name}
    kept = {key: value for key, value in status.items() if key in ("capacity", "allocatable", "nodeInfo")}
    copy["metadata"] = {"name": name, "uid": derived_uid("Node", name), "labels": labels}
    if annotations := registration(node, name):
        copy["metadata"]["annotations"] = annotations
    copy["spec"] = {"taints": taints} if taints else {}
    copy["status"] = {**kept, "conditions": [{"type": "Ready", "status": "True"}]}
    return copy


class OnNode:
    """What drivers say of a node, of which copies are to come: its CSINode, and the slices of its devices."""

    def __init__(self, cluster: EditedCluster, node: str) -> None:
        self._cluster, self._node = cluster, node
        self._storage = cluster.find(CSI_NODE, None, node)
        self.slices = [
            one for one in cluster.of_kind(RESOURCE_SLICE) if node and spec_of(one).get("nodeName") == node
        ]

    def copy_to(self, name: str) -> None:
        """Let drivers say the same of a copy of the node; its devices are in pools of the copy's own."""
        for storage in self._storage:
            metadata = {"name": name, "uid": derived_uid("CSINode", name)}
            self._cluster.insert_new({**storage, "metadata": metadata})
        for one in self.slices:
            self._cluster.insert_new(self._slice_of(one, name))

    def _slice_of(self, document: Object, name: str) -> Object:
        spec = spec_of(document)
        pool = dict(spec.get("pool") or {})
        pool["name"] = _renamed(str(pool.get("name") or ""), self._node, name)
        own = _renamed(name_of(document), self._node, name)
        metadata = {"name": own, "uid": derived_uid("ResourceSlice", own)}
        return {**document, "metadata": metadata, "spec": {**spec, "nodeName": name, "pool": pool}}


def _renamed(text: str, node: str, name: str) -> str:
    """Return what is called after a node, called after its copy."""
    return text.replace(node, name, 1) if node in text else f"{name}-{text}"


def count_of(number: int, noun: str) -> str:
    """Return `1 pod`, `2 pods`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
