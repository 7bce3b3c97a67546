"""Brings a cluster that is held ready to what a run with edits begins with, and back.

What differs is written through the journal, so that the cluster is afterwards as `build_state` would have
built it of the edited objects: pods keep their places on nodes, what is new stands behind all others, nodes
are read anew. Schedulers, controllers and the clock are made anew for every trial. Where that can't be had
exactly, the cluster is built anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import msgspec

from scheduler_core.objects import types
from scheduler_core.objects.amounts.requests import counted_by_scheduler, pod_requests
from scheduler_core.objects.api_server.admission import ADMISSION_KINDS
from scheduler_core.objects.identity import Owners, has_ended, name_of, namespace_of, spec_of, uid_of
from scheduler_core.objects.imports.pods_with_devices import DEVICE_KINDS
from scheduler_core.objects.kinds import (
    NAMESPACE,
    NODE,
    PERSISTENT_VOLUME_CLAIM,
    POD,
    POD_DISRUPTION_BUDGET,
    RESOURCE_QUOTA,
    WORKLOAD_KINDS,
    kind_of,
)
from scheduler_core.objects.storage import PersistentVolumeClaim
from scheduler_core.schedulers.registry import own_kinds
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.journal import Join, Leave, Set, Vanish
from scheduler_core.state.nodes import allocatable_of
from scheduler_core.state.surroundings import KINDS as SURROUNDINGS
from scheduler_core.state.surroundings import key_of
from scheduler_core.world.edits.edited_cluster import Difference
from scheduler_core.world.setting_up.ground import Ground, begin_claims, wants_claims
from scheduler_core.world.setting_up.preparation import Prepared
from scheduler_core.world.trials.standing import Edited

Object = dict[str, Any]

_READ_ELSEWHERE = frozenset({*WORKLOAD_KINDS, *ADMISSION_KINDS, RESOURCE_QUOTA} - set(SURROUNDINGS))
"""Kinds of which the state keeps nothing: whoever reads them is made anew."""


def is_shifted(ground: Ground, edited: Edited) -> bool:
    """Return whether a cluster can be brought to what a run with edits begins with."""
    if edited.differences is None:
        return False
    prepared = edited.prepared
    new = [now for _, now in edited.differences.values() if now is not None]
    if not _knows_claims(ground.state, prepared, [*new, *prepared.later, *prepared.foreseen]):
        return False
    if not _knows_resources(ground.state, [*new, *prepared.later, *prepared.foreseen]):
        return False
    return all(_can_be(ground.state, *pair) for pair in edited.differences.values())


def _knows_claims(state: ClusterState, prepared: Prepared, new: Iterable[Object]) -> bool:
    """Return whether the state has claims for devices where a play needs them, and none where it has none."""
    if state.device_claims is None:
        return not wants_claims(prepared, new)
    return prepared.devices.with_claims


def _can_be(state: ClusterState, before: Object | None, now: Object | None) -> bool:
    kind = kind_of(before or now or {})
    if kind == POD:
        before, now = _there(before), _there(now)
        if before is None:
            return now is None or uid_of(now) not in state.pods.by_uid
        if uid_of(before) not in state.pods.by_uid:
            return False
        return now is None or _stays_the_same(before, now)
    if kind in (PERSISTENT_VOLUME_CLAIM, *DEVICE_KINDS):
        return before is None
    return kind == NODE or kind in SURROUNDINGS or kind in _READ_ELSEWHERE or kind in own_kinds()


def _stays_the_same(before: Object, now: Object) -> bool:
    """Return whether another version of a pod is where it was, and was there as long."""

    def lasting(pod: Object) -> list[Any]:
        status, metadata = pod.get("status") or {}, pod["metadata"]
        return [
            *(metadata.get(name) for name in ("uid", "name", "namespace", "deletionTimestamp")),
            spec_of(pod).get("nodeName"),
            *(status.get(name) for name in ("phase", "startTime")),
        ]

    return lasting(before) == lasting(now)


def _there(pod: Object | None) -> Object | None:
    """Return a pod that takes part: one that has ended does not."""
    return None if pod is None or has_ended(pod) else pod


def _knows_resources(state: ClusterState, objects: Iterable[Object]) -> bool:
    """Return whether the columns have every resource of these objects. Raises BadInput as a build does."""
    known = state.nodes.resources.column
    asked = b""
    for item in objects:
        if kind_of(item) == NODE:
            names: Iterable[str] = allocatable_of(types.convert(item, types.Node)).keys() - {"pods"}
        elif kind_of(item) == POD:
            before, asked = asked, msgspec.json.encode((item.get("spec"), item.get("status")))
            if asked == before:
                continue  # as pods of one template do
            names = filter(counted_by_scheduler, pod_requests(types.convert(item, types.Pod), running=True))
        else:
            continue
        if not all(name in known for name in names):
            return False
    return True


@contextmanager
def shifted(ground: Ground, edited: Edited) -> Iterator[Ground]:
    """Give the cluster as a run with edits begins with it, and have it as it was afterwards."""
    assert edited.differences is not None
    state, controllers = ground.state, ground.controllers
    others, is_admitted = controllers.others, controllers.is_admitted
    try:
        with state.aside([ground.documents, *controllers.registers]):
            controllers.others, controllers.is_admitted = lambda pod: False, lambda copy: True
            yield _shift(ground, edited)
    finally:
        controllers.others, controllers.is_admitted = others, is_admitted


def _shift(ground: Ground, edited: Edited) -> Ground:
    state, prepared = ground.state, edited.prepared
    differences = list((edited.differences or {}).values())
    _withdraw_nominations(ground)
    _shift_nodes(state, differences, prepared.nodes)
    pending = _shift_pods(ground, differences)
    _shift_documents(ground, edited)
    _shift_surroundings(state, differences)
    if state.device_claims is not None:
        begin_claims(state, prepared, makes_claims=state.device_claims.makes_claims)
    state.look_anew()
    state.forget_journal()
    return replace(ground, pending=pending, owners=_owners(ground, differences, prepared))


def _owners(ground: Ground, differences: list[Difference], prepared: Prepared) -> Owners:
    around = [pair for pair in differences if kind_of(pair[0] or pair[1] or {}) not in (POD, NODE)]
    gone = [before for before, now in around if before is not None and now is None]
    more = [*(now for _, now in around if now is not None), *prepared.later, *prepared.foreseen]
    return ground.owners.changed(gone, more) if gone or more else ground.owners


def _withdraw_nominations(ground: Ground) -> None:
    """Let nobody be nominated: schedulers take the nominations of a snapshot over when they are made."""
    nominated = ground.state.nominated
    for pod in [pod for pod in ground.pending if nominated[pod]]:
        ground.state.nominate(pod, "")


def _shift_nodes(state: ClusterState, differences: list[Difference], nodes: Iterable[Object]) -> None:
    changed = {id(now) for _, now in differences if now is not None and kind_of(now) == NODE}
    if not any(kind_of(before or now or {}) == NODE for before, now in differences):
        return
    known = {node.metadata.name: node for node in state.nodes.objects}
    state.replace_nodes(
        [types.convert(item, types.Node) if id(item) in changed else known[name_of(item)] for item in nodes]
    )


# -- pods --------------------------------------------------------------------------------------------


def _shift_pods(ground: Ground, differences: list[Difference]) -> list[int]:
    """Let pods come, change and go; return the rows of those without a node."""
    state = ground.state
    going: list[int] = []
    changing: dict[int, types.Pod] = {}
    coming: list[types.Pod] = []
    for before, now in differences:
        if kind_of(before or now or {}) != POD:
            continue
        before, now = _there(before), _there(now)
        if before is None and now is not None:
            coming.append(types.convert(now, types.Pod))
        elif before is not None and now is None:
            going.append(state.pods.by_uid[uid_of(before)])
        elif before is not None and now is not None:
            changing[state.pods.by_uid[uid_of(before)]] = types.convert(now, types.Pod)
    with _in_their_places(state, {*going, *changing}, frozenset(going)):
        for pod, version in changing.items():
            old = state.pods.infos[pod].pod
            state.journal.do(Set(state.pod_changes, pod, "version", old, version))
        for pod in going:
            state.journal.do(Vanish(state.pod_changes, pod, state.pods.infos[pod]))
            state.gone.put(pod, len(state.gone.values))
            state.release_claims(pod)
    _shift_claims(ground, differences)
    gone = set(going)
    pending = [pod for pod in ground.pending if pod not in gone]
    for pod_object in coming:
        info = state.create(pod_object)
        if pod_object.spec.node_name:
            state.take_room(info.row, pod_object.spec.node_name)
        else:
            pending.append(info.row)
    return pending


def _shift_claims(ground: Ground, differences: list[Difference]) -> None:
    """Let claims and what they are made and served from come, before the pods that name them."""
    claims = ground.state.device_claims
    for before, now in differences if claims is not None else ():
        if before is None and now is not None and kind_of(now) in DEVICE_KINDS and claims is not None:
            claims.put(now)


@contextmanager
def _in_their_places(state: ClusterState, pods: set[int], going: frozenset[int]) -> Iterator[None]:
    """Let a block change pods and let some go; all others are in the same order on their nodes afterwards."""
    behind: dict[str, list[int]] = {}
    for name in dict.fromkeys(state.node_of(pod) for pod in sorted(pods)):
        members = state.placement.members(name) if name else []
        places = [place for place, pod in enumerate(members) if pod in pods]
        if places:
            behind[name] = list(members[places[0] :])
    for name, members in behind.items():
        for pod in reversed(members):
            state.journal.do(Leave(state.placement, name, pod, state.placement.length(name) - 1))
    ports = {name: _ports_on(state, [*state.placement.members(name), *behind[name]]) for name in behind}
    yield
    for name, members in behind.items():
        for pod in members:
            if pod not in going:
                state.journal.do(Join(state.placement, name, pod, state.placement.length(name)))
        now = _ports_on(state, state.placement.members(name))
        state.taken_ports.free((port for port in ports[name] if port not in now), name)
        state.taken_ports.take(now, name)


def _ports_on(state: ClusterState, pods: Iterable[int]) -> dict[Any, None]:
    return {port: None for pod in pods for port in state.pods.infos[pod].host_ports}


# -- what stands around them -------------------------------------------------------------------------


def _shift_documents(ground: Ground, edited: Edited) -> None:
    controllers = ground.controllers
    for before, now in (edited.differences or {}).values():
        if kind_of(before or now or {}) == POD:
            if before is not None and now is None:
                key = namespace_of(before), name_of(before)
                controllers.forget(before, is_free=key in edited.free)
            elif now is not None:
                controllers.add(now)
        elif before is None and now is not None and kind_of(now) == PERSISTENT_VOLUME_CLAIM:
            claim = types.convert(now, PersistentVolumeClaim)
            ground.state.volumes.put(claim, ground.state.journal)
    for item in edited.prepared.later:
        if kind_of(item) == POD:
            controllers.add(item)


def _shift_surroundings(state: ClusterState, differences: list[Difference]) -> None:
    """Let Services, controllers, namespaces and budgets come, change and go."""
    surroundings = state.surroundings
    ours = [pair for pair in differences if kind_of(pair[0] or pair[1] or {}) in SURROUNDINGS]
    for before, now in ours:
        if before is not None and now is None:
            surroundings.drop(key_of(before))
    for before, now in ours:
        if now is not None and (before is None or _reads(before) != _reads(now)):
            surroundings.put(now)


def _reads(document: Object) -> Any:
    """Return what the state keeps of an object."""
    kind = kind_of(document)
    if kind == POD_DISRUPTION_BUDGET:
        return document
    if kind == NAMESPACE:
        return document["metadata"].get("labels")
    return spec_of(document).get("selector")
