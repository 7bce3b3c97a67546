"""The lock of a node, taken by a bind until the device plugin has handed the cards over: an annotation.

`moment,namespace,pod`; a bare moment is understood too. A lock that is older than the timeout, or whose pod
is no more, is replaced.

Source: HAMi v2.10.0 pkg/util/nodelock/nodelock.go, pkg/scheduler/scheduler.go lockAllDevices.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from scheduler_core.go.duration import duration_text, parse_duration
from scheduler_core.go.rfc3339 import parse_rfc3339
from scheduler_core.hami.devices.vendor import Vendor
from scheduler_core.hami.extender.api_client import Objects
from scheduler_core.hami.rules.constants import NODE_LOCK
from scheduler_core.hami.rules.pod_request import (
    Object,
    annotations_of,
    containers_of,
    key_of,
    namespace_of,
    resources_of,
)
from scheduler_core.hami.rules.times import rfc3339


class LockError(Exception):
    """Why a node can't be locked."""


class Lock(NamedTuple):
    """Who holds a lock since when; `pod` is `namespace/name`, empty where the lock doesn't say."""

    since: int
    pod: str


def read_lock(text: str) -> Lock:
    """Return what a lock says. Raises LockError."""
    parts = text.split(",")
    if len(parts) not in (1, 3):
        raise LockError(f"malformed lock annotation: expected 3 parts, got {len(parts)} from {text}")
    try:
        since = parse_rfc3339(parts[0])
    except ValueError as error:
        raise LockError(str(error)) from None
    return Lock(since, f"{parts[1]}/{parts[2]}" if len(parts) == 3 and parts[1] and parts[2] else "")


class NodeLocks:
    """Locks and releases nodes for pods."""

    def __init__(self, objects: Objects, timeout: str) -> None:
        self._objects = objects
        self._timeout = parse_duration(timeout) or 0

    def acquire(self, node: str, pod: Object, vendors: Sequence[Vendor], now: int) -> None:
        """Lock a node for all vendors that want it, in order. Raises LockError, and holds nothing then."""
        acquired: list[Vendor] = []
        wanting = wanting_lock(pod, vendors)
        for vendor in vendors:
            try:
                if vendor in wanting:
                    self._acquire_one(node, pod, vendor, now)
            except LockError:
                self.release(node, pod, acquired[::-1])
                raise
            acquired.append(vendor)

    def release(self, node: str, pod: Object, vendors: Sequence[Vendor]) -> None:
        """Release what the pod holds of a node's locks; a vendor's own lock is released whoever holds it."""
        for vendor in vendors:
            if vendor.own_lock:
                self._delete(node, vendor.own_lock)
            elif vendor.wants_lock(pod) and self._is_releasable(node, pod):
                self._delete(node, NODE_LOCK)

    def _acquire_one(self, node: str, pod: Object, vendor: Vendor, now: int) -> None:
        if vendor.own_lock:
            self._acquire_own(node, vendor, now)
        else:
            self._acquire_common(node, pod, now)

    def _acquire_own(self, node: str, vendor: Vendor, now: int) -> None:
        text = self._annotations(node).get(vendor.own_lock)
        if text is not None and now - read_lock_moment(text) <= vendor.own_lock_timeout:
            raise LockError(f"node {node} has been locked within 2 minutes")
        self._objects.patch_node(node, {vendor.own_lock: rfc3339(now)})

    def _acquire_common(self, node: str, pod: Object, now: int) -> None:
        text = self._annotations(node).get(NODE_LOCK)
        if text is not None:
            lock = read_lock(text)
            if now - lock.since <= self._timeout:
                if lock.pod == key_of(pod):
                    return
                if not lock.pod or self._objects.pod(lock.pod) is not None:
                    within = duration_text(self._timeout)
                    raise LockError(f"node {node} has been locked within {within}: node lock contention")
        owner = f"{rfc3339(now)},{namespace_of(pod)},{pod['metadata']['name']}"
        self._objects.patch_node(node, {NODE_LOCK: owner})

    def _is_releasable(self, node: str, pod: Object) -> bool:
        text = self._annotations(node).get(NODE_LOCK)
        owner = f",{namespace_of(pod)},{pod['metadata']['name']}"
        return text is not None and ("," not in text or text.endswith(owner))

    def _delete(self, node: str, key: str) -> None:
        if key in self._annotations(node):
            self._objects.patch_node(node, {key: None})

    def _annotations(self, node: str) -> Mapping[str, str]:
        item = self._objects.node(node)
        return {} if item is None else annotations_of(item)


def wanting_lock(pod: Object, vendors: Iterable[Vendor]) -> list[Vendor]:
    """Return the vendors for which a bind of the pod has to lock its node."""
    names = {name for container in containers_of(pod) for name in resources_of(container)}
    return [vendor for vendor in vendors if not vendor.names.isdisjoint(names) and vendor.wants_lock(pod)]


def read_lock_moment(text: str) -> int:
    """Return the moment of a lock that says no more. Raises LockError."""
    try:
        return parse_rfc3339(text)
    except ValueError as error:
        raise LockError(str(error)) from None
