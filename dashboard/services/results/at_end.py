"""What only the engine can tell of a run's end: why pods are pending, and how long refused evictions last.

The worker that plays the run asks before it lets go of it. One pod of each kind is asked about, as for a
snapshot, for so many seconds; which were not reached is told.
"""

import logging
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from dashboard.answers.why_words import OUT_OF_TIME
from dashboard.queries.waiting_pods import deciding
from dashboard.services.results.moves import own_workload
from dashboard.shapes.outcome import Figures, WhyAtEnd, lacks_pods
from scheduler_core.events.state import PodRow
from scheduler_core.schedulers.cause import Cause
from scheduler_core.world.simulation import Simulation

logger = logging.getLogger(__name__)

ASKED_SECONDS = 2.0
"""Pods are asked about for so long from the first answer on: one kind at least."""


def add_what_the_engine_says(
    figures: Figures,
    simulation: Simulation,
    pending: Iterable[PodRow],
    last: Mapping[str, int],
    *,
    with_jobs: bool = False,
) -> None:
    """Add to a run's figures what its simulation, at the end, says; nothing where it can't.

    pending: the pods that wait. last: the last decision about each that failed, by uid. with_jobs: whether
    jobs that have no pods as yet are asked about, too.
    """
    try:
        figures["whys"] = _whys(simulation, pending, last)
        if with_jobs:
            figures["whys"] += _whys_of_jobs(simulation, figures)
        _add_how_long(figures, simulation)
    except LookupError:
        logger.info("A session is open at the end of a run: nobody is asked.")
    except Exception:
        logger.exception("The end of a run could not be explained.")


def _whys(simulation: Simulation, pending: Iterable[PodRow], last: Mapping[str, int]) -> list[WhyAtEnd]:
    kinds = _kinds(simulation, pending)
    causes: dict[str, Cause] = {}
    opened: float | None = None  # what all share, such as a session of Volcano, comes before the first
    for uid, answered in simulation.whys(kinds):
        causes[uid] = msgspec.structs.replace(answered.cause, nearest=[], chain=[])
        opened = time.monotonic() if opened is None else opened
        if time.monotonic() - opened > ASKED_SECONDS:
            break
    untried = Cause("untried", reason=OUT_OF_TIME)
    return [
        {
            "cause": msgspec.to_builtins(causes.get(uid, untried)),
            "workloads": dict(Counter(map(own_workload, pods))),
            "uid": uid,
            "seq": next((last[pod.uid] for pod in pods if pod.uid in last), None),
            "group": pods[0].group,
            "asks": _asks(pods),
        }
        for uid, pods in kinds.items()
    ]


def _asks(pods: Iterable[PodRow]) -> dict[str, int]:
    """Return what pods ask for together, by resource, in the log's units."""
    asked: Counter[str] = Counter()
    for pod in pods:
        asked.update(pod.requests)
    return {name: number for name, number in asked.items() if number}


def _whys_of_jobs(simulation: Simulation, figures: Figures) -> Iterator[WhyAtEnd]:
    """Yield why pod groups wait without pods: a controller makes these once their queue lets the job in."""
    waiting = [row for row in figures.get("by_group", ()) if lacks_pods(row) and not row["pods"]]
    if not waiting:
        return
    found = dict(simulation.whys_of_jobs([row["group"] for row in waiting]))
    for row in waiting:
        if row["group"] in found:
            cause = msgspec.structs.replace(found[row["group"]].cause, nearest=[], chain=[])
            yield {
                "cause": msgspec.to_builtins(cause), "workloads": {}, "uid": "", "seq": row.get("seq"),
                "group": row["group"], "asks": {one.resource: round(one.asked) for one in cause.sums},
            }  # fmt: skip


def _kinds(simulation: Simulation, pending: Iterable[PodRow]) -> dict[str, list[PodRow]]:
    """Return the pods that wait by the first of those that are alike; those of most pods first."""
    kinds: dict[bytes, list[PodRow]] = {}
    for pod in pending:
        if simulation.knows(pod.uid):
            key = msgspec.json.encode([pod.group, pod.namespace, deciding(simulation.document(pod.uid))])
            kinds.setdefault(key, []).append(pod)
    ranked = sorted(kinds.values(), key=lambda pods: (-len(pods), pods[0].namespace, pods[0].name))
    return {pods[0].uid: pods for pods in ranked}


def _add_how_long(figures: Figures, simulation: Simulation) -> None:
    """Add to refused evictions how long they last, where that was not known before the run."""
    unknown: dict[str, list[Any]] = {}
    for edit in figures.get("incomplete", ()):
        for one in edit["refused"]:
            if not one.get("lasts") and simulation.knows(one["uid"]):
                unknown.setdefault(one["uid"], []).append(one)
    for uid, (budgets, lasts) in simulation.lasting_refusals(unknown).items():
        for one in unknown[uid]:
            one["budgets"], one["lasts"] = one["budgets"] or budgets, lasts
