"""What one scheduling attempt found out, and what the log says of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from scheduler_core.events.decisions import IN_THE_LOG, Outcome, Rejection, Status
from scheduler_core.kube.extenders.extender import Call
from scheduler_core.kube.extenders.panel import Hearing
from scheduler_core.kube.framework import Cycle, PreFiltered
from scheduler_core.kube.message import as_event
from scheduler_core.kube.nominated import Room
from scheduler_core.kube.preemption.result import PreemptionResult
from scheduler_core.kube.profile import PluginScore
from scheduler_core.kube.verdicts import Verdicts
from scheduler_core.state.journal import Change
from scheduler_core.state.nodes import IntArray

NONE = np.zeros(0, dtype=np.int64)
"""No nodes."""


class Figures(NamedTuple):
    """What the log says of an attempt's nodes: so many visited, feasible and best, why others were rejected.

    `best` are the first names of the best nodes, `total` their score; None where nothing was scored.
    """

    visited: int
    feasible: int
    rejections: list[Rejection]
    best: list[str]
    best_count: int
    total: int | None


@dataclass
class AttemptResult:
    """Everything one attempt found out.

    `nominate` is the new nomination, None to leave it; `searched` by how many nodes the next search for
    feasible nodes begins further on; `reserve` is Reserve's error. `verdicts` are the plugins' alone,
    `extended` those of extenders too where they refused a node, `unknown` what they said of nodes that there
    are not; `left_out`: the extenders left out some of the nodes that passed the filters. `noted`: what
    extenders in process have noted by answering, taken back until the decision is carried out. `tried_apart`:
    the nominated node, where nobody visited it but the search of that node alone. `is_scored`: there were
    nodes to choose from, and plugins that score, all of which may have skipped the pod.

    Of an attempt that was answered from kept answers (`kube/equivalence/`) the `figures` are `known`, and
    `feasible`, `scores`, `total` and `best` were never made.
    """

    cycle: Cycle
    outcome: Outcome
    pre_filtered: PreFiltered | None = None
    verdicts: Verdicts | None = None
    room: Room | None = None
    feasible: IntArray = field(default_factory=lambda: NONE)
    scores: list[PluginScore] = field(default_factory=list)
    is_scored: bool = False
    total: IntArray = field(default_factory=lambda: NONE)
    best: IntArray = field(default_factory=lambda: NONE)
    chosen: int | None = None
    message: str | None = None
    preemption: PreemptionResult | None = None
    nominate: str | None = None
    searched: int = 0
    reserve: Status | None = None
    hearing: Hearing | None = None
    extended: Verdicts | None = None
    unknown: list[Status] = field(default_factory=list)
    left_out: bool = False
    extender_scores: list[Call] = field(default_factory=list)
    noted: list[Change] = field(default_factory=list)
    tried_apart: int | None = None
    known: Figures | None = None

    @property
    def figures(self) -> Figures:
        """What the log says of the nodes."""
        return self._counted() if self.known is None else self.known

    def _counted(self) -> Figures:
        verdicts, feasible = self.final, len(self.feasible)
        if self.outcome == "error" and verdicts is not None and verdicts.errors().any():
            # The attempt ended before these could be chosen from.
            feasible = int(verdicts.fits.sum())
        return Figures(
            visited=int(verdicts.visited.sum()) if verdicts else 0,
            feasible=feasible,
            rejections=verdicts.rejections() if verdicts else [],
            best=self.cycle.state.nodes.first_names_of(self.best, IN_THE_LOG),
            best_count=len(self.best),
            total=int(self.total.max()) if self.is_scored else None,
        )

    @property
    def final(self) -> Verdicts | None:
        """What plugins and extenders together said of each node."""
        return self.verdicts if self.extended is None else self.extended


def give_up(result: AttemptResult, error: Status) -> AttemptResult:
    """End an attempt with an error."""
    result.outcome = "error"
    result.message = as_event(", ".join(error.reasons))
    result.nominate = ""
    return result
