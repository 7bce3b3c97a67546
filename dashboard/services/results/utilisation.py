"""What is requested of the nodes before and after a run, by resource."""

from collections.abc import Iterable

from dashboard.amounts import unit_of
from dashboard.services.results.requested import ALL, Requested
from dashboard.shapes.outcome import Utilisation

_FIRST = ["cpu", "memory", "pods"]


class UtilisationTally:
    """Compares what is `requested` with how it was; somebody else tells that the decisions."""

    def __init__(self, requested: Requested) -> None:
        self._requested = requested
        self._before = self._amounts()

    def rows(self) -> list[Utilisation]:
        """Return what is requested before and after, and allocatable then, by resource, pods included.

        Nodes may come and go where a clock moves: `allocatable` is that of the beginning.
        """
        after = self._amounts()
        return [
            {
                "resource": name,
                "unit": unit_of(name),
                "allocatable": self._before.get(name, (0, 0))[1],
                "allocatable_after": after[name][1],
                "before": self._before.get(name, (0, 0))[0],
                "after": after[name][0],
            }
            for name in _ordered(after)
        ]

    def _amounts(self) -> dict[str, tuple[int, int]]:
        """Return (requested, allocatable) of all nodes by resource."""
        pool = self._requested.pools[ALL]
        return {name: pool.amounts(name) for name in {**pool.allocatable, **pool.requested}}


def _ordered(names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda name: (_FIRST.index(name) if name in _FIRST else len(_FIRST), name))
