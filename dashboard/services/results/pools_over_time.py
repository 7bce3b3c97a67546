"""What is requested of what nodes have over a run, by pool and resource."""

from collections import Counter

from dashboard.services.results.axis import Point, percent_of
from dashboard.services.results.requested import ALL, Requested
from dashboard.shapes import over_time as shapes
from scheduler_core.events.changes import Change
from scheduler_core.events.state import RunState
from scheduler_core.objects.node_groups import pool_of

POOLS = 8
"""So many pools have series of their own, the largest of the first state; all others are one."""
RESOURCES = 6
NO_POOL, OTHER_POOLS = "nodes without a pool", "other pools"


class PoolsOverTime:
    """What is requested of what nodes have, by pool and resource, at the end of each part of the axis."""

    def __init__(self, base: RunState) -> None:
        self.points: list[Point] = []
        sizes = Counter(pool_of(node.labels) for node in base.nodes())
        by_size = sorted(sizes, key=lambda pool: (-sizes[pool], pool))
        self._shown = dict.fromkeys([pool for pool in by_size if pool][:POOLS])
        self.levels = Requested(base, self._name_of)
        self._kept: list[dict[tuple[str, str], tuple[int, int]]] = []
        self._start = {key: self.levels.pools[key[0]].amounts(key[1]) for key in self.levels.touched}
        self._most: dict[tuple[str, str], tuple[int, int, Point]] = {}
        self._note_most(Point(base.at, base.time))

    def _name_of(self, labels: dict[str, str]) -> str:
        name = pool_of(labels)
        if not name:
            return NO_POOL
        if name not in self._shown and len(self._shown) < POOLS:
            self._shown[name] = None
        return name if name in self._shown else OTHER_POOLS

    def take(self, changes: list[Change], at: int, point: Point) -> None:
        """Carry out a decision's changes, at its place of the axis."""
        self.levels.take(changes, at)
        self._note_most(point)

    def _note_most(self, point: Point) -> None:
        """Keep the highest share of each pool and resource, compared as fractions of whole numbers."""
        for key in self.levels.touched:
            requested, allocatable = self.levels.pools[key[0]].amounts(key[1])
            known = self._most.get(key)
            if allocatable > 0 and (known is None or requested * known[1] > known[0] * allocatable):
                self._most[key] = requested, allocatable, point

    def keep(self, last: Point) -> None:
        """Keep what stands at the end of a part of the axis."""
        self.points.append(last)
        self._kept.append(
            {
                (name, resource): pool.amounts(resource)
                for name, pool in self.levels.pools.items()
                for resource in {**pool.allocatable, **pool.requested}
            }
        )

    def _resources(self) -> list[str]:
        """Return cpu and memory, and what devices the nodes have or had."""
        devices = {name for pool in self.levels.pools.values() for name in pool.allocatable if "/" in name}
        return ["cpu", "memory", *sorted(devices)][:RESOURCES]

    def _names(self) -> list[str]:
        """Return the pools, all nodes first; nodes that name no pool are one only beside others that do."""
        named = [name for name in self.levels.pools if name != ALL]
        return [ALL, *named] if named != [NO_POOL] else [ALL]

    def document(self) -> shapes.Requested:
        """Return the points, and the amounts of each pool and resource after them."""
        return {
            "seq": [point.seq for point in self.points],
            "time": [point.time for point in self.points],
            "series": [
                {
                    "pool": name,
                    "resource": resource,
                    "requested": [kept.get((name, resource), (0, 0))[0] for kept in self._kept],
                    "allocatable": [kept.get((name, resource), (0, 0))[1] for kept in self._kept],
                }
                for name in self._names()
                for resource in self._resources()
                if self._is_known(name, resource)
            ],
        }

    def _is_known(self, name: str, resource: str) -> bool:
        pool = self.levels.pools[name]
        return resource in pool.allocatable or resource in pool.requested

    def figures(self, end: int) -> list[shapes.Pool]:
        """Return a row for each pool and resource: amounts at the end, and shares in percent (null of none).

        `mean` is over the whole axis, `most` the highest share after any decision, which `seq` names.
        """
        return [
            self._figure(name, resource, end)
            for name in self._names()
            for resource in self._resources()
            if self._is_known(name, resource)
        ]

    def _figure(self, name: str, resource: str, end: int) -> shapes.Pool:
        pool = self.levels.pools[name]
        requested, allocatable = pool.amounts(resource)
        over, most_of, point = self._most.get((name, resource), (0, 0, None))
        return {
            "pool": name,
            "nodes": pool.nodes,
            "resource": resource,
            "requested": requested,
            "allocatable": allocatable,
            "start": percent_of(*self._start.get((name, resource), (0, 0))),
            "mean": percent_of(*pool.mean(resource, end)),
            "most": percent_of(over, most_of),
            "seq": point.seq if point else None,
            "time": point.time if point else None,
            "end": percent_of(requested, allocatable),
        }
