"""Every recorded decision of the real kube-scheduler 1.36 is decided the same way."""

import gzip
import json
from pathlib import Path

import pytest

from recorded.decide import decide

VECTORS = Path(__file__).parents[2] / "vectors" / "kube"
FAMILIES = sorted(path.name.split(".")[0] for path in VECTORS.glob("*.jsonl.gz"))


def read_cases(family):
    with gzip.open(VECTORS / f"{family}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_the_families_of_the_first_profile_are_all_held_here():
    held = {"resources", "taints", "nodeaffinity", "preempt", "pdb", "nominated", "gates", "queue", "timed"}
    assert held <= set(FAMILIES)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_is_decided_as_recorded(family):
    for case in read_cases(family):
        expect = case.pop("expect")
        answer = json.loads(json.dumps(decide(case)))
        key = "steps" if "steps" in expect else "cycles"
        for number, (recorded, got) in enumerate(zip(expect[key], answer[key], strict=False)):
            assert got == recorded, f"{case['id']}, {key} {number}"
        assert answer == expect, case["id"]
