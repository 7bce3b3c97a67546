"""Resources by which HAMi shares cards: what nodes and pods count of them is slots, not cards.

A card that is full may have slots left, so that "8 of 80" says nothing of how much of the cards is taken.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any

from dashboard.engine import items_of_kinds
from dashboard.kinds.cards import ONE_CARD, SLOTS, Counts
from dashboard.kinds.hami.queries.runs import hami_of
from dashboard.models import Node, Run, Snapshot
from dashboard.queries.configurations import configurations_of
from dashboard.shapes.counted import CountedAs
from scheduler_core.hami.configuration.kube_scheduler import INNER
from scheduler_core.hami.configuration.settings import SWITCHES, read_configuration
from scheduler_core.hami.devices.all_vendors import reading_vendors
from scheduler_core.hami.devices.vendor import Vendor
from scheduler_core.hami.extender.registration import idle_node
from scheduler_core.hami.imports.registered_cards import installed_vendors
from scheduler_core.objects.kinds import NODE
from scheduler_core.objects.problems import BadInput
from scheduler_core.schedulers.registry import registered_devices

_HAMI = "hami"
_KEPT = 64


def counts_of_snapshot(snapshot: Snapshot) -> Counts:
    """Return what the resources count by which HAMi shares the cards that a snapshot's nodes register."""
    return _counts(snapshot.pk, snapshot.content_hash)


def counts_of_vendors(vendors: Iterable[Vendor]) -> Counts:
    """Return what the resources of some vendors' cards count."""
    known = list(vendors)
    named = frozenset[str]().union(*(vendor.names for vendor in known))
    found: dict[str, CountedAs] = dict.fromkeys(named, ONE_CARD)
    found |= dict.fromkeys((vendor.count_name for vendor in known), SLOTS)
    return MappingProxyType({name: counts for name, counts in found.items() if name})


def counts_of_run(run: Run) -> Counts:
    """Return what the resources count by which the run's HAMi shares cards; empty without HAMi."""
    made = hami_of(run)
    return {} if made is None else counts_of_vendors(reading_vendors(made.hami).values())


@lru_cache(maxsize=_KEPT)
def _counts(number: int, _content: str) -> Counts:
    """Return it by a snapshot's number and content, which never changes."""
    snapshot = Snapshot.objects.filter(pk=number).defer("content", "findings").first()
    nodes = iter(()) if snapshot is None else _with_cards(snapshot)
    first = next(nodes, None)
    if snapshot is None or first is None:
        return MappingProxyType({})
    offered = {name for name, figures in snapshot.resources.items() if figures["allocatable"]}
    vendors = _vendors(snapshot)
    left = [vendor for vendor in vendors if vendor.count_name in offered]
    found: set[str] = set()
    for document in chain([first], nodes):
        if not left:
            break
        node = idle_node(document, left, 0)
        registered = set(node.cards) if node is not None else set()
        found |= {vendor.count_name for vendor in left if vendor.key in registered}
        left = [vendor for vendor in left if vendor.count_name not in found]
    return counts_of_vendors(vendor for vendor in vendors if vendor.count_name in found)


def _with_cards(snapshot: Snapshot) -> Iterator[dict[str, Any]]:
    """Yield the nodes that register cards; of a reading that was put away, which has no rows, too."""
    if snapshot.is_put_away:
        yield from filter(registered_devices, items_of_kinds(snapshot, {NODE}))
    else:
        rows = Node.objects.filter(snapshot=snapshot, cards__gt=0)
        yield from rows.values_list("object", flat=True).iterator()


def _vendors(snapshot: Snapshot) -> list[Vendor]:
    """Return the vendors as a release installs them, and as the snapshot's ConfigMaps have them."""
    vendors = list(installed_vendors())
    for one in configurations_of(snapshot):
        if one.scheduler == _HAMI:
            settings = {key: value for key, value in one.config.items() if key != INNER}
            try:
                read = read_configuration(settings | dict.fromkeys(SWITCHES, True))
            except BadInput:
                continue
            vendors += reading_vendors(read).values()
    return vendors
