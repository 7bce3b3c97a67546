"""How many cards a node registers with HAMi, under the device configuration that a release installs."""

from __future__ import annotations

from functools import cache

from scheduler_core.hami.asking import Object
from scheduler_core.hami.configuration import read_configuration
from scheduler_core.hami.devices.table import make_vendors
from scheduler_core.hami.devices.vendor import Vendor
from scheduler_core.hami.memory import Memory
from scheduler_core.hami.quota import Quotas
from scheduler_core.hami.registration import idle_node
from scheduler_core.state.journal import Journal


def registered_cards(node: Object) -> int:
    """Return how many cards of all vendors a node registers; whether they can be had doesn't matter."""
    found = idle_node(node, _vendors(), 0)
    return 0 if found is None else sum(map(len, found.cards.values()))


@cache
def _vendors() -> tuple[Vendor, ...]:
    journal = Journal()
    configuration = read_configuration({"enableAscend": True, "enableIluvatar": True})
    return tuple(make_vendors(configuration, Quotas(journal), Memory(journal)).values())
