"""Under other names the engine decides as before: recorded cases, whole predictions and samples say so."""

import gzip
import json
import uuid
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from recorded.cluster_cases import play
from recorded.decide import decide
from samples.gallery import gallery
from scheduler_core.objects.identity import derived_uid
from scheduler_core.objects.privacy import withhold_private
from scheduler_core.objects.reading.object_lists import read_yaml
from scheduler_core.world import RunInput, Simulation
from tests.anonymised_cases import anonymised_case, difference, numbered_uids

VECTORS = Path(__file__).parents[3] / "vectors"
WITHOUT_A_CLUSTER = ("queue", "extenders", "config")
"""Here edits write annotations that nobody reads, a program outside answers, or there is no cluster."""
FAMILIES = [
    path
    for folder in ("kube", "kube-1.8", "kube-1.13", "kube-1.31", "kube-1.34", "volcano", "hami")
    for path in sorted((VECTORS / folder).glob("*.jsonl.gz"))
    # Expressions of selectors are dropped, as free text, and pod groups are not kept.
    if path.name not in ("dra.jsonl.gz", "gangs.jsonl.gz")
    if not path.name.startswith(WITHOUT_A_CLUSTER)
]


def first_case(path):
    with gzip.open(path) as lines:
        return next(json.loads(line) for line in lines)


@pytest.mark.parametrize("path", FAMILIES, ids=lambda path: f"{path.parent.name}/{path.name.split('.')[0]}")
def test_a_recorded_case_is_decided_alike(path):
    case = first_case(path)
    other, texts = anonymised_case(case)
    assert difference(decide(case), decide(other), texts) == ""


@pytest.mark.parametrize("kind", ["statefulset", "drain", "job", "ordinals", "budget"])
def test_a_cluster_becomes_the_same(kind):
    case = first_case(VECTORS / "cluster" / f"{kind}.jsonl.gz")
    given = {"cluster": case["before"], "events": case["actions"], "steps": case["after"]}
    other, texts = anonymised_case(given)
    other = {**case, "before": other["cluster"], "actions": other["events"], "after": other["steps"]}
    assert difference(_sorted(play(case)), _sorted(play(other)), texts) == ""


def _sorted(answer):
    """Return an answer with its names in order: pods that come anew stand by uids, which names give."""
    return json.loads(json.dumps(answer, sort_keys=True))


BY_UIDS = "A job that fails and starts again"
"""Pods that the run makes have uids made of their names, and Volcano takes equal tasks by uid."""
BY_EXPRESSIONS = "Cards by ResourceClaims"
"""Expressions of selectors are dropped, as free text."""
SMALL = {
    sample.name: sample
    for sample in gallery()
    if not sample.large and sample.name not in (BY_UIDS, BY_EXPRESSIONS)
}


@pytest.mark.parametrize("name", SMALL)
def test_a_sample_runs_alike(name):
    sample = SMALL[name]
    objects, _ = withhold_private([served(one) for _, data in sample.files() for one in read_yaml(data)])
    scenario = sample.scenarios[0]
    edits = scenario.edits() if callable(scenario.edits) else scenario.edits
    other, texts = anonymised_case({"cluster": {"items": objects}, "events": edits})
    one = _decisions(objects, edits, scenario)
    assert one
    two = _decisions(other["cluster"]["items"], other["events"], scenario)
    assert difference(one, two, texts) == ""


def served(document):
    """The object as an API server would have it: with a uid."""
    metadata = document.get("metadata") or {}
    uid = str(uuid.UUID(derived_uid(document.get("kind"), metadata.get("namespace"), metadata.get("name"))))
    return {**document, "metadata": {"uid": f"{uid[:14]}4{uid[15:]}", **metadata}}


def _decisions(objects, edits, scenario):
    until = scenario.until() if callable(scenario.until) else scenario.until
    given = RunInput(
        objects=objects,
        edits=edits,
        profile=scenario.profile,
        driver=scenario.driver,
        controllers=scenario.controllers,
        config=scenario.config,
        until=until,
    )
    return numbered_uids([msgspec.to_builtins(decision) for decision in islice(Simulation(given), 60)])
