"""Volcano's jobs for tests of runs."""

import itertools

from scheduler_core.world import RunInput
from tests.scheduler_core.clusters import node


def job(name, replicas=2, *, cpu="1", policies=(), **spec):
    """A job with one task `worker` in namespace `ml`."""
    container = {"name": "main", "image": "i", "resources": {"requests": {"cpu": cpu}}}
    worker = {"name": "worker", "replicas": replicas, "template": {"spec": {"containers": [container]}}}
    return {
        "apiVersion": "batch.volcano.sh/v1alpha1",
        "kind": "Job",
        "metadata": {"name": name, "namespace": "ml", "uid": f"uid-{name}"},
        "spec": {
            "schedulerName": "volcano",
            "queue": "default",
            "minAvailable": replicas,
            "maxRetry": 3,
            "policies": list(policies),
            "tasks": [worker],
        }
        | spec,
    }


def lasting(made, seconds, *, fails="", code=None, task=0):
    """Let the pods of a job's task run for so long, and fail in these runs."""
    says = {"sandtable/duration": str(seconds)}
    if fails:
        says["sandtable/fails-in-runs"] = fails
    if code is not None:
        says["sandtable/exit-code"] = str(code)
    template = made["spec"]["tasks"][task]["template"]
    made["spec"]["tasks"][task]["template"] = template | {"metadata": {"annotations": says}}
    return made


def command(action, target, name="order"):
    """A command for a job."""
    return {
        "apiVersion": "bus.volcano.sh/v1alpha1",
        "kind": "Command",
        "metadata": {"name": name, "namespace": "ml"},
        "action": action,
        "target": {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "name": target},
    }


def run_input(*objects, nodes=2, **more):
    """A run of Volcano's over nodes of four CPUs."""
    cluster = [node(f"n{number}", cpu="4") for number in range(nodes)]
    return RunInput(objects=[*cluster, *objects], **{"profile": "volcano-1.16"} | more)


def reconciled(decisions):
    """Return the decisions of controllers."""
    return [one for one in decisions if one.actor == "volcano-controllers"]


def cron_job(name, schedule, made, **spec):
    """A cron job that makes such a job at its times."""
    return {
        "apiVersion": "batch.volcano.sh/v1alpha1",
        "kind": "CronJob",
        "metadata": {"name": name, "namespace": "ml", "uid": f"uid-{name}"},
        "spec": {"schedule": schedule, "jobTemplate": {"spec": made["spec"]}} | spec,
    }


def flow(name, *parts):
    """A flow of jobs, each after the one before, with their templates."""
    flows = [{"name": one["metadata"]["name"]} for one in parts]
    for before, after in itertools.pairwise(flows):
        after["dependsOn"] = {"targets": [before["name"]]}
    version = "flow.volcano.sh/v1alpha1"
    templates = [
        {
            "apiVersion": version,
            "kind": "JobTemplate",
            "metadata": {"name": one["metadata"]["name"], "namespace": "ml"},
            "spec": one["spec"],
        }
        for one in parts
    ]
    metadata = {"name": name, "namespace": "ml", "uid": f"uid-{name}"}
    return [
        *templates,
        {"apiVersion": version, "kind": "JobFlow", "metadata": metadata, "spec": {"flows": flows}},
    ]
