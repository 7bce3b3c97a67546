"""What an answer says of a queue that an edit changed: its pods at the end, and whether anything differs."""

from typing import Any

import yaml

from samples.volcano.sample import volcano_files, volcano_scenarios
from tests.dashboard.answers.test_of_run import answer, said


def answered(**fields: Any) -> list[str]:
    """Return the answer of the sample in which queue prod, of weight three, reclaims its share."""
    [(_, content)] = volcano_files("queues")
    [scenario] = volcano_scenarios("queues")
    settings = {name: scenario[name] for name in ("profile", "controllers", "config")}
    return said(answer(list(yaml.safe_load_all(content)), {"op": "set-queue", **fields}, **settings))


def test_a_weight_that_changes_nothing_says_what_the_queue_asks_for_and_has() -> None:
    lead, *lines = answered(name="default", weight=2)
    assert lead.startswith("Queue default: weight 1 → 2: no effect, no pod group of default asks for a pod")
    assert "Queue default: weight 1 → 2: no effect, no pod group of default asks for a pod." in lines


def test_a_queue_that_lacks_pods_gains_nothing_by_a_weight_alone() -> None:
    assert answered(name="prod", weight=4)[0] == (
        "Queue prod: weight 3 → 4: no effect, prod asks for 8 pods and has 6; "
        "nothing more is pending because of it."
    )


def test_a_queue_that_may_not_be_reclaimed_from_keeps_its_pods() -> None:
    assert answered(name="research", reclaimable=False)[0] == (
        "Queue research: reclaimable yes → no: research asks for 16 pods and has 16, "
        "6 more than without it; 6 more pods are pending because of it."
    )
