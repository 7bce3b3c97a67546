"""Figures for Prometheus: what the database and the broker know now, and what this web process measured.

Nothing here names an object, a person or a snapshot. What the streams tell is in ``stream_figures``.
"""

from collections.abc import Iterator

import structlog
from amqp.exceptions import ChannelError
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu import Connection
from kombu.exceptions import KombuError
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    GC_COLLECTOR,
    PLATFORM_COLLECTOR,
    PROCESS_COLLECTOR,
    CollectorRegistry,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from dashboard import stream_figures
from dashboard.accounts.authentication import bearer_token
from dashboard.accounts.roles import is_viewer
from dashboard.accounts.tokens import user_of_token
from dashboard.models import Run

log = structlog.get_logger(__name__)

LOOPBACK = {"127.0.0.1", "::1"}
BROKER_SECONDS = 2

REGISTRY = CollectorRegistry()
REGISTRY.register(stream_figures.REGISTRY)
for collector in (PROCESS_COLLECTOR, PLATFORM_COLLECTOR, GC_COLLECTOR):
    REGISTRY.register(collector)


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
    options = {"socket_connect_timeout": BROKER_SECONDS}
    try:
        with Connection(settings.CELERY_BROKER_URL, transport_options=options) as broker:
            broker.ensure_connection(max_retries=1, timeout=BROKER_SECONDS)
            return _messages_in(broker, settings.CELERY_TASK_DEFAULT_QUEUE)
    except (KombuError, OSError) as error:
        log.warning("broker does not tell its queue's length", error=str(error))
        return None


def _messages_in(broker: Connection, queue: str) -> int:
    """The messages of the queue; one that does not exist yet, or is empty in Redis, has none."""
    try:
        return int(broker.default_channel.queue_declare(queue=queue, passive=True).message_count)
    except ChannelError:
        return 0


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
