"""The page of a snapshot's devices: what drivers offer by node, and the claims."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.kinds.kube.answers.devices import lead
from dashboard.kinds.kube.services.devices import Devices, devices_of
from dashboard.views.snapshots import ready_or_404
from dashboard.views.tables import export, plain_columns

LISTED = 500


@require_safe
def devices(request: HttpRequest, pk: int) -> HttpResponse:
    """All devices and claims of a snapshot: a page, or a file of the claims."""
    found = ready_or_404(request, pk)
    told = devices_of(found)
    if not told.offers and not told.claims:
        raise Http404
    columns = plain_columns("claim", "pods", "allocated", "devices")
    file = export(_plain(told), columns, request.GET.get("format", ""), f"{found.name}-claims")
    if file is not None:
        return file
    context = {
        "snapshot": found,
        "tab": "devices",
        "lead": lead(told),
        "offers": told.offers[:LISTED],
        "more_offers": max(len(told.offers) - LISTED, 0),
        "claims": told.claims[:LISTED],
        "more_claims": max(len(told.claims) - LISTED, 0),
    }
    return render(request, "kinds/kube/snapshots/devices.html", context)


def _plain(told: Devices) -> list[dict[str, Any]]:
    return [
        {
            "claim": one.name,
            "pods": " ".join(one.pods),
            "allocated": one.allocated,
            "devices": " ".join(one.devices),
        }
        for one in told.claims
    ]
