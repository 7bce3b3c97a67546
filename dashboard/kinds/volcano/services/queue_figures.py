"""The figures of a snapshot's queues, asked of the cluster's own Volcano as the cluster stands.

The cluster is built in memory by a thread, one after another, so that no request waits longer than it wants
to. Nothing is stored; the figures of the last snapshots are kept in this process.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

import msgspec
from django.conf import settings

from dashboard.engine import input_without_objects, simulation_class
from dashboard.errors import sentence_of
from dashboard.models import Snapshot
from dashboard.models.packing import unpack
from dashboard.services.workspace.known_clusters import size_of
from dashboard.services.workspace.scenarios import draft_scenario
from dashboard.services.workspace.suggesting import suggest
from scheduler_core.objects.collector import collector_at_rest
from scheduler_core.objects.problems import BadInput

if TYPE_CHECKING:
    from scheduler_core.world import RunInput

logger = logging.getLogger(__name__)
_KEPT = 8


class QueueFigures:
    """Rows of queues by name, once they are known; `untried`: why they never are; `chosen`: who is played."""

    def __init__(self, chosen: str) -> None:
        self.chosen = chosen
        self.untried = ""
        self.rows: Mapping[str, Any] = {}
        self.ended = Event()

    @property
    def is_ready(self) -> bool:
        """Whether nothing more is being computed."""
        return self.ended.is_set()


_kept: OrderedDict[tuple[int, str], QueueFigures] = OrderedDict()
_lock = Lock()
_builder = ThreadPoolExecutor(max_workers=1, thread_name_prefix="queue-figures")


def figures_of(snapshot: Snapshot, wait: float = 0.0) -> QueueFigures:
    """Return the figures of a snapshot's queues, waiting so many seconds for them."""
    key = snapshot.pk, snapshot.content_hash
    with _lock:
        found = _kept.get(key)
        if found is None:
            found = _kept[key] = QueueFigures(suggest(snapshot).sentence)
            _begin(snapshot, found)
        _kept.move_to_end(key)
        while len(_kept) > _KEPT:
            _kept.popitem(last=False)
    found.ended.wait(wait)
    return found


def _begin(snapshot: Snapshot, found: QueueFigures) -> None:
    size, most = size_of(snapshot), settings.TRIAL_KEPT
    if size > most:
        found.untried = f"The cluster has {size:,} pods and nodes, at most {most:,} are built here: run it."
        found.ended.set()
        return
    try:
        run_input = input_without_objects(draft_scenario({"snapshot": snapshot}))
    except BadInput as error:
        found.untried = f"The cluster's schedulers can't be played: {sentence_of(error.problems[0])}"
        found.ended.set()
        return
    _builder.submit(_compute, found, run_input, bytes(snapshot.content))


def _compute(found: QueueFigures, run_input: RunInput, content: bytes) -> None:
    try:
        with collector_at_rest():
            objects = msgspec.json.decode(unpack(content))["items"]
            simulation = simulation_class()(msgspec.structs.replace(run_input, objects=objects))
        found.rows = simulation.queue_shares()
    except BadInput as error:
        found.untried = f"The cluster can't be played: {sentence_of(error.problems[0])}"
    except Exception:
        found.untried = "The cluster could not be built: a run tells what queues hold."
        logger.exception("The figures of a snapshot's queues could not be computed.")
    finally:
        found.ended.set()
