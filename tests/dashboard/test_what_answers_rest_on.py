"""What every answer rests on is told: a release that knows less, an import that lacks kinds."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from django.test import Client

from dashboard.command_line.main import main
from dashboard.services.background import warm_worlds
from dashboard.services.workspace.snapshots import import_snapshot
from tests.scheduler_core.clusters import node, pod

WAITS = {"phase": "Pending"}
GATED = {"schedulingGates": [{"name": "example.com/wait"}]}
OTHER = "Played as 1.13; the nodes' kubelets are of 1.36"
UNKNOWN = "Not known to kube-1.13: schedulingGates of 1 pod."
QUESTIONS = [
    ("why", "default/held"),
    ("would-fit", "default/held"),
    ("headroom", "ReplicaSet/default/web"),
    ("consolidate", "n2", "--seconds", "5"),
    ("preflight", "MANIFEST"),
    ("run",),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a cluster of 1.36, of which a gated pod is too large, and the manifest of a small pod."""
    nodes = [node(name, cpu="4") for name in ("n1", "n2")]
    for one in nodes:
        one["status"]["nodeInfo"] = {"kubeletVersion": "v1.36.1"}
    template = {"metadata": {"labels": {"app": "web"}}, "spec": pod("w", "1")["spec"]}
    spec = {"replicas": 1, "selector": {"matchLabels": {"app": "web"}}, "template": template}
    web = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "web"}, "spec": spec}
    held = {**pod("held", "6", **GATED), "status": WAITS}
    objects = [*nodes, web, pod("w-0", "1", on="n1", owner="web", labels={"app": "web"}), held]
    (tmp_path / "cluster.yaml").write_text(yaml.safe_dump_all(objects))
    (tmp_path / "manifest.yaml").write_text(yaml.safe_dump(pod("small", "1")))
    return tmp_path


def asked(folder: Path, question: tuple[str, ...], *options: str) -> Any:
    cluster = str(folder / "cluster.yaml")
    words = [str(folder / "manifest.yaml") if word == "MANIFEST" else word for word in question]
    source = [cluster] if words[0] == "run" else ["--snapshot", cluster]
    return CliRunner().invoke(main, [*words, *source, *options], catch_exceptions=False)


@pytest.mark.django_db
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question[0])
def test_what_an_older_release_does_not_know_is_told_in_every_answer(
    folder: Path, question: tuple[str, ...]
) -> None:
    said = asked(folder, question, "--scheduler", "kube-1.13").stdout
    assert (said.count(OTHER), said.count(UNKNOWN)) == (1, 1), said
    own = asked(folder, question, "--scheduler", "kube-1.36").stdout
    assert "Played as" not in own
    assert "Not known to" not in own


@pytest.mark.django_db
@pytest.mark.parametrize("question", [*QUESTIONS, ("rehearse", "n2")], ids=lambda question: question[0])
def test_the_release_that_is_played_instead_is_told_once(folder: Path, question: tuple[str, ...]) -> None:
    text = (folder / "cluster.yaml").read_text()
    (folder / "cluster.yaml").write_text(text.replace("v1.36.1", "v1.38.0"))
    said = asked(folder, question).stdout
    assert (said.count("Played as 1.37; the nodes' kubelets are of 1.38"), said.count("1.37")) == (1, 1), said


@pytest.mark.django_db
def test_of_volcanos_jobs_under_kube_scheduler_no_session_and_no_queue_is_told(folder: Path) -> None:
    template = {"spec": pod("w", "2", schedulerName="volcano")["spec"]}
    tasks = [{"name": "w", "replicas": 2, "template": template}]
    owner = {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "name": "beta", "uid": "b"}
    metadata = {"name": "beta", "namespace": "default", "uid": "b"}
    job = {**owner, "metadata": metadata, "spec": {"minAvailable": 2, "tasks": tasks}}
    pods = [{**pod(f"beta-{at}", "2", schedulerName="volcano"), "status": WAITS} for at in (1, 2)]
    for one in pods:
        one["metadata"]["ownerReferences"] = [{**owner, "controller": True}]
        one["metadata"]["annotations"] = {"scheduling.k8s.io/group-name": "beta"}
    with (folder / "cluster.yaml").open("a") as cluster:
        cluster.write("---\n" + yaml.safe_dump_all([job, *pods]))
    kube = ("--scheduler", "kube-1.36")
    why = asked(folder, ("why", "all"), *kube).stdout
    room = asked(folder, ("headroom", "Job.batch.volcano.sh/default/beta"), *kube).stdout
    nobody = "No scheduler decides about it: no scheduler of this run serves the schedulerName volcano."
    assert (nobody in why, nobody in room) == (True, True), room
    assert ("in one session" in why, "enter its queue" in room) == (False, False)


@pytest.mark.django_db
def test_pods_of_a_scheduler_that_a_run_has_not_are_told_in_one_line(folder: Path) -> None:
    odd = {**pod("odd", "1", schedulerName="odd-scheduler"), "status": WAITS}
    with (folder / "cluster.yaml").open("a") as cluster:
        cluster.write("---\n" + yaml.safe_dump(odd))
    said = asked(folder, ("run",)).stdout
    assert "1 pod names the scheduler odd-scheduler, which this run has not" in said
    assert "default/odd" not in said, "as of a run that a worker has played"


@pytest.mark.django_db
def test_what_would_make_pods_fit_whose_scheduler_is_not_modelled_is_not_known(folder: Path) -> None:
    text = (folder / "cluster.yaml").read_text()
    (folder / "cluster.yaml").write_text(text.replace("v1.36.1", "v1.34.1"))
    claims = [{"name": "card", "resourceClaimName": "card"}]
    claiming = {**pod("claiming", "1", resourceClaims=claims), "status": WAITS}
    with (folder / "cluster.yaml").open("a") as cluster:
        cluster.write("---\n" + yaml.safe_dump(claiming))
    told = asked(folder, ("would-fit", "default/claiming"))
    assert told.stdout.startswith(
        "Not known for default/claiming: what its scheduler would decide is not modelled: resource claims."
    )
    assert (told.exit_code, "nothing more happens" in told.stdout, "0 of 1" in told.stdout) == (
        4,
        False,
        False,
    )


LACKING = "No PodDisruptionBudgets in the import: evictions may be refused or weighed otherwise in reality."
BUDGET = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "b"}, "spec": {}}


@pytest.mark.django_db
@pytest.mark.parametrize("question", [*QUESTIONS, ("rehearse", "n2")], ids=lambda question: question[0])
def test_what_the_import_lacks_is_told_in_every_answer(folder: Path, question: tuple[str, ...]) -> None:
    assert asked(folder, question).stdout.count(LACKING) == 1
    if question[0] == "rehearse":
        assert LACKING in asked(folder, question, "--format", "runbook").stdout
    with (folder / "cluster.yaml").open("a") as cluster:
        cluster.write("---\n" + yaml.safe_dump(BUDGET))
    assert LACKING not in asked(folder, question).stdout


@pytest.mark.django_db
def test_priority_classes_are_missed_only_where_pods_are_added(folder: Path) -> None:
    with (folder / "cluster.yaml").open("a") as cluster:
        urgent = pod("urgent", "1", on="n1", priorityClassName="urgent", priority=10)
        cluster.write("---\n" + yaml.safe_dump(urgent))
    told = {
        one[0]: "No PriorityClasses" in asked(folder, one).stdout for one in [*QUESTIONS, ("rehearse", "n2")]
    }
    without = {name for name, is_told in told.items() if not is_told}
    assert without == {"why", "consolidate", "rehearse"}


@pytest.mark.django_db
def test_a_release_that_was_chosen_makes_no_preflight_unsure(folder: Path) -> None:
    unsure = [
        asked(folder, ("preflight", "MANIFEST"), "--strict", "--scheduler", profile).exit_code
        for profile in ("kube-1.36", "kube-1.13")
    ]
    assert unsure == [4, 4], "no pods of kube-system"
    with (folder / "cluster.yaml").open("a") as cluster:
        system = pod("dns", "1", on="n1")
        system["metadata"]["namespace"] = "kube-system"
        service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}, "spec": {}}
        cluster.write("---\n" + yaml.safe_dump_all([system, service, BUDGET]))
    for profile in ("kube-1.36", "kube-1.13"):
        told = asked(folder, ("preflight", "MANIFEST"), "--strict", "--scheduler", profile)
        assert told.exit_code == 0, told.output


@pytest.mark.django_db
def test_that_a_release_has_no_clock_is_said_once(folder: Path) -> None:
    said = asked(folder, ("would-fit", "default/held"), "--scheduler", "kube-1.13").stdout
    assert said.count("it can't be played by a clock: kube-1.13 is played without one.") == 1
    assert said.count("clock") == 1, said
    refused = asked(folder, ("run",), "--scheduler", "kube-1.13", "--driver", "timed")
    assert refused.exit_code == 3
    assert "'timed' is none of those of kube-1.13: instant, fifo, grace" in refused.output


ADDRESSES = [
    ("GET", "/snapshots/{}/", {}),
    ("GET", "/snapshots/{}/headroom/", {}),
    ("GET", "/snapshots/{}/consolidation/", {"nodes": "n2"}),
    ("GET", "/snapshots/{}/rehearsal/", {"nodes": "n2"}),
    ("GET", "/api/v1/snapshots/{}/why/", {}),
    ("GET", "/api/v1/snapshots/{}/headroom/", {}),
    ("GET", "/api/v1/snapshots/{}/would-fit/", {"pod": "default/held"}),
    ("POST", "/api/v1/snapshots/{}/consolidation/", {}),
    ("POST", "/api/v1/snapshots/{}/rehearsal/", {"nodes": ["n2"]}),
]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "address", "asked_for"), ADDRESSES, ids=lambda given: str(given).strip("/")
)
def test_pages_and_rest_tell_it_too(
    folder: Path, alice: Any, client: Client, method: str, address: str, asked_for: dict[str, Any]
) -> None:
    warm_worlds.forget_worlds()
    client.force_login(alice)

    def told(*more: dict[str, Any]) -> str:
        text = "---\n".join([(folder / "cluster.yaml").read_text(), *map(yaml.safe_dump, more)])
        snapshot = import_snapshot(alice, "c", [("cluster.yaml", text.encode())])
        for _ in range(20):
            if method == "GET":
                answer = client.get(address.format(snapshot.pk), asked_for)
            else:
                answer = client.post(address.format(snapshot.pk), asked_for, content_type="application/json")
            if answer.status_code != 202:
                break
        assert answer.status_code == 200, answer.content
        return " ".join(re.sub("<[^>]*>", "", answer.content.decode()).split())

    assert LACKING in told()
    assert LACKING not in told(BUDGET)
