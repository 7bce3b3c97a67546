"""Have each change between two runs played alone, or end that."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from dashboard.errors import Refused
from dashboard.queries import access
from dashboard.services.workspace import changes_alone as service


@require_POST
def play_alone(request: HttpRequest, a: int, b: int) -> HttpResponse:
    """Play each change alone; with `cancel` end those that are being played."""
    access.require_operator(request.user)
    runs = access.get_run_or_404(request.user, a), access.get_run_or_404(request.user, b)
    try:
        if "cancel" in request.POST:
            service.cancel_alone(*runs)
        else:
            service.play_alone(*runs)
    except Refused as refusal:
        messages.warning(request, str(refusal))
    return redirect(f"{reverse('compare')}?a={a}&b={b}#alone")
