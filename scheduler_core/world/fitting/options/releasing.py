"""Room that others give back: fewer pods of a workload of no higher priority, or of the pods' own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

from scheduler_core.objects.identity import controller_of, is_daemon, name_of, namespace_of, uid_of
from scheduler_core.objects.kinds import (
    DEPLOYMENT,
    JOB,
    NODE,
    REPLICA_SET,
    REPLICATION_CONTROLLER,
    STATEFUL_SET,
    kind_of,
)
from scheduler_core.objects.workloads.workload_pods import wanted_replicas
from scheduler_core.schedulers.cause import NEAREST, Cause, cards_are_held
from scheduler_core.world.fitting.results import Change, Edit
from scheduler_core.world.fitting.searching import Option
from scheduler_core.world.fitting.wanted import Wanted

Object = dict[str, Any]
_SCALABLE = (DEPLOYMENT, REPLICA_SET, REPLICATION_CONTROLLER, STATEFUL_SET, JOB)
_MOST = 4
"""So many workloads, and so many single pods, are asked to make room."""


def options(wanted: Wanted, cause: Cause) -> Iterator[Option]:
    """Yield whom it would help to have fewer of, on the nodes that come nearest."""
    if cause.kind not in ("nodes", "gang", "queue", "refused"):
        return
    if not cards_are_held(cause):
        return
    yield from _own(wanted)
    held, bare = _holders(wanted, cause)
    for workload in held[:_MOST]:
        there = wanted_replicas(workload)
        if there > 0:
            yield Option(
                there,
                partial(_scaled, workload, there),
                partial(_told, workload, there),
                partial(_share, there),
                f"holds {name_of(workload)}",
                pairs=False,
            )
    for pod in bare[:_MOST]:
        name = f"{namespace_of(pod)}/{name_of(pod)}"
        yield Option(
            1,
            partial(_deleted, pod),
            partial(_removed, name),
            lambda _: 1.0,
            f"holds {name}",
            pairs=False,
        )


def _own(wanted: Wanted) -> Iterator[Option]:
    owner = wanted.owner
    if owner is None or kind_of(owner) not in _SCALABLE or controller_of(owner) is not None:
        return
    there = wanted_replicas(owner)
    if there > 1 and there == len(wanted.uids):
        yield Option(
            there - 1,
            partial(_scaled, owner, there),
            lambda step: Change("fewer_pods", wanted.name, before=there, after=there - step),
            partial(_share, there),
            "own",
            needed=lambda step: there - step,
            pairs=False,
        )


def _holders(wanted: Wanted, cause: Cause) -> tuple[list[Object], list[Object]]:
    """Return workloads that can be scaled and single pods, those before all that have most pods near."""
    simulation, cluster = wanted.world.simulation, wanted.world.objects
    state, highest = simulation.cluster, wanted.priority
    reachable = [near.node for near in cause.nearest if not near.missing]
    names = reachable or [name_of(one) for one in _nodes(wanted)]
    near: Counter[str] = Counter()
    bare: list[Object] = []
    for pod in (pod for name in names for pod in cluster.pods_on(name)):
        row = state.pods.by_uid.get(uid_of(pod))
        if row is None or state.pods.infos[row].priority > highest or is_daemon(pod):
            continue
        workload = simulation.workload_of(uid_of(pod))
        if workload and workload != wanted.workload:
            near[workload] += 1
        elif not workload and uid_of(pod) not in wanted.uids:
            bare.append(pod)
    known = (wanted.object_of(key) for key, _ in sorted(near.items(), key=lambda one: (-one[1], one[0])))
    scalable = [
        one for one in known if one is not None and kind_of(one) in _SCALABLE and controller_of(one) is None
    ]
    return scalable, bare


def _nodes(wanted: Wanted) -> list[Object]:
    return sorted(wanted.world.objects.of_kind(NODE), key=name_of)[:NEAREST]


def _scaled(workload: Object, there: int, step: int) -> list[Edit]:
    place = {"namespace": namespace_of(workload), "name": name_of(workload)}
    return [{"op": "scale", "kind": str(kind_of(workload)), **place, "replicas": there - step}]


def _told(workload: Object, there: int, step: int) -> Change:
    key = f"{kind_of(workload).name}/{namespace_of(workload)}/{name_of(workload)}"
    return Change("scale_down", key, before=there, after=there - step)


def _share(there: int, step: int) -> float:
    return step / there


def _deleted(pod: Object, _: int) -> list[Edit]:
    return [{"op": "delete", "kind": "Pod", "namespace": namespace_of(pod), "name": name_of(pod)}]


def _removed(name: str, _: int) -> Change:
    return Change("remove_pods", name, names=[name])
