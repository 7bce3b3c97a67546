"""DaemonSets: a changed template replaces the pods node by node.

As many at a time as maxUnavailable says (one by default), or with maxSurge the new one first; with OnDelete
only where a pod has been deleted. A node's new pod comes when the old one is really gone. A DaemonSet is
played from when an edit of an instant changes its template; until then its pods come and go with nodes and
edits, and evicted ones as copies. Which nodes come first is chance in a real cluster; here they come by name.

Source: kubernetes v1.36 pkg/controller/daemon/update.go rollingUpdate, updatedDesiredNodeCounts;
daemon_controller.go manage, podsShouldBeOnNode; util/daemonset_util.go SurgeCount, UnavailableCount.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from scheduler_core.objects.identity import namespace_of, spec_of
from scheduler_core.objects.kinds import DAEMON_SET
from scheduler_core.objects.types import Node
from scheduler_core.objects.workloads.budgets import share
from scheduler_core.objects.workloads.daemons import runs_on, stays_on
from scheduler_core.objects.workloads.workload_pods import make_daemon_pod, template_hash
from scheduler_core.state.register import Register
from scheduler_core.world.controllers.controller import Around
from scheduler_core.world.controllers.known_objects import key_of
from scheduler_core.world.controllers.workload_controller import Object, Step, WorkloadController

REVISION = "controller-revision-hash"


class _OnNode(NamedTuple):
    """The pods of a DaemonSet on a node: of the template of now, of an older one."""

    new: list[int]
    old: list[int]


class DaemonSets(WorkloadController):
    """Looks at a DaemonSet whose template has changed, and goes on replacing its pods."""

    remembered = {"templates": "_templates", "rolling": "_rolling"}

    name = "daemonset-controller"
    kind = DAEMON_SET

    def __init__(self, around: Around) -> None:
        super().__init__(around)
        self._templates: Register[str, str] = Register(self.state.journal)
        """A hash of each DaemonSet's template as it was first seen."""
        self._rolling: Register[str, int] = Register(self.state.journal)
        """The DaemonSets whose templates have changed since, with the first pod that may be of a new one."""

    def begin(self) -> None:
        for one in self.known.of_kind(DAEMON_SET):
            self._templates.put(key_of(one), _hash(one))

    def hear(self, decision: int) -> None:
        super().hear(decision)
        if self._rolling.values and self.state.journal.touched(self.state.node_changes):
            for key in sorted(self._rolling.values):
                self.enqueue(key, self.cluster.now, decision)

    def replaces(self, pod: Object) -> bool:
        owner = self.known.owner_of(pod)
        return owner is not None and key_of(owner) in self._rolling.values

    def look(self, workload: Object) -> Step:
        step, key = Step(), key_of(workload)
        if key not in self._templates.values:
            self._templates.put(key, _hash(workload))
        if key not in self._rolling.values:
            if self._templates.values[key] == _hash(workload):
                return step
            self._rolling.put(key, len(self.state.pods))
        nodes = self._nodes(workload)
        if self._manage(workload, nodes, step):
            return step
        strategy = spec_of(workload).get("updateStrategy") or {}
        if strategy.get("type") != "OnDelete":
            rolling = strategy.get("rollingUpdate") or {}
            surge = _count(rolling.get("maxSurge", 0), len(nodes))
            given = rolling.get("maxUnavailable")
            most = _count(1 if given is None else given, len(nodes))
            if surge:
                self._surge(workload, nodes, surge, step)
            else:
                self._replace(workload, nodes, most or 1, step)
        return step

    # -- the pods of nodes ---------------------------------------------------------------------------

    def _nodes(self, workload: Object) -> dict[str, _OnNode]:
        """Return the pods on each node that is to have one or has one, by name."""
        found: dict[str, _OnNode] = {}
        table = self.state.nodes
        for name in sorted(table.names):
            if runs_on(workload, _document(table.objects[table.index[name]])):
                found[name] = _OnNode([], [])
        for pod in self.owned.of(self.uid(workload)):
            on = found.setdefault(self._node_of(pod), _OnNode([], []))
            (on.new if self._is_new(workload, pod) else on.old).append(pod)
        return dict(sorted(found.items()))

    def _node_of(self, pod: int) -> str:
        """Return the node that a pod is on or is to be on."""
        version = self.state.pods.infos[pod].pod
        return version.spec.node_name or _pinned_to(self.owned.document(pod))

    def _is_new(self, workload: Object, pod: int) -> bool:
        if pod < self._rolling.values[key_of(workload)]:
            return self._templates.values[key_of(workload)] == _hash(workload)
        return self.state.pods.infos[pod].labels.get(REVISION) == _hash(workload)

    def _manage(self, workload: Object, nodes: dict[str, _OnNode], step: Step) -> bool:
        """Make the pods of nodes that have none, and delete those of nodes that are to have none any more.

        Return whether any came or went.
        """
        for name, on in nodes.items():
            if not self._stays_on(workload, name):
                for pod in (*on.new, *on.old):
                    if not self.owned.is_terminating(pod):
                        self.delete(step, pod)
        names = self.owned.names(namespace_of(workload))
        empty = [name for name, on in nodes.items() if not on.new and not on.old]
        self.create_slowly(step, [make_daemon_pod(workload, name, names) for name in empty])
        return bool(step.created or step.deleted or step.refused)

    def _stays_on(self, workload: Object, name: str) -> bool:
        """Return whether pods may go on on a node; those of a node that is gone are others' to collect."""
        row = self.state.nodes.index.get(name)
        return row is None or stays_on(workload, _document(self.state.nodes.objects[row]))

    # -- strategies ----------------------------------------------------------------------------------

    def _replace(self, workload: Object, nodes: dict[str, _OnNode], most: int, step: Step) -> None:
        """Delete old pods that aren't available, and so many others that enough stay available."""
        unavailable, gone, candidates = 0, [], []
        for on in nodes.values():
            if bool(on.new) == bool(on.old) or len(on.new) + len(on.old) > 1:
                unavailable += 1
            elif on.new:
                unavailable += not self.is_available(workload, on.new[0], step)
            elif not self.is_available(workload, on.old[0], step):
                gone.append(on.old[0])
                unavailable += 1
            elif unavailable < most:
                candidates.append(on.old[0])
        for pod in [*gone, *candidates[: max(0, most - unavailable)]]:
            if not self.owned.is_terminating(pod):
                self.delete(step, pod)

    def _surge(self, workload: Object, nodes: dict[str, _OnNode], most: int, step: Step) -> None:
        """Make new pods beside old ones, and delete an old one when the new one is available."""
        surging, gone, allowed, candidates = 0, [], [], []
        for name, on in nodes.items():
            if not on.old:
                continue
            if on.new:
                if self.is_available(workload, on.new[0], step):
                    gone.append(on.old[0])
                else:
                    surging += 1
            elif not self.is_available(workload, on.old[0], step):
                allowed.append(name)
            elif surging < most:
                candidates.append(name)
        for pod in gone:
            if not self.owned.is_terminating(pod):
                self.delete(step, pod)
        names = self.owned.names(namespace_of(workload))
        wanted = [*allowed, *candidates[: max(0, most - surging)]]
        self.create_slowly(step, [make_daemon_pod(workload, name, names) for name in wanted])


def _document(node: Node) -> Object:
    written: Object = msgspec.to_builtins(node)
    return {"kind": "Node", **written}


def _hash(daemon_set: Object) -> str:
    return template_hash(spec_of(daemon_set).get("template") or {})


def _count(amount: Any, nodes: int) -> int:
    return share(amount or 0, nodes)


def _pinned_to(pod: Object) -> str:
    """Return the node that a DaemonSet's pod is tied to by its node affinity, empty where it is to none."""
    affinity = (spec_of(pod).get("affinity") or {}).get("nodeAffinity") or {}
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution") or {}
    for term in required.get("nodeSelectorTerms") or ():
        for field in term.get("matchFields") or ():
            if field.get("key") == "metadata.name" and field.get("values"):
                return str(field["values"][0])
    return ""
