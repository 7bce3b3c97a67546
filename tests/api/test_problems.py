"""Every refusal is `application/problem+json` with title, status, detail and errors."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from rest_framework.exceptions import Throttled, ValidationError
from rest_framework.test import APIClient, APIRequestFactory, force_authenticate

from api.base import ApiView
from api.problems import answer_exception, flatten
from dashboard.errors import HasDependents
from dashboard.models import Scenario, Snapshot
from scheduler_core.objects.problems import BadInput, Problem
from tests.dashboard.rows import new_scenario


def assert_problem(answer: Any, status: int) -> dict[str, Any]:
    """Return the problem; `errors` holds its sentence at least."""
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    body = answer.json()
    assert set(body) == {"title", "status", "detail", "errors"}
    assert body["status"] == status
    assert body["title"]
    assert body["detail"]
    assert body["errors"] == [{"object": "request", "field": "", "message": body["detail"]}]
    return dict(body)


@pytest.mark.parametrize("path", ["nothing/", "snapshots/x/", "snapshots/1/nothing/", "runs/-1/", "", "%00"])
def test_an_unknown_address_is_a_problem(as_bob: Any, path: str) -> None:
    assert_problem(as_bob.get(f"/api/v1/{path}"), 404)


def test_a_forgotten_slash_is_pointed_out(as_bob: Any) -> None:
    assert "slash" in assert_problem(as_bob.get("/api/v1/snapshots"), 404)["detail"]


def test_an_unknown_address_needs_no_sign_in_to_be_unknown(as_nobody: Any) -> None:
    assert_problem(as_nobody.get("/api/v1/nothing/"), 404)
    assert_problem(APIClient(enforce_csrf_checks=True).post("/api/v1/nothing/"), 404)


@pytest.mark.parametrize("number", ["0", "999999", "9" * 30, "9" * 5000])
def test_numbers_of_any_size_are_just_not_there(as_bob: Any, number: str) -> None:
    assert_problem(as_bob.get(f"/api/v1/runs/{number}/"), 404)


def test_another_method_is_a_problem_and_names_those_there_are(as_alice: Any) -> None:
    answer = as_alice.put("/api/v1/snapshots/", {}, format="json")
    assert_problem(answer, 405)
    assert "GET" in answer["Allow"]


def test_an_answer_in_another_language_is_a_problem(as_bob: Any) -> None:
    assert_problem(as_bob.get("/api/v1/snapshots/", headers={"Accept": "text/html"}), 406)


def test_format_in_the_query_is_left_to_the_address(as_bob: Any) -> None:
    assert as_bob.get("/api/v1/snapshots/", {"format": "list"}).status_code == 200


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"name": "a", "name\xff": 1}', "The body is not JSON: its text is not UTF-8."),
        (b'{"name": "\\ud800"}', "The body is not JSON: half of a character"),
        (b'{"name": "\\ude00 and more text"}', "The body is not JSON: half of a character"),
        (b'{"name": "\\ud83d\\ude00"', "The body is not JSON: it ends in the middle, in line 1"),
        (b'{"name": "\xff"}', "The body is not JSON: "),
        (b" " * (5 * 1024 * 1024 + 1), "The body, unpacked, may have at most 5 MiB."),
    ],
)
def test_an_unreadable_body_is_refused_in_words_of_ours(as_alice: Any, body: bytes, words: str) -> None:
    answer = as_alice.generic("POST", "/api/v1/scenarios/", body, "application/json")
    problem = assert_problem(answer, 413 if "at most" in words else 400)
    assert problem["detail"].startswith(words)
    for foreign in ("recursion", "codec", "surrogate", "Python"):
        assert foreign not in problem["detail"]


@pytest.mark.parametrize(
    ("body", "field", "words"),
    [
        (
            '{"edits": [{"patch": ' + "[" * 100_000,
            "edits[0].patch[0][0][0][0][0]…",
            "nested deeper than 104 levels",
        ),
        ('{"edits": [{"node": "a", "node": "b"}]}', "edits[0].node", "the key stands twice"),
    ],
)
def test_what_is_nested_without_end_or_named_twice_is_refused_with_its_field(
    as_alice: Any, body: str, field: str, words: str
) -> None:
    answer = as_alice.generic("POST", "/api/v1/scenarios/", body, "application/json")
    assert answer.status_code == 400
    assert answer.json()["errors"] == [{"object": "request", "field": field, "message": words}]


@pytest.mark.parametrize("host", ["evil.example", "no host", "a" * 300, "localhost:x"])
@pytest.mark.parametrize("path", ["snapshots/", "nothing/", "snapshots"])
def test_a_host_that_is_not_served_is_a_problem(as_bob: Any, path: str, host: str) -> None:
    answer = as_bob.get(f"/api/v1/{path}", headers={"Host": host})
    assert "SANDTABLE_ALLOWED_HOSTS" in assert_problem(answer, 400)["detail"]


def test_too_many_files_are_refused_in_words_of_ours(as_alice: Any) -> None:
    files = [SimpleUploadedFile(f"{number}.json", b"{}") for number in range(101)]
    answer = as_alice.post("/api/v1/snapshots/", {"file": files}, format="multipart")
    assert assert_problem(answer, 400)["detail"] == "Send at most 100 files at a time."


def test_other_media_types_and_missing_tags_have_an_entry_too(as_alice: Any, alice: Any) -> None:
    scenario = f"/api/v1/scenarios/{new_scenario(alice).pk}/"
    assert_problem(as_alice.post("/api/v1/scenarios/", b"x", content_type="text/plain"), 415)
    assert_problem(as_alice.patch(scenario, {}, format="json"), 428)
    unreadable = as_alice.patch(scenario, {}, format="json", headers={"If-Match": "abc"})
    assert "ETag in its quotes" in assert_problem(unreadable, 412)["detail"]


def test_bad_input_keeps_object_field_and_message() -> None:
    answer = answer_exception(BadInput([Problem("Pod shop/cart", "spec.nodeName", "is no name")]), {})
    assert b'{"object": "Pod shop/cart", "field": "spec.nodeName", "message": "is no name"}' in answer.content


@pytest.mark.parametrize(
    "refusal",
    [
        BadInput([Problem("", "metadata", "is wrong")] * 3_000),
        ValidationError({"edits": [{"op": ["wrong"]}] * 3_000}),
        HasDependents("It", ["a run"] * 3_000),
    ],
)
def test_of_many_errors_the_first_are_listed_and_the_others_counted(refusal: Exception) -> None:
    errors = json.loads(answer_exception(refusal, {}).content)["errors"]
    assert len(errors) == 201
    assert errors[-1] == {"object": "request", "field": "", "message": "and 2,800 more"}


def test_no_error_is_kept_back_for_a_line_of_its_own() -> None:
    problems = [Problem("Pod a", f"spec.{number}", "is wrong") for number in range(201)]
    errors = json.loads(answer_exception(BadInput(problems), {}).content)["errors"]
    assert [error["field"] for error in errors] == [problem.field for problem in problems]


def test_as_many_faulty_objects_as_are_checked_are_as_many_as_are_listed(as_alice: Any) -> None:
    pods = [{"kind": "Pod", "metadata": {"name": f"p-{number}"}} for number in range(300)]
    answer = as_alice.post("/api/v1/snapshots/", {"kind": "List", "items": pods}, format="json")
    errors = answer.json()["errors"]
    assert len(errors) == 201
    assert errors[-1]["message"] == "more than 200 problems; the rest is not listed"


def test_nested_errors_become_dotted_fields() -> None:
    detail = ValidationError({"edits": [{}, {"op": ["wrong"]}], "non_field_errors": ["odd"]}).detail
    assert list(flatten(detail)) == [("edits.1.op", "wrong"), ("", "odd")]


class _Throttled(ApiView):
    def get(self, request: Any) -> Any:
        raise Throttled(wait=7)


class _Broken(ApiView):
    def get(self, request: Any) -> Any:
        raise RuntimeError("a fault of our own")


def test_a_throttled_request_says_when_to_come_back(alice: Any) -> None:
    request = APIRequestFactory().get("/")
    force_authenticate(request, alice)
    answer = _Throttled.as_view()(request)
    assert (answer.status_code, answer["Retry-After"]) == (429, "7")
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.django_db(transaction=True)
def test_what_is_deleted_while_it_is_asked_about_is_not_there(alice: Any) -> None:
    """Both ways: a row that a request began with has gone, and one that a new row names."""
    with pytest.raises(Snapshot.DoesNotExist) as gone:
        Snapshot.objects.get(pk=4_000)
    with pytest.raises(IntegrityError) as named, transaction.atomic():
        Scenario.objects.create(name="of nothing", snapshot_id=4_000, profile="kube-1.36")
    for fault in (gone.value, named.value):
        answer = answer_exception(fault, {})
        assert answer.status_code == 404
        assert b"was deleted meanwhile" in answer.content
    assert answer_exception(IntegrityError("UNIQUE constraint failed: a.b"), {}).status_code == 500


def test_a_fault_of_our_own_is_logged_and_tells_nothing_of_itself(alice: Any, caplog: Any) -> None:
    request = APIRequestFactory().get("/")
    force_authenticate(request, alice)
    answer = _Broken.as_view()(request)
    assert answer.status_code == 500
    assert answer["Content-Type"] == "application/problem+json"
    assert b"a fault of our own" not in answer.content
    assert "a fault of our own" in caplog.text
