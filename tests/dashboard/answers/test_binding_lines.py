"""The lines of a manifest that keep its pods from nodes."""

import pytest

from dashboard.answers.binding_lines import binding_lines
from dashboard.answers.preflight import Bind

MANIFEST = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: api}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: api, namespace: shop}
spec:
  template:
    spec:
      nodeSelector: {disk: ssd}
      topologySpreadConstraints:
      - topologyKey: zone
      containers:
      - name: a
        resources:
          requests: {memory: 1Gi}
      - name: b
        resources:
          requests:
            cpu: 4
"""


@pytest.mark.parametrize(
    ("plugin", "resource", "lines"),
    [
        ("NodeResourcesFit", "cpu", [(21, "cpu: 4")]),
        ("NodeResourcesFit", "memory", [(17, "requests: {memory: 1Gi}")]),
        ("NodeAffinity", "", [(11, "nodeSelector: {disk: ssd}")]),
        ("PodTopologySpread", "", [(12, "topologySpreadConstraints:")]),
        ("TaintToleration", "", []),
    ],
)
def test_a_binding_cause_leads_to_its_line(plugin: str, resource: str, lines: list[tuple[int, str]]) -> None:
    found = binding_lines(MANIFEST, [Bind("Deployment/shop/api", plugin, resource, 2)])
    assert [(one.number, one.text) for one in found] == lines
    assert all(one.pods == 2 for one in found)
    assert not binding_lines(MANIFEST, [Bind("Deployment/shop/other", plugin, resource, 2)])


def test_what_is_no_yaml_has_no_lines() -> None:
    assert not binding_lines("a: [", [Bind("Pod/a/b", "NodeAffinity", "", 1)])
