"""The command `sandtable`, and `kubectl sandtable`, about a cluster as it is now."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from dashboard.command_line.live import OF_KUBECTL
from dashboard.command_line.main import main
from tests.api_server import FakeApiServer, api_server
from tests.dashboard.answers.test_of_run import web

pytestmark = pytest.mark.django_db


@pytest.fixture
def server(tmp_path: Path) -> Iterator[FakeApiServer]:
    for one in (objects := web()):
        one["metadata"].setdefault("uid", one["metadata"]["name"])
    with api_server(objects, tmp_path) as running:
        yield running


def ask(server: FakeApiServer, *arguments: str, obj: str | None = None) -> Result:
    return CliRunner(env={"KUBECONFIG": str(server.kubeconfig)}).invoke(main, arguments, obj=obj)


def test_a_context_takes_the_place_of_a_file(server: FakeApiServer) -> None:
    exported = ask(server, "export", "--context", "test")
    assert exported.exit_code == 0
    kinds = {one["kind"] for one in msgspec.json.decode(exported.stdout)["items"]}
    assert {"Node", "Pod"} <= kinds

    played = ask(server, "run", "--context", "test", "--format", "markdown")
    assert (played.exit_code, played.stderr) == (0, "")
    assert "No PodDisruptionBudgets" not in played.stdout, "an empty list is no gap"


def test_the_plugin_of_kubectl_asks_the_current_context(server: FakeApiServer) -> None:
    server.forbidden = {"poddisruptionbudgets"}
    asked = ask(server, "why", "all", obj=OF_KUBECTL)
    assert (asked.exit_code, asked.stdout) == (0, "No pod waits.\n")
    assert asked.stderr == "Left out, since this account may not read them: poddisruptionbudgets.policy.\n"


@pytest.mark.parametrize(
    ("arguments", "said", "code"),
    [
        (["why", "all"], "Give the cluster: a file or a number, or --context NAME.", 3),
        (["why", "all", "--snapshot", "1", "--context", "test"], "not both", 3),
        (["export", "cluster.json", "--context", "test"], "not both", 3),
        (["import"], "Name a FILE, or a --context.", 3),
        (["headroom", "web", "--context", "nowhere"], "Error: context nowhere: is no context", 3),
        (["why", "all", "--context", "expired"], "does not take the credentials (401)", 3),
    ],
)
def test_what_cannot_be_asked_is_told(
    server: FakeApiServer, arguments: list[str], said: str, code: int
) -> None:
    result = ask(server, *arguments)
    assert result.exit_code == code
    assert said in result.stderr
    assert result.stdout == ""
