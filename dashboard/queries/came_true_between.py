"""What changed in a cluster between a run's snapshot and a later one that the run's edits did not ask for."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from dashboard.models import Snapshot
from dashboard.natural_order import natural_key
from dashboard.queries.came_true_picture import Picture
from scheduler_core.objects.identity import controller_of
from scheduler_core.objects.kinds import NODE
from scheduler_core.objects.whole_lists import WHOLE_LISTS
from scheduler_core.world.edits.asked_of_objects import AskedOfObjects
from scheduler_core.world.edits.places import Identity
from scheduler_core.world.edits.unmet import fields

Object = dict[str, Any]


class Between(msgspec.Struct, frozen=True):
    """What changed by itself.

    came, left: nodes by name. more, fewer: pods of workloads (`Kind/namespace/name`) beyond what was
    predicted, and short of it, of workloads that the prediction isn't about. requests: workloads whose pods
    ask for other amounts. objects: others that were changed, `Kind namespace/name`, with the field; new or
    deleted ones. releases: of the API server, before and now; empty where they are the same.
    """

    came: list[str]
    left: list[str]
    more: dict[str, int]
    fewer: dict[str, int]
    requests: list[str]
    objects: list[str]
    releases: list[str]

    @property
    def is_nothing(self) -> bool:
        """Whether no change is seen."""
        return not any(getattr(self, name) for name in self.__struct_fields__)


def between(
    snapshots: tuple[Snapshot, Snapshot],
    objects: tuple[Mapping[Identity, Object], Mapping[Identity, Object]],
    predicted: Picture,
    found: Picture,
    asked: Sequence[AskedOfObjects],
    judged: Collection[str],
    added: Collection[str],
    *,
    lacks: bool,
) -> Between:
    """Return what changed between the run's snapshot and the later one.

    snapshots and objects: those of the former and of the latter. added: nodes that came by edits. lacks:
    one of them is a reading in part.
    """
    before, after = objects
    nodes = [{name for kind, _, name in one if kind == NODE} for one in objects]
    own = {wanted.identity for one in asked for wanted in one.wanted}
    drained = {name for one in asked for name in one.nodes} | {name for kind, _, name in own if kind == NODE}
    more, fewer = _pods(predicted, found, judged)
    releases = [", ".join(map(str, one.server_versions)) for one in snapshots]
    return Between(
        sorted(nodes[1] - nodes[0] - set(added), key=natural_key),
        sorted(nodes[0] - nodes[1] - drained, key=natural_key),
        more,
        fewer,
        _requests(predicted, found),
        sorted(_changed(before, after, own, drained, lacks=lacks)),
        releases if all(releases) and releases[0] != releases[1] else [],
    )


def _pods(
    predicted: Picture, found: Picture, judged: Collection[str]
) -> tuple[dict[str, int], dict[str, int]]:
    foreseen, there = (
        Counter(pod.workload for pod in one.pods.values() if pod.is_there and pod.workload not in judged)
        for one in (predicted, found)
    )
    return dict((there - foreseen).most_common()), dict((foreseen - there).most_common())


def _requests(predicted: Picture, found: Picture) -> list[str]:
    """Return the workloads whose pods ask for amounts for which none of them was to ask."""
    foreseen, there = _amounts(predicted), _amounts(found)
    return sorted(key for key, amounts in there.items() if key in foreseen and amounts - foreseen[key])


def _amounts(picture: Picture) -> dict[str, set[tuple[int, int]]]:
    found: dict[str, set[tuple[int, int]]] = {}
    for pod in picture.pods.values():
        if pod.is_there:
            found.setdefault(pod.workload, set()).add((pod.cpu, pod.memory))
    return found


def _changed(
    before: Mapping[Identity, Object],
    after: Mapping[Identity, Object],
    own: Collection[Identity],
    drained: Collection[str],
    *,
    lacks: bool,
) -> Iterable[str]:
    """Yield the objects that are others now, those aside that edits or controllers change.

    lacks: one of the snapshots is a reading in part: kinds that only one of them has are left out.
    """
    kinds = {kind for kind, _, _ in before} & {kind for kind, _, _ in after} if lacks else None
    for identity in before.keys() | after.keys():
        old, new = before.get(identity), after.get(identity)
        one = old or new or {}
        kind, namespace, name = identity
        if kinds is not None and kind not in kinds:
            continue
        if identity in own or kind == WHOLE_LISTS or controller_of(one) is not None:
            continue
        words = f"{kind.name} {namespace}/{name}" if namespace else f"{kind.name} {name}"
        if old is not None and new is not None:
            if kind == NODE and name in drained:
                continue
            told = [field.path for field in fields(_plain(old), _plain(new), _plain(new), _plain(old))]
            if told:
                yield f"{words} ({told[0]})"
        elif kind != NODE:
            yield f"{words} (new)" if old is None else f"{words} (deleted)"


def _plain(document: Object) -> Object:
    """Return an object without annotations: controllers write most of them."""
    metadata = {"labels": (document.get("metadata") or {}).get("labels")}
    return {**document, "metadata": metadata}
