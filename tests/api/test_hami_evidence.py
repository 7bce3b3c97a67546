"""What REST adds to a decision of HAMi's: the webhook's review, nodes in short, what pods ask of cards."""

from functools import partial
from typing import Any

import jsonschema
import pytest

from tests.api.playing import API, played
from tests.api.recorded_cards import cluster_of, scenario_of
from tests.api.serving import asking, machine

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def url(as_alice: Any, settings: Any) -> str:
    """The address of a finished run of two nodes and two pods, of which the second fits nowhere."""
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    items = [machine("a"), machine("b"), asking("p"), asking("huge", memory=10**6)]
    cycles = []
    for pod in items[2:]:
        pod["spec"]["schedulerName"] = "default-scheduler"
        cycles.append({"pod": f"default/{pod['metadata']['name']}"})
    case = {"id": "evidence", "cluster": {"items": items}, "config": {}, "cycles": cycles}
    return played(as_alice, cluster_of(case), partial(scenario_of, case))


def test_a_decision_has_the_webhooks_review_as_the_schema_says(as_alice: Any, url: str) -> None:
    whole = as_alice.get(f"{url}/decisions/1/").json()
    review = whole["webhook"]
    assert review["request"]["request"]["object"]["spec"]["schedulerName"] == "default-scheduler"
    assert [one["path"] for one in review["patch"]] == ["/spec/schedulerName"]
    schema = as_alice.get(f"{API}/explanations/schema/").json()
    reviews = {"$schema": schema["$schema"], "$defs": schema["$defs"], "$ref": "#/$defs/WebhookReview"}
    jsonschema.validate(review, reviews)


def test_nodes_have_what_hami_says_of_them_only_if_it_is_asked_for(as_alice: Any, url: str) -> None:
    address = f"{url}/decisions/2/nodes/"
    assert [row["cards"] for row in as_alice.get(address).json()["results"]] == [None, None]
    rows = as_alice.get(address, {"cards": "true"}).json()["results"]
    assert [row["cards"]["reason"] for row in rows] == 2 * ["2/2 CardInsufficientMemory"]
    assert [list(row["cards"]["refused"]) for row in rows] == 2 * [["CardInsufficientMemory"]]
    refused = as_alice.get(address, {"cards": "perhaps"})
    assert refused.status_code == 400
    assert "true, false" in refused.content.decode()


def test_what_pods_ask_of_cards_is_told_once_a_run(as_alice: Any, url: str) -> None:
    shapes = as_alice.get(f"{url}/card-shapes/").json()["results"]
    assert [(one["vendor"], one["number"], one["memory"], len(one["pods"])) for one in shapes] == [
        ("NVIDIA", 1, 4000, 1),
        ("NVIDIA", 1, 10**6, 1),
    ]
