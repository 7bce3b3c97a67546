"""What the cluster's controllers see of the cluster where a clock moves, and do in it."""

from __future__ import annotations

from typing import Any, Protocol

from scheduler_core.kube.queueing.report import Report
from scheduler_core.objects.types import KubernetesObject, Pod, PodCondition
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.register import Register
from scheduler_core.world.controllers.known_objects import KnownObjects
from scheduler_core.world.controllers.silent_kubelets import SilentKubelets

Object = dict[str, Any]


class LiveCluster(Protocol):
    """What controllers see of the cluster, and do in it. Pods are named by row.

    What is done comes back as a report: what it meant for schedulers' queues. `epoch` is the run's start in
    nanoseconds since 1970. `objects` are those of now, but for pods and nodes. `ready_from` says when pods
    become ready that started in the run, `ended` when and why pods have gone, `exit_codes` what failing
    ones end with.
    """

    state: ClusterState
    epoch: int
    objects: KnownObjects
    ready_from: Register[int, int]
    ended: Register[int, tuple[int, str]]
    exit_codes: Register[int, int]
    kubelets: SilentKubelets

    @property
    def now(self) -> int:
        """The present instant."""

    def is_ready(self, pod: int) -> bool:
        """Return whether a pod's Ready condition is true."""

    def pod_of(self, key: str) -> int | None:
        """Return the pod that is there under `namespace/name`."""

    def add_pod(self, pod: Pod, replaces: str | None = None) -> Report:
        """Let a pod come into being."""

    def update(self, pod: int, version: Pod) -> Report:
        """Give a pod a new version."""

    def terminate(self, pod: int, why: str, condition: PodCondition | None = None) -> Report:
        """Ask a pod to go: with a grace period if it is bound, else at once."""

    def vanish(self, pod: int, why: str) -> Report:
        """Let a pod cease to be."""

    def delete_by_force(self, pod: int, why: str) -> Report:
        """Let a pod be gone at once, its kubelet unasked."""

    def put(self, item: KubernetesObject) -> Report:
        """Add an object other than a pod, or put it in the place of its older self."""

    def silence(self, node: str, why: str, until: int) -> Report:
        """Let a node's kubelet say and do nothing any more; until then its node counts as ready."""

    def speak(self, node: str) -> Report:
        """Let a node's kubelet speak again."""

    def make_pods_unready(self, node: str) -> Report:
        """Let a node's pods count as ready no more."""

    def know(self, document: Object) -> None:
        """Let a workload come, or take the place of its older self."""

    def forget(self, document: Object) -> None:
        """Let a workload be no more."""
