"""A cluster that is read from its API server, as of one moment."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from dashboard.live import api_server as asking
from dashboard.live import reading
from dashboard.live.api_server import ApiServer, connect, connected
from dashboard.live.kubeconfig import connection_in
from dashboard.live.reading import read_cluster
from dashboard.live.resources import resources_of
from scheduler_core.objects.problems import BadInput
from tests.api_server import FakeApiServer, api_server
from tests.builders import node, pod

CONFIG_MAPS = [
    {
        "kind": "ConfigMap",
        "apiVersion": "v1",
        "metadata": {"namespace": namespace, "name": name},
        "data": {"a": "b"},
    }
    for namespace, name in (("volcano-system", "volcano-scheduler-configmap"), ("shop", "passwords"))
]


def _mounting(name: str, namespace: str, config_map: str) -> dict[str, Any]:
    found = pod(name, namespace=namespace)
    found["spec"]["volumes"] = [{"name": "config", "configMap": {"name": config_map}}]
    return found


@pytest.fixture
def server(tmp_path: Path) -> Iterator[FakeApiServer]:
    objects = [
        node("n1"),
        *(pod(f"p{number}", on="n1") for number in range(5)),
        _mounting("scheduler", "volcano-system", "volcano-scheduler-configmap"),
        _mounting("web", "shop", "passwords"),
        {"kind": "PodGroup", "apiVersion": "scheduling.k8s.io/v1alpha2", "metadata": {"name": "g"}},
        {"kind": "Secret", "apiVersion": "v1", "metadata": {"name": "s"}},
        *CONFIG_MAPS,
    ]
    with api_server(objects, tmp_path) as running:
        yield running


def _read(server: FakeApiServer) -> reading.Reading:
    return _read_of(connect("", str(server.kubeconfig)))


def _read_of(server: ApiServer) -> reading.Reading:
    return read_cluster(server, resources_of(server))


def test_all_lists_are_of_one_moment_and_secrets_are_not_asked_for(
    server: FakeApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "PAGE", 2)
    read = _read(server)
    names = [name for name, _ in read.payloads]
    assert names[0] == "version.json"
    assert [name for name in names if name.startswith("pods-")] == [f"pods-{page}.json" for page in range(4)]
    assert "podgroups.scheduling.k8s.io-0.json" in names, "a version that is not preferred"
    assert "horizontalpodautoscalers.autoscaling-0.json" in names, "their bounds count in a preflight"
    assert read.notes == []
    lists = [path for path in server.asked if "limit=2" in path and "continue" not in path]
    assert all("resourceVersion=7&resourceVersionMatch=Exact" in path for path in lists)
    assert not [path for path in server.asked if "secrets" in path]
    assert [path for path in server.asked if "configmaps" in path] == [
        "/api/v1/namespaces/volcano-system/configmaps/volcano-scheduler-configmap"
    ], "only those of schedulers, by name"


def test_a_moment_that_is_forgotten_begins_the_reading_anew(
    server: FakeApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "PAGE", 2)
    server.forgets = 2
    read = _read(server)
    assert read.notes == []
    assert len([name for name, _ in read.payloads if name.startswith("pods-")]) == 4, "none stands twice"

    server.forgets = 4
    read = _read(server)
    assert read.notes == ["Each list is of a moment of its own: the API server forgot the first one 3 times."]
    assert len([name for name, _ in read.payloads if name.startswith("pods-")]) == 4


def test_what_may_not_be_listed_is_told_and_nodes_must_be(server: FakeApiServer) -> None:
    server.forbidden = {"poddisruptionbudgets"}
    assert _read(server).notes == [
        "Left out, since this account may not read them: poddisruptionbudgets.policy."
    ]
    server.forbidden = {"pods"}
    with pytest.raises(BadInput, match="does not list pods: pods is forbidden"):
        _read(server)


def test_credentials_addresses_and_contexts_that_do_not_work_are_named(
    server: FakeApiServer, tmp_path: Path
) -> None:
    with pytest.raises(BadInput, match=r"does not take the credentials \(401\)"):
        _read_of(connect("expired", str(server.kubeconfig)))
    with pytest.raises(BadInput, match="is no context; there are test, expired"):
        connect("other", str(server.kubeconfig))
    with pytest.raises(BadInput, match="cannot be used"):
        connect("", str(tmp_path / "none"))
    text = server.kubeconfig.read_text()
    server.kubeconfig.write_text(text.replace("token: right", 'token: "right\\n"'))
    with pytest.raises(BadInput, match="characters that HTTP does not send") as refused:
        _read(server)
    assert "right" not in str(refused.value)
    server.kubeconfig.write_text(text.replace(server.url, "http://127.0.0.1:1"))
    with pytest.raises(BadInput, match=r"http://127\.0\.0\.1:1 cannot be reached: .*refused"):
        _read(server)


def test_an_api_server_that_asks_to_wait_is_asked_again_and_one_that_fails_is_told(
    server: FakeApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.busy = asking.REPEATS - 1
    assert _read(server).notes == []
    server.fails = {"poddisruptionbudgets"}
    assert _read(server).notes == [
        "Left out, since the API server failed to list them: poddisruptionbudgets.policy."
    ]
    server.busy = 100
    with pytest.raises(BadInput, match="does not say what it serves: too many requests"):
        _read(server)


@pytest.mark.parametrize(
    ("place", "bounds", "said"),
    [
        (reading, {"MOST_PAGES": 3}, "lists [a-z.0-9]+ without an end"),
        (asking, {"MOST_IN_ALL": 1000}, "sends more than 1,000 bytes in all"),
        (asking, {"ANSWER_SECONDS": 0}, "takes more than 0 s for an answer"),
        (asking, {"monotonic": count(0, 50).__next__}, "takes more than 50 s for an answer"),
    ],
)
def test_a_list_without_an_end_a_flood_and_a_drip_end_the_reading(
    server: FakeApiServer, monkeypatch: pytest.MonkeyPatch, place: Any, bounds: dict[str, Any], said: str
) -> None:
    connection = connect("", str(server.kubeconfig))
    server.is_endless = True
    for name, value in bounds.items():
        monkeypatch.setattr(place, name, value)
    with pytest.raises(BadInput, match=said):
        _read_of(connection)


def test_an_answer_that_does_not_begin_ends_the_reading_and_the_first_one_soon(
    server: FakeApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "FIRST_SECONDS", 0.3)
    server.drips = True
    begun = monotonic()
    with pytest.raises(BadInput, match="cannot be reached: "):
        _read(server)
    assert monotonic() - begun < 1.5, "although a byte came every 50 ms"
    server.drips = False
    connection = connect("", str(server.kubeconfig))
    resources = resources_of(connection)
    monkeypatch.setattr(asking, "READ_SECONDS", 0.3)
    server.drips = True
    with pytest.raises(BadInput, match="timed out"):
        read_cluster(connection, resources)


def test_folders_of_killed_processes_are_removed(
    server: FakeApiServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ended = subprocess.Popen(["true"])
    ended.wait()
    left, used = (tmp_path / f"sandtable-cluster-{pid}-x" for pid in (ended.pid, os.getpid()))
    left.mkdir()
    used.mkdir()
    with connected(connection_in(server.kubeconfig.read_bytes())):
        [own] = set(tmp_path.glob("sandtable-cluster-*")) - {used}
        assert own.stat().st_mode & 0o777 == 0o700
    assert sorted(tmp_path.glob("sandtable-cluster-*")) == [used]
