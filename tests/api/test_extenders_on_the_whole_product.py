"""A recorded case with extenders, through REST, real workers and the stored log, asked over real HTTP."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.dashboard.test_extender_runs import cases
from tests.extender_server import extender, from_tables
from tests.fixtures.database import whichever_database
from tests.fixtures.stack import wait_until

pytestmark = [pytest.mark.stack, whichever_database]

API = "/api/v1"


def test_extenders_are_asked_by_the_worker_only_where_the_environment_allows_it(
    start_stack: Callable[..., Any],
) -> None:
    case = next(case for case in cases() if len(case["extenders"]) > 1)
    with extender(from_tables(case)) as server:
        for number, one in enumerate(case["config"]["extenders"]):
            one["urlPrefix"] = f"{server.url}/{number}"
            one["httpTimeout"] = "10s"
        with start_stack(SANDTABLE_EXTENDERS=f"{server.url}/0,{server.url}/1,{server.url}/2") as stack:
            status, snapshot = stack.request("POST", f"{API}/snapshots/", case["cluster"])
            assert status == 201, snapshot
            scenario = {
                "name": "asked",
                "snapshot": snapshot["id"],
                "scheduler": {"profile": "kube-1.36", "config": case["config"]},
                "controllers": "none",
            }
            status, made = stack.request("POST", f"{API}/scenarios/", scenario)
            assert status == 201, made
            started = {"scenario": made["id"], "schedule": case["schedule"]}
            status, run = stack.request("POST", f"{API}/runs/", started)
            assert status == 202, run
            url = f"{API}/runs/{run['id']}"
            wait_until(lambda: stack.request("GET", f"{url}/")[1]["status"] == "finished")
            log = stack.request("GET", f"{url}/decisions/")[1]["results"]
            cycles = case["expect"]["cycles"]
            assert [row["chosen"] for row in log] == [cycle["chosen"] for cycle in cycles]
            asked = len(server.asked)
            assert asked == sum(len(row.get("exchanges", ())) for row in log) > 0
            whole = stack.request("GET", f"{url}/decisions/1/")[1]
            assert [call["verb"] for call in whole["extenders"]] == [
                call["verb"] for call in cycles[0]["extender_calls"]
            ]
            assert len(server.asked) == asked, "an explanation asks nobody"

            case["config"]["extenders"][0]["urlPrefix"] = "http://169.254.169.254/latest"
            status, refused = stack.request("POST", f"{API}/scenarios/", scenario)
            assert status == 400
            assert "extenders[0].urlPrefix" in str(refused)
