"""What comes out of applying edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from scheduler_core.world.timeline_entry import Entry

Object = dict[str, Any]


MAX_CHANGES = 100
"""How many changes of one edit are listed."""


class RefusedEviction(msgspec.Struct, frozen=True):
    """An eviction that won't be granted: the pod as `namespace/name`, its node, and why it stays.

    budgets: the PodDisruptionBudgets (`namespace/name`) that stand in the way, none if something else does.
    lasts: `ever` if no pod that becomes ready can let it go, `now` if one may, empty where that isn't known.
    """

    uid: str
    pod: str
    node: str
    budgets: list[str]
    message: str
    lasts: Literal["now", "ever", ""] = ""


class EditResult(msgspec.Struct):
    """What one edit did.

    sentence: what was done (`add Deployment shop/cart: 8 pods`). changes: what an API server or a controller
    changed or did besides; `more` counts those that are not listed. problems: what did not happen though the
    edit stands (a quota refused 3 pods). evictions: how many the run will ask for; refused: those that it
    won't get; at_first: those that it won't get at first, and asks for again while a clock moves. nodes: the
    nodes that it was done to, in that order, or that it added; altered: those of them whose taints or labels
    an edit of these makes others; objects: what it added or applied, `Kind/namespace/name`;
    budgets: how many PodDisruptionBudgets cover pods whose eviction is asked for; evicted_by_taints: how many
    running pods the NoExecute taints that it put will evict in the run.
    """

    index: int
    op: str
    sentence: str = ""
    changes: list[str] = []
    problems: list[str] = []
    more: int = 0
    evictions: int = 0
    refused: list[RefusedEviction] = []
    at_first: list[RefusedEviction] = []
    nodes: list[str] = []
    altered: list[str] = []
    objects: list[str] = []
    budgets: int = 0
    evicted_by_taints: int = 0

    def note(self, change: str) -> None:
        """Add a change, once; of very many only the first."""
        if change in self.changes:
            return
        if len(self.changes) < MAX_CHANGES:
            self.changes.append(change)
        else:
            self.more += 1


class EvictionRequest(msgspec.Struct, frozen=True):
    """An eviction that an edit asks for before the run; with `skipped`, why it is not even tried.

    patience: for how many seconds it is asked for again where a budget refuses it and a clock moves.
    in_turn: it belongs to a drain of several nodes with a clock, which asks when the node's turn comes.
    """

    edit: int
    uid: str
    skipped: str | None = None
    patience: float | None = None
    in_turn: bool = False


class Applied(NamedTuple):
    """The edited cluster: new objects stand at the end, in the order of the edits.

    `timeline` is what the edits let happen at an instant, in order; `durations` how long pods run that
    run out, in nanoseconds, by uid. `foreseen` are objects as controllers may make them in the run.
    """

    objects: Sequence[Object]
    results: list[EditResult]
    evictions: list[EvictionRequest]
    timeline: Sequence[Entry] = ()
    durations: Mapping[str, int] = {}
    foreseen: Sequence[Object] = ()
