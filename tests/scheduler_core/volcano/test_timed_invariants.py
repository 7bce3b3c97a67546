"""What must hold of Volcano's runs in virtual time, alone and with kube-scheduler beside it."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scheduler_core.events.decisions import decision_decoder, encoder
from scheduler_core.events.fold import Fold
from scheduler_core.world import Simulation
from scheduler_core.world.run_input import Companion
from tests.portions import tries
from tests.scheduler_core.volcano.gangs import CONFIGURATIONS, clusters, node, pod, queue
from tests.scheduler_core.volcano.test_invariants import used
from tests.scheduler_core.volcano.test_timed import RECLAIMING, gang, job, play, timed
from tests.scheduler_core.volcano.timed_gangs import timed_clusters, written

examples = settings(max_examples=tries(15), suppress_health_check=list(HealthCheck))
controllers = st.sampled_from(["recreate", "none"])


@st.composite
def runs(draw):
    """Volcano alone, or the first job's pods under kube-scheduler, one or the other of them first."""
    (objects, edits), config = draw(timed_clusters()), draw(CONFIGURATIONS)
    more = {"controllers": draw(controllers), "until": 45}
    first = draw(st.sampled_from(["alone", "volcano", "kube"]))
    if first != "alone":
        for item in objects:
            if item["kind"] == "Pod" and item["metadata"]["name"].startswith("job-0-"):
                item["spec"]["schedulerName"] = "default-scheduler"
    if first == "volcano":
        more["beside"] = [Companion(name="kube", scheduler="kube-scheduler")]
    if first == "kube":
        more["beside"] = [Companion(scheduler="volcano", config=config)]
        return timed(objects, *edits, profile="kube-1.36", **more)
    return timed(objects, *edits, config=config, **more)


@examples
@given(runs())
def test_no_node_holds_more_than_it_has_and_the_folded_log_is_the_state_both_ways(run):
    simulation = Simulation(run)
    fold, log = Fold(simulation.base), []
    for decision in simulation:
        log.append(decision_decoder.decode(encoder.encode(decision)))
        fold.apply(log[-1])
        state = simulation.state()
        assert fold.state() == state
        size = {one.name: one.allocatable | {"pods": one.pod_limit} for one in state.nodes()}
        leaving = Counter(pod.node for pod in state.pods() if pod.terminating)
        for name, amounts in used(state).items():
            # Backfill takes a leaving pod's place at once: it looks at the count of pods, from which
            # the session has taken whom it evicted, and at no amounts.
            amounts["pods"] -= leaving[name]
            assert all(amount <= size[name].get(what, 0) for what, amount in amounts.items())
    for decision in reversed(log):
        fold.revert(decision)
    assert fold.state() == simulation.base


@examples
@given(runs(), st.data())
def test_a_run_resumed_anywhere_is_the_uninterrupted_one(run, data):
    whole = [encoder.encode(decision) for decision in Simulation(run)]
    stop = data.draw(st.integers(0, len(whole)))
    first = Simulation(run)
    begun = [encoder.encode(first.step()) for _ in range(stop)]
    resumed = Simulation(run, first.checkpoint())
    assert resumed.seq == stop
    assert begun + [encoder.encode(decision) for decision in resumed] == whole
    assert resumed.ended_by in ("quiet", "until")


def phases(decisions, name):
    """When a pod group's phase changes, in seconds, and to what."""
    return [
        (decision.time / 1000, change.new["phase"])
        for decision in decisions
        for change in decision.changes
        if getattr(change, "id", "") == name and "phase" in getattr(change, "new", {})
    ]


def arriving(name, what, at, duration):
    """The edits by which a job comes whose pods run for a while."""
    items = [item if item["kind"] == "PodGroup" else written(item) for item in gang(name, what)]
    for item in items[1:]:
        del item["spec"]["priorityClassName"]
    lasting = {"op": "add", "at": at, "duration": duration}
    return [lasting | {"manifest": item} for item in items]


def test_jobs_arrive_wait_run_and_end():
    objects = [node(0, (2, 0)), queue("research", 1)]
    edits = [*arriving("first", job(2), 5, 60), *arriving("second", job(2), 6.5, 10)]
    simulation, decisions = play(objects, *edits)
    assert phases(decisions, "ml/first") == [(5, "Inqueue"), (6, "Running"), (65, "Completed")]
    # Its room is free when the session of that second opens.
    assert phases(decisions, "ml/second") == [(7, "Inqueue"), (66, "Running"), (75, "Completed")]
    assert simulation.ended_by == "quiet"
    assert not simulation.state().pods()


def test_an_evicted_gang_terminates_while_the_other_waits_for_its_room():
    running = gang("low", job(2, 1, of_queue="prod"), on=["node-0", "node-0"])
    objects = [node(0, (2, 0)), queue("research", 1), queue("prod", 1), *running]
    for item in running[1:]:
        item["spec"]["terminationGracePeriodSeconds"] = 12
    simulation, decisions = play(objects, *arriving("high", job(1), 3, 60), config=RECLAIMING)
    told = [(one.time, one.outcome) for one in decisions if one.__struct_config__.tag in ("gang", "change")]
    at_three = [(3000, outcome) for outcome in ("added", "added", "discarded", "committed")]
    # Until the room is free, the job is promised it anew in every session.
    assert told == [*at_three, (4000, "kept"), (15_000, "gone"), (15_000, "committed"), (75_000, "gone")]
    [victim] = [one for one in simulation.base.pods() if one.uid not in _there(simulation)]
    assert victim.name.startswith("low-")


def _there(simulation):
    return {one.uid for one in simulation.state().pods()}


@pytest.mark.parametrize("first", ["volcano-1.16", "kube-1.36"])
def test_at_one_instant_schedulers_begin_in_their_order(first):
    objects = [node(0, (4, 0)), queue("default", 1), *gang("train", job(1, of_queue="default"))]
    objects.append(pod("web", 0, job(1), scheduler="default-scheduler"))
    other = {"volcano-1.16": "kube-scheduler", "kube-1.36": "volcano"}[first]
    _, decisions = play(objects, profile=first, beside=[Companion(scheduler=other)])
    kinds = [one.__struct_config__.tag for one in decisions if one.time == 0]
    assert kinds.index("attempt") == (0 if first == "kube-1.36" else len(kinds) - 1)
    assert kinds.index("close") == len(kinds) - (1 if first == "kube-1.36" else 2)
    bound = [one for one in decisions if one.__struct_config__.tag == "completion"]
    assert [(one.time, one.outcome) for one in bound] == [(10, "bound")]


def test_what_volcano_evicts_wakes_who_waits_in_kube_schedulers_queue():
    running = gang("low", job(2, 1, cpu=2, of_queue="prod"), on=["node-0", "node-0"])
    objects = [node(0, (4, 0)), queue("research", 1), queue("prod", 1), *running]
    objects.append(pod("web", 0, job(1), scheduler="default-scheduler"))
    kube = Companion(name="kube", scheduler="kube-scheduler")
    edits = arriving("high", job(1), 3, 600)
    _, decisions = play(objects, *edits, config=RECLAIMING, beside=[kube], until=60)
    attempts = Counter((one.time, one.outcome) for one in decisions if one.__struct_config__.tag == "attempt")
    assert attempts == {(0, "unschedulable"): 1, (33_000, "scheduled"): 1}


@examples
@given(clusters(), CONFIGURATIONS)
def test_without_edits_the_clock_changes_nothing_about_who_is_bound_first(objects, config):
    def first_bound(driver):
        run = timed(objects, driver=driver, config=config)
        for decision in Simulation(run):
            if decision.__struct_config__.tag == "gang" and decision.outcome == "committed":
                return [one.uid for one in decision.bound], [one.uid for one in decision.evicted]
        return None

    assert first_bound("timed") == first_bound("instant")
