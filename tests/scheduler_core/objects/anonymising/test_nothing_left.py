"""Whatever is put in place of a cluster's texts, and wherever: nothing of it is left under other names."""

import copy
import json
from functools import cache
from pathlib import Path

import pytest
import yaml

from scheduler_core.objects.anonymising import Anonymiser
from scheduler_core.objects.privacy import withhold_private
from scheduler_core.objects.reading.object_lists import read_yaml

EVERY_FIELD = Path(__file__).with_name("every_field.yaml")
"""At least one object of each kind of which something is stored, with the fields that are stored of it."""
WORD = "Zorbcorp"
PRIVATE = {
    WORD: "orbcorp",
    "123456789012.dkr.ecr.eu-west-1.amazonaws.com/ledger": "123456789012",
    "10.77.88.99": "10.77.88",
    "jane@ledger.example": "jane",
}
"""What may be put anywhere, and the part of it by which it is known again."""
TYPES = (
    ("Node", "node.kubernetes.io/instance-type"),
    ("Node", "beta.kubernetes.io/instance-type"),
    ("Pod", "nvidia.com/use-gputype"),
    ("Pod", "nvidia.com/nouse-gputype"),
    ("ConfigMap", "models"),
    ("ConfigMap", "gpuCorePolicy"),
)
"""Types of machines and of cards, and a policy of theirs: a word there stays, as documented."""
FEATURES = (("Node", "declaredFeatures"), ("ConfigMap", "featureGates"))
KINDS_OF_PROJECTS = (("Command", "kind"), ("CronJob", "kind"))
"""Names as Kubernetes' types and features have them: its own programs write them."""


@cache
def _objects():
    return [_opened(one) for one in read_yaml(EVERY_FIELD.read_bytes())]


def _opened(document):
    """Return a ConfigMap with its entries as documents, so that texts in them can be replaced too."""
    if document["kind"] != "ConfigMap":
        return document
    return {
        **document,
        "data": {name: list(yaml.safe_load_all(text)) for name, text in document["data"].items()},
    }


def _closed(document):
    if document.get("kind") != "ConfigMap" or not isinstance(document.get("data"), dict):
        return document
    entries = {
        name: yaml.safe_dump_all(one) if isinstance(one, list) else one
        for name, one in document["data"].items()
    }
    return {**document, "data": entries}


def _places(value, path=()):
    """Yield where keys and texts stand: the path, and whether it is the key."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key), True
            yield from _places(inner, (*path, key))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from _places(inner, (*path, i))
    elif isinstance(value, str):
        yield path, False


def _replaced(document, path, text, *, key):
    changed = copy.deepcopy(document)
    around = changed
    for step in path[:-1]:
        around = around[step]
    if key:
        around[text] = around.pop(path[-1])
    else:
        around[path[-1]] = text
    return _closed(changed)


@pytest.mark.parametrize("private", PRIVATE)
def test_nothing_is_left_of_a_private_text_wherever_it_stands(private):
    left = []
    for document in _objects():
        for path, key in _places(document):
            if key and (len(path) == 1 or path == ("metadata", "name")):
                continue  # no object at all: an import refuses it
            kept, _ = withhold_private([_replaced(document, path, private, key=key)])
            if PRIVATE[private] not in json.dumps(kept):
                continue
            told = Anonymiser(kept, b"key").anonymised()
            if PRIVATE[private] in json.dumps(told.objects) and not _may_stay(
                document["kind"], path, private
            ):
                left.append((document["kind"], *path))
            assert PRIVATE[private] not in " ".join(told.dropped), path
    assert left == []


def _may_stay(kind, path, private):
    named = (*TYPES, *FEATURES, *KINDS_OF_PROJECTS)
    return private == WORD and any(kind == of and field in path for of, field in named)


def test_as_it_is_every_field_stays_or_is_named():
    kept, _ = withhold_private([_closed(one) for one in _objects()])
    told = Anonymiser(kept, b"key").anonymised()
    assert "acme" not in json.dumps(told.objects).lower()
    assert "10.77.88" not in json.dumps(told.objects)


def test_words_that_apis_define_stay():
    pod, node = (
        next(one for one in Anonymiser(_read(), b"key").anonymised().objects if one["kind"] == kind)
        for kind in ("Pod", "Node")
    )
    spec = pod["spec"]
    assert spec["tolerations"][0]["operator"] == "Equal"
    assert spec["topologySpreadConstraints"][0]["nodeAffinityPolicy"] == "Honor"
    assert spec["volumes"][1]["ephemeral"]["volumeClaimTemplate"]["spec"]["accessModes"] == ["ReadWriteOnce"]
    assert pod["status"]["conditions"][0]["type"] == "PodScheduled"
    assert node["spec"]["taints"][0]["effect"] == "NoSchedule"
    assert pod["metadata"]["ownerReferences"][1]["kind"] == "ReplicaSet"
    assert pod["metadata"]["ownerReferences"][0]["kind"] != "RayCluster"


def _read():
    return withhold_private(read_yaml(EVERY_FIELD.read_bytes()))[0]


def test_the_number_of_an_account_and_an_address_do_not_stay_under_public_keys():
    labels = {"eks.amazonaws.com/account": "123456789012", "nvidia.com/gpu.memory": "81559"}
    annotations = {
        "k3s.io/internal-ip": "10.77.88.9",
        "alpha.kubernetes.io/provided-node-ip": "fd00:10:77:88::9",
        "node.alpha.kubernetes.io/ttl": "300",
        "hami.io/bind-time": "1716195381",
    }
    metadata = {"name": "a", "labels": labels, "annotations": annotations}
    node = {"apiVersion": "v1", "kind": "Node", "metadata": metadata}
    changed = Anonymiser([node], b"key").anonymised().objects[0]["metadata"]
    assert changed["labels"]["nvidia.com/gpu.memory"] == "81559"
    assert changed["annotations"]["node.alpha.kubernetes.io/ttl"] == "300"
    assert changed["annotations"]["hami.io/bind-time"] == "1716195381"
    text = json.dumps(changed)
    assert [one for one in ("123456789012", "10.77.88.9", "10:77:88") if one in text] == []
