"""Arguments at which Volcano's scheduler ends when it starts.

Source: volcano v1.16 pkg/scheduler/plugins/deviceshare/deviceshare.go enablePredicate, tdm/tdm.go New,
rescheduling/rescheduling.go parseArguments, low_node_utilization.go parse, extender/extender.go,
pkg/scheduler/framework/arguments.go Get.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scheduler_core.go.parse import parse_bool
from scheduler_core.volcano.configuration.stored_configuration import EXTENDER, MANAGED_RESOURCES, are_texts

Fault = tuple[str, str]
"""An argument, and what is wrong with it."""
_SHARING, _NUMBER, _VGPU = (f"deviceshare.{what}Enable" for what in ("GPUSharing", "GPUNumber", "VGPU"))
_ZONE, _PERIOD = "tdm.revocable-zone.", "tdm.evict.period"
_STRATEGY_WEIGHT = "resourceStrategyFitWeight"
_PARTS = {
    "sra": {"enable": bool, "resources": str, "weight": float, "resourceWeight": dict},
    "proportional": {"enable": bool, "resources": str, "resourceProportion": dict},
}
_THRESHOLDS = ("thresholds", "targetThresholds")
_WORDS = {
    int: "a whole number",
    bool: "true or false",
    str: "a text",
    float: "a number",
    dict: "a mapping",
    list: "a list of texts",
}


def argument_faults(owner: str, arguments: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the faults of a plugin's arguments that end the scheduler."""
    if owner == "deviceshare":
        yield from _of_deviceshare(arguments)
    elif owner == "tdm":
        for key, value in arguments.items():
            if (_ZONE in str(key) or key == _PERIOD) and not isinstance(value, str):
                yield str(key), _must_be(str)
    elif owner == "resource-strategy-fit":
        yield from _of_strategies(arguments)
    elif owner == "rescheduling":
        yield from _of_rescheduling(arguments)
    elif owner == EXTENDER:
        names = arguments.get(MANAGED_RESOURCES)
        if names is not None and not are_texts(names):
            yield MANAGED_RESOURCES, _must_be(list)


def _of_deviceshare(arguments: Mapping[str, Any]) -> Iterator[Fault]:
    sharing, number, vgpu = (_is_on(arguments.get(key)) for key in (_SHARING, _NUMBER, _VGPU))
    if sharing and number:
        yield _NUMBER, "can not define true in both gpu sharing and gpu number"
    if vgpu and (sharing or number):
        yield _VGPU, "gpu-share and vgpu can't be used together"


def _of_rescheduling(arguments: Mapping[str, Any]) -> Iterator[Fault]:
    for key in ("interval", "metricsPeriod"):
        if not isinstance(arguments.get(key, ""), str):
            yield key, _must_be(str)
    entries = arguments.get("strategies")
    for place, entry in enumerate(entries if isinstance(entries, list) else ()):
        params = (entry.get("params") if isinstance(entry, dict) else None) or {}
        for name in _THRESHOLDS if isinstance(params, dict) else ():
            thresholds = params.get(name)
            for resource, value in thresholds.items() if isinstance(thresholds, dict) else ():
                if not isinstance(value, int) or isinstance(value, bool):
                    yield f"strategies[{place}].params.{name}.{resource}", _must_be(int)


def _of_strategies(arguments: Mapping[str, Any]) -> Iterator[Fault]:
    if not _is_a(arguments.get(_STRATEGY_WEIGHT, 0), float):
        yield _STRATEGY_WEIGHT, _must_be(float)
    resources = arguments.get("resources") or {}
    if not isinstance(resources, dict):
        yield "resources", _must_be(dict)
        resources = {}
    for name, one in resources.items():
        yield from _of_part(f"resources.{name}", one, {"type": str, "weight": float})
    for part, fields in _PARTS.items():
        yield from _of_part(part, arguments.get(part), fields)


def _of_part(path: str, given: Any, fields: Mapping[str, type]) -> Iterator[Fault]:
    if given is None:
        return
    if not isinstance(given, dict):
        yield path, _must_be(dict)
        return
    for name, kind in fields.items():
        value = given.get(name)
        if value is not None and not _is_a(value, kind):
            yield f"{path}.{name}", _must_be(kind)


def _is_on(value: Any) -> bool:
    return value is True or (isinstance(value, str) and parse_bool(value) is True)


def _is_a(value: Any, kind: type) -> bool:
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, kind)


def _must_be(kind: type) -> str:
    return f"must be {_WORDS[kind]}: Volcano's scheduler ends at anything else"
