"""HAMi's recorded cases, imported, run and read over REST, come out as recorded.

A case of each family by default, all that are held here with

    EVERY_CASE=1 .venv/bin/python -m pytest tests/api/test_hami_vectors.py
"""

from functools import partial
from typing import Any

import pytest

from tests.api.playing import played
from tests.api.recorded_cards import FAMILIES, Case, assert_same, cases_of, cluster_of, scenario_of
from tests.portions import portion

ONE_IN = 100


@pytest.mark.parametrize("family", FAMILIES)
def test_a_case_through_rest_and_the_task_is_decided_as_recorded(
    family: str, as_alice: Any, settings: Any
) -> None:
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    for case in portion(cases_of(family), ONE_IN):
        url = played(as_alice, cluster_of(case), partial(scenario_of, case))
        run = as_alice.get(f"{url}/").json()
        assert run["status"] == "finished", (case["id"], run["error"])
        log = as_alice.get(f"{url}/decisions/", {"limit": 1000}).json()["results"]
        base = as_alice.get(f"{url}/state/", {"at": 0}).json()
        assert_same(case, base, log, as_alice.get(f"{url}/state/").json())
        explain(as_alice, url, case, log)


def explain(client: Any, url: str, case: Case, log: Any) -> None:
    """The explanation of a decision gives every node's reason and score as recorded."""
    cycles = {cycle["pod"]: cycle for cycle in case["cycles"]}
    for row in log[:1]:
        cycle = cycles[f"{row['pod']['namespace']}/{row['pod']['name']}"]
        for node, reason in (cycle.get("failed") or {}).items():
            assert (
                client.get(f"{url}/decisions/{row['seq']}/nodes/{node}/").json()["cards"]["reason"] == reason
            )
        for node, score in (cycle.get("node_scores") or {}).items():
            cards = client.get(f"{url}/decisions/{row['seq']}/nodes/{node}/").json()["cards"]
            assert cards["score"] == pytest.approx(score, abs=1e-6)
