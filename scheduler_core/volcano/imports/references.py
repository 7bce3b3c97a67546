"""What Volcano's objects name and the cluster lacks, and the queues that Volcano makes itself.

Source: volcano v1.16 pkg/scheduler/cache/cache.go newDefaultAndRootQueue; pkg/controllers/podgroup.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scheduler_core.objects import types
from scheduler_core.objects.imports.references import BUILT_IN_PRIORITY_CLASSES
from scheduler_core.objects.kinds import NODE, POD, PRIORITY_CLASS, WORKLOAD_KINDS, kind_of
from scheduler_core.objects.types import Node
from scheduler_core.volcano.api_kinds import (
    VOLCANO_HYPER_NODE,
    VOLCANO_JOB,
    VOLCANO_JOB_FLOW,
    VOLCANO_JOB_TEMPLATE,
    VOLCANO_POD_GROUP,
    VOLCANO_QUEUE,
)
from scheduler_core.volcano.model.custom_resources import (
    DEFAULT_QUEUE,
    GROUP_NAME,
    QUEUE_NAME,
    SCHEDULER_NAME,
    HyperNode,
)
from scheduler_core.volcano.model.label_discovery import CONFIG_MAP, discovery_in, other_sources
from scheduler_core.volcano.model.queues import ROOT

REMEDY = "kubectl get queues.scheduling.volcano.sh,podgroups.scheduling.volcano.sh -A -o json"
_NAMED = 3
_OF_NO_QUEUE = {
    "Job": "no session places their pods, and the Job controller may end them and delete their pods",
    "pod": "they stay pending",
    "workload": "their pods stay pending or are not made",
}
"""What becomes of those whose queue is missing; a Job whose queue can't be read fails after some tries."""

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
        self._asked_queues: dict[str, list[tuple[str, str]]] = {"Job": [], "pod": [], "workload": []}
        """By what names a queue, beside pod groups: the object and the queue."""
        self._templates: set[str] = set()
        self._asked_templates: list[tuple[str, str]] = []
        """Job flows with the templates that they name, as `namespace/name`."""
        self._classes: set[str] = set()
        self._asked_classes: list[tuple[str, str]] = []
        """Pod groups with their priority classes."""
        self._owned: set[str] = set()
        self._waiting: dict[str, str] = {}
        self._config_maps: list[Object] = []
        self._hyper_nodes: list[HyperNode] = []
        self._nodes: list[Object] = []

    def take(self, item: Object) -> None:
        """Note an object if it is one of Volcano's or a pod."""
        name = _key(item)
        match kind_of(item):
            case kind if kind == VOLCANO_QUEUE:
                parent = (item.get("spec") or {}).get("parent") or ROOT
                self._queues[str(item["metadata"]["name"])] = str(parent)
            case kind if kind == VOLCANO_POD_GROUP:
                spec = item.get("spec") or {}
                self._groups[name] = spec.get("queue") or DEFAULT_QUEUE
                if priority_class := spec.get("priorityClassName"):
                    self._asked_classes.append((name, priority_class))
            case kind if kind == VOLCANO_JOB:
                self._jobs.append(name)
                queue = (item.get("spec") or {}).get("queue") or DEFAULT_QUEUE
                self._asked_queues["Job"].append((name, queue))
            case kind if kind == VOLCANO_JOB_TEMPLATE:
                self._templates.add(name)
            case kind if kind == VOLCANO_JOB_FLOW:
                namespace = name.partition("/")[0]
                for flow in (item.get("spec") or {}).get("flows") or ():
                    self._asked_templates.append((name, f"{namespace}/{flow['name']}"))
            case kind if kind == NODE:
                self._nodes.append(item)
            case kind if kind == CONFIG_MAP:
                self._config_maps.append(item)
            case kind if kind == VOLCANO_HYPER_NODE:
                self._hyper_nodes.append(types.convert(dict(item), HyperNode))
            case kind if kind == PRIORITY_CLASS:
                self._classes.add(str(item["metadata"]["name"]))
            case kind if kind == POD:
                self._take_pod(item, name)
            case kind if kind in WORKLOAD_KINDS:
                template = (item.get("spec") or {}).get("template") or {}
                asks = (template.get("spec") or {}).get("schedulerName") == SCHEDULER_NAME
                if asks and not item["metadata"].get("ownerReferences"):
                    self._note_queue("workload", name, template.get("metadata") or {})

    def _take_pod(self, pod: Object, name: str) -> None:
        metadata, spec = pod["metadata"], pod.get("spec") or {}
        namespace = metadata.get("namespace") or "default"
        for owner in metadata.get("ownerReferences") or ():
            if kind_of(owner) == VOLCANO_JOB:
                self._owned.add(f"{namespace}/{owner.get('name')}")
        if spec.get("schedulerName") == SCHEDULER_NAME and not spec.get("nodeName"):
            group = (metadata.get("annotations") or {}).get(GROUP_NAME)
            self._waiting[name] = f"{namespace}/{group}" if group else ""
            if not group:
                self._note_queue("pod", name, metadata)

    def _note_queue(self, what: str, name: str, metadata: Object) -> None:
        """Note the queue that an annotation names for the pod group that is made of it."""
        if queue := (metadata.get("annotations") or {}).get(QUEUE_NAME):
            self._asked_queues[what].append((name, queue))

    def phrases(self) -> Iterable[str]:
        """Yield a phrase for each kind of gap."""
        yield from self._discovered()
        lost = [f"{flow} of {name}" for flow, name in self._asked_templates if name not in self._templates]
        if lost:
            yield f"{_count(lost, 'JobFlow')} of JobTemplates that are missing: their Jobs are not made"
        if not (self._groups or self._jobs or self._waiting or self._asked_queues["workload"]):
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
            yield f"{_count(lost, 'PodGroup')} of queues that are missing: no session places their pods"
        for what, asked in self._asked_queues.items():
            lost = [f"{name} in {queue}" for name, queue in asked if queue not in known]
            if lost:
                yield f"{_count(lost, what)} of queues that are missing: {_OF_NO_QUEUE[what]}"
        built_in = BUILT_IN_PRIORITY_CLASSES | self._classes
        lost = [f"{group} of {name}" for group, name in self._asked_classes if name not in built_in]
        if lost and self._classes:
            effect = "they have the priority of those without one"
            yield f"{_count(lost, 'PodGroup')} of PriorityClasses that are missing: {effect}"
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

    def _discovered(self) -> Iterable[str]:
        """Yield a phrase if hyper nodes are discovered that the import has not, or may not have."""
        for source, config_map in other_sources(self._config_maps):
            asks = f"source {source} of HyperNodes, as ConfigMap {config_map} says, asks a server outside"
            yield f"{asks}: a run has those of the import, and none of nodes that come later"
        discovery = discovery_in(self._config_maps)
        if discovery is None:
            return
        nodes = [types.convert(dict(node), Node) for node in self._nodes]
        there = {one.metadata.name for one in self._hyper_nodes}
        found = [one.metadata.name for one in discovery.hyper_nodes(nodes, self._hyper_nodes)]
        made = [name for name in found if name not in there]
        if made:
            by = f"by labels of nodes, as ConfigMap {discovery.config_map} says"
            yield f"{_count(made, 'HyperNode')} discovered {by}: made in a run, under names of its own"


def _key(item: Object) -> str:
    metadata = item.get("metadata") or {}
    return f"{metadata.get('namespace') or 'default'}/{metadata.get('name')}"


def _count(names: list[str], what: str) -> str:
    listed = ", ".join(sorted(names)[:_NAMED]) + (", …" if len(names) > _NAMED else "")
    return f"{len(names):,} {what}{'' if len(names) == 1 else 's'} ({listed})"
