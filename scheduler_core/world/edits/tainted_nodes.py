"""Running pods that NoExecute taints of edits will evict, counted when all edits of the start are applied.

Only where controllers act is anybody there who evicts them. No budget is asked.

Source: as `controllers/taint_eviction.py`, which does it in the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from scheduler_core.objects.identity import name_of, spec_of
from scheduler_core.objects.kinds import NODE, kind_of
from scheduler_core.objects.types import Taint, Toleration
from scheduler_core.predicates.no_execute import stays_for
from scheduler_core.world.edits.additions import count_of
from scheduler_core.world.edits.edited_cluster import Difference, EditedCluster, is_active
from scheduler_core.world.edits.results import EditResult

Object = dict[str, Any]
PLAYED = "NoExecute evicts the pods there that do not tolerate it, when the run plays it"
UNPLAYED = "NoExecute keeps new pods away; those that run there stay: nobody evicts them in this run"


class TaintedNodes:
    """The nodes that edits of the start give NoExecute taints, each with those that it had before."""

    def __init__(self) -> None:
        self._nodes: dict[str, tuple[list[Taint], EditResult]] = {}

    def note(self, differences: Iterable[Difference], result: EditResult) -> None:
        """Note what an edit did to nodes; the last edit of a node counts the pods of all of them."""
        for name, before in newly_tainted(differences):
            first, _ = self._nodes.get(name, (before, result))
            self._nodes[name] = first, result

    def tell(self, cluster: EditedCluster) -> None:
        """Count the pods that will be evicted, and say it in the results of the edits."""
        waits: dict[int, list[int]] = {}
        results = {result.index: result for _, result in self._nodes.values()}
        for name, (before, result) in self._nodes.items():
            waits.setdefault(result.index, []).extend(_waits(cluster, name, before))
        for index, result in results.items():
            result.evicted_by_taints = len(waits[index])
            result.note(_sentence(waits[index]))


def newly_tainted(differences: Iterable[Difference]) -> Iterator[tuple[str, list[Taint]]]:
    """Yield the nodes that got NoExecute taints, each with those that it had before."""
    for before, after in differences:
        if before is not None and after is not None and kind_of(after) == NODE:
            had = _no_execute_of(before)
            if any(taint not in had for taint in _no_execute_of(after)):
                yield name_of(after), had


def _no_execute_of(node: Object) -> list[Taint]:
    taints = msgspec.convert(spec_of(node).get("taints") or [], list[Taint])
    return [taint for taint in taints if taint.effect == "NoExecute"]


def _waits(cluster: EditedCluster, name: str, before: list[Taint]) -> Iterator[int]:
    """Yield after how many seconds each pod leaves that the node's taints evict, and those before did not."""
    for node in cluster.find(NODE, "", name):
        taints = _no_execute_of(node)
        for pod in filter(is_active, cluster.pods_on(name)):
            tolerations = msgspec.convert(spec_of(pod).get("tolerations") or [], list[Toleration])
            seconds = stays_for(tolerations, taints)
            if seconds is not None and stays_for(tolerations, before) is None:
                yield seconds


def _sentence(waits: list[int]) -> str:
    if not waits:
        return "NoExecute evicts no pod: all that run there tolerate it"
    later = sum(seconds > 0 for seconds in waits)
    when = f", {later:,} of them after tolerationSeconds" if later else ""
    return f"NoExecute evicts {count_of(len(waits), 'pod')} in the run, whatever budgets say{when}"
