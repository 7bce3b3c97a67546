"""What a worker answers, over REST: 200 with the answer, or 202 with what is known while it is at it."""

from http import HTTPStatus
from typing import Any

from rest_framework.response import Response

from dashboard.errors import NotYet
from dashboard.models import Snapshot
from dashboard.queries import access

PATIENCE_SECONDS = 5.0
"""So long an answer is waited for."""


def require_imported(snapshot: Snapshot) -> Snapshot:
    """Return the snapshot, which is imported. Raises NotYet."""
    if snapshot.status != Snapshot.Status.READY:
        raise NotYet(f"Snapshot {snapshot.pk} is not imported yet.")
    return snapshot


def imported_snapshot(user: Any, pk: int) -> Snapshot:
    """Return a snapshot that somebody may see and that is imported. Raises Http404 and NotYet."""
    return require_imported(access.get_snapshot_or_404(user, pk))


def answered(body: Any, *, is_ready: bool) -> Response:
    """Return an answer, or what is known meanwhile: then with when to ask again."""
    if is_ready:
        return Response(body)
    return Response(body, HTTPStatus.ACCEPTED, headers={"Retry-After": "1"})
