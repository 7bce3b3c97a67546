"""Figures for Prometheus: what the database and the broker know now, and what this web process measured.

Nothing here names an object, a person or a snapshot. What the streams tell is in ``stream_figures``.
"""

from collections.abc import Iterator

from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
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
from dashboard.client_address import is_from_this_machine
from dashboard.models import Run
from dashboard.services.background.dispatch import IMPORTS, RUNS, queue_length

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
        lengths = GaugeMetricFamily(
            "sandtable_queue_length", "Tasks waiting in the broker by queue", labels=["queue"]
        )
        for queue in (RUNS, IMPORTS):
            length = queue_length(queue)
            if length is None:
                return
            lengths.add_metric([queue], length)
        yield lengths


REGISTRY.register(StoredFigures())


@login_not_required
@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus' text format, for scrapers on this machine, viewers, and bearers of a viewer's token."""
    if not _may_scrape(request):
        raise PermissionDenied
    return HttpResponse(generate_latest(REGISTRY), content_type=CONTENT_TYPE_LATEST)


def _may_scrape(request: HttpRequest) -> bool:
    if is_from_this_machine(request):
        return True
    plain = bearer_token(request.headers.get("Authorization", "").encode())
    if plain is not None:
        user = user_of_token(plain)
        return user is not None and is_viewer(user)
    return is_viewer(request.user)
