"""The handshake by which the scheduler notices that a node's device plugin no longer answers.

The scheduler writes `Requesting_<moment>`, the device plugin overwrites it.

Source: HAMi v2.10.0 pkg/device/devices.go CheckHealth.
"""

from __future__ import annotations

from typing import NamedTuple

from scheduler_core.hami.rules.pod_request import Object, annotations_of
from scheduler_core.hami.rules.times import SECOND, date_time, read_date_time
from scheduler_core.objects.amounts.go_quantity import as_int64, whole

_REQUESTING = "Requesting"
_PATIENCE = 60 * SECOND


class Health(NamedTuple):
    """`fresh`: what the node registers is to be taken over."""

    healthy: bool
    fresh: bool


class NodeCheck:
    """One look at a node: what is read of it, and in `patches` what is to be written to its annotations."""

    def __init__(self, node: Object, now: int) -> None:
        self.node = node
        self.name: str = node["metadata"]["name"]
        self.annotations = annotations_of(node)
        self.patches: dict[str, str | None] = {}
        self._now = now

    def capacity(self, resource: str) -> int | None:
        """Return a resource's capacity, 0 where it has none; None where it is no whole number."""
        text = ((self.node.get("status") or {}).get("capacity") or {}).get(resource)
        return 0 if text is None else as_int64(text)

    def allocatable(self, resource: str) -> int:
        """Return how much of a resource pods may have."""
        text = ((self.node.get("status") or {}).get("allocatable") or {}).get(resource)
        return 0 if text is None else whole(text)

    def shake_hands(self, key: str, count_name: str) -> Health:
        """Return what the handshake in an annotation says; ask again where it was answered."""
        text = self.annotations.get(key, "")
        if _REQUESTING not in text:
            self.patches[key] = f"{_REQUESTING}_{date_time(self._now)}"
            return Health(True, True)
        asked = read_date_time(text.partition("_")[2])
        if asked is None or self._now < asked + _PATIENCE or self.allocatable(count_name) > 0:
            return Health(True, False)
        return Health(False, False)
