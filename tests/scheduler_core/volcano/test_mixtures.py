"""Mixtures of recorded sessions, whatever their clusters and configurations: decided, and to some purpose."""

from collections import Counter

import pytest

from recorded.decide import decide
from tests.mixtures.__main__ import VECTORS, recorded
from tests.mixtures.mixing import key_of
from tests.mixtures.sessions import session_mixtures

COUNT = 30


@pytest.fixture(scope="module")
def cases():
    return [case for case in recorded(VECTORS / "volcano") if "schedule" in case]


def pods_of(case):
    return {key_of(item): item for item in case["cluster"]["items"] if item["kind"] == "Pod"}


def test_a_seed_stands_for_the_same_mixtures(cases):
    one, again, other = (list(session_mixtures(cases, seed, 5)) for seed in (1, 1, 2))
    assert one == again
    assert one != other


def test_a_mixture_is_decided_and_only_who_may_is_bound_or_evicted(cases):
    happened = Counter()
    for case in session_mixtures(cases, 1, COUNT):
        pods = pods_of(case)
        nodes = {item["metadata"]["name"] for item in case["cluster"]["items"] if item["kind"] == "Node"}
        (session,) = decide(case)["sessions"]
        bound, evicted = [], []
        for action in session["actions"]:
            happened.update(key for key in action if key != "name")
            bound += action.get("binds", {}).items()
            evicted += action.get("evicted", ())
        assert len(dict(bound)) == len(bound), case["id"]
        assert len(set(evicted)) == len(evicted), case["id"]
        for pod, node in bound:
            assert node in nodes, case["id"]
            assert not pods[pod]["spec"].get("nodeName"), case["id"]
            assert not pods[pod]["spec"].get("schedulingGates"), case["id"]
            assert not pods[pod]["metadata"].get("deletionTimestamp"), case["id"]
        for pod in evicted:
            assert pods[pod]["spec"]["nodeName"] in nodes, case["id"]
            assert not pods[pod]["metadata"].get("deletionTimestamp"), case["id"]
    assert {"binds", "evicted", "pipelined", "podgroups_enqueued", "decisions"} <= set(happened)
