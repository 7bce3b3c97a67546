"""The page on which a run for a comparison is chosen: the first, the second, one more; ticked rows."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from dashboard.kinds.cards import shares_cards
from dashboard.queries import access
from dashboard.queries.comparison_choices import choices, newest
from dashboard.services.results.comparing_several import MOST as MOST_BESIDE
from dashboard.services.results.listed_runs import listed, settle_listed
from dashboard.views.compared_runs import TOO_MANY, NamedRuns


def of_ticked(request: HttpRequest) -> HttpResponse:
    """Go to the address that compares the runs that were ticked in a list, the oldest being the first."""
    numbers = sorted({int(text) for text in request.GET.getlist("run") if text.isascii() and text.isdigit()})
    return redirect(f"{reverse('compare')}?{urlencode([('run', number) for number in numbers])}")


def choose(request: HttpRequest, asked: NamedRuns) -> HttpResponse:
    """Show the runs to choose from: the first one, the second, or one more."""
    chosen, visible = asked.chosen, listed(access.visible_runs(request.user))
    adds = len(chosen) > 1
    if adds and len(chosen) >= MOST_BESIDE:
        asked.problems["run"] = TOO_MANY
    others = visible.exclude(pk__in=[run.pk for run in chosen])
    kinds = choices(chosen[0], others) if chosen else [newest("The newest runs", visible)]
    kinds = [kind for kind in kinds if kind.runs]
    for kind in kinds:
        settle_listed(kind.runs)
    context = {
        "chosen": chosen[0] if chosen else None,
        "all_chosen": chosen,
        "adds": adds,
        "field": "run" if adds else "b" if chosen else "a",
        "named": "run" if adds else "a",
        "prefix": urlencode([("run" if adds else "a", run.pk) for run in chosen]),
        "kinds": kinds,
        "problems": asked.problems,
        "of_cards": bool(chosen) and not adds and shares_cards(chosen[0]),
    }
    return render(request, "compare/choose.html", context)
