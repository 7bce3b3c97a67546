"""What TaintToleration listens to, and which changes of nodes and pods may help a pod that it rejected."""

from types import SimpleNamespace

import numpy as np
import pytest

from scheduler_core.kube.plugins.taint_toleration import TaintToleration, _interests
from scheduler_core.kube.queueing.cluster_event import NODE, POD, Action, ClusterEvent
from scheduler_core.objects.types import Node, Pod, convert
from scheduler_core.state.build import build_state

VIEW = build_state([]).state
BELOW = {"key": "load", "operator": "Lt", "value": "5", "effect": "NoSchedule"}


def node(*taints):
    return convert({"metadata": {"name": "n"}, "spec": {"taints": list(taints)}}, Node)


def taint(key="a", value=None, effect="NoSchedule"):
    return {"key": key, "value": value, "effect": effect}


def pod(uid="p", *tolerations):
    metadata = {"name": uid, "namespace": "default", "uid": uid}
    return convert({"metadata": metadata, "spec": {"tolerations": list(tolerations)}}, Pod)


def node_hint(*, comparing=True):
    return _interests(comparing=comparing)[0].hint


def test_it_listens_to_nodes_that_come_or_have_other_taints_and_to_tolerations():
    of_node, of_pod = _interests(comparing=False)
    assert of_node.event == ClusterEvent(NODE, Action.ADD | Action.UPDATE_NODE_TAINT)
    assert of_pod.event == ClusterEvent(POD, Action.UPDATE_POD_TOLERATION)
    assert of_node.yes == "the pod tolerates the node's taints now, and did not before"
    assert of_node.no == "the pod does not tolerate the node's taints, or did so before"
    assert of_pod.yes == "the pod itself has other tolerations now"
    assert of_pod.no == "it is another pod's tolerations that changed"


@pytest.mark.parametrize(
    ("old", "new", "helps"),
    [
        (None, node(), True),
        (None, node(taint()), False),
        (node(taint()), node(), True),
        (node(taint()), node(taint(effect="PreferNoSchedule")), True),
        (node(taint()), node(taint(effect="NoExecute")), False),
        (node(taint("b")), node(taint()), False),
        (node(), node(), False),
        (node(taint(effect="PreferNoSchedule")), node(), False),
        (node(), node(taint()), False),
        (node(taint()), node(taint("ok"), taint()), False),
    ],
)
def test_a_node_helps_that_the_pod_tolerates_now_and_did_not_before(old, new, helps):
    """taint_toleration.go isSchedulableAfterNodeChange."""
    tolerating = pod("p", {"key": "ok", "operator": "Exists"})
    assert node_hint()(tolerating, old, new, VIEW) is helps


@pytest.mark.parametrize(
    ("value", "comparing", "helps"), [("3", True, True), ("7", True, False), ("3", False, False)]
)
def test_comparisons_count_where_the_gate_is_on(value, comparing, helps):
    """Gate TaintTolerationComparisonOperators."""
    hint = node_hint(comparing=comparing)
    assert hint(pod("p", BELOW), None, node(taint("load", value)), VIEW) is helps
    assert hint(pod("p", BELOW), node(taint("load", value)), node(), VIEW) is not helps


def test_the_gate_of_the_plugin_is_the_gate_of_its_hints():
    class Gated(TaintToleration):
        def __init__(self, compares):
            self.gates = type("Gates", (), {"compares_taints": compares})

    for compares in (True, False):
        hint = Gated(compares).listens_to()[0].hint
        assert hint(pod("p", BELOW), None, node(taint("load", "3")), VIEW) is compares


def test_only_the_pods_own_tolerations_help_it():
    hint = _interests(comparing=True)[1].hint
    assert hint(pod("p"), pod("p"), pod("p", BELOW), VIEW)
    assert not hint(pod("p"), pod("q"), pod("q", BELOW), VIEW)


def test_nodes_are_told_with_the_first_taint_that_the_pod_does_not_tolerate():
    dedicated = [taint("gpu", "yes"), taint("batch", "night", "NoExecute")]
    nodes = [("n1", dedicated), ("n2", []), ("n3", dedicated[1:])]
    objects = [
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "spec": {"taints": taints}}
        for name, taints in nodes
    ]
    state = build_state(objects).state
    tolerant = pod("p", {"key": "gpu", "operator": "Equal", "value": "yes", "effect": "NoSchedule"})
    view = SimpleNamespace(cluster=state, cycle=SimpleNamespace(pod=SimpleNamespace(pod=tolerant)))
    plugin = TaintToleration.__new__(TaintToleration)
    plugin.gates = SimpleNamespace(compares_taints=True)
    assert plugin.particulars(view, np.array([0, 1, 2])) == ["batch=night:NoExecute"] * 2
    view.cycle.pod.pod = pod()
    assert plugin.particulars(view, np.array([2, 0])) == ["batch=night:NoExecute", "gpu=yes:NoSchedule"]
