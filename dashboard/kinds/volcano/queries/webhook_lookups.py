"""What webhooks look up in a snapshot: its queues and namespaces, kept between requests.

An API server asks for each object; the snapshot is read once for all of them, since it never changes.
"""

from functools import lru_cache
from typing import Any

import msgspec

from dashboard.errors import NotPossibleNow
from dashboard.models import Snapshot
from dashboard.queries import access
from scheduler_core.volcano.admission.webhook_lookups import Surroundings

KEPT_SURROUNDINGS = 8


def surroundings_of(user: Any, pk: int) -> Surroundings:
    """Return them. Raises Http404 for outsiders, and NotPossibleNow while the snapshot is imported."""
    snapshot = access.get_snapshot_or_404(user, pk, even_away=True)
    if snapshot.status != Snapshot.Status.READY and not snapshot.is_put_away:
        raise NotPossibleNow("The snapshot is not imported yet.")
    return _read(snapshot.pk, snapshot.content_hash)


@lru_cache(maxsize=KEPT_SURROUNDINGS)
def _read(pk: int, content_hash: str) -> Surroundings:
    """Return the surroundings; the hash tells a snapshot from an earlier one of its number."""
    content = Snapshot.objects.only("content", "content_hash").get(pk=pk).list_json()
    return Surroundings.of(msgspec.json.decode(content)["items"])
