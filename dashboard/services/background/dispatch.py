"""Sending work to the workers. The row is the truth, the message only says where to look.

A message that cannot be sent is no error: the row keeps waiting, and the reaper sends it again. Nobody waits
for a silent broker: after a failure no message is tried for a while. What speaks with a broker is loaded with
the first message: commands that send none begin sooner.
"""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models.functions import Now

from dashboard import tracing
from dashboard.models import Question, Run, Snapshot

if TYPE_CHECKING:
    from kombu import Connection

logger = logging.getLogger(__name__)

RUNS = "sandtable.runs"
IMPORTS = "sandtable.imports"
ANSWERS = "sandtable.answers"
REST_SECONDS = 5.0

_rest_until = 0.0


def send_run(run_id: int) -> bool:
    """Ask any worker to play the run; return whether the broker took the message."""
    return _send_row(Run, "dashboard.execute_run", run_id)


def send_import(snapshot_id: int) -> bool:
    """Ask any worker to read the snapshot's uploads; return whether the broker took the message."""
    return _send_row(Snapshot, "dashboard.import_uploads", snapshot_id)


def send_question(question_id: int) -> bool:
    """Ask any worker to answer the question; return whether the broker took the message."""
    return _send_row(Question, "dashboard.answer_question", question_id)


def queue_length(queue: str) -> int | None:
    """Return how many messages wait for a worker, or None if the broker does not answer in time."""
    try:
        with asked_broker() as broker:
            return _messages_in(broker, queue)
    except _broker_faults() as error:
        logger.warning("The broker does not tell its queue's length: %s", error)
        return None


@contextmanager
def asked_broker() -> Iterator["Connection"]:
    """Connect to the broker for a question that is answered, or fails, within a few seconds."""
    from kombu import Connection

    options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    with Connection(settings.CELERY_BROKER_URL, transport_options=options) as broker:
        broker.ensure_connection(max_retries=1, timeout=settings.BROKER_SECONDS)
        yield broker


def _send_row(model: Any, task: str, pk: int) -> bool:
    """Note the message before it leaves: a worker may take it at once, and then notes what comes after."""
    if time.monotonic() < _rest_until:
        return False
    row = model.objects.filter(pk=pk)
    row.update(dispatched_at=Now())
    sent = _send(task, pk)
    if not sent:
        row.filter(owner="").update(dispatched_at=None)
    return sent


def _send(task: str, pk: int) -> bool:
    global _rest_until
    from dashboard.celery import app

    try:
        app.send_task(task, [pk], retry=False, headers=tracing.headers())
    except _broker_faults() as error:
        _rest_until = time.monotonic() + REST_SECONDS
        logger.warning("The broker did not take %s(%s): %s", task, pk, error)
        return False
    return True


def _broker_faults() -> tuple[type[Exception], ...]:
    """What a broker that is away raises; AMQP's errors of a connection that was there are none of kombu's."""
    from amqp.exceptions import AMQPError
    from kombu.exceptions import KombuError

    return KombuError, AMQPError, OSError


def _messages_in(broker: "Connection", queue: str) -> int:
    """The messages of the queue; one that does not exist yet, or is empty in Redis, has none."""
    from amqp.exceptions import ChannelError

    try:
        return int(broker.default_channel.queue_declare(queue=queue, passive=True).message_count)
    except ChannelError:
        return 0
