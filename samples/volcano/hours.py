"""Jobs that come over four hours, run, and end: a pod group and its pods each, as edits with an instant."""

from typing import Any, NamedTuple

_MINUTE = 60.0


class _Job(NamedTuple):
    """Minutes from the start until it comes, and how long its pods run."""

    at: float
    name: str
    queue: str
    pods: int
    minimum: int
    minutes: float


_JOBS = (
    _Job(5, "sweep", "research", pods=8, minimum=1, minutes=150),
    _Job(20, "serving", "prod", pods=2, minimum=2, minutes=60),
    _Job(45, "nightly", "prod", pods=4, minimum=4, minutes=45),
    _Job(90, "tuning", "research", pods=3, minimum=3, minutes=40),
    _Job(150, "report", "prod", pods=2, minimum=1, minutes=20),
    _Job(155, "distill", "research", pods=6, minimum=6, minutes=30),
)


def arrivals() -> list[dict[str, Any]]:
    """Return the edits by which the jobs come."""
    return [edit for job in _JOBS for edit in _arrival(job)]


def _arrival(job: _Job) -> list[dict[str, Any]]:
    comes = {"op": "add", "at": job.at * _MINUTE}
    pods = (
        comes | {"duration": job.minutes * _MINUTE, "manifest": _pod(job, number)}
        for number in range(job.pods)
    )
    return [comes | {"manifest": _group(job)}, *pods]


def _group(job: _Job) -> dict[str, Any]:
    return {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "PodGroup",
        "metadata": {"name": job.name, "namespace": "ml"},
        "spec": {
            "minMember": job.minimum,
            "queue": job.queue,
            "minResources": {"cpu": str(4 * job.minimum), "nvidia.com/gpu": str(job.minimum)},
        },
    }


def _pod(job: _Job, number: int) -> dict[str, Any]:
    amounts = {"cpu": "4", "memory": "8Gi", "nvidia.com/gpu": "1"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": f"{job.name}-worker-{number}",
            "namespace": "ml",
            "annotations": {"scheduling.k8s.io/group-name": job.name, "volcano.sh/task-spec": "worker"},
        },
        "spec": {
            "schedulerName": "volcano",
            "restartPolicy": "Never",
            "terminationGracePeriodSeconds": 60,
            "containers": [
                {"name": "task", "image": "ml/task", "resources": {"requests": amounts, "limits": amounts}}
            ],
        },
    }
