"""Going on without what is faulty, and adding to a snapshot, over REST."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from dashboard.services.background.importing import import_uploads
from dashboard.services.workspace.snapshots import QUICK_BYTES
from tests.dashboard.rows import listing, new_snapshot, node, pod

URL = "/api/v1/snapshots/"
BODY = listing(node("node-1"), pod("cart-1", cpu="lots"), pod("cart-2", cpu="many"))


def send(client: Any, body: bytes, query: str = "") -> Any:
    return client.generic("POST", URL + query, body, content_type="application/json")


def test_a_refusal_says_without_how_many_it_would_go_and_then_goes(as_alice: Any) -> None:
    refused = send(as_alice, BODY)
    assert (refused.status_code, refused.json()["faulty"]) == (400, 2)
    answer = send(as_alice, BODY, "?without_faulty=true")
    assert (answer.status_code, answer.json()["counts"]) == (201, {"Node": 1})
    form = {"file": SimpleUploadedFile("a.json", BODY), "without_faulty": "true"}
    assert as_alice.post(URL, form, format="multipart").json()["counts"] == {"Node": 1}
    assert "faulty" not in send(as_alice, listing(pod("cart-1", cpu="lots"))).json()
    assert send(as_alice, BODY, "?without_faulty=maybe").status_code == 400


@pytest.mark.parametrize("query", ["", "?without_faulty=true"])
def test_a_large_import_goes_on_without_what_is_faulty(as_alice: Any, query: str) -> None:
    answer = send(as_alice, BODY + b" " * QUICK_BYTES, query)
    assert answer.status_code == 202
    number = answer.json()["id"]
    import_uploads(number)
    if not query:
        progress = as_alice.get(answer.json()["progress"]).json()
        assert (progress["status"], progress["faulty"]) == ("failed", 2)
        again = as_alice.post(f"{URL}{number}/without-faulty/")
        assert (again.status_code, again.json()["status"]) == (202, "importing")
        assert as_alice.post(f"{URL}{number}/without-faulty/").status_code == 409
        import_uploads(number)
    snapshot = as_alice.get(f"{URL}{number}/").json()
    assert (snapshot["status"], snapshot["counts"], snapshot["faulty"]) == ("ready", {"Node": 1}, 0)


def test_a_body_is_added_to_a_snapshot(as_alice: Any, alice: Any) -> None:
    base = new_snapshot(alice)
    answer = send(as_alice, listing(node("node-9")), f"?add_to={base.pk}&name=larger")
    assert answer.status_code == 202
    import_uploads(answer.json()["id"])
    snapshot = as_alice.get(f"{URL}{answer.json()['id']}/").json()
    assert (snapshot["name"], snapshot["counts"]) == ("larger", {"Node": 3, "Pod": 2})
    form = {"file": SimpleUploadedFile("a.json", listing(node("node-9"))), "add_to": str(base.pk)}
    assert as_alice.post(URL, form, format="multipart").status_code == 202


def test_what_cannot_be_added_to_is_refused(as_alice: Any) -> None:
    assert send(as_alice, BODY, "?add_to=999999").status_code == 404
    assert send(as_alice, BODY, "?add_to=x").status_code == 400
    importing = as_alice.generic("POST", URL, b"kind: Node", content_type="application/yaml").json()["id"]
    assert send(as_alice, BODY, f"?add_to={importing}").status_code == 409
    wrong = {"file": SimpleUploadedFile("a.json", BODY), "add_to": SimpleUploadedFile("b.json", b"7")}
    assert as_alice.post(URL, wrong, format="multipart").status_code == 400


def test_viewers_neither_add_nor_go_on(as_bob: Any, alice: Any) -> None:
    base = new_snapshot(alice)
    assert send(as_bob, BODY, f"?add_to={base.pk}").status_code == 403
    assert as_bob.post(f"{URL}{base.pk}/without-faulty/").status_code == 403
