"""Plays a run in this process and counts what it comes to, as a worker does of a stored one.

Nothing is stored. The figures are those of an outcome page (`outcome.py`), so that an answer is made alike.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from dashboard.pod_names import pod_name
from dashboard.services.results.at_end import add_what_the_engine_says
from dashboard.services.results.moves import own_workload
from dashboard.services.results.outcome import Ending, outcome_document, tally_of
from dashboard.shapes.edits import EditResult
from dashboard.shapes.outcome import Figures
from scheduler_core.objects.collector import collector_at_rest
from scheduler_core.world.simulation import Simulation
from scheduler_core.world.trials.playing import Stop, Watch, never, unwatched


@dataclass(frozen=True)
class Counted:
    """What a run came to. results: of its edits. pending: uids of the pods that wait in the end.

    unplayed: pods, by `Kind/namespace/name`, about which nobody of the run decides: what they ask for is not
    modelled, or their scheduler is none of the run's. groups: of pods without a controller
    (`Pod/namespace/name`) the pod group that they name. trust: what the run's answers rest on.
    """

    figures: Figures
    results: list[EditResult]
    pending: frozenset[str]
    unplayed: Mapping[str, int]
    groups: Mapping[str, str]
    trust: Mapping[str, Any]


def count(
    simulation: Simulation,
    edits: Sequence[Mapping[str, Any]],
    *,
    known: frozenset[str] | None = frozenset(),
    watch: Watch = unwatched,
    stop: Stop = never,
    with_jobs: bool = False,
    with_unserved: bool = False,
) -> Counted:
    """Play a run from its start to its end; `watch` is told of each decision, and `stop` may end it before.

    known: uids of pods that wait without the edits too: why these do is asked of nobody; null: of nobody.
    with_jobs: why jobs wait that have no pods as yet is asked, too. with_unserved: the same of pods whose
    scheduler is none of the run's.
    """
    trust = msgspec.to_builtins(simulation.trust)
    tally = tally_of(simulation.base)
    with collector_at_rest():
        for decision in simulation:
            tally.follow(decision)
            watch(decision)
            if stop():
                break
    results: list[EditResult] = msgspec.to_builtins(simulation.edit_results)
    ending = Ending(simulation.ended_by, simulation.until)
    figures = outcome_document(tally, ending, results, edits)
    waiting = [*tally.pending_pods(), *tally.unserved()]
    if known is not None:
        asked = waiting if with_unserved else tally.pending_pods()
        new = [pod for pod in asked if pod.uid not in known]
        add_what_the_engine_says(figures, simulation, new, tally.causes.seqs(), with_jobs=with_jobs)
    grouped = (pod for pod in tally.rows.values() if pod.group and not pod.workload)
    groups = {f"Pod/{pod_name(pod)}": own_workload(pod) for pod in grouped}
    unplayed = tally.unplayed() + Counter(map(own_workload, tally.unserved()))
    return Counted(figures, results, frozenset(pod.uid for pod in waiting), unplayed, groups, trust)
