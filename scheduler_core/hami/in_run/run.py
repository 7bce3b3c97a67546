"""HAMi as it takes part in a run: it hears what changes in the cluster, and its device plugins are played.

A device plugin answers every handshake, and hands the cards over as soon as the pod is bound.

Source: HAMi v2.10.0 pkg/scheduler/scheduler.go; pkg/device-plugin (what the other side does).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scheduler_core.events.cards_tried import NodeCards
from scheduler_core.events.exchanges import CardGiven, CardsFound
from scheduler_core.events.explanation import PolicyChoice
from scheduler_core.hami.configuration.settings import Configuration
from scheduler_core.hami.extender.extender import Hami
from scheduler_core.hami.extender.extender_answers import FilterAnswer
from scheduler_core.hami.extender.reasons import count_words
from scheduler_core.hami.imports.card_faults import card_faults
from scheduler_core.hami.in_run.explaining import node_cards, policy_choices
from scheduler_core.hami.in_run.lacking import card_lacks
from scheduler_core.hami.in_run.run_objects import Documents, RunObjects
from scheduler_core.hami.rules.cards import Taken
from scheduler_core.hami.rules.constants import ALLOCATING, BIND_PHASE, SUCCESS
from scheduler_core.hami.rules.numbers import fewest_digits
from scheduler_core.hami.rules.pod_request import Object
from scheduler_core.hami.rules.times import Clock
from scheduler_core.kube.extenders.extender import ExtenderError, Filtered, Victims
from scheduler_core.kube.extenders.settings import ExtenderSettings
from scheduler_core.objects.kinds import NODE, POD, kind_of
from scheduler_core.schedulers.card_lacks import CardLack
from scheduler_core.schedulers.card_tables import CARDS, HOLDINGS, slice_text
from scheduler_core.schedulers.unclocked import Annotated, Basis
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.pods import PodInfo


class HamiInRun(Checkpointed):
    """One HAMi, in the state's journal; `clock` gives the run's moment in nanoseconds since 1970."""

    remembered = {"objects": "objects", "hami": "hami"}

    def __init__(
        self,
        state: ClusterState,
        configuration: Configuration,
        documents: Documents,
        quotas: Iterable[Object],
        clock: Clock,
    ) -> None:
        self._state = state
        self.journal = state.journal
        self._start = clock()
        self.objects = RunObjects(state, documents)
        self.hami = Hami(state.journal, configuration, self.objects, clock)
        for quota in quotas:
            self.hami.quota_added(quota)
        for name in sorted(state.nodes.names):
            self._register(name)
        for info in state.present():
            self.hami.pod_added(self.objects.pod_at(info.row))
        self.hami.inventory.tell_always()

    def tables(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return the tables that the log shows of it."""
        inventory = self.hami.inventory
        return {CARDS: inventory.cards.told_rows(), HOLDINGS: inventory.holdings.told_rows()}

    def annotated(self) -> Annotated:
        return self.objects.annotated()

    def basis(self, objects: Sequence[Object]) -> Basis:
        """Return what is wrong with cards that nodes tell of, and with pods that hold some."""
        nodes = [item for item in objects if kind_of(item) == NODE]
        pods = [item for item in objects if kind_of(item) == POD]
        return Basis(faults=card_faults(nodes, pods, self.hami.configuration))

    def hear(self) -> None:
        """Hear of what has changed since the journal was forgotten."""
        journal = self._state.journal
        for name in journal.touched(self._state.node_changes):
            if name in self._state.nodes.index:
                self._register(name)
            else:
                self.hami.node_deleted(name)
        for row in journal.touched(self._state.pod_changes):
            self._hear_of_pod(row)

    def _hear_of_pod(self, row: int) -> None:
        pod = self.objects.pod_at(row)
        if row in self._state.gone.values:
            self.hami.pod_deleted(pod)
            self.objects.forget_pod(row)
            return
        if self._state.node_of(row) and self.objects.annotation(row, BIND_PHASE) == ALLOCATING:
            self._allocate(row, pod)
        self.hami.pod_updated(self.objects.pod_at(row))

    # -- the device plugins' side --------------------------------------------------------------------

    def _register(self, name: str) -> None:
        """Let a node's device plugins answer what they were asked, and look at the node."""
        answers = self.hami.answers_to_handshakes(self.objects.as_given(name), self._start)
        self.objects.patch_node(name, answers)
        self.hami.register_one(name)

    def _allocate(self, row: int, pod: Object) -> None:
        """Hand the cards over to a pod that is bound, and let the node's locks go."""
        self.objects.patch_pod(self._state.pods.infos[row].key, {BIND_PHASE: SUCCESS})
        self.hami.allocated(pod, self._state.node_of(row))


class HamiExtender:
    """HAMi as a kube-scheduler asks it, without a wire between them."""

    is_outside = False

    def __init__(self, settings: ExtenderSettings, run: HamiInRun) -> None:
        self.settings = settings
        self._run = run

    def filter(self, state: ClusterState, pod: PodInfo, nodes: Sequence[str]) -> Filtered:
        """Return the node that HAMi chooses; it notes the cards on the pod. Raises ExtenderError."""
        answer = self._run.hami.filter(self._run.objects.pod_at(pod.row), nodes)
        if answer.error:
            raise ExtenderError(answer.error)
        return Filtered(answer.node_names or (), answer.failed_nodes or {}, cards=_found(answer))

    def bind(self, state: ClusterState, pod: PodInfo, node: str) -> None:
        """Lock the node for the pod. Raises ExtenderError."""
        answer = self._run.hami.bind(pod.key, pod.uid, node)
        if answer.error:
            raise ExtenderError(answer.error)

    def fitting(self, pod: PodInfo, nodes: Sequence[str]) -> Sequence[str]:
        """Return on which of the nodes a pod that left its own would get cards."""
        return self._run.hami.fitting(self._run.objects.pod_at(pod.row), nodes)

    def refused(self, pod: PodInfo, nodes: Sequence[str]) -> Mapping[str, tuple[str, CardLack]]:
        """Return by node that HAMi refuses its reason, and what its cards lack."""
        run = self._run
        return card_lacks(run.hami, run.journal, run.objects.pod_at(pod.row), nodes, run.objects.node)

    def leave(self, pod: PodInfo) -> None:
        """Take the cards that a pod holds away from it."""
        self._run.hami.let_go(self._run.objects.pod_at(pod.row))

    def enter(self, pod: PodInfo, node: str) -> bool:
        """Give a pod cards of a node, and tell whether it has all that it asks for."""
        answer = self._run.hami.filter(self._run.objects.pod_at(pod.row), [node])
        return not answer.error and node in (answer.node_names or ())

    def cards_of(self, pod: PodInfo, node: str) -> NodeCards | None:
        """Return what HAMi says of a node, card by card; None for a pod that asks for none."""
        run, document = self._run, self._run.objects.pod_at(pod.row)
        return node_cards(run.hami, run.journal, document, node, self.settings.url_prefix)

    def choices(self, pod: PodInfo, nodes: Sequence[str]) -> list[PolicyChoice]:
        """Return what HAMi would choose under its own policies and under others."""
        run = self._run
        return policy_choices(run.hami, run.journal, run.objects.pod_at(pod.row), nodes)

    def prioritize(self, state: ClusterState, pod: PodInfo, nodes: Sequence[str]) -> Mapping[str, int]:
        """HAMi has no such verb."""
        raise ExtenderError("404 page not found")

    def preempt(
        self, state: ClusterState, pod: PodInfo, candidates: Mapping[str, Victims]
    ) -> Mapping[str, Victims]:
        """HAMi has no such verb."""
        raise ExtenderError("404 page not found")


def _found(answer: FilterAnswer) -> CardsFound:
    return CardsFound(
        node=answer.chosen,
        score=None if answer.score is None else fewest_digits(answer.score),
        fit=answer.judged.fit_count,
        best_count=len(answer.best),
        devices={
            vendor: [[_given(taken) for taken in piece] for piece in pieces]
            for vendor, pieces in answer.devices.items()
        },
        reasons=count_words(answer.judged.counted_reasons()),
    )


def _given(taken: Taken) -> CardGiven:
    taken_slice = slice_text(taken.slice) if taken.slice is not None else ""
    return CardGiven(taken.id, taken.memory, taken.cores, taken_slice)
