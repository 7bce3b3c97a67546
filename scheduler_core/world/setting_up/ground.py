"""The cluster that a run is built on: its state, and what stands around it whoever schedules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from scheduler_core.objects.identity import Owners
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
    built = build_state(prepared.objects, accounting, more=[*prepared.later, *prepared.foreseen])
    state, everything = built.state, [*prepared.objects, *prepared.later]
    documents = Documents(state.journal, (item for item in everything if kind_of(item) == POD))
    classes = [item for item in prepared.others if kind_of(item) == STORAGE_CLASS]
    controllers = Controllers(state, documents, classes, replacing=replacing)
    return Ground(state, built.pending, documents, controllers, owners_in(prepared))


def owners_in(prepared: Prepared) -> Owners:
    """Return what finds the controllers of pods, also of those that come later."""
    everything: Iterable[Object] = [*prepared.others, *prepared.later, *prepared.foreseen]
    return Owners(everything)
