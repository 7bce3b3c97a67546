"""Feature gates: those that change a decision are played or refused, never passed over."""

import pytest

from scheduler_core.kube.gates import DEFAULT_GATES, Gates, read_gates
from scheduler_core.objects.problems import BadInput


def test_without_gates_a_play_has_those_of_the_scheduler():
    assert read_gates(None) == read_gates({}) == DEFAULT_GATES == Gates(compares_taints=False)
    assert read_gates({"TaintTolerationComparisonOperators": True}) == Gates(compares_taints=True)


@pytest.mark.parametrize(
    ("gates", "said"),
    [
        ({"GenericWorkload": True}, "GenericWorkload: is not supported yet"),
        (
            {"TaintTolerationComparisonOperators": "yes"},
            "TaintTolerationComparisonOperators: must be true or false",
        ),
    ],
)
def test_other_gates_are_refused_by_name(gates, said):
    with pytest.raises(BadInput, match=said):
        read_gates(gates)
