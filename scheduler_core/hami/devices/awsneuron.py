"""AWS Neuron: whole devices, or the one or two cores of a device as bits.

Source: HAMi v2.10.0 pkg/device/awsneuron/device.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scheduler_core.go.arithmetic import int32
from scheduler_core.hami.configuration.settings import AwsNeuronSettings
from scheduler_core.hami.devices.vendor import Annotations, NoCards, Refused, Vendor
from scheduler_core.hami.rules.cards import Allocated, Card, Request, Taken, Usage
from scheduler_core.hami.rules.constants import (
    ASSIGNED_NODE,
    CARD_INSUFFICIENT_CORE,
    CARD_NOT_HEALTHY,
    CARD_UUID_MISMATCH,
    NUMA_NOT_FIT,
)
from scheduler_core.hami.rules.fit import Fit, refuse, slot_reason, take_first
from scheduler_core.hami.rules.handshake import NodeCheck
from scheduler_core.hami.rules.numbers import MAX_INT32
from scheduler_core.hami.rules.pod_request import (
    Ask,
    NodeInfo,
    Object,
    accepts_ids,
    all_containers,
    amount_of,
    limit_of,
)
from scheduler_core.hami.rules.vendor_memory import Memory
from scheduler_core.objects.amounts.go_quantity import as_int64

KEY = "AWSNeuron"
_MOST_CORES = 2
_FIRST, _SECOND, _BOTH = 1, 2, 3
_MOST_DEVICES = MAX_INT32
_TYPE_LABEL = "node.kubernetes.io/instance-type"
_NODE_TYPE = "AWSNodeType"
_ALIGNED = (4, 8, 16)
_USE_ID, _AVOID_ID = "aws.amazon.com/use-neuron-uuid", "aws.amazon.com/nouse-neuron-uuid"
_CORES_KNOWN = f"{KEY}/cores"


class AwsNeuron(Vendor):
    """Neuron devices. The cores of a device are those of the first node that registered."""

    key = KEY
    allocated = "hami.io/aws-neuron-devices-allocated"
    reads = id_keys = (_USE_ID, _AVOID_ID)

    def __init__(self, settings: AwsNeuronSettings, memory: Memory) -> None:
        self.count_name = settings.resource_count_name
        self.core_name = settings.resource_core_name
        self._memory = memory

    @property
    def cores_of_device(self) -> int:
        """How many cores a device has, 0 as long as no node has registered."""
        return int(self._memory.get(_CORES_KNOWN) or 0)

    # -- webhook -------------------------------------------------------------------------------------

    def mutate(self, container: Object, pod: Object) -> bool:
        devices = amount_of(container, self.count_name)
        if devices is not None:
            _checked(devices, self.count_name, _MOST_DEVICES)
            return True
        cores = amount_of(container, self.core_name)
        if cores is None:
            return False
        self._split(_checked(cores, self.core_name, _MOST_DEVICES * _MOST_CORES))
        return True

    def _split(self, cores: int) -> tuple[int, int]:
        """Return how many devices with how many cores each. Raises Refused for what doesn't fill devices."""
        each = min(self.cores_of_device, _MOST_CORES) or _MOST_CORES
        if cores <= each:
            return 1, cores
        if cores % each:
            raise Refused(f"{self.core_name} must be 1 or a multiple of {each}, got {cores}")
        if cores // each > _MOST_DEVICES:
            needed = f"{self.core_name} needs {cores // each} devices"
            raise Refused(f"{needed}, which exceeds the maximum of {_MOST_DEVICES}")
        return cores // each, each

    # -- registration --------------------------------------------------------------------------------

    def cards(self, check: NodeCheck) -> tuple[Card, ...]:
        count = self.counted(check)
        if count < 0:
            raise NoCards(f"device not found {self.count_name}")
        if not self.cores_of_device:
            cores = (check.capacity(self.core_name) or 0) // count
            if cores:
                self._memory.keep(_CORES_KNOWN, cores)
        cores = self.cores_of_device
        labels = check.node["metadata"].get("labels") or {}
        custom = {_NODE_TYPE: labels.get(_TYPE_LABEL, "")}
        mask = int32(2 ** min(cores, 32) - 1)
        return tuple(
            Card(f"{check.name}-AWSNeuron-{index}", index, int32(cores), 0, mask, KEY, custom=custom)
            for index in self.numbered(count)
        )

    # -- requests ------------------------------------------------------------------------------------

    def request(self, container: Object) -> Request | None:
        devices = amount_of(container, self.count_name)
        cores = amount_of(container, self.core_name)
        try:
            if devices is not None:
                count = _checked(devices, self.count_name, _MOST_DEVICES)
                return self.ask(count, cores=self.cores_of_device)
            if cores is not None:
                nums, each = self._split(_checked(cores, self.core_name, _MOST_DEVICES * _MOST_CORES))
                return self.ask(nums, cores=each)
        except Refused:
            pass
        return None

    # -- fit -----------------------------------------------------------------------------------------

    def fit(
        self, cards: Sequence[Usage], request: Request, ask: Ask, node: NodeInfo, allocated: Allocated
    ) -> Fit:
        if request.nums == 1:
            rules = _Rules(request, ask)
            return take_first(cards, 1, rules.why, rules.take)
        places = _neighbours(cards, request.nums)
        if not places:
            return refuse(NUMA_NOT_FIT, len(cards))
        found = (next((usage for usage in cards if usage.card.index == place), None) for place in places)
        return Fit(
            [
                Taken(usage.card.index, usage.card.id, KEY, usage.card.memory, usage.card.cores)
                for usage in found
                if usage is not None
            ]
        )

    # -- telling -------------------------------------------------------------------------------------

    def annotate(self, ask: Ask, annotations: Annotations, pieces: list[list[Taken]], now: int) -> None:
        super().annotate(ask, annotations, pieces, now)
        ids: list[str] = []
        for container, piece in zip(all_containers(ask.pod), pieces, strict=False):
            limit = limit_of(container, self.count_name)
            for taken in piece:
                ids += self._ids(taken, limit)
                if limit is None and taken.cores & _BOTH:
                    annotations["NEURON_RESOURCE_TYPE"] = self.core_name
            if ids and piece:
                annotations["AWS_NEURON_IDS"] = ",".join(ids)
                annotations["NEURON_ALLOC_TIME"] = str(now)
                annotations["NEURON_ALLOCATED"] = "false"
                annotations["aws.amazon.com/predicate-node"] = annotations[ASSIGNED_NODE]

    def _ids(self, taken: Taken, limit: Any) -> list[str]:
        """Return the device's number for a container that has a limit on devices, else those of its cores."""
        if limit is not None:
            return [str(taken.index)] if (as_int64(limit) or 0) > 0 else []
        first = self.cores_of_device * taken.index
        return [str(first + place) for place, core in enumerate((_FIRST, _SECOND)) if taken.cores & core]


class _Rules:
    """One device, or some of its cores."""

    def __init__(self, request: Request, ask: Ask) -> None:
        self._cores, self._mutex = request.cores, ask.mutex
        self._accepts_id = accepts_ids(ask.annotations, _USE_ID, _AVOID_ID)

    def why(self, usage: Usage) -> str:
        """Return why a device can't be had."""
        if not usage.health:
            return CARD_NOT_HEALTHY
        if self._accepts_id is not None and not self._accepts_id(usage.card.id):
            return CARD_UUID_MISMATCH
        reason = slot_reason(usage, self._mutex)
        if not reason and _bits(usage.card.cores) - _bits(usage.cores) < self._cores:
            reason = CARD_INSUFFICIENT_CORE
        return reason

    def take(self, usage: Usage) -> Taken:
        """Return the device with the cores that the container gets, as bits."""
        if usage.cores == 0 and self._cores in (1, 2):
            bits = _BOTH if self._cores == 2 else _FIRST
        else:
            bits = _BOTH - usage.cores
        return Taken(usage.card.index, usage.card.id, KEY, 0, bits)


def _bits(mask: int) -> int:
    return mask.bit_count() if mask > 0 else 0


def _neighbours(cards: Sequence[Usage], wanted: int) -> range:
    """Return the places of idle devices side by side; only Inferentia may begin anywhere."""
    if not cards:
        return range(0)
    node_type = cards[0].card.custom.get(_NODE_TYPE, "")
    anywhere = "inf" in node_type or "Inf" in node_type
    if not anywhere and wanted not in _ALIGNED:
        return range(0)
    for start in range(0, len(cards) - wanted + 1, 1 if anywhere else wanted):
        if all(usage.used == 0 and usage.health for usage in cards[start : start + wanted]):
            return range(start, start + wanted)
    return range(0)


def _checked(text: Any, name: str, most: int) -> int:
    """Return an amount. Raises Refused for one that can't be asked for."""
    number = as_int64(text)
    if number is None:
        raise Refused(f"{name} must be an integer")
    if number <= 0:
        raise Refused(f"{name} must be greater than 0")
    if number > most:
        raise Refused(f"{name} must not exceed {most}")
    return number
