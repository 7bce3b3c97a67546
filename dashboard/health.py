"""Health for machines: alive (``/healthz``) and ready to serve (``/readyz``: database and broker answer)."""

from collections.abc import Callable

import structlog
from django.contrib.auth.decorators import login_not_required
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from dashboard.services.dispatch import asked_broker

log = structlog.get_logger(__name__)


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
    with asked_broker() as broker:
        broker.default_channel  # noqa: B018  a server that is stopped still accepts connections; this waits for its answer
