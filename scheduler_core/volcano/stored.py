"""What of Volcano's objects and of its configuration may be stored of a cluster, as data."""

from scheduler_core.objects.kinds import Kind
from scheduler_core.objects.privacy.fields import Fields, Keep
from scheduler_core.objects.privacy.flags import keep_flags
from scheduler_core.objects.privacy.own_configuration import OwnConfiguration
from scheduler_core.objects.privacy.pod_fields import (
    CLAIM_SPEC,
    CONDITION,
    METADATA,
    TEMPLATE,
    object_fields,
)
from scheduler_core.volcano.api_kinds import (
    NUMATOPOLOGY,
    VOLCANO_COMMAND,
    VOLCANO_CRON_JOB,
    VOLCANO_HYPER_NODE,
    VOLCANO_JOB,
    VOLCANO_JOB_FLOW,
    VOLCANO_JOB_TEMPLATE,
    VOLCANO_POD_GROUP,
    VOLCANO_QUEUE,
)
from scheduler_core.volcano.configuration.stored_configuration import (
    is_volcano_configuration,
    keep_volcano_configuration,
)
from scheduler_core.volcano.configuration.stored_discovery import (
    is_controller_configuration,
    keep_controller_configuration,
)
from scheduler_core.volcano.configuration.stored_vgpu_settings import OWNER as VGPUS
from scheduler_core.volcano.configuration.stored_vgpu_settings import is_vgpu_settings, keep_vgpu_settings
from scheduler_core.volcano.model.label_discovery import OWNER, SOURCES

_TASK = Fields(
    "name replicas minAvailable policies maxRetry dependsOn topologyPolicy partitionPolicy", template=TEMPLATE
)
_JOB_PLUGINS = ("env", "svc", "ssh", "tensorflow", "pytorch", "mpi", "ray", "hcclrank")
# Their arguments are command lines, a private key among them. That they are there counts, and the tasks and
# ports of those that open some.
_PLUGINS: dict[str, Keep] = {
    **dict.fromkeys(_JOB_PLUGINS, Fields()),
    "mpi": keep_flags("master", "worker", "port"),
    "pytorch": keep_flags("master", "worker", "port", "wait-master-enabled"),
    "ray": keep_flags(
        "head", "headContainer", "worker", "workerContainer", "port", "dashboardPort", "clientPort"
    ),
}
_JOB_SPEC = Fields(
    "schedulerName minAvailable minSuccess queue priorityClassName policies maxRetry runningEstimate"
    " ttlSecondsAfterFinished networkTopology",
    tasks=_TASK,
    plugins=Fields(**_PLUGINS),
    volumes=Fields("mountPath volumeClaimName", volumeClaim=CLAIM_SPEC),
)
_JOB = object_fields(
    spec=_JOB_SPEC,
    status=Fields(
        "state minAvailable taskStatusCount pending running succeeded failed terminating unknown version"
        " retryCount controlledResources",
        conditions=Fields("status lastTransitionTime"),
    ),
)
_PROBE = Fields("taskStatusList")
_FLOWS_JOBS = "pendingJobs runningJobs failedJobs completedJobs terminatedJobs unKnowJobs"
KEPT: dict[Kind, Fields] = {
    VOLCANO_POD_GROUP: object_fields(
        "spec", status=Fields("phase running succeeded failed", conditions=CONDITION)
    ),
    VOLCANO_QUEUE: object_fields("spec status"),
    VOLCANO_HYPER_NODE: object_fields("spec"),
    NUMATOPOLOGY: object_fields(spec=Fields("policies numares cpuDetail resReserved")),
    VOLCANO_JOB: _JOB,
    VOLCANO_COMMAND: object_fields("action target reason"),
    VOLCANO_JOB_FLOW: object_fields(
        spec=Fields("jobRetainPolicy", flows=Fields("name", dependsOn=Fields("targets", probe=_PROBE))),
        status=Fields(
            f"state {_FLOWS_JOBS}",
            jobStatusList=Fields(
                "name state startTimestamp endTimestamp restartCount",
                runningHistories=Fields("startTimestamp endTimestamp state"),
            ),
        ),
    ),
    VOLCANO_CRON_JOB: object_fields(
        spec=Fields(
            "schedule timeZone startingDeadlineSeconds concurrencyPolicy suspend successfulJobsHistoryLimit"
            " failedJobsHistoryLimit",
            jobTemplate=Fields(metadata=METADATA, spec=_JOB_SPEC),
        ),
        status=Fields("active lastScheduleTime lastSuccessfulTime"),
    ),
    VOLCANO_JOB_TEMPLATE: object_fields(spec=_JOB_SPEC, status=Fields("jobDependsOnList")),
}
"""What stays of each of its kinds."""
CONFIGURATIONS = (
    OwnConfiguration("volcano", ("actions", "tiers"), is_volcano_configuration, keep_volcano_configuration),
    OwnConfiguration(VGPUS, ("nvidia", "resource", "Name"), is_vgpu_settings, keep_vgpu_settings),
    OwnConfiguration(OWNER, (SOURCES,), is_controller_configuration, keep_controller_configuration),
)
WRITTEN_AT_BIND = ("/vgpu-ids-new", "/gpu-index")
"""How the keys of a pod end under which its cards stand: a pod that comes anew has none of them."""
