"""What becomes of a whole cluster, as a real control plane of Kubernetes 1.36.1 made it become."""

import gzip
import json
from pathlib import Path

import pytest

from recorded.cluster_cases import expected, play
from scheduler_core.objects.problems import BadInput

VECTORS = Path(__file__).parents[2] / "vectors" / "cluster"
CASES = {
    case["id"]: case
    for path in sorted(VECTORS.glob("*.jsonl.gz"))
    for case in map(json.loads, gzip.decompress(path.read_bytes()).splitlines())
}
NOT_PLAYED = {
    "not-ready/moves": "nobody ends the pods of an unreachable node",
    "not-ready/statefulset": "nobody ends the pods of an unreachable node",
}
"""What no controller of a run does yet."""


def test_all_recorded_cases_are_there():
    assert len(CASES) == 62
    assert CASES.keys() >= NOT_PLAYED.keys()


@pytest.mark.parametrize("name", [name for name in CASES if name not in NOT_PLAYED])
def test_a_cluster_becomes_what_the_real_one_became(name):
    assert play(CASES[name]) == expected(CASES[name])


@pytest.mark.parametrize("name", NOT_PLAYED)
def test_what_is_not_played_comes_out_otherwise(name):
    try:
        outcome = play(CASES[name])
    except BadInput:
        return
    assert outcome != expected(CASES[name])
