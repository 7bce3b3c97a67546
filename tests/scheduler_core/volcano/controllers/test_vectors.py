"""Every recorded step of the real Volcano 1.16's controllers comes to the same."""

import gzip
import json
from pathlib import Path

import pytest

from recorded.decide import decide
from recorded.volcano.controller_cases import FAMILIES

VECTORS = Path(__file__).parents[3] / "vectors" / "volcano" / "controllers"


def read_cases(family):
    with gzip.open(VECTORS / f"{family}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_every_family_of_controllers_is_held_here():
    assert {path.name.split(".")[0] for path in VECTORS.glob("*.jsonl.gz")} == FAMILIES


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_a_family_is_decided_as_recorded(family):
    for case in read_cases(family):
        expect = case.pop("expect")
        answer = json.loads(json.dumps(decide(case)))
        for number, (recorded, got) in enumerate(zip(expect["steps"], answer["steps"], strict=True)):
            assert got == recorded, f"{case['id']}, step {number}"
        assert answer == expect, case["id"]


def test_a_case_is_played_alike_again():
    case = read_cases("job_controller")[7]
    assert decide(case) == decide(case)
