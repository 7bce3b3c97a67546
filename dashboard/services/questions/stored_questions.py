"""Asks a question of any kind: a row that a worker answers once for all who ask the same.

The key stands for all that decides the answer: what was asked, the cluster's content, what would be played on
it, and the engine. So whoever asks again reads what is stored.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic, TypeVar

import msgspec
from django.db.models.functions import Now
from django.utils import timezone

from dashboard.database_faults import is_passing
from dashboard.engine import engine_version
from dashboard.hasty_transactions import hasty_transaction
from dashboard.models import Question, Snapshot
from dashboard.models.packing import unpack
from dashboard.services.background.leases import FREE
from dashboard.services.questions.kind import Document, QuestionKind
from dashboard.services.questions.rows import remind, stage_of, wait_for
from dashboard.shapes.problems import ProblemDocument
from scheduler_core.world.run_input import RunInput

A = TypeVar("A", bound=msgspec.Struct)
PATIENT_SECONDS = 2.0
"""After so long a reader may end it, and is told what it waits for."""
LOCK_SECONDS = 0.5
"""So long a reader waits for the database to take a question."""
NOTED_SECONDS = 60.0
"""How exactly it is known when somebody has last read an answer."""


@dataclass(frozen=True)
class Told(Generic[A]):
    """What is known of an answer by now.

    answer: None until it is there, or where there is none: then `problems` are those of what was asked, or
    `fault` says why, as a sentence. stage: what it waits for while it `is_ready` not; is_long: for longer
    than a reader likes. done, of: how far it is; `of` is 0 where that isn't known. ended: a reader has ended
    it.
    """

    is_ready: bool = False
    answer: A | None = None
    problems: list[ProblemDocument] | None = None
    fault: str = ""
    stage: str = ""
    is_long: bool = False
    done: int = 0
    of: int = 0
    ended: bool = False


def settled(run_input: RunInput) -> RunInput:
    """Return what would be played, without its cluster and its edits."""
    return msgspec.structs.replace(run_input, objects=[], edits=[])


def ask(
    kind: QuestionKind[A],
    snapshot: Snapshot,
    run_input: RunInput,
    asked: Document,
    wait: float = 0.0,
    *,
    again: bool = False,
) -> Told[A]:
    """Ask something of a snapshot's cluster under these settings, waiting so many seconds for the answer.

    `again`: also what was ended, or came to nothing. Where the database takes nothing, that is told.
    """
    key = _key(kind, snapshot, run_input, asked)
    try:
        _ask(kind, snapshot, run_input, asked, key, again=again)
    except Exception as error:
        if not is_passing(error):
            raise
        return Told(stage="The database takes no question at present: it is asked again.")
    wait_for(key, wait)
    return _read(kind, key)


def end(kind: QuestionKind[A], snapshot: Snapshot, run_input: RunInput, asked: Document) -> None:
    """Let a question end that is being answered."""
    row = Question.objects.filter(key=_key(kind, snapshot, run_input, asked), status=Question.Status.ASKED)
    row.update(status=Question.Status.ANSWERED, ended=True, **FREE)


def _key(kind: QuestionKind[A], snapshot: Snapshot, run_input: RunInput, asked: Document) -> str:
    decides = [kind.name, kind.form, engine_version(), snapshot.content_hash, settled(run_input), asked]
    return hashlib.sha256(msgspec.json.encode(decides)).hexdigest()


def _ask(
    kind: QuestionKind[A],
    snapshot: Snapshot,
    run_input: RunInput,
    asked: Document,
    key: str,
    *,
    again: bool,
) -> None:
    question = Question.objects.filter(key=key).defer("answer").first()
    if question is None:
        now = timezone.now()
        first: dict[str, Any] = {
            "snapshot": snapshot,
            "kind": kind.name,
            "asked": {"settled": msgspec.to_builtins(settled(run_input)), "of": dict(asked)},
            "asked_at": now,
            "used_at": now,
            "engine": engine_version(),
        }
        with hasty_transaction(LOCK_SECONDS):
            question, _ = Question.objects.get_or_create(key=key, defaults=first)
    elif again and question.status == Question.Status.ANSWERED and (question.ended or question.untried):
        with hasty_transaction(LOCK_SECONDS):
            ended = Question.objects.filter(pk=question.pk, status=Question.Status.ANSWERED)
            ended.update(
                status=Question.Status.ASKED,
                asked_at=Now(),
                used_at=Now(),
                ended=False,
                untried="",
                losses=0,
            )
        question.refresh_from_db(fields=["status", "dispatched_at", "owner"])
    elif question.used_at < timezone.now() - timedelta(seconds=NOTED_SECONDS):
        with hasty_transaction(LOCK_SECONDS):
            Question.objects.filter(pk=question.pk).update(used_at=Now())
    remind(question)


def _read(kind: QuestionKind[A], key: str) -> Told[A]:
    question = Question.objects.filter(key=key).first()
    if question is None:
        return Told()
    found = None
    if question.answer is not None:
        found = msgspec.msgpack.decode(unpack(question.answer), type=kind.answers)
    return told_of(question, found)


def told_of(question: Question, found: A | None) -> Told[A]:
    """Return what is known by now, with what was found if there is an answer."""
    if question.status != Question.Status.ANSWERED:
        is_long = question.asked_at < timezone.now() - timedelta(seconds=PATIENT_SECONDS)
        stage = stage_of(question, is_long=is_long)
        if not question.owner or question.stage != "asking":
            # What a worker had done before it ended is done again.
            return Told(stage=stage, is_long=is_long)
        return Told(stage=stage, is_long=is_long, done=question.tried, of=question.number)
    return Told(
        True,
        found,
        question.problems,
        question.untried,
        done=question.tried,
        of=question.number,
        ended=question.ended,
    )
