"""The job plugins mpi, pytorch and ray, as far as a scheduler notices: ports, an init container, a service.

A port that they open counts on the node where the pod uses the host network: the API server makes it a host
port. Variables and commands are left out.

Source: plugins/distributed-framework/mpi/mpi.go, pytorch/pytorch.go, ray/ray.go.
"""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.go.flags import Flag, parse_flags
from scheduler_core.volcano.controllers.api_client import Api
from scheduler_core.volcano.controllers.job import words
from scheduler_core.volcano.controllers.job.job import Job
from scheduler_core.volcano.controllers.job.plugins.plugin import (
    BarePlugin,
    PluginFault,
    append,
    containers_of,
    create_if_missing,
    delete_if_there,
)
from scheduler_core.volcano.controllers.kinds import SERVICE, Object, annotations_of

_WAITING = "wait-for-master"


class Mpi(BarePlugin):
    """All containers open the port of ssh."""

    def __init__(self, arguments: Sequence[str]) -> None:
        super().__init__(arguments)
        self._flags = parse_flags(arguments, {"master": "master", "worker": "worker", "port": 22})

    def on_pod(self, pod: Object, job: Job) -> None:
        """Open the port; a master without any task of workers is left as it is."""
        if _task(pod) == self._flags["master"] and job.spec.task(str(self._flags["worker"])) is None:
            return
        for container in containers_of(pod):
            _open(container, "mpijob-port", self._flags["port"])


class Pytorch(BarePlugin):
    """All containers open the master's port; workers may wait for it."""

    def __init__(self, arguments: Sequence[str]) -> None:
        super().__init__(arguments)
        defaults: dict[str, Flag] = {
            "master": "master",
            "worker": "worker",
            "port": 23456,
            "wait-master-enabled": False,
            "wait-master-timeout": 300,
            "wait-master-image": "busybox:1.36.1",
        }
        self._flags = parse_flags(arguments, defaults)

    def on_pod(self, pod: Object, job: Job) -> None:
        """Open the port, and let a worker wait, where the job has a master."""
        flags = self._flags
        if job.spec.task(str(flags["master"])) is None:
            return
        inits = pod["spec"].get("initContainers") or ()
        waits = flags["wait-master-enabled"] and _task(pod) == flags["worker"]
        if waits and all(one.get("name") != _WAITING for one in inits):
            append(pod["spec"], "initContainers", {"name": _WAITING, "image": flags["wait-master-image"]})
        for container in pod["spec"].get("containers") or ():
            _open(container, "pytorchjob-port", flags["port"])


class Ray(BarePlugin):
    """The head's container opens three ports, for which there is a service."""

    def __init__(self, arguments: Sequence[str]) -> None:
        super().__init__(arguments)
        defaults: dict[str, Flag] = {
            "head": "head",
            "headContainer": "head",
            "worker": "worker",
            "workerContainer": "worker",
            "port": 6379,
            "dashboardPort": 8265,
            "clientPort": 10001,
        }
        self._flags = parse_flags(arguments, defaults)

    def on_pod(self, pod: Object, job: Job) -> None:
        """Open the ports. Raises PluginFault for a job without a head."""
        flags = self._flags
        if job.spec.task(str(flags["head"])) is None:
            raise PluginFault(f"job {job.name} doesn't have head task {flags['head']}")
        for container in pod["spec"].get("containers") or ():
            if _task(pod) == flags["head"] and container.get("name") == flags["headContainer"]:
                _open(container, "gcs", flags["port"])
                _open(container, "dashboard", flags["dashboardPort"])
                _open(container, "client-server", flags["clientPort"])

    def on_add(self, job: Job, api: Api) -> None:
        """Make the head's service."""
        selector = {
            words.JOB_NAME: job.name,
            words.JOB_NAMESPACE: job.namespace,
            words.TASK_SPEC: self._flags["head"],
        }
        create_if_missing(api, job, SERVICE, f"{job.name}-head-svc", {"spec": {"selector": selector}})

    def on_delete(self, job: Job, api: Api) -> None:
        """Delete the service."""
        delete_if_there(api, job, SERVICE, f"{job.name}-head-svc")


def _task(pod: Object) -> str:
    return annotations_of(pod).get(words.TASK_SPEC) or words.DEFAULT_TASK


def _open(container: Object, name: str, port: Flag) -> None:
    """Open a port of a container, unless it is."""
    if all(one.get("containerPort") != port for one in container.get("ports") or ()):
        append(container, "ports", {"name": name, "containerPort": port, "protocol": "TCP"})
