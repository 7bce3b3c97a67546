"""Simulation: a run, step by step.

In goes a RunInput, out come events. The same input always gives the same events; a simulation that is
built from a checkpoint goes on as the one that wrote it would have.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from scheduler_core import ENGINE_VERSION
from scheduler_core.events.decisions import Decision, Trust
from scheduler_core.events.state import RunState
from scheduler_core.kube.scheduler import KubeScheduler, Settings
from scheduler_core.objects.identity import Owners
from scheduler_core.state.build import build_state
from scheduler_core.world.arrangements import API_SERVERS, KUBE_SCHEDULER
from scheduler_core.world.controllers import Controllers, Documents
from scheduler_core.world.evictions import Evictions
from scheduler_core.world.explanation import AttemptExplanation, Explanation, render
from scheduler_core.world.preparation import Prepared, prepare
from scheduler_core.world.refused_evictions import note_refusals
from scheduler_core.world.rows import PodRows, run_state
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.schedulers import SCHEDULERS, Scheduler, check, ends_of_search
from scheduler_core.world.trust import trust_of
from scheduler_core.world.world import World

PROFILES = tuple(SCHEDULERS)


class Simulation:
    """One run. `seq` is the last decision's number, `base` the state before the first one."""

    ENGINE_VERSION = ENGINE_VERSION

    def __init__(self, run_input: RunInput, checkpoint: bytes | None = None) -> None:
        """Build the run, at its start or at a checkpoint. Raises BadInput."""
        run_input, scheduler = check(run_input)
        self._prepared: Prepared = prepare(run_input, scheduler.read)
        self.edit_results = self._prepared.edit_results
        self._world = self._start(run_input, scheduler)
        self._foresee_refusals()
        self.trust = self._trust(scheduler)
        self.base = self.state()
        self._beginning = self.checkpoint()
        if checkpoint is not None:
            self.restore(checkpoint)

    def _start(self, run_input: RunInput, scheduler: Scheduler) -> World:
        prepared = self._prepared
        profiles = scheduler.build(run_input.config)
        built = build_state(prepared.objects, scheduler.accounting)
        state = built.state
        documents = Documents(state.journal, (item for item in prepared.objects if item["kind"] == "Pod"))
        state.pod_changes.describe = PodRows(state, Owners(prepared.objects), documents)
        api = API_SERVERS[run_input.driver or "instant"](state, prepared.epoch)
        settings = Settings(
            engine=run_input.profile,
            attempt=scheduler.attempt,
            nomination_of=scheduler.nomination_of,
            by_priority=run_input.driver != "fifo" and scheduler.has_pod_priority(profiles),
            attempt_limit=run_input.attempt_limit,
            seed=run_input.seed,
        )
        self._scheduler = KubeScheduler(KUBE_SCHEDULER, state, profiles, api, settings)
        for pod in built.pending:
            if not self._scheduler.is_ours(pod):
                state.note_nomination(pod, scheduler.nomination_of(state.pods.infos[pod].pod))
        self._scheduler.admit(built.pending, [state.pods.by_uid[uid] for uid in prepared.entering])
        self._evictions = Evictions(state, api, prepared.evictions)
        controllers = Controllers(
            state,
            documents,
            [item for item in prepared.objects if item["kind"] == "StorageClass"],
            replacing=run_input.controllers == "recreate",
        )
        state.journal.tells = True
        return World(state, api, [self._scheduler], controllers, self._evictions)

    def _trust(self, scheduler: Scheduler) -> Trust:
        objects, nodes = self._prepared.objects, len(self._world.state.nodes)
        return trust_of(
            objects,
            [
                *self._prepared.not_modelled,
                *scheduler.not_modelled(objects),
                *ends_of_search(self._scheduler.profiles.values(), nodes),
            ],
            self._prepared.unknown,
            sampled=self._scheduler.samples(),
            # Only a drain asks the budgets where the scheduler does not.
            unread=() if self._evictions.requests else scheduler.unread_kinds,
        )

    def _foresee_refusals(self) -> None:
        """Say beside each edit which of its evictions will be refused, and leave the state as it was."""
        self._world.state.forget_journal()
        note_refusals(self.edit_results, self._evictions.requests, self._evictions.foresee)
        self._world.state.undo_to(0)

    @property
    def seq(self) -> int:
        """The last decision's number."""
        return self._world.seq

    @property
    def limit_reached(self) -> bool:
        """Whether the run ended because a pod had as many attempts as the limit allows."""
        return self._world.limit_reached

    # -- steps ---------------------------------------------------------------------------------------

    def step(self) -> Decision | None:
        """Take the next decision and return it; None at the end."""
        return self._world.step()

    def __iter__(self) -> Iterator[Decision]:
        while (decision := self.step()) is not None:
            yield decision

    def explain(self) -> Explanation:
        """Take the next decision as `step` does and return it in full.

        The Explanation is valid until the next step. Raises LookupError at the end of the run.
        """
        world = self._world
        turn = world.look()
        if turn is None:
            raise LookupError("the run is at its end")
        if not isinstance(turn.actor, KubeScheduler):
            return Explanation(world.apply(turn), world.state)
        cycle = render(world.state, turn.look)
        decision = world.apply(turn)
        cycle["nominated_after"] = world.state.nominated[turn.look.pod]
        profiles = turn.actor.profiles
        return AttemptExplanation(
            decision, world.state, cycle, turn.look, profiles, lambda: world.before(turn)
        )

    # -- state ---------------------------------------------------------------------------------------

    def state(self) -> RunState:
        """Return the state after decision `seq`."""
        schedulers = self._world.schedulers
        return run_state(
            self._world.state,
            [scheduler.queue for scheduler in schedulers],
            [scheduler.row() for scheduler in schedulers],
            self.seq,
            None,
        )

    def checkpoint(self) -> bytes:
        """Return what a new Simulation of the same input needs to go on from here."""
        return msgspec.msgpack.encode(self._world.dump())

    def restore(self, checkpoint: bytes | None) -> None:
        """Go to a checkpoint of the same input, forwards or backwards; None is the beginning."""
        self._world.load(msgspec.msgpack.decode(checkpoint or self._beginning))
