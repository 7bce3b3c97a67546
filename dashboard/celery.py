"""The Celery application; its options are the ``CELERY_`` settings, its tasks are in ``dashboard.tasks``."""

import os

from celery import Celery
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")

app = Celery("sandtable")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def keep_django_logging(**_: object) -> None:
    """Leave logging as Django's settings made it; a receiver of this signal stops Celery's own set-up."""
