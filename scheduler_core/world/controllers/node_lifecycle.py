"""Nodes whose kubelet is silent count as unreachable, and get the taints that evict their pods.

After the grace period Ready is Unknown, nothing new is placed there, and the node's pods are not ready any
more. The NoExecute taint follows as fast as the node's zone lets it. A kubelet that speaks again makes the
node ready, and all of these taints go.

Source: kubernetes v1.36 pkg/controller/nodelifecycle/node_lifecycle_controller.go tryUpdateNodeHealth,
doNoScheduleTaintingPass, doNoExecuteTaintingPass, processTaintBaseEviction, markNodeAsReachable;
pkg/controller/util/node MarkPodsNotReady.
"""

from __future__ import annotations

from typing import Any

from scheduler_core.kube.queueing.report import Report
from scheduler_core.objects.types import Node, Taint
from scheduler_core.state.register import Register, SortedRegister
from scheduler_core.world.controllers.controller import Acted, Around, ClusterController
from scheduler_core.world.controllers.node_health import (
    UNREACHABLE,
    has_taint,
    key_wanted,
    ready_of,
    taints_of,
    with_ready,
    with_taints,
)
from scheduler_core.world.controllers.silent_kubelets import NO_NODE, STOPPED, TAINTED
from scheduler_core.world.controllers.telling import Changed
from scheduler_core.world.controllers.zone_disruption import Zones, name_of

UNREACHED = "its kubelet is silent, so it is unreachable: Ready is Unknown"
REACHED = "its kubelet speaks, so it is reachable again"
UNTAINTED = "no node is ready any more, so its NoExecute taint is taken back: nobody is evicted"
_MARK, _UNTAINT, _CLEAR = "mark", "untaint", "clear"
_EXECUTE, _SCHEDULE = "NoExecute", "NoSchedule"


class NodeLifecycle(ClusterController):
    """Keeps what is to be done to which node when, and which nodes wait for their NoExecute taint."""

    remembered = {"work": "_work", "queue": "_queue", "zones": "_known_zones", "clock": "_clock"}

    name = "node-lifecycle-controller"

    def __init__(self, around: Around) -> None:
        super().__init__(around)
        journal = self.state.journal
        self._kubelets = around.cluster.kubelets
        self._deleted = around.deleted_nodes
        self._work: SortedRegister[str, tuple[int, int, str, int]] = SortedRegister(journal, read=tuple)
        """When what is to be done to a node, in which turn, and which decision led to it."""
        self._queue: SortedRegister[str, tuple[int, int]] = SortedRegister(journal, read=tuple)
        """The turns of the nodes that are to be tainted, and which decisions led to it."""
        self._zones = Zones(journal)
        self._known_zones = self._zones.known
        self._clock: Register[str, int] = Register(journal, {"turns": 0, "counted": 1}.items())
        """How many turns were given, and whether zones are counted as nodes are by now."""

    def begin(self) -> None:
        for node in self.state.nodes.objects:
            if has_taint(node, UNREACHABLE, _EXECUTE):
                self.cluster.silence(node.metadata.name, TAINTED, 0)
            elif ready_of(node) == "Unknown":
                self.cluster.silence(node.metadata.name, STOPPED, 0)
            self._enqueue(node, 0)
        for name in self._deleted:
            self.cluster.silence(name, NO_NODE, 0)
        self._zones.begin(self.state.nodes.objects)

    # -- what has changed ----------------------------------------------------------------------------

    def hear(self, decision: int) -> None:
        journal = self.state.journal
        nodes, heard = journal.touched(self.state.node_changes), journal.touched(self._kubelets.silent)
        for name in dict.fromkeys([*nodes, *heard]):
            row = self.state.nodes.index.get(name)
            if row is None:
                self._node_is_gone(name)
            elif name in self._kubelets:
                self._kubelet_is_silent(self.state.nodes.objects[row], decision)
            else:
                self._kubelet_speaks(self.state.nodes.objects[row], decision, began=name in heard)
        if nodes:
            self._clock.put("counted", 0)

    def _node_is_gone(self, name: str) -> None:
        self._drop(self._work, name)
        self._drop(self._queue, name)
        if name not in self._kubelets or self._kubelets.silent.values[name].why != NO_NODE:
            self.cluster.silence(name, NO_NODE, self.cluster.now)

    def _kubelet_is_silent(self, node: Node, decision: int) -> None:
        name, silence = node.metadata.name, self._kubelets.silent.values[node.metadata.name]
        if silence.why == NO_NODE or (silence.why == TAINTED and not has_taint(node, UNREACHABLE, _EXECUTE)):
            self._plan(name, self.cluster.now, _CLEAR, decision)
        elif silence.why == STOPPED and ready_of(node) != "Unknown":
            self._plan(name, max(silence.until, self.cluster.now), _MARK, decision)
        else:
            self._enqueue(node, decision)

    def _kubelet_speaks(self, node: Node, decision: int, *, began: bool) -> None:
        """A taint that says that a node is unreachable is taken at its word."""
        name = node.metadata.name
        if began:
            self._drop(self._work, name)
            if taints_of(node):
                self._plan(name, self.cluster.now, _CLEAR, decision)
        elif name not in self._work.values and has_taint(node, UNREACHABLE, _EXECUTE):
            self._plan(name, self.cluster.now, _MARK, decision)
        else:
            self._enqueue(node, decision)

    def _plan(self, name: str, at: int, what: str, decision: int) -> None:
        known = self._work.get(name)
        if known is None or known[2] != what:
            self._work.put(name, (at, self._turn(), what, decision))

    def _enqueue(self, node: Node, decision: int) -> None:
        """Let a node wait for the NoExecute taint that it is to have and has not."""
        name, key = node.metadata.name, key_wanted(node)
        if key is None or has_taint(node, key, _EXECUTE):
            self._drop(self._queue, name)
        elif name not in self._queue.values:
            self._queue.put(name, (self._turn(), decision))

    def _turn(self) -> int:
        turn = self._clock.values["turns"] + 1
        self._clock.put("turns", turn)
        return turn

    @staticmethod
    def _drop(register: Register[str, Any], name: str) -> None:
        if name in register.values:
            register.drop(name)

    # -- what is done --------------------------------------------------------------------------------

    def due(self) -> int | None:
        if not self._clock.values["counted"]:
            return self.cluster.now
        found = [] if (first := self._work.first()) is None else [self._work.values[first][0]]
        if (waiting := self._next_to_taint()) is not None:
            found.append(waiting[0])
        return min(found, default=None)

    def act(self) -> Acted | None:
        """What is planned comes first, then what it means for the zones, then the taints that these allow."""
        name = self._work.first()
        if name is not None and self._work.values[name][0] <= self.cluster.now:
            *_, what, cause = self._work.values[name]
            self._work.drop(name)
            return {_MARK: self._mark, _UNTAINT: self._untaint, _CLEAR: self._clear}[what](name, cause)
        if not self._clock.values["counted"]:
            self._count()
            return None
        waiting = self._next_to_taint()
        assert waiting is not None
        return self._taint(waiting[1])

    def _mark(self, name: str, cause: int) -> Acted:
        """Let Ready be Unknown; a NoExecute taint that said something else is changed at once."""
        report = Report()
        if name not in self._kubelets:
            report.extend(self.cluster.silence(name, TAINTED, self.cluster.now))
        node = with_ready(self._node(name), "Unknown")
        effects = dict.fromkeys([_SCHEDULE, *(taint.effect for taint in taints_of(node))])
        report.extend(
            self.cluster.put(with_taints(node, [Taint(UNREACHABLE, effect=one) for one in effects]))
        )
        report.extend(self.cluster.make_pods_unready(name))
        return self._acted(
            name, "its kubelet is silent, so it is unreachable: Ready is Unknown", report, cause
        )

    def _clear(self, name: str, cause: int) -> Acted | None:
        report = Report()
        before = self._node(name)
        if name in self._kubelets:
            report.extend(self.cluster.speak(name))
        self._drop(self._queue, name)
        if taints_of(self._node(name)):
            report.extend(self.cluster.put(with_taints(self._node(name), [])))
        if self._node(name) is before and not self.state.journal.touched(self.state.pod_changes):
            return None
        return self._acted(name, REACHED, report, cause)

    def _untaint(self, name: str, cause: int) -> Acted:
        silence = self._kubelets.silent.get(name)
        if silence is not None and silence.why == TAINTED:
            self._kubelets.silent.put(name, silence._replace(why=STOPPED))
        kept = [taint for taint in taints_of(self._node(name)) if taint.effect != _EXECUTE]
        return self._acted(name, UNTAINTED, self.cluster.put(with_taints(self._node(name), kept)), cause)

    def _taint(self, name: str) -> Acted | None:
        node, (_, cause) = self._node(name), self._queue.values[name]
        self._queue.drop(name)
        self._zones.count_one(node, self.cluster.now)
        kept = [taint for taint in taints_of(node) if taint.effect != _EXECUTE]
        new = Taint(key_wanted(node) or UNREACHABLE, effect=_EXECUTE)
        return self._acted(
            name,
            f"it gets the taint {new.key}:NoExecute",
            self.cluster.put(with_taints(node, [*kept, new])),
            cause,
        )

    def _count(self) -> None:
        self._clock.put("counted", 1)
        if self._zones.follow(self.state.nodes.objects, self.cluster.now):
            for node in self.state.nodes.objects:
                if any(taint.effect == _EXECUTE for taint in taints_of(node)):
                    self._plan(node.metadata.name, self.cluster.now, _UNTAINT, 0)

    def _next_to_taint(self) -> tuple[int, str] | None:
        """Return which node is tainted next as things stand, and when."""
        found: dict[str, tuple[int, str]] = {}
        for name in self._queue.in_order():
            node = self._node(name)
            if (zone := name_of(node)) not in found and (at := self._zones.next_at(node)) is not None:
                found[zone] = max(at, self.cluster.now), name
        return min(found.values(), key=lambda one: one[0], default=None)

    def _node(self, name: str) -> Node:
        return self.state.nodes.objects[self.state.nodes.index[name]]

    def _acted(self, name: str, why: str, report: Report, cause: int) -> Acted:
        told = Changed(self.name, self.state, "updated", f"Node {name}", why)
        return Acted(report, told.tell, cause or None)
