"""A snapshot's own history: each pod comes when it was created, and finds its node anew.

In come the objects of a snapshot, out go the objects that were there before its pods, and the edits by which
the pods come. Of what came and went before the snapshot it has nothing. Who has ended, is going, is kept by a
kubelet, or has no creation time is left out, and told.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from scheduler_core.objects.identity import has_ended, is_mirror, spec_of
from scheduler_core.objects.kinds import POD, RESOURCE_CLAIM, kind_of
from scheduler_core.objects.own_kinds import OWN
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.timestamps import is_timestamp, parse_timestamp
from scheduler_core.objects.workloads.given_at_bind import without_given

Object = dict[str, Any]
_SECOND = 1_000_000_000
_KEPT = ("name", "namespace", "uid", "labels", "annotations", "ownerReferences", "creationTimestamp")


class Replay(NamedTuple):
    """A play by the clock: the objects of the start, what comes when, and what is not in it, as sentences."""

    objects: list[Object]
    edits: list[Object]
    told: list[str]


def history(objects: Iterable[Object]) -> Replay:
    """Return the play in which each pod comes at its creationTimestamp, in seconds since the first one's.

    Raises BadInput where no pod can come.
    """
    left: Counter[str] = Counter()
    start: list[Object] = []
    coming: list[tuple[float, Object]] = []
    for item in objects:
        kind = kind_of(item)
        if kind == POD and not is_mirror(item):
            why, created = _why_left(item), _created(item)
            if why or created is None:
                left[why or "without a creation time"] += 1
            else:
                coming.append((created, _as_it_came(item)))
        elif kind == RESOURCE_CLAIM:
            start += _free(item)
        elif kind in OWN and OWN[kind].owns_pods:
            left[f"of the kind {kind}, which would make its pods anew"] += 1
        else:
            start.append(item)
    if not coming:
        raise BadInput([Problem("snapshot", "pods", "no pod of it can be played again")])
    return Replay(start, _edits(coming), _told(left))


def _free(claim: Object) -> list[Object]:
    """Return a claim without devices; nothing for one that is made of a template when its pod comes."""
    owners = (claim.get("metadata") or {}).get("ownerReferences") or ()
    if any(owner.get("kind") == POD.name for owner in owners):
        return []
    return [{name: value for name, value in claim.items() if name != "status"}]


def _why_left(pod: Object) -> str:
    if has_ended(pod):
        return "that had ended"
    return "in deletion" if (pod.get("metadata") or {}).get("deletionTimestamp") else ""


def _created(pod: Object) -> float | None:
    text = (pod.get("metadata") or {}).get("creationTimestamp")
    return parse_timestamp(text, 0) / _SECOND if is_timestamp(text) else None


def _as_it_came(pod: Object) -> Object:
    """Return a pod as it was before any scheduler had seen it."""
    metadata = {name: value for name, value in (pod.get("metadata") or {}).items() if name in _KEPT}
    for part in ("annotations", "labels"):
        if isinstance(metadata.get(part), dict):
            metadata[part] = without_given(metadata[part])
    spec = {name: value for name, value in spec_of(pod).items() if name != "nodeName"}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def _edits(coming: list[tuple[float, Object]]) -> list[Object]:
    """Return an edit for each instant, in the order of the clock; pods of one instant keep their order."""
    first = min(created for created, _ in coming)
    at: dict[float, list[Object]] = {}
    for created, pod in sorted(coming, key=lambda one: one[0]):
        at.setdefault(created - first, []).append(pod)
    return [{"op": "add", "at": instant, "manifest": _manifest(pods)} for instant, pods in at.items()]


def _manifest(pods: list[Object]) -> Object:
    return pods[0] if len(pods) == 1 else {"apiVersion": "v1", "kind": "List", "items": pods}


def _told(left: Counter[str]) -> list[str]:
    lines = [f"Left out: {number:,} {_noun(why, number)} {why}." for why, number in sorted(left.items())]
    return ["Pods that were gone before the snapshot was taken are not in it.", *lines]


def _noun(why: str, number: int) -> str:
    return f"{'object' if why.startswith('of the kind') else 'pod'}{'' if number == 1 else 's'}"
