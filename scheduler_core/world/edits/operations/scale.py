"""The edit scale: a workload gets another number of pods."""

from typing import Annotated

from scheduler_core.objects.identity import controller_of
from scheduler_core.objects.kinds import (
    DEPLOYMENT,
    JOB,
    REPLICA_SET,
    REPLICATION_CONTROLLER,
    STATEFUL_SET,
    kind_of,
)
from scheduler_core.objects.workloads.autoscalers import AUTOSCALER
from scheduler_core.objects.workloads.autoscalers import scaled as bounded
from scheduler_core.objects.workloads.workload_pods import with_replicas
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.world.edits.additions import count_of
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.operations.base import (
    MAX_REPLICAS,
    Edit,
    Field,
    KindName,
    Namespace,
    Words,
    check_replicas,
    said,
)
from scheduler_core.world.edits.places import full_name
from scheduler_core.world.edits.replicas import active_pods, meet_replicas
from scheduler_core.world.edits.results import EditResult

_SCALABLE = (DEPLOYMENT, REPLICA_SET, REPLICATION_CONTROLLER, STATEFUL_SET, JOB)


class Scale(Edit, kw_only=True, tag="scale", frozen=True):
    """Gives a Deployment, ReplicaSet, ReplicationController, StatefulSet or Job another number of pods."""

    moves_pods = True
    words = Words(
        "Scale a workload",
        "Scale",
        "Scale {object} to {replicas}",
        (Field("workload", "Workload", "workload"), Field("replicas", "Replicas", "count")),
        {"kind": "Deployment", "namespace": "", "name": "", "replicas": 1},
    )

    kind: KindName
    name: str
    replicas: Annotated[int, said(f"How many pods it is to have, 0 to {MAX_REPLICAS:,}.")]
    namespace: Namespace = None

    def check(self) -> None:
        super().check()
        check_replicas(self.replicas)

    def apply(self, cluster: EditedCluster, result: EditResult) -> None:
        kind = cluster.kind_named(self.kind)
        if kind not in _SCALABLE:
            raise Refused("kind", f"must be one of {', '.join(map(str, _SCALABLE))}, not {self.kind}")
        workload = cluster.get(kind, self.namespace, self.name)
        reference = controller_of(workload)
        if reference is not None:
            raise Refused(
                "name", f"{kind_of(reference)} {reference.get('name')} decides about it; scale that"
            )
        pods = active_pods(cluster, workload)
        scaled = with_replicas(workload, self.replicas)
        cluster.replace(workload, scaled)
        meet_replicas(cluster, scaled, pods, result)
        bound = bounded(workload, self.replicas, cluster.of_kind(AUTOSCALER))
        if bound is not None:
            result.note(f"{bound.why} replicas: it would set them again, which is not played")
        result.sentence = f"scale {full_name(workload)} from {len(pods)} to {count_of(self.replicas, 'pod')}"
