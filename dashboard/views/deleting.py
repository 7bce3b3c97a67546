"""Deletes what a page shows, and says on the next page what came of it."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest

from dashboard.errors import AlreadyDeleted, HasDependents, OthersInTheWay
from dashboard.models import Scenario, Snapshot
from dashboard.queries import access


def delete_or_explain(request: HttpRequest, thing: Snapshot | Scenario, delete: Callable[..., Any]) -> bool:
    """Delete the thing, with the form's `cascade` also its dependents; False if that is refused."""
    cascade = "cascade" in request.POST
    noun = thing._meta.model_name
    try:
        access.require_deleter(request.user, thing, cascade=cascade)
        delete(thing, cascade=cascade)
    except AlreadyDeleted:
        messages.warning(request, f"{thing.name} was deleted by somebody else meanwhile.")
        return True
    except OthersInTheWay as refusal:
        messages.warning(request, f"{thing.name} was not deleted. {refusal}")
        return False
    except HasDependents as refusal:
        dependents = " and ".join(refusal.dependents)
        messages.warning(request, f"{thing.name} was not deleted: it has {dependents}.")
        return False
    messages.success(request, f"Deleted the {noun} {thing.name}.")
    return True
