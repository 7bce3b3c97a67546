"""preempt at the edges of its comparisons, and what it says of each try."""

from types import SimpleNamespace

import pytest

from scheduler_core.events.sessions import Gang, Placement
from scheduler_core.volcano.actions import preempt
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.simulation import Simulation
from tests.scheduler_core.volcano.small_sessions import configuration, group, node, pod, queue

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


def with_priority(value, one):
    one["spec"]["priority"] = value
    return one


def told():
    """What preempt says where a gang of four and one pod want what a job of lower priority holds."""
    held = [
        with_priority(1, pod(f"h{number}", "holds", on, {"cpu": "1"}))
        for number, on in enumerate(["n1", "n1", "n2"])
    ]
    gang = [with_priority(9, pod(f"g{number}", "gang", None, {"cpu": "2"})) for number in range(4)]
    wants = with_priority(9, pod("w0", "wants", None, {"cpu": "1"}))
    urgent = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "urgent"}}
    asking = [group(name, least, priorityClassName="urgent") for name, least in (("wants", 1), ("gang", 4))]
    nodes = [node("n1", cpu="2"), node("n2", cpu="1")]
    around = [queue("research"), *nodes, urgent | {"value": 9}, group("holds", 1, "Running"), *asking]
    objects = [*around, *held, wants, *gang]
    plugins = ("predicates", "drf", "nodeorder")
    config = configuration("enqueue, allocate, preempt", plugins)
    run = Simulation(RunInput(objects=objects, profile="volcano-1.16", config=config))
    return [one for one in run if isinstance(one, Placement | Gang) and one.action == "preempt"]


def names(pods):
    return [one.name for one in pods]


def test_each_try_says_its_node_its_victims_and_whether_its_job_keeps_them():
    g0, g1, g2, g3, gang, w0, wants, *_ = told()
    assert [one.outcome for one in (g0, gang, w0, wants)] == [
        "pipelined", "discarded", "pipelined", "committed",
    ]  # fmt: skip
    assert (g0.pod.name, g0.node, names(g0.victims)) == ("g0", "n1", ["h1", "h0"])
    assert [answer.plugin for answer in g0.tiers[0]] == ["priority", "gang", "conformance"]
    assert [(one.pod.name, one.outcome, one.why) for one in (g1, g2, g3)] == [
        (name, "refused", "victims") for name in ("g1", "g2", "g3")
    ]
    assert {one.message for one in (g1, g2, g3)} == {"0/0 nodes are unavailable"}
    assert (gang.job, names(gang.evicted), names(gang.pipelined)) == ("ml/gang", [], [])
    assert (w0.pod.name, w0.node, names(w0.victims)) == ("w0", "n1", ["h1"])
    assert (wants.job, names(wants.evicted), names(wants.pipelined)) == ("ml/wants", ["h1"], ["w0"])


def test_a_try_that_is_left_out_says_whose_and_why():
    [first, *_] = [one for one in told() if one.outcome == "skipped"]
    assert (first.pod.name, first.job) == ("g0", "ml/gang")
    assert first.why.startswith("not eligible due to the pod's nominated node is already schedulable")


def test_the_group_that_a_pod_brought_with_it_is_gone_once_it_is_evicted():
    """The group belongs to the pod: nothing is written of it any more, and the session goes on.

    gang gives other pods than priority does, so that conformance, which comes last, gives all.
    """

    def alone(name, priority, on=None):
        made = with_priority(priority, pod(name, None, on, {"cpu": "2"}))
        made["spec"] |= {"schedulerName": "volcano", "priorityClassName": "urgent" if priority else ""}
        return made

    urgent = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "urgent"}}
    equal = group("equal", 1, "Running", priorityClassName="urgent", queue="default")
    members = [with_priority(9, pod(f"e{number}", "equal", "n1", {"cpu": "1"})) for number in range(2)]
    around = [queue("default"), node("n1"), urgent | {"value": 9}, equal, *members]
    objects = [*around, alone("holds", 0, "n1"), alone("wants", 9)]
    tiers = [("priority", "gang", "conformance"), ("predicates", "proportion", "nodeorder")]
    config = {
        "actions": "enqueue, allocate, preempt",
        "tiers": [{"plugins": [{"name": name} for name in tier]} for tier in tiers],
    }
    run = Simulation(RunInput(objects=objects, profile="volcano-1.16", config=config))
    told = [name for one in run if isinstance(one, Placement) for name in names(one.victims)]
    assert "holds" in told
    assert "holds" not in {one.name for one in run.state().pods()}
