"""The kinds of objects that Volcano brings, as data. Source: volcano v1.16 config/crd."""

from scheduler_core.objects.kinds import Kind
from scheduler_core.objects.own_kind import OwnKind

VOLCANO_JOB = Kind("batch.volcano.sh", "Job")
VOLCANO_CRON_JOB = Kind("batch.volcano.sh", "CronJob")
VOLCANO_COMMAND = Kind("bus.volcano.sh", "Command")
VOLCANO_JOB_FLOW = Kind("flow.volcano.sh", "JobFlow")
VOLCANO_JOB_TEMPLATE = Kind("flow.volcano.sh", "JobTemplate")
VOLCANO_POD_GROUP = Kind("scheduling.volcano.sh", "PodGroup")
NUMATOPOLOGY = Kind("nodeinfo.volcano.sh", "Numatopology")
VOLCANO_QUEUE = Kind("scheduling.volcano.sh", "Queue")
VOLCANO_HYPER_NODE = Kind("topology.volcano.sh", "HyperNode")

OWN_KINDS = (
    OwnKind(VOLCANO_JOB, "v1alpha1", owns_pods=True),
    OwnKind(VOLCANO_CRON_JOB, "v1alpha1", makes_jobs=True),
    OwnKind(VOLCANO_COMMAND, "v1alpha1"),
    OwnKind(VOLCANO_JOB_FLOW, "v1alpha1", makes_jobs=True),
    OwnKind(VOLCANO_JOB_TEMPLATE, "v1alpha1"),
    OwnKind(VOLCANO_POD_GROUP, "v1beta1"),
    OwnKind(NUMATOPOLOGY, "v1alpha1", namespaced=False),
    OwnKind(VOLCANO_QUEUE, "v1beta1", namespaced=False),
    OwnKind(VOLCANO_HYPER_NODE, "v1alpha1", namespaced=False),
)
VOLCANO_KINDS = frozenset(one.kind for one in OWN_KINDS)
READ_BY_VOLCANO = VOLCANO_KINDS
"""Those of them that its scheduler and its controllers read."""
