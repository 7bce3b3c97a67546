"""The page of all terms, with what each means."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.queries import access
from dashboard.queries.glossary import terms


@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    """All terms in alphabetical order."""
    access.require_viewer(request.user)
    return render(request, "glossary.html", {"terms": terms()})
