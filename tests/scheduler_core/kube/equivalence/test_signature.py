"""Which pods are of one class: names of volumes alone part nobody, and what plugins read of volumes does."""

from typing import Any

import pytest

from scheduler_core.kube.equivalence.signature import read_of
from scheduler_core.objects.types import PodSpec, convert


def spec(*volumes: dict[str, Any]) -> PodSpec:
    return convert({"nodeSelector": {"pool": "a"}, "volumes": list(volumes)}, PodSpec)


def test_the_name_of_a_token_parts_nobody() -> None:
    token = {"projected": {"sources": [{"serviceAccountToken": {"path": "token"}}]}}
    one, other = (read_of(spec({"name": f"kube-api-access-{end}", **token})) for end in ("x2k4q", "9zzpl"))
    assert one == other
    assert one.node_selector == {"pool": "a"}


@pytest.mark.parametrize(
    "read",
    [
        {"persistentVolumeClaim": {"claimName": "data"}},
        {"csi": {"driver": "disk.example.com"}},
        {"image": {"reference": "model:1"}},
        {"awsElasticBlockStore": {"volumeID": "vol-1"}},
    ],
)
def test_a_volume_that_a_plugin_reads_stays(read: dict[str, Any]) -> None:
    made = spec({"name": "read", **read}, {"name": "settings", "configMap": {"name": "settings"}})
    assert [volume.name for volume in read_of(made).volumes or ()] == ["read"]


def test_a_spec_without_others_is_left_as_it_is() -> None:
    made = spec({"name": "data", "persistentVolumeClaim": {"claimName": "data"}})
    assert read_of(made) is made
