"""Consolidations of a snapshot's cluster: asked of a worker, on the cluster without a clock."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from dashboard.engine import input_without_objects
from dashboard.models import Snapshot
from dashboard.services.questions import consolidation, stored_questions
from dashboard.services.questions.stored_questions import Told
from dashboard.services.workspace.scenarios import draft_scenario
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.world.consolidation.prices import MILLION, read_prices
from scheduler_core.world.consolidation.results import Consolidation
from scheduler_core.world.rehearsal.plan import read_plan
from scheduler_core.world.run_input import RunInput

ConsolidationQuestion = dict[str, Any]


def asked_for(
    plan: dict[str, Any] | None, prices: Any, *, local_storage: bool, seconds: int | None = None
) -> ConsolidationQuestion:
    """Return the question: the nodes of a rehearsal's plan (None: all), prices as text or by label.

    `seconds`: so long nodes are tried, SECONDS where None. Raises BadInput, for prices with a problem for
    each bad line.
    """
    if seconds is None:
        seconds = consolidation.SECONDS
    if not 1 <= seconds <= consolidation.MOST_SECONDS:
        message = f"must be from 1 to {consolidation.MOST_SECONDS}"
        raise BadInput([Problem("seconds", "seconds", message)])
    if plan:
        read_plan(plan)
    said = {
        f"{one.label}={one.value}": f"{Decimal(one.millionths) / MILLION:f}" for one in read_prices(prices)
    }
    return {"plan": plan or None, "prices": said, "local_storage": local_storage, "seconds": seconds}


def consolidated(
    snapshot: Snapshot, asked: ConsolidationQuestion, wait: float = 0.0, *, again: bool = False
) -> Told[Consolidation]:
    """Ask which nodes can be given back, waiting so many seconds for the answer. Raises BadInput."""
    return stored_questions.ask(consolidation.KIND, snapshot, _played(snapshot), asked, wait, again=again)


def end_consolidation(snapshot: Snapshot, asked: ConsolidationQuestion) -> None:
    """Let it end. Raises BadInput."""
    stored_questions.end(consolidation.KIND, snapshot, _played(snapshot), asked)


def _played(snapshot: Snapshot) -> RunInput:
    draft = draft_scenario({"snapshot": snapshot, "driver": "instant"}, moving=True)
    return input_without_objects(draft)
