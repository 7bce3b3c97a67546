"""Running pods that NoExecute taints of edits will evict, counted when all edits of the start are applied.

Only where controllers act is anybody there who evicts them. No budget is asked.

Source: as `controllers/taint_eviction.py`, which does it in the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from scheduler_core.objects.identity import is_active, name_of, spec_of
from scheduler_core.objects.kinds import NODE, kind_of
from scheduler_core.objects.types import Taint, Toleration
from scheduler_core.predicates.no_execute import stays_for
from scheduler_core.world.edits.additions import count_of
from scheduler_core.world.edits.edited_cluster import Difference, EditedCluster
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
        """Count the pods that will be evicted, and say it in results of edits whose taints are left."""
        results: dict[int, EditResult] = {}
        waits: dict[int, list[int]] = {}
        for name, (before, result) in self._nodes.items():
            for node in cluster.find(NODE, "", name):
                after = _no_execute_of(node)
                if _are_new(after, before):
                    results[result.index] = result
                    waits.setdefault(result.index, []).extend(_waits(cluster.pods_on(name), before, after))
        for index, result in results.items():
            result.evicted_by_taints = len(waits[index])
            result.note(_sentence(waits[index]))


def newly_tainted(differences: Iterable[Difference]) -> Iterator[tuple[str, list[Taint]]]:
    """Yield the nodes that got NoExecute taints, each with those that it had before."""
    for before, after in differences:
        if before is not None and after is not None and kind_of(after) == NODE:
            had = _no_execute_of(before)
            if _are_new(_no_execute_of(after), had):
                yield name_of(after), had


def _are_new(taints: list[Taint], before: list[Taint]) -> bool:
    return any(taint not in before for taint in taints)


def _no_execute_of(node: Object) -> list[Taint]:
    taints = msgspec.convert(spec_of(node).get("taints") or [], list[Taint])
    return [taint for taint in taints if taint.effect == "NoExecute"]


def _waits(pods: Iterable[Object], before: list[Taint], after: list[Taint]) -> Iterator[int]:
    """Yield after how many seconds each pod leaves that a node's taints evict, and those before did not."""
    for pod in filter(is_active, pods):
        tolerations = msgspec.convert(spec_of(pod).get("tolerations") or [], list[Toleration])
        seconds = stays_for(tolerations, after)
        if seconds is not None and stays_for(tolerations, before) is None:
            yield seconds


def _sentence(waits: list[int]) -> str:
    if not waits:
        return "NoExecute evicts no pod: all that run there tolerate it"
    later = sum(seconds > 0 for seconds in waits)
    when = f", {later:,} of them after tolerationSeconds" if later else ""
    return f"NoExecute evicts {count_of(len(waits), 'pod')} in the run, whatever budgets say{when}"
