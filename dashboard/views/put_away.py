"""What a page says of a reading that is stored as a delta: it is brought back, and the page goes on then."""

from collections.abc import Callable
from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from dashboard.errors import PutAway
from dashboard.models import Snapshot
from dashboard.services.workspace.put_away import ask_back
from dashboard.views.htmx import drawn_anew
from dashboard.views.snapshots import import_share

PROGRESS = "progress-now"


class BringsBack:
    """Middleware: where a page needs a reading that was put away, asks for it and shows how far it is."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer for a view that raised PutAway."""
        return answer(request, exception.snapshot) if isinstance(exception, PutAway) else None


def answer(request: HttpRequest, snapshot: Snapshot) -> HttpResponse:
    """Return how far the reading is; a form is to be sent again, and a part of a page makes it load anew.

    A return that failed or that somebody ended is not begun again by a page that waits for it.
    """
    htmx = getattr(request, "htmx", None)
    if htmx and htmx.target == PROGRESS:
        return _shown(request, snapshot, "snapshots/progress.html")
    if htmx:
        return drawn_anew()
    if request.method not in ("GET", "HEAD"):
        ask_back(snapshot)
        messages.info(request, f"Not done yet: {snapshot.name} is being brought back. Do it again then.")
        return redirect("snapshot", pk=snapshot.pk)
    if not snapshot.problems or "again" in request.GET:
        ask_back(snapshot)
    return _shown(request, snapshot, "snapshots/unready.html")


def _shown(request: HttpRequest, snapshot: Snapshot, template: str) -> HttpResponse:
    context = {"snapshot": snapshot, "share": import_share(snapshot)}
    return render(request, template, context, status=HTTPStatus.ACCEPTED)
