"""The Celery application; its options are the ``CELERY_`` settings, its tasks are in ``dashboard.tasks``."""

import os
from pathlib import Path

from celery import Celery
from celery.signals import setup_logging, worker_process_init, worker_ready

from dashboard.supervisor.lifeline import end_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")

app = Celery("sandtable")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def keep_django_logging(**_: object) -> None:
    """Leave logging as Django's settings made it; a receiver of this signal stops Celery's own set-up."""


@worker_ready.connect
def keep_leases(**_: object) -> None:
    """Renew, from this process that computes nothing, what the pool's processes hold."""
    from dashboard.services.keeping import start_keeping  # models need Django set up

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
