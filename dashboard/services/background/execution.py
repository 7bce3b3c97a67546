"""How a worker plays a run: takes the lease, resumes, decides, stores in chunks, obeys, ends.

Decisions are stored after CHUNK_DECISIONS of them or CHUNK_SECONDS (in the background: after
BACKGROUND_CHUNK_SECONDS), whichever comes first, so that a live reader sees them flow. At the same moments
the worker looks at what readers ask for (cancel, pause, rate); a cancel also cuts off what takes long before
or between them (`interrupting`).
A worker may die at any point: the next one goes on from what is stored. While other runs wait, one gives its
worker back: a paced run between two decisions, any run after a share of time.
"""

import gc
import logging
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from django.db import connection

from dashboard import tracing
from dashboard.database_faults import is_passing
from dashboard.engine import engine_version
from dashboard.errors import LeaseLost, RecordedByOtherEngine, listed_problems, problem_documents, sentence_of
from dashboard.models import Chunk, Run
from dashboard.models.packing import pack
from dashboard.models.runs import NOT_BASELINE
from dashboard.queries.resuming import simulation_after
from dashboard.services.background import recording
from dashboard.services.background.attendance import is_left_to_others
from dashboard.services.background.interrupting import Interrupted, Interrupter
from dashboard.services.background.leases import new_owner
from dashboard.services.background.pacing import Pace
from dashboard.services.background.recording import Control, Lease
from dashboard.services.background.returning import returning_leases
from dashboard.services.background.shared_grounds import forget_grounds, lent_ground
from dashboard.services.results.at_end import add_what_the_engine_says
from dashboard.services.results.outcome import Ending
from dashboard.services.results.run_sums import Explain, OutcomeOfPlay, is_soon_summed, sums_of_run
from dashboard.services.results.tally import Tally
from dashboard.services.workspace.extenders.calling import OutsideExtenders
from dashboard.shapes.outcome import Emptiable, Figures
from dashboard.shapes.runs import RunProgress, RunStart
from scheduler_core.events.decisions import SCHEMA_VERSION, Attempt, Completion, Decision, encoder
from scheduler_core.events.fold import Fold
from scheduler_core.events.sessions import Gang
from scheduler_core.events.state import RunState
from scheduler_core.objects.collector import collector_seldom
from scheduler_core.objects.problems import BadInput

if TYPE_CHECKING:
    from scheduler_core.world.reporting.emptying import Emptied

logger = logging.getLogger(__name__)

CHUNK_DECISIONS = 200
CHUNK_SECONDS = 0.15
BACKGROUND_CHUNK_SECONDS = 0.5
"""Of a run in the background: few watch it, and a look costs as much as ten decisions."""
SWEPT_CHUNK_DECISIONS, SWEPT_CHUNK_SECONDS = 1000, 2.0
"""Of a run of a sweep: nobody watches it."""
CHECKPOINT_SECONDS, SWEPT_CHECKPOINT_SECONDS = 0.15, 2.0
CHECKPOINT_SHARE = 0.1
STATE_SHARE = 0.1
SHARE_SECONDS = 5.0
SHARE_OPENINGS = 5
WAITING_SHARE_SECONDS = 1.0


def execute_run(run_id: int) -> None:
    """Play a run to its end, or until it is paused, cancelled, taken over or gives way; safe at any time."""
    with returning_leases() as held:
        if _is_of_others(run_id):
            return
        lease = recording.claim(run_id, new_owner())
        if lease is None:
            logger.info("Run %s has nothing to take over.", run_id)
            return
        held.give_up = partial(recording.give_up, lease)
        try:
            with collector_seldom():
                _play(lease)
        finally:
            gc.unfreeze()


def _is_of_others(run_id: int) -> bool:
    """Return whether a run is left to the workers whose engine it was asked of; the reaper sends it again.

    What they have left behind undecided is asked of this engine instead. What stands beside other runs, a
    sweep's or a run without edits, is not, since two engines would be compared.
    """
    run = Run.objects.filter(pk=run_id).only("engine_version").first()
    if run is None or run.engine_version == engine_version():
        return False
    if is_left_to_others("worker", run.engine_version):
        logger.info("Run %s is left to workers with engine %s.", run_id, run.engine_version)
        return True
    recording.waiting_runs().filter(NOT_BASELINE, pk=run_id, base=None, sweep_points=None).update(
        engine_version=engine_version(), schema_version=SCHEMA_VERSION
    )
    return False


def _play(lease: Lease) -> None:
    """Play under the lease; what is wrong with the run itself ends it as failed with a sentence."""
    try:
        with Interrupter(recording.watch_for_cancel(lease)) as interrupter:
            Player(lease, interrupter).play()
    except BadInput as error:
        sentences = "\n".join(map(sentence_of, listed_problems(error.problems)))
        recording.fail(lease, sentences, problem_documents(error.problems))
    except RecordedByOtherEngine:
        recorded = Run.objects.values_list("engine_version", flat=True).get(pk=lease.run_id)
        sentence = (
            f"Recorded by engine {recorded}, which engine {engine_version()} doesn't repeat; run again."
        )
        recording.fail(lease, sentence)
    except Exception as error:
        if isinstance(error, LeaseLost) or is_passing(error):
            raise
        logger.exception("Run %s failed", lease.run_id)
        sentence = f"The engine failed: {type(error).__name__}: {error}"
        recording.fail(lease, sentence)


def placed_by(decision: Decision) -> int:
    """Return how many pods got their nodes by a decision; less than none if a binding failed later."""
    if isinstance(decision, Completion) and decision.outcome == "returned" and has_answers(decision):
        return -1
    return len(decision.bound) if isinstance(decision, Gang) else int(decision.outcome == "scheduled")


def has_answers(decision: Decision) -> bool:
    """Return whether extenders were asked for a decision."""
    return isinstance(decision, Attempt | Completion) and decision.exchanges is not msgspec.UNSET


class Share:
    """When to do again what may take no more than a share of the CPU seconds that are computed meanwhile.

    least: it is not done before so many of these seconds.
    """

    def __init__(self, share: float, least: float = 0.0) -> None:
        self.share = share
        self.least = least
        self.computed = self.took = 0.0

    @property
    def is_due(self) -> bool:
        """Whether enough has been computed since the last time."""
        return self.computed >= max(CHECKPOINT_SECONDS, self.least, self.took / self.share)

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Note how long the block takes, and begin to count anew."""
        start = time.thread_time()
        yield
        self.took, self.computed = time.thread_time() - start, 0.0


class Player:
    """A worker's view of one run: the simulation, what isn't stored yet, and when to do what next."""

    def __init__(self, lease: Lease, interrupter: Interrupter) -> None:
        self.lease = lease
        self.interrupter = interrupter
        self.run = Run.objects.select_related("snapshot").get(pk=lease.run_id)
        last_chunk = Chunk.objects.filter(run=self.run).order_by("-number").first()
        self.chunks = last_chunk.number if last_chunk else 0
        self.simulation: Any = None
        self.unstored: list[Decision] = []
        self.control = Control("", self.run.rate)
        self.pace = Pace(self.run.rate, lease.late)
        self.extenders = OutsideExtenders()
        self.next_look = self.next_chunk = 0.0
        self.is_swept = self.run.sweep_points.exists()
        self.outcome: OutcomeOfPlay | None = None
        self.look_seconds = BACKGROUND_CHUNK_SECONDS if self.run.background else CHUNK_SECONDS
        self.chunk_seconds = SWEPT_CHUNK_SECONDS if self.is_swept else self.look_seconds
        self.checkpointed = 0
        least = SWEPT_CHECKPOINT_SECONDS if self.is_swept else 0.0
        self.checkpoints = Share(CHECKPOINT_SHARE, least)
        self.states = Share(STATE_SHARE, least)
        self.stepping_since: float | None = None
        """The thread's CPU time at the first step that is not yet counted."""

    def play(self) -> None:
        """Decide until the end or until a reader says otherwise."""
        try:
            with ExitStack() as lending:
                self._play(lending)
        except Interrupted:
            if not connection.in_atomic_block:
                connection.close()  # it may have been in the middle of an answer
            self._end("cancelled")

    def _play(self, lending: ExitStack) -> None:
        if recording.look(self.lease).want == "cancel":
            return self._end("cancelled")
        start = time.monotonic()
        if not self.is_swept:
            forget_grounds()
        with tracing.span("open run", decisions=self.run.decisions), self.interrupter.computing():
            is_lent = self.is_swept and not self.run.decisions
            lent = lending.enter_context(lent_ground(self.run)) if is_lent else None
            self.simulation = simulation_after(self.run, self.run.decisions, source=self.extenders, lent=lent)
        gc.freeze()  # all of it stays until the run is over: no collection need look through it
        self.opened_at = time.monotonic()
        self.opening = self.opened_at - start
        self.checkpointed = self.simulation.seq
        with self.interrupter.computing():
            self.fold = Fold(self.simulation.state() if self.checkpointed else self.simulation.base)
            base, fields = self._found_at_start()
        recording.record_start(self.lease, progress=self._progress(), **fields)
        if self.is_swept and is_soon_summed(self.run, self.run.decisions):
            self.outcome = OutcomeOfPlay(self.run, base)
        while True:
            self._look_when_due()
            if self.control.want and self._obey():
                return None
            if self.control.others_wait and self._give_way():
                return None
            if not self._wait_for_turn():
                continue
            decision = self._step()
            if decision is None:
                return self._end("finished")
            self.fold.apply(decision)
            self.unstored.append(decision)
            # Nobody outside is asked twice, also if this worker dies now.
            most = SWEPT_CHUNK_DECISIONS if self.is_swept else CHUNK_DECISIONS
            if len(self.unstored) >= most or self.extenders.has_asked:
                self._store()

    def _step(self) -> Decision | None:
        """Take the next decision; an engine that breaks loses none of those before."""
        if self.stepping_since is None:
            self.stepping_since = time.thread_time()
        self.extenders.begin()
        try:
            with self.interrupter.computing():
                decision: Decision | None = self.simulation.step()
        except Exception:
            self._store()
            raise
        return decision

    def _count_steps(self) -> None:
        """Note what steps have computed since the last time; asking at each step would take long."""
        if self.stepping_since is not None:
            took = time.thread_time() - self.stepping_since
            self.stepping_since = None
            for share in (self.checkpoints, self.states):
                share.computed += took

    def _found_at_start(self) -> tuple[RunState, RunStart]:
        """Return the state before the first decision, and what the row of a run has of it, if not yet."""
        fields: RunStart = {}
        stored = self.run.base_json()
        base = self.simulation.base if stored is None else msgspec.json.decode(stored, type=RunState)
        if stored is None:
            fields["base"] = pack(encoder.encode(base))
            fields["trust"] = msgspec.to_builtins(self.simulation.trust)
            fields["edit_results"] = msgspec.to_builtins(self.simulation.edit_results)
        self.pending = sum(1 for _ in base.waiting())
        self.placed = self.run.progress.get("placed", 0)
        return base, fields

    def _progress(self) -> RunProgress:
        progress: RunProgress = {"stage": "deciding", "pending": self.pending, "placed": self.placed}
        until = self.simulation.until
        return progress if until is None else {**progress, "until": until}

    def _look_when_due(self) -> None:
        now = time.monotonic()
        if now < self.next_look:
            return
        self._count_steps()
        if now >= self.next_chunk:
            self._store()
            self.next_chunk = now + self.chunk_seconds
        self.control = recording.look(self.lease)
        self.pace.set_rate(self.control.rate)
        self.next_look = time.monotonic() + self.look_seconds

    def _obey(self) -> bool:
        """Do what a reader wants; True if that ends this worker's part."""
        self._store()
        if self.control.want == "cancel":
            self._end("cancelled")
            return True
        self._checkpoint()
        paused = recording.pause(self.lease)
        self.next_look = 0.0
        self.control = Control("", self.control.rate)
        return paused

    def _give_way(self) -> bool:
        """Let others have the worker while the next decision isn't due, or after a fair share of time.

        A share is long beside what opening the run again will take; in the background there is none. A wait
        that is longer than the share of those who wait would keep the worker for nothing.
        """
        held, wait = time.monotonic() - self.opened_at, self.pace.seconds_to_wait()
        least, openings = (WAITING_SHARE_SECONDS, 1) if wait else (SHARE_SECONDS, SHARE_OPENINGS)
        if self.run.background:
            least, openings = 0.0, 0
        if held < max(least, openings * self.opening) and wait < WAITING_SHARE_SECONDS:
            return False
        self._store()
        given = recording.give_way(self.lease, wait)
        self.next_look = 0.0
        return given

    def _wait_for_turn(self) -> bool:
        """Sleep until the next decision is due, at most until the next look; False if it isn't due yet."""
        wait = self.pace.seconds_to_wait()
        if wait <= 0:
            self.pace.take_turn()
            return True
        self._store()
        time.sleep(max(0.0, min(wait, self.next_look - time.monotonic())))
        return False

    def _store(self) -> None:
        self._count_steps()
        if not self.unstored:
            return
        self.placed += sum(map(placed_by, self.unstored))
        self.chunks += 1
        with tracing.span("store chunk", chunk=self.chunks, decisions=len(self.unstored)):
            recording.append_chunk(self.lease, self.chunks, self.unstored, self._progress())
        if self.outcome is not None:
            self.outcome.add(self.unstored)
        self.unstored = []
        if self.checkpoints.is_due:
            self._checkpoint()

    def _checkpoint(self) -> None:
        """Keep the engine's state, and the log's if that is due, too."""
        if self.simulation.seq == self.checkpointed:
            return
        state = None
        if self.states.is_due:
            with self.states.taken():
                state = encoder.encode(self.fold.state())
        with self.checkpoints.taken():
            recording.save_checkpoint(self.lease, self.simulation.seq, self.simulation.checkpoint(), state)
        self.checkpointed = self.simulation.seq

    def _end(self, status: str) -> None:
        self._store()
        has_finished = status == "finished"
        ending = Ending(self.simulation.ended_by, self.simulation.until) if has_finished else None
        explain = self._explain if has_finished else None
        found = self._outcome(ending, explain) if self.is_swept else self._sums(ending, explain)
        recording.finish(self.lease, status, **found)
        if has_finished and not self.is_swept:  # of those it takes longer than the rest
            self._count_emptiable(found["outcome"])

    def _sums(self, ending: Ending | None, explain: Explain | None) -> dict[str, Any]:
        """Return the fields of the run's row that sum it up."""
        pods = None if self.simulation is None else self.simulation.pods_let_in
        sums = sums_of_run(self.run.pk, ending, pods, explain)
        return {} if sums is None else {"outcome": sums.outcome, "over_time": sums.over_time}

    def _outcome(self, ending: Ending | None, explain: Explain | None) -> dict[str, Any]:
        """Return the same of a run of a sweep; how it went over time is made when it is opened, if soon."""
        if self.outcome is not None and is_soon_summed(self.run, self.simulation.seq):
            results = msgspec.to_builtins(self.simulation.edit_results)
            found: dict[str, Any] = {"outcome": self.outcome.figures(ending, results, explain)}
        else:
            found = self._sums(ending, explain)
        if found and ending is not None:
            found["outcome"]["emptiable"] = None
        return found

    def _count_emptiable(self, outcome: Figures) -> None:
        """Add to the outcome how many nodes could be emptied; nobody waits for it, it may take seconds."""
        try:
            found: Emptied | None = self.simulation.emptied()
        except Exception:
            logger.exception("How many nodes run %s leaves to be emptied could not be counted.", self.run.pk)
            return
        counted: Emptiable | None = (
            None if found is None else {"nodes": found.nodes, "tried": found.tried, "of": found.of}
        )
        Run.objects.filter(pk=self.run.pk).update(outcome={**outcome, "emptiable": counted})

    def _explain(self, figures: Figures, tally: Tally) -> None:
        with self.interrupter.computing():
            last = tally.causes.seqs()
            add_what_the_engine_says(figures, self.simulation, tally.pending_pods(), last, with_jobs=True)
