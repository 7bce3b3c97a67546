"""The page from which a snapshot is saved under other names."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from dashboard.errors import Refused
from dashboard.services.workspace.anonymising import anonymised, anonymised_file
from dashboard.views.snapshots import ready_or_404
from dashboard.views.tables import download


@require_http_methods(["GET", "HEAD", "POST"])
def anonymise(request: HttpRequest, pk: int) -> HttpResponse:
    """What stays and what does not; with POST the file, or with `show` what is left out of it."""
    found = ready_or_404(request, pk)
    key = request.POST.get("key", "")
    context = {"snapshot": found, "tab": "anonymise", "key": key}
    if request.method != "POST":
        return render(request, "snapshots/anonymise.html", context)
    try:
        told = anonymised(found, key)
    except Refused as refusal:
        return render(request, "snapshots/anonymise.html", {**context, "refusal": str(refusal)}, status=409)
    if "show" in request.POST:
        return render(request, "snapshots/anonymise.html", {**context, "told": told})
    return download([anonymised_file(told)], "application/json", f"snapshot-{pk}-anonymised.json")
