"""numa-aware: a guaranteed pod goes to nodes whose NUMA nodes have the cpus as the kubelet would take them.

Source: volcano v1.16 pkg/scheduler/plugins/numaaware/numaaware.go; plugins/util/util.go NormalizeScore.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.objects.quality_of_service import is_guaranteed
from scheduler_core.volcano.configuration.scheduler_conf import PluginOption
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.fit_errors import Refusal, Refusals
from scheduler_core.volcano.model.nodes import Floats, Rows
from scheduler_core.volcano.model.tasks import Task
from scheduler_core.volcano.numa.hints import cpus_for
from scheduler_core.volcano.numa.topology import Cpus, NodeTopology

POLICY = "volcano.sh/numa-topology-policy"
_MAX_NODE_SCORE = 100


class Numaaware(Plugin):
    """`_free` are the free cpus by node; `_found` those that a task would get, by node's name."""

    name = "numa-aware"

    def __init__(self, session: Session, option: PluginOption) -> None:
        super().__init__(session, option)
        self.weight = option.arguments.integer("weight", 1)
        self._topologies = session.around.topologies
        self._free = {node: one.free for node, one in self._topologies.items()}
        self._found: dict[str, dict[str, Cpus]] = {}

    def by_node(self, task: Task) -> bool:
        return not is_guaranteed(task.pod)

    def predicate(self, task: Task, rows: Rows) -> dict[int, Refusals]:
        """Return which nodes' NUMA nodes don't suit the pod, and note its cpus on the others."""
        if not is_guaranteed(task.pod):
            return {}
        refused: dict[int, Refusals] = {}
        for row in rows.tolist():
            name = self.session.nodes.names[row]
            topology = self._topologies.get(name)
            if why := _unfit(_policy(task), topology, self._free.get(name)):
                refused[row] = (Refusal("Error", why),)
            elif topology is not None and _is_asked(task, topology):
                container = self._assign(task, name, topology)
                if container:
                    why = f"container {container} cannot be assigned by numa"
                    refused[row] = (Refusal("UnschedulableAndUnresolvable", why, self.name),)
        return refused

    def against(self, task: Task, rows: Rows) -> dict[int, Refusals]:
        before = dict(self._found.get(task.uid, {}))
        refused = self.predicate(task, rows)
        self._found[task.uid] = before
        return refused

    def _assign(self, task: Task, node: str, topology: NodeTopology) -> str:
        """Note the cpus that a task would get; return the container that gets none, empty if all do."""
        free, assigned = self._free[node], frozenset[int]()
        for container in task.pod.spec.containers or ():
            cpus = cpus_for(container, topology, free)
            if cpus is None:
                return container.name
            assigned, free = assigned | cpus, free - cpus
        self._found.setdefault(task.uid, {})[node] = assigned
        return ""

    def batch_node_order(self, task: Task, rows: Rows) -> Floats:
        """Score the fewest NUMA nodes highest, for a pod with a policy; shape (rows,)."""
        found = self._found.get(task.uid)
        if found is None or not _policy(task):
            return np.zeros(len(rows))
        counts = [self._numa_nodes(found, self.session.nodes.names[row]) for row in rows.tolist()]
        most = max(counts, default=0)
        points = [_MAX_NODE_SCORE - (_MAX_NODE_SCORE * count // most if most else 0) for count in counts]
        return np.array([float(point * self.weight) for point in points])

    def _numa_nodes(self, found: dict[str, Cpus], node: str) -> int:
        topology = self._topologies.get(node)
        cpus = {} if topology is None else topology.cpus
        return len({cpus[cpu].numa if cpu in cpus else 0 for cpu in found.get(node, ())})

    def allocated(self, task: Task) -> str | None:
        cpus = self._found.get(task.uid, {}).get(task.node)
        if cpus is not None:
            self._free[task.node] -= cpus
            task.cpus = cpus
        return None

    def deallocated(self, task: Task) -> None:
        cpus = self._found.get(task.uid, {}).get(task.node)
        if cpus is not None:
            self._free[task.node] |= cpus
            task.cpus = frozenset()


def _policy(task: Task) -> str:
    """Return the topology policy that a pod asks for, empty for none."""
    policy = task.annotation(POLICY) or ""
    return "" if policy == "none" else policy


def _unfit(policy: str, topology: NodeTopology | None, free: Cpus | None) -> str:
    """Return why a node is not for a pod with a policy."""
    if not policy:
        return ""
    if topology is None:
        return "numa info is empty"
    if not topology.is_static:
        return "cpu manager policy isn't static"
    if policy != topology.manager:
        return f"task topology policy[{policy}] is different with node[{topology.manager}]"
    return "" if free else "cpu allocatable map is empty"


def _is_asked(task: Task, topology: NodeTopology) -> bool:
    """Return whether a node's own policy holds for a pod: that of a static node that has one always does."""
    return bool(_policy(task)) or (topology.is_static and topology.manager not in ("", "none"))
