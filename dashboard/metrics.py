"""Figures for Prometheus: what the database and the broker know now, and what this web process measured.

Nothing here names an object, a person or a snapshot. The consumer measures the stream: it calls
``STREAM_LAG.observe(seconds)`` per batch and counts with ``STREAM_DECISIONS`` and ``STREAM_CLIENTS``.
"""

from collections.abc import Iterator

import structlog
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu import Connection
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    GC_COLLECTOR,
    PLATFORM_COLLECTOR,
    PROCESS_COLLECTOR,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from dashboard.accounts.authentication import bearer_token
from dashboard.accounts.roles import is_viewer
from dashboard.accounts.tokens import user_of_token
from dashboard.models import Run

log = structlog.get_logger(__name__)

LOOPBACK = {"127.0.0.1", "::1"}
BROKER_SECONDS = 2

REGISTRY = CollectorRegistry()
for collector in (PROCESS_COLLECTOR, PLATFORM_COLLECTOR, GC_COLLECTOR):
    REGISTRY.register(collector)

STREAM_LAG = Histogram(
    "sandtable_stream_lag_seconds",
    "Time from a chunk's commit until its decisions were sent to a browser",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
    registry=REGISTRY,
)
STREAM_DECISIONS = Counter(
    "sandtable_stream_decisions", "Decisions sent over sockets by this process", registry=REGISTRY
)
STREAM_CLIENTS = Gauge(
    "sandtable_stream_clients", "Sockets that follow a run in this process now", registry=REGISTRY
)


class StoredFigures(Collector):
    """Runs by status, decisions stored, and the length of the task queue, asked at each scrape."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        runs = GaugeMetricFamily("sandtable_runs", "Runs by status", labels=["status"])
        counts = dict(Run.objects.values_list("status").annotate(count=Count("id")).order_by())
        for status in Run.Status.values:
            runs.add_metric([status], counts.get(status, 0))
        yield runs
        decisions = Run.objects.aggregate(total=Sum("decisions"))["total"] or 0
        yield GaugeMetricFamily("sandtable_decisions", "Decisions stored in all runs", value=decisions)
        length = queue_length()
        if length is not None:
            yield GaugeMetricFamily("sandtable_queue_length", "Tasks waiting in the broker", value=length)


REGISTRY.register(StoredFigures())


def queue_length() -> int | None:
    """Tasks that wait for a worker, or None if the broker does not answer."""
    queue = settings.CELERY_TASK_DEFAULT_QUEUE
    options = {"socket_connect_timeout": BROKER_SECONDS}
    try:
        with Connection(settings.CELERY_BROKER_URL, transport_options=options) as broker:
            broker.ensure_connection(max_retries=1, timeout=BROKER_SECONDS)
            channel = broker.default_channel
            return int(channel.queue_declare(queue=queue, passive=True).message_count)
    except (*Connection(settings.CELERY_BROKER_URL).recoverable_channel_errors, OSError) as error:
        log.warning("broker does not tell its queue's length", error=str(error))
        return None


@login_not_required
@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus' text format, for scrapers on this machine, viewers, and bearers of a viewer's token."""
    if not _may_scrape(request):
        raise PermissionDenied
    return HttpResponse(generate_latest(REGISTRY), content_type=CONTENT_TYPE_LATEST)


def _may_scrape(request: HttpRequest) -> bool:
    if request.META.get("REMOTE_ADDR") in LOOPBACK:
        return True
    plain = bearer_token(request.headers.get("Authorization", "").encode())
    if plain is not None:
        user = user_of_token(plain)
        return user is not None and is_viewer(user)
    return is_viewer(request.user)
