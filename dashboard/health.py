"""Health for machines: alive (``/healthz``), and ready to serve (``/readyz``), part by part."""

import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import structlog
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from dashboard import disk_room
from dashboard.hasty_transactions import hasty_transaction
from dashboard.services.background import attendance
from dashboard.services.background.dispatch import asked_broker

log = structlog.get_logger(__name__)

LOCK_SECONDS = 2
ANSWER_SECONDS = 3
PROBE_BYTES = 64 * 1024

_asking = ThreadPoolExecutor(max_workers=4, thread_name_prefix="readyz")
"""Parts that hang keep these few threads, and later probes are told so: they never pile up."""


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
    """200 if all parts work, otherwise 503 with those that do not; low `space` alone is only a warning."""
    answers = ask_all()
    ready = all(word == "ok" for word in answers.values())
    answers["space"] = "low" if disk_room.is_low() else "ok"
    return JsonResponse({"status": "ok" if ready else "unavailable", **answers}, status=200 if ready else 503)


def ask_all() -> dict[str, str]:
    """Return `ok`, `unavailable` or `unknown` for each part, within some seconds whatever is away."""
    database = _answers(_ask_database, within=ANSWER_SECONDS)
    return {
        "database": _word(database),
        "writing": _word(database and _answers(_ask_to_write, within=ANSWER_SECONDS)),
        "broker": _word(_answers(_ask_broker)),
        **_attendance(database),
    }


def _word(well: bool) -> str:
    return "ok" if well else "unavailable"


def _attendance(database: bool) -> dict[str, str]:
    """Whether somebody takes runs, somebody imports, and somebody brings lost work back, on any machine."""
    present: set[str] = set()

    def ask_who_works() -> None:
        present.update(attendance.present_parts())

    if not database or not _answers(ask_who_works, within=ANSWER_SECONDS):
        return dict.fromkeys(attendance.PARTS, "unknown")
    return {name: _word(name in present) for name in attendance.PARTS}


def _answers(ask: Callable[[], None], within: float | None = None) -> bool:
    """Whether the part answers (`within` seconds); why not goes to the log, since the answer is public."""
    try:
        if within is None:
            ask()
        else:
            _ask_elsewhere(ask, within)
    except Exception as error:  # whatever a driver raises, the part is not ready
        log.warning("part not ready", part=ask.__name__, error=str(error) or type(error).__name__)
        return False
    return True


def _ask_elsewhere(ask: Callable[[], None], seconds: float) -> None:
    """Ask in a thread that may be left to itself: no driver limits every wait of its own."""

    def ask_and_close() -> None:
        try:
            ask()
        finally:
            connection.close()

    answer = _asking.submit(ask_and_close)
    try:
        answer.result(seconds)
    finally:
        answer.cancel()


def _ask_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM django_migrations LIMIT 1")


def _ask_to_write() -> None:
    """The database lets us in as a writer, and the disk of the data folder takes some kilobytes."""
    with hasty_transaction(LOCK_SECONDS), connection.cursor() as cursor:
        if connection.vendor == "postgresql":  # SQLite's transactions begin as a writer's
            cursor.execute("SELECT 1 FROM django_migrations LIMIT 1 FOR UPDATE")
    with tempfile.TemporaryFile(dir=settings.DATA_DIR, buffering=0) as file:
        if file.write(bytes(PROBE_BYTES)) < PROBE_BYTES:
            raise OSError("the disk takes only part of what is written")


def _ask_broker() -> None:
    """A server that is stopped still accepts connections; opening a channel waits for its answer."""
    with asked_broker() as broker:
        _ = broker.default_channel
