"""The job plugin svc: pods of a job find each other by name. Source: plugins/svc/svc.go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scheduler_core.go.flags import parse_flags
from scheduler_core.volcano.controllers.api_client import Api
from scheduler_core.volcano.controllers.job import words
from scheduler_core.volcano.controllers.job.job import Job
from scheduler_core.volcano.controllers.job.plugins.plugin import (
    append,
    containers_of,
    create_if_missing,
    create_or_update,
    delete_if_there,
    domain_names,
)
from scheduler_core.volcano.controllers.kinds import CONFIG_MAP, NETWORK_POLICY, SERVICE, Object

_MOUNT_PATH = "/etc/volcano"


class Svc:
    """A headless service, a config map with the hosts of each task, and a network policy."""

    def __init__(self, arguments: Sequence[str]) -> None:
        flags = parse_flags(
            arguments,
            {
                "publish-not-ready-addresses": False,
                "disable-network-policy": False,
                "inject-hosts-env": True,
            },
        )
        self._publish_early = flags["publish-not-ready-addresses"]
        self._has_policy = not flags["disable-network-policy"]
        self._tells_hosts = flags["inject-hosts-env"]

    def on_pod(self, pod: Object, job: Job) -> None:
        """Name the pod's host, and give its containers the hosts as a file and as variables."""
        spec, config_map = pod["spec"], _config_map(job)
        spec["hostname"] = spec.get("hostname") or pod["metadata"]["name"]
        spec["subdomain"] = spec.get("subdomain") or job.name
        variables = _variables(job) if self._tells_hosts else []
        append(spec, "volumes", {"name": config_map, "configMap": {"name": config_map}})
        for container in containers_of(pod):
            append(container, "env", *variables)
            append(container, "volumeMounts", {"mountPath": _MOUNT_PATH, "name": config_map})

    def on_add(self, job: Job, api: Api) -> None:
        """Make config map, service and network policy."""
        self.on_update(job, api)
        labels = {words.JOB_NAME: job.name, words.JOB_NAMESPACE: job.namespace}
        service = {"clusterIP": "None", "selector": labels, "publishNotReadyAddresses": self._publish_early}
        create_if_missing(api, job, SERVICE, job.name, {"spec": service})
        if self._has_policy:
            own_pods = {"matchLabels": labels}
            policy = {
                "podSelector": own_pods,
                "ingress": [{"from": [{"podSelector": own_pods}]}],
                "policyTypes": ["Ingress"],
            }
            create_if_missing(api, job, NETWORK_POLICY, job.name, {"spec": policy})

    def on_update(self, job: Job, api: Api) -> None:
        """Write the hosts as they are now."""
        create_or_update(api, job, CONFIG_MAP, _config_map(job), {"data": _hosts(job)})

    def on_delete(self, job: Job, api: Api) -> None:
        """Delete all three."""
        delete_if_there(api, job, CONFIG_MAP, _config_map(job))
        delete_if_there(api, job, SERVICE, job.name)
        if self._has_policy:
            delete_if_there(api, job, NETWORK_POLICY, job.name)


def _config_map(job: Job) -> str:
    return f"{job.name}-svc"


def _names_of(task: str) -> tuple[str, str, str]:
    """Return the keys under which a task's hosts stand: as a file, as a list, and their number."""
    name = task.replace("-", "_")
    return f"{name}.host", f"VC_{name.upper()}_HOSTS", f"VC_{name.upper()}_NUM"


def _variables(job: Job) -> list[dict[str, Any]]:
    keys = [key for task in job.spec.tasks for key in _names_of(task.name)[1:]]
    return [
        {"name": key, "valueFrom": {"configMapKeyRef": {"name": _config_map(job), "key": key}}}
        for key in keys
    ]


def _hosts(job: Job) -> dict[str, str]:
    data: dict[str, str] = {}
    for task in job.spec.tasks:
        hosts = domain_names(job, task)
        as_file, as_list, number = _names_of(task.name)
        data |= {as_file: "\n".join(hosts), as_list: ",".join(hosts), number: str(len(hosts))}
    return data
