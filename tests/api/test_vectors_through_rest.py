"""Recorded cases, imported, run and read over REST, give what `decide` gives.

Most run in this process, by the Celery task itself; of one family some run on the whole product, with its
real broker, workers and web server.
"""

from functools import partial
from typing import Any

import pytest

from tests.api.playing import played
from tests.api.recorded import FAMILIES, OF_RELEASES, Case, assert_same, cases_of, scenario_of
from tests.api.recorded_gangs import assert_same_gangs
from tests.fixtures.stack import Stack, wait_until
from tests.portions import portion

API = "/api/v1"
THROUGH_WORKERS = "preempt"


def in_process(client: Any, case: Case) -> str:
    """Play a case by the Celery task, and return the run's address."""
    return played(client, case["cluster"], partial(scenario_of, case), schedule=case["schedule"])


@pytest.mark.parametrize("family", [*FAMILIES, *OF_RELEASES])
def test_a_case_through_rest_and_the_task_is_decided_as_decide_does(
    family: str, as_alice: Any, settings: Any
) -> None:
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    for case in cases_of(family, "rest"):
        url = in_process(as_alice, case)
        run = as_alice.get(f"{url}/").json()
        assert run["status"] == "finished", (case["id"], run["error"])
        log = as_alice.get(f"{url}/decisions/").json()["results"]
        assert run["decisions"] == len(log)
        base = as_alice.get(f"{url}/state/", {"at": 0}).json()
        assert_same(case, base, log, as_alice.get(f"{url}/state/").json())


def test_gangs_through_rest_and_the_task_are_decided_as_decide_does(as_alice: Any, settings: Any) -> None:
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    for case in cases_of("gangs", "rest"):
        url = in_process(as_alice, case)
        run = as_alice.get(f"{url}/").json()
        assert run["status"] == "finished", (case["id"], run["error"])
        assert_same_gangs(case, as_alice.get(f"{url}/decisions/").json()["results"])


@pytest.mark.parametrize("family", [*FAMILIES, *OF_RELEASES])
def test_one_decision_read_whole_is_the_recorded_cycle(family: str, as_alice: Any, settings: Any) -> None:
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    case = max(cases_of(family), key=lambda case: len(case["expect"]["cycles"]))
    url = in_process(as_alice, case)
    for seq, cycle in enumerate(case["expect"]["cycles"], start=1):
        whole = as_alice.get(f"{url}/decisions/{seq}/").json()
        assert whole["outcome"] == cycle["result"]
        scores = {node: row["plugins"] | {"total": row["total"]} for node, row in whole["scores"].items()}
        assert scores == cycle["scores"]
        for name in (
            "filter",
            "prefilter_nodes",
            "best",
            "chosen",
            "message",
            "attempt",
            "profile",
            "nominated_before",
            "nominated_after",
        ):
            assert whole[name] == cycle[name], (case["id"], seq)


def test_a_family_through_the_whole_product_is_decided_as_decide_does(live_stack: Stack) -> None:
    started: list[tuple[Case, int]] = []
    for case in portion(cases_of(THROUGH_WORKERS), 3):
        snapshot = _sent(live_stack, f"{API}/snapshots/", case["cluster"], 201)
        scenario = _sent(live_stack, f"{API}/scenarios/", scenario_of(case, snapshot["id"]), 201)
        body = {"scenario": scenario["id"], "schedule": case["schedule"]}
        started.append((case, _sent(live_stack, f"{API}/runs/", body, 202)["id"]))
    for case, number in started:
        url = f"{API}/runs/{number}"
        wait_until(lambda url=url: _read(live_stack, f"{url}/")["status"] not in ("queued", "running"))
        run = _read(live_stack, f"{url}/")
        assert run["status"] == "finished", (case["id"], run["error"])
        log = _read(live_stack, f"{url}/decisions/")["results"]
        assert_same(case, _read(live_stack, f"{url}/state/?at=0"), log, _read(live_stack, f"{url}/state/"))


def _sent(stack: Stack, path: str, body: Any, expected: int) -> dict[str, Any]:
    status, answer = stack.request("POST", path, body, who="alice")
    assert status == expected, answer
    return dict(answer)


def _read(stack: Stack, path: str) -> dict[str, Any]:
    status, answer = stack.request("GET", path, who="alice")
    assert status == 200, answer
    return dict(answer)
