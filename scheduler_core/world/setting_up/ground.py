"""The cluster that a run is built on: its state, and what stands around it whoever schedules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from scheduler_core.objects.identity import Owners, has_ended, spec_of, uid_of
from scheduler_core.objects.imports.pods_with_devices import concerns_devices
from scheduler_core.objects.kinds import POD, STORAGE_CLASS, kind_of
from scheduler_core.state.build import build_state
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.pods import Accounting
from scheduler_core.world.controllers.recreated_pods import Controllers, Documents
from scheduler_core.world.setting_up.preparation import Prepared

Object = dict[str, Any]


@dataclass(frozen=True)
class Ground:
    """`pending` are the rows of pods without a node; `controllers` replace evicted pods."""

    state: ClusterState
    pending: list[int]
    documents: Documents
    controllers: Controllers
    owners: Owners


def build_ground(prepared: Prepared, accounting: Accounting, *, replacing: bool) -> Ground:
    """Return the cluster as a scheduler with this accounting sees it. Raises BadInput."""
    coming = [*prepared.later, *prepared.foreseen]
    built = build_state(
        prepared.objects,
        accounting,
        more=coming,
        with_claims=wants_claims(prepared, [*prepared.objects, *coming]),
        class_resources=prepared.devices.class_resources,
    )
    state, everything = built.state, [*prepared.objects, *prepared.later]
    begin_claims(state, prepared, makes_claims=replacing)
    documents = Documents(state.journal, (item for item in everything if kind_of(item) == POD))
    classes = [item for item in prepared.others if kind_of(item) == STORAGE_CLASS]
    controllers = Controllers(state, documents, classes, replacing=replacing)
    return Ground(state, built.pending, documents, controllers, owners_in(prepared))


def wants_claims(prepared: Prepared, objects: Iterable[Object]) -> bool:
    """Return whether a play needs to know of claims: where they are played and one of these concerns them."""
    return prepared.devices.with_claims and any(map(concerns_devices, objects))


def begin_claims(state: ClusterState, prepared: Prepared, *, makes_claims: bool) -> None:
    """Let the controller of claims see the cluster as a play begins: pods that are gone, pods without claims.

    Where it does not act (`makes_claims`), claims are given back all the same, as by evictions.
    """
    claims = state.device_claims
    if claims is None:
        return
    claims.makes_claims, claims.now = makes_claims, prepared.epoch
    for uid in prepared.deleted_pods:
        claims.release(uid)
    if makes_claims:
        for item in prepared.objects:
            if kind_of(item) == POD and has_ended(item) and spec_of(item).get("resourceClaims"):
                claims.release(uid_of(item))
        for pod in range(len(state.pods)):
            if pod not in state.gone.values and state.pods.infos[pod].pod.spec.resource_claims:
                state.make_claims(pod)
    claims.written.clear()
    state.forget_journal()


def owners_in(prepared: Prepared) -> Owners:
    """Return what finds the controllers of pods, also of those that come later."""
    everything: Iterable[Object] = [*prepared.others, *prepared.later, *prepared.foreseen]
    return Owners(everything)
