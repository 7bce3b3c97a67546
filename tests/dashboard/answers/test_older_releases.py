"""Why pods wait under releases before the framework, and what would make them fit, as under later ones."""

import pytest

from dashboard.answers.binding_lines import binding_lines
from dashboard.answers.preflight import Bind
from dashboard.answers.printers.words import plain
from dashboard.answers.why import why
from dashboard.answers.why_words import words_of
from scheduler_core.schedulers.cause import Cause, Held
from scheduler_core.world import RunInput, Simulation
from tests.dashboard.answers.test_would_fit import asked, rows
from tests.scheduler_core.clusters import node, pod

TAINT = {"key": "dedicated", "value": "x", "effect": "NoSchedule"}
EVERY = ["kube-1.8", "kube-1.9", "kube-1.11", "kube-1.13", "kube-1.28", "kube-1.37"]
PORT = {"containers": [{"name": "c", "ports": [{"containerPort": 80, "hostPort": 80}]}]}
APART = {
    "affinity": {
        "podAntiAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [
                {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "a"}}}
            ]
        }
    }
}


def cause(profile: str, *objects: object) -> Cause:
    simulation = Simulation(RunInput(objects=list(objects), profile=profile))
    [(_, answered)] = simulation.whys(["pod-x"])
    return answered.cause


def tainted() -> dict[str, object]:
    closed = node("a", cpu="4")
    closed["spec"] = {"taints": [TAINT]}
    return closed


@pytest.mark.parametrize("profile", EVERY)
def test_a_taint_is_named_and_may_be_tolerated_or_taken_away(profile: str) -> None:
    objects = [tainted(), pod("x", "1")]
    assert plain(why(cause(profile, *objects))) == (
        "Fits on none of 1 node: 1 has only a taint that it does not tolerate, dedicated=x:NoSchedule, a."
    )
    changes = [row[0] for row in rows(asked(objects, ["pod-x"], "default/x", profile=profile), "changes")]
    assert "tolerate the taint dedicated=x:NoSchedule" in changes
    assert "take the taint dedicated=x:NoSchedule from a" in changes


@pytest.mark.parametrize("profile", EVERY)
def test_the_label_that_nodes_lack_is_named(profile: str) -> None:
    found = cause(profile, node("a", cpu="4"), pod("x", "1", nodeSelector={"disk": "ssd"}))
    assert plain(why(found)) == "Fits on none of 1 node: 1 lacks only the label disk=ssd, a."


@pytest.mark.parametrize("profile", EVERY)
def test_causes_have_the_same_words_whatever_a_release_calls_its_part(profile: str) -> None:
    held = pod("held", "1", on="a", labels={"app": "a"}, **PORT)
    by_port = words_of(cause(profile, node("a", cpu="4"), held, pod("x", "1", **PORT)))
    assert by_port.title == "Host port is taken"
    there = pod("there", "1", on="a", labels={"app": "a"})
    by_pods = words_of(cause(profile, node("a", cpu="4"), there, pod("x", "1", **APART)))
    assert by_pods.title == "Pod affinity"


@pytest.mark.parametrize(
    ("plugin", "title"),
    [
        ("CheckVolumeBinding", "Volume is elsewhere"),
        ("NoVolumeZoneConflict", "Volume is elsewhere"),
        ("NoDiskConflict", "Volume is in use"),
        ("MaxEBSVolumeCount", "Too many volumes"),
        ("MaxCSIVolumeCountPred", "Too many volumes"),
        ("EBSLimits", "Too many volumes"),
    ],
)
def test_volumes_have_words_too(plugin: str, title: str) -> None:
    held = Held(plugin, 1, 1, 1, reasons={"some words": 1})
    assert words_of(Cause("nodes", nodes=1, held=[held])).title == title


@pytest.mark.parametrize(
    ("plugin", "text"),
    [
        ("MatchNodeSelector", "nodeSelector: {disk: ssd}"),
        ("PodFitsHostPorts", "- {name: c, ports: [{hostPort: 80}]}"),
        ("MatchInterPodAffinity", "podAntiAffinity: {}"),
    ],
)
def test_the_lines_that_bind_are_found_by_a_predicate_s_name(plugin: str, text: str) -> None:
    manifest = """kind: Pod
metadata: {name: x}
spec:
  nodeSelector: {disk: ssd}
  affinity:
    podAntiAffinity: {}
  containers:
  - {name: c, ports: [{hostPort: 80}]}
"""
    assert [one.text for one in binding_lines(manifest, [Bind("Pod/default/x", plugin, "", 1)])] == [text]


@pytest.mark.parametrize("profile", ["kube-1.28", "kube-1.34", "kube-1.37"])
def test_what_is_not_modelled_is_no_error_of_the_scheduler(profile: str) -> None:
    claims = [{"name": "card", "resourceClaimName": "card"}]
    found = cause(profile, node("a", cpu="4"), pod("x", "1", resourceClaims=claims))
    assert plain(why(found)) == "What its scheduler would decide is not modelled: resource claims."
    assert words_of(found).title == "Not modelled"


def test_an_error_of_the_scheduler_stays_one() -> None:
    claim = {"name": "data", "persistentVolumeClaim": {"claimName": "none"}}
    found = cause("kube-1.13", node("a", cpu="4"), pod("x", "1", volumes=[claim]))
    assert plain(why(found)).startswith("Its scheduler ends with an error: ")
    assert words_of(found).title == "Ends with an error"
