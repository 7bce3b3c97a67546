"""What becomes of a whole cluster, as a real control plane of Kubernetes 1.36.1 made it become."""

import gzip
import json
from pathlib import Path

import pytest

from recorded.cluster_cases import expected, play
from scheduler_core.objects.privacy import withhold_private

VECTORS = Path(__file__).parents[2] / "vectors" / "cluster"
CASES = {
    case["id"]: case
    for path in sorted(VECTORS.glob("*.jsonl.gz"))
    for case in map(json.loads, gzip.decompress(path.read_bytes()).splitlines())
}


def test_all_recorded_cases_are_there():
    assert len(CASES) == 107


def stored(case):
    """The same case of what an import and a scenario keep of its objects."""
    before = {"items": withhold_private(case["before"]["items"])[0]}
    actions = [
        {**action, "objects": withhold_private(action["objects"])[0]} if "objects" in action else action
        for action in case["actions"]
    ]
    return {**case, "before": before, "actions": actions}


@pytest.mark.parametrize("name", CASES)
def test_a_cluster_becomes_what_the_real_one_became(name):
    assert play(stored(CASES[name])) == expected(CASES[name])
