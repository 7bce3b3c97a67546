"""How large imports are worked on: what costs time or memory in their size, and what others see meanwhile."""

import gc
from typing import Any

import pytest

from dashboard.models import Snapshot
from dashboard.services import importing
from dashboard.services.pictures import read_picture
from dashboard.services.snapshots import begin_import
from tests.dashboard.rows import listing, node, pod

pytestmark = pytest.mark.django_db


def test_the_collector_rests_while_a_worker_imports_and_not_after(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def reading(*arguments: Any, **options: Any) -> Any:
        seen.append(gc.isenabled())
        return read_picture(*arguments, **options)

    monkeypatch.setattr(importing, "read_picture", reading)
    snapshot = begin_import(None, "x", [("", listing(node("node-1"), pod("cart-1")))])
    importing.import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert (snapshot.status, seen, gc.isenabled()) == (Snapshot.Status.READY, [False], True)
