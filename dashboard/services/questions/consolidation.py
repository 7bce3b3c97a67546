"""Which nodes could be given back for good, in which order, and what that saves."""

from __future__ import annotations

import time

from dashboard.services.questions.kind import Document, Progress, QuestionKind
from scheduler_core.world.consolidation.consolidating import consolidation
from scheduler_core.world.consolidation.prices import read_prices
from scheduler_core.world.consolidation.results import Consolidation
from scheduler_core.world.rehearsal.plan import planned_nodes, read_plan
from scheduler_core.world.trials.warm_world import WarmWorld

SECONDS = 120
"""So long nodes are tried where nobody asks for more; those that were not are told."""
MOST_SECONDS = 3600
"""So long they may be tried where somebody asks for it."""


def _answer(world: WarmWorld, asked: Document, progress: Progress) -> Consolidation:
    """Try the nodes of `plan` (all, where it is empty), with `prices` and `local_storage`, for `seconds`."""
    ends_at = time.monotonic() + asked.get("seconds", SECONDS)
    plan = asked.get("plan")
    nodes = planned_nodes(read_plan(plan), world.simulation.cluster) if plan else None
    return consolidation(
        world,
        None if nodes is None else [one.name for one in nodes],
        read_prices(asked.get("prices")),
        local_storage=bool(asked.get("local_storage")),
        stop=progress.is_unwanted,
        is_late=lambda: time.monotonic() > ends_at,
        told=progress.tell,
    )


KIND = QuestionKind("consolidation", 7, Consolidation, _answer)
