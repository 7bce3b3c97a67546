"""What happened, as a scenario: a snapshot's own history, or a trace of SimKube on it."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from dashboard.errors import Refused, sentences_of
from dashboard.queries import access
from dashboard.services.workspace.replaying import Played, play_history, play_simkube
from dashboard.views.snapshots import ready_or_404
from scheduler_core.objects.problems import BadInput


@require_safe
def replays(request: HttpRequest, pk: int) -> HttpResponse:
    """What of the past can be played on this snapshot."""
    access.require_operator(request.user)
    return render(request, "snapshots/replay.html", {"snapshot": ready_or_404(request, pk), "tab": "replay"})


@require_POST
def history(request: HttpRequest, pk: int) -> HttpResponse:
    """A new scenario with the snapshot's own history."""
    access.require_operator(request.user)
    found = ready_or_404(request, pk)
    return _opened(request, pk, lambda: play_history(request.user, found))


@require_POST
def simkube(request: HttpRequest, pk: int) -> HttpResponse:
    """A new scenario that plays the uploaded trace on the snapshot."""
    access.require_operator(request.user)
    found = ready_or_404(request, pk)
    file = request.FILES.get("trace")
    if file is None:
        messages.error(request, "Choose the file of a trace.")
        return redirect("snapshot-replays", pk=pk)
    return _opened(request, pk, lambda: play_simkube(request.user, found, file.read(), str(file.name or "")))


def _opened(request: HttpRequest, pk: int, play: Callable[[], Played]) -> HttpResponse:
    """Open the new scenario and say what is not in it, or say on the page before why there is none."""
    try:
        played = play()
    except (BadInput, Refused) as error:
        messages.error(request, sentences_of(error) if isinstance(error, BadInput) else str(error))
        return redirect("snapshot-replays", pk=pk)
    for line in played.left_out:
        messages.warning(request, line)
    return redirect("scenario", pk=played.scenario.pk)
