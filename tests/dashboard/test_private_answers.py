"""No cache keeps what a signed-in person saw; static files are kept by all."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.test.utils import override_settings

from tests.dashboard.rows import new_run, new_scenario, new_snapshot

pytestmark = pytest.mark.django_db


def directives(answer: Any) -> set[str]:
    return {part.strip() for part in answer.headers.get("Cache-Control", "").split(",")}


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/snapshots/",
        "/snapshots/{snapshot}/",
        "/snapshots/{snapshot}/pods/",
        "/snapshots/{snapshot}/pods/?format=csv",
        "/scenarios/{scenario}/",
        "/runs/{run}/",
        "/accounts/",
        "/nowhere/",
        "/api/v1/snapshots/",
        "/api/v1/scenarios/{scenario}/",
        "/api/v1/runs/{run}/decisions/",
        "/api/v1/nowhere/",
        "/metrics",
    ],
)
def test_what_signed_in_people_see_is_private_and_not_stored(
    client: Client, alice: Any, address: str, settings: Any
) -> None:
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    client.force_login(alice)
    scenario, run = new_scenario(alice), new_run(alice)
    numbers = {"snapshot": new_snapshot(alice).pk, "scenario": scenario.pk, "run": run.pk}
    answer = client.get(address.format(**numbers))
    assert {"private", "no-store"} <= directives(answer)


def test_the_way_to_the_sign_in_page_is_not_kept(client: Client) -> None:
    assert {"private", "no-store"} <= directives(client.get("/"))


def test_a_change_still_names_its_version_by_the_tag(client: Client, alice: Any) -> None:
    client.force_login(alice)
    address = f"/api/v1/scenarios/{new_scenario(alice).pk}/"
    tag = client.get(address).headers["ETag"]
    for expected in (200, 412):
        answer = client.patch(
            address, {"name": "other"}, content_type="application/json", headers={"If-Match": tag}
        )
        assert answer.status_code == expected


def test_static_files_stay_cacheable(tmp_path: Path) -> None:
    (tmp_path / "app.0123456789ab.js").write_text("export {};")
    with override_settings(STATIC_ROOT=tmp_path, WHITENOISE_USE_FINDERS=False, WHITENOISE_AUTOREFRESH=False):
        answer = Client().get("/static/app.0123456789ab.js")
    assert answer.status_code == 200
    assert "no-store" not in directives(answer)
    assert any(part.startswith("max-age=") and part != "max-age=0" for part in directives(answer))
