"""Pods are found by name and by controller, whoever came, changed or was taken back."""

from scheduler_core.objects.types import Pod, convert
from scheduler_core.state.pod_index import PodIndex
from tests.scheduler_core.clusters import pod


def owned(name, by=None):
    return convert(pod(name, owner=by), Pod)


def test_of_one_name_the_last_pod_counts_that_is_there():
    index = PodIndex()
    for row, name in enumerate(["x", "y", "x", "x"]):
        index.add(row, name, owned(name))
    assert index.named([]) == {"x": 3, "y": 1}
    assert index.named([(3, "x"), (1, "y")]) == {"x": 2}
    assert index.named([(0, "x"), (2, "x"), (3, "x")]) == {"y": 1}
    index.remove_last(3, "x", owned("x"))
    assert index.named([]) == {"x": 2, "y": 1}


def test_a_controller_has_its_pods_in_their_order():
    index = PodIndex()
    for row, by in enumerate(["a", None, "a", "b"]):
        index.add(row, str(row), owned(str(row), by))
    index.replace(2, owned("2", "a"), owned("2", "b"))
    assert (index.controlled("a"), index.controlled("b"), index.controlled("c")) == ([0], [2, 3], [])
    index.replace(2, owned("2", "b"), owned("2"))
    index.remove_last(3, "3", owned("3", "b"))
    assert (index.controlled("a"), index.controlled("b")) == ([0], [])
