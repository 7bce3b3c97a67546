"""A session that recalls tries in hyper nodes decides as one that makes them all."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchmarks.volcano import Binds
from scheduler_core.equivalence.cache import KeptDiffers
from scheduler_core.state.build import build_state
from scheduler_core.volcano.actions.known_trials import JobTrials, KnownTrials
from scheduler_core.volcano.cache.opening import open_session
from scheduler_core.volcano.cache.scheduler_cache import VolcanoCluster
from scheduler_core.volcano.configuration.scheduler_conf import read_configuration
from scheduler_core.volcano.framework.closing import close
from scheduler_core.volcano.framework.session import Memory
from scheduler_core.volcano.registry import ACTIONS
from tests.builders import node, pod
from tests.scheduler_core.volcano.test_hyper_nodes import hyper_node

CONFIG = """actions: "enqueue, allocate, backfill, preempt"
tiers:
- plugins: [{name: priority}, {name: gang}, {name: conformance}]
- plugins:
  - {name: drf}
  - {name: predicates}
  - {name: proportion}
  - {name: nodeorder}
  - {name: binpack}
  - {name: network-topology-aware, arguments: {weight: 10}}
"""
TOPOLOGIES = (
    {"mode": "hard", "highestTierAllowed": 1},
    {"mode": "hard", "highestTierAllowed": 2},
    {"mode": "soft"},
)


def group(name, queue, least, topology):
    return {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "PodGroup",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"minMember": least, "queue": queue, "networkTopology": topology},
        "status": {"phase": "Inqueue"},
    }


def queue(name, **spec):
    return {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "Queue",
        "metadata": {"name": name},
        "spec": {"weight": 1, **spec},
        "status": {"state": "Open"},
    }


def member(job, number, cpu, **spec):
    requests = {"resources": {"requests": {"cpu": cpu}}}
    return pod(
        f"{job}-w-{number}",
        annotations={"scheduling.k8s.io/group-name": job, "volcano.sh/task-spec": "w"},
        spec={
            "schedulerName": "volcano",
            "containers": [{"name": "app", "image": "app:1", **requests}],
            **spec,
        },
    )


def cluster(sizes, rack, jobs, *, capability=None):
    """Nodes of these sizes (cpus) in racks of so many, two racks a row, and jobs.

    A job: (pods, how many of them it needs, cpus of each, topology, queue).
    """
    names = [f"n{place:03}" for place in range(len(sizes))]
    racks = [names[at : at + rack] for at in range(0, len(names), rack)]
    leaves = [hyper_node(f"s{place:02}", 1, *members) for place, members in enumerate(racks)]
    rows = [
        hyper_node(f"srow{at // 2}", 2, *[one["metadata"]["name"] for one in leaves[at : at + 2]])
        for at in range(0, len(leaves), 2)
    ]
    objects = [
        *[node(name, cpu=str(cpus), pods="9") for name, cpus in zip(names, sizes, strict=True)],
        *leaves,
        *rows,
        queue("q0"),
        queue("q1", **({"capability": {"cpu": capability}} if capability else {})),
    ]
    for place, (pods, least, cpu, topology, into) in enumerate(jobs):
        name = f"job{place:02}"
        objects.append(group(name, f"q{into}", min(least, pods), TOPOLOGIES[topology]))
        objects += [member(name, number, cpu) for number in range(pods)]
    return objects


def play(objects, *, recalling):
    """Return all that a session does and leaves behind, and how many tries it recalled."""
    own = ("HyperNode", "PodGroup", "Queue")
    there = VolcanoCluster(build_state([item for item in objects if item["kind"] not in own]).state, objects)
    memory, binds = Memory(3), Binds()
    session = open_session(there.snapshot(), there.contents(), read_configuration(CONFIG), binds, memory)
    recalled, recall, of = [], JobTrials.recall, KnownTrials.of

    def counting(self, name):
        found = recall(self, name)
        recalled.extend([name] if found else [])
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(JobTrials, "recall", counting)
        patch.setattr(KnownTrials, "of", of if recalling else lambda *about: None)
        steps = [plain(step) for action in session.configuration.actions for step in ACTIONS[action](session)]
    left = [
        (job.uid, job.hyper_node, {uid: errors.text() for uid, errors in job.fit_errors.items()}, state(job))
        for job in session.jobs.values()
    ]
    writes = [(write.task.key, write.reason, write.message, write.nominated) for write in close(session)]
    nodes = [list(tasks) for tasks in session.nodes.tasks], session.nodes.idle.tolist()
    return (steps, left, writes, binds.nodes, memory.next_node, nodes), len(recalled)


def state(job):
    return sorted((task.key, task.status.value, task.node, str(task.now())) for task in job.tasks.values())


def plain(step):
    """Return a step with all that it holds."""
    kept = {}
    for name, value in vars(step).items():
        if name == "choice" and value is not None:
            value = value.nodes.tolist(), value.scores.tobytes(), value.best.tolist()
        elif name == "errors" and value is not None:
            value = list(value.nodes.items()), value.text()
        elif name in ("task", "job", "queue"):
            value = getattr(value, "uid", "") or value.name
        elif name == "tasks":
            value = [one.uid for one in value]
        kept[name] = str(value)
    return type(step).__name__, kept


JOB = st.tuples(
    st.integers(1, 4),
    st.integers(1, 4),
    st.sampled_from(["1", "2", "3"]),
    st.integers(0, 2),
    st.integers(0, 1),
)


@example([5, 1, 1] * 3 + [2, 2, 2], 3, [(2, 2, "3", 0, 0)] * 4, None)  # The last rack takes none of two pods.
@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from([3, 4, 5]), min_size=5, max_size=14),
    st.integers(1, 4),
    st.lists(JOB, min_size=1, max_size=3).flatmap(
        lambda shapes: st.lists(st.sampled_from(shapes), min_size=4, max_size=12)
    ),
    st.sampled_from([None, "5", "9"]),
)
def test_recalled_tries_decide_as_those_that_are_made(sizes, rack, jobs, capability):
    objects = cluster(sizes, rack, jobs, capability=capability)
    plainly, none = play(objects, recalling=False)
    quickly, _ = play(objects, recalling=True)
    assert none == 0
    assert quickly == plainly


def test_jobs_alike_recall_all_racks_in_which_nothing_changed():
    objects = cluster([4] * 40, 4, [(3, 3, "2", 0, 0)] * 6)
    plainly, _ = play(objects, recalling=False)
    quickly, recalled = play(objects, recalling=True)
    assert quickly == plainly
    assert recalled > 30


def test_of_racks_in_which_not_all_nodes_are_looked_at_the_start_of_the_search_counts():
    jobs = [(3, 3, "2", 0, 0), (2, 2, "1", 2, 0)] * 3
    objects = cluster([4, 5] * 156, 104, jobs)
    assert play(objects, recalling=True)[0] == play(objects, recalling=False)[0]


def test_each_recalled_try_can_be_held_against_one_that_is_made(monkeypatch):
    objects = cluster([4] * 24, 4, [(3, 3, "2", 0, 0)] * 6)
    expected, recalled = play(objects, recalling=True)
    monkeypatch.setattr(KnownTrials, "check_every", 1)
    assert play(objects, recalling=True) == (expected, recalled)
    monkeypatch.setattr(KnownTrials, "is_as_before", lambda *about: True)
    with pytest.raises(KeptDiffers, match="an answer kept for default/job"):
        play(cluster([4] * 24, 4, [(1, 1, "2", 0, 0), (8, 8, "2", 0, 0)] * 2), recalling=True)
