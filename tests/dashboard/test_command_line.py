"""The command `sandtable`: its answers, exit codes, what it refuses, and that it leaves nothing behind."""

import io
import os
import re
import subprocess
import sys
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from xml.etree import ElementTree

import click
import msgspec
import pytest
import yaml
from click.testing import CliRunner, Result

from dashboard.answers.answer import Answer
from dashboard.answers.preflight import Preflight
from dashboard.answers.printers import text as printer
from dashboard.answers.printers.words import plain
from dashboard.command_line.main import main
from dashboard.command_line.progress import Shown
from dashboard.command_line.server import Server
from dashboard.models import Run, Snapshot
from dashboard.services.workspace import why_pending
from tests.dashboard.answers.test_of_run import web
from tests.dashboard.answers.test_preflight import QUOTA, deployment
from tests.dashboard.test_comparison import run_of
from tests.dashboard.test_why_pending import imported
from tests.scheduler_core.clusters import pod

PROJECT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a cluster, in which two pods of one CPU and a half fit."""
    for one in (objects := web()):
        one["metadata"].setdefault("uid", one["metadata"]["name"])
    (tmp_path / "cluster.yaml").write_text(yaml.safe_dump_all(objects))
    return tmp_path


def manifest(folder: Path, *documents: Any) -> str:
    path = folder / "manifest.yaml"
    path.write_text(yaml.safe_dump_all(documents))
    return str(path)


def ask(*arguments: str, **more: Any) -> Result:
    return CliRunner().invoke(main, arguments, **more)


def preflight(folder: Path, documents: list[Any], *options: str) -> Result:
    cluster = str(folder / "cluster.yaml")
    return ask("preflight", manifest(folder, *documents), "--snapshot", cluster, *options)


# -- in a process of its own ---------------------------------------------------------------------------


def test_a_shell_asks_without_anything_being_left_behind(folder: Path) -> None:
    home = folder / "home"
    home.mkdir()
    kept = {name: text for name, text in os.environ.items() if name in ("PATH", "LANG")}
    done = subprocess.run(
        [sys.executable, "-c", "from dashboard.command_line.main import main; main()",
         "preflight", "-", "--snapshot", "cluster.yaml", "--format", "html"],
        cwd=folder, env={**kept, "HOME": str(home), "PYTHONPATH": str(PROJECT)},
        input=yaml.safe_dump(deployment(5)), capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("<!doctype html>")
    assert "<title>A preflight on cluster.yaml · Sandtable</title>" in done.stdout
    assert "3 of 5 fit: 3 in free room" in done.stdout
    assert "\x1b" not in done.stdout
    assert sorted(path.name for path in folder.rglob("*")) == ["cluster.yaml", "home"]


# -- answers and exit codes ----------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [["consolidate"], ["rehearse", "n1"]])
def test_names_of_nodes_lead_nowhere_in_a_file_of_a_shell_without_pages(
    folder: Path, asked: list[str]
) -> None:
    (folder / "cluster.yaml").write_text(yaml.safe_dump_all(web()))
    done = subprocess.run(
        [sys.executable, "-c", "from dashboard.command_line.main import main; main()",
         *asked, "--snapshot", "cluster.yaml", "--format", "html"],
        cwd=folder, env={**os.environ, "HOME": str(folder), "PYTHONPATH": str(PROJECT)},
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.stderr == ""
    assert "<b>n1</b>" in done.stdout
    assert 'href="/' not in done.stdout


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("documents", "options", "code"),
    [
        ([deployment(2)], [], 0),
        ([deployment(9)], [], 1),
        ([deployment(9), {**QUOTA, "status": {}}], [], 2),
        ([deployment(6, priorityClassName="urgent")], ["--max-evictions", "2"], 2),
        ([deployment(6, priorityClassName="urgent")], ["--max-evictions", "99", "--no-budget-violation"], 0),
        ([deployment(2, resourceClaims=[{"name": "card", "resourceClaimName": "card"}])], [], 4),
        ([deployment(2)], ["--strict"], 4),
    ],
)
def test_exit_codes_say_what_came_of_it(
    folder: Path, documents: list[Any], options: list[str], code: int
) -> None:
    result = preflight(folder, documents, *options)
    assert (result.exit_code, result.stderr) == (code, "")


OLD_BUDGET = {
    "apiVersion": "policy/v1beta1", "kind": "PodDisruptionBudget", "metadata": {"name": "api"},
    "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "api"}}},
}  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize(("version", "code"), [("v1.24.17", 0), ("v1.25.0", 3)])
def test_what_the_release_of_the_cluster_does_not_serve_is_refused(
    folder: Path, version: str, code: int
) -> None:
    told = {"serverVersion": {"gitVersion": version}}
    cluster = [*yaml.safe_load_all((folder / "cluster.yaml").read_text()), told]
    (folder / "cluster.yaml").write_text(yaml.safe_dump_all(cluster))
    result = preflight(folder, [deployment(1), OLD_BUDGET])
    assert result.exit_code == code
    said = (
        "Error: PodDisruptionBudget api: apiVersion: no matches for kind "
        '"PodDisruptionBudget" in version "policy/v1beta1": it was removed in 1.25, and policy/v1 takes its '
        "place; the API server is of 1.25 (v1.25.0)\n"
    )
    assert result.stderr == (said if code else "")
    wanted = manifest(folder, deployment(1), OLD_BUDGET)
    fits = ask("would-fit", "--manifest", wanted, "--snapshot", str(folder / "cluster.yaml"))
    assert (fits.exit_code, fits.stderr) == (code, said if code else "")


@pytest.mark.django_db
def test_what_is_wrong_is_named_by_object_field_and_reason(folder: Path) -> None:
    wrong = deployment(2)
    wrong["spec"]["template"]["spec"]["priorityClasName"] = "urgent"
    result = preflight(folder, [wrong])
    assert (result.exit_code, result.stdout) == (3, "")
    assert (
        "manifest.yaml: Deployment api: spec.template.spec.priorityClasName: is an unknown" in result.stderr
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["preflight", "gone.yaml", "--snapshot", "cluster.yaml"], "gone.yaml: No such file or directory"),
        (["preflight", ".", "--snapshot", "gone.yaml"], "there is no .yaml, .yml, .json file in this folder"),
        (["run", "gone.yaml"], "gone.yaml: No such file or directory"),
        (["import", "gone.yaml", "--token", "x"], "gone.yaml: No such file or directory"),
    ],
)
def test_files_that_are_not_there_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = ask(*arguments)
    assert (result.exit_code, result.stdout) == (3, "")
    assert said in result.stderr


@pytest.mark.django_db
def test_a_file_that_can_not_be_read_is_named_once(folder: Path) -> None:
    (folder / "bad.yaml").write_text("x: [")
    told = ask("run", str(folder / "bad.yaml"))
    assert (told.exit_code, told.stderr.count("bad.yaml")) == (3, 1)
    told = ask("run", "-", input="x: [")
    assert told.stderr.startswith("Error: standard input: not readable as YAML")


def test_progress_is_taken_away_on_a_terminal_without_colours_too(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    terminal.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stderr", terminal)
    with click.Context(main, color=False), Shown() as shown:
        shown.tell(1, 2)
    assert terminal.getvalue() == "\r\033[K1 of 2\r\033[K"


@pytest.mark.django_db
def test_a_scheduler_that_there_is_not_is_refused(folder: Path) -> None:
    result = preflight(folder, [deployment(2)], "--scheduler", "kube-0.1")
    assert result.exit_code == 3
    assert "kube-0.1" in result.stderr


@pytest.mark.parametrize(
    ("ended", "code"), [(KeyboardInterrupt, 130), (BrokenPipeError, 141)], ids=["Ctrl-C", "a closed pipe"]
)
def test_what_ends_a_command_early_is_no_answer(
    monkeypatch: pytest.MonkeyPatch, ended: type[BaseException], code: int
) -> None:
    def end(*_: Any) -> None:
        raise ended

    monkeypatch.setattr("dashboard.command_line.headroom.open_snapshot", end)
    assert ask("headroom", "--snapshot", "cluster.json").exit_code == code


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux's")
def test_an_answer_that_cannot_be_written_is_no_answer() -> None:
    script = "import sys; sys.argv[0] = 'sandtable'; from dashboard.command_line.main import main; main()"
    with open("/dev/full", "w") as full:
        told = subprocess.run(
            [sys.executable, "-c", script, "run", "--help"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert (told.returncode, told.stderr) == (
        74,
        "Error: The answer could not be written: No space left on device.\n",
    )


@pytest.mark.parametrize("arguments", [["nothing"], ["--nothing"], ["headroom"], ["headroom", "--nothing"]])
def test_arguments_that_are_wrong_are_no_answer(arguments: list[str]) -> None:
    told = ask(*arguments)
    assert (told.exit_code, told.stdout) == (3, "")
    assert told.stderr.startswith("Usage: ")


# -- forms ---------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_junit_has_a_case_for_each_workload(folder: Path) -> None:
    other = {**deployment(1), "metadata": {"name": "other", "namespace": "shop"}}
    result = preflight(folder, [other, deployment(9)], "--format", "junit")
    suite = ElementTree.fromstring(result.stdout)[0]
    cases = {case.get("name"): case for case in suite.iter("testcase")}
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    [failure] = cases["Deployment api"]
    assert (failure.tag, failure.get("type")) == ("failure", "not")
    assert failure.get("message") == "default/api: 2 of 9 fit: 2 in free room; 7 find no node."
    assert list(cases["Deployment other"]) == []


def hook(name: str, hooks: str, pods: int = 1) -> dict[str, Any]:
    """Return a Job of so many pods at once, as most hooks are."""
    metadata = {"name": name, "annotations": {"helm.sh/hook": hooks}}
    spec = {**deployment(1)["spec"]["template"]["spec"], "restartPolicy": "Never"}
    template = {"parallelism": pods, "completions": pods, "template": {"spec": spec}}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": template}


@pytest.mark.django_db
def test_helm_s_hooks_of_other_times_take_no_room(folder: Path) -> None:
    documents = [deployment(3), hook("early", "pre-install", 3), hook("test", "test", 9)]
    result = preflight(folder, [*documents, hook("late", "pre-delete", 9)])
    assert result.exit_code == 0
    assert "Before all others, and done by then: default/early: 3 of 3 fit" in result.stdout
    assert (
        "2 objects of the manifest are left out: Helm's hooks pre-delete, test are not of an install "
        "(Job test, Job late)." in result.stdout
    )
    result = preflight(folder, [deployment(3), hook("after", "post-install", 1)])
    assert (result.exit_code, "default/after: 0 of 1 fit" in result.stdout) == (1, True)
    assert preflight(folder, [deployment(3), hook("early", "pre-install", 9)]).exit_code == 1


@pytest.mark.django_db
def test_what_hooks_and_all_others_do_alike_to_pods_that_wait_is_said_once(folder: Path) -> None:
    waiting = pod("waits", cpu="99")
    (folder / "cluster.yaml").write_text(yaml.safe_dump_all([*web(), waiting]))
    result = preflight(folder, [deployment(1), hook("early", "pre-install", 1)])
    assert result.stdout.count("No pod of others is pending because of it: 1 waits either way.") == 1


@pytest.mark.django_db
def test_helm_s_last_hooks_are_said_to_be_tried_at_once_where_they_do_not_fit_so(folder: Path) -> None:
    said = "2 post-install hooks of Helm's are tried at once"
    late = [hook(name, "post-install", 2) for name in ("late", "later")]
    result = preflight(folder, late)
    assert (result.exit_code, said in result.stdout) == (1, True)
    assert said not in preflight(folder, [hook("late", "post-install"), hook("later", "post-install")]).stdout
    assert "tried at once" not in preflight(folder, [deployment(3), hook("late", "post-install")]).stdout


@pytest.mark.django_db
def test_helm_s_hooks_that_stay_are_there_beside_the_others(folder: Path) -> None:
    metadata = {"name": "early", "annotations": {"helm.sh/hook": "pre-install"}}
    result = preflight(folder, [deployment(3), {**deployment(3), "metadata": metadata}])
    assert (result.exit_code, "3 of 6 pods fit" in result.stdout) == (1, True)
    claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    early = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata, "spec": claim}
    volumes = [{"name": "data", "persistentVolumeClaim": {"claimName": "early"}}]
    result = preflight(folder, [deployment(1, volumes=volumes), early])
    assert "not found" not in result.stdout
    assert "1 other object applied" in result.stdout


@pytest.mark.django_db
def test_what_would_make_a_hook_fit_is_asked_without_the_others(folder: Path) -> None:
    wanted = manifest(folder, deployment(9), hook("early", "pre-install", 2), hook("test", "test", 9))
    cluster = str(folder / "cluster.yaml")
    found = ask("would-fit", "Job/default/early", "-f", wanted, "--snapshot", cluster)
    assert (found.exit_code, "2 of 2 fit" in found.stdout) == (0, True)
    found = ask("would-fit", "Job/default/test", "-f", wanted, "--snapshot", cluster)
    assert found.exit_code == 3


REFUSED_QUOTA = {
    "apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "late", "namespace": "going"},
    "spec": {"hard": {"pods": "7"}},
}  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("documents", "options", "code", "kinds"),
    [
        ([deployment(2)], [], 0, []),
        ([deployment(9)], [], 1, ["not"]),
        ([deployment(9), {**QUOTA, "status": {}}], [], 2, ["limit"]),
        ([deployment(6, priorityClassName="urgent")], ["--max-evictions", "2"], 2, ["limit"]),
        ([deployment(1), REFUSED_QUOTA], [], 2, ["limit"]),
        ([deployment(1), REFUSED_QUOTA], ["--strict"], 2, ["limit"]),
        ([deployment(1, priorityClassName="nonesuch"), REFUSED_QUOTA], [], 2, ["limit"]),
        ([deployment(2, resourceClaims=[{"name": "card", "resourceClaimName": "card"}])], [], 4, ["unsure"]),
        ([deployment(2)], ["--strict"], 4, ["unsure"]),
        ([deployment(9)], ["--strict"], 1, ["not"]),
        ([OLD_BUDGET], ["--strict"], 4, ["unsure"]),
        ([{**deployment(2), "spec": {"replica": 2}}, OLD_BUDGET], [], 3, ["wrong"]),
    ],
)
def test_junit_has_failures_or_errors_exactly_where_the_exit_code_is_not_0(
    folder: Path, documents: list[Any], options: list[str], code: int, kinds: list[str]
) -> None:
    going = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "going", "uid": "going"}}
    cluster = [*web(), {**going, "status": {"phase": "Terminating"}}]
    for one in cluster:
        one["metadata"].setdefault("uid", one["metadata"]["name"])
    (folder / "cluster.yaml").write_text(yaml.safe_dump_all(cluster))
    result = preflight(folder, documents, *options, "--format", "junit")
    assert result.exit_code == code
    [suite] = ElementTree.fromstring(result.stdout)
    told = [one for tag in ("failure", "error") for one in suite.iter(tag)]
    assert sorted({str(one.get("type")) for one in told}) == kinds
    assert all(one.get("message") for one in told)
    counts = [str(len(list(suite.iter(tag)))) for tag in ("testcase", "failure", "error")]
    assert [suite.get(name) for name in ("tests", "failures", "errors")] == counts
    assert (suite.get("errors") != "0") == (code == 3)


def test_a_token_goes_to_no_other_address(folder: Path) -> None:
    heard: list[tuple[str, str | None]] = []

    class Elsewhere(BaseHTTPRequestHandler):
        """Sends everybody on to itself, under another path."""

        def do_POST(self) -> None:
            heard.append((self.path, self.headers["Authorization"]))
            self.send_response(302)
            self.send_header("Location", f"http://127.0.0.1:{server.server_port}/elsewhere")
            self.end_headers()

        do_GET = do_POST

        def log_message(self, *_: Any) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        done = ask("import", str(folder / "cluster.yaml"), "--server", url, "--token", "secret")
        server.shutdown()
    assert done.exit_code == 3
    assert "302 Found" in done.stderr
    assert [authorization for path, authorization in heard if path == "/elsewhere"] == []
    assert heard


@pytest.mark.django_db
def test_a_running_server_is_asked_until_it_answers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = msgspec.json.decode(preflight(folder, [deployment(9)], "--format", "json").stdout)
    stages = [f"It waits: 1 question before this one; it has run for {seconds} s." for seconds in (3, 8)]
    waits = [{"state": "computing", "stage": stage, "found": None} for stage in stages]
    told = iter([*waits, {"state": "answered", "stage": "", "found": found}])
    monkeypatch.setattr(Server, "send", lambda self, path, body: next(told))
    asked = [
        "preflight",
        str(folder / "manifest.yaml"),
        "--server",
        "http://sandtable.example",
        "--token",
        "x",
    ]
    assert ask(*asked, "--snapshot", "cluster.yaml").exit_code == 3
    result = ask(*asked, "--snapshot", "7")
    assert (result.exit_code, result.stderr) == (1, f"{stages[0]}\n")
    assert result.stdout.startswith("default/api: 3 of 9 fit")


@pytest.mark.django_db
def test_json_has_figures_beside_the_answer_and_markdown_says_the_same(folder: Path) -> None:
    text = preflight(folder, [deployment(2)], "--format", "json").stdout
    found = msgspec.json.decode(text, type=Preflight)
    assert (found.answer.verdict, found.workloads[0].fit, found.evicted) == ("fits", 2, 0)
    assert preflight(folder, [deployment(2)], "--format", "markdown").stdout.startswith(
        "**default/api: 2 of 2 fit: 2 in free room"
    )


@pytest.mark.django_db
def test_secrets_of_a_manifest_are_left_out_and_told(folder: Path) -> None:
    keys = [
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}} for name in ("first", "second")
    ]
    said = "2 Secrets of the manifest are left out: no scheduler reads Secrets."
    assert said in preflight(folder, [*keys, deployment(2)]).stdout
    assert "Secret" not in preflight(folder, [deployment(2)]).stdout


# -- the other subcommands -----------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_run_is_played_and_held_against_the_cluster_without_its_edits(folder: Path) -> None:
    edits = folder / "edits.yaml"
    edits.write_text(yaml.safe_dump([{"op": "drain", "node": "n1"}]))
    result = ask("run", str(folder / "cluster.yaml"), "--edits", str(edits))
    assert result.exit_code == 0
    assert result.stdout.startswith("n1 is empty; 1 more pod is pending because of it.")
    page = ask("run", str(folder / "cluster.yaml"), "--edits", str(edits), "--format", "html").stdout
    assert "<title>cluster.yaml · Sandtable</title>" in page
    assert "1 more pod is pending because of it." in page
    assert "<h2>What was asked</h2>" in page
    assert "decisions by engine" in page


@pytest.mark.django_db
def test_edits_are_read_as_an_import_is_and_the_input_is_read_once(folder: Path) -> None:
    cluster, edits = str(folder / "cluster.yaml"), folder / "edits.yaml"
    for text, says in (
        ("[" * 2_000, "nested deeper than 100 levels (line 1)"),
        ("op: drain\nop: cordon", "op"),
        ("edits: 5", "edits: must be a list"),
    ):
        edits.write_text(text)
        result = ask("run", cluster, "--edits", str(edits))
        assert (result.exit_code, says in result.stderr) == (3, True), result.stderr
    twice = ask("preflight", "-", "--snapshot", "-", input=yaml.safe_dump(deployment(1)))
    assert twice.exit_code == 3
    assert twice.stderr == "Error: -: the standard input can be read once: give one of the two as a file\n"


@pytest.mark.django_db
def test_a_stored_run_and_what_a_server_holds_become_files(
    folder: Path, alice: Any, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of(imported(alice, *web()))
    client.force_login(alice)

    def sent(self: Server, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> bytes:
        heard = client.generic(method, f"/api/v1/{path}", body or b"", headers.get("Content-Type", ""),
                               headers={"accept": headers.get("Accept", "*/*")})  # fmt: skip
        assert heard.status_code in (200, 202), heard.content
        return bytes(heard.content)

    monkeypatch.setattr(Server, "_bytes", sent)
    server = ["--server", "http://sandtable.example", "--token", "x"]
    page = ask("export", "--run", str(run.pk)).stdout
    assert page.startswith("<!doctype html>")
    assert f", run {run.pk} · Sandtable</title>" in page
    assert ask("export", "--run", str(run.pk), *server).stdout == page
    number = str(run.snapshot_id)
    assert ask("export", number, *server).stdout == ask("export", number).stdout
    named = ask("export", number, "--anonymise", "--key", "k", *server).stdout
    assert named == ask("export", number, "--anonymise", "--key", "k").stdout
    there = ask("headroom", "--snapshot", number, "--format", "html", *server)
    assert there.stdout == ask("headroom", "--snapshot", number, "--format", "html").stdout
    assert there.stdout.startswith("<!doctype html>")
    assert ask("export", "--run", "999").stderr == "Error: run 999: there is no run of this number\n"
    assert ask("export", "--run", "1", number).exit_code == 3
    Run.objects.filter(pk=run.pk).update(status="cancelled", base=None)
    told = ask("export", "--run", str(run.pk))
    assert (told.exit_code, told.stderr) == (3, f"Error: Run {run.pk} ended before its first decision.\n")
    Run.objects.filter(pk=run.pk).update(status="paused", finished_at=None)
    told = ask("export", "--run", str(run.pk))
    assert (told.exit_code, told.stderr) == (3, f"Error: Run {run.pk} has not ended.\n")


@pytest.mark.django_db
def test_why_a_pod_waits(folder: Path) -> None:
    waiting = {**pod("big", cpu="8"), "status": {"phase": "Pending"}}
    (folder / "cluster.yaml").write_text(yaml.safe_dump_all([*web(), waiting]))
    result = ask("why", "default/big", "--snapshot", str(folder / "cluster.yaml"))
    assert result.exit_code == 0
    assert "Fits on none of 2 nodes: 2 lack only cpu; it is larger than any open node" in result.stdout
    assert ask("why", "web", "--snapshot", str(folder / "cluster.yaml")).stdout == "No pod of web waits.\n"
    assert ask("why", "gone", "--snapshot", str(folder / "cluster.yaml")).exit_code == 3
    small = [{**pod(name, cpu="1"), "status": {"phase": "Pending"}} for name in ("s1", "s2")]
    (folder / "small.yaml").write_text(yaml.safe_dump_all([*web(), *small]))
    said = ask("why", "all", "--snapshot", str(folder / "small.yaml")).stdout
    assert said.startswith("2 pods wait: both would be placed now, each by itself.")
    assert "of those that would be placed now, not all may fit together." in said


@pytest.mark.django_db
def test_that_no_pod_waits_is_an_answer_in_each_form(folder: Path) -> None:
    (folder / "cluster.yaml").write_text(yaml.safe_dump_all(web()))
    asked = ("why", "all", "--snapshot", str(folder / "cluster.yaml"), "--format")
    assert ask(*asked, "text").stdout == "No pod waits.\n"
    told = msgspec.json.decode(ask(*asked, "json").stdout, type=Answer)
    assert (told.verdict, plain(told.lead)) == ("nothing_asked", "No pod waits.")
    assert ask(*asked, "html").stdout.startswith("<!doctype html>")


@pytest.mark.django_db
def test_a_job_that_waits_without_pods_is_told_of_and_why_by_a_run(folder: Path) -> None:
    """Volcano's controllers make its pods once its queue lets it in."""
    spec = {"containers": pod("x", cpu="1")["spec"]["containers"]}
    task = {"name": "w", "replicas": 3, "template": {"spec": spec}}
    job = {
        "apiVersion": "batch.volcano.sh/v1alpha1",
        "kind": "Job",
        "metadata": {"name": "train", "uid": "u"},
    }
    job |= {"spec": {"minAvailable": 3, "tasks": [task]}, "status": {"state": {"phase": "Pending"}}}
    queue = {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue", "metadata": {"name": "default"}}
    queue |= {"spec": {"weight": 1, "capability": {"cpu": "2"}}, "status": {"state": "Open"}}
    cluster = folder / "cluster.yaml"
    cluster.write_text(yaml.safe_dump_all([*web(), job, queue]))
    said = ask("run", str(cluster)).stdout
    assert said.startswith("No pod found a node, and no pod was evicted. 1 job waits without pods as yet.\n")
    assert "queue default allows 2 cpu, 0 held, 0 promised; it asks for 3, 1 too much." in said
    assert "volcano: 1 job waits for pods that its controllers make; " in said
    all_of_it = ask("why", "all", "--snapshot", str(cluster)).stdout
    assert all_of_it.startswith("No pod waits. 1 job waits for pods that a controller makes: `sandtable run`")
    refused = ask("why", "default/train", "--snapshot", str(cluster))
    assert refused.exit_code == 3
    assert "default/train has no pods in the snapshot: `sandtable run` plays its controller" in refused.stderr
    queue["spec"]["capability"] = {"cpu": "3"}
    cluster.write_text(yaml.safe_dump_all([*web(), job, queue]))
    assert "Nothing is left pending." in ask("run", str(cluster)).stdout


@pytest.mark.django_db
def test_why_pods_wait_is_told_as_a_server_tells_it(folder: Path, alice: Any) -> None:
    waiting = pod("big", cpu="8")
    message = "0/2 nodes are available: 2 Insufficient cpu."
    refused = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": message}
    waiting["status"] = {"phase": "Pending", "conditions": [refused]}
    (folder / "cluster.yaml").write_text(yaml.safe_dump_all([*web(), waiting]))
    here = ask("why", "all", "--snapshot", str(folder / "cluster.yaml")).stdout
    assert "1 was already refused by the cluster’s own scheduler with the same words." in here
    snapshot = imported(alice, *web(), waiting)
    found = why_pending.asked(snapshot, 30)
    there = printer.text(why_pending.answer(snapshot, found, found.told))
    seconds = re.compile(r"in [0-9.]+ s")
    assert seconds.sub("", here).strip() == seconds.sub("", there).strip()


@pytest.mark.django_db
def test_what_would_fit_how_many_more_and_a_rehearsal_are_told_with_exit_codes(folder: Path) -> None:
    waiting = {**pod("big", cpu="8"), "status": {"phase": "Pending"}}
    template = {"metadata": {"labels": {"app": "web"}}, "spec": pod("w", cpu="1")["spec"]}
    spec = {"replicas": 5, "selector": {"matchLabels": {"app": "web"}}, "template": template}
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "web"}, "spec": spec}
    (folder / "cluster.yaml").write_text(yaml.safe_dump_all([*web(), waiting, owner]))
    source = ["--snapshot", str(folder / "cluster.yaml")]
    found = ask("would-fit", "default/big", *source)
    assert (found.exit_code, found.stdout.split(" fit with this change")[0]) == (0, "default/big: 1 of 1")
    assert ask("would-fit", "default/w0", *source).exit_code == 3
    of_manifest = ["-f", manifest(folder, deployment(1, nodeSelector={"disk": "ssd"})), *source]
    found = ask("would-fit", *of_manifest)
    assert (found.exit_code, found.stdout.split(" fit with this change")[0]) == (0, "default/api: 1 of 1")
    assert ask("would-fit", "Deployment/default/gone", *of_manifest).exit_code == 3
    assert ask("headroom", *source).stdout.startswith("3 more of default/web fit.")
    assert [ask("headroom", *source, "--least", least).exit_code for least in ("3", "4")] == [0, 1]
    assert ask("headroom", "Deployment/default/gone", *source).exit_code == 3
    rehearsed = ask("rehearse", "n1", *source, "--back", "60")
    assert (rehearsed.exit_code, rehearsed.stdout.split(":")[0]) == (0, "n1 can be drained")
    assert ask("rehearse", "n1", *source, "--format", "runbook").stdout.startswith("# Upgrade of 1 node, ")
    assert ask("rehearse", "gone", *source).exit_code == 3
    assert ask("rehearse", *source).exit_code == 3


@pytest.mark.django_db
def test_a_server_tells_what_is_wrong_with_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {"state": "answered", "stage": "", "fault": "The worker was lost.", "answer": None}
    heard: list[str] = []
    monkeypatch.setattr(Server, "send", lambda self, path, body: heard.append(path) or told)
    server = ["--server", "http://sandtable.example", "--token", "x", "--snapshot", "7"]
    result = ask("headroom", "Deployment/a/b", *server)
    assert (result.exit_code, result.stderr) == (3, "Error: The worker was lost.\n")
    told["fault"] = ""
    assert ask("rehearse", "n1", *server).stderr == "Error: It was ended before it was answered.\n"
    assert ask("would-fit", "a/b", *server).exit_code == 3
    assert heard == [
        "snapshots/7/headroom/?workload=Deployment%2Fa%2Fb&most=1000",
        "snapshots/7/rehearsal/",
        "snapshots/7/would-fit/?pod=a%2Fb",
    ]


@pytest.mark.django_db
def test_an_export_has_no_secrets_and_a_number_names_what_is_stored(folder: Path) -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "key"}, "data": {"key": "eA=="}}
    (folder / "cluster.yaml").write_text(yaml.safe_dump_all([*web(), secret]))
    exported = ask("export", str(folder / "cluster.yaml")).stdout
    kinds = {one["kind"] for one in msgspec.json.decode(exported)["items"]}
    assert kinds == {"Node", "Pod", "PriorityClass"}
    assert ask("export", str(Snapshot.objects.get().pk)).stdout == exported
    assert ask("export", "99").exit_code == 3
    other = ask("export", str(folder / "cluster.yaml"), "--anonymise", "--key", "k").stdout
    assert len(msgspec.json.decode(other)["items"]) == len(msgspec.json.decode(exported)["items"])
    assert '"n1"' in exported
    assert '"n1"' not in other


def test_a_server_without_what_is_asked_for_is_told_by_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(request: Any, timeout: float) -> None:
        body = b'{"errors": [{"object": "request", "message": "There is nothing at this address."}]}'
        raise HTTPError(request.full_url, 404, "Not Found", Message(), BytesIO(body))

    monkeypatch.setattr("dashboard.command_line.server._opener.open", nothing)
    server = ["--server", "http://sandtable.example", "--token", "x"]
    assert ask("export", "99", *server).stderr == "Error: there is no snapshot 99\n"
    assert ask("export", "--run", "7", *server).stderr == "Error: there is no run 7\n"


def test_help_names_the_subcommands_and_the_exit_codes() -> None:
    asked = ("consolidate", "headroom", "preflight", "rehearse", "sweep", "would-fit")
    names = (*asked, "export", "import", "run", "up", "why")
    assert all(name in ask("--help").stdout for name in names)
    for name in names:
        assert ask(name, "--help").exit_code == 0
    assert all("Exit codes:" in ask(name, "--help").stdout for name in asked)
    assert "3  the manifest, or the snapshot, is wrong" in ask("preflight", "--help").stdout
