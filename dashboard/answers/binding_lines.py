"""The lines of a manifest that bind: where stands what keeps its pods from nodes, and how many pods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import yaml

from dashboard.answers.preflight import Bind

LARGEST = 200_000
"""A manifest of more characters is not looked through."""
_FIELDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "NodeAffinity": (("nodeSelector",), ("affinity", "nodeAffinity")),
    "MatchNodeSelector": (("nodeSelector",), ("affinity", "nodeAffinity")),
    "NodeName": (("nodeName",),),
    "NodePorts": (("containers", "*", "ports"),),
    "PodFitsHostPorts": (("containers", "*", "ports"),),
    "PodTopologySpread": (("topologySpreadConstraints",),),
    "InterPodAffinity": (("affinity", "podAntiAffinity"), ("affinity", "podAffinity")),
    "MatchInterPodAffinity": (("affinity", "podAntiAffinity"), ("affinity", "podAffinity")),
    "SchedulingGates": (("schedulingGates",),),
    "VolumeBinding": (("volumes",),),
    "CheckVolumeBinding": (("volumes",),),
}
"""Where a plugin reads in a pod's spec. A taint that nothing tolerates stands on no line."""


class BindingLine(NamedTuple):
    """A line, counted from 1, its text without blanks around it, and how many pods it keeps from a node."""

    number: int
    text: str
    pods: int


def binding_lines(manifest: str, binds: Sequence[Bind]) -> list[BindingLine]:
    """Return the lines in their order; none where a manifest is no YAML that is read here, or is too long."""
    if not binds or len(manifest) > LARGEST:
        return []
    lines, pods = manifest.splitlines(), dict[int, int]()
    for key, spec in _specs(manifest):
        for bind in binds:
            if bind.workload.split("/", 2)[::2] == key:
                for number in _lines(spec, bind):
                    pods[number] = pods.get(number, 0) + bind.pods
    return [BindingLine(number, lines[number - 1].strip(), pods[number]) for number in sorted(pods)]


def _specs(manifest: str) -> Iterator[tuple[list[str], Any]]:
    """Yield kind and name of each object, with the node of the spec of its pods."""
    try:
        roots = list(yaml.compose_all(manifest, Loader=yaml.SafeLoader))
    except yaml.YAMLError:
        return
    for root in roots:
        items = _at(root, "items")
        for one in items.value if isinstance(items, yaml.SequenceNode) else [root]:
            spec = _at(one, "spec")
            inside = _at(spec, "jobTemplate", "spec", "template", "spec") or _at(spec, "template", "spec")
            key = [_text(_at(one, "kind")), _text(_at(one, "metadata", "name"))]
            yield key, inside or spec


def _lines(spec: Any, bind: Bind) -> Iterator[int]:
    ways = _FIELDS.get(bind.plugin, ())
    if bind.resource:
        asked = (("containers", "*", "resources", kind, bind.resource) for kind in ("requests", "limits"))
        ways = next(((way,) for way in asked if any(_keys(spec, way))), ())
    for way in ways:
        yield from sorted({key.start_mark.line + 1 for key in _keys(spec, way)})


def _keys(node: Any, way: Sequence[str]) -> Iterator[Any]:
    """Yield the nodes of the last key on a way; `*` goes through a list."""
    first, rest = way[0], way[1:]
    if first == "*":
        for item in node.value if isinstance(node, yaml.SequenceNode) else ():
            yield from _keys(item, rest)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == first:
                yield from _keys(value, rest) if rest else [key]


def _at(node: Any, *way: str) -> Any:
    for name in way:
        if not isinstance(node, yaml.MappingNode):
            return None
        node = next((value for key, value in node.value if key.value == name), None)
    return node


def _text(node: Any) -> str:
    return str(node.value) if isinstance(node, yaml.ScalarNode) else ""
