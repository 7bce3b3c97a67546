"""The Django project and its app: pages, tasks, the live stream, and everything that is stored."""

import gc

# Before anything is loaded: half a million objects of modules stay, and each collection on the way looks through them.
gc.set_threshold(10_000, 20, 20)

from dashboard.celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]
