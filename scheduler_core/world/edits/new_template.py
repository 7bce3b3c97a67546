"""Which pods a changed template replaces, where their controller does it at once.

Most controllers replace all. ReplicaSets and ReplicationControllers change no pod that is there; neither
does a paused Deployment, nor a StatefulSet or DaemonSet whose strategy is OnDelete. A StatefulSet with a
partition keeps the pods below it.

Source: kubernetes v1.36 pkg/controller/replicaset/replica_set.go manageReplicas;
pkg/controller/deployment/deployment_controller.go syncDeployment;
pkg/controller/statefulset/stateful_set_control.go updateStatefulSet;
pkg/controller/daemon/daemon_controller.go updateDaemonSet, manage.
"""

from typing import Any, NamedTuple

from scheduler_core.objects.identity import spec_of
from scheduler_core.objects.kinds import (
    DAEMON_SET,
    DEPLOYMENT,
    NODE,
    REPLICA_SET,
    REPLICATION_CONTROLLER,
    STATEFUL_SET,
    kind_of,
)
from scheduler_core.objects.workloads.daemons import runs_on
from scheduler_core.objects.workloads.workload_pods import first_ordinal
from scheduler_core.world.edits.additions import add_daemon_pods, create_pods
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.ranking import ordinal
from scheduler_core.world.edits.results import EditResult

Object = dict[str, Any]


class Replaced(NamedTuple):
    """The pods that make room for new ones; why the others stay, empty where none does.

    takes_new: whether a pod that stays gets the template once it is deleted.
    """

    pods: list[Object]
    why_others_stay: str = ""
    takes_new: bool = False


def is_other(before: Object, after: Object) -> bool:
    """Return whether a workload has another template afterwards."""
    return bool(spec_of(before).get("template") != spec_of(after).get("template"))


def why_kept(workload: Object) -> str:
    """Return why all of a workload's pods get a changed template only once deleted; empty if they don't."""
    kind = kind_of(workload)
    if kind in (REPLICA_SET, REPLICATION_CONTROLLER):
        return f"a {kind.name} changes no pod that is there"
    strategy = spec_of(workload).get("updateStrategy") or {}
    on_delete = kind in (DAEMON_SET, STATEFUL_SET) and strategy.get("type") == "OnDelete"
    return "its strategy is OnDelete" if on_delete else ""


def replaced_by(cluster: EditedCluster, workload: Object, pods: list[Object]) -> Replaced:
    """Return which of a workload's pods go as its template has changed. `workload`: as changed."""
    kind, why = kind_of(workload), why_kept(workload)
    if why:
        gone = [pod for pod in pods if kind == DAEMON_SET and not _still_runs(cluster, workload, pod)]
        return Replaced(gone, why, takes_new=True)
    if kind == DEPLOYMENT and spec_of(workload).get("paused"):
        return Replaced([], "the Deployment is paused")
    if kind == STATEFUL_SET:
        return _above_partition(workload, pods)
    return Replaced(pods)


def _above_partition(workload: Object, pods: list[Object]) -> Replaced:
    rolling = (spec_of(workload).get("updateStrategy") or {}).get("rollingUpdate") or {}
    partition = int(rolling.get("partition") or 0)
    gone = [pod for pod in pods if ordinal(pod) >= first_ordinal(workload) + partition]
    return Replaced(gone, f"its partition is {partition}" if len(gone) < len(pods) else "")


def _still_runs(cluster: EditedCluster, daemon_set: Object, pod: Object) -> bool:
    nodes = cluster.find(NODE, None, str(spec_of(pod).get("nodeName") or ""))
    return not nodes or runs_on(daemon_set, nodes[0])


def make_again(cluster: EditedCluster, workload: Object, pod: Object, result: EditResult) -> None:
    """Let the controller of a deleted pod make another from the changed template. Raises Refused."""
    if kind_of(workload) == DAEMON_SET:
        for node in cluster.find(NODE, None, str(spec_of(pod).get("nodeName") or "")):
            add_daemon_pods(cluster, node, result)
    elif create_pods(cluster, workload, 1, result, "spec.template.spec"):
        result.note("its controller makes a pod from the changed template in its place")
