"""Every recorded decision of the real kube-scheduler 1.36 is decided the same way."""

import json

import pytest

from recorded.decide import decide
from tests.portions import VECTORS, recorded_cases

FAMILIES = sorted(path.name.split(".")[0] for path in (VECTORS / "kube").glob("*.jsonl.gz"))


def test_the_families_of_the_first_profile_are_all_held_here():
    held = {"resources", "taints", "nodeaffinity", "preempt", "pdb", "nominated", "gates", "queue", "timed"}
    assert held <= set(FAMILIES)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_is_decided_as_recorded(family):
    for case in recorded_cases(f"kube/{family}", "decided"):
        expect = case.pop("expect")
        answer = json.loads(json.dumps(decide(case)))
        key = "steps" if "steps" in expect else "cycles"
        for number, (recorded, got) in enumerate(zip(expect.get(key, ()), answer.get(key, ()), strict=False)):
            assert got == recorded, f"{case['id']}, {key} {number}"
        assert answer == expect, case["id"]
