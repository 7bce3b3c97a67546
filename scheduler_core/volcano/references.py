"""What Volcano's objects name and the cluster lacks, and the queues that Volcano makes itself.

Source: volcano v1.16 pkg/scheduler/cache/cache.go newDefaultAndRootQueue; pkg/controllers/podgroup.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scheduler_core.objects.kinds import POD, VOLCANO_JOB, VOLCANO_POD_GROUP, VOLCANO_QUEUE, kind_of
from scheduler_core.volcano.objects import GROUP_NAME
from scheduler_core.volcano.opening import DEFAULT_QUEUE, SCHEDULER_NAME
from scheduler_core.volcano.queues import ROOT

REMEDY = "kubectl get queues.scheduling.volcano.sh,podgroups.scheduling.volcano.sh -A -o json"
_NAMED = 3

Object = Mapping[str, Any]


def with_own_queues(queues: Iterable[Object]) -> list[dict[str, Any]]:
    """Return the queues, with those that Volcano makes when it starts where they are missing."""
    known = {str(queue["metadata"]["name"]): dict(queue) for queue in queues}
    for name, reclaimable in ((ROOT, False), (DEFAULT_QUEUE, True)):
        known.setdefault(name, _own_queue(name, reclaimable))
    return list(known.values())


def _own_queue(name: str, reclaimable: bool) -> dict[str, Any]:
    return {
        "apiVersion": f"{VOLCANO_QUEUE.group}/v1beta1",
        "kind": "Queue",
        "metadata": {"name": name},
        "spec": {"weight": 1, "reclaimable": reclaimable},
        "status": {"state": "Open"},
    }


def missing_references(objects: Iterable[Object], *, controlled: bool = True) -> list[str]:
    """Return what is named and missing, and what that does to a run of sessions.

    `controlled`: Volcano's controllers act, and make pod groups and pods.
    """
    found = _Found(controlled)
    for item in objects:
        found.take(item)
    return list(found.phrases())


class _Found:
    """Volcano's objects and its pods, by what they name."""

    def __init__(self, controlled: bool) -> None:
        self._controlled = controlled
        self._queues: dict[str, str] = {}
        self._groups: dict[str, str] = {}
        self._jobs: list[str] = []
        self._owned: set[str] = set()
        self._waiting: dict[str, str] = {}

    def take(self, item: Object) -> None:
        """Note an object if it is one of Volcano's or a pod."""
        name = _key(item)
        match kind_of(item):
            case kind if kind == VOLCANO_QUEUE:
                parent = (item.get("spec") or {}).get("parent") or ROOT
                self._queues[str(item["metadata"]["name"])] = str(parent)
            case kind if kind == VOLCANO_POD_GROUP:
                self._groups[name] = (item.get("spec") or {}).get("queue") or DEFAULT_QUEUE
            case kind if kind == VOLCANO_JOB:
                self._jobs.append(name)
            case kind if kind == POD:
                self._take_pod(item, name)

    def _take_pod(self, pod: Object, name: str) -> None:
        metadata, spec = pod["metadata"], pod.get("spec") or {}
        namespace = metadata.get("namespace") or "default"
        for owner in metadata.get("ownerReferences") or ():
            if kind_of(owner) == VOLCANO_JOB:
                self._owned.add(f"{namespace}/{owner.get('name')}")
        if spec.get("schedulerName") == SCHEDULER_NAME and not spec.get("nodeName"):
            group = (metadata.get("annotations") or {}).get(GROUP_NAME)
            self._waiting[name] = f"{namespace}/{group}" if group else ""

    def phrases(self) -> Iterable[str]:
        """Yield a phrase for each kind of gap."""
        if not (self._groups or self._jobs or self._waiting):
            return
        own = [name for name in (DEFAULT_QUEUE, ROOT) if name not in self._queues]
        if own:
            yield f"no Queue {' and no Queue '.join(own)} in the import: made, as Volcano does when it starts"
        known = {*self._queues, DEFAULT_QUEUE, ROOT}
        lost = [f"{queue} below {parent}" for queue, parent in self._queues.items() if parent not in known]
        if lost:
            yield (
                f"{_count(lost, 'Queue')} of parents that are missing: "
                "where queues are a tree, nothing can be scheduled"
            )
        lost = [f"{group} in {queue}" for group, queue in self._groups.items() if queue not in known]
        if lost:
            yield f"{_count(lost, 'PodGroup')} of queues that are missing: their pods stay pending"
        lost = [pod for pod, group in self._waiting.items() if group and group not in self._groups]
        if lost:
            yield f"{_count(lost, 'pod')} of pod groups that are missing: no session looks at them"
        if self._controlled:
            return
        alone = [pod for pod, group in self._waiting.items() if not group]
        if alone:
            yield (
                f"{_count(alone, 'pod')} without a pod group: no session looks at them, since Volcano's "
                "controller, which makes one for each, doesn't act in this run"
            )
        idle = [job for job in self._jobs if job not in self._owned]
        if idle:
            yield (
                f"{_count(idle, 'Job')} of Volcano's without pods: its controller, which makes them, "
                "doesn't act in this run"
            )


def _key(item: Object) -> str:
    metadata = item.get("metadata") or {}
    return f"{metadata.get('namespace') or 'default'}/{metadata.get('name')}"


def _count(names: list[str], what: str) -> str:
    listed = ", ".join(sorted(names)[:_NAMED]) + (", …" if len(names) > _NAMED else "")
    return f"{len(names):,} {what}{'' if len(names) == 1 else 's'} ({listed})"
