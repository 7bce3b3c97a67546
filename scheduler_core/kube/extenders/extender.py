"""What an extender is: somebody whom kube-scheduler asks beside its plugins, and what the answers are.

Source: kubernetes v1.36 staging/src/k8s.io/kube-scheduler/framework Extender, extender/v1 types.go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from scheduler_core.events.cards_tried import NodeCards
from scheduler_core.events.exchanges import CardsFound, Verb
from scheduler_core.events.explanation import PolicyChoice
from scheduler_core.kube.extenders.settings import ExtenderSettings
from scheduler_core.schedulers.card_lacks import CardLack
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.pods import PodInfo

EXTENDER = "Extender"
"""The name under which the queue notes that extenders left nodes out."""
MAX_PRIORITY, MAX_NODE_SCORE = 10, 100
"""The highest score that is expected of an extender, and of a plugin."""


class ExtenderError(Exception):
    """An extender gave no answer, or one that does not count; the text is kube-scheduler's."""


class Filtered(NamedTuple):
    """The nodes that stay, and reasons by node. `whole_nodes`: the answer held nodes instead of names.

    A reason may stand at a node that stays; one in both maps is unresolvable. `cards`: what HAMi found.
    """

    fits: Sequence[str]
    failed: Mapping[str, str] = {}
    unresolvable: Mapping[str, str] = {}
    whole_nodes: bool = False
    cards: CardsFound | None = None


class Victims(NamedTuple):
    """Whom a node would cost, by uid, and how many budgets that would violate."""

    pods: Sequence[str]
    pdb_violations: int


class Extender(Protocol):
    """Somebody to ask. Only the verbs of its settings are. All methods raise ExtenderError.

    `is_outside`: its answers depend on more than the cluster and earlier answers, so that they are stored.
    """

    settings: ExtenderSettings
    is_outside: bool

    def filter(self, state: ClusterState, pod: PodInfo, nodes: Sequence[str]) -> Filtered:
        """Return which of the nodes the pod may go to; names are of `nodes` alone."""

    def prioritize(self, state: ClusterState, pod: PodInfo, nodes: Sequence[str]) -> Mapping[str, int]:
        """Return points by node, as the extender gives them; several entries for a node are added up."""

    def preempt(
        self, state: ClusterState, pod: PodInfo, candidates: Mapping[str, Victims]
    ) -> Mapping[str, Victims]:
        """Return the nodes that may be taken, with whom that costs."""

    def bind(self, state: ClusterState, pod: PodInfo, node: str) -> None:
        """Bind the pod to the node."""

    def cards_of(self, pod: PodInfo, node: str) -> NodeCards | None:
        """Return what is behind an answer about a node, where that is known; nothing changes."""

    def choices(self, pod: PodInfo, nodes: Sequence[str]) -> list[PolicyChoice]:
        """Return what would be chosen under other policies, where that is known; nothing changes."""


@runtime_checkable
class KeepsBooks(Protocol):
    """An extender in process that knows what pods hold, and can be asked where else a pod would get it."""

    def fitting(self, pod: PodInfo, nodes: Sequence[str]) -> Sequence[str]:
        """Return on which of the nodes a pod that has left its own would get what it asks for."""

    def leave(self, pod: PodInfo) -> None:
        """Take away what a pod holds, through the state's journal."""

    def enter(self, pod: PodInfo, node: str) -> bool:
        """Give a pod what it asks for on a node, through the journal, and tell whether there was all."""


@runtime_checkable
class KnowsCards(Protocol):
    """An extender in process that says of every node by itself why its cards won't do."""

    def refused(self, pod: PodInfo, nodes: Sequence[str]) -> Mapping[str, tuple[str, CardLack]]:
        """Return by node that is refused its reason, and what its cards lack; nothing changes."""


class Call(NamedTuple):
    """A question and what was made of its answer. `nodes` are those that were sent, by name.

    Scores are times weight times 10. Of the answers there is that of the verb alone, none if `error` is set.
    """

    extender: str
    verb: Verb
    nodes: Sequence[str]
    filtered: Filtered | None = None
    scores: Mapping[str, int] | None = None
    victims: Mapping[str, Victims] | None = None
    error: str | None = None
