"""Simulation: a run, step by step.

In goes a RunInput, out come events. The same input always gives the same events; a simulation that is
built from a checkpoint goes on as the one that wrote it would have.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from scheduler_core import ENGINE_VERSION
from scheduler_core.events.decisions import Change, Decision, Eviction, RunState
from scheduler_core.kube.driver import Look
from scheduler_core.objects.identity import Owners
from scheduler_core.state.build import build_state
from scheduler_core.world import checkpoint as checkpoints
from scheduler_core.world.cards import Cards
from scheduler_core.world.controllers import RecreatingDriver
from scheduler_core.world.edits.results import EvictionRequest, RefusedEviction
from scheduler_core.world.evictions import Refusal, refusal
from scheduler_core.world.explanation import AttemptExplanation, Explanation, render
from scheduler_core.world.grace import GraceDriver
from scheduler_core.world.preparation import Prepared, prepare
from scheduler_core.world.refused_evictions import note_refusals
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.schedulers import SCHEDULERS, check, ends_of_search
from scheduler_core.world.trust import trust_of

PROFILES = tuple(SCHEDULERS)
_DRIVERS = {"instant": RecreatingDriver, "fifo": RecreatingDriver, "grace": GraceDriver}


class Simulation:
    """One run. `seq` is the last decision's number, `base` the state before the first one."""

    ENGINE_VERSION = ENGINE_VERSION

    def __init__(self, run_input: RunInput, checkpoint: bytes | None = None) -> None:
        """Build the run, at its start or at a checkpoint. Raises BadInput."""
        run_input, self._scheduler = check(run_input)
        self._prepared: Prepared = prepare(run_input, self._scheduler.read)
        self.edit_results = self._prepared.edit_results
        self.seq = 0
        self._evictions: list[EvictionRequest] = list(self._prepared.evictions)
        self._driver = self._start(run_input)
        self._foresee_refusals()
        self.trust = trust_of(
            self._prepared.objects,
            [
                *self._prepared.not_modelled,
                *self._scheduler.not_modelled(self._prepared.objects),
                *ends_of_search(self._driver.profiles.values(), len(self._driver.state.nodes)),
            ],
            self._prepared.unknown,
            sampled=self._driver.samples(),
            # Only a drain asks the budgets where the scheduler does not.
            unread=() if self._evictions else self._scheduler.unread_kinds,
        )
        self.base = self.state()
        self._beginning = self.checkpoint()
        if checkpoint is not None:
            self.restore(checkpoint)

    def restore(self, checkpoint: bytes | None) -> None:
        """Go to a checkpoint of the same input, forwards or backwards; None is the beginning."""
        saved = checkpoints.load(self._driver, checkpoint or self._beginning)
        self.seq = saved.seq
        evictions = self._prepared.evictions
        self._evictions = evictions[len(evictions) - saved.evictions_left :]

    def _start(self, run_input: RunInput) -> RecreatingDriver:
        prepared = self._prepared
        documents = {
            document["metadata"]["uid"]: document
            for document in prepared.objects
            if document["kind"] == "Pod"
        }
        scheduler = self._scheduler
        profiles = scheduler.build(run_input.config)
        fifo = run_input.driver == "fifo" or not scheduler.has_pod_priority(profiles)
        built = build_state(prepared.objects, scheduler.accounting)
        self._cards = Cards(Owners(prepared.objects), documents)
        driver = _DRIVERS[run_input.driver or "instant"](
            built.state,
            profiles,
            epoch=prepared.epoch,
            seed=run_input.seed,
            attempt_limit=run_input.attempt_limit,
            attempt=scheduler.attempt,
            nomination_of=scheduler.nomination_of,
            by_priority=not fifo,
            cards=self._cards if run_input.controllers == "recreate" else None,
            documents=documents,
            storage_classes=[item for item in prepared.objects if item["kind"] == "StorageClass"],
        )
        entering = [built.state.pods.by_uid[uid] for uid in prepared.entering]
        driver.admit(built.pending, [pod for pod in entering if driver.is_ours(pod)])
        return driver

    def _foresee_refusals(self) -> None:
        """Say beside each edit which of its evictions will be refused, and leave the state as it was."""
        self._driver.state.forget_journal()
        note_refusals(self.edit_results, self._evictions, self._foreseen)
        self._driver.state.undo_to(0)

    def _foreseen(self, request: EvictionRequest) -> RefusedEviction | None:
        pod = self._driver.state.pods.by_uid[request.uid]
        refused = self._refusal(pod)
        if refused is None:
            return None
        reference = self._driver.reference(pod)
        name = f"{reference.namespace}/{reference.name}"
        return RefusedEviction(request.uid, name, self._node_of(pod), refused.budgets, refused.message)

    # -- steps ---------------------------------------------------------------------------------------

    def step(self) -> Decision | None:
        """Take the next decision and return it; None at the end."""
        self._driver.state.forget_journal()
        if self._evictions:
            return self._evict()
        look = self._driver.look()
        return None if look is None else self._apply(look)

    def __iter__(self) -> Iterator[Decision]:
        while (decision := self.step()) is not None:
            yield decision

    def _apply(self, look: Look) -> Decision:
        decision = self._driver.apply(look, self.seq + 1)
        self.seq += 1
        return decision

    def _evict(self) -> Decision:
        request = self._evictions[0]
        driver, state = self._driver, self._driver.state
        pod = state.pods.by_uid[request.uid]
        name = self._node_of(pod)
        message = request.skipped or self._reason_to_stay(pod)
        changes: list[Change] = []
        if message is None:
            left = [driver.evict(pod)] if name else []
            changes = [*left, *driver.recreate(pod)]
        self._evictions = self._evictions[1:]
        if not self._evictions:
            changes += driver.settle()
        self.seq += 1
        return Eviction(self.seq, driver.reference(pod), _outcome(request, message), name, message, changes)

    def _node_of(self, pod: int) -> str:
        """Return the name of the pod's node, empty if it is on none that the cluster has."""
        node = int(self._driver.state.pod_node[pod])
        return self._driver.state.nodes.names[node] if node >= 0 else ""

    def _reason_to_stay(self, pod: int) -> str | None:
        refused = self._refusal(pod)
        return None if refused is None else refused.message

    def _refusal(self, pod: int) -> Refusal | None:
        state = self._driver.state
        if state.pod_node[pod] < 0 and not self._is_stranded(pod):
            return Refusal("the pod is on no node", [])
        if self._driver.is_leaving(pod):
            return Refusal("the pod is terminating already", [])
        return refusal(state, pod)

    def _is_stranded(self, pod: int) -> bool:
        """Return whether the pod is bound to a node that the cluster doesn't have, as after its deletion."""
        state = self._driver.state
        node_name = state.pods.infos[pod].pod.spec.node_name
        return bool(node_name) and node_name not in state.nodes.index and pod not in state.gone

    # -- explanations --------------------------------------------------------------------------------

    def explain(self) -> Explanation:
        """Take the next decision as `step` does and return it in full.

        The Explanation is valid until the next step. Raises LookupError at the end of the run.
        """
        driver, state = self._driver, self._driver.state
        state.forget_journal()
        if self._evictions:
            return Explanation(self._evict(), state)
        look = driver.look()
        if look is None:
            raise LookupError("the run is at its end")
        cycle = render(state, look)
        decision = self._apply(look)
        cycle["nominated_after"] = state.nominated[look.pod]
        return AttemptExplanation(decision, state, cycle, look, driver.profiles, lambda: self._before(look))

    @contextmanager
    def _before(self, look: Look) -> Iterator[None]:
        """Go back to the moment before the last decision for as long as the block runs."""
        self._driver.state.undo_to(0)
        self.seq -= 1
        try:
            yield
        finally:
            self._apply(look)

    # -- state ---------------------------------------------------------------------------------------

    def state(self) -> RunState:
        """Return the state after decision `seq`."""
        return self._cards.run_state(self._driver.state, self._driver.queue, self.seq)

    def checkpoint(self) -> bytes:
        """Return what a new Simulation of the same input needs to go on from here."""
        return checkpoints.save(self._driver, self.seq, len(self._evictions))

    @property
    def limit_reached(self) -> bool:
        """Whether the run ended because a pod had as many attempts as the limit allows."""
        return self._driver.limit_reached


def _outcome(request: EvictionRequest, message: str | None) -> Literal["evicted", "refused", "skipped"]:
    if request.skipped:
        return "skipped"
    return "refused" if message else "evicted"
