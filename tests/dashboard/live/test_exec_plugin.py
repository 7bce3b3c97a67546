"""Programs that a kubeconfig names for credentials: which are run, with what, and which answers count."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from dashboard.live import exec_plugin
from dashboard.live.kubeconfig import Connection, connection_in
from dashboard.models import Cluster, Snapshot
from dashboard.services.background.importing import import_uploads
from dashboard.services.workspace import clusters
from dashboard.services.workspace.clusters import Way
from scheduler_core.objects.problems import BadInput
from tests.api_server import api_server
from tests.builders import node
from tests.dashboard.live.test_kubeconfig import SERVER, kubeconfig

V1, V1BETA1 = "client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"
Program = Callable[[str], str]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Make a program of these lines of Python, and return its path."""

    def make(lines: str) -> str:
        path = tmp_path / "credentials"
        path.write_text(f"#!{sys.executable} -S\nimport json, os, sys\n{lines}\n")
        path.chmod(0o700)
        return str(path)

    return make


def answering(version: str = V1, **status: Any) -> str:
    answer = {"apiVersion": version, "kind": "ExecCredential", "status": status}
    return f"print({json.dumps(answer)!r})"


def wanted(command: str, **more: Any) -> dict[str, Any]:
    return {"apiVersion": V1, "interactiveMode": "Never", "command": command, **more}


def connection(command: str, path: str = "", **more: Any) -> Connection:
    """A context whose user has no token, but this program."""
    document = yaml.safe_load(kubeconfig({"certificate-authority-data": "YQ=="}))
    document["users"][0]["user"] = {"exec": wanted(command, **more)}
    return connection_in(yaml.safe_dump(document).encode(), "", [path or command])


def user_of(found: Connection) -> dict[str, Any]:
    user: dict[str, Any] = found.with_credentials().document["users"][0]["user"]
    return user


def test_an_allowed_program_gives_a_token_or_a_certificate(program: Program) -> None:
    path = program(answering(token="abc", expirationTimestamp="2999-01-01T00:00:00Z"))
    assert user_of(connection(path)) == {"token": "abc"}
    assert user_of(connection("credentials", path)) == {"token": "abc"}, "by its name alone, too"
    program(answering(V1BETA1, clientCertificateData="PEM", clientKeyData="KEY"))
    assert user_of(connection(path, apiVersion=V1BETA1)) == {
        "client-certificate-data": "UEVN",
        "client-key-data": "S0VZ",
    }
    assert connection_in(kubeconfig()).with_credentials().document["users"][0]["user"] == {"token": "t"}


def test_it_is_told_what_the_kubeconfig_says_and_nothing_of_this_process(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDTABLE_SECRET_KEY", "hidden")
    told = "json.dumps([sys.argv[1:], dict(os.environ), os.getcwd(), sys.stdin.read()])"
    answer = f"{{'apiVersion': {V1!r}, 'kind': 'ExecCredential', 'status': {{'token': {told}}}}}"
    path = program(f"print(json.dumps({answer}))")
    arguments = ["get-token", "$(id)", "; ls"]
    found = connection(path, args=arguments, env=[{"name": "REGION", "value": "eu"}], provideClusterInfo=True)
    argv, environment, folder, typed = json.loads(user_of(found)["token"])
    assert (argv, folder, typed) == (arguments, "/", "")
    info = json.loads(environment.pop("KUBERNETES_EXEC_INFO"))
    assert info["spec"]["cluster"] == {"server": SERVER, "certificate-authority-data": "YQ=="}
    environment.pop("LC_CTYPE", None)  # which Python sets for itself
    assert environment == {"REGION": "eu"}


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("sys.exit(3)", "ended with 3"),
        ("print('secret')", "printed no ExecCredential"),
        ("print('{\"apiVersion\": 1}')", "printed no ExecCredential"),
        (answering(V1BETA1, token="secret"), f"something else than an ExecCredential of {V1}"),
        (answering(), "neither a token nor a certificate"),
        (answering(clientCertificateData="secret"), "neither a token nor a certificate"),
        (answering(token="secret", expirationTimestamp="2020-01-01T00:00:00Z"), "ended at 2020-01-01"),
        (answering(token="secret", expirationTimestamp="tomorrow"), "no time with a zone"),
        (answering(token="secret", expirationTimestamp="2999-01-01T00:00:00"), "no time with a zone"),
        (answering(token="secret\r\nX: y"), "exec.token: has a line break"),
        ("sys.stdout.write('secret' * 100_000)", "printed more than 262,144 bytes"),
        ("while True: sys.stdout.write('secret' * 1000)", "printed more than 262,144 bytes"),
    ],
)
def test_other_answers_are_refused_without_being_quoted(program: Program, lines: str, said: str) -> None:
    with pytest.raises(BadInput) as refused:
        user_of(connection(program(lines)))
    assert said in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("parent", ["os.wait()", "pass"], ids=["waits", "leaves its child behind"])
def test_a_program_that_takes_too_long_is_ended_with_what_it_began(
    program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, parent: str
) -> None:
    monkeypatch.setattr(exec_plugin, "SECONDS", 1.0)
    alive = tmp_path / "alive"
    child = f"os.mkfifo({str(alive)!r})\n    open({str(alive)!r}).read()"
    path = program(f"if os.fork() == 0:\n    {child}\nelse:\n    {parent}")
    with pytest.raises(BadInput, match=r"took more than 1 s"):
        user_of(connection(path))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"command": "/bin/sh"}, "/bin/sh, which SANDTABLE_CLUSTER_COMMANDS of this server does not name"),
        ({"command": "aws "}, "does not name"),
        ({"command": "./aws"}, "does not name"),
        ({"command": "/usr/bin/../bin/aws"}, "does not name"),
        ({"command": ["aws"]}, "command: must name a program"),
        ({"apiVersion": "client.authentication.k8s.io/v1alpha1"}, "apiVersion: must be one of"),
        ({"interactiveMode": "Always"}, "nobody to talk to"),
        ({"args": "get-token"}, "args: must be a list of texts"),
        ({"args": ["a\0b"]}, "args: must be a list of texts"),
        ({"env": [{"name": "A=B", "value": "c"}]}, "env: must be a list of names"),
        ({"env": [{"name": "LD_PRELOAD", "value": "/tmp/x.so"}]}, "changes what is run"),
    ],
)
def test_what_is_not_allowed_is_refused_by_name_before_anything_runs(more: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput) as refused:
        connection(**{"command": "aws", "path": "/usr/bin/aws", **more})
    assert said in str(refused.value)


@pytest.mark.django_db
def test_a_cluster_is_read_by_a_program_for_as_long_as_it_is_allowed(
    program: Program, tmp_path: Path, dora: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.services.workspace.clusters.send_import", lambda snapshot_id: None)
    path = program(f"open({str(tmp_path / 'runs')!r}, 'a').write('x')\n{answering(token='right')}")
    settings.CLUSTER_COMMANDS = [path]
    with api_server([node("n1")], tmp_path) as server:
        document = yaml.safe_load(server.kubeconfig.read_text())
        document["users"][0]["user"] = {"exec": wanted("credentials")}
        cluster = clusters.connect_cluster(dora, Way(yaml.safe_dump(document).encode()))
        assert not (tmp_path / "runs").exists(), "the web process runs nothing"
        first = read(cluster)
        assert (first.status, first.nodes.count(), (tmp_path / "runs").read_text()) == ("ready", 1, "x")
        settings.CLUSTER_COMMANDS = []
        clusters.begin_reading(dora, cluster)
        second = read(cluster)
        assert second.status == Snapshot.Status.FAILED
        assert f"{path} may not be run any more" in str(second.problems)
        assert (tmp_path / "runs").read_text() == "x"


def read(cluster: Cluster) -> Snapshot:
    snapshot = cluster.snapshots.get(status=Snapshot.Status.IMPORTING)
    import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    return snapshot
