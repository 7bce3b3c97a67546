"""Simulation: a run, step by step.

In goes a RunInput, out come events. The same input always gives the same events; a simulation that is
built from a checkpoint goes on as the one that wrote it would have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace

from scheduler_core import ENGINE_VERSION
from scheduler_core.events.decisions import Decision, Trust
from scheduler_core.events.session_explanation import Compared, OrderInFull
from scheduler_core.events.state import RunState
from scheduler_core.kube.dropped_fields import DroppedField, as_stored
from scheduler_core.kube.equivalence.cache import Keeping
from scheduler_core.kube.extenders.exchanges import Exchanges
from scheduler_core.kube.kind import FrameworkVersion
from scheduler_core.kube.schedule_one import Attempts
from scheduler_core.objects.collector import collector_at_rest
from scheduler_core.objects.imports.pods_with_devices import DEVICE_KINDS
from scheduler_core.objects.kinds import POD_GROUP, PRIORITY_CLASS
from scheduler_core.schedulers.actor import EndedBy
from scheduler_core.schedulers.decision_explanation import Explanation, Noted
from scheduler_core.schedulers.kind import Made, Play, Version
from scheduler_core.schedulers.unclocked import Described
from scheduler_core.state.cluster import ClusterState
from scheduler_core.world.clocked.timed_run import TimedRun
from scheduler_core.world.controllers.evictions import Evictions
from scheduler_core.world.imported import Imported
from scheduler_core.world.reporting.answering import Answering
from scheduler_core.world.reporting.emptying import Emptied, emptied_nodes
from scheduler_core.world.reporting.extender_documents import ClusterDocuments
from scheduler_core.world.reporting.log_rows import PodRows, fields_of_schedulers, run_state
from scheduler_core.world.reporting.objects_now import objects_now
from scheduler_core.world.reporting.refused_evictions import note_refusals
from scheduler_core.world.reporting.release_trials import NotTried, ReleaseTrials
from scheduler_core.world.reporting.totals import Totals, totals_of
from scheduler_core.world.reporting.trust import trust_of
from scheduler_core.world.reporting.waiting import Listening, Place, place_of
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.setting_up.arrangements import Arrangement, instant_world, timed_run
from scheduler_core.world.setting_up.companions import build_all
from scheduler_core.world.setting_up.ground import Ground, build_ground
from scheduler_core.world.setting_up.preparation import Prepared, not_modelled, pods_let_in, prepare
from scheduler_core.world.setting_up.run_checks import check
from scheduler_core.world.unclocked.api_server import InstantApiServer
from scheduler_core.world.unclocked.world import World

Document = dict[str, Any]


class Simulation(Answering):
    """One run. `seq` is the last decision's number.

    What only the start of a run is asked for, `base` and `trust`, is made when somebody asks: it takes long
    in a large cluster, and who goes on from a checkpoint, or explains a decision, has it stored.
    """

    ENGINE_VERSION = ENGINE_VERSION

    def __init__(
        self,
        run_input: RunInput,
        checkpoint: bytes | None = None,
        *,
        exchanges: Exchanges | None = None,
        keeping: Keeping | None = None,
        imported: Imported | None = None,
        prepared: Prepared | None = None,
        ground: Ground | None = None,
        foretells: bool = False,
    ) -> None:
        """Build the run, at its start or at a checkpoint. Raises BadInput.

        `exchanges` is where the answers of outside extenders come from; without it nobody is asked. `keeping`
        says how plugins' answers are kept, which changes no decision. `imported` are the input's objects,
        where other runs share them. `prepared` is what the play begins with, where somebody has prepared it,
        and `ground` the cluster, where that is there: such a run goes forwards only. One that `foretells` is
        not played, and begins with all that comes of its edits at the start.
        """
        self._exchanges = exchanges or Exchanges()
        self._keeping = keeping or Keeping()
        run_input, version = check(run_input)
        made = build_all(run_input)
        self._version = version
        self._made = made
        self._imported = imported or Imported(run_input.objects)
        self._prepared = prepared or self._imported.prepared(run_input, version, foretells=foretells)
        self.edit_results = self._prepared.edit_results
        replacing = run_input.controllers == "recreate"
        self.ground = ground or build_ground(self._prepared, version.accounting, replacing=replacing)
        self._world = self._start(run_input, version, made)
        self._foresee_refusals()
        self._nodes = len(self._world.state.nodes)
        self._beginning = b"" if ground is not None else self.checkpoint()
        self._is_new = True
        if checkpoint is not None:
            self.restore(checkpoint)

    def _start(self, run_input: RunInput, version: Version, made: Mapping[str, Made]) -> World | TimedRun:
        prepared, ground = self._prepared, self.ground
        state, documents = ground.state, ground.documents
        state.pod_changes.describe = PodRows(state, ground.owners, documents)
        state.pod_changes.also = fields_of_schedulers
        nodes = [*prepared.nodes, *prepared.later]
        self._exchanges.documents = ClusterDocuments(state, documents.values, nodes)
        play = Play(
            profile=run_input.profile,
            version=version,
            made=made,
            state=state,
            pending=ground.pending,
            objects=prepared.objects,
            later=prepared.later,
            epoch=prepared.epoch,
            documents=self._exchanges.documents,
            exchanges=self._exchanges,
            keeping=self._keeping,
            by_priority=run_input.driver != "fifo"
            and all(one.version.has_pod_priority(one.built) for one in made.values()),
            attempt_limit=run_input.attempt_limit,
            seed=run_input.seed,
        )
        given = Arrangement(run_input, prepared, play, ground.controllers)
        world = timed_run(given) if run_input.driver == "timed" else instant_world(given)
        state.journal.tells = True
        return world

    @cached_property
    def base(self) -> RunState:
        """The state before the first decision."""
        if self._is_new:
            return self.state()
        here = self.checkpoint()
        self.restore(None)
        base = self.state()
        self.restore(here)
        return base

    @cached_property
    def trust(self) -> Trust:
        """What the run's answers rest on."""
        # What edits take away is no gap of the import, and what they add fills none.
        return self.trust_in()

    def trust_in(self, *, drains: bool = False, adds: bool = True) -> Trust:
        """Return what an answer rests on.

        drains: whether nodes are drained for it, so that budgets count. adds: whether pods are added.
        """
        imported, world, version = self._imported, self._world, self._version
        objects = self._prepared.objects
        everything = [*objects, *self._prepared.later, *self._prepared.foreseen]
        controlled = bool(world.own)
        bases = [
            one.basis(objects, everything, self._nodes, controlled=controlled) for one in world.schedulers
        ]
        return trust_of(
            objects,
            [*not_modelled(self._prepared.left_out), *version.not_modelled(objects)],
            self._prepared.unknown,
            bases=[*(part.basis(objects) for part in world.parts), *bases],
            # Only a drain asks the budgets where the scheduler does not.
            unread=[
                *(() if drains or self._prepared.evictions else version.unread_kinds),
                *(() if adds else (PRIORITY_CLASS,)),
                *(DEVICE_KINDS if world.state.device_claims is None else ()),
                *(() if any(one.plays_groups for one in world.schedulers) else (POD_GROUP,)),
            ],
            found=imported.gaps,
            told=imported.told,
            imported=imported.kinds,
        )

    def _foresee_refusals(self) -> None:
        """Say beside each edit which of its evictions will be refused, and leave the state as it was."""
        state = self._world.state
        state.forget_journal()
        evictions = Evictions(state, InstantApiServer(state), self._prepared.evictions)
        repeats = isinstance(self._world, TimedRun)
        note_refusals(self.edit_results, evictions.requests, evictions.foresee, repeats=repeats)
        state.undo_to(0)

    @property
    def profiles(self) -> dict[str, str]:
        """Which scheduler decides, by the `schedulerName`s of pods."""
        return {name: one.name for one in self._world.schedulers for name in one.row().profiles}

    @property
    def left_out(self) -> Mapping[str, int]:
        """How many pods take no part, by what they are with."""
        return self._prepared.left_out

    def totals(self) -> Totals:
        """Return sums over the cluster after decision `seq`."""
        return totals_of(self._world.state, self.left_out)

    def pods_let_in(self) -> list[Document]:
        """Return the pods of the run's start and those that come in it, as they are let in."""
        return pods_let_in(self._prepared)

    @property
    def seq(self) -> int:
        """The last decision's number."""
        return self._world.seq

    @property
    def limit_reached(self) -> bool:
        """Whether the run ended because a pod had as many attempts as the limit allows."""
        return self._world.limit_reached

    @property
    def ended_by(self) -> EndedBy:
        """What ended the run, once `step` has returned None."""
        return self._world.ended_by

    @property
    def until(self) -> int | None:
        """The clock's end in milliseconds since the run's start, null where no clock moves."""
        return self._world.until

    # -- steps ---------------------------------------------------------------------------------------

    def step(self) -> Decision | None:
        """Take the next decision and return it; None at the end."""
        self._is_new = False
        return self._world.step()

    def __iter__(self) -> Iterator[Decision]:
        while (decision := self.step()) is not None:
            yield decision

    def explain(self) -> Explanation:
        """Take the next decision as `step` does and return it in full.

        The Explanation is valid until the next step. Raises LookupError at the end of the run.
        """
        self._is_new = False
        noted: list[Noted] = []
        world = self._world
        decision = world.explained(noted.append)
        if decision is None:
            raise LookupError("the run is at its end")
        if not noted:
            return Explanation(decision, world.state)
        explanation = noted[-1].explanation(decision, world.state, world.before)
        attempt, reviews = explanation.attempt, self._prepared.reviews
        if attempt is not None and reviews is not None:
            explanation.attempt = replace(attempt, webhook=reviews.of(attempt.pod.uid))
        return explanation

    def order_of(self, of: Compared, first: str, second: str) -> OrderInFull:
        """Return why one of two queues, jobs or pods comes before the other, in the session that is open.

        Raises LookupError where none is, and KeyError for one that takes no part in it.
        """
        for scheduler in self._world.schedulers:
            if scheduler.in_session:
                return scheduler.order_of(of, first, second)
        raise LookupError("no session is open")

    # -- the cluster after decision `seq` ------------------------------------------------------------------

    @property
    def cluster(self) -> ClusterState:
        """Nodes and pods as columns, to be read only."""
        return self._world.state

    @property
    def schedulers(self) -> Sequence[Described]:
        """Who schedules, to be asked only."""
        return self._world.schedulers

    def workload_of(self, pod: str) -> str:
        """Return `Kind/namespace/name` of a pod's topmost known controller, or ''. Raises KeyError."""
        return self.ground.owners.workload(self.ground.documents.values[pod])

    def owner_of(self, pod: str) -> str:
        """Return `workload_of`, or of a pod without a controller its pod group, `PodGroup/namespace/name`.

        Raises KeyError.
        """
        info = self._world.state.pods.infos[self._world.state.pods.by_uid[pod]]
        workload, group = self.workload_of(pod), fields_of_schedulers(info.pod).get("group")
        return workload or (f"{POD_GROUP.name}/{group}" if group else "")

    def pods_by_workload(self) -> Counter[str]:
        """Return how many pods each topmost known controller has; bare pods are left out."""
        workload, documents = self.ground.owners.workload, self.ground.documents.values
        counts = Counter(workload(documents[info.uid]) for info in self._world.state.pods.infos)
        del counts[""]
        return counts

    def watch_untold(self, watch: Callable[[int], None]) -> None:
        """Let `watch` know when (nanoseconds) something happens by the clock that is no decision."""
        self._timed().world.hooks.untold = watch

    def document(self, pod: str) -> Document:
        """Return a pod, by uid, as an object, to be read only. Raises KeyError."""
        return self.ground.documents.values[pod]

    # -- waiting, where a clock moves; else LookupError ------------------------------------------------

    def place_in_queue(self, uid: str) -> Place | None:
        """Return where a pod waits and what would have it tried again; None if it is in no queue."""
        return place_of(self._timed().world.attempting, uid)

    @contextmanager
    def listening_for(self, uid: str) -> Iterator[Listening]:
        """Count what the pod's queue hears while the block takes steps."""
        listening = Listening(self._timed().world, uid)
        try:
            yield listening
        finally:
            listening.stop()

    def _timed(self) -> TimedRun:
        if not isinstance(self._world, TimedRun):
            raise LookupError("no clock moves in this run")
        return self._world

    # -- trials ----------------------------------------------------------------------------------------

    def trials_under(self, run_input: RunInput, release: str, *, builds: bool = True) -> ReleaseTrials:
        """Return the trials of this run, of that input, under another minor release. Raises NotTried.

        `builds` as for ReleaseTrials.
        """
        version = self._version
        if self._world.state.device_claims is not None:
            raise NotTried("devices for claims are only played with 1.36")
        schedulers = {each.name: each for each in self._world.schedulers if isinstance(each, Attempts)}
        if any(each.settings.feature_gates for each in schedulers.values()):
            raise NotTried("feature gates are set")
        if not isinstance(version, FrameworkVersion) or len(schedulers) < len(self._world.schedulers):
            raise NotTried("not all of its schedulers are kube-schedulers since 1.28")

        def read(drops: Sequence[DroppedField]) -> tuple[Sequence[Document], Sequence[Document]]:
            prepared = prepare(run_input, lambda objects: (as_stored(objects, drops)[0], []))
            return prepared.objects, prepared.later

        configs = {name: self._made[name].config for name in schedulers}
        return ReleaseTrials(schedulers, configs, version.minor, release, read, builds=builds)

    def emptied(self) -> Emptied | None:
        """Return how many nodes could be emptied now, one after the other; change nothing.

        None where it can't be asked of one pod whether it fits, or a session is open.
        """
        if any(scheduler.in_session for scheduler in self._world.schedulers):
            return None
        return emptied_nodes(self._world, self.ground.controllers)

    # -- state ---------------------------------------------------------------------------------------

    def state(self) -> RunState:
        """Return the state after decision `seq`."""
        schedulers = self._world.schedulers
        return run_state(
            self._world.state,
            [lists for scheduler in schedulers for lists in scheduler.lists()],
            self._world.tables(),
            [scheduler.row() for scheduler in schedulers],
            self.seq,
            self._world.time,
        )

    def objects_at_end(self) -> list[Document]:
        """Return the cluster's objects as they are when a run ends whose last decision is `seq`.

        Until then pods may still have become ready. Raises LookupError where another decision follows.
        """
        if self.step() is not None:
            raise LookupError("the run is not at its end")
        if not isinstance(self._world, TimedRun) or self.limit_reached:
            return self.objects()
        state, cluster = self._world.state, self._world.world.cluster
        mark = state.mark()
        cluster.move_to(self._world.world.until)
        found = self.objects()
        state.undo_to(mark)
        return found

    def objects(self) -> list[Document]:
        """Return the cluster's objects as they are after decision `seq`, to be read only."""
        return objects_now(self._world, self._prepared.objects, self.ground.documents.values)

    def checkpoint(self) -> bytes:
        """Return what a new Simulation of the same input needs to go on from here."""
        with collector_at_rest():
            return msgspec.msgpack.encode(self._world.dump())

    def restore(self, checkpoint: bytes | None) -> None:
        """Go to a checkpoint of the same input, forwards or backwards; None is the beginning."""
        self._is_new = False
        with collector_at_rest():
            self._world.load(msgspec.msgpack.decode(checkpoint or self._beginning))
