"""How a worker answers questions under a lease; of why pods wait it stores answers as it goes.

The cluster is one that it keeps warm (`warm_worlds.py`). Nothing that is tried in it stays, so that every
answer is that of the cluster as it stands. Questions of other kinds come in one piece (`answerer.py`).

The worker may die at any point: the next one goes on with the kinds of pods that have no answer yet. Who ends
a question takes the lease away, which cuts off also what takes long.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import msgspec
from django.db import connection, transaction
from django.db.models import F, Max, QuerySet, Sum
from django.db.models.functions import Now

from dashboard.answers.why_of_snapshot import LEFT_OUT, agreed
from dashboard.database_faults import is_passing
from dashboard.engine import engine_version
from dashboard.errors import LeaseLost, sentence_of
from dashboard.models import AnswerPart, Question
from dashboard.queries.waiting_pods import Alike, waiting_pods
from dashboard.services.background.answerer import Answerer
from dashboard.services.background.attendance import ANSWERER, is_left_to_others
from dashboard.services.background.interrupting import Interrupted, Interrupter
from dashboard.services.background.leases import FREE, new_owner
from dashboard.services.background.lost_work import keep_no_secret, release_questions
from dashboard.services.background.renaming import Renamer
from dashboard.services.background.returning import returning_leases
from dashboard.services.background.warm_worlds import settle, too_large, warm_world
from dashboard.services.workspace.scenarios import cluster_as_it_stands
from dashboard.services.workspace.why_packing import (
    StoredWhy,
    pack_answers,
    pack_kinds,
    pack_marks,
    pack_queues,
    unpack_answers,
    unpack_kinds,
)
from scheduler_core.objects.problems import BadInput
from scheduler_core.schedulers.cause import Answered
from scheduler_core.world.simulation import Simulation
from scheduler_core.world.trials.warm_world import WarmWorld

logger = logging.getLogger(__name__)

PART_SECONDS = 0.2
PART_KINDS = 64
"""Answers are stored after so long, or so many."""
MARKS_BYTES = 32 * 2**20
"""What nodes say of kinds is kept up to here for each question; of others it is found when it is asked."""
STORED_BYTES = 256 * 2**20
"""All questions together; those that were read the longest ago go first."""


def answer_question(question_id: int) -> None:
    """Answer what is asked, unless somebody else is at it or all is answered; safe at any time."""
    owner = new_owner()
    asked = Question.objects.filter(pk=question_id, status=Question.Status.ASKED)
    row = asked.filter(owner=owner)
    with returning_leases() as held:
        release_questions(asked)
        if _is_of_others(asked):
            return
        begun = {"heartbeat_at": Now(), "dispatched_at": Now(), "stage": "building"}
        if not asked.filter(owner="").update(owner=owner, **begun):
            logger.info("Question %s has nothing to answer.", question_id)
            return
        held.give_up = partial(_give_up, row)
        try:
            with Interrupter(_watch(row)) as interrupter:
                _worker_of(row, interrupter).answer()
        except Interrupted:
            if not connection.in_atomic_block:
                connection.close()  # it may have been in the middle of an answer
            logger.info("Question %s was ended, or deleted.", question_id)
        _remove_old(question_id)
    settle()


def _is_of_others(asked: QuerySet[Question]) -> bool:
    """Return whether a question is for workers with another engine; where none is left, it ends unanswered.

    Its key stands for that engine: an answer of this one would be taken for the other's.
    """
    engine = asked.values_list("engine", flat=True).first()
    if engine in (None, "", engine_version()):
        return False
    if is_left_to_others(ANSWERER, engine):
        logger.info("A question is left to workers with engine %s.", engine)
        return True
    number = list(asked.values_list("pk", flat=True))
    untried = f"It was asked of engine {engine}, which no worker has any more."
    asked.filter(owner="").update(status=Question.Status.ANSWERED, untried=untried, **FREE)
    keep_no_secret(Question.objects.filter(pk__in=number))
    return True


def _worker_of(row: QuerySet[Question], interrupter: Interrupter) -> "_Asker | Answerer":
    workers: dict[str | None, type[_Asker | Answerer]] = {Question.WHY: _Asker, Question.OTHER_NAMES: Renamer}
    return workers.get(row.values_list("kind", flat=True).first(), Answerer)(row, interrupter)


def _give_up(row: QuerySet[Question]) -> None:
    row.update(stage="", **FREE)


def _watch(row: QuerySet[Question]) -> Callable[[], bool]:
    """Return what tells whether the lease that was there is gone."""
    seen = False

    def is_unwanted() -> bool:
        nonlocal seen
        there = row.exists()
        seen = seen or there
        return seen and not there

    return is_unwanted


class _Asker:
    """A worker's view of one question."""

    def __init__(self, row: QuerySet[Question], interrupter: Interrupter) -> None:
        self.row = row
        self.interrupter = interrupter
        found = row.select_related("snapshot").first()
        if found is None:
            raise LeaseLost("a question")
        self.question = found
        self.kinds: list[Alike] = []
        self.seconds = found.seconds
        self.nodes = found.nodes

    def answer(self) -> None:
        """Try what is wanted and not tried yet, store it, and end the question."""
        untried = ""
        try:
            self._find_kinds()
            untried = too_large(self.question.snapshot) or self._ask()
        except BadInput as error:
            untried = f"The cluster can't be played: {sentence_of(error.problems[0])}"
        except Exception as error:
            if isinstance(error, LeaseLost) or is_passing(error):
                raise
            logger.exception("A cluster could not be asked why its pods wait.")
            untried = "The cluster could not be tried: a run tells why pods wait."
        ended = {"status": Question.Status.ANSWERED, "answered_at": Now()}
        self._write(**ended, untried=untried, stage="", wanted=[], **FREE)

    def _find_kinds(self) -> None:
        if self.question.kinds is not None:
            self.kinds = unpack_kinds(self.question.kinds)
            return
        self.kinds = waiting_pods(self.question.snapshot)
        self._write(kinds=pack_kinds(self.kinds), number=len(self.kinds))

    def _ask(self) -> str:
        """Try pods; return why none can be, as a sentence."""
        places = self._places()
        if not places:
            return ""
        snapshot = self.question.snapshot
        try:
            run_input = cluster_as_it_stands(snapshot)
        except BadInput as error:
            return f"The cluster's schedulers can't be played: {sentence_of(error.problems[0])}"

        with warm_world(snapshot, run_input, self.interrupter) as world:
            simulation = world.simulation
            self._write(stage="asking")
            self._ask_of_queues(simulation)
            self._store_all(self._answers(simulation, places))
            self._ask_of_trust(world)
        return ""

    def _ask_of_queues(self, simulation: Simulation) -> None:
        """Store what the schedulers say of their queues, if that isn't known yet."""
        if self.question.queues is not None:
            return
        with self.interrupter.computing():
            rows = simulation.queue_shares()
        self._write(queues=pack_queues(rows))

    def _ask_of_trust(self, world: WarmWorld) -> None:
        """Store what answers rest on, if that isn't known yet: in a large cluster it takes a while."""
        if self.question.rests_on is not None:
            return
        with self.interrupter.computing():
            rests_on = world.rests_on()
        self._write(rests_on=msgspec.to_builtins(rests_on))

    def _places(self) -> list[int]:
        """Return the kinds that are to be tried: those that are wanted, then all that time allows."""
        kept = (one for part in self._parts() for one in unpack_answers(part.answers))
        known = {one.place: one.has_nodes for one in kept}
        self.tried = set(known)
        wanted = [place for place in self.question.wanted if known.get(place) is None]
        left = [place for place in range(len(self.kinds)) if place not in known and place not in wanted]
        has_time = self.question.limit > self.seconds or not known
        return [*wanted, *(left if has_time else [])]

    def _parts(self) -> QuerySet[AnswerPart]:
        return AnswerPart.objects.filter(question=self.question).order_by("number").defer("marks")

    def _answers(self, simulation: Simulation, places: list[int]) -> Iterator[tuple[int, Answered]]:
        """Yield answers by place: those that are wanted, the others for as long as they may, one at least."""
        of_pod = {self.kinds[place].first: place for place in places}
        known = [uid for uid in of_pod if simulation.knows(uid)]
        yield from ((place, LEFT_OUT) for uid, place in of_pod.items() if not simulation.knows(uid))
        wanted, before = set(self.question.wanted), self.seconds
        whys = simulation.whys(known)
        left = len(wanted.intersection(places))
        opened: float | None = None  # what all share, such as a session of Volcano, comes before the first
        while True:
            with self.interrupter.computing():
                found = next(whys, None)
            if found is None:
                return
            uid, answered = found
            opened = time.monotonic() if opened is None else opened
            self.seconds = before + time.monotonic() - opened
            self.nodes = max(self.nodes, answered.cause.nodes)
            left -= of_pod[uid] in wanted
            yield of_pod[uid], answered
            if self.seconds >= self.question.limit and left <= 0:
                return

    def _store_all(self, answers: Iterable[tuple[int, Answered]]) -> None:
        unstored: list[tuple[int, Answered]] = []
        stored = time.monotonic()
        for one in answers:
            unstored.append(one)
            if len(unstored) >= PART_KINDS or time.monotonic() - stored > PART_SECONDS:
                self._store(unstored)
                unstored, stored = [], time.monotonic()
        if unstored:
            self._store(unstored)

    def _store(self, answers: list[tuple[int, Answered]]) -> None:
        """Append a part."""
        wanted = set(self.question.wanted)
        whole = self.question.size < MARKS_BYTES
        marked = [
            (place, answered.marks) for place, answered in answers
            if answered.marks.names and (whole or place in wanted)
        ]  # fmt: skip
        with_marks = {place for place, _ in marked}
        stored = [
            StoredWhy(
                place, answered.cause, agreed(self.kinds[place], answered),
                has_nodes=place in with_marks or (None if answered.marks.names else False),
            )
            for place, answered in answers
        ]  # fmt: skip
        packed, marks = pack_answers(stored), pack_marks(marked)
        cut = any(one.has_nodes is None for one in stored)
        self.tried.update(place for place, _ in answers)
        self.question.size += len(packed) + len(marks)
        fields: dict[str, Any] = {"cut": True} if cut else {}
        with transaction.atomic():
            self._write(
                tried=len(self.tried), nodes=self.nodes, seconds=self.seconds, losses=0, heartbeat_at=Now(),
                size=F("size") + len(packed) + len(marks), **fields,
            )  # fmt: skip
            last = self._parts().aggregate(last=Max("number", default=0))["last"]
            AnswerPart.objects.create(question=self.question, number=last + 1, answers=packed, marks=marks)

    def _write(self, **fields: Any) -> None:
        if not self.row.update(**fields):
            raise LeaseLost(f"question {self.question.pk}")


def _remove_old(present: int) -> None:
    """Let the answers go that were read the longest ago, until all fit; the present one stays."""
    others = Question.objects.exclude(pk=present)
    room = STORED_BYTES - (Question.objects.filter(pk=present).aggregate(all=Sum("size", default=0))["all"])
    for pk, size in others.order_by("-used_at").values_list("pk", "size"):
        room -= size
        if room < 0:
            others.filter(pk=pk, owner="").delete()
