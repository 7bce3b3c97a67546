"""Why the pods of a snapshot wait, asked of the cluster's own schedulers on the cluster as it stands.

No scenario is made. A worker builds the cluster, tries one pod of each likeness and takes every try back
(`services/background/question_worker.py`). What it finds is stored once for each content and configuration,
as it comes, and everybody reads that: a page shows what there is, and goes on asking. A question that nobody
takes up, or whose worker is lost, is sent again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property

import msgspec
from django.db.models import F, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from dashboard.answers.answer import Answer
from dashboard.answers.rests_on import about_waiting
from dashboard.answers.sentence import Sentence, number, sentence
from dashboard.answers.why_of_snapshot import Why, answer_of, trust, unasked
from dashboard.database_faults import is_passing
from dashboard.engine import engine_version
from dashboard.hasty_transactions import hasty_transaction
from dashboard.models import AnswerPart, Question, Snapshot
from dashboard.queries.waiting_pods import Alike
from dashboard.services.background.leases import FREE
from dashboard.services.questions.rows import remind, stage_of, wait_for
from dashboard.services.workspace.suggesting import Suggestion, jobs_without_pods, suggest
from dashboard.services.workspace.why_packing import FORM, unpack_answers, unpack_kinds, unpack_marks
from scheduler_core.schedulers.cause import Answered
from scheduler_core.world.trials.rests_on import RestsOn

ASKED_SECONDS = 2.0
"""Pods are asked about for so long from the first answer on; what isn't asked by then is told."""
MOST_SECONDS = 20.0
"""For so long they are asked about at most, where somebody wants to wait."""
PATIENT_SECONDS = 2.0
"""After so long a reader may end it, and is told what it waits for."""
LOCK_SECONDS = 0.5
"""So long a reader waits for the database to take a question."""
NOTED_SECONDS = 60.0
"""How exactly it is known when somebody has last read an answer."""


@dataclass
class Asking:
    """What is asked of a snapshot's cluster, or was: one pod of each of `kinds`.

    `seconds` is how long the tries took, of `nodes` nodes, and `limit` how long they may. `untried`: why
    nothing is tried, as a sentence. `profile` and `chosen` say which schedulers are played and where these
    are from. `stage`: what it waits for while it `is_ready` not; `is_long`: for longer than a reader likes.
    `ended`: a reader has ended it. `waiting`: how many pods wait. `row`: what is stored of it; `mapped`: in
    which of its parts the marks of a kind's nodes are, and at which place, by its first pod. `queues`: what
    schedulers say of their queues, packed; None while that isn't known. `rests_on`: what the answers rest on.
    """

    kinds: list[Alike]
    profile: str = ""
    chosen: str = ""
    untried: str = ""
    found: list[Why] = field(default_factory=list)
    nodes: int = 0
    seconds: float = 0.0
    limit: float = 0.0
    is_ready: bool = False
    is_long: bool = False
    ended: bool = False
    stage: str = ""
    waiting: int = 0
    row: Question | None = None
    mapped: dict[str, tuple[int, int]] = field(default_factory=dict)
    queues: bytes | memoryview | None = None
    rests_on: RestsOn | None = None

    @cached_property
    def left(self) -> list[Alike]:
        """Those that were not tried."""
        answered = {one.pods.first for one in self.found}
        return [one for one in self.kinds if one.first not in answered]

    @cached_property
    def told(self) -> list[Why]:
        """The answers; and when no more come, that the others were not tried."""
        late = self.left if self.is_ready and not self.untried else []
        return [*self.found, *(unasked(one, ended=self.ended) for one in late)]

    @property
    def can_go_on(self) -> bool:
        """Whether more time is to be had for those that were not tried."""
        is_late = bool(self.left) or self.is_unbegun
        return self.is_ready and is_late and not self.untried and self.limit < MOST_SECONDS

    @property
    def is_unbegun(self) -> bool:
        """Whether a reader has ended it before anybody knew which pods wait."""
        return self.ended and self.row is not None and self.row.kinds is None

    def of_pod(self, uid: str) -> Why | None:
        """Return the answer about a pod; None where there is none, or not yet."""
        return next((one for one in self.found if uid in one.pods.uids), None)

    def is_about_nodes(self, one: Why) -> bool:
        """Return whether every node has a part in an answer."""
        return one.pods.first in self.mapped

    def with_nodes(self, one: Why) -> Why:
        """Return an answer with every node's part in it, where it is about nodes."""
        if self.row is None or not self.is_about_nodes(one):
            return one
        part, place = self.mapped[one.pods.first]
        stored = AnswerPart.objects.filter(question=self.row, number=part).values_list("marks", flat=True)
        data = stored.first()
        if data is None:
            return one  # what was kept has gone meanwhile
        return one._replace(answered=Answered(one.answered.cause, unpack_marks(data, place)))


def asked(snapshot: Snapshot, wait: float = 0.0, *, pod: str = "", longer: bool = False) -> Asking:
    """Return what is asked of a snapshot's cluster, waiting so many seconds for its end.

    What was not tried in time is asked once more where it may take `longer`; of it a `pod`
    (`namespace/name` or uid) alone in any case. Where the database takes nothing, what there is is told.
    """
    suggestion = suggest(snapshot)
    key = _key(snapshot, suggestion)
    fault = ""
    try:
        _ask(snapshot, key, pod, longer=longer)
    except Exception as error:
        if not is_passing(error):
            raise
        fault = "The database takes no question at present: it is asked again."
    wait_for(key, wait)
    return _read(snapshot, suggestion, key, fault)


def end(snapshot: Snapshot) -> None:
    """Let what is being asked of a snapshot's cluster end: what was answered stays."""
    row = Question.objects.filter(key=_key(snapshot, suggest(snapshot)), status=Question.Status.ASKED)
    row.update(status=Question.Status.ANSWERED, ended=True, limit=F("seconds"), wanted=[], **FREE)


def _key(snapshot: Snapshot, suggestion: Suggestion) -> str:
    """Return what stands for all that decides an answer."""
    decides = [FORM, engine_version(), snapshot.content_hash, suggestion.fields(), suggestion.driver]
    return hashlib.sha256(msgspec.json.encode(decides)).hexdigest()


def _ask(snapshot: Snapshot, key: str, pod: str, *, longer: bool) -> None:
    """Let a worker be asked for what is missing, and be reminded where no message is under way."""
    question = Question.objects.filter(key=key).defer("kinds").first()
    if question is None:
        now = timezone.now()
        first = {"snapshot": snapshot, "asked_at": now, "used_at": now, "limit": ASKED_SECONDS}
        first["engine"] = engine_version()
        with hasty_transaction(LOCK_SECONDS):
            question, _ = Question.objects.get_or_create(key=key, defaults=first)
    elif question.status == Question.Status.ANSWERED and (more := _more(question, pod, longer=longer)):
        with hasty_transaction(LOCK_SECONDS):
            answered = Question.objects.filter(pk=question.pk, status=Question.Status.ANSWERED)
            answered.update(
                status=Question.Status.ASKED, asked_at=Now(), used_at=Now(), ended=False, losses=0, **more
            )
        question.refresh_from_db(fields=["status", "dispatched_at", "owner"])
    elif question.used_at < timezone.now() - timedelta(seconds=NOTED_SECONDS):
        with hasty_transaction(LOCK_SECONDS):
            Question.objects.filter(pk=question.pk).update(used_at=Now())
    remind(question)


def _more(question: Question, pod: str, *, longer: bool) -> dict[str, object]:
    """Return the fields of a question by which more is asked; none where all is answered that is wanted."""
    is_whole = question.kinds is not None and question.tried >= question.number
    if longer and not is_whole and not question.untried and question.limit < MOST_SECONDS:
        return {"limit": MOST_SECONDS}
    if not pod or question.untried or question.kinds is None or (is_whole and not question.cut):
        return {}
    kept = (one for part in _parts(question) for one in unpack_answers(part.answers))
    known = {one.place for one in kept if one.has_nodes is not None}
    kinds = enumerate(unpack_kinds(question.kinds))
    wanted = [place for place, one in kinds if place not in known and _has(one, pod)]
    return {"wanted": wanted} if wanted else {}


def _parts(question: Question) -> QuerySet[AnswerPart]:
    return AnswerPart.objects.filter(question=question).order_by("number").defer("marks")


def _read(snapshot: Snapshot, suggestion: Suggestion, key: str, fault: str) -> Asking:
    asking = Asking([], suggestion.profile, suggestion.in_answer, waiting=snapshot.pending)
    question = Question.objects.filter(key=key).first()
    if question is None:
        asking.stage = fault
        return asking
    asking.row = question
    asking.is_ready = question.status == Question.Status.ANSWERED
    asking.untried, asking.ended, asking.queues = question.untried, question.ended, question.queues
    asking.nodes, asking.seconds, asking.limit = question.nodes, question.seconds, question.limit
    if question.rests_on is not None:
        asking.rests_on = msgspec.convert(question.rests_on, RestsOn)
    if question.kinds is not None:
        asking.kinds = unpack_kinds(question.kinds)
        asking.waiting = sum(len(one.uids) for one in asking.kinds)
        _fill(asking, question)
    if not asking.is_ready:
        asking.is_long = question.asked_at < timezone.now() - timedelta(seconds=PATIENT_SECONDS)
        asking.stage = fault or stage_of(question, is_long=asking.is_long)
    return asking


def _fill(asking: Asking, question: Question) -> None:
    """Add the answers in the order in which they came; of those about the same pods the last one counts."""
    whys: dict[int, Why] = {}
    for part in _parts(question):
        for one in unpack_answers(part.answers):
            pods = asking.kinds[one.place]
            whys[one.place] = Why(pods, Answered(one.cause), one.agrees)
            if one.has_nodes:
                asking.mapped[pods.first] = part.number, one.place
    asking.found = list(whys.values())


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
    waiting = asking.waiting if all_of_it else sum(len(one.uids) for one in kinds)
    said = answer_of(found, kinds, waiting, snapshot.pk, trusted(asking, found))
    jobs = 0 if waiting or asking.waiting else jobs_without_pods(snapshot).total()
    if not jobs:
        return said
    wait = number(jobs, "job waits,jobs wait", strong=True)
    by = " for pods that a controller makes: a run plays it, and says why."
    return msgspec.structs.replace(said, lead=sentence("No pod waits. ", wait, by))


def trusted(asking: Asking, found: Sequence[Why]) -> list[Sentence]:
    """Return how sure answers are: those that `found` holds of what was asked."""
    if asking.is_unbegun:
        return [sentence("It was ended before any pod was asked about.")]
    if not asking.is_ready and not found:
        return [sentence("No pod was asked about yet.", f" {asking.stage}" if asking.stage else "")]
    late = {one.first for one in asking.left}
    tried = [one for one in found if one.pods.first not in late]
    left = [one.pods for one in found if one.pods.first in late]
    said = trust(tried, asking.nodes, asking.seconds, left, asking.chosen, asking.untried, ended=asking.ended)
    return [*said, *about_waiting(asking.rests_on)]
