"""What a run is a function of."""

from typing import Any

import msgspec

from scheduler_core.schedulers.names import BASE

ATTEMPT_SECONDS = 0.01
"""How long an attempt takes if nobody says."""
READY_SECONDS = 20.0
"""How long a pod takes from its start until it is ready, if neither it nor anybody else says."""
AFTER_THE_LAST = 600.0
"""A run with a clock that says no end goes on for so many seconds after the last that was asked of it."""
NODE_MONITOR_GRACE = 50.0
"""How long a node counts as ready whose kubelet is silent: kube-controller-manager's default."""
SHORTEST_SECONDS, LONGEST_ATTEMPT_SECONDS = 0.001, 60.0
LATEST = 10 * 365 * 86_400
"""Ten years in seconds: no scenario is longer."""


class Companion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Another scheduler of the same cluster, with a configuration and pods of its own.

    name: what the log calls it; empty for the first schedulerName of its configuration. config: as that of
    the run's own scheduler. scheduler: the kind. release: null for that of the run.
    """

    name: str = ""
    config: dict[str, Any] | None = None
    scheduler: str = BASE
    release: str | None = None


class RunInput(msgspec.Struct, frozen=True):
    """Everything that decides: the same input always gives the same log.

    objects: the snapshot's Kubernetes objects. config: a KubeSchedulerConfiguration or null; for a release
    before the framework null or `{"podPriority": false}`. driver: null for the profile's default.
    controllers: `recreate` lets evicted pods come back as their controllers' copies, `none` does not.
    schedule: `namespace/name` of the pods that enter, in order; null for all pending ones by creation time.
    attempt_limit: the play ends when a pod has had so many attempts. Where a clock moves there is no such
    limit; there, an attempt takes attempt_seconds, a pod is ready ready_seconds after its start if no probe
    says more, and the play ends after `until` seconds (null: some time after the last edit), or as soon as
    nothing is left to happen. beside: more schedulers; each schedules the pods that ask for one of its
    profiles.
    """

    objects: list[dict[str, Any]]
    profile: str = "kube-1.36"
    config: dict[str, Any] | None = None
    driver: str | None = None
    controllers: str = "recreate"
    edits: list[dict[str, Any]] = []
    seed: int | None = None
    schedule: list[str] | None = None
    attempt_limit: int = 10
    attempt_seconds: float = ATTEMPT_SECONDS
    ready_seconds: float = READY_SECONDS
    until: float | None = None
    beside: list[Companion] = []
