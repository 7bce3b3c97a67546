"""Pods that differ from others in their own values alone: found, and stored as if they had been read."""

from typing import Any

import msgspec
import pytest

from benchmarks.kubectl_dump import kubectl_dump
from scheduler_core.objects.imports.twins import PATTERNS_OF_A_KEY, Twins
from scheduler_core.objects.privacy import Dropped, keep_public


class _List(msgspec.Struct):
    items: list[msgspec.Raw]


def pods() -> list[bytes]:
    """The texts of three running pods of one workload."""
    dump = b"".join(kubectl_dump(2, 4, workloads=1))
    texts = [bytes(item) for item in msgspec.json.decode(dump, type=_List).items]
    return [text for text in texts if b'"kind": "Pod"' in text][1:]


def kept(text: bytes) -> Any:
    return keep_public(msgspec.json.decode(text), Dropped())


def knowing(text: bytes) -> Twins:
    """Return those who were told of one pod."""
    twins = Twins()
    dropped = Dropped()
    keep_public(msgspec.json.decode(text), dropped)
    twins.learn(text, kept(text), dropped.counts())
    return twins


def test_a_pod_that_is_like_a_known_one_is_stored_as_if_it_had_been_read() -> None:
    first, second, third = pods()
    twins = knowing(first)
    for text in (second, third, first):
        twin = twins.find(text)
        assert twin is not None
        stored = kept(text)
        assert twin.text == msgspec.json.encode(stored)
        assert (twin.name, twin.uid) == (stored["metadata"]["name"], stored["metadata"]["uid"])
        shown = twin.document()
        assert shown["metadata"]["uid"] == stored["metadata"]["uid"]
        assert shown["spec"]["nodeName"] == stored["spec"]["nodeName"] == twin.node
        assert shown["spec"]["tolerations"] == stored["spec"]["tolerations"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'"creationTimestamp": "2026', b'"creationTimestamp": "2026-'),
        (b'"startTime": "2026-05-', b'"startTime": "2026-15-'),
        (b'"time": "2026-05-04T', b'"time": "yesterday'),
        (b'"nodeName": "node', b'"nodeName": "Node'),
        (b'"nodeName": "node', b'"nodeName": "n\xc3\xb6de'),
        (b'"hostIP": "10.', b'"hostIP": "\\u0031.'),
        (b'"uid": "', b'"uid": "\xff'),
        (b'"name": "kube-api-access-', b'"name": "my-api-access-'),
        (b'"restartCount": 0', b'"restartCount": 1'),
        (b'"phase": "Running"', b'"phase": "Failed"'),
        (b'"app": "app-000"', b'"app": "app-001"'),
        (b'"kind": "Pod"', b'"kind": "Pod", "kind": "Pod"'),
    ],
)
def test_a_pod_with_values_that_tell_more_is_read(before: bytes, after: bytes) -> None:
    first, second, _ = pods()
    changed = second.replace(before, after, 1)
    assert changed != second
    assert knowing(first).find(changed) is None


def test_the_volume_of_a_token_must_be_the_one_that_is_mounted() -> None:
    first, second, _ = pods()
    place = second.rindex(b"kube-api-access-") + len(b"kube-api-access-")
    assert knowing(first).find(second[:place] + b"zzzzz" + second[place + 5 :]) is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'"uid": "', b'"uuid": "'),
        (b'"app": "app-000",', b'"app": "app-000", "app": "app-000",'),
        (b'"app": "app-000",', b'"app": "\x7f",'),
    ],
)
def test_a_pod_that_no_other_can_be_like_is_not_learned(before: bytes, after: bytes) -> None:
    first = pods()[0].replace(before, after)
    assert knowing(first).find(first) is None


def test_only_so_many_pods_of_a_workload_are_learned_and_never_the_first() -> None:
    text = pods()[0]
    twins = Twins()
    assert not twins.is_worth_learning(text)
    for number in range(PATTERNS_OF_A_KEY):
        assert twins.is_worth_learning(text)
        other = text.replace(b'"restartCount": 0', b'"restartCount": %d' % number)
        twins.learn(other, kept(other), ((), (), ()))
        assert twins.find(other) is not None
    assert not twins.is_worth_learning(text)
    assert not twins.is_worth_learning(b'{"kind": "Pod"}')
