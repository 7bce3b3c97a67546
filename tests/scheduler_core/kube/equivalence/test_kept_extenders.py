"""Answers of the plugins are kept beside extenders, too; those of extenders are asked for each time."""

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.kube.equivalence.cache import Keeping
from scheduler_core.kube.extenders.exchanges import Exchanges
from scheduler_core.kube.extenders.source import Reply
from scheduler_core.world import RunInput, Simulation
from tests.portions import tries
from tests.scheduler_core.clusters import node, pod
from tests.scheduler_core.kube.equivalence.test_kept import EACH, NEVER, examples, kept_of
from tests.scheduler_core.world.test_hami import asking, machine

CARD = "nvidia.com/gpu"


def asking_too(name, cpu, **more):
    """A pod that asks for cards, and for what the plugins look at."""
    asked = asking(name, **more)
    asked["spec"]["containers"][0]["resources"]["requests"] = {"cpu": cpu}
    return asked


templates = st.fixed_dictionaries(
    {
        "cpu": st.sampled_from(["1", "8", "30"]),
        "memory": st.sampled_from([2000, 9000]),
        "number": st.integers(1, 2),
        "priority": st.sampled_from([0, 0, 10]),
    }
)


@st.composite
def clusters_with_cards(draw):
    names = draw(st.permutations(["c", "a", "b"]))[: draw(st.integers(1, 3))]
    classes = draw(st.lists(templates, min_size=1, max_size=3))
    pods = []
    for number in range(draw(st.integers(2, 12))):
        template = draw(st.sampled_from(classes))
        if draw(st.integers(0, 4)):
            pods.append(asking_too(f"p{number:02}", **template))
        else:
            pods.append(pod(f"p{number:02}", template["cpu"], labels={}, schedulerName="hami-scheduler"))
    return [*(machine(name, draw(st.integers(1, 2))) for name in names), *pods]


@settings(examples, max_examples=tries(20))
@given(
    clusters_with_cards(),
    st.sampled_from(["instant", "timed"]),
    st.sampled_from(["binpack", "spread"]),
    st.data(),
)
def test_with_hami_every_kept_answer_is_the_plugins_own(objects, driver, policy, data):
    config = {"nodeSchedulerPolicy": policy}
    if data.draw(st.booleans()):
        config["kubeSchedulerConfiguration"] = {"percentageOfNodesToScore": 30}
    run_input = RunInput(objects=objects, profile="hami-2.10", driver=driver, config=config)
    kept = Simulation(run_input, keeping=EACH)
    log = list(kept)
    assert log == list(Simulation(run_input, keeping=NEVER))
    assert kept_of(kept).given
    explained = Simulation(run_input, keeping=Keeping(since=1))
    assert [explained.explain().decision for _ in log] == log


def test_hami_is_asked_about_nodes_that_are_kept():
    of_nodes = [machine(name) for name in "ab"]
    objects = [*of_nodes, *(asking_too(f"p{number}", "1", memory=1000) for number in range(8))]
    simulation = Simulation(RunInput(objects=objects, profile="hami-2.10"))
    log = list(simulation)
    assert [[one.verb for one in decision.exchanges] for decision in log] == [["filter", "bind"]] * 8
    assert kept_of(simulation).given == 7


def test_whom_an_outside_extender_is_asked_about_the_plugins_are_asked_about():
    """Its answers are stored in the order in which they were given: nobody may ask it twice."""
    extender = {
        "urlPrefix": "http://extender.example.com",
        "filterVerb": "filter",
        "nodeCacheCapable": True,
        "managedResources": [{"name": CARD, "ignoredByScheduler": True}],
    }
    objects = [node("a", cpu="64"), node("b", cpu="64")]
    for number in range(12):
        objects.append(pod(f"p{number:02}", labels={"app": "a"}))
        if number % 3 == 0:
            objects[-1]["spec"]["containers"][0]["resources"]["limits"] = {CARD: "1"}
    questions = []

    class Source:
        def ask(self, question, body):
            questions.append(question)
            return Reply(200, msgspec.json.encode({"NodeNames": ["b"], "FailedNodes": {"a": "no"}}))

    run_input = RunInput(objects=objects, config={"extenders": [extender]})
    simulation = Simulation(run_input, exchanges=Exchanges(Source()), keeping=EACH)
    log = list(simulation)
    assert len(questions) == 4
    assert [decision.chosen for decision in log[::3]] == ["b"] * 4
    assert kept_of(simulation).given == 8
    plain = Simulation(run_input, exchanges=Exchanges(Source()), keeping=NEVER)
    assert list(plain) == log
