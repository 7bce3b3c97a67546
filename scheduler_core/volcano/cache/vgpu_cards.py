"""The cards that Volcano divides in a run, and what pods hold of them, as its nodes count them.

A pod that is on its way out holds no card in Volcano's count. What an open statement has given away is told
once it is committed.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence, Set
from typing import Any, TypeVar

import msgspec

from scheduler_core.schedulers.card_rows import RowsByNode
from scheduler_core.schedulers.card_tables import (
    CARDS,
    HOLDINGS,
    CardRow,
    CardSlice,
    Held,
    HoldingRow,
    slice_text,
)
from scheduler_core.schedulers.run_parts import Tables
from scheduler_core.schedulers.unclocked import Annotated, Basis
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.log_table import Rows
from scheduler_core.state.register import Register
from scheduler_core.volcano.devices.vgpu import VgpuNode, vgpu_node
from scheduler_core.volcano.devices.vgpu_card import ALL_CORES, slice_of
from scheduler_core.volcano.devices.vgpu_requests import CARD_TYPE, Wishes
from scheduler_core.volcano.devices.vgpu_settings import VgpuSettings
from scheduler_core.volcano.model.tasks import Task, make_task

Object = dict[str, Any]
R = TypeVar("R", bound=msgspec.Struct)


class VgpuCards(Checkpointed):
    """Hears of every change, and counts the cards of the nodes that it concerns anew.

    `written` has by the pod's row the annotations that binds have given it.
    """

    remembered = {"written": "written", "cards": "cards", "holdings": "holdings"}

    def __init__(self, state: ClusterState, settings: VgpuSettings) -> None:
        self._state = state
        self._wishes = Wishes(settings)
        self._elsewhere: frozenset[str] = frozenset()
        self.written: Register[int, dict[str, str]] = Register(state.journal)
        self.cards: RowsByNode[CardRow] = RowsByNode(state.journal, CARDS, CardRow)
        self.holdings: RowsByNode[HoldingRow] = RowsByNode(state.journal, HOLDINGS, HoldingRow)

    def begin(self, elsewhere: Collection[str]) -> None:
        """Count the cards of the start, but for those of nodes whose cards another part of the run tells."""
        self._elsewhere = frozenset(elsewhere)
        for name in self._state.nodes.names:
            cards, holdings = self._count(name)
            self.cards.begin(cards)
            self.holdings.begin(holdings)

    def tables(self) -> Tables:
        """Return the tables that the log shows of it."""
        return {CARDS: self.cards.told_rows(), HOLDINGS: self.holdings.told_rows()}

    def annotated(self) -> Annotated:
        """Return nothing: the scheduler tells what its binds have written."""
        return {}

    def basis(self, objects: Sequence[Object]) -> Basis:
        """Return nothing: Volcano says what its answers rest on."""
        return Basis()

    def hear(self) -> None:
        """Count the cards of nodes anew that have changed, or whose pods have."""
        state, journal = self._state, self._state.journal
        changed = journal.touched(state.node_changes)
        pods = [state.pods.infos[row] for row in journal.touched(state.pod_changes)]
        nodes = dict.fromkeys(changed)
        for pod in pods:
            before = self.holdings.rows.get(pod.uid)
            found = (before.node if before else "", state.node_of(pod.row))
            nodes |= dict.fromkeys(name for name in found if name)
        if not nodes:
            return
        cards, holdings = dict[str, CardRow](), dict[str, HoldingRow]()
        for name in nodes:
            cards_there, holdings_there = self._count(name)
            cards |= cards_there
            holdings |= holdings_there
        self._drop_missing({pod.uid for pod in pods}, set(changed), cards, holdings)
        _put(self.cards, cards)
        _put(self.holdings, holdings)

    def _drop_missing(
        self, pods: Set[str], nodes: Set[str], cards: Container[str], holdings: Container[str]
    ) -> None:
        """Let go what these pods hold no more, and what these nodes have no more."""
        gone = [uid for uid in sorted(pods) if uid in self.holdings.rows]
        for node in sorted(nodes):
            gone += sorted(self.holdings.on_node.get(node, set()) - pods)
            for key in sorted(self.cards.on_node.get(node, set())):
                if key not in cards:
                    self.cards.drop(key)
        for uid in gone:
            if uid not in holdings:
                self.holdings.drop(uid)

    def _count(self, name: str) -> tuple[dict[str, CardRow], dict[str, HoldingRow]]:
        """Return the cards of a node and what its pods hold of them; both empty where it has none."""
        row = self._state.nodes.index.get(name)
        node = None
        if row is not None and name not in self._elsewhere:
            node = vgpu_node(self._state.nodes.objects[row], self._wishes)
        if row is None or node is None:
            return {}, {}
        tasks = list(self._holding(row))
        for task in tasks:
            node.add(task)
        return _cards_of(node), {task.uid: held for task in tasks if (held := _held_by(node, task))}

    def _holding(self, node: int) -> Iterator[Task]:
        """Yield the pods of a node that hold cards, if any."""
        pods = self._state.pods
        for pod in self._state.node_pods[node]:
            if not pods.is_terminating(pod):
                task = make_task(pods.infos[pod].pod, pod)
                task.bound_with = self.written.get(pod) or {}
                yield task


def _put(table: Rows[R], rows: Mapping[str, R]) -> None:
    """Tell what has changed of these rows."""
    for key, row in rows.items():
        if table.rows.get(key) != row:
            table.put(key, row)


def _cards_of(node: VgpuNode) -> dict[str, CardRow]:
    rows = (
        CardRow(
            node=node.node,
            id=card.uuid,
            vendor=CARD_TYPE,
            index=place,
            type=card.type,
            mode=node.mode,
            numa=0,
            health=True,
            slots=card.shares,
            memory=card.memory,
            cores=ALL_CORES,
            used=card.used_shares,
            used_memory=card.used_memory,
            used_cores=card.used_cores,
            slices=[slice_text(slice_of(one)) for one in card.mig.used()],
        )
        for place, card in node.cards.items()
    )
    return {f"{row.node}/{row.id}": row for row in rows}


def _held_by(node: VgpuNode, task: Task) -> HoldingRow | None:
    held = [
        Held(card.uuid, usage.memory, usage.cores, 1)
        for card in node.cards.values()
        if (usage := card.pods.get(task.uid)) is not None
    ]
    slices = [CardSlice(card.uuid, *slice_of(one)) for card, one in node.instances_of(task)]
    return HoldingRow(task.key, node.node, {CARD_TYPE: held}, slices) if held else None
