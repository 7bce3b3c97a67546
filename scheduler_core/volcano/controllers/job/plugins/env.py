"""The job plugin env: each container learns its pod's index. Source: plugins/env/env.go."""

from __future__ import annotations

from scheduler_core.volcano.controllers.job import words
from scheduler_core.volcano.controllers.job.job import Job
from scheduler_core.volcano.controllers.job.plugins.plugin import BarePlugin, append, containers_of
from scheduler_core.volcano.controllers.kinds import Object


class Env(BarePlugin):
    """Variables with the pod's index, under an old and a new name."""

    def on_pod(self, pod: Object, job: Job) -> None:
        """Give the containers their index."""
        index = words.index_of(pod["metadata"]["name"])
        for container in containers_of(pod):
            append(
                container,
                "env",
                {"name": "VK_TASK_INDEX", "value": index},
                {"name": "VC_TASK_INDEX", "value": index},
            )
