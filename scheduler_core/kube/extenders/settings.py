"""The extenders of a KubeSchedulerConfiguration: what each is told, and in which order they are asked.

Source: kubernetes v1.36 staging/src/k8s.io/kube-scheduler/config/v1 Extender, pkg/scheduler/scheduler.go
buildExtenders; extender.go NewHTTPExtender, IsInterested.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from scheduler_core.events.exchanges import Verb
from scheduler_core.objects.types import Container
from scheduler_core.state.pods import PodInfo

DEFAULT_TIMEOUT = 5 * 10**9
"""Nanoseconds after which an extender is given up that names no httpTimeout."""


class TlsSettings(NamedTuple):
    """How an extender proves who it is; keys and files are not taken."""

    insecure: bool = False
    server_name: str = ""
    ca_data: str = ""


class ExtenderSettings(NamedTuple):
    """One extender. An empty verb is never asked. `timeout` is in nanoseconds."""

    url_prefix: str
    filter_verb: str = ""
    prioritize_verb: str = ""
    preempt_verb: str = ""
    bind_verb: str = ""
    weight: int = 0
    enable_https: bool = False
    tls: TlsSettings | None = None
    timeout: int = DEFAULT_TIMEOUT
    node_cache_capable: bool = False
    ignorable: bool = False
    managed_resources: frozenset[str] = frozenset()
    ignored_by_scheduler: tuple[str, ...] = ()

    def has(self, verb: Verb) -> bool:
        """Return whether the extender is asked for this at all."""
        return bool(getattr(self, f"{verb}_verb"))

    def is_interested(self, pod: PodInfo) -> bool:
        """Return whether the extender is asked about the pod: it manages no resource, or one of the pod's."""
        spec = pod.pod.spec
        containers = [*(spec.containers or ()), *(spec.init_containers or ())]
        return not self.managed_resources or any(map(self._manages, containers))

    def _manages(self, container: Container) -> bool:
        resources = container.resources
        if resources is None:
            return False
        asked = (resources.requests or {}).keys() | (resources.limits or {}).keys()
        return not asked.isdisjoint(self.managed_resources)


def in_order(extenders: Iterable[ExtenderSettings]) -> list[ExtenderSettings]:
    """Return the extenders as they are asked: those whose errors may be ignored come last."""
    return sorted(extenders, key=lambda extender: extender.ignorable)


def ignored_resources(extenders: Iterable[ExtenderSettings]) -> list[str]:
    """Return the resources that NodeResourcesFit leaves to the extenders, in the configuration's order."""
    return [name for extender in extenders for name in extender.ignored_by_scheduler]
