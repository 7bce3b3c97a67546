"""SimKube's traces as edits, and what is not taken of them."""

import msgspec
import pytest

from scheduler_core.events.decisions import Attempt
from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.traces.simkube import read_simkube

ROOM = {"cpu": "4", "memory": "8Gi", "pods": "10"}
NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}, "status": {"allocatable": ROOM}}
SPEC = {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}]}


def bare(name):
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "lab"},
        "spec": SPEC,
    }


def deployment(replicas):
    labels = {"app": "web"}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "lab"},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": SPEC},
        },
    }


def trace(*events, lifecycles=None, version=2):
    """A file as SimKube writes it: MessagePack, with pairs as keys of a map."""
    rows = [{"ts": ts, "applied_objs": applied, "deleted_objs": gone} for ts, applied, gone in events]
    return msgspec.msgpack.encode(
        {
            "version": version,
            "config": {"trackedObjects": {}},
            "events": rows,
            "index": {},
            "pod_lifecycles": lifecycles or {},
        }
    )


def test_objects_come_change_and_go_at_their_instants():
    data = trace(
        (1000, [], []),
        (1000, [deployment(1)], []),
        (1060, [deployment(3)], []),
        (1120, [bare("job-1")], [deployment(3)]),
        lifecycles={("v1.Pod", "lab/job-1"): {7: [{"Finished": [1121, 1151]}]}},
    )
    played = read_simkube(data)
    assert [(edit["op"], edit["at"]) for edit in played.edits] == [
        ("add", 0),
        ("add", 60),
        ("add", 120),
        ("delete", 120),
    ]
    assert played.edits[2]["duration"] == 30
    assert played.told == []
    run = Simulation(RunInput(objects=[NODE], edits=played.edits, driver="timed"))
    placed = [one for one in run if isinstance(one, Attempt) and one.outcome == "scheduled"]
    assert [one.time // 1000 for one in placed] == [0, 60, 60, 120]


def test_what_is_not_taken_is_told():
    cron = {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "c"}, "spec": {}}
    widget = {"apiVersion": "acme.example/v1", "kind": "Widget", "metadata": {"name": "w"}}
    spans = {("apps/v1.Deployment", "lab/web"): {7: [{"Finished": [0, 9]}, {"Running": 3}]}}
    played = read_simkube(trace((0, [cron, widget, deployment(1)], [widget]), lifecycles=spans))
    assert len(played.edits) == 1
    assert played.told == [
        "Left out: objects of kinds that nothing reads (2).",
        "Left out: objects of the kind CronJob, whose times are not played (1).",
        "Left out: times after which pods of a workload ended, which differ (1).",
    ]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"no msgpack", "is no trace of SimKube"),
        (msgspec.msgpack.encode([1, 2]), "is no trace of SimKube"),
        (trace((0, [bare("p")], []), version=1), "version: is 1; version 2 is read"),
        (trace((0, [], [])), "nothing of it can be played. No event applies or deletes an object."),
        (trace(), "events: is empty"),
    ],
)
def test_what_is_no_trace_is_refused(data, says):
    with pytest.raises(BadInput, match=says):
        read_simkube(data)
