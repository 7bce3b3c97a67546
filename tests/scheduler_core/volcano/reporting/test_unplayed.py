"""What a configuration names and nobody plays is left out, and told with whether it could matter here."""

import msgspec
import pytest

from scheduler_core.objects.problems import BadInput
from scheduler_core.volcano.configuration import scheduler_conf, unplayed_parts
from scheduler_core.volcano.configuration.broken_queues import broken_queues
from scheduler_core.volcano.configuration.scheduler_conf import read_configuration
from scheduler_core.volcano.registry import PLUGINS
from scheduler_core.volcano.reporting.unplayed import unplayed_parts as unplayed_in
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.clusters import node
from tests.scheduler_core.volcano.imports.test_references import OWN, group, member

MIGHT = "answers may differ in reality"
GANGS = "other pods may be evicted in reality"


def config(*plugins, actions="enqueue, allocate"):
    tiers = [["gang"], ["priority", *plugins]]
    return {
        "actions": actions,
        "tiers": [
            {"plugins": [{"name": one} if isinstance(one, str) else one for one in plugins]}
            for plugins in tiers
        ],
    }


def _option(plugin):
    return {"name": plugin} if isinstance(plugin, str) else plugin


def ascend(what):
    return {"name": "deviceshare", "arguments": {f"deviceshare.{what}Enable": True}}


def extender(*verbs, managed=(), **flags):
    arguments = {"extender.urlPrefix": "http://localhost", "extender.managedResources": list(managed)}
    arguments |= {f"extender.{verb}Verb": verb for verb in verbs}
    return {"name": "extender", "arguments": arguments, **flags}


def told_of_extender(about):
    rest = "a run asks nobody; these decisions, and what follows from them, may differ in reality"
    return f"plugin extender, which asks a server outside {about}: {rest}"


def asking(name, resource, scheduler="volcano"):
    made = member(name, "g")
    made["spec"]["schedulerName"] = scheduler
    made["spec"]["containers"][0]["resources"] = {"limits": {resource: "1"}}
    return made


def annotated(name, key):
    made = member(name, "g")
    made["metadata"]["annotations"][key] = "x"
    return made


def job(**task):
    tasks = [{"name": "t", "replicas": 1, **task}]
    return {
        "apiVersion": "batch.volcano.sh/v1alpha1",
        "kind": "Job",
        "metadata": {"name": "j", "namespace": "default"},
        "spec": {"tasks": tasks},
    }


def template(resource):
    return {"spec": {"containers": [{"name": "c", "resources": {"limits": {resource: "1"}}}]}}


NUMA = {"apiVersion": "nodeinfo.volcano.sh/v1alpha1", "kind": "Numatopology", "metadata": {"name": "n"}}
VGPU = "volcano.sh/vgpu-number"
ASCEND = "plugin deviceshare.AscendHAMiVNPUEnable, which shares Ascend chips among pods"


@pytest.mark.parametrize(
    ("given", "objects", "matter", "without_effect"),
    [
        (config(), [asking("p", VGPU)], [], []),
        (config("network-topology-aware", actions="allocate, gangpreempt, gangreclaim"), [], [], []),
        (config("deviceshare", "numa-aware", "task-topology"), [asking("p", VGPU), NUMA], [], []),
        (
            config(ascend("AscendHAMiVNPU")),
            [job(template=template("huawei.com/Ascend910"))],
            [
                f"{ASCEND}: the pods of 1 workload would ask for huawei.com/Ascend910, "
                "their answers are not to be trusted"
            ],
            [],
        ),
        (
            config(ascend("AscendHAMiVNPU")),
            [asking("p", "huawei.com/Ascend910", scheduler="default-scheduler"), asking("q", VGPU)],
            [],
            ["plugin deviceshare.AscendHAMiVNPUEnable (no pod asks for huawei.com/…)"],
        ),
        (
            config(ascend("NodeLock")),
            [asking(name, VGPU) for name in "ab"] + [asking("c", "volcano.sh/vgpu-memory")],
            [
                "plugin deviceshare.NodeLockEnable, which hands out one card of a node at a time: "
                f"3 pods ask for volcano.sh/vgpu-memory, {VGPU}, their answers are not to be trusted"
            ],
            [],
        ),
        (
            config("cce-gpu-topology-predicate"),
            [],
            [
                "plugin cce-gpu-topology-predicate: Volcano 1.16 has none of this name and passes it over, "
                "a build that has it may decide otherwise"
            ],
            [],
        ),
        (
            config("gnag"),
            [],
            ["plugin gnag: Volcano 1.16 has none of this name and passes it over; did you mean gang?"],
            [],
        ),
        (
            config(actions="allocate, shuffle"),
            [],
            [],
            ["action shuffle (no plugin of this configuration names any pods)"],
        ),
        (
            config(actions="gangreclaim, allocate, gangpreempt"),
            [],
            [
                "action allocate in part, after gangreclaim: the real scheduler may place pods anew that "
                "have just been promised a node, a run doesn't"
            ],
            [],
        ),
        (
            config("extender"),
            [],
            [
                "plugin extender, which asks a server outside which nodes fit, how they score, what may be "
                "evicted and which jobs enter: a run asks nobody, and any decision may differ in reality"
            ],
            [],
        ),
        (config(extender("predicate")), [], [told_of_extender("which nodes fit")], []),
        (
            config(extender("reclaimable", "preemptable", "jobEnqueueable"), actions="allocate, reclaim"),
            [],
            [told_of_extender("what reclaim may evict")],
            [],
        ),
        (
            config(extender("predicate", "prioritize", "jobReady", managed=[VGPU], enableNodeOrder=False)),
            [asking("p", VGPU)],
            [told_of_extender("which nodes fit and which jobs are ready")],
            [],
        ),
        (
            config(extender("predicate", "jobReady", managed=["nvidia.com/gpu"])),
            [asking("p", VGPU), asking("q", "nvidia.com/gpu", scheduler="default-scheduler")],
            [told_of_extender("which jobs are ready")],
            [],
        ),
        (
            config(extender("predicate", "allocateFunc", managed=["nvidia.com/gpu"])),
            [asking("p", "nvidia.com/gpu.shared")],
            [],
            ["plugin extender (no pod asks for nvidia.com/gpu)"],
        ),
        (
            config(extender("onSessionOpen", "onSessionClose", "jobEnqueued", "deallocateFunc")),
            [],
            [],
            ["plugin extender (its arguments name no verb that decides anything here)"],
        ),
        (config(actions="allocate, gangpreempt, gangreclaim"), [], [], []),
        (config(actions="allocate, backfill, allocate"), [], [], []),
        (
            {"actions": "allocate, gangreclaim", "tiers": [{"plugins": [{"name": "priority"}]}]},
            [group("g") | {"spec": {"networkTopology": {"mode": "hard"}}}],
            [
                "action gangreclaim in part, where plugin gang is not asked who starves: the real scheduler "
                "may make room anew for 1 pod groups and Jobs with a network topology or sub-groups "
                "whose pods have just been placed, a run doesn't"
            ],
            [],
        ),
        (
            config(actions="allocate, gangreclaim"),
            [group("g") | {"spec": {"networkTopology": {"mode": "hard"}}}],
            [],
            [],
        ),
        (
            {"actions": "gangreclaim, enqueue", "tiers": [{"plugins": [{"name": "priority"}]}]},
            [group("g") | {"spec": {"networkTopology": {"mode": "hard"}}}],
            [],
            [],
        ),
        (
            config(actions="allocate, allocate"),
            [group("g") | {"spec": {"networkTopology": {"mode": "hard"}}}],
            [
                "action allocate in part, which is named twice: the second time the real scheduler may place "
                "pods anew of 1 pod groups and Jobs with a network topology or sub-groups, a run doesn't"
            ],
            [],
        ),
        (
            {
                "actions": "allocate, backfill",
                "tiers": [{"plugins": [{"name": "predicates", "enablePredicate": False}]}],
            },
            [],
            [
                "action backfill with enablePredicate off for predicates: the real scheduler's process ends "
                "at a best-effort pod that several nodes could take, in a run it waits"
            ],
            [],
        ),
        (
            config("reservation", actions="enqueue, reserve, allocate"),
            [],
            [
                "action reserve of releases before 1.6, which keeps nodes for the job that elect chose: "
                f"{MIGHT}",
                "plugin reservation of releases before 1.6, which keeps nodes for a job that has waited for "
                f"long: {MIGHT}",
            ],
            [],
        ),
        (
            config(actions="enqueue, dance"),
            [],
            [
                "action dance: Volcano 1.16 has none of this name and would refuse the configuration, "
                "a build that has it may decide otherwise",
            ],
            [],
        ),
    ],
)
def test_what_is_not_played_is_told_with_whether_it_could_matter(given, objects, matter, without_effect):
    assert unplayed_in(read_configuration(given), objects) == (matter, without_effect)


def test_which_plugins_say_who_starves_is_asked_of_the_plugins(monkeypatch):
    given = {"actions": "allocate, gangreclaim", "tiers": [{"plugins": [{"name": "binpack"}]}]}
    wide = [group("g") | {"spec": {"networkTopology": {"mode": "hard"}}}]
    assert unplayed_in(read_configuration(given), wide).matter == []
    saying = type("Saying", (PLUGINS["binpack"],), {"job_starving": lambda _, job: True})
    monkeypatch.setitem(PLUGINS, "binpack", saying)
    [told] = unplayed_in(read_configuration(given), wide).matter
    assert told.startswith("action gangreclaim in part, where plugin gang is not asked who starves")


def test_a_misspelt_action_is_refused_as_volcano_refuses_it():
    with pytest.raises(BadInput) as refused:
        read_configuration(config(actions="enqueue, alocate"))
    [problem] = refused.value.problems
    assert (problem.field, problem.message) == (
        "actions",
        "failed to find Action alocate; did you mean allocate?",
    )


def test_no_part_is_both_played_and_told_as_unplayed():
    assert not set(unplayed_parts.PLUGINS) & set(scheduler_conf.PLUGINS)
    assert not set(unplayed_parts.ACTIONS) & set(scheduler_conf.ACTIONS)


def test_a_run_is_that_of_the_configuration_without_what_is_not_played():
    objects = [*OWN, node("n"), group("g"), member("p", "g")]
    with_more = {
        **config(
            ascend("AscendHAMiVNPU"),
            "volcano-npu_v5.0.RC1_linux-x86_64",
            actions="enqueue, reserve, allocate",
        ),
        "configurations": [{"name": "reserve", "arguments": {"x": 1}}],
    }
    with_more["tiers"].insert(
        0, {"plugins": [{"name": "extender", "arguments": {"y": 1}, "enableBests": True}]}
    )
    plain, odd = (
        Simulation(RunInput(objects=objects, profile="volcano-1.16", config=given))
        for given in (config(), with_more)
    )
    assert list(map(msgspec.json.encode, odd)) == list(map(msgspec.json.encode, plain))
    assert (len(odd.trust.not_modelled), len(odd.trust.without_effect)) == (2, 2)
    assert plain.trust.not_modelled == plain.trust.without_effect == odd.trust.unknown == []


@pytest.mark.parametrize(
    ("parents", "why"),
    [
        (
            {"q": "gone"},
            "its process ends when a session closes with a pod of queue q on a node, since queue gone",
        ),
        ({"q": "p", "p": "gone"}, "since queue gone is missing"),
        (
            {"q": "p", "p": "q"},
            "its process hangs when a session closes with a pod of queue q on a node, since p",
        ),
        ({"q": "root"}, ""),
        ({"other": "gone", "q": ""}, ""),
    ],
)
def test_a_run_says_at_which_queues_the_real_scheduler_ends(parents, why):
    """framework/session.go updateQueueStatus adds what jobs hold to all queues above theirs."""
    told = list(broken_queues({"root": "", **parents}, ["q", "q", "nowhere"]))
    assert (bool(told), why in "".join(told)) == (bool(why), True)


def test_a_queue_without_its_parent_stands_in_the_trust_of_a_run_whose_jobs_are_in_it():
    version = "scheduling.volcano.sh/v1beta1"
    queue = {"apiVersion": version, "kind": "Queue", "metadata": {"name": "q"}, "spec": {"parent": "gone"}}
    in_it = group("g") | {"spec": {"queue": "q", "minMember": 1}}
    trust = Simulation(RunInput(objects=[*OWN, node("n"), queue, in_it], profile="volcano-1.16")).trust
    assert [one for one in trust.not_modelled if "queue gone is missing" in one]


def test_a_hyper_job_stands_in_the_trust_of_a_run_of_volcano():
    wide = {"apiVersion": "training.volcano.sh/v1alpha1", "kind": "HyperJob", "metadata": {"name": "w"}}
    objects = [*OWN, node("n"), wide]
    trust = Simulation(RunInput(objects=objects, profile="volcano-1.16")).trust
    assert trust.not_modelled == ["1 HyperJob.training.volcano.sh: no jobs are made of them"]


def test_network_topologies_that_no_plugin_reads_are_told():
    """As in the real scheduler, pods then go anywhere, though a reader takes them to be near each other."""
    gang = group("g") | {"spec": {"minMember": 2, "networkTopology": {"mode": "hard"}}}
    plain = group("plain")
    reading = {"name": "network-topology-aware"}
    off = reading | {"enabledHyperNodeGradient": False}
    for plugins, told in (([], True), ([off], True), ([reading], False)):
        run_input = RunInput(
            objects=[node("a"), *OWN, gang, plain], profile="volcano-1.16", config=config(*plugins)
        )
        said = [one for one in Simulation(run_input).trust.missing if "networkTopology" in one]
        assert [one.startswith("the networkTopology of 1 PodGroup (") for one in said] == [True] * told
