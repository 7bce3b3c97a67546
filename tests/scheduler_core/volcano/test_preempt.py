"""preempt at the edges of its comparisons: pods that terminate on the node that was nominated."""

from types import SimpleNamespace

import pytest

from scheduler_core.volcano.actions import preempt

CONDITION = {"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler"}
TERMINATING = "not eligible due to a terminating pod caused by preemption on the nominated node"


def going(priority, *, deleted="2026-05-01T00:00:00Z", **changed):
    """A task on the nominated node, terminating since a preemption took it, as far as nothing is changed."""
    condition = SimpleNamespace(**{**CONDITION, **changed})
    pod = SimpleNamespace(
        metadata=SimpleNamespace(deletion_timestamp=deleted),
        spec=SimpleNamespace(priority=priority),
        status=SimpleNamespace(conditions=[SimpleNamespace(type="Ready", status="True"), condition]),
    )
    return SimpleNamespace(pod=pod)


def reason(*others, priority=5, nominated="n1", refused=True, policy=False):
    """Why a task of this priority, nominated to a node with these others, may not preempt."""
    table = SimpleNamespace(
        all=[0], row={"n1": 0}, tasks=[{number: (one, None) for number, one in enumerate(others)}]
    )
    session = SimpleNamespace(nodes=table, predicate=lambda task, rows: {0: ["no"]} if refused else {})
    action = preempt._Preempt.__new__(preempt._Preempt)
    action.session = session
    spec = SimpleNamespace(priority=priority)
    return action._not_eligible(
        SimpleNamespace(never_preempts=policy, nominated=nominated, pod=SimpleNamespace(spec=spec))
    )


@pytest.fixture(autouse=True)
def resolvable(monkeypatch):
    """What the nominated node lacks, evictions could give."""
    monkeypatch.setattr(preempt, "unresolvable", lambda reasons: False)


@pytest.mark.parametrize(("priority", "said"), [(4, TERMINATING), (5, None), (6, None), (None, TERMINATING)])
def test_only_a_terminating_pod_of_lower_priority_is_waited_for(priority, said):
    """preempt.go podEligibleToPreemptOthers: `PodPriority(p.Pod) < podPriority`."""
    assert reason(going(priority)) == said
    assert reason(going(9), going(priority)) == said


def test_a_preemptor_without_a_priority_has_that_of_zero():
    assert reason(going(-1), priority=None) == TERMINATING
    assert reason(going(0), priority=None) is None


@pytest.mark.parametrize(
    "changed", [{"deleted": None}, {"status": "False"}, {"reason": "Deleted"}, {"type": "Ready"}]
)
def test_a_pod_that_goes_for_another_reason_is_not_waited_for(changed):
    """preempt.go podTerminatingByPreemption."""
    assert reason(going(1, **changed)) is None


def test_a_pod_without_conditions_is_not_waited_for():
    bare = going(1)
    bare.pod.status.conditions = None
    assert reason(bare) is None


def test_why_else_a_task_may_not_preempt():
    """preempt.go podEligibleToPreemptOthers: the policy, a node that is gone, one that fits by now."""
    assert reason(policy=True) == "not eligible to preempt other tasks due to preemptionPolicy is Never"
    assert reason(going(1), nominated="") is None
    gone = "not eligible due to the pod's nominated node is not found in the session"
    assert reason(nominated="n2") == gone
    fits = "not eligible due to the pod's nominated node is already schedulable, which should not "
    assert reason(refused=False) == f"{fits}happen as preemption means no node is schedulable"


def test_where_no_eviction_could_help_on_the_nominated_node_the_task_may_preempt_elsewhere(monkeypatch):
    monkeypatch.setattr(preempt, "unresolvable", lambda reasons: True)
    assert reason(going(1)) is None
