"""What a kind of scheduler has to say of a cluster that is imported. By default nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scheduler_core.objects.kinds import Kind
from scheduler_core.objects.problems import Problem

Object = dict[str, Any]


class Unplayed(NamedTuple):
    """Whole phrases about parts of a configuration that are left out: what could matter, and the rest."""

    matter: list[str]
    without_effect: list[str]


class OfImports:
    """The part of a kind of scheduler that looks at imports. All that it returns are whole phrases."""

    own_kinds: frozenset[Kind] = frozenset()
    unplayed: frozenset[Kind] = frozenset()
    """Kinds of objects of the scheduler's project that no run plays."""
    word_in_pods: str = ""
    """What stands in each pod that `missing_references` and `refusals` have anything to say of."""
    card_wishes: frozenset[str] = frozenset()
    """The annotations of pods that say which cards they want."""
    remedies: Sequence[str] = ()
    """The kubectl lines that add what `missing_references` misses."""

    def faults_of(self, document: Object) -> list[Problem]:
        """Return what is wrong with an object of the scheduler's own kinds."""
        return []

    def cards_by_resource(self, node: Object) -> dict[str, int]:
        """Return how many cards are behind a node's amounts of resources that count slots of shared cards."""
        return {}

    def registered_devices(self, node: Object) -> int:
        """Return how many devices that the scheduler shares a node registers."""
        return 0

    def device_faults(self, nodes: Sequence[Object], pods: Iterable[Object]) -> list[str]:
        """Return what of the devices of nodes and pods is not understood."""
        return []

    def missing_references(self, objects: Iterable[Object]) -> list[str]:
        """Return what the scheduler's own objects name and the import lacks."""
        return []

    def refusals(self, objects: Iterable[Object]) -> Iterator[Problem]:
        """Yield what the scheduler's admission webhooks would refuse of the objects if they came now."""
        return iter(())

    def unplayed_kinds(self, numbers: Counter[Kind]) -> list[str]:
        """Return a phrase for each kind that is there and not played; `numbers` says how many there are."""
        return []

    def installed(self, config: Object, neighbours: Sequence[Mapping[str, Any]]) -> tuple[Object, int | None]:
        """Return a configuration that was found as a scenario takes it, and which neighbour it holds too.

        neighbours: the configurations of kube-schedulers in the same namespace.
        """
        return config, None

    def unplayed_parts(self, config: Object, objects: Iterable[Object]) -> Unplayed:
        """Return what of a configuration a run of these objects is played without. Raises BadInput."""
        return Unplayed([], [])

    def left_out(self, config: Object, nodes: Sequence[Object]) -> list[str]:
        """Return what of these nodes a configuration leaves out. Raises BadInput."""
        return []
