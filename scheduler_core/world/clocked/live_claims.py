"""Claims for devices where a clock moves, and what they rest on: templates, classes and slices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scheduler_core.kube.queueing.report import Report
from scheduler_core.kube.queueing.watched import WATCHED
from scheduler_core.objects.dynamic_resources import ResourceClaim
from scheduler_core.objects.kinds import RESOURCE_CLAIM, RESOURCE_CLAIM_TEMPLATE, Kind, kind_of
from scheduler_core.objects.types import KubernetesObject, convert
from scheduler_core.state.cluster import ClusterState

Heard = Callable[[KubernetesObject | None, KubernetesObject | None], Report]
"""Lets all schedulers hear that an object came, changed or went."""


class LiveClaims:
    """Writes these objects, if the run has any, and lets schedulers hear of each."""

    def __init__(self, state: ClusterState, heard: Heard) -> None:
        self._state = state
        self._heard = heard

    def put(self, document: dict[str, Any]) -> Report:
        """Let a claim, a template, a class or a slice come, or take the place of its older self."""
        claims, kind = self._state.device_claims, kind_of(document)
        if claims is None:
            return Report()
        before = claims.put(document)
        if kind == RESOURCE_CLAIM_TEMPLATE:
            return self._make_claims()
        return self.changed() if kind == RESOURCE_CLAIM else self._tell(kind, before, document)

    def drop(self, kind: Kind, key: str) -> Report | None:
        """Let such an object go, by `name` or `namespace/name`; None if it isn't there."""
        claims = self._state.device_claims
        namespace, _, name = key.rpartition("/")
        before = None if claims is None else claims.drop(kind, (namespace, name))
        if before is None:
            return None
        return self.changed() if kind == RESOURCE_CLAIM else self._tell(kind, before, None)

    def _tell(self, kind: Kind, before: dict[str, Any] | None, after: dict[str, Any] | None) -> Report:
        view = WATCHED.get(kind)
        if view is None:
            return Report()
        old, new = (None if item is None else convert(item, view) for item in (before, after))
        return self._heard(old, new)

    def _make_claims(self) -> Report:
        """Make the claims of pods that waited for a template."""
        report = Report()
        for info in self._state.pods.infos:
            if info.row in self._state.gone.values or not info.pod.spec.resource_claims:
                continue
            old = info.pod
            self._state.make_claims(info.row)
            new = self._state.pods.infos[info.row].pod
            if new is not old:
                report.extend(self.changed())
                report.extend(self._heard(old, new))
        return report

    def changed(self) -> Report:
        """Let all hear of what has been written into claims since they heard last."""
        report, claims = Report(), self._state.device_claims
        if claims is None:
            return report
        written = list(claims.written)
        claims.written.clear()
        for one in written:
            pair = (
                None if item is None else convert(item, ResourceClaim) for item in (one.before, one.after)
            )
            report.extend(self._heard(*pair))
        return report
