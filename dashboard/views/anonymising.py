"""The page from which a snapshot is saved under other names."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.errors import Refused
from dashboard.queries import access
from dashboard.services.workspace.anonymising import end_file, file_of, order_file
from dashboard.views.htmx import HtmxRequest
from dashboard.views.snapshots import ready_or_404
from dashboard.views.tables import download

PATIENCE_SECONDS = 1.5


@require_http_methods(["GET", "HEAD", "POST"])
def anonymise(request: HtmxRequest, pk: int) -> HttpResponse:
    """What stays and what does not; with POST the file is written, and `file` says how far that is."""
    found = ready_or_404(request, pk)
    if request.method == "POST":
        try:
            name = order_file(found, request.POST.get("key", ""))
        except Refused as refusal:
            context = {"snapshot": found, "tab": "anonymise", "refusal": str(refusal)}
            return render(request, "snapshots/anonymise.html", context, status=409)
        return redirect(_page(pk, name))
    name = request.GET.get("file", "")
    told = file_of(found, name, 0.0 if request.htmx else PATIENCE_SECONDS) if name else None
    context = {
        "snapshot": found,
        "tab": "anonymise",
        "name": name,
        "told": told,
        "address": _page(pk, name),
        "is_gone": name and told is None,
    }
    return render(request, "snapshots/anonymise.html", context)


@require_safe
def anonymised_file(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """The file; 404 until it is written."""
    told = file_of(ready_or_404(request, pk), name)
    if told is None or told.answer is None:
        raise Http404
    return download([told.answer.file()], "application/json", f"snapshot-{pk}-anonymised.json")


@require_POST
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """Let it be."""
    access.require_operator(request.user)
    name = request.POST.get("file", "")
    end_file(ready_or_404(request, pk), name)
    return redirect(_page(pk, name))


def _page(pk: int, name: str) -> str:
    return f"{reverse('snapshot-anonymise', args=[pk])}?file={name}"
