"""Why the pods of a snapshot wait, asked of the cluster's own schedulers on the cluster as it stands.

Nothing is stored and no scenario is made: the cluster is built in memory, one pod of each likeness is tried,
and every try is taken back. A thread does it, one cluster after another, so that no request waits longer than
it wants to. The answers of the last snapshots are kept in this process.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from django.conf import settings

from dashboard.answers.answer import Answer
from dashboard.answers.sentence import Sentence
from dashboard.answers.why_of_snapshot import Why, answer_of, trust, unasked
from dashboard.engine import input_without_objects, simulation_class
from dashboard.errors import sentence_of
from dashboard.models import Snapshot
from dashboard.models.packing import unpack
from dashboard.queries.waiting_pods import Alike, waiting_pods
from dashboard.services.workspace.known_clusters import size_of
from dashboard.services.workspace.scenarios import draft_scenario
from dashboard.services.workspace.suggesting import suggest
from scheduler_core.kube.cluster_said import Agreement, agreement
from scheduler_core.objects.collector import collector_at_rest
from scheduler_core.objects.problems import BadInput
from scheduler_core.schedulers.cause import Answered, Cause

if TYPE_CHECKING:
    from scheduler_core.world import RunInput, Simulation

logger = logging.getLogger(__name__)

ASKED_SECONDS = 2.0
"""Pods are asked about for so long from when the cluster stands; what isn't asked by then is told."""
MOST_SECONDS = 20.0
"""For so long they are asked about at most, where somebody wants to wait."""
KEPT = 8
"""Of so many snapshots the answers are kept."""

_LEFT_OUT = Cause("untried", reason="a run leaves the pod out")

Key = tuple[int, str]


@dataclass
class Asking:
    """What is asked of a snapshot's cluster, or was: one pod of each of `kinds`.

    `seconds` is how long the tries took, of `nodes` nodes, and `limit` how long they may. `untried`: why
    nothing is tried, as a sentence. `profile` and `chosen` say which schedulers are played and where these
    are from.
    """

    kinds: list[Alike]
    profile: str = ""
    chosen: str = ""
    untried: str = ""
    found: list[Why] = field(default_factory=list)
    nodes: int = 0
    seconds: float = 0.0
    limit: float = 0.0
    ended: Event = field(default_factory=Event)

    @property
    def left(self) -> list[Alike]:
        """Those that were not tried."""
        answered = {one.pods.first for one in self.found}
        return [one for one in self.kinds if one.first not in answered]

    @property
    def told(self) -> list[Why]:
        """The answers; and when no more come, that the others were not tried."""
        late = self.left if self.is_ready and not self.untried else []
        return [*self.found, *map(unasked, late)]

    @property
    def can_go_on(self) -> bool:
        """Whether more time is to be had for those that were not tried."""
        return bool(self.is_ready and self.left and not self.untried and self.limit < MOST_SECONDS)

    @property
    def waiting(self) -> int:
        """How many pods wait."""
        return sum(len(one.uids) for one in self.kinds)

    @property
    def is_ready(self) -> bool:
        """Whether nothing more is being asked."""
        return self.ended.is_set()

    def of_pod(self, uid: str) -> Why | None:
        """Return the answer about a pod; None where there is none, or not yet."""
        return next((one for one in self.found if uid in one.pods.uids), None)


class _Question(NamedTuple):
    """All that a thread needs to answer, so that it asks no database; `kinds` are to be tried."""

    asking: Asking
    kinds: list[Alike]
    seconds: float
    run_input: RunInput
    content: bytes


class Answers:
    """Those of this process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[Key, Asking] = OrderedDict()
        self._waiting: SimpleQueue[_Question] = SimpleQueue()
        self._thread: Thread | None = None

    def of(self, snapshot: Snapshot, wait: float = 0.0, *, pod: str = "", longer: bool = False) -> Asking:
        """Return what is asked of a snapshot's cluster, waiting so many seconds for its end.

        What was not tried in time is asked once more where it may take `longer`; of it a `pod`
        (`namespace/name` or uid) alone in any case.
        """
        key = snapshot.pk, snapshot.content_hash
        # The pods are read before the lock is taken: those who ask about other snapshots don't wait for it.
        begun = None if key in self._kept else self._begun(snapshot)
        with self._lock:
            asking = self._kept.get(key)
            if asking is None:
                asking = self._kept[key] = begun or self._begun(snapshot)
                self._ask(snapshot, asking, asking.kinds, ASKED_SECONDS)
            elif asking.is_ready:
                self._ask_left(snapshot, asking, pod, longer=longer)
            self._kept.move_to_end(key)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        asking.ended.wait(wait)
        return asking

    def forget(self, number: int) -> None:
        """Let the answers of a snapshot go."""
        with self._lock:
            for key in [key for key in self._kept if key[0] == number]:
                del self._kept[key]

    def clear(self) -> None:
        """Let all answers go."""
        with self._lock:
            self._kept.clear()

    def _begun(self, snapshot: Snapshot) -> Asking:
        suggestion = suggest(snapshot)
        asking = Asking(waiting_pods(snapshot), suggestion.profile, suggestion.sentence)
        asking.untried = _too_large(snapshot)
        return asking

    def _ask_left(self, snapshot: Snapshot, asking: Asking, pod: str, *, longer: bool) -> None:
        """Ask about those that were not tried: about a pod alone, or with more time."""
        if longer and asking.can_go_on:
            self._ask(snapshot, asking, asking.left, MOST_SECONDS - asking.limit)
        elif pod:
            self._ask(snapshot, asking, [one for one in asking.left if _has(one, pod)], 0.0)

    def _ask(self, snapshot: Snapshot, asking: Asking, kinds: list[Alike], seconds: float) -> None:
        try:
            run_input = input_without_objects(draft_scenario({"snapshot": snapshot}))
        except BadInput as error:
            asking.untried = f"The cluster's schedulers can't be played: {sentence_of(error.problems[0])}"
        if asking.untried or not kinds:
            asking.ended.set()
            return
        asking.limit += seconds
        asking.ended.clear()
        self._waiting.put(_Question(asking, kinds, seconds, run_input, bytes(snapshot.content)))
        if self._thread is None:
            self._thread = Thread(target=self._answer, name="why-pending", daemon=True)
            self._thread.start()

    def _answer(self) -> None:
        while True:
            question = self._waiting.get()
            _answer(question)
            del question  # while nothing is asked nothing is held


answers = Answers()


def _too_large(snapshot: Snapshot) -> str:
    size, most = size_of(snapshot), settings.TRIAL_KEPT
    if size <= most:
        return ""
    limit = f"at most {most:,} are tried here: a run tells why pods wait."
    return f"The cluster has {size:,} pods and nodes, {limit}"


def _answer(question: _Question) -> None:
    asking = question.asking
    try:
        with collector_at_rest():
            objects = msgspec.json.decode(unpack(question.content))["items"]
            run_input = msgspec.structs.replace(question.run_input, objects=objects)
            simulation = simulation_class()(run_input)
        _try(simulation, asking, question.kinds, question.seconds)
    except BadInput as error:
        asking.untried = f"The cluster can't be played: {sentence_of(error.problems[0])}"
    except Exception:
        asking.untried = "The cluster could not be tried: a run tells why pods wait."
        logger.exception("A cluster could not be asked why its pods wait.")
    finally:
        asking.ended.set()


def _try(simulation: Simulation, asking: Asking, kinds: list[Alike], seconds: float) -> None:
    """Try one pod of each kind, for so many seconds: one at least."""
    known = {one.first: one for one in kinds if simulation.knows(one.first)}
    asking.found += [Why(one, Answered(_LEFT_OUT), {}) for one in kinds if one.first not in known]
    before, begun = asking.seconds, time.monotonic()
    for uid, answered in simulation.whys(known):
        asking.nodes = max(asking.nodes, answered.cause.nodes)
        asking.found.append(Why(known[uid], answered, _agrees(known[uid], answered)))
        taken = time.monotonic() - begun
        asking.seconds = before + taken
        if taken > seconds:
            break


def _agrees(pods: Alike, answered: Answered) -> dict[Agreement, int]:
    """Return of how many of the pods the cluster's scheduler said the same, or otherwise."""
    counts: dict[Agreement, int] = {}
    for uid in pods.uids:
        how = agreement(pods.said.get(uid), answered.cause.message)
        counts[how] = counts.get(how, 0) + 1
    return counts


def matching(asking: Asking, *, pod: str = "", workload: str = "", job: str = "") -> Sequence[Why]:
    """Return the answers about a pod (`namespace/name` or uid), a workload or a job; else all."""
    found: Sequence[Why] = asking.told
    if pod:
        found = [one for one in found if _has(one.pods, pod)]
    if workload:
        found = [one for one in found if one.pods.workload == workload]
    if job:
        found = [one for one in found if one.pods.group == job]
    return found


def _has(pods: Alike, named: str) -> bool:
    return named in pods.uids or named in (f"{pods.namespace}/{name}" for name in pods.names)


def answer(snapshot: Snapshot, asking: Asking, found: Sequence[Why]) -> Answer:
    """Return what was found as an answer; `found` may be a part of it."""
    all_of_it = len(found) == len(asking.told)
    kinds = asking.kinds if all_of_it else [one.pods for one in found]
    return answer_of(found, kinds, snapshot.pk, trusted(asking, found))


def trusted(asking: Asking, found: Sequence[Why]) -> list[Sentence]:
    """Return how sure answers are: those that `found` holds of what was asked."""
    late = {one.first for one in asking.left}
    tried = [one for one in found if one.pods.first not in late]
    left = [one.pods for one in found if one.pods.first in late]
    return trust(tried, asking.nodes, asking.seconds, left, asking.chosen, asking.untried)
