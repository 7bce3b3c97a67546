"""The cards of several runs beside each other: one line a run, and all at the same arrival."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.answers.cards_compared import CardsAt, answer_of_cards
from dashboard.kinds.cards import card_profiles, definition, policies_of, policy_runs
from dashboard.kinds.policy_runs import MOST
from dashboard.models import Run
from dashboard.queries import access
from dashboard.queries.comparison_words import cut_short
from dashboard.queries.published import published_beside
from dashboard.services.results.run_sums import settled_sums
from dashboard.shapes.over_time import Cards
from dashboard.views.card_charts import (
    SIDE_COLUMNS,
    Side,
    curves,
    levels,
    side_rows,
)
from dashboard.views.htmx import HtmxRequest, once_ended
from dashboard.views.tables import export

CHOICES = 25
LOOKED_AT = 100
LONGEST_NUMBER = 18
TOO_MANY = f"At most {MOST} runs stand beside each other; these are the first {MOST}."
NOT_A_NUMBER = "A run is named by its number."
NOT_A_SHARE = "Say how much has arrived as a number of percent, 0 or more."


@dataclass
class _Asked:
    """The runs that an address asks for, and what is wrong with it."""

    runs: list[Run] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@require_safe
def compare_cards(request: HtmxRequest) -> HttpResponse:
    """Show the cards of each `run`, or of the policies that were tried on a `snapshot`."""
    access.require_viewer(request.user)
    asked = _asked(request)
    goes_on = [not run.has_ended for run in asked.runs]
    if (waits := once_ended(request, goes_on)) is not None:
        return waits
    sides = _sides(asked)
    if sides and request.GET.get("table") == "cards":
        name = "cards-of-runs-" + "-".join(str(side.run.pk) for side in sides)
        file = export(side_rows(sides), SIDE_COLUMNS, request.GET.get("format", ""), name)
        if file is not None:
            return file
    context = {
        "problems": asked.problems,
        "choices": _choices(request, asked.runs),
        "most": MOST,
        "goes_on": any(goes_on),
    }
    if sides:
        context |= _figures(request, sides)
    return render(request, "compare/cards.html", context)


def _asked(request: HttpRequest) -> _Asked:
    """Return the runs that the address names. Raises Http404."""
    asked = _Asked()
    snapshot = request.GET.get("snapshot", "")
    if snapshot:
        found = access.get_snapshot_or_404(request.user, snapshot)
        asked.runs = policy_runs(found.pk, access.visible_runs(request.user))
        if not asked.runs:
            asked.problems.append(f"No run that shares cards on {found.name} has finished yet.")
    numbers = dict.fromkeys(text.strip() for text in request.GET.getlist("run") if text.strip())
    for number in list(numbers)[:MOST]:
        if number.isascii() and number.isdigit() and len(number) <= LONGEST_NUMBER:
            asked.runs.append(access.get_run_or_404(request.user, int(number)))
        else:
            asked.problems.append(NOT_A_NUMBER)
    if len(numbers) > MOST:
        asked.problems.append(TOO_MANY)
    return asked


def _sides(asked: _Asked) -> list[Side]:
    """Return the runs that have cards; those that have none are named among the problems."""
    found: list[tuple[Run, Cards]] = []
    for run in asked.runs:
        sums = settled_sums(run)
        cards = sums.over_time.get("cards") if sums is not None else None
        if cards is None:
            asked.problems.append(
                f"Run {run.pk} has no cards: no scheduler of it shares any, or it has not begun."
            )
        else:
            found.append((run, cards))
    return [
        Side(run, f"run {run.pk}: {policies_of(run)}", cards, place)
        for place, (run, cards) in enumerate(found[:MOST])
    ]


def _choices(request: HttpRequest, chosen: list[Run]) -> list[tuple[Run, str, bool]]:
    """Return runs to choose from, of the same cluster if there is one, each with its policies."""
    runs = access.visible_runs(request.user).filter(profile__in=card_profiles(), status=Run.Status.FINISHED)
    if chosen:
        runs = runs.filter(snapshot__content_hash=chosen[0].snapshot.content_hash)
    numbers = {run.pk for run in chosen}
    named = ((run, policies_of(run)) for run in runs[:LOOKED_AT])
    return [(run, policies, run.pk in numbers) for run, policies in named if policies][:CHOICES]


def _figures(request: HttpRequest, sides: list[Side]) -> dict[str, Any]:
    most = min(side.figures["arrived"][-1] for side in sides)
    arrived, problem = _arrived(request.GET.get("arrived", ""), most)
    one_cluster = len({side.run.snapshot.content_hash for side in sides}) == 1
    published = published_beside(sides[0].run.snapshot_id) if one_cluster else None
    at = [(side, side.at(arrived)) for side in sides]
    return {
        "answer": answer_of_cards([_cards_at(side, row) for side, row in at], arrived),
        "sides": sides,
        "one_cluster": one_cluster,
        "curves": curves(sides, published),
        "published": published,
        "definition": definition(),
        "arrived": arrived,
        "arrived_problem": problem,
        "most_arrived": most,
        "at": at,
        "levels": levels(sides),
        "address": "&".join(f"run={side.run.pk}" for side in sides),
    }


def _cards_at(side: Side, row: Mapping[str, Any]) -> CardsAt:
    return CardsAt(
        side.run.pk,
        policies_of(side.run),
        row["seq"],
        row["time"],
        row["allocated"],
        row["fragmentation"],
        row["waiting"],
        cut_short(side.run, side.run.outcome),
    )


def _arrived(text: str, most: float) -> tuple[float, str]:
    """Return at which arrival the runs are put beside each other, and what is wrong with what was asked."""
    if not text.strip():
        return most, ""
    try:
        asked = float(text)
    except ValueError:
        return most, NOT_A_SHARE
    return (asked, "") if asked >= 0 and asked != float("inf") else (most, NOT_A_SHARE)
