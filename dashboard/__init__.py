"""The Django project and its app: pages, tasks, the live stream, and everything that is stored."""

from dashboard.celery import app as celery_app

__all__ = ["celery_app"]
