"""Queries are read strictly: what cannot be read and what nobody knows is refused by name."""

from typing import Any

import pytest

from dashboard.models import Run
from dashboard.services.background.execution import execute_run
from tests.dashboard.rows import new_run, small_cluster

pytestmark = pytest.mark.usefixtures("fake_engine")


@pytest.fixture
def run(alice: Any) -> Run:
    """A finished run."""
    made = new_run(alice, pods=5)
    execute_run(made.pk)
    return made


def ask(client: Any, address: str, run: Run) -> Any:
    return client.get(f"/api/v1/{address}".format(snapshot=run.snapshot_id, run=run.pk))


def faults(answer: Any) -> dict[str, str]:
    assert answer.status_code == 400, answer.content
    return {error["field"]: error["message"] for error in answer.json()["errors"]}


@pytest.mark.parametrize(
    ("address", "parameter"),
    [
        ("snapshots/{snapshot}/pods/?pending=maybe", "pending"),
        ("snapshots/{snapshot}/nodes/?unschedulable=maybe", "unschedulable"),
        ("runs/?pinned=maybe", "pinned"),
        ("snapshots/?is_sample=2", "is_sample"),
    ],
)
def test_a_flag_that_is_neither_true_nor_false_is_named(
    as_bob: Any, run: Run, address: str, parameter: str
) -> None:
    assert faults(ask(as_bob, address, run)) == {parameter: "Must be true or false."}


@pytest.mark.parametrize("value", ["true", "True", "1", "false", "FALSE", "0", ""])
def test_flags_are_read_as_everywhere(as_bob: Any, run: Run, value: str) -> None:
    rows = ask(as_bob, f"runs/?pinned={value}", run).json()["results"]
    assert len(rows) == (value.lower() not in ("true", "1"))


@pytest.mark.parametrize(
    ("address", "unknown", "known"),
    [
        (
            "runs/{run}/decisions/?outcom=nominated",
            "outcom",
            "after, kind, limit, min_priority, node, outcome",
        ),
        ("runs/{run}/decisions/?max_priority=4", "max_priority", "min_priority"),
        ("scenarios/?nmae=x", "nmae", "limit, name, ordering, profile, search, snapshot"),
        ("runs/?search=x", "search", "pinned"),
        ("runs/{run}/timeline/?bucket=4", "bucket", "there are buckets"),
        ("runs/{run}/?objects=true", "objects", "this address has none"),
        ("schedulers/?limt=3", "limt", "this address has none"),
        ("compare/?a=1&b=2&c=3", "c", "a, b, gangs_cursor, limit"),
    ],
)
def test_a_parameter_that_nobody_knows_is_named_beside_those_there_are(
    as_bob: Any, run: Run, address: str, unknown: str, known: str
) -> None:
    found = faults(ask(as_bob, address, run))
    assert list(found) == [unknown]
    assert found[unknown].startswith("There is no such parameter; ")
    assert known in found[unknown]


def test_what_changes_something_is_as_strict(as_alice: Any, run: Run) -> None:
    address = f"/api/v1/snapshots/{run.snapshot_id}/"
    assert list(faults(as_alice.delete(f"{address}?cascde=true"))) == ["cascde"]
    sent = as_alice.generic("POST", "/api/v1/snapshots/?nmae=x", small_cluster(), "application/json")
    assert list(faults(sent)) == ["nmae"]


@pytest.mark.parametrize(
    "address",
    [
        "snapshots/?limit=1&cursor=&search=p&ordering=name&status=ready&format=json",
        "snapshots/{snapshot}/pods/?object=true&search=c&priority_min=0&node=node-1",
        "scenarios/?snapshot=1&driver=instant",
        "runs/{run}/state/?at=0&format=list",
        "runs/{run}/stops/?after=0&outcome=scheduled",
        "schema/?format=json",
    ],
)
def test_what_an_address_knows_it_takes(as_bob: Any, run: Run, address: str) -> None:
    assert ask(as_bob, address, run).status_code in (200, 409)


def test_who_is_not_signed_in_learns_nothing_of_parameters(as_nobody: Any) -> None:
    assert as_nobody.get("/api/v1/runs/?nonsense=1").status_code == 401


@pytest.mark.parametrize(
    ("address", "parameter", "words"),
    [
        ("snapshots/{snapshot}/pods/?search=" + "a+" * 11, "search", "at most 10 words, not 11"),
        ("snapshots/{snapshot}/nodes/?search=" + "a," * 11, "search", "at most 10 words, not 11"),
        ("snapshots/{snapshot}/workloads/?search=" + "a" * 201, "search", "at most 200 characters, not 201"),
        ("snapshots/?search=" + "a+" * 10_000, "search", "at most 200 characters"),
        ("scenarios/?search=" + "a+" * 1_100, "search", "at most 200 characters"),
        ("snapshots/{snapshot}/pods/?node=" + "a" * 1_001, "node", "at most 1000 characters"),
        ("snapshots/{snapshot}/pods/?name=" + "a" * 1_001, "name", "at most 1000 characters"),
        ("scenarios/?name=" + "a" * 1_001, "name", "at most 1000 characters"),
    ],
)
def test_a_search_or_filter_without_bounds_is_refused_by_name(
    as_bob: Any, run: Run, address: str, parameter: str, words: str
) -> None:
    assert words in faults(ask(as_bob, address, run))[parameter]


def test_the_largest_search_that_is_allowed_is_made(as_bob: Any, run: Run) -> None:
    answer = ask(as_bob, "snapshots/{snapshot}/pods/?search=" + "+".join(["cart"] * 10), run)
    assert answer.status_code == 200
    assert answer.json()["results"]
