"""The rules that an API server has for claims, classes and slices of devices; CEL is not compiled.

Source: kubernetes v1.36 pkg/apis/resource/validation.
"""

from collections.abc import Iterator

from scheduler_core.objects.amounts.requests import is_extended
from scheduler_core.objects.amounts.resource_names import is_qualified
from scheduler_core.objects.validation.parts_of_objects import (
    Fault,
    Object,
    Rule,
    dict_in,
    objects_in,
    texts_in,
)
from scheduler_core.objects.validation.value_rules import REQUIRED_HERE, subdomain_fault

_PLACES = ("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection")
_OLD = ("deviceClassName",)
"""What requests of the first versions have beside their name."""
_VALUES = ("bool", "bools", "int", "ints", "string", "strings", "version", "versions")


def claim(devices: Object) -> Iterator[Fault]:
    """Yield names of requests that come twice, and those that are named and missing."""
    requests = objects_in(devices, "requests")
    yield from _twice(requests, "requests")
    names = {str(request.get("name")) for request in requests}
    for request in requests:
        within = objects_in(request, "firstAvailable")
        names |= {f"{request.get('name')}/{sub.get('name')}" for sub in within}
    for field in ("constraints", "config"):
        for place, item in enumerate(objects_in(devices, field)):
            for index, name in enumerate(texts_in(item, "requests")):
                if name not in names:
                    yield f"{field}[{place}].requests[{index}]", "is the name of no request"


def _twice(items: list[Object], field: str) -> Iterator[Fault]:
    known = set()
    for place, item in enumerate(items):
        name = item.get("name")
        if isinstance(name, str) and name and name in known:
            yield f"{field}[{place}].name", f"is the name of another one too: {name[:80]}"
        known.add(str(name))


def request(item: Object) -> Iterator[Fault]:
    """Yield a request that asks for nothing or in two ways, and what is wrong within."""
    given = [field for field in ("exactly", "firstAvailable", *_OLD) if item.get(field) is not None]
    if not given:
        yield "exactly", "is required, or firstAvailable"
    for field in given[1:]:
        yield field, f"must be absent where there is {given[0]}"
    yield from _twice(objects_in(item, "firstAvailable"), "firstAvailable")
    yield from exact(item)


def exact(item: Object) -> Iterator[Fault]:
    """Yield a number that is not greater than 0, or stands beside All."""
    count = item.get("count")
    if not isinstance(count, int):
        return
    if item.get("allocationMode") == "All":
        if count:
            yield "count", "must be absent with allocationMode All"
    elif count < 0:
        yield "count", f"must be greater than 0, not {count}"


def constraint(item: Object) -> Iterator[Fault]:
    """Yield a constraint without an attribute, or with one that has no domain."""
    given = [field for field in ("matchAttribute", "distinctAttribute") if item.get(field) is not None]
    if not given:
        yield "matchAttribute", REQUIRED_HERE
    for field in given:
        name = item[field]
        if isinstance(name, str) and ("/" not in name or not is_qualified(name)):
            yield field, "must be domain/name"


def device_class(spec: Object) -> Iterator[Fault]:
    """Yield a name that no extended resource can have."""
    name = spec.get("extendedResourceName")
    if isinstance(name, str) and not is_extended(name):
        yield "extendedResourceName", "is no name that an extended resource can have"


def slice_spec(spec: Object) -> Iterator[Fault]:
    """Yield devices that come twice, and a slice of no nodes or in two ways."""
    given = [field for field in _PLACES if spec.get(field)]
    if not given:
        yield "nodeName", f"is required, or one of {', '.join(_PLACES[1:])}"
    for field in given[1:]:
        yield field, f"must be absent where there is {given[0]}"
    terms = objects_in(dict_in(spec, "nodeSelector"), "nodeSelectorTerms")
    if isinstance(spec.get("nodeSelector"), dict) and len(terms) != 1:
        yield "nodeSelector.nodeSelectorTerms", "must have exactly one term"
    if fault := subdomain_fault(str(spec.get("driver") or "").lower()):
        yield "driver", fault
    yield from _twice(objects_in(spec, "devices"), "devices")


def device(item: Object) -> Iterator[Fault]:
    """Yield attributes with no value or several."""
    for name in dict_in(item, "attributes"):
        values = dict_in(dict_in(item, "attributes"), name)
        if sum(values.get(field) is not None for field in _VALUES) != 1:
            yield f"attributes.{name}", "must have exactly one value"
        if not name.rpartition("/")[2].replace("-", "_").isidentifier():
            yield f"attributes.{name}", "is no name of an attribute"


RULES: dict[str, tuple[Rule, ...]] = {
    "resource.Device": (device,),
    "resource.DeviceClaim": (claim,),
    "resource.DeviceClassSpec": (device_class,),
    "resource.DeviceConstraint": (constraint,),
    "resource.DeviceRequest": (request,),
    "resource.DeviceSubRequest": (exact,),
    "resource.ExactDeviceRequest": (exact,),
    "resource.ResourceSliceSpec": (slice_spec,),
}
"""By the name of a type in `schema`."""
