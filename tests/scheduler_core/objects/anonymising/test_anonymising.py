"""What becomes of names: order, references, what stays, what is dropped."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samples.gallery import gallery
from scheduler_core.objects.anonymising import Anonymiser
from scheduler_core.objects.anonymising.fields import How, how_of
from scheduler_core.objects.anonymising.names import PLAIN_WORDS, Collected
from scheduler_core.objects.anonymising.ranked_words import RankedWords
from scheduler_core.objects.checks.cluster_checks import check_objects
from scheduler_core.objects.node_groups import POOL_LABELS, pool_of
from scheduler_core.objects.privacy import withhold_private
from scheduler_core.objects.reading.object_lists import read_yaml

PLAIN = ["default", "kube", "on", "system"]
WORD = st.text("abdkosxyz059", min_size=1, max_size=5)
NAME = st.lists(WORD, min_size=1, max_size=4).map("-".join)


def pod(name, **spec):
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "shop", "uid": f"uid-{name}"},
        "spec": {"containers": [{"name": "app", "image": "registry.acme.example/app:1.4"}], **spec},
    }


def node(name, labels=None, **metadata):
    labels = {"kubernetes.io/hostname": name, **(labels or {})}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels, **metadata}}


def stateful_set(name):
    return {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": name, "namespace": "shop"}}


def anonymised(*objects, key=b"secret"):
    return Anonymiser(objects, key).anonymised()


@given(st.sets(WORD | st.sampled_from([f"{word}{end}" for word in PLAIN for end in ("", "a", "z", "0")])))
def test_words_keep_their_order_also_beside_those_that_stay(words):
    ranked = RankedWords(words, PLAIN, b"key")
    ordered = sorted(words | set(PLAIN))
    changed = [ranked[word] for word in ordered]
    assert changed == sorted(changed)
    assert len(set(changed)) == len(ordered)


@given(st.sets(NAME, min_size=2), st.sets(WORD))
def test_names_keep_their_order_and_their_makers(names, workloads):
    collected = Collected()
    collected.workloads |= workloads
    for name in names:
        collected.names().name(name)
    changed = collected.under(b"key")
    ordered = sorted(names)
    assert [changed.name(name) for name in ordered] == sorted(map(changed.name, ordered))
    assert len(set(map(changed.name, names))) == len(names)
    for name in names:
        stem, dash, _ = name.rpartition("-")
        if stem in names:
            assert changed.name(name).startswith(f"{changed.name(stem)}{dash}")


def test_a_pod_keeps_its_ordinal_and_its_workloads_name():
    maker, one, two = anonymised(stateful_set("ledger"), pod("ledger-0"), pod("ledger-10")).objects
    name = maker["metadata"]["name"]
    assert name != "ledger"
    assert [one["metadata"]["name"], two["metadata"]["name"]] == [f"{name}-0", f"{name}-10"]


def test_numbers_of_an_address_in_a_name_do_not_stay():
    (changed,) = anonymised(node("ip-10-0-142-7.eu.acme.example")).objects
    assert not re.search("[0-9]", changed["metadata"]["name"])
    assert changed["metadata"]["labels"]["kubernetes.io/hostname"] == changed["metadata"]["name"]


def test_values_that_are_compared_as_numbers_stay_and_others_do_not():
    terms = [{"matchExpressions": [{"key": "gen", "operator": "Gt", "values": ["3"]}]}]
    affinity = {
        "nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    }
    machine, wants = anonymised(node("a", {"gen": "5", "rack": "7"}), pod("p", affinity=affinity)).objects
    labels = machine["metadata"]["labels"]
    assert "5" in labels.values()
    assert "7" not in labels.values()
    (asked,) = wants["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][
        "nodeSelectorTerms"
    ][0]["matchExpressions"]
    assert asked["values"] == ["3"]
    assert labels[asked["key"]] == "5"


def test_what_makers_of_builds_and_watchers_of_nodes_add_to_a_status_does_not_stay():
    status = {
        "nodeInfo": {"kubeletVersion": "v1.33.4-acme.7"},
        "conditions": [
            {"type": kind, "status": "True"} for kind in ("Ready", "AcmeReady", "acme.example/Up")
        ],
    }
    changed = anonymised(node("a") | {"status": status}).objects[0]["status"]
    assert changed["nodeInfo"] == {"kubeletVersion": "v1.33.4"}
    kinds = [one["type"] for one in changed["conditions"]]
    assert kinds[0] == "Ready"
    assert len(set(kinds)) == 3
    assert "acme" not in "".join(kinds).lower()


@pytest.mark.parametrize("label", POOL_LABELS)
def test_nodes_are_of_a_pool_under_another_name(label):
    labels = anonymised(node("a", {label: "acme"})).objects[0]["metadata"]["labels"]
    assert pool_of(labels) not in ("", "acme")


def test_an_annotation_that_nobody_knows_is_dropped_and_told():
    told = anonymised(
        node("a", annotations={"acme.example/owner": "jane", "node.alpha.kubernetes.io/ttl": "0"})
    )
    assert told.objects[0]["metadata"]["annotations"] == {"node.alpha.kubernetes.io/ttl": "0"}
    assert told.dropped == ["Node.metadata.annotations: others (1)"]


def test_an_object_of_a_kind_that_nobody_reads_is_dropped_and_told():
    told = anonymised({"apiVersion": "acme.example/v1", "kind": "Widget", "metadata": {"name": "w"}})
    assert told == ([], ["1 object of kinds that nothing reads"])


def test_of_a_quota_the_class_gets_another_name_and_what_it_counts_stays():
    hard = {
        "gold.storageclass.storage.k8s.io/requests.storage": "1Ti",
        "requests.cpu": "4",
        "count/pods": "9",
    }
    quota = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "q", "namespace": "shop"},
        "spec": {"hard": hard},
    }
    storage = {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "gold"}}
    changed, renamed = anonymised(quota, storage).objects
    name = renamed["metadata"]["name"]
    assert name != "gold"
    assert changed["spec"]["hard"] == {
        f"{name}.storageclass.storage.k8s.io/requests.storage": "1Ti",
        "requests.cpu": "4",
        "count/pods": "9",
    }


def test_a_key_that_is_no_field_of_an_api_is_dropped_and_told():
    told = anonymised(pod("p") | {"status": {"phase": "Pending", "acmeLedger": 3}})
    assert told.objects[0]["status"] == {"phase": "Pending"}
    assert told.dropped == ["Pod.status: others (1)"]


def test_a_schedulers_configuration_names_the_same_resources():
    text = json.dumps(
        {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "profiles": [
                {
                    "schedulerName": "acme-scheduler",
                    "plugins": {
                        "score": {"disabled": [{"name": "*"}], "enabled": [{"name": "ImageLocality"}]}
                    },
                }
            ],
        }
    )
    config = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "acme", "namespace": "kube-system"},
        "data": {"config.yaml": text},
    }
    changed, waits = anonymised(config, pod("p", schedulerName="acme-scheduler")).objects
    (entry,) = changed["data"].values()
    profile = json.loads(entry)["profiles"][0]
    assert profile["schedulerName"] == waits["spec"]["schedulerName"]
    assert "acme" not in entry
    assert profile["plugins"]["score"]["enabled"] == [{"name": "ImageLocality"}]
    assert changed["metadata"]["namespace"] == "kube-system"


def test_one_key_gives_the_same_names_again_and_another_one_others():
    objects = [node("a"), pod("p", nodeName="a")]
    assert anonymised(*objects) == anonymised(*objects)
    assert anonymised(*objects) != anonymised(*objects, key=b"other")


SMALL = [sample for sample in gallery() if not sample.large]


@pytest.mark.parametrize("sample", SMALL, ids=lambda sample: sample.name)
def test_no_word_of_a_samples_names_is_left_and_it_can_be_imported(sample):
    objects, _ = withhold_private([one for _, data in sample.files() for one in read_yaml(data)])
    names = {
        word
        for one in objects
        for field in ("name", "namespace")
        for word in re.split("[-./]", one["metadata"].get(field) or "")
    }
    told = Anonymiser(objects, b"key").anonymised()
    assert len(told.objects) == len(objects)
    left = {word for text in _texts(told.objects) for word in re.split("[-./]", text)}
    assert {word for word in left & names if not word.isdigit()} <= PLAIN_WORDS | {
        "volcano",
        "hami",
        "gpu",
        "nvidia",
        "com",
        "",
    }
    assert [problem.message for problem in check_objects(told.objects)] == []


_OF_APIS = (How.WORD, How.KIND, How.API_VERSION, How.GATE, How.REASON, How.CONFIGURATIONS)


def _texts(value, field=""):
    """Yield the texts in an object, but for words of an API and annotations, which are tested apart."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name != "annotations":
                yield from _texts(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, field)
    elif isinstance(value, str) and how_of(field) not in _OF_APIS:
        yield value


def test_cards_have_the_same_ids_at_the_node_and_at_the_pod():
    card = "GPU-8dcd427f-483b-b48f-d7e5-75fb19a52b76"
    registered = json.dumps(
        [{"id": card, "count": 10, "devmem": 1000, "type": "NVIDIA A100", "health": True}]
    )
    machine = node("gpu-1", annotations={"hami.io/node-nvidia-register": registered})
    holder = pod("p", nodeName="gpu-1")
    holder["metadata"]["annotations"] = {
        "hami.io/vgpu-node": "gpu-1",
        "hami.io/vgpu-devices-allocated": f"{card},NVIDIA,500,30:;",
        "nvidia.com/use-gputype": "A100",
    }
    one, two = (item["metadata"] for item in anonymised(machine, holder).objects)
    (other,) = json.loads(one["annotations"]["hami.io/node-nvidia-register"])
    assert other["id"] != card
    assert other["type"] == "NVIDIA A100"
    assert two["annotations"] == {
        "hami.io/vgpu-node": one["name"],
        "hami.io/vgpu-devices-allocated": f"{other['id']},NVIDIA,500,30:;",
        "nvidia.com/use-gputype": "A100",
    }


def test_a_verdict_stays_with_other_names_and_only_where_its_words_are_known():
    said = (
        "0/2 nodes are available: 1 Insufficient acme.example/npu, 1 node(s) had untolerated taint {team: a}."
    )
    one, two = (
        pod(name)
        | {"status": {"conditions": [{"type": "PodScheduled", "status": "False", "message": message}]}}
        for name, message in (("p", said), ("q", "0/2 nodes are available: 2 no seat in berlin."))
    )
    changed, without = (item["status"]["conditions"][0] for item in anonymised(one, two).objects)
    assert re.fullmatch(
        r"0/2 nodes are available: 1 Insufficient \w+\.\w+/\w+,"
        r" 1 node\(s\) had untolerated taint {\w+: \w+}\.",
        changed["message"],
    )
    assert "team" not in changed["message"]
    assert "message" not in without


def test_a_hyper_nodes_pattern_becomes_the_names_of_the_nodes_that_it_finds():
    member = {"type": "Node", "selector": {"regexMatch": {"pattern": "^rack-a-"}}}
    named = {"type": "Node", "selector": {"exactMatch": {"name": "rack-b-1"}}}
    broken = {"type": "Node", "selector": {"regexMatch": {"pattern": "("}}}
    hyper_node = {
        "apiVersion": "topology.volcano.sh/v1alpha1",
        "kind": "HyperNode",
        "metadata": {"name": "rack"},
        "spec": {"tier": 1, "members": [member, broken, named]},
    }
    told = anonymised(hyper_node, node("rack-a-1"), node("rack-b-1"), node("rack-a-2"))
    changed, *nodes = told.objects
    names = [item["metadata"]["name"] for item in nodes]
    found = [one["selector"]["exactMatch"]["name"] for one in changed["spec"]["members"]]
    assert (found, told.dropped) == ([names[0], names[2], names[1]], [])
