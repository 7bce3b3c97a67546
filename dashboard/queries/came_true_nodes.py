"""Which new nodes of a cluster are those that an edit asked for: the cloud gives them other names."""

from collections.abc import Mapping, Sequence
from typing import Any

from scheduler_core.objects.amounts.go_quantity import resource_amount
from scheduler_core.objects.node_groups import pool_of, zone_of
from scheduler_core.world.edits.operations.taints import SICK

Object = dict[str, Any]
_KEEPS_AWAY = ("NoSchedule", "NoExecute")


def nodes_like(wanted: Sequence[Object], candidates: Mapping[str, Object]) -> list[str]:
    """Return for each node asked for another candidate like it, as far as there are any, in name order.

    Like it: of its pool and zone where it names them, as large or larger in each resource, with the same
    taints that keep pods away.
    """
    found: list[str] = []
    for node in wanted:
        like = (name for name in sorted(candidates) if name not in found and _is_like(candidates[name], node))
        found += [name for name in [next(like, None)] if name is not None]
    return found


def _is_like(found: Object, wanted: Object) -> bool:
    own, asked = _labels(found), _labels(wanted)
    return (
        pool_of(asked) in ("", pool_of(own))
        and zone_of(asked) in ("", zone_of(own))
        and _taints(found) == _taints(wanted)
        and _is_as_large(_allocatable(found), _allocatable(wanted))
    )


def _is_as_large(found: Mapping[str, int], wanted: Mapping[str, int]) -> bool:
    return all(found.get(name, 0) >= amount for name, amount in wanted.items())


def _labels(node: Object) -> dict[str, str]:
    return (node.get("metadata") or {}).get("labels") or {}


def _taints(node: Object) -> set[tuple[str, str, str]]:
    taints = (node.get("spec") or {}).get("taints") or ()
    return {
        (str(one.get("key")), str(one.get("value") or ""), str(one.get("effect")))
        for one in taints
        if one.get("effect") in _KEEPS_AWAY and not str(one.get("key")).startswith(SICK)
    }


def _allocatable(node: Object) -> dict[str, int]:
    amounts = (node.get("status") or {}).get("allocatable") or {}
    return {name: resource_amount(name, text) for name, text in amounts.items()}
