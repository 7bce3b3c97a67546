"""Hyper nodes of a run's cluster, and where sessions have found jobs among them.

Source: volcano v1.16 pkg/scheduler/cache/cache.go updateJobInfo.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scheduler_core.events.state import HYPER_NODES, WHEREABOUTS
from scheduler_core.objects import types
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.log_table import Rows
from scheduler_core.volcano.cache.known_objects import KnownObjects
from scheduler_core.volcano.cache.tables import HyperNodeRow, WhereaboutsRow
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.framework.whereabouts import Whereabouts, whereabouts_of
from scheduler_core.volcano.model.custom_resources import HyperNode
from scheduler_core.volcano.model.hyper_nodes import Fabric
from scheduler_core.volcano.model.label_discovery import Discovery

Object = Mapping[str, Any]


class HyperNodeCache(Checkpointed):
    """`discovery` makes hyper nodes of nodes' labels. `rows` are the hyper nodes with their nodes,
    `whereabouts` the jobs that sessions have found there."""

    remembered = {"known": "_known", "rows": "rows", "whereabouts": "whereabouts"}

    def __init__(
        self, state: ClusterState, documents: Iterable[Object], discovery: Discovery | None = None
    ) -> None:
        self._state = state
        self._discovery = discovery
        journal = state.journal
        found = (types.convert(dict(document), HyperNode) for document in documents)
        self._known = KnownObjects(journal, HyperNode, ((one.metadata.name, one) for one in found))
        self.rows: Rows[HyperNodeRow] = Rows(journal, HYPER_NODES, HyperNodeRow, self._present().items())
        self.whereabouts: Rows[WhereaboutsRow] = Rows(journal, WHEREABOUTS, WhereaboutsRow)

    def objects(self) -> list[HyperNode]:
        """Return the hyper nodes in the order in which they came, those of labels at the end."""
        known = [one for _, one in self._known.items()]
        return (
            known
            if self._discovery is None
            else self._discovery.hyper_nodes(self._state.nodes.objects, known)
        )

    def places(self) -> dict[str, Whereabouts]:
        """Return where jobs are, by uid."""
        return {uid: Whereabouts(row.hyper_node, row.parts) for uid, row in self.whereabouts.rows.items()}

    def _present(self) -> dict[str, HyperNodeRow]:
        """Return the hyper nodes as they are now: their nodes may be chosen by name or by label."""
        known = self.objects()
        if not known:
            return {}
        fabric = Fabric(known, self._state.nodes.objects)
        there = {node.metadata.name for node in self._state.nodes.objects}
        return {
            name: HyperNodeRow(
                name, one.tier, one.tier_name, one.parent, sorted(there & fabric.nodes.get(name, set()))
            )
            for name, one in sorted(fabric.by_name.items())
        }

    # -- what comes, changes and goes ----------------------------------------------------------------

    def put(self, document: Object) -> None:
        """Let a hyper node come or change."""
        one = types.convert(dict(document), HyperNode)
        self._known.know(one.metadata.name, one)
        self.refresh()

    def drop(self, name: str) -> bool:
        """Let a hyper node go; False if it isn't there."""
        if name not in self._known:
            return False
        self._known.drop(name)
        self.refresh()
        return True

    def refresh(self) -> None:
        """Tell the hyper nodes as they are now."""
        present = self._present()
        for name in [name for name in self.rows.rows if name not in present]:
            self.rows.drop(name)
        for name, row in present.items():
            if self.rows.rows.get(name) != row:
                self.rows.put(name, row)

    # -- what a session writes -----------------------------------------------------------------------

    def has(self, session: Session) -> bool:
        """Return whether all that a session has found out is known already."""
        rows = self.whereabouts.rows
        found = all(rows.get(uid) == self._row(session, uid) for uid in session.relocated)
        return found and not self._gone(session) and self.rows.rows == self._present()

    def write(self, session: Session) -> None:
        """Keep where a session has found jobs, and forget those that are gone."""
        for uid in sorted(session.relocated):
            row = self._row(session, uid)
            if row is None:
                if uid in self.whereabouts.rows:
                    self.whereabouts.drop(uid)
            elif self.whereabouts.rows.get(uid) != row:
                self.whereabouts.put(uid, row)
        for uid in self._gone(session):
            self.whereabouts.drop(uid)

    def _gone(self, session: Session) -> list[str]:
        return sorted(uid for uid in self.whereabouts.rows if uid not in session.jobs)

    def _row(self, session: Session, uid: str) -> WhereaboutsRow | None:
        """Return where a job is, None if it is nowhere."""
        place = whereabouts_of(session.jobs[uid])
        parts = {name: hyper_node for name, hyper_node in sorted(place.parts.items()) if hyper_node}
        return WhereaboutsRow(uid, place.job, parts) if place.job or parts else None
