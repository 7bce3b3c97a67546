"""Every recorded session of the real Volcano 1.16 is decided the same way."""

import json

import pytest

from recorded.decide import decide
from scheduler_core.volcano.equivalence.equivalence_cache import Kept
from tests.portions import VECTORS, recorded_cases

FAMILIES = sorted(path.name.split(".")[0] for path in (VECTORS / "volcano").glob("*.jsonl.gz"))


def test_the_families_of_the_scheduler_are_all_held_here():
    held = {"gang", "drf", "proportion", "preempt", "reclaim", "sessions", "config", "mixed"}
    assert held <= set(FAMILIES)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_is_decided_as_recorded(family, monkeypatch):
    """Each answer that is kept for tasks alike is held against the plugins' own on the way."""
    monkeypatch.setattr(Kept, "check_every", 1)
    for case in recorded_cases(f"volcano/{family}", "decided"):
        expect = case.pop("expect")
        answer = json.loads(json.dumps(decide(case)))
        for number, (recorded, got) in enumerate(zip(expect["sessions"], answer["sessions"], strict=False)):
            assert got == recorded, f"{case['id']}, session {number}"
        assert answer == expect, case["id"]
