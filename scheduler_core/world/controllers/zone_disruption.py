"""How fast nodes of a zone get NoExecute taints: one in ten seconds, and fewer or none where many fail.

A zone is disrupted in full if none of its nodes is ready, in part if more than two and at least 55 % are
not. Where all zones are disrupted in full nothing is tainted: then the control plane itself may be cut off.

Source: kubernetes v1.36 pkg/controller/nodelifecycle/node_lifecycle_controller.go ComputeZoneState,
handleDisruption, setLimiterInZone, ReducedQPSFunc; scheduler/rate_limited_queue.go SwapLimiter;
cmd/kube-controller-manager/app/options/nodelifecyclecontroller.go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from scheduler_core.objects.types import Node
from scheduler_core.state.journal import Journal
from scheduler_core.state.node_order import zone_of
from scheduler_core.state.nodes import is_ready
from scheduler_core.state.register import Register

NORMAL, PARTIAL, FULL = "normal", "partial", "full"
_EXCLUDED = "node.kubernetes.io/exclude-disruption"
_SECOND = 10**9
_USUAL, _REDUCED, _NEVER = 10 * _SECOND, 100 * _SECOND, 0
_LARGE = 50
_MANY, _SHARE = 2, (55, 100)


class Zone(NamedTuple):
    """A zone's state; one node is tainted in `every` nanoseconds (0: none), the next not before `after`."""

    state: str
    every: int
    after: int


class Zones:
    """The zones, by region and zone. `known` is a register of the controller that asks."""

    def __init__(self, journal: Journal) -> None:
        self.known: Register[str, Zone] = Register(journal, read=lambda value: Zone(*value))
        self._nodes: dict[int, tuple[Node, str, bool | None]] = {}
        """What was read of nodes, by the id of their version: zone, and whether it is ready, if it counts."""

    def next_at(self, node: Node) -> int | None:
        """Return from when on the node's zone lets one be tainted, None if it lets none."""
        zone = self.known.values[name_of(node)]
        return zone.after if zone.every else None

    def count_one(self, node: Node, now: int) -> None:
        """Note that a node is tainted now."""
        zone = self.known.values[name_of(node)]
        self.known.put(name_of(node), zone._replace(after=now + zone.every))

    def begin(self, nodes: Sequence[Node]) -> None:
        """Take the zones as they are, as if their controller had been at work for long."""
        states = self._states(nodes)
        stopped = states and all(state == FULL for state, _ in states.values())
        for name, (state, size) in states.items():
            self.known.put(name, Zone(state, _NEVER if stopped else _every(state, size), 0))

    def follow(self, nodes: Sequence[Node], now: int) -> bool:
        """Follow what has become of the nodes. Return whether now all zones are disrupted in full."""
        states = self._states(nodes)
        was_stopped = bool(self.known.values) and all(
            zone.state == FULL for name, zone in self.known.values.items() if name in states
        )
        stopped = bool(states) and all(state == FULL for state, _ in states.values())
        for name in [name for name in self.known.values if name not in states]:
            self.known.drop(name)
        for name, (state, size) in states.items():
            zone = self.known.get(name) or Zone(NORMAL, _USUAL, now)
            if stopped:
                zone = _swapped(zone, FULL, _NEVER, now)
            elif was_stopped or zone.state != state:
                zone = _swapped(zone, state, _every(state, size), now)
            if zone != self.known.get(name):
                self.known.put(name, zone)
        return stopped and not was_stopped

    def _states(self, nodes: Sequence[Node]) -> dict[str, tuple[str, int]]:
        """Return of each zone its state, and how many nodes it has that count."""
        known = self._nodes
        self._nodes = {id(node): known[id(node)] if id(node) in known else _read(node) for node in nodes}
        counts = Counter((name, ready) for _, name, ready in self._nodes.values())
        return {
            name: (_state(counts[name, True], counts[name, False]), counts[name, True] + counts[name, False])
            for name in dict.fromkeys(name for _, name, _ in self._nodes.values())
        }


def _read(node: Node) -> tuple[Node, str, bool | None]:
    counts = _EXCLUDED not in (node.metadata.labels or {})
    return node, name_of(node), is_ready(node) if counts else None


def _state(ready: int, failed: int) -> str:
    part, whole = _SHARE
    if failed and not ready:
        return FULL
    return PARTIAL if failed > _MANY and failed * whole >= part * (failed + ready) else NORMAL


def _every(state: str, size: int) -> int:
    if state != PARTIAL:
        return _USUAL
    return _REDUCED if size > _LARGE else _NEVER


def _swapped(zone: Zone, state: str, every: int, now: int) -> Zone:
    """Return a zone with another limit; a new one begins empty where the old one would have one wait."""
    if every == zone.every:
        return zone._replace(state=state)
    waits = not zone.every or zone.after > now
    return Zone(state, every, now + every if waits else now)


def name_of(node: Node) -> str:
    """Return a node's region and zone as one text."""
    return "/".join(zone_of(node))
