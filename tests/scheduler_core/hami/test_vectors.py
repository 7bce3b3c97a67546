"""Recorded cycles of the real HAMi 2.10 are decided the same way.

The cases of each family that are held here show together nearly all of its steps, outcomes, reasons, patches
and annotations.
"""

import gzip
import json
from pathlib import Path

import pytest

from recorded.decide import decide

VECTORS = Path(__file__).parents[2] / "vectors" / "hami"
FAMILIES = sorted(path.name.split(".")[0] for path in VECTORS.glob("*.jsonl.gz"))


def read_cases(family):
    with gzip.open(VECTORS / f"{family}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_every_family_is_held_here():
    assert len(FAMILIES) == 21


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_is_decided_as_recorded(family):
    for case in read_cases(family):
        expect = case.pop("expect")
        answer = json.loads(json.dumps(decide(case)))
        for number, (recorded, got) in enumerate(zip(expect["cycles"], answer["cycles"], strict=True)):
            assert got == recorded, f"{case['id']}, cycle {number}"
        assert answer == expect, case["id"]


def test_a_step_that_does_not_exist_is_refused_by_name():
    case = read_cases("biren")[0] | {"steps": [{"op": "explode"}]}
    with pytest.raises(Exception, match=r"case: steps\.op: no step is called 'explode'"):
        decide(case)
