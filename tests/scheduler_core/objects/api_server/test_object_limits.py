"""Quotas on the number of objects and on claims, and ranges of claims."""

from typing import Any

import pytest

from scheduler_core.objects.api_server.object_limits import ObjectLimits, usage

Object = dict[str, Any]

NET = "networking.k8s.io"
USAGE = "storage usage per PersistentVolumeClaim"


def quota(hard: Object, **more: Any) -> Object:
    metadata = {"name": "quota", "namespace": "shop"}
    return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata, "spec": {"hard": hard}, **more}


def claim(name: str, storage: str = "4Gi", namespace: str = "shop", **spec: Any) -> Object:
    resources = {"requests": {"storage": storage}}
    return {
        "apiVersion": "v1", "kind": "PersistentVolumeClaim",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"resources": resources, **spec},
    }  # fmt: skip


def test_claims_are_counted_until_their_number_or_size_is_used_up() -> None:
    limits = ObjectLimits(
        [quota({"persistentvolumeclaims": "3", "requests.storage": "10Gi"})], [claim("old")]
    )
    assert limits.charge(claim("a")) == []
    assert limits.charge(claim("b")) == [
        "exceeded quota: quota, requested: requests.storage=4Gi, used: requests.storage=8Gi, "
        "limited: requests.storage=10Gi"
    ]
    assert limits.charge(claim("c", "1Gi")) == []
    assert limits.charge(claim("d", "1Gi"))[0].startswith(
        "exceeded quota: quota, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=3"
    )
    assert limits.charge(claim("e", namespace="other")) == []


def test_what_the_status_says_is_used_counts() -> None:
    hard = {"persistentvolumeclaims": "3"}
    status = {"hard": hard, "used": {"persistentvolumeclaims": "2"}}
    limits = ObjectLimits([quota(hard, status=status)], [])
    assert limits.charge(claim("a")) == []
    assert limits.charge(claim("b")) != []


@pytest.mark.parametrize(
    ("document", "name"),
    [
        ({"apiVersion": "apps/v1", "kind": "Deployment"}, "count/deployments.apps"),
        ({"apiVersion": f"{NET}/v1", "kind": "Ingress"}, f"count/ingresses.{NET}"),
        ({"apiVersion": f"{NET}/v1", "kind": "NetworkPolicy"}, f"count/networkpolicies.{NET}"),
        ({"apiVersion": "gateway.networking.k8s.io/v1", "kind": "Gateway"}, f"count/gateways.gateway.{NET}"),
        ({"apiVersion": "v1", "kind": "Endpoints"}, "count/endpoints"),
        ({"apiVersion": "v1", "kind": "Service"}, "services"),
        ({"apiVersion": "v1", "kind": "ConfigMap"}, "count/configmaps"),
        ({"apiVersion": "v1", "kind": "Service", "spec": {"type": "LoadBalancer"}}, "services.loadbalancers"),
        (
            claim("a", storageClassName="fast"),
            "fast.storageclass.storage.k8s.io/persistentvolumeclaims",
        ),
    ],
)  # fmt: skip
def test_objects_count_under_the_names_of_quotas(document: Object, name: str) -> None:
    placed = {**document, "metadata": {"name": "one", "namespace": "shop"}}
    assert usage(placed)[name] == 10**9
    assert ObjectLimits([quota({name: "0"})], []).charge(placed) != []
    assert ObjectLimits([quota({name: "1"})], []).charge(placed) == []
    of_pods = {"hard": {name: "0"}, "scopes": ["BestEffort"]}
    assert ObjectLimits([quota({}, spec=of_pods)], []).charge(placed) == []


def test_a_load_balancer_without_node_ports_counts_those_that_it_names() -> None:
    ports = [{"port": 80, "nodePort": 30080}, {"port": 443, "nodePort": 30443}, {"port": 8080}, None]
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s", "namespace": "shop"}}
    for allocates, counted in ((False, 2), (True, 4), (None, 4)):
        spec = {"type": "LoadBalancer", "allocateLoadBalancerNodePorts": allocates, "ports": ports}
        assert usage({**service, "spec": spec})["services.nodeports"] == counted * 10**9


def test_a_claim_counts_in_whole_bytes() -> None:
    assert usage(claim("a", "1500m"))["requests.storage"] == 2 * 10**9


def test_sizes_are_written_in_bytes_whatever_the_class_is_called() -> None:
    name = "persistent-ssd.storageclass.storage.k8s.io/requests.storage"
    [said] = ObjectLimits([quota({name: "1Gi"})], []).charge(claim("a", storageClassName="persistent-ssd"))
    assert said == f"exceeded quota: quota, requested: {name}=4Gi, used: {name}=0, limited: {name}=1Gi"


@pytest.mark.parametrize(
    ("bounds", "said"),
    [
        ({"max": {"storage": "3Gi"}}, f"maximum {USAGE} is 3Gi, but request is 4Gi"),
        ({"min": {"storage": "5Gi"}}, f"minimum {USAGE} is 5Gi, but request is 4Gi"),
        ({"min": {"storage": "4Gi"}, "max": {"storage": "4Gi"}}, ""),
    ],
)  # fmt: skip
def test_a_limit_range_bounds_claims(bounds: Object, said: str) -> None:
    item = {"type": "PersistentVolumeClaim", **bounds}
    metadata = {"name": "range", "namespace": "shop"}
    limit_range = {"kind": "LimitRange", "metadata": metadata, "spec": {"limits": [item]}}
    found = ObjectLimits([limit_range], []).charge(claim("a"))
    assert found == ([f"{said} (LimitRange range)"] if said else [])
