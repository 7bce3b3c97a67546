"""How REST speaks: packed answers and bodies, entity tags, media types, strict values, single parameters."""

import gzip
import json
from typing import Any

import pytest

from dashboard.body_limit import too_long_for_all
from tests.dashboard.rows import listing, new_run, new_scenario, new_snapshot, node, small_cluster

URL = "/api/v1/snapshots/"
NO_GZIP = "it does not begin as gzip does, or something else follows behind its end"
PACKED = {"HTTP_CONTENT_ENCODING": "gzip"}


def send(client: Any, body: bytes, media_type: str = "application/json", url: str = URL, **more: Any) -> Any:
    return client.generic("POST", url, body, content_type=media_type, **more)


def test_answers_are_packed_for_whoever_takes_that(as_alice: Any, alice: Any) -> None:
    number = new_snapshot(alice).pk
    plain = as_alice.get(f"{URL}{number}/nodes/?object=true")
    packed = as_alice.get(f"{URL}{number}/nodes/?object=true", HTTP_ACCEPT_ENCODING="gzip")
    assert "Content-Encoding" not in plain
    assert packed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed["Vary"]
    assert gzip.decompress(packed.content) == plain.content


def test_what_was_read_before_is_not_sent_again(as_alice: Any, alice: Any) -> None:
    address = f"{URL}{new_snapshot(alice).pk}/"
    first = as_alice.get(address)
    again = as_alice.get(address, HTTP_IF_NONE_MATCH=first["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    as_alice.delete(address)
    assert as_alice.get(address, HTTP_IF_NONE_MATCH=first["ETag"]).status_code == 404


def test_the_tag_of_a_packed_scenario_names_its_version_for_a_change(as_alice: Any, alice: Any) -> None:
    address = f"/api/v1/scenarios/{new_scenario(alice).pk}/"
    edits = {"edits": [{"op": "cordon", "node": "node-1"}] * 20}
    as_alice.patch(address, edits, format="json", HTTP_IF_MATCH='"1"')
    tag = as_alice.get(address, HTTP_ACCEPT_ENCODING="gzip")["ETag"]
    assert tag == 'W/"2"'
    changed = as_alice.patch(address, {"name": "other"}, format="json", HTTP_IF_MATCH=tag)
    assert (changed.status_code, changed["ETag"]) == (200, '"3"')
    assert as_alice.get(address, HTTP_IF_NONE_MATCH=tag).status_code == 200


def test_a_packed_body_is_read(as_alice: Any, alice: Any) -> None:
    answer = send(as_alice, gzip.compress(small_cluster()), **PACKED)
    assert (answer.status_code, answer.json()["counts"]) == (201, {"Node": 2, "Pod": 2})
    body = gzip.compress(json.dumps({"snapshot": new_snapshot(alice).pk}).encode())
    assert send(as_alice, body, url="/api/v1/scenarios/", **PACKED).status_code == 201


def test_a_body_in_utf_16_is_read_at_once(as_alice: Any) -> None:
    answer = send(as_alice, small_cluster().decode().encode("utf-16"))
    assert (answer.status_code, answer.json()["counts"]) == (201, {"Node": 2, "Pod": 2})


def test_a_packed_form_is_read(as_alice: Any) -> None:
    form = (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n'
        + listing(node("node-1"))
        + b"\r\n--x--\r\n"
    )
    answer = send(as_alice, gzip.compress(form), "multipart/form-data; boundary=x", **PACKED)
    assert (answer.status_code, answer.json()["counts"]) == (201, {"Node": 1})


def test_a_packed_body_is_bounded_by_what_it_unpacks_to(as_alice: Any, settings: Any) -> None:
    settings.BODY_LIMIT_BYTES = 1000
    bomb = gzip.compress(b" " * 1_000_000)
    assert len(bomb) > 1000
    settings.BODY_LIMIT_BYTES = len(bomb)
    for media_type in ("application/json", "application/yaml", "multipart/form-data; boundary=x"):
        answer = send(as_alice, bomb, media_type, **PACKED)
        assert answer.status_code == 413, (media_type, answer.content)
        assert answer.json()["detail"] == too_long_for_all(len(bomb))


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (b"{}", NO_GZIP),
        (gzip.compress(small_cluster())[:-9], "it ends in the middle, as if it had been cut off"),
        (gzip.compress(b"{}")[:-4] + b"1234", "it is damaged, for what comes out is not what was packed"),
        (gzip.compress(b"{}") + b"more", NO_GZIP),
    ],
    ids=["plain", "cut off", "wrong length", "goes on"],
)
def test_a_body_that_is_not_packed_as_it_says_is_a_problem(as_alice: Any, body: bytes, fault: str) -> None:
    answer = send(as_alice, body, **PACKED)
    assert answer.status_code == 400
    told = f"The body is not readable as gzip, which its Content-Encoding names: {fault}."
    assert answer.json()["detail"] == told


def test_a_body_of_somebody_who_is_not_signed_in_is_not_unpacked(as_nobody: Any) -> None:
    assert send(as_nobody, b"no gzip", **PACKED).status_code == 401


def test_other_packings_are_named_as_not_spoken(as_alice: Any) -> None:
    answer = send(as_alice, b"x", HTTP_CONTENT_ENCODING="br")
    assert (answer.status_code, answer["Accept-Encoding"]) == (415, "gzip")
    assert "br" in answer.json()["detail"]


def test_a_media_type_that_is_not_spoken_is_answered_with_those_that_are(as_alice: Any) -> None:
    answer = send(as_alice, b"x", "text/csv")
    assert answer.status_code == 415
    for spoken in ("application/json", "application/yaml", "application/zip", "multipart/form-data"):
        assert spoken in answer.json()["detail"]
        assert spoken in answer["Accept"]
    assert send(as_alice, b"x", "text/csv", url="/api/v1/runs/")["Accept"] == "application/json"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("driver", 0), ("driver", 1.5), ("name", 7), ("snapshot", "1"), ("snapshot", True), ("seed", "7"),
        ("seed", 7.0), ("scheduler", {"profile": 1}),
    ],
)  # fmt: skip
def test_values_of_another_type_are_refused(as_alice: Any, alice: Any, field: str, value: Any) -> None:
    body = {"snapshot": new_snapshot(alice).pk, field: value}
    answer = as_alice.post("/api/v1/scenarios/", body, format="json")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"].split(".")[0] == field


@pytest.mark.parametrize("value", [0, 1, "true", "yes", 1.0])
def test_a_flag_is_true_or_false_and_nothing_else(as_alice: Any, alice: Any, value: Any) -> None:
    address = f"/api/v1/runs/{new_run(alice).pk}/"
    answer = as_alice.patch(address, {"pinned": value}, format="json")
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "pinned")
    assert as_alice.patch(address, {"pinned": True}, format="json").json()["pinned"] is True


def test_a_parameter_that_stands_twice_is_refused(as_alice: Any) -> None:
    answer = as_alice.get(f"{URL}?search=a&search=b")
    assert answer.status_code == 400
    assert answer.json()["errors"] == [
        {"object": "request", "field": "search", "message": "The parameter stands twice."}
    ]
    form = (
        b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\na\r\n'
        b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nb\r\n'
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n{}\r\n--x--\r\n'
    )
    answer = send(as_alice, form, "multipart/form-data; boundary=x")
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "name")
