"""Go's sort and Go's logarithm, against what Go itself answered."""

import gzip
import json
import struct
from pathlib import Path

from scheduler_core.go.arithmetic import go_log
from scheduler_core.go.sort import go_sort

VECTORS = Path(__file__).parents[2] / "vectors"


def test_equal_elements_end_in_the_order_in_which_go_leaves_them():
    cases = json.loads(gzip.decompress((VECTORS / "go_sort.json.gz").read_bytes()))
    assert any(len(case["keys"]) > 50 for case in cases)
    for case in cases:
        keys, order = case["keys"], list(range(len(case["keys"])))
        go_sort(order, lambda left, right, keys=keys: keys[left] < keys[right])
        assert order == case["order"]


def test_a_relation_that_says_yes_to_everything_reverses_a_short_list():
    pods = [1, 2, 3, 4]
    go_sort(pods, lambda left, right: True)
    assert pods == [4, 3, 2, 1]


def test_the_logarithm_is_gos_to_the_last_bit():
    recorded = json.loads((VECTORS / "go_log.json").read_text())["log"]
    assert len(recorded) > 500
    for number, bits in recorded.items():
        assert struct.pack(">d", go_log(float(number))).hex() == bits, number
