"""HAMi's settings as a run is given them: with the switches that the snapshot's nodes call for.

A scenario's own settings stay as they were written; a run has them frozen with what followed from the nodes.
"""

from functools import lru_cache
from typing import Any

import msgspec

from dashboard.models import Node, Snapshot
from scheduler_core.hami.imports.switches import with_switches
from scheduler_core.objects.problems import BadInput

Settings = dict[str, Any]
_KEPT = 64


def settled(snapshot: Snapshot, settings: Settings | None) -> Settings | None:
    """Return the settings with what follows from the nodes; those that cannot be read as they are."""
    text = msgspec.json.encode(settings)
    try:
        found: Settings | None = msgspec.json.decode(_found(snapshot.pk, snapshot.content_hash, text))
    except BadInput:
        return settings
    return settings if found == settings else found


@lru_cache(maxsize=_KEPT)
def _found(snapshot: int, _content: str, settings: bytes) -> bytes:
    """Return settings by a snapshot's number and content, which never changes. Raises BadInput."""
    given = msgspec.json.decode(settings)
    nodes = Node.objects.filter(snapshot=snapshot)
    if "deviceConfig" not in (given or {}):
        nodes = nodes.filter(cards__gt=0)  # counted for the models that a release knows
    documents = nodes.values_list("object", flat=True).iterator()
    return msgspec.json.encode(with_switches(given, documents))
