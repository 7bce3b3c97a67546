"""MetaX shared cards: quality of service, and app classes (online, offline) that keep to themselves.

Source: HAMi v2.10.0 pkg/device/metax/sdevice.go, protocol.go, qos.go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from scheduler_core.go.arithmetic import int32
from scheduler_core.go.parse import parse_bool
from scheduler_core.go.sort import go_sort
from scheduler_core.hami.configuration.settings import MetaxSettings
from scheduler_core.hami.devices.metax_links import LinkedCard, choose_by_links, topology_score
from scheduler_core.hami.devices.vendor import Annotations, NoCards, Refused, UnreadableCards, Vendor
from scheduler_core.hami.rules.cards import Allocated, Card, Request, Taken, Usage
from scheduler_core.hami.rules.constants import (
    APP_CLASS,
    CARD_APP_CLASS_MISMATCH,
    CARD_INSUFFICIENT_MEMORY,
    CARD_QOS_MISMATCH,
    CARD_UNHEALTHY,
    CARD_UUID_MISMATCH,
)
from scheduler_core.hami.rules.encoding import Unreadable, decode_annotation
from scheduler_core.hami.rules.fit import ALL_CORES, Fit, core_reason, slot_reason, take_all, too_few
from scheduler_core.hami.rules.handshake import Health, NodeCheck
from scheduler_core.hami.rules.numbers import MAX_INT32, quotient
from scheduler_core.hami.rules.pod_request import Ask, NodeInfo, Object, accepts_ids, annotations_of, limit_of
from scheduler_core.hami.rules.vendor_memory import Memory
from scheduler_core.objects.amounts.go_quantity import as_int64, canonical, whole

KEY = "Metax-SGPU"
_UNIT = 1024
QOS = "metax-tech.com/sgpu-qos-policy"
_TOPOLOGY = "metax-tech.com/sgpu-topology-aware"
ONLINE, OFFLINE = "online", "offline"
_BEST_EFFORT = "best-effort"
_QOS = (_BEST_EFFORT, "fixed-share", "burst-share")
_USE_ID, _AVOID_ID = "metax-tech.com/use-gpuuuid", "metax-tech.com/nouse-gpuuuid"
_SCORE_OF_ONLINE, _SCORE_OF_OFFLINE, _SCORE_OF_ONLY_OFFLINE = -20, -2, -100
_EXPECTED = f"{KEY}/qos/"


class _Registered(msgspec.Struct):
    uuid: str = ""
    model: str = ""
    totalDevCount: int = 0
    totalCompute: int = 0
    totalVRam: int = 0
    numa: int = 0
    healthy: bool = False
    qosPolicy: str = ""
    linkZone: int = 0


class MetaxSgpu(Vendor):
    """MetaX's shared cards."""

    key = KEY
    units = _UNIT
    to_allocate = "hami.io/metax-sgpu-devices-to-allocate"
    allocated = "hami.io/metax-sgpu-devices-allocated"
    register = "metax-tech.com/node-gpu-devices"
    id_field, health_field = "uuid", "healthy"
    locks = True
    reads = (QOS, APP_CLASS, _TOPOLOGY, _USE_ID, _AVOID_ID)
    id_keys = (_USE_ID, _AVOID_ID)
    fits_by_memory = True
    scores_by_policy = True

    def __init__(self, settings: MetaxSettings, memory: Memory) -> None:
        self.count_name = settings.resource_v_count_name
        self.memory_name = settings.resource_v_memory_name
        self.core_name = settings.resource_v_core_name
        self._topology_aware = settings.sgpu_topology_aware
        self._memory = memory

    # -- webhook -------------------------------------------------------------------------------------

    def mutate(self, container: Object, pod: Object) -> bool:
        count = limit_of(container, self.count_name)
        if count is None:
            return False
        annotations = annotations_of(pod)
        app_class, qos = annotations.get(APP_CLASS), annotations.get(QOS)
        if app_class is not None and app_class not in (ONLINE, OFFLINE):
            raise Refused(f"{APP_CLASS} must be set one of [{ONLINE}, {OFFLINE}]")
        if app_class is not None and whole(count) != 1:
            raise Refused("app-class pod must request single device")
        if app_class == ONLINE:
            return True
        if qos is None:
            pod["metadata"].setdefault("annotations", {})[QOS] = _BEST_EFFORT
        elif qos not in _QOS:
            raise Refused(f"{QOS} must be set one of [{', '.join(_QOS)}]")
        return True

    # -- registration --------------------------------------------------------------------------------

    def cards(self, check: NodeCheck) -> tuple[Card, ...]:
        text = check.annotations.get(self.register)
        try:
            found = () if text is None else _decode(text)
        except Unreadable as error:
            raise UnreadableCards(self.register, str(error)) from None
        if not found:
            raise NoCards(f"no sdevice found on node {check.name}")
        for item in found:
            if self._memory.get(_EXPECTED + item.uuid) == item.qosPolicy:
                self._memory.forget(_EXPECTED + item.uuid)
        return tuple(_card(index, item) for index, item in enumerate(found))

    def health(self, check: NodeCheck) -> Health:
        return Health(bool(_read(check.annotations.get(self.register, ""))), True)

    # -- requests ------------------------------------------------------------------------------------

    def request(self, container: Object) -> Request | None:
        limit = limit_of(container, self.count_name)
        count = None if limit is None else as_int64(limit)
        if count is None or not 0 < count <= MAX_INT32:
            return None
        text = limit_of(container, self.core_name)
        cores = None if text is None else as_int64(text)
        memory = self._memory_of(container)
        if memory is None or (cores is not None and not 0 <= cores <= MAX_INT32):
            return None
        return self.ask(count, memory, 0 if memory else 100, ALL_CORES if cores is None else cores)

    def _memory_of(self, container: Object) -> int | None:
        """Return the MiB, None where they can't be read: with a unit they are bytes, else GiB."""
        text = limit_of(container, self.memory_name)
        amount = None if text is None else as_int64(text)
        if amount is None:
            return 0
        if any(character.isalpha() for character in canonical(text)):
            memory = quotient(quotient(amount, 1024), 1024)
        elif not 0 <= amount <= MAX_INT32 // _UNIT:
            return None
        else:
            memory = amount * _UNIT
        return memory if 0 <= memory <= MAX_INT32 else None

    # -- fit -----------------------------------------------------------------------------------------

    def fit(
        self, cards: Sequence[Usage], request: Request, ask: Ask, node: NodeInfo, allocated: Allocated
    ) -> Fit:
        rules = _Rules(request, ask, self._memory)
        taken, reasons = take_all(cards, rules.why, rules.take)
        if len(taken) < request.nums:
            return too_few(taken, reasons, len(cards))
        app_class = ask.annotations.get(APP_CLASS)
        if len(taken) > request.nums:
            if app_class == ONLINE:
                _quiet_first(taken, {usage.card.id: usage.classes for usage in cards})
            elif app_class is None and request.cores == ALL_CORES:
                taken = choose_by_links(taken, request.nums)
        return Fit(taken[: request.nums])

    def charge(self, ask: Ask, usage: Usage, taken: Taken) -> str:
        if usage.qos is not None and ask.annotations.get(APP_CLASS) != ONLINE:
            usage.qos = _expected_qos(ask, taken)
        return super().charge(ask, usage, taken)

    def node_score(
        self, node: NodeInfo, pieces: list[list[Taken]], before: Sequence[Usage], policy: str
    ) -> float:
        taken = [one for piece in pieces for one in piece]
        annotations: Mapping[str, str] = next(((one.custom or {})["annotations"] for one in taken), {})
        if annotations.get(APP_CLASS) == ONLINE:
            chosen = {one.id for one in taken}
            return float(sum(_score(usage.classes) for usage in before if usage.card.id in chosen))
        whole_cards = [one for one in taken if one.cores == ALL_CORES]
        wish = parse_bool(annotations.get(_TOPOLOGY, ""))
        if whole_cards and (self._topology_aware if wish is None else wish):
            idle = [LinkedCard(usage.card.id, _zone(usage.card)) for usage in before if usage.used == 0]
            return float(topology_score(whole_cards, idle))
        return 0.0

    # -- telling -------------------------------------------------------------------------------------

    def annotate(self, ask: Ask, annotations: Annotations, pieces: list[list[Taken]], now: int) -> None:
        super().annotate(ask, annotations, pieces, now)
        told = [[_told(taken) for taken in piece] for piece in pieces]
        annotations["metax-tech.com/gpu-devices-allocated"] = msgspec.json.encode(told).decode()
        annotations["metax-tech.com/predicate-time"] = str(now)
        if ask.annotations.get(APP_CLASS) != ONLINE:
            for taken in (taken for piece in pieces for taken in piece):
                self._expect(ask, taken)

    def _expect(self, ask: Ask, taken: Taken) -> None:
        """Remember which quality of service a card will have, until its node says so."""
        expected = _expected_qos(ask, taken)
        if (taken.custom or {}).get("qos") not in (None, expected):
            self._memory.keep(_EXPECTED + taken.id, expected)


class _Rules:
    def __init__(self, request: Request, ask: Ask, memory: Memory) -> None:
        self._request, self._ask, self._memory = request, ask, memory
        self._app_class = ask.annotations.get(APP_CLASS, "")
        self._qos = ask.annotations.get(QOS, "")
        self._accepts_id = accepts_ids(ask.annotations, _USE_ID, _AVOID_ID)
        self._online = self._app_class == ONLINE

    def why(self, usage: Usage) -> str:
        """Return why a card can't be had."""
        if not usage.health:
            return CARD_UNHEALTHY
        if not self._class_fits(usage):
            return CARD_APP_CLASS_MISMATCH
        if not self._online and not self._qos_fits(usage):
            return CARD_QOS_MISMATCH
        if self._accepts_id is not None and not self._accepts_id(usage.card.id):
            return CARD_UUID_MISMATCH
        reason = slot_reason(usage, self._ask.mutex)
        if not reason and usage.memory_left < self._memory_on(usage):
            reason = CARD_INSUFFICIENT_MEMORY
        if not reason and not self._online:
            reason = core_reason(usage, usage.card.cores, self._request.cores)
        return reason

    def take(self, usage: Usage) -> Taken:
        """Return the card as the container gets it; an online pod has its cores beside the others."""
        cores = 0 if self._online else self._request.cores
        carried = {"qos": usage.qos, "zone": _zone(usage.card), "annotations": self._ask.annotations}
        card = usage.card
        return Taken(card.index, card.id, card.type, self._memory_on(usage), cores, carried)

    def _memory_on(self, usage: Usage) -> int:
        request = self._request
        if request.memory > 0:
            return request.memory
        return quotient(int32(usage.card.memory * request.percentage), 100)

    def _class_fits(self, usage: Usage) -> bool:
        if usage.used == 0:
            return True
        online, offline = ONLINE in usage.classes, OFFLINE in usage.classes
        if (online or offline) != (self._app_class in (ONLINE, OFFLINE)):
            return False
        return not (online and self._app_class == OFFLINE)

    def _qos_fits(self, usage: Usage) -> bool:
        if usage.used == 0 or self._request.cores == ALL_CORES:
            return True
        expected = self._memory.get(_EXPECTED + usage.card.id)
        qos = (usage.qos or "") if expected is None else expected
        return qos in ("", self._qos)


def _expected_qos(ask: Ask, taken: Taken) -> str:
    return "" if taken.cores == ALL_CORES else ask.annotations.get(QOS, "")


def _quiet_first(taken: list[Taken], classes: Mapping[str, Sequence[str]]) -> None:
    """Sort by the online pods on the cards, then the offline ones; those with offline ones only come last."""
    counts = {card: (found.count(ONLINE), found.count(OFFLINE)) for card, found in classes.items()}

    def key(one: Taken) -> tuple[bool, int, int]:
        online, offline = counts[one.id]
        return (online == 0 and offline > 0, online, offline)

    go_sort(taken, lambda one, other: key(one) < key(other))


def _score(classes: Sequence[str]) -> int:
    online, offline = classes.count(ONLINE), classes.count(OFFLINE)
    if offline and not online:
        return _SCORE_OF_ONLY_OFFLINE * offline
    return _SCORE_OF_ONLINE * online + _SCORE_OF_OFFLINE * offline


@lru_cache(maxsize=4096)
def _read(text: str) -> tuple[_Registered, ...]:
    try:
        return _decode(text)
    except Unreadable:
        return ()


def _decode(text: str) -> tuple[_Registered, ...]:
    return tuple(decode_annotation(text, list[_Registered] | None) or ())


def _card(index: int, item: _Registered) -> Card:
    custom = {"QosPolicy": item.qosPolicy, "Model": item.model, "LinkZone": item.linkZone}
    return Card(
        item.uuid,
        index,
        item.totalDevCount,
        item.totalVRam,
        item.totalCompute,
        KEY,
        item.numa,
        health=item.healthy,
        custom=custom,
    )


def _zone(card: Card) -> int:
    zone = card.custom.get("LinkZone", 0)
    return zone if isinstance(zone, int) else 0


def _told(taken: Taken) -> dict[str, str | int]:
    told: dict[str, str | int] = {"uuid": taken.id}
    if taken.cores:
        told["compute"] = taken.cores
    if taken.memory:
        told["vRam"] = taken.memory
    return told
