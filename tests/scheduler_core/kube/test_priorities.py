"""Priority functions of the old schedulers where recorded cases do not reach."""

import pytest

from scheduler_core.kube.releases.priorities.node_priorities import _avoided_controllers


@pytest.mark.parametrize("text", ["[" * 100_000, "no JSON", "[]", '{"preferAvoidPods": 3}'])
def test_an_annotation_that_cannot_be_read_avoids_nobody(text: str) -> None:
    assert list(_avoided_controllers(text)) == []


def test_an_annotation_names_the_controllers_to_avoid() -> None:
    text = '{"preferAvoidPods": [{"podSignature": {"podController": {"uid": "u"}}}]}'
    assert list(_avoided_controllers(text)) == [{"uid": "u"}]
