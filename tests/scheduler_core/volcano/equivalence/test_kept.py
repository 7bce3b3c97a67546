"""Answers that a session keeps are those that the plugins would give now."""

import pytest

from benchmarks.volcano import Binds, session_objects
from recorded.decide import decide
from scheduler_core.equivalence.cache import EquivalenceCache, KeptDiffers
from scheduler_core.state.build import build_state
from scheduler_core.volcano.cache.opening import open_session
from scheduler_core.volcano.cache.scheduler_cache import VolcanoCluster
from scheduler_core.volcano.configuration.scheduler_conf import read_configuration
from scheduler_core.volcano.equivalence import equivalence_cache
from scheduler_core.volcano.equivalence.equivalence_cache import Kept
from scheduler_core.volcano.framework.session import Memory
from scheduler_core.volcano.model.nodes import Nodes
from scheduler_core.volcano.registry import ACTIONS
from tests.builders import node, pod
from tests.portions import recorded_cases

FAMILIES = ("backfill", "binpack", "config", "drf", "nodeorder", "predicates")
ZONE = "topology.kubernetes.io/zone"


class Choices(Binds):
    """Everything that a session chooses among, to the last bit."""

    def __init__(self):
        super().__init__()
        self.choices = []

    def chose(self, task, nodes, scores, best, chosen):
        self.choices.append((task.key, nodes.tolist(), scores.tobytes(), best.tolist(), chosen))


def open_for(objects, witness=None, memory=None):
    state = build_state([item for item in objects if item["kind"] not in ("PodGroup", "Queue")]).state
    cluster = VolcanoCluster(state, objects)
    return open_session(
        cluster.snapshot(),
        cluster.contents(),
        read_configuration(None),
        witness or Choices(),
        memory or Memory(),
    )


def play(objects):
    """Return what a session chooses, binds and says, and the session."""
    choices, memory = Choices(), Memory()
    session = open_for(objects, choices, memory)
    told = []
    for action in session.configuration.actions:
        for step in ACTIONS[action](session):
            errors = getattr(step, "errors", None)
            told.append((type(step).__name__, getattr(step, "outcome", ""), errors and errors.nodes))
    return (choices.choices, choices.nodes, told, memory.next_node), session


def tainted(objects):
    """Nodes that repel, hard and soft, and jobs that prefer a zone: scores that compare nodes."""
    preferred = {
        "weight": 7,
        "preference": {"matchExpressions": [{"key": ZONE, "operator": "In", "values": ["zone-1"]}]},
    }
    for place, item in enumerate(objects):
        if item["kind"] == "Node":
            effect = "NoSchedule" if place % 7 == 0 else "PreferNoSchedule"
            item["spec"] = {"taints": [{"key": "a", "effect": effect}]} if place % 3 == 0 else {}
        if item["kind"] == "Pod" and int(item["metadata"]["name"].split("-")[1]) % 2:
            item["spec"]["affinity"] = {
                "nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [preferred]}
            }
    return objects


def crowded(objects):
    """Nodes of which every third takes one pod only, so that more and more refuse."""
    for place, item in enumerate(objects):
        if item["kind"] == "Node" and place % 3 == 0:
            item["status"]["allocatable"]["pods"] = "1"
    return objects


CLUSTERS = {
    "room for all": lambda: session_objects(130, 14, 6),
    "room for some": lambda: session_objects(4, 40, 8),
    "less and less room": lambda: crowded(session_objects(130, 14, 6)),
    "taints and preferences": lambda: tainted(session_objects(130, 14, 6)),
}


@pytest.mark.parametrize("name", CLUSTERS)
def test_a_session_decides_as_one_that_keeps_nothing(name, monkeypatch):
    with_kept, session = play(CLUSTERS[name]())
    assert session.kept.given > 100
    monkeypatch.setattr(Kept, "_of", lambda self, task: None)
    plain, without = play(CLUSTERS[name]())
    assert without.kept.given == 0
    assert with_kept == plain


@pytest.mark.parametrize("family", FAMILIES)
def test_each_third_kept_answer_of_a_recorded_family_is_the_plugins_own(family, monkeypatch):
    monkeypatch.setattr(Kept, "check_every", 3)
    given = []
    check = EquivalenceCache.require
    monkeypatch.setattr(
        EquivalenceCache, "require", lambda self, *about: (given.append(1), check(self, *about))
    )
    for case in recorded_cases(f"volcano/{family}"):
        decide(case)
    assert len(given) > 50


def test_a_change_that_nobody_notes_is_found_by_comparing(monkeypatch):
    monkeypatch.setattr(Kept, "check_every", 1)
    count = Nodes._count

    def forgetful(self, *about):
        count(self, *about)
        self.changes._changes.pop()

    monkeypatch.setattr(Nodes, "_count", forgetful)
    with pytest.raises(KeptDiffers, match="an answer kept for default/job-"):
        play(session_objects(20, 4, 6))


def test_the_class_that_was_asked_for_longest_ago_makes_room(monkeypatch):
    everything, _ = play(session_objects(20, 16, 4))
    monkeypatch.setattr(equivalence_cache, "_MOST_BYTES", 2 * 20 * equivalence_cache._BYTES_A_NODE)
    little, session = play(session_objects(20, 16, 4))
    assert len(session.kept._classes) == 2
    assert little == everything


@pytest.mark.parametrize("name", CLUSTERS)
def test_one_node_is_told_what_many_are(name):
    _, session = play(CLUSTERS[name]())
    rows = session.nodes.all
    for job in list(session.jobs.values())[:6]:
        task = next(iter(job.tasks.values()))
        if not session.by_node(task):
            continue
        each, batch = session.scores_by_node(task, rows)
        of_one, fits = session.scores_of_one(task), session.predicate_of(task)
        assert [of_one(row) for row in rows.tolist()] == list(zip(each.tolist(), batch.tolist(), strict=True))
        refused = session.predicate(task, rows)
        assert [row for row in rows.tolist() if not fits(row)] == sorted(refused)
        room, roomy = (
            session.nodes.room_test(task.request),
            session.nodes.fits(task.request, rows, future=True),
        )
        assert [room(row) for row in rows.tolist()] == roomy.tolist()
        assert sorted(session.nodes.lacking(task.request, rows[~roomy])) == rows[~roomy].tolist()


# -- classes -----------------------------------------------------------------------------------------

ANTI = {
    "podAntiAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": [
            {"topologyKey": ZONE, "labelSelector": {"matchLabels": {"app": "x"}}}
        ]
    }
}
SPREAD = {
    "maxSkew": 1,
    "topologyKey": ZONE,
    "whenUnsatisfiable": "DoNotSchedule",
    "labelSelector": {"matchLabels": {"app": "x"}},
}
GROUP = {
    "apiVersion": "scheduling.volcano.sh/v1beta1",
    "kind": "PodGroup",
    "metadata": {"name": "job", "namespace": "default"},
    "spec": {"minMember": 1, "queue": "default"},
    "status": {"phase": "Inqueue"},
}
QUEUE = {
    "apiVersion": "scheduling.volcano.sh/v1beta1",
    "kind": "Queue",
    "metadata": {"name": "default"},
    "spec": {"weight": 1},
    "status": {"state": "Open"},
}


def two_tasks(first, second, *others):
    """Return a session with two waiting pods of these specs that the plugins have looked at, and these."""
    marks = {"annotations": {"scheduling.k8s.io/group-name": "job"}}
    pods = [
        pod(name, **marks, spec={"schedulerName": "volcano", **parts.get("spec", {})}, **without(parts))
        for name, parts in (("job-x-0", first), ("job-x-1", second))
    ]
    session = open_for([node("a"), node("b"), QUEUE, GROUP, *pods, *others])
    tasks = list(session.jobs["default/job"].tasks.values())
    for task in tasks:
        assert session.pre_predicate(task) is None
    return session, tasks


def without(parts):
    return {name: value for name, value in parts.items() if name != "spec"}


def is_kept(session, task):
    return session.kept._of(task) is not None


def test_pods_of_equal_spec_are_kept_whatever_their_names_and_labels():
    session, tasks = two_tasks({"labels": {"index": "0"}}, {"labels": {"index": "1"}})
    assert all(is_kept(session, task) for task in tasks)


@pytest.mark.parametrize(
    "spec",
    [
        {"nodeSelector": {"disk": "ssd"}},
        {"tolerations": [{"key": "a", "operator": "Exists"}]},
        {"containers": [{"name": "app", "image": "other:1"}]},
        {"containers": [{"name": "app", "image": "app:1", "resources": {"requests": {"cpu": "1"}}}]},
        {"overhead": {"cpu": "10m"}},
    ],
)
def test_another_spec_is_another_class(spec):
    session, (one, other) = two_tasks({}, {"spec": spec})
    assert session.classes.of(one) != session.classes.of(other)
    assert not is_kept(session, one)


def test_a_class_is_kept_from_its_second_task_on():
    session, tasks = two_tasks({}, {"spec": {"nodeSelector": {"disk": "ssd"}}})
    assert not any(is_kept(session, task) for task in tasks)


@pytest.mark.parametrize(
    "spec",
    [
        {"affinity": ANTI},
        {"topologySpreadConstraints": [SPREAD]},
        {"topologySpreadConstraints": [{**SPREAD, "whenUnsatisfiable": "ScheduleAnyway"}]},
        {"containers": [{"name": "app", "image": "app:1", "ports": [{"containerPort": 80, "hostPort": 80}]}]},
    ],
)
def test_pods_that_look_at_other_pods_are_not_kept(spec):
    session, tasks = two_tasks({"spec": spec}, {"spec": spec})
    assert session.classes.of(tasks[0]) == session.classes.of(tasks[1])
    assert not any(is_kept(session, task) for task in tasks)


def test_nothing_is_kept_while_a_placed_pod_minds_its_neighbours():
    session, tasks = two_tasks({}, {}, pod("there", on="a", labels={"app": "x"}, spec={"affinity": ANTI}))
    assert not any(is_kept(session, task) for task in tasks)


def test_a_service_tells_labels_apart_since_its_pods_are_spread():
    service = {
        "kind": "Service",
        "apiVersion": "v1",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"selector": {"app": "web"}},
    }
    labels = {"labels": {"app": "web"}}
    session, (one, other) = two_tasks(labels, {}, service)
    assert session.classes.of(one) != session.classes.of(other)
    session, tasks = two_tasks(labels, labels, service)
    assert not any(is_kept(session, task) for task in tasks)


def test_a_pod_that_a_kubelet_has_answered_for_stands_for_itself():
    status = {"phase": "Pending", "containerStatuses": [{"name": "app", "allocatedResources": {"cpu": "1"}}]}
    session, (one, _) = two_tasks({"status": status}, {})
    assert session.classes.of(one) is None


def test_a_task_that_was_not_looked_at_is_refused_whatever_is_known_of_its_class():
    session, (one, other) = two_tasks({}, {})
    del session.cycles[other.uid]
    assert session.predicate(one, session.nodes.all) == {}
    refused = session.predicate(other, session.nodes.all)
    assert {why[0].code for why in refused.values()} == {"Error"}
    assert sorted(refused) == [0, 1]
