"""Health for machines: alive (``/healthz``) and ready to serve (``/readyz``: database and broker answer)."""

from collections.abc import Callable

import structlog
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu import Connection

log = structlog.get_logger(__name__)

BROKER_SECONDS = 2


@login_not_required
@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """200 as long as this process answers at all."""
    return JsonResponse({"status": "ok"})


@login_not_required
@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """200 if the database and the broker answer, otherwise 503 with the part that does not."""
    parts = {"database": _answers(_ask_database), "broker": _answers(_ask_broker)}
    ready = all(parts.values())
    answers = {name: "ok" if well else "unavailable" for name, well in parts.items()}
    return JsonResponse({"status": "ok" if ready else "unavailable", **answers}, status=200 if ready else 503)


def _answers(ask: Callable[[], None]) -> bool:
    """Whether the part answers; the reason why not goes to the log, since the answer is public."""
    try:
        ask()
    except Exception as error:  # whatever a driver raises, the part is not ready
        log.warning("part not ready", part=ask.__name__, error=str(error))
        return False
    return True


def _ask_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM django_migrations LIMIT 1")


def _ask_broker() -> None:
    options = {**settings.CELERY_BROKER_TRANSPORT_OPTIONS, "socket_connect_timeout": BROKER_SECONDS}
    with Connection(settings.CELERY_BROKER_URL, transport_options=options) as broker:
        broker.ensure_connection(max_retries=1, timeout=BROKER_SECONDS)
