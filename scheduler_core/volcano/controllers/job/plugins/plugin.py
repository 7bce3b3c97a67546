"""What a job plugin is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from scheduler_core.volcano.controllers.api_client import AlreadyExists, Api, NotFound
from scheduler_core.volcano.controllers.job import words
from scheduler_core.volcano.controllers.job.job import Job, TaskSpec
from scheduler_core.volcano.controllers.kinds import Kind, Object, join, new_object


class PluginFault(Exception):
    """A job names a plugin that doesn't exist, or a plugin can't work for the job."""


class JobPlugin(Protocol):
    """A plugin of one job, with the arguments that the job gives it."""

    def on_pod(self, pod: Object, job: Job) -> None:
        """Change a pod that is about to be created."""

    def on_add(self, job: Job, api: Api) -> None:
        """Make what the plugin needs for a job that is being initiated."""

    def on_update(self, job: Job, api: Api) -> None:
        """Bring up to date what the plugin has made."""

    def on_delete(self, job: Job, api: Api) -> None:
        """Delete what the plugin has made, for a job that is killed."""


class BarePlugin:
    """A plugin that makes nothing for its job and changes nothing in its pods."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self.arguments = arguments

    def on_pod(self, pod: Object, job: Job) -> None:
        """Change nothing."""

    def on_add(self, job: Job, api: Api) -> None:
        """Make nothing."""

    def on_update(self, job: Job, api: Api) -> None:
        """Bring nothing up to date."""

    def on_delete(self, job: Job, api: Api) -> None:
        """Delete nothing."""


def containers_of(pod: Object) -> list[Object]:
    """Return a pod's containers, the init containers last."""
    return [*(pod["spec"].get("containers") or ()), *(pod["spec"].get("initContainers") or ())]


def append(item: Object, field: str, *entries: Object) -> None:
    """Append entries to a list in an object that isn't stored yet."""
    item[field] = [*(item.get(field) or ()), *entries]


def host_names(job: Job, task: TaskSpec) -> list[str]:
    """Return the host names of a task's pods; a template that names one has only this one."""
    own = task.pod_spec.get("hostname")
    return (
        [own]
        if own and task.replicas
        else [words.pod_name(job.name, task.name, index) for index in range(task.replicas)]
    )


def domain_names(job: Job, task: TaskSpec) -> list[str]:
    """Return the names under which a task's pods find each other."""
    subdomain = task.pod_spec.get("subdomain") or job.name
    return [f"{host}.{subdomain}" for host in host_names(job, task)]


def create_if_missing(api: Api, job: Job, kind: Kind, name: str, content: Mapping[str, Any]) -> None:
    """Create an object that the job controls."""
    key = join(job.namespace, name)
    try:
        api.get(kind, key)
    except NotFound:
        api.create(new_object(kind, job.namespace, name, job.as_controller) | dict(content))


def create_or_update(api: Api, job: Job, kind: Kind, name: str, content: Mapping[str, Any]) -> None:
    """Create an object that the job controls, or give it its content."""
    try:
        api.create(new_object(kind, job.namespace, name, job.as_controller) | dict(content))
    except AlreadyExists:
        found = api.get(kind, join(job.namespace, name))
        if any(found.get(field) != value for field, value in content.items()):
            api.update(found | dict(content))


def delete_if_there(api: Api, job: Job, kind: Kind, name: str) -> None:
    """Delete an object in the job's namespace."""
    try:
        api.delete(kind, join(job.namespace, name))
    except NotFound:
        return
