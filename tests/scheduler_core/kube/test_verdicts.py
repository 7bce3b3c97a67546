"""What Filter said of each node, and what others said after it."""

from typing import Any, cast

import numpy as np
import pytest

from scheduler_core.events.decisions import Status
from scheduler_core.kube.verdicts import Verdicts


class _Cycle:
    def status(self, plugin: Any, code: int) -> Status:
        return Status(plugin, "Unschedulable", [f"reason {code}"])


def verdicts() -> Verdicts:
    """Of five nodes 0 and 1 are rejected."""
    made = Verdicts(cast(Any, _Cycle()), cast(Any, ["Fit", "Taints"]), 5)
    made.set_fits(np.arange(5))
    made.set_rejected(np.array([0]), 0, np.array([1]))
    made.set_rejected(np.array([1]), 1, np.array([1]))
    return made


@pytest.mark.parametrize("refused", [[[3], [2, 4]], [[1, 3]], [[0], [3]]], ids=str)
def test_rejections_of_who_is_no_plugin_count_beside_those_of_plugins(refused: list[list[int]]) -> None:
    """Also of a node that a plugin has rejected before, which then counts once."""
    groups = [(Status("url", "Unschedulable", [f"no {nodes[0]}"]), np.array(nodes)) for nodes in refused]
    before = verdicts()
    before.rejections()
    after = before.overruled(groups)
    counted = {(one.plugin, *one.reasons): one.nodes for one in after.rejections()}
    assert counted == {(status.plugin, *status.reasons): len(nodes) for status, nodes in after.groups()}
    assert sum(counted.values()) == len({0, 1, *(node for nodes in refused for node in nodes)})
    assert [one.nodes for one in before.rejections()] == [1, 1]


def test_rejections_are_counted_anew_once_something_has_changed() -> None:
    made = verdicts()
    assert sum(one.nodes for one in made.rejections()) == 2
    made.set_rejected(np.array([2]), 0, np.array([1]))
    assert sum(one.nodes for one in made.rejections()) == 3
    made.forget_all_but(np.array([2]))
    assert sum(one.nodes for one in made.rejections()) == 1
    made.take(verdicts(), np.array([2]))
    assert made.rejections() == []
