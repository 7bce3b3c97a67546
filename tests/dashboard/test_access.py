"""Alice (operator), Bob (viewer) and Charlie (outsider): who sees and may do what."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404

from dashboard.accounts.roles import OPERATOR, VIEWER, give_role
from dashboard.errors import OthersInTheWay
from dashboard.queries import access
from dashboard.services.workspace.runs import start_run
from tests.dashboard.rows import new_run, new_scenario

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fake_engine")]

GUARDS = [access.get_run_or_404, access.get_scenario_or_404, access.get_snapshot_or_404]


def numbers(run: Any) -> list[int]:
    return [run.pk, run.scenario_id, run.snapshot_id]


def test_operators_and_viewers_see_everything(alice: Any, bob: Any) -> None:
    run = new_run(alice)
    for user in (alice, bob):
        assert [guard(user, pk).pk for guard, pk in zip(GUARDS, numbers(run), strict=True)] == numbers(run)
        assert access.visible_runs(user).count() == 1


def test_a_run_is_read_without_what_may_be_large(alice: Any) -> None:
    run = access.get_run_or_404(alice, new_run(alice).pk)
    assert {"base", "edits", "edit_results"} <= run.get_deferred_fields()
    assert "edits" in run.scenario.get_deferred_fields()


def test_outsiders_and_strangers_get_404_as_for_what_is_not_there(alice: Any, charlie: Any) -> None:
    run = new_run(alice)
    alice.is_active = False
    for user in (charlie, AnonymousUser(), alice):
        for guard, pk in zip(GUARDS, numbers(run), strict=True):
            with pytest.raises(Http404):
                guard(user, pk)
        assert not access.visible_snapshots(user)
        with pytest.raises(Http404):
            access.require_operator(user)


@pytest.mark.parametrize("nonsense", [0, -1, 10**30, "x", None])
def test_a_number_that_is_none_is_404(alice: Any, nonsense: Any) -> None:
    with pytest.raises(Http404):
        access.get_run_or_404(alice, nonsense)


def test_only_operators_change_anything(alice: Any, bob: Any) -> None:
    access.require_operator(alice)
    with pytest.raises(PermissionDenied):
        access.require_operator(bob)


def test_operators_delete_their_own_and_admins_everything(alice: Any, bob: Any, dora: Any) -> None:
    run = new_run(alice)
    access.require_deleter(alice, run)
    access.require_deleter(dora, run)
    for role in (VIEWER, OPERATOR):
        give_role(bob, role)
        with pytest.raises(PermissionDenied):
            access.require_deleter(bob, run)


def test_what_others_made_of_an_operators_things_stands_in_the_way_of_cascades(
    alice: Any, bob: Any, dora: Any
) -> None:
    give_role(bob, OPERATOR)
    run = new_run(alice)
    access.require_deleter(alice, run.snapshot, cascade=True)
    mine = start_run(bob, run.scenario)
    for thing in (run.snapshot, run.scenario):
        with pytest.raises(OthersInTheWay, match="1 run of bob"):
            access.require_deleter(alice, thing, cascade=True)
        access.require_deleter(dora, thing, cascade=True)
    access.require_deleter(bob, mine, cascade=True)
    new_scenario(None, run.snapshot)
    with pytest.raises(OthersInTheWay, match="1 scenario of somebody who is gone, 1 run of bob"):
        access.require_deleter(alice, run.snapshot, cascade=True)
