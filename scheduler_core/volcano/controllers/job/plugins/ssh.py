"""The job plugin ssh: pods of a job reach each other by ssh. Source: plugins/ssh/ssh.go.

The keys themselves decide nothing: the secret has none here.
"""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.go.flags import parse_flags
from scheduler_core.volcano.controllers.api_client import Api
from scheduler_core.volcano.controllers.job.job import Job
from scheduler_core.volcano.controllers.job.plugins.plugin import (
    BarePlugin,
    append,
    containers_of,
    create_or_update,
    delete_if_there,
)
from scheduler_core.volcano.controllers.kinds import SECRET, Object

_USER, _RELATIVE_PATH = "root", ".ssh"
_PATH = f"/{_USER}/{_RELATIVE_PATH}"
"""Where the keys are in a container unless the job says otherwise: in the home of root."""
_FILES = ("id_rsa", "id_rsa.pub", "authorized_keys", "config")


class Ssh(BarePlugin):
    """A secret with keys, mounted into every container."""

    def __init__(self, arguments: Sequence[str]) -> None:
        super().__init__(arguments)
        flags = parse_flags(
            arguments,
            {"ssh-key-file-path": _PATH, "ssh-private-key": "", "ssh-public-key": "", "ssh-port": 22},
        )
        self._path = flags["ssh-key-file-path"]

    def on_pod(self, pod: Object, job: Job) -> None:
        """Mount the secret; where root doesn't own it, others may read it."""
        secret = _secret(job)
        volume = {
            "secretName": secret,
            "items": [{"key": name, "path": f"{_RELATIVE_PATH}/{name}"} for name in _FILES],
            "defaultMode": 0o600 if self._path == _PATH else 0o644,
        }
        append(pod["spec"], "volumes", {"name": secret, "secret": volume})
        mount = {"mountPath": self._path, "subPath": _RELATIVE_PATH, "name": secret}
        for container in containers_of(pod):
            append(container, "volumeMounts", mount)

    def on_add(self, job: Job, api: Api) -> None:
        """Make the secret."""
        create_or_update(api, job, SECRET, _secret(job), {"type": "Opaque"})

    def on_delete(self, job: Job, api: Api) -> None:
        """Delete the secret."""
        delete_if_there(api, job, SECRET, _secret(job))


def _secret(job: Job) -> str:
    return f"{job.name}-ssh"
