"""What HAMi hears of pods, and what it so counts: cards in the inventory, memory and cores in quotas.

Source: HAMi v2.10.0 pkg/scheduler/scheduler.go onAddPod, onUpdatePod, onDelPod; pkg/device/pods.go.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from scheduler_core.hami.devices.vendor import Vendor
from scheduler_core.hami.rules.cards import Allocated, Holding
from scheduler_core.hami.rules.constants import APP_CLASS, ASSIGNED_NODE, MIG_ALLOCATIONS
from scheduler_core.hami.rules.encoding import Unreadable, read_mig, read_pod_cards
from scheduler_core.hami.rules.holdings import collapse, without_init_containers
from scheduler_core.hami.rules.pod_request import (
    Object,
    annotations_of,
    init_containers_of,
    key_of,
    namespace_of,
    uid_of,
)
from scheduler_core.hami.rules.quota import Quotas
from scheduler_core.hami.rules.usage import Inventory
from scheduler_core.objects.identity import has_ended
from scheduler_core.schedulers.card_tables import CardSlice, HoldingRow


class Pods:
    """Pods that hold cards."""

    def __init__(self, inventory: Inventory, quotas: Quotas, vendors: Mapping[str, Vendor]) -> None:
        self._inventory = inventory
        self._quotas = quotas
        self._given = {key: vendor.allocated for key, vendor in vendors.items()}

    def hold(self, pod: Object, node: str, holding: Holding) -> None:
        """Let a pod hold cards of a node."""
        self._hold(pod, _row(pod, node, holding))

    def release(self, uid: str, namespace: str) -> None:
        """Let a pod hold no cards."""
        row = self._inventory.take_out(uid)
        if row is not None:
            self._quotas.remove(namespace, row.devices)

    def added(self, pod: Object) -> None:
        """Hear of a pod: what its annotations say it was given is counted, unless it is over."""
        annotations = annotations_of(pod)
        if ASSIGNED_NODE not in annotations:
            return
        if has_ended(pod):
            self.release(uid_of(pod), namespace_of(pod))
        elif _is_terminating(pod):
            self._refresh(pod)
        elif (row := self._row_when_new(pod)) is not None:
            self._hold(pod, row)

    def updated(self, pod: Object) -> None:
        """Hear of a pod that has changed: it may be over, or through with its init containers."""
        held = self._inventory.holdings.rows.get(uid_of(pod))
        if held is None or ASSIGNED_NODE not in annotations_of(pod) or has_ended(pod):
            self.added(pod)
            return
        self._refresh(pod)
        if not _is_terminating(pod) and not held.init_done and _init_containers_are_done(pod):
            self._shrink(pod)

    def replaced(self, before: Object, after: Object) -> None:
        """Hear that a pod is no more, and that there is another or the same anew."""
        if uid_of(before) != uid_of(after) or not self._holds_already(after):
            self.deleted(before)
            self.added(after)

    def _holds_already(self, pod: Object) -> bool:
        """Tell whether a pod holds what it would hold if it were new."""
        held = self._inventory.holdings.rows.get(uid_of(pod))
        if held is None or ASSIGNED_NODE not in annotations_of(pod) or has_ended(pod) or _is_terminating(pod):
            return False
        return held == self._row_when_new(pod)

    def _hold(self, pod: Object, row: HoldingRow) -> None:
        if self._inventory.add(uid_of(pod), row):
            self._quotas.add(namespace_of(pod), row.devices)

    def _row_when_new(self, pod: Object) -> HoldingRow | None:
        """Return what a pod's annotations say it was given, None where they can't be read."""
        given = self._read(pod)
        if given is None:
            return None
        return _row(pod, annotations_of(pod)[ASSIGNED_NODE], collapse(given, len(init_containers_of(pod))))

    def deleted(self, pod: Object) -> None:
        """Hear of a pod that is no more."""
        if ASSIGNED_NODE in annotations_of(pod):
            self.release(uid_of(pod), namespace_of(pod))

    def _refresh(self, pod: Object) -> None:
        """Take over what a pod's annotations now say beside its cards."""
        row = self._inventory.holdings.rows.get(uid_of(pod))
        if row is None:
            return
        slices, app_class = _marks(pod)
        if (slices, app_class) != (row.slices, row.app_class):
            self._inventory.holdings.put(uid_of(pod), replace(row, slices=slices, app_class=app_class))

    def _shrink(self, pod: Object) -> None:
        """Let go what only init containers needed."""
        given = self._read(pod)
        if given is None:
            return
        uid, namespace = uid_of(pod), namespace_of(pod)
        row = self._inventory.holdings.rows[uid]
        left = without_init_containers(given, len(init_containers_of(pod)))
        self._quotas.remove(namespace, row.devices)
        self._quotas.add(namespace, left)
        self._inventory.holdings.put(uid, replace(row, devices=left, init_done=True))

    def _read(self, pod: Object) -> Allocated | None:
        try:
            return read_pod_cards(annotations_of(pod), self._given)
        except Unreadable:
            return None


def _row(pod: Object, node: str, holding: Holding) -> HoldingRow:
    slices, app_class = _marks(pod)
    held = {vendor: cards for vendor, cards in holding.items() if cards}
    return HoldingRow(key_of(pod), node, held, slices, app_class)


def _marks(pod: Object) -> tuple[list[CardSlice], str]:
    """Return a pod's slices of cards in MIG mode and its app class."""
    annotations = annotations_of(pod)
    slices = [CardSlice(card, *taken) for card, taken in read_mig(annotations.get(MIG_ALLOCATIONS))]
    return slices, annotations.get(APP_CLASS, "")


def _is_terminating(pod: Object) -> bool:
    return pod["metadata"].get("deletionTimestamp") is not None


def _init_containers_are_done(pod: Object) -> bool:
    statuses = (pod.get("status") or {}).get("initContainerStatuses") or ()
    ended = [(status.get("state") or {}).get("terminated") for status in statuses]
    return bool(ended) and all(end is not None and not end.get("exitCode") for end in ended)
