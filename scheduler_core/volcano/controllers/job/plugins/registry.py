"""The job plugins there are, and how they are run: each once for a job, in the order of their names.

A job's status says which plugins have been at work (`plugin-<name>`); only these are undone.

Source: volcano v1.16 pkg/controllers/job/job_controller_plugins.go, plugins/factory.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from scheduler_core.volcano.controllers.api_client import Api
from scheduler_core.volcano.controllers.job.job import Job
from scheduler_core.volcano.controllers.job.plugins.env import Env
from scheduler_core.volcano.controllers.job.plugins.frameworks import Mpi, Pytorch, Ray
from scheduler_core.volcano.controllers.job.plugins.plugin import BarePlugin, JobPlugin, PluginFault
from scheduler_core.volcano.controllers.job.plugins.ssh import Ssh
from scheduler_core.volcano.controllers.job.plugins.svc import Svc
from scheduler_core.volcano.controllers.kinds import Object
from scheduler_core.volcano.controllers.memory_api import MemoryApi

_BUILDERS: dict[str, Callable[[Sequence[str]], JobPlugin]] = {
    "env": Env,
    "ssh": Ssh,
    "svc": Svc,
    "mpi": Mpi,
    "pytorch": Pytorch,
    "ray": Ray,
    # Variables and annotations: nothing that a scheduler decides by.
    "hcclrank": BarePlugin,
    "tensorflow": BarePlugin,
}
_LEAVE_NO_TRACE = frozenset({"hcclrank"})


def on_pod(job: Job, pod: Object) -> None:
    """Let the plugins change a pod that is about to be created. Raises PluginFault."""
    for _, plugin in _plugins(job):
        plugin.on_pod(pod, job)


def on_add(job: Job, api: Api) -> None:
    """Let the plugins make what they need, unless they have. Raises PluginFault, ApiError."""
    for name, plugin in _plugins(job):
        if f"plugin-{name}" not in job.status.controlled:
            plugin.on_add(job, api)
            if name not in _LEAVE_NO_TRACE:
                job.status.controlled[f"plugin-{name}"] = name


def on_update(job: Job, api: Api) -> None:
    """Let the plugins bring up to date what they have made. Raises PluginFault, ApiError."""
    for _, plugin in _plugins(job):
        plugin.on_update(job, api)


def on_delete(job: Job, api: Api) -> None:
    """Let the plugins delete what they have made. Raises PluginFault, ApiError."""
    for name, plugin in _plugins(job):
        if f"plugin-{name}" in job.status.controlled:
            plugin.on_delete(job, api)
            del job.status.controlled[f"plugin-{name}"]


def made_by(job: Job) -> list[Object]:
    """Return what the plugins that have been at work have made, as they would make it now."""
    server = MemoryApi(0)
    for name, plugin in _plugins(job, known_only=True):
        if f"plugin-{name}" in job.status.controlled:
            plugin.on_add(job, server)
    return [_as_made(item) for items in server.stored.of_kind.values() for item in items.values()]


def _as_made(item: Object) -> Object:
    """Return an object without what the server has added."""
    added = ("uid", "creationTimestamp", "resourceVersion")
    metadata = {name: value for name, value in item["metadata"].items() if name not in added}
    return item | {"metadata": metadata}


def _plugins(job: Job, *, known_only: bool = False) -> Iterator[tuple[str, JobPlugin]]:
    for name, arguments in sorted((job.spec.plugins or {}).items()):
        if name in _BUILDERS:
            yield name, _BUILDERS[name](arguments or ())
        elif not known_only:
            raise PluginFault(f"failed to get plugin {name}")
