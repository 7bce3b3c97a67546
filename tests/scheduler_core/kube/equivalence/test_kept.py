"""Answers that are kept by class of pods are those that the plugins would give now."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.equivalence.cache import KeptDiffers
from scheduler_core.kube.equivalence import cache
from scheduler_core.kube.equivalence.cache import Keeping
from scheduler_core.kube.equivalence.invalidation import Touches
from scheduler_core.kube.framework_releases.table import FRAMEWORK_RELEASES
from scheduler_core.world import RunInput, Simulation
from tests.portions import tries
from tests.scheduler_core.clusters import budget, node, pod

EACH = Keeping(since=1, check_every=1)
NEVER = Keeping(since=0)
HOST, ZONE = "kubernetes.io/hostname", "topology.kubernetes.io/zone"
examples = settings(max_examples=tries(60))


def matching(app):
    return {"labelSelector": {"matchLabels": {"app": app}}}


def near(kind, app, key, *, required):
    term = {"topologyKey": key, **matching(app)}
    if required:
        return {kind: {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    weighted = [{"weight": 10, "podAffinityTerm": term}]
    return {kind: {"preferredDuringSchedulingIgnoredDuringExecution": weighted}}


def spread(app, key, action, **parts):
    constraint = {"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": action, **matching(app), **parts}
    return {"topologySpreadConstraints": [constraint]}


apps, keys = st.sampled_from("ab"), st.sampled_from([HOST, ZONE])
pod_affinity = st.builds(
    lambda kind, app, key, required: {"affinity": near(kind, app, key, required=required)},
    st.sampled_from(["podAffinity", "podAntiAffinity"]),
    apps,
    keys,
    st.booleans(),
)
spreads = st.builds(
    lambda app, key, action, parts: spread(app, key, action, **parts),
    apps,
    keys,
    st.sampled_from(["DoNotSchedule", "ScheduleAnyway"]),
    st.sampled_from(
        [{}, {"minDomains": 2}, {"nodeTaintsPolicy": "Honor"}, {"maxSkew": 2}, {"labelSelector": {}}]
    ),
)
preference = {
    "weight": 7,
    "preference": {"matchExpressions": [{"key": ZONE, "operator": "In", "values": ["z1"]}]},
}
SPECS = [
    {},
    {},
    {"nodeSelector": {ZONE: "z0"}},
    {"tolerations": [{"key": "soft", "operator": "Exists"}]},
    {"affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [preference]}}},
    {"terminationGracePeriodSeconds": 0},
]
specs = st.one_of(st.sampled_from(SPECS), pod_affinity, spreads)
TAINTS = [[], [], [{"key": "soft", "effect": "PreferNoSchedule"}], [{"key": "hard", "effect": "NoSchedule"}]]


@st.composite
def templates(draw):
    """What the pods of a class have in common."""
    return {
        "cpu": f"{draw(st.integers(1, 16))}00m",
        "priority": draw(st.sampled_from([0, 0, 0, 5, 10])),
        "labels": {"app": draw(apps)},
        "owner": draw(st.sampled_from([None, "rs"])),
        **draw(specs),
    }


@st.composite
def clusters_of_classes(draw):
    """A few nodes in no order of names, and many pods of few classes, some of them bound."""
    names = draw(st.permutations(["n3", "n1", "n4", "n0", "n2"]))[: draw(st.integers(1, 5))]
    items = [
        node(
            name,
            cpu=str(draw(st.integers(1, 5))),
            pods=str(draw(st.integers(2, 9))),
            labels={ZONE: f"z{draw(st.integers(0, 1))}"} if draw(st.integers(0, 4)) else {},
            taints=draw(st.sampled_from(TAINTS)),
        )
        for name in names
    ]
    classes = draw(st.lists(templates(), min_size=1, max_size=3))
    for number in range(draw(st.integers(0, 6))):
        items.append(pod(f"b{number}", on=draw(st.sampled_from(names)), **draw(st.sampled_from(classes))))
    for number in range(draw(st.integers(2, 14))):
        items.append(pod(f"p{number:02}", **draw(st.sampled_from(classes))))
    if draw(st.booleans()):
        items.append(budget("d", "a", draw(st.integers(0, 1))))
    if draw(st.booleans()):
        metadata = {"namespace": "default", "name": "s", "uid": "s"}
        items.append({"kind": "Service", "metadata": metadata, "spec": {"selector": {"app": "a"}}})
    return items


def kept_of(simulation):
    return simulation._world.schedulers[0].kept


RELEASES = [f"kube-{release}" for release in FRAMEWORK_RELEASES]


@pytest.mark.parametrize("profile", RELEASES)
def test_of_every_release_pods_that_are_alike_are_answered_by_what_is_kept(profile):
    objects = [*(node(f"n{at}") for at in range(5)), *(pod(f"p{at}", cpu="100m") for at in range(9))]
    simulation = Simulation(RunInput(objects=objects, profile=profile), keeping=Keeping(since=1))
    assert len(list(simulation)) == 9
    assert kept_of(simulation).given == 9


@examples
@given(clusters_of_classes(), st.sampled_from([None, 7]), st.sampled_from(RELEASES))
def test_every_kept_answer_is_the_plugins_own(objects, seed, profile):
    run_input = RunInput(objects=objects, seed=seed, profile=profile)
    assert list(Simulation(run_input, keeping=EACH)) == list(Simulation(run_input, keeping=NEVER))


@examples
@given(clusters_of_classes())
def test_kept_answers_follow_changes_backwards(objects):
    simulation = Simulation(RunInput(objects=objects), keeping=EACH)
    world, expected = simulation._world, list(Simulation(RunInput(objects=objects), keeping=NEVER))
    for decision in expected:
        for _ in range(2):
            assert world.apply(world.look()) == decision
            with world.before():
                pass
            # The next look is at the moment before this decision again.
            world.state.undo_to(0)
            world.seq -= 1
        assert simulation.step() == decision
    assert world.look() is None


@examples
@given(clusters_of_classes(), st.integers(1, 12))
def test_kept_answers_are_dropped_where_a_checkpoint_is_restored(objects, after):
    simulation, log, checkpoint = Simulation(RunInput(objects=objects), keeping=EACH), [], None
    for decision in simulation:
        log.append(decision)
        if decision.seq == after:
            checkpoint = simulation.checkpoint()
    simulation.restore(checkpoint)
    assert list(simulation) == log[after if checkpoint else 0 :]


@examples
@given(clusters_of_classes(), st.lists(st.tuples(st.integers(0, 12), st.integers(0, 4)), max_size=4))
def test_kept_answers_follow_a_clock(objects, instants):
    names = [item["metadata"]["name"] for item in objects if item["kind"] == "Pod"]
    wanted = {names[place % len(names)]: at / 4 for at, place in instants}
    edits = [
        {"op": "delete", "kind": "Pod", "name": name, "namespace": "default", "at": at}
        for name, at in wanted.items()
    ]
    run_input = RunInput(objects=objects, driver="timed", edits=edits, until=60.0)
    assert list(Simulation(run_input, keeping=EACH)) == list(Simulation(run_input, keeping=NEVER))


def image(node, name, mebibytes):
    node["status"]["images"] = [{"names": [name], "sizeBytes": mebibytes * 2**20}]
    return node


def test_images_that_come_with_a_node_count_as_the_scheduler_saw_them():
    name = "app:1"
    of_nodes = [image(node(f"n{place}", cpu="64"), name, 300) for place in range(2)]
    objects = [*of_nodes, node("bare", cpu="64"), *(pod(f"p{n}", labels={"app": "a"}) for n in range(40))]
    come = {"op": "add", "manifest": image(node("new", cpu="64"), name, 300), "at": 0.025}
    run_input = RunInput(objects=objects, driver="timed", edits=[come], until=30.0)
    assert list(Simulation(run_input, keeping=EACH)) == list(Simulation(run_input, keeping=NEVER))


def test_pods_that_terminate_count_no_more_where_others_spread():
    """A pod is asked to go and stays for a while: no pod comes or leaves, and yet a domain has one less."""
    apart = spread("a", HOST, "DoNotSchedule")
    objects = [node(f"n{place}", cpu="64") for place in range(2)]
    objects += [pod(f"b{place}", on=f"n{place}", labels={"app": "a"}) for place in range(2)]
    for item in objects[2:]:
        item["spec"]["terminationGracePeriodSeconds"] = 20
    objects += [pod(f"p{number}", labels={"app": "a"}, **apart) for number in range(8)]
    gone = {"op": "delete", "kind": "Pod", "namespace": "default", "name": "b1", "at": 0.025}
    run_input = RunInput(objects=objects, driver="timed", edits=[gone], until=60.0)
    assert list(Simulation(run_input, keeping=EACH)) == list(Simulation(run_input, keeping=NEVER))


def test_an_empty_selector_counts_nobody_who_has_come_since():
    """It matches pods that a trial adds, but none of those that are there."""
    apart = spread("a", HOST, "DoNotSchedule", labelSelector={})
    objects = [node(f"n{place}", cpu="64") for place in range(2)]
    objects += [pod(f"p{number}", labels={"app": "a"}, **apart) for number in range(6)]
    run_input = RunInput(objects=objects)
    assert list(Simulation(run_input, keeping=EACH)) == list(Simulation(run_input, keeping=NEVER))


def test_a_filter_that_has_skipped_itself_is_asked_once_a_pod_concerns_it():
    """Nobody minds pods of b, so that InterPodAffinity skips itself; then a pod is placed that does."""
    objects = [node(f"n{place}", cpu="64") for place in range(3)]
    objects += [pod(f"b{place}", on=f"n{place}", labels={"app": "b"}) for place in range(2)]
    objects += [pod("large", "3", on="n2")]
    objects += [pod(f"p{number:02}", labels={"app": "b"}) for number in range(12)]
    objects += [pod("minds", affinity=near("podAntiAffinity", "b", HOST, required=True))]
    names = ["p00", "p01", "minds", *(f"p{number:02}" for number in range(2, 12))]
    run_input = RunInput(objects=objects, schedule=[f"default/{name}" for name in names])
    simulation = Simulation(run_input, keeping=EACH)
    log = list(simulation)
    assert log == list(Simulation(run_input, keeping=NEVER))
    assert [decision.chosen for decision in log] == ["n0", "n1", "n2", *5 * ["n0", "n1"]]
    assert kept_of(simulation).given == len(names)


# -- what is kept, and when --------------------------------------------------------------------------


def workloads(number, classes, nodes=4):
    """Pods of several classes by turns; all fit."""
    of_nodes = [node(f"n{place}", cpu="64", pods="200") for place in range(nodes)]
    return [*of_nodes, *(pod(f"p{n:03}", labels={"app": f"a{n % classes}"}) for n in range(number))]


def test_from_the_second_pod_of_a_class_on_answers_are_kept():
    simulation = Simulation(RunInput(objects=workloads(30, 3)))
    log = list(simulation)
    assert kept_of(simulation).given == 27
    plain = Simulation(RunInput(objects=workloads(30, 3)), keeping=NEVER)
    assert list(plain) == log
    assert kept_of(plain).given == 0


def test_the_class_that_was_asked_for_longest_ago_makes_room(monkeypatch):
    monkeypatch.setattr(cache, "_MOST_BYTES", 2 * (4 * cache._BYTES_A_NODE + 30 * cache._BYTES_A_POD))
    simulation = Simulation(RunInput(objects=workloads(30, 3)), keeping=EACH)
    assert list(simulation) == list(Simulation(RunInput(objects=workloads(30, 3)), keeping=NEVER))
    assert len(kept_of(simulation)._answers) == 2


def forget_touches(monkeypatch):
    monkeypatch.setattr(Touches, "_note", lambda self, *about: None)


def test_a_change_that_nobody_notes_is_found_by_comparing(monkeypatch):
    forget_touches(monkeypatch)
    with pytest.raises(KeptDiffers, match="kept for default/p"):
        list(Simulation(RunInput(objects=workloads(30, 3)), keeping=EACH))


def test_a_change_that_nobody_notes_is_found_by_explaining(monkeypatch):
    forget_touches(monkeypatch)
    simulation = Simulation(RunInput(objects=workloads(30, 3)))
    with pytest.raises(KeptDiffers, match="kept for default/p"):
        list(iter(simulation.explain, None))


# -- where not all nodes are scored ------------------------------------------------------------------


@settings(max_examples=10, deadline=None)
@given(st.lists(templates(), min_size=1, max_size=3), st.integers(0, 30), st.randoms(use_true_random=False))
def test_a_search_that_ends_early_goes_on_as_without_kept_answers(classes, hard, chance):
    taints = [{"key": "hard", "effect": "NoSchedule"}]
    names = [f"n{place:03}" for place in range(130)]
    chance.shuffle(names)
    objects = [
        node(name, cpu="3", taints=taints if place < hard else [], labels={ZONE: f"z{place % 2}"})
        for place, name in enumerate(names)
    ]
    objects += [pod(f"p{number:02}", **classes[number % len(classes)]) for number in range(24)]
    config = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    run_input = RunInput(objects=objects, config={**config, "percentageOfNodesToScore": 10})
    assert list(Simulation(run_input, keeping=EACH)) == list(Simulation(run_input, keeping=NEVER))


def test_an_early_end_of_the_search_is_answered_by_what_is_kept():
    config = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    run_input = RunInput(
        objects=workloads(9, 1, nodes=130), config={**config, "percentageOfNodesToScore": 10}
    )
    simulation = Simulation(run_input, keeping=EACH)
    assert [(decision.visited, decision.feasible) for decision in simulation] == [(101, 100)] * 9
    assert kept_of(simulation).given == 9


# -- preemption --------------------------------------------------------------------------------------


def full_nodes(number):
    """Nodes full with three pods each, and who fits only where two of them go."""
    names = [f"n{place:02}" for place in range(number)]
    objects = [node(name, cpu="3") for name in names]
    for place, name in enumerate(names):
        for part in range(3):
            started = f"2026-05-01T00:{place:02}:{part:02}Z"
            objects.append(pod(f"low-{place}-{part}", on=name, labels={"app": "a"}, started=started))
    return objects + [pod(f"high-{n}", "2", priority=10, labels={"app": "b"}) for n in range(number)]


def test_dry_runs_are_kept_by_node():
    simulation = Simulation(RunInput(objects=full_nodes(12)), keeping=EACH)
    log = list(simulation)
    assert log == list(Simulation(RunInput(objects=full_nodes(12)), keeping=NEVER))
    assert [decision.outcome for decision in log].count("nominated") == 12
    (answers,) = (one for one in kept_of(simulation)._answers._classes.values() if one._runs is not None)
    assert len(answers._runs._parts) > 1
    assert all(len(part.nodes) < 12 for part in answers._runs._parts[1:])


@pytest.mark.parametrize(("at", "second"), [(0.001, "n2"), (0.025, "n1")])
def test_a_budget_that_is_used_up_between_two_preemptions_of_a_class_is_heard(at, second):
    """An eviction uses it up before the second attempt, which then takes a dearer pod, or after it."""
    objects = [node(name, cpu="1") for name in ("n0", "n1", "n2")]
    objects += [node("closed", cpu="1", unschedulable=True), pod("x", on="closed", labels={"app": "a"})]
    objects += [pod(f"a{place}", on=f"n{place}", labels={"app": "a"}) for place in range(2)]
    objects += [pod("dearer", on="n2", priority=1), budget("one", "a", 1)]
    objects += [pod(f"high-{number}", priority=10, labels={"app": "high"}) for number in range(2)]
    evict = {"op": "evict", "pod": "default/x", "at": at}
    run_input = RunInput(objects=objects, driver="timed", edits=[evict], until=30.0)
    log = list(Simulation(run_input, keeping=EACH))
    assert log == list(Simulation(run_input, keeping=NEVER))
    nominated = [decision for decision in log if decision.outcome == "nominated"]
    assert [decision.nominated_after for decision in nominated] == ["n0", second]


@examples
@given(clusters_of_classes(), st.sampled_from([3, 20]))
def test_preemptors_of_a_class_find_what_the_plugins_find(objects, priority):
    more = [pod(f"high-{number}", "25", priority=priority, labels={"app": "b"}) for number in range(4)]
    for item in more:
        item["spec"]["containers"][0]["resources"]["requests"] = {"cpu": "2500m"}
    run_input = RunInput(objects=[*objects, *more])
    assert list(Simulation(run_input, keeping=EACH)) == list(Simulation(run_input, keeping=NEVER))


@pytest.mark.parametrize(
    ("keeping", "given"),
    [(Keeping(large=2), 1), (Keeping(large=3), 0), (Keeping(since=0, large=2), 0), (Keeping(since=1), 1)],
)
def test_in_a_large_cluster_a_class_is_kept_from_its_first_pod_on(keeping, given):
    objects = [node("n1"), node("n2"), pod("only")]
    simulation = Simulation(RunInput(objects=objects), keeping=keeping)
    assert simulation.step() is not None
    assert kept_of(simulation).given == given
