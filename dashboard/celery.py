"""The Celery application; its options are the ``CELERY_`` settings, its tasks are in ``dashboard.tasks``."""

import os
from pathlib import Path
from typing import Any

from celery import Celery, bootsteps
from celery.signals import setup_logging, worker_process_init, worker_ready

from dashboard.supervisor.alive import tell
from dashboard.supervisor.lifeline import end_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")

app = Celery("sandtable")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


class TellingLoop(bootsteps.StartStopStep):
    """Lets the loop that takes messages tell that it turns, anew with each connection to the broker."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def start(self, consumer: Any) -> None:
        """Begin with the connection; the timer ends with it."""
        from dashboard.services.background.attendance import TURN_SECONDS, loop  # models need Django set up

        loop.begin(consumer.app.amqp.queues.consume_from, consumer.pool.num_processes)
        consumer.timer.call_repeatedly(TURN_SECONDS, loop.turn)
        consumer.timer.call_repeatedly(TURN_SECONDS, tell)


app.steps["consumer"].add(TellingLoop)


@setup_logging.connect
def keep_django_logging(**_: object) -> None:
    """Leave logging as Django's settings made it; a receiver of this signal stops Celery's own set-up."""


@worker_ready.connect
def keep_leases(**_: object) -> None:
    """Renew, from this process that computes nothing, what the pool's processes hold."""
    from dashboard.services.background.lease_keeper import start_keeping  # models need Django set up

    start_keeping()


@worker_ready.connect
def tell_supervisor(**_: object) -> None:
    """Write the file that the supervisor waits for, if one started this worker."""
    ready_file = os.environ.get("SANDTABLE_READY_FILE")
    if ready_file:
        Path(ready_file).touch()


@worker_process_init.connect
def end_with_worker(**_: object) -> None:
    """A pool process whose worker was killed would go on with its run unseen; it ends as well."""
    end_with_parent(os.getppid())
