"""``/metrics``: the figures for Prometheus, and who may have them.

What the product knows is in ``stored_figures``, what this web process measured in ``request_figures`` and
``stream_figures``. Nothing there names an object, a person or a snapshot.
"""

from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
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

from dashboard import request_figures, stream_figures
from dashboard.accounts.authentication import bearer_token
from dashboard.accounts.roles import is_viewer
from dashboard.accounts.tokens import user_of_token
from dashboard.client_address import is_from_this_machine
from dashboard.stored_figures import StoredFigures

REGISTRY = CollectorRegistry()
for collector in (
    StoredFigures(),
    request_figures.REGISTRY,
    stream_figures.REGISTRY,
    PROCESS_COLLECTOR,
    PLATFORM_COLLECTOR,
    GC_COLLECTOR,
):
    REGISTRY.register(collector)


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
