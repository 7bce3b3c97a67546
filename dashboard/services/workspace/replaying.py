"""Scenarios that play what happened: a snapshot's own history, and traces of SimKube."""

from typing import Any, NamedTuple

import msgspec
from django.db import transaction

from dashboard.errors import NotPossibleNow
from dashboard.models import Scenario, Snapshot
from dashboard.services.workspace.scenarios import NAME_LENGTH, create_scenario
from dashboard.services.workspace.snapshots import export_json, import_snapshot
from dashboard.services.workspace.suggesting import suggest
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.world.traces.history import history
from scheduler_core.world.traces.simkube import read_simkube

MOST = 10_000
"""Pods and nodes of a snapshot whose history is played: they are read while somebody waits."""
MOST_BYTES = 20_000_000
_TIMED = "timed"


class Played(NamedTuple):
    """A scenario that plays what happened, and what is not in it, as sentences."""

    scenario: Scenario
    left_out: list[str]


def play_history(user: Any, snapshot: Snapshot) -> Played:
    """Return a scenario in which each pod of the snapshot comes when it was created.

    It is one of a new snapshot, of what was there before these pods; its warnings say what is left out.
    Raises BadInput, and NotPossibleNow for a snapshot that isn't ready or is too large.
    """
    text = export_json(snapshot)
    if (size := snapshot.pods_and_nodes) > MOST:
        raise NotPossibleNow(f"The snapshot has {size:,} pods and nodes. Histories have up to {MOST:,}.")
    played = history(msgspec.json.decode(text)["items"])
    schedulers = suggest(snapshot, _TIMED, moving=True).fields()  # those that run come anew, too
    objects = msgspec.json.encode({"apiVersion": "v1", "kind": "List", "items": played.objects})
    before = f"{snapshot.name}, before its pods"[:NAME_LENGTH]
    with transaction.atomic():
        start = import_snapshot(user, before, [("", objects)], notes=played.told)
        fields = {**schedulers, "driver": _TIMED, "edits": played.edits, "snapshot": start}
        named = f"History of {snapshot.name}"[:NAME_LENGTH]
        return Played(create_scenario(user, {**fields, "name": named}), played.told)


def play_simkube(user: Any, snapshot: Snapshot, data: bytes, name: str = "") -> Played:
    """Return a scenario that plays a trace of SimKube on a snapshot. Raises BadInput."""
    if len(data) > MOST_BYTES:
        raise BadInput([Problem("trace", "", f"has more than {MOST_BYTES:,} bytes")])
    played = read_simkube(data)
    named = name.strip()[:NAME_LENGTH] or f"Trace on {snapshot.name}"[:NAME_LENGTH]
    fields = {"driver": _TIMED, "edits": played.edits, "snapshot": snapshot, "name": named}
    return Played(create_scenario(user, fields), played.told)
