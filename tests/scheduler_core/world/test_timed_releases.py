"""Runs in virtual time under older releases, by their source."""

import pytest

from scheduler_core.kube.framework_releases.table import FRAMEWORK_RELEASES
from scheduler_core.kube.kind import KIND
from tests.scheduler_core.clusters import node, pod
from tests.scheduler_core.world.test_timed import manifest, play

TIMED = [name for name, version in KIND.versions.items() if "timed" in version.drivers]


def woken(decisions, name):
    """When a pod left the unschedulable ones, and by which event."""
    return [
        (one.time, wake.event)
        for one in decisions
        for wake in getattr(one, "wakes", ())
        if wake.pod == f"pod-{name}" and wake.source == "unschedulable"
    ]


@pytest.mark.parametrize(("profile", "at"), [("kube-1.35", 5005), ("kube-1.34", 5010)])
def test_until_1_34_a_pod_that_goes_while_it_is_bound_gives_its_room_back_at_the_end(profile, at):
    objects = [node("n", cpu="2"), pod("holds", cpu="1", node="n"), pod("waits", cpu="2")]
    add = {"op": "add", "at": 5, "manifest": manifest("first", cpu="1")}
    delete = {"op": "delete", "kind": "Pod", "namespace": "default", "name": "first", "at": 5.005}
    _, decisions = play(objects, add, delete, profile=profile, until=60)
    assert woken(decisions, "waits") == [(at, "AssignedPodDelete")]


@pytest.mark.parametrize("profile", TIMED)
def test_every_release_that_is_played_in_time_wakes_who_was_rejected(profile):
    objects = [node("n", cpu="1"), pod("waits", cpu="2")]
    add = {"op": "add", "at": 20, "manifest": node("m", cpu="2")}
    _, decisions = play(objects, add, profile=profile, until=60)
    assert decisions[-1].outcome == "bound"
    assert woken(decisions, "waits") == [(20000, "NodeAdd")]
    assert profile.removeprefix("kube-") in FRAMEWORK_RELEASES
