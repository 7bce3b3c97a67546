"""What the rows of all questions have in common: who waits for one, and what is said meanwhile."""

from __future__ import annotations

import time
from datetime import datetime

from django.db.models import Min, Q
from django.utils import timezone

from dashboard.instants import lasting
from dashboard.models import Question
from dashboard.services.background import attendance, dispatch

LOOK_SECONDS = 0.05


def remind(question: Question) -> None:
    """Send a question that nobody has, and of which no message is under way."""
    if question.status == Question.Status.ASKED and question.dispatched_at is None and not question.owner:
        dispatch.send_question(question.pk)


def wait_for(key: str, seconds: float) -> None:
    """Wait until nothing more is being asked, for so many seconds at the most."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        status = Question.objects.filter(key=key).values_list("status", flat=True).first()
        if status != Question.Status.ASKED:
            return
        time.sleep(min(LOOK_SECONDS, max(0.0, deadline - time.monotonic())))


def stage_of(question: Question, *, is_long: bool) -> str:
    """Return what an answer waits for, as a sentence; `is_long`: for longer than a reader likes."""
    if question.owner:
        building = "The cluster is being built, so that its schedulers can be asked."
        return "" if question.stage == "asking" else building
    if not is_long:
        return ""
    if attendance.ANSWERER not in attendance.present_parts():
        return "No worker that answers is at work: the question is taken up when one is."
    if question.dispatched_at is None:
        return "The broker takes no message at present: the question is sent again."
    return _before(question, question.dispatched_at)


def _before(question: Question, sent: datetime) -> str:
    """Return how many questions are before one that was sent then, and for how long the first has been asked.

    Workers take questions in the order in which they were sent.
    """
    others = Question.objects.filter(status=Question.Status.ASKED).exclude(pk=question.pk)
    asked = ~Q(owner="")
    before = others.filter(asked | Q(dispatched_at__lt=sent)).count()
    if not before:
        return "It waits for the worker that answers, and is the next one."
    words = f"It waits: {before:,} {'question' if before == 1 else 'questions'} before this one"
    begun = others.filter(asked).aggregate(first=Min("dispatched_at"))["first"]
    if begun is None:
        return f"{words}."
    seconds = max(0, int((timezone.now() - begun).total_seconds()))
    which = "it" if before == 1 else "the first"
    return f"{words}; {which} has run for {lasting(seconds * 1000)}."
