"""HAMi in runs: its cards are tables of the state; what is taken and given back is in the log."""

import base64

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.events.decisions import Attempt
from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.consolidation.consolidating import consolidation
from scheduler_core.world.run_input import Companion
from scheduler_core.world.trials.warm_world import WarmWorld
from tests.portions import tries
from tests.scheduler_core.folding import assert_folds_both_ways
from tests.scheduler_core.hami import cards as hami

examples = settings(max_examples=tries(40))
drivers = st.sampled_from(["instant", "timed"])
policies = st.sampled_from(["binpack", "spread"])
HELD = {"hami.io/vgpu-node": "a", "hami.io/vgpu-devices-allocated": "a-gpu-0,NVIDIA,4000,20:;"}


def machine(name="a", count=2, **more):
    made = hami.nvidia(name, count, **more)
    room = {"cpu": "64", "memory": "256Gi", "pods": "110"}
    amounts = made["status"]["allocatable"] | room
    ready = [{"type": "Ready", "status": "True"}]
    made["metadata"]["uid"] = f"uid-{name}"
    return {
        "apiVersion": "v1",
        **made,
        "status": {"allocatable": amounts, "capacity": amounts, "conditions": ready},
    }


def asking(name="p", memory=4000, cores=20, number=1, annotations=None, **spec):
    limits = {"nvidia.com/gpu": number, "nvidia.com/gpumem": memory, "nvidia.com/gpucores": cores}
    known = {"schedulerName": "hami-scheduler"} | spec
    return {"apiVersion": "v1", **hami.pod(name, limits, annotations, **known)}


def run_of(*objects, **more):
    return RunInput(objects=list(objects), profile="hami-2.10", **more)


def cards_of(simulation):
    rows = simulation.state().tables.get("cards", {})
    return {name: (row["used"], row["used_memory"], row["used_cores"]) for name, row in rows.items()}


# -- what a run tells --------------------------------------------------------------------------------


def test_a_pod_takes_the_cards_that_hami_chooses_and_the_log_says_so():
    simulation = Simulation(run_of(machine(), asking()))
    assert cards_of(simulation) == {"a/a-gpu-0": (0, 0, 0), "a/a-gpu-1": (0, 0, 0)}
    [decision] = simulation
    found = decision.exchanges[0].cards
    assert (found.node, found.fit, found.best_count, found.score) == ("a", 1, 1, 0.0)
    assert msgspec.to_builtins(found.devices) == {
        "NVIDIA": [[{"id": "a-gpu-1", "memory": 4000, "cores": 20, "slice": ""}]]
    }
    assert [one.verb for one in decision.exchanges] == ["filter", "bind"]
    assert cards_of(simulation)["a/a-gpu-1"] == (1, 4000, 20)
    assert simulation.state().tables["holdings"]["uid-default-p"]["node"] == "a"


def test_reasons_are_counted_by_their_word_and_name_no_nodes():
    simulation = Simulation(run_of(machine("a"), machine("b"), asking(memory=20_000)))
    [decision] = simulation
    exchange = decision.exchanges[0]
    assert exchange.cards.reasons == {"CardInsufficientMemory": 2}
    assert (exchange.failed, exchange.cards.node) == ({}, "")
    assert "2 2/2 CardInsufficientMemory" in decision.message


def test_what_runs_at_the_start_holds_its_cards():
    running = asking("held", annotations=HELD, nodeName="a") | {"status": {"phase": "Running"}}
    simulation = Simulation(run_of(machine(), running, asking(memory=8000)))
    assert cards_of(simulation)["a/a-gpu-0"] == (1, 4000, 20)
    [decision] = simulation
    assert decision.exchanges[0].cards.devices["NVIDIA"][0][0].id == "a-gpu-1"


def test_who_is_evicted_gives_its_cards_back():
    running = asking("held", annotations=HELD, nodeName="a") | {"status": {"phase": "Running"}}
    drain = {"op": "drain", "node": "a"}
    simulation = Simulation(run_of(machine(), running, edits=[drain], controllers="none"))
    changes = [change for decision in simulation for change in decision.changes]
    assert cards_of(simulation)["a/a-gpu-0"] == (0, 0, 0)
    assert any(change.table == "holdings" for change in changes if hasattr(change, "table"))


def test_the_copy_of_an_evicted_pod_holds_nothing_until_it_is_placed():
    running = asking("held", annotations=HELD, nodeName="a") | {"status": {"phase": "Running"}}
    reference = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "rs", "uid": "rs", "controller": True}
    running["metadata"]["ownerReferences"] = [reference]
    simulation = Simulation(run_of(machine(), running, edits=[{"op": "drain", "node": "a"}]))
    assert [one.outcome for one in simulation] == ["evicted", "unschedulable"]
    assert "holdings" not in simulation.state().tables


@pytest.mark.parametrize("driver", ["instant", "timed"])
def test_a_cluster_as_a_run_leaves_it_has_the_same_cards_in_use(driver):
    given = run_of(machine(), asking("p"), asking("two", memory=1000, number=2), driver=driver)
    simulation = Simulation(given)
    objects = simulation.objects_at_end() if list(simulation) else []
    after = Simulation(msgspec.structs.replace(given, objects=objects))
    assert sum(used for used, *_ in cards_of(after).values()) == 3
    assert cards_of(after) == cards_of(simulation)


def test_a_world_is_the_same_after_it_was_asked_where_holders_of_cards_could_go():
    def held(name):
        running = asking(name, 1000, annotations=HELD, nodeName="a") | {"status": {"phase": "Running"}}
        owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": name, "uid": name, "controller": True}
        running["metadata"]["ownerReferences"] = [owner]
        return running

    world = WarmWorld(run_of(machine(), machine("b"), held("p"), held("q")))
    before = world.simulation.checkpoint()
    assert [one.node for one in consolidation(world, ["a"]).freed] == ["a"]
    assert world.simulation.checkpoint() == before


def test_who_has_run_out_gives_its_cards_back():
    done = {"sandtable/duration": "5"}
    simulation = Simulation(run_of(machine(), asking(annotations=done), driver="timed", until=60.0))
    seen = [cards_of(simulation)["a/a-gpu-1"] for _ in simulation]
    assert seen[0] == seen[1] == (1, 4000, 20)
    assert seen[-1] == (0, 0, 0)
    assert "holdings" not in simulation.state().tables


def test_a_node_whose_plugin_was_given_up_registers_nothing():
    gone = machine(annotations={"hami.io/node-handshake": "Requesting_2020-01-01 00:00:00"})
    gone["status"]["allocatable"] = gone["status"]["allocatable"] | {"nvidia.com/gpu": "0"}
    simulation = Simulation(run_of(gone, machine("b"), asking()))
    assert {name.partition("/")[0] for name in cards_of(simulation)} == {"b"}


def test_a_plugin_that_was_asked_and_has_not_answered_yet_answers_at_the_start():
    asked = machine(annotations={"hami.io/node-handshake": "Requesting_2026-06-01 00:00:00"})
    assert len(cards_of(Simulation(run_of(asked)))) == 2


@pytest.mark.parametrize("main", ["hami-2.10", "kube-1.36"])
def test_hami_acts_beside_a_kube_scheduler(main):
    other = "hami" if main == "kube-1.36" else "kube-scheduler"
    plain = {"apiVersion": "v1", **hami.pod("plain", {"cpu": 1})}
    given = RunInput(objects=[machine(), asking(), plain], profile=main, beside=[Companion(scheduler=other)])
    simulation = Simulation(given)
    done = {(one.pod.name, one.actor, one.outcome) for one in simulation}
    names = {
        "hami-2.10": ("hami-scheduler", "default-scheduler"),
        "kube-1.36": ("hami-scheduler", "kube-scheduler"),
    }
    assert done == {("p", names[main][0], "scheduled"), ("plain", names[main][1], "scheduled")}


# -- what is wrong with settings ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "field", "message"),
    [
        ({"nodeSchedulerPolicy": 3}, "nodeSchedulerPolicy", "must be text"),
        ({"gpuPolicy": "spread"}, "gpuPolicy", "is no setting of HAMi"),
        ({"deviceConfig": {"nvidia": {"nothing": 1}}}, "deviceConfig.nvidia.nothing", "is no setting"),
        ({"nodeLockTimeout": "soon"}, "nodeLockTimeout", "no duration"),
        (
            {"kubeSchedulerConfiguration": {"percentageOfNodesToScore": 200}},
            "kubeSchedulerConfiguration.percentageOfNodesToScore",
            "0 to 100",
        ),
        ({"kubeSchedulerConfiguration": {"extenders": []}}, "kubeSchedulerConfiguration.extenders", "none"),
        ({"kubeSchedulerConfiguration": 3}, "kubeSchedulerConfiguration", "must be an object"),
    ],
)
def test_a_fault_of_the_settings_is_told_by_field(config, field, message):
    with pytest.raises(BadInput) as refused:
        Simulation(run_of(machine(), config=config))
    [problem] = refused.value.problems
    assert problem.field == field
    assert message in problem.message


def test_a_cluster_has_one_hami():
    with pytest.raises(BadInput, match="one HAMi"):
        Simulation(run_of(beside=[Companion(scheduler="hami", name="other", config={"schedulerName": "x"})]))


# -- what must hold of every run ---------------------------------------------------------------------


@st.composite
def clusters(draw):
    names = "abc"[: draw(st.integers(1, 3))]
    slots = st.integers(1, 4)
    nodes = [
        machine(
            name, draw(st.integers(1, 3)), slots=draw(slots), memory=draw(st.sampled_from([8000, 16_000]))
        )
        for name in names
    ]
    amounts = st.tuples(st.sampled_from([1000, 4000, 8000]), st.sampled_from([0, 30, 100]), st.integers(1, 2))
    pods = [
        asking(f"p{place}", *draw(amounts), priority=draw(st.integers(0, 2)))
        for place in range(draw(st.integers(1, 8)))
    ]
    config = {"nodeSchedulerPolicy": draw(policies), "gpuSchedulerPolicy": draw(policies)}
    return run_of(*nodes, *pods, config=config, driver=draw(drivers), attempt_limit=4)


@examples
@given(clusters())
def test_no_card_ever_gives_more_than_it_has(given_run):
    simulation = Simulation(given_run)
    for _ in simulation:
        for row in simulation.state().tables["cards"].values():
            assert 0 <= row["used"] <= row["slots"]
            assert 0 <= row["used_memory"] <= row["memory"]
            assert 0 <= row["used_cores"] <= row["cores"]


@examples
@given(clusters())
def test_cards_are_used_by_who_holds_them(given_run):
    simulation = Simulation(given_run)
    for _ in simulation:
        tables = simulation.state().tables
        used = dict.fromkeys(tables["cards"], (0, 0, 0))
        for row in tables.get("holdings", {}).values():
            for held in (one for of_vendor in row["devices"].values() for one in of_vendor):
                slots, memory, cores = used[f"{row['node']}/{held['id']}"]
                used[f"{row['node']}/{held['id']}"] = (
                    slots + held["slots"],
                    memory + held["memory"],
                    cores + held["cores"],
                )
        assert used == cards_of(simulation)


@examples
@given(clusters())
def test_the_folded_log_is_the_state_forwards_and_backwards(given_run):
    simulation = Simulation(given_run)
    assert_folds_both_ways(simulation)


@examples
@given(clusters(), st.integers(0, 12))
def test_a_resumed_run_is_the_uninterrupted_one(given_run, after):
    first = Simulation(given_run)
    for _ in range(after):
        if first.step() is None:
            break
    second = Simulation(given_run, first.checkpoint())
    assert second.state() == first.state()
    assert list(second) == list(first)
    assert second.state() == first.state()


@examples
@given(clusters())
def test_explaining_a_decision_changes_nothing_of_it(given_run):
    plain, explained = Simulation(given_run), Simulation(given_run)
    for decision in plain:
        found = explained.explain()
        assert found.decision == decision
        assert explained.state() == plain.state()


# -- the webhook -------------------------------------------------------------------------------------


def template(container, **spec):
    metadata = {"name": "new", "namespace": "default"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": metadata,
        "spec": {"containers": [{"name": "c", "image": "i", **container}], **spec},
    }


def whole_card(**more):
    return {"resources": {"limits": {"nvidia.com/gpu": "1"}}, **more}


@pytest.mark.parametrize("at", [None, 5])
def test_a_new_pod_that_asks_for_cards_is_completed_and_given_to_hami(at):
    edit = {"op": "add", "manifest": template(whole_card())} | ({} if at is None else {"at": at})
    driver = "instant" if at is None else "timed"
    simulation = Simulation(run_of(machine(), edits=[edit], driver=driver))
    [result] = simulation.edit_results
    assert "spec.schedulerName hami-scheduler by HAMi's webhook" in result.changes
    assert any("nvidia.com/gpucores 100 by HAMi's webhook" in change for change in result.changes)
    list(simulation)
    assert cards_of(simulation)["a/a-gpu-1"] == (1, 10_000, 100)


@pytest.mark.parametrize(
    ("container", "spec", "field", "message"),
    [
        (
            whole_card(securityContext={"privileged": True}),
            {},
            "manifest.spec.containers[0].securityContext.privileged",
            "container c is privileged (HAMi's webhook)",
        ),
        (whole_card(), {"nodeName": "a"}, "manifest.spec.nodeName", "pod has node assigned (HAMi's webhook)"),
    ],
)
def test_a_refusal_of_the_webhook_is_told_by_edit_and_field(container, spec, field, message):
    with pytest.raises(BadInput) as refused:
        Simulation(run_of(machine(), edits=[{"op": "add", "manifest": template(container, **spec)}]))
    [problem] = refused.value.problems
    assert (problem.object, problem.field, problem.message) == ("edits[0]", field, message)


def test_a_quota_refuses_a_pod_and_not_its_workload():
    limited = {"apiVersion": "v1", **hami.quota({"nvidia.com/gpumem": 5000})}
    container = {"resources": {"limits": {"nvidia.com/gpu": "1", "nvidia.com/gpumem": "8000"}}}
    labels = {"app": "new"}
    deployment = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "new", "namespace": "default"},
        "spec": {
            "replicas": 2,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": template(container)["spec"]},
        },
    }
    simulation = Simulation(run_of(machine(), limited, edits=[{"op": "add", "manifest": deployment}]))
    [result] = simulation.edit_results
    assert result.problems == ["2 of 2 pods not created: exceeding resource quota (HAMi's webhook)"]


def test_a_pod_of_the_snapshot_that_waits_is_let_in_anew():
    waiting = asking(schedulerName="default-scheduler")
    [decision] = Simulation(run_of(machine(), waiting))
    assert (decision.actor, decision.outcome) == ("hami-scheduler", "scheduled")


def test_a_pod_of_the_snapshot_that_the_webhook_refuses_stays_out():
    waiting = asking()
    waiting["spec"]["containers"][0]["securityContext"] = {"privileged": True}
    simulation = Simulation(run_of(machine(), waiting))
    assert list(simulation) == []
    [phrase] = simulation.trust.not_modelled
    assert phrase == "1 pod with a refusal: container c0 is privileged (HAMi's webhook)"


@pytest.mark.parametrize("on", ["pod", "namespace"])
def test_the_webhook_is_not_asked_where_a_label_says_so(on):
    labels = {"hami.io/webhook": "ignore"}
    waiting = asking(schedulerName="default-scheduler")
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default", "labels": labels}}
    if on == "pod":
        waiting["metadata"]["labels"] = labels
    given = [machine(), waiting] + ([namespace] if on == "namespace" else [])
    assert list(Simulation(run_of(*given))) == []


# -- explanations ------------------------------------------------------------------------------------


def test_a_node_is_explained_card_by_card_in_the_order_tried():
    running = asking("held", annotations=HELD, nodeName="a") | {"status": {"phase": "Running"}}
    simulation = Simulation(run_of(machine(count=3), running, asking(memory=7000, number=2)))
    found = simulation.explain().node("a").cards
    [container] = found.containers
    asked = container.container, container.vendor, container.number, container.memory, container.cores
    assert asked == ("c0", "NVIDIA", 2, 7000, 20)
    tried = [(card.id, card.verdict, card.reason, card.used_memory) for card in container.cards]
    assert tried == [
        ("a-gpu-2", "taken", "", 0),
        ("a-gpu-1", "taken", "", 0),
        ("a-gpu-0", "unseen", "", 4000),
    ]
    assert (found.reason, found.score) == ("", pytest.approx(found.slots + found.cores + found.memory))
    assert found.slots == pytest.approx(10 / 30)


def test_a_refused_card_says_why():
    running = asking("held", annotations=HELD, nodeName="a") | {"status": {"phase": "Running"}}
    simulation = Simulation(run_of(machine(), running, asking(memory=7000, number=2)))
    found = simulation.explain().node("a").cards
    tried = [(card.id, card.verdict, card.reason) for card in found.containers[0].cards]
    assert tried == [("a-gpu-1", "fits", ""), ("a-gpu-0", "refused", "CardInsufficientMemory")]
    assert found.score is None
    assert found.reason == found.containers[0].reason
    assert "1/2 CardInsufficientMemory" in found.reason


def test_an_attempt_is_explained_with_what_other_policies_would_choose():
    running = asking("held", annotations=HELD, nodeName="a") | {"status": {"phase": "Running"}}
    simulation = Simulation(run_of(machine(), machine("b"), running, asking()))
    explanation = simulation.explain()
    call = explanation.attempt.extenders[0]
    assert call.cards.node == "a"
    chosen = {(one.node_policy, one.gpu_policy): (one.node, one.cards, one.own) for one in call.policies}
    assert chosen == {
        ("binpack", "spread"): ("a", ["a-gpu-1"], True),
        ("binpack", "binpack"): ("a", ["a-gpu-0"], False),
        ("spread", "spread"): ("b", ["b-gpu-1"], False),
        ("spread", "binpack"): ("b", ["b-gpu-1"], False),
    }


@examples
@given(clusters())
def test_the_explanation_agrees_with_the_decision(given_run):
    simulation = Simulation(given_run)
    while True:
        try:
            explanation = simulation.explain()
        except LookupError:
            return
        decision = explanation.decision
        if not isinstance(decision, Attempt) or not explanation.attempt.extenders:
            continue
        found = next(one.cards for one in reversed(decision.exchanges) if one.verb == "filter")
        for node in simulation.base.tables["nodes"]:
            cards = explanation.node(node).cards
            taken = [card.id for one in cards.containers for card in one.cards if card.verdict == "taken"]
            assert bool(cards.reason) == (cards.score is None)
            if node == found.node:
                given_cards = [one.id for piece in found.devices["NVIDIA"] for one in piece]
                assert (sorted(taken), cards.score) == (sorted(given_cards), found.score)
        own = next(one for call in explanation.attempt.extenders for one in call.policies if one.own)
        assert (own.node, own.score) == (found.node, found.score)


# -- the webhook's step ------------------------------------------------------------------------------


def reviewed(run_input):
    """Return the review of the first attempt's pod, as it is explained."""
    return Simulation(run_input).explain().attempt.webhook


def test_an_attempt_in_full_has_what_the_webhook_was_sent_and_its_patch():
    review = reviewed(run_of(machine(), asking(schedulerName="default-scheduler")))
    request, response = review.request["request"], review.response["response"]
    assert (request["operation"], request["namespace"], request["name"]) == ("CREATE", "default", "p")
    assert request["object"]["spec"]["schedulerName"] == "default-scheduler"
    assert request["uid"] == response["uid"] == "uid-default-p"
    assert {"op": "replace", "path": "/spec/schedulerName", "value": "hami-scheduler"} in review.patch
    assert msgspec.json.decode(base64.b64decode(response["patch"])) == review.patch


def test_a_pod_that_an_edit_adds_has_its_review_too():
    manifest = asking("late", schedulerName="default-scheduler")
    del manifest["metadata"]["uid"]
    review = reviewed(run_of(machine(), edits=[{"op": "add", "manifest": manifest}]))
    assert review.request["request"]["name"] == "late"
    assert [one["path"] for one in review.patch] == ["/spec/schedulerName"]


def test_a_pod_that_the_webhook_never_saw_has_none():
    ignored = asking()
    ignored["metadata"]["labels"] = {"hami.io/webhook": "ignore"}
    assert reviewed(run_of(machine(), ignored)) is None


# -- all nodes in short ------------------------------------------------------------------------------


def test_all_nodes_in_short_agree_with_each_node_in_full():
    objects = [machine("a"), machine("b"), machine("c"), asking("x", memory=9000, cores=20, number=2)]
    simulation = Simulation(run_of(*objects, asking("y", memory=9000)))
    simulation.step()
    explained = simulation.explain()
    rows = {row.node: row.cards for row in explained.nodes(with_cards=True)}
    assert rows.keys() == {"a", "b", "c"}
    for name, short in rows.items():
        full = explained.node(name).cards
        assert (short.reason, short.score, short.memory) == (full.reason, full.score, full.memory)
        tried = [card for one in full.containers for card in one.cards]
        refused = {(card.reason, card.id) for card in tried if card.verdict == "refused"}
        assert {(word, one) for word, ids in short.refused.items() for one in ids} == refused
        assert short.given_up == [card.id for card in tried if card.verdict == "fits"]
    assert rows["a"].refused == {"CardInsufficientMemory": ["a-gpu-1", "a-gpu-0"]}


def test_nodes_have_no_cards_in_short_unless_they_are_asked_for():
    simulation = Simulation(run_of(machine(), asking()))
    assert [row.cards for row in simulation.explain().nodes()] == [None]


# -- nodes that could be emptied ---------------------------------------------------------------------


def played(*objects, **more):
    simulation = Simulation(run_of(*objects, **more))
    for _ in simulation:
        pass
    return simulation


@pytest.mark.parametrize(
    ("memory", "cores", "emptied"),
    [(4000, 20, 1), (7000, 20, 0), (4000, 90, 0)],  # of a card's memory, or cores, both would ask too much
)
def test_a_node_can_be_emptied_where_another_has_the_cards(memory, cores, emptied):
    nodes = [machine("a", count=1), machine("b", count=1)]
    more = {"hami.io/gpu-scheduler-policy": "spread", "hami.io/node-scheduler-policy": "spread"}
    simulation = played(
        *nodes, asking("one", annotations=more), asking("two", memory, cores, annotations=more)
    )
    assert {row["node"] for row in simulation.state().tables["pods"].values()} == {"a", "b"}
    assert simulation.emptied() == (emptied, 2, 2)


@examples
@given(policies, st.lists(st.tuples(st.sampled_from([1000, 4000, 7000]), st.sampled_from([10, 60]))))
def test_what_could_be_emptied_leaves_cards_and_the_run_as_they_were(policy, asked):
    more = {"hami.io/node-scheduler-policy": policy}
    pods = [asking(f"p{at}", memory, cores, annotations=more) for at, (memory, cores) in enumerate(asked[:6])]
    simulation = played(*(machine(name, count=1) for name in "abc"), *pods)
    before, cards = simulation.checkpoint(), cards_of(simulation)
    found = simulation.emptied()
    assert found is not None
    assert found.nodes < 3 or not any(used for used, *_ in cards.values())
    decode = msgspec.msgpack.decode  # the order of rows may be another one
    assert (decode(simulation.checkpoint()), cards_of(simulation)) == (decode(before), cards)
    assert simulation.emptied() == found
