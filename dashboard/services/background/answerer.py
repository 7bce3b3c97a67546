"""How a worker answers a question of any kind but why pods wait: on a warm world, in one piece."""

from __future__ import annotations

import logging
import time
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from dashboard.database_faults import is_passing
from dashboard.errors import LeaseLost, problem_documents
from dashboard.models import Question
from dashboard.models.packing import pack
from dashboard.services.background.interrupting import Interrupter
from dashboard.services.background.leases import FREE
from dashboard.services.background.warm_worlds import too_large, warm_world
from dashboard.services.questions.registry import KINDS
from scheduler_core.objects.problems import BadInput
from scheduler_core.world.run_input import RunInput

logger = logging.getLogger(__name__)

TOLD_SECONDS = 0.5
"""So often at the most it is told how far an answer is, and looked whether it is still wanted."""

UNREAD_SECONDS = 180.0
"""A question that nobody has read for so long lets those go first that others wait for."""


class Answerer:
    """A worker's view of a question: whom answering tells its progress."""

    def __init__(self, row: QuerySet[Question], interrupter: Interrupter) -> None:
        self._row = row
        self._interrupter = interrupter
        self._told = self._looked = time.monotonic()
        self._unwanted = False
        self._progress: dict[str, int] = {}
        found = row.select_related("snapshot").first()
        if found is None:
            raise LeaseLost("a question")
        self.question = found

    def answer(self) -> None:
        """Answer the question, and end it."""
        fields: dict[str, Any] = {}
        try:
            fields = self._found()
        except BadInput as error:
            fields = {"problems": problem_documents(error.problems)}
        except Exception as error:
            if isinstance(error, LeaseLost) or is_passing(error):
                raise
            logger.exception("A question of the kind %s could not be answered.", self.question.kind)
            fields = {"untried": "It could not be answered: a run tells it."}
        self._write(
            status=Question.Status.ANSWERED, answered_at=Now(), stage="", **fields, **self._progress, **FREE
        )

    def _found(self) -> dict[str, Any]:
        question = self.question
        if why := too_large(question.snapshot):
            return {"untried": why}
        kind = KINDS[question.kind]
        settled = msgspec.convert(question.asked["settled"], RunInput)
        with warm_world(question.snapshot, settled, self._interrupter) as world:
            self._write(stage="asking", tried=0, number=0)
            try:
                answer = kind.answer(world, question.asked["of"], self)
            except BadInput as error:  # of what was asked: the world is as it was
                return {"problems": problem_documents(error.problems)}
        packed = pack(msgspec.msgpack.encode(answer))
        return {"answer": packed, "size": len(packed), "problems": None}

    # -- the progress of a kind ----------------------------------------------------------------------

    def tell(self, done: int, of: int) -> None:
        """Say that so many of so many things are done."""
        self._progress = {"tried": done, "number": of}
        if time.monotonic() - self._told >= TOLD_SECONDS:
            self._told = time.monotonic()
            self._row.update(**self._progress)

    def is_unwanted(self) -> bool:
        """Return whether nobody wants the answer any more."""
        if not self._unwanted and time.monotonic() - self._looked >= TOLD_SECONDS:
            self._looked = time.monotonic()
            read = self._row.values_list("used_at", flat=True).first()
            since = timezone.now() - timedelta(seconds=UNREAD_SECONDS)
            self._unwanted = read is None or (read < since and self._gives_way(since))
        return self._unwanted

    def _gives_way(self, since: datetime) -> bool:
        """Return whether others go first; then it is sent again, behind them, and begins anew."""
        waiting = Question.objects.filter(status=Question.Status.ASKED, owner="", used_at__gte=since)
        return waiting.exists() and bool(self._row.filter(used_at__lt=since).update(stage="", **FREE))

    def _write(self, **fields: Any) -> None:
        if not self._row.update(**fields):
            raise LeaseLost(f"question {self.question.pk}")
