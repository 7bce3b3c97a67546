"""The page on which a run for a comparison is chosen says how many runs there are."""

from typing import Any

import pytest
from django.test import Client

from dashboard.queries import comparison_choices
from tests.dashboard.rows import new_run

pytestmark = pytest.mark.django_db


def test_of_more_runs_than_are_listed_all_are_counted(
    client: Client, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparison_choices, "MOST", 2)
    for _ in range(3):
        new_run(None, pods=1)
    client.force_login(bob)
    page = client.get("/compare/").text
    assert "the newest 2 of 3" in page
    assert page.count("/compare/?a=") == 2
