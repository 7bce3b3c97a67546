"""When pods start: the instant at which a run with the same change has put enough of them on nodes."""

import random
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scheduler_core.events.changes import Vanish
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.fitting.starting import UNTIL
from scheduler_core.world.fitting.what_fits import what_would_fit
from scheduler_core.world.trials.warm_world import WarmWorld
from tests.portions import EVERY
from tests.scheduler_core.clusters import clusters, node, pod
from tests.scheduler_core.volcano import gangs
from tests.scheduler_core.volcano.test_why import group, queue, worker, workers
from tests.scheduler_core.world.fitting.test_what_fits import workload
from tests.scheduler_core.world.trials.leaving import with_leaving_pods


def lasting(made, seconds=None, started="2026-03-01T00:00:00Z"):
    """A pod that runs since then, for so long."""
    if seconds is not None:
        made["metadata"].setdefault("annotations", {})["sandtable/duration"] = str(seconds)
    made["status"] = {"phase": "Running", "startTime": started}
    return made


def gang(seconds):
    """A gang that needs two of its three pods, behind one that runs for so long."""
    return [
        node("a", cpu="8"),
        group("a", 1, phase="Running"),
        lasting(worker("a-0", "a", cpu="6", on="a"), seconds),
        group("b", 2),
        *workers("b", 3, cpu="2"),
    ]


def queues():
    """A job outside a queue whose capability others hold until their pods end, one after another."""
    held = [worker(f"x-{place}", "x", cpu="2", on="a") for place in range(3)]
    return [
        node("a", cpu="8"),
        queue("q", capability={"cpu": "6"}),
        group("x", 1, "q", phase="Running"),
        *(lasting(one, 60 * place) for place, one in enumerate(held, 1)),
        group("b", 2, "q", minResources={"cpu": "4"}),
        *workers("b", 2, cpu="2"),
    ]


def plain():
    """A workload of kube-scheduler behind a pod that ends, and one that is less urgent."""
    ends = lasting(pod("ends", "2", "a"), 90, "2026-03-01T00:00:00Z")
    stays = lasting(pod("stays", "2", "b", priority=-10), None, "2026-03-01T00:00:30Z")
    return [node("a", cpu="2"), node("b", cpu="2"), ends, stays, *workload("web", 2, "2")]


def asked(objects, pods, **more):
    given = {key: more.pop(key) for key in ("profile", "driver") if key in more}
    world = WarmWorld(RunInput(objects=objects, **given))
    begun = world.simulation.checkpoint()
    found = what_would_fit(world, pods, **more)
    assert world.simulation.checkpoint() == begun
    return found


def start_of_run(objects, edits, own, enough, profile):
    """Return when so many of the pods are on nodes in a run, by the state after each of its decisions."""
    run = Simulation(
        RunInput(objects=objects, profile=profile, driver="timed", until=UNTIL, edits=list(edits))
    )

    def placed():
        there = (one for one in run.state().pods() if one.node)
        return sum(one.uid in own or one.workload == "ReplicaSet/default/web" for one in there)

    if placed() >= enough:
        return 0
    return next((decision.time for decision in run if placed() >= enough), None)


@pytest.mark.parametrize(
    ("objects", "pods", "enough", "profile"),
    [
        (gang(2400), ["pod-b-0", "pod-b-1", "pod-b-2"], 2, "volcano-1.16"),
        (queues(), ["pod-b-0", "pod-b-1"], 2, "volcano-1.16"),
        (plain(), ["pod-web-0", "pod-web-1"], 2, "kube-1.36"),
    ],
    ids=["gang", "queues", "kube"],
)
def test_a_start_time_is_that_of_a_run_with_the_same_change(objects, pods, enough, profile):
    found = asked(objects, pods, profile=profile)
    told = [([], enough, found.start)]
    for one in found.proposals:
        least = one.changes[0].after if one.changes[0].kind == "minimum" else min(enough, one.placed)
        told.append((one.edits, least, one.start))
    assert len(told) > 1
    assert any(start.at for _, _, start in told), "some start later than at once"
    for edits, least, start in told:
        assert start.at == start_of_run(objects, edits, pods, least, profile), edits


def test_a_gang_starts_once_what_it_waits_for_is_gone():
    pods = ["pod-b-0", "pod-b-1", "pod-b-2"]
    found = asked(gang(2400), pods, profile="volcano-1.16")
    start = found.start
    assert (start.at, start.once, start.gone, start.left) == (2_400_000, ["default/a-0"], 2_400_000, 1)
    starts = {one.changes[0].kind: one.start.at for one in found.proposals}
    assert (starts["add_nodes"], starts["remove_pods"]) == (0, 30_000), "a removed pod has its grace period"
    assert asked(gang(3 * 3600), pods, profile="volcano-1.16").start.ended_by == "until"
    without = asked(gang(None), pods, profile="volcano-1.16").start
    assert (without.at, without.left) == (None, 0)


def test_a_pod_of_the_snapshot_ends_its_time_after_its_start():
    run = Simulation(RunInput(objects=plain(), driver="timed", until=120))
    gone = [
        one.time
        for one in run
        if any(isinstance(each, Vanish) and each.id == "pod-ends" for each in one.changes)
    ]
    assert gone == [60_000], "90 s after its start, which is 30 s before the newest one"


def test_what_no_clock_plays_and_what_is_ended_is_told():
    objects = [node("a", cpu="1"), pod("x", "2")]
    start = asked(objects, ["pod-x"], profile="kube-1.8").start
    assert (start.ended_by, start.reason) == ("refused", "kube-1.8 is played without one")
    few = asked(objects, ["pod-x"], most=1)
    assert (few.trials, few.start.ended_by, few.ended_by) == (1, "untried", "most")


class BuiltAnew(WarmWorld):
    """A world each of whose trials is played on a cluster that is built for it."""

    @contextmanager
    def _on_ground(self, run_input, edited):
        yield self._play(run_input, prepared=edited.prepared)


def assert_starts_are_those_of_clusters_built_anew(begun):
    """Ask about the first pods that wait at the end, in both ways."""
    world, slow = WarmWorld(begun), BuiltAnew(begun)
    waiting = [uid for uid in world.baseline().pending if world.simulation.knows(uid)]
    for uid in waiting[:2]:
        found = what_would_fit(world, [uid], most=40)
        assert found == what_would_fit(slow, [uid], most=40)
        assert all(one.start is not None for one in found.proposals)


some = settings(max_examples=400 if EVERY else 4, suppress_health_check=list(HealthCheck))
chances = st.integers(0, 10**6).map(random.Random)


@some
@given(clusters(), st.sampled_from(["kube-1.36", "kube-1.34", "kube-1.28"]), chances)
def test_starts_of_any_cluster(objects, profile, dice):
    objects = with_leaving_pods(dice, objects)
    assert_starts_are_those_of_clusters_built_anew(RunInput(objects=objects, profile=profile))


@some
@given(gangs.clusters(), gangs.CONFIGURATIONS, chances)
def test_starts_of_any_gangs(objects, config, dice):
    begun = RunInput(objects=with_leaving_pods(dice, objects), profile="volcano-1.16", config=config)
    assert_starts_are_those_of_clusters_built_anew(begun)
