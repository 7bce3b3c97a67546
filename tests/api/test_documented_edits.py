"""docs/rest.md tells the edits as the OpenAPI document does, and its examples can be played."""

import json
import re
from pathlib import Path
from typing import Any

from api.engine_schemas import engine_schemas
from scheduler_core.world.edits.operations import OPERATIONS
from tests.dashboard.rows import listing, node, pod
from tests.scheduler_core.hami.cards import json_cards

DOCUMENTATION = Path(__file__).parents[2] / "docs" / "rest.md"
ROW = re.compile(r"^\| `([a-z-]+)` \| (`[^|\[]*)?(\[[^|]*\])? \|", re.MULTILINE)
OF_ALL = {"op", "at", "enabled"}
WEB = {
    "apiVersion": "apps/v1", "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "shop", "uid": "uid-web"},
    "spec": {
        "replicas": 0, "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {"containers": [{"name": "main", "image": "web:1"}]},
        },
    },
}  # fmt: skip

QUEUE = {
    "apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue", "metadata": {"name": "research"},
    "spec": {"weight": 1}, "status": {"state": "Open"},
}  # fmt: skip


def with_cards(name: str) -> Any:
    """A node that registers two cards with HAMi."""
    made, cards = node(name), json_cards(2, "GPU", "NVIDIA A100")
    made["metadata"]["annotations"] = {"hami.io/node-nvidia-register": json.dumps(cards)}
    return made


def section() -> str:
    """What the documentation says of edits."""
    return DOCUMENTATION.read_text().partition("\n### Edits\n")[2].partition("\n## ")[0]


def example() -> list[dict[str, Any]]:
    """Its example, which has one of each."""
    edits: list[dict[str, Any]] = json.loads(section().partition("```json")[2].partition("```")[0])
    return edits


def names_in(text: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", text))


def test_every_edit_is_documented_with_the_fields_that_it_must_and_may_have() -> None:
    parts = engine_schemas()
    described = {}
    for op, address in parts["Edit"]["discriminator"]["mapping"].items():
        edit = parts[address.rpartition("/")[2]]
        must = set(edit["required"]) - OF_ALL
        described[op] = (must, set(edit["properties"]) - must - OF_ALL)
    documented = {op: (names_in(must), names_in(may)) for op, must, may in ROW.findall(section())}
    assert documented == described


def test_the_example_has_one_of_each_edit_and_all_of_them_work(as_alice: Any) -> None:
    cluster = listing(
        with_cards("node-7"), pod("cart-1", node="node-7"), pod("cart-2", node="node-7"), WEB, QUEUE
    )
    sent = as_alice.generic("POST", "/api/v1/snapshots/", cluster, content_type="application/json").json()
    body = {"snapshot": sent["id"], "driver": "timed", "edits": example()}
    answer = as_alice.post("/api/v1/scenarios/validate/", body, format="json").json()
    assert answer["problems"] == []
    assert {edit["op"] for edit in example()} == set(OPERATIONS)
    played = [edit for edit in example() if edit.get("enabled", True)]
    assert [edit["op"] for edit in answer["edits"]] == [edit["op"] for edit in played]
