"""What a search found, as a claim's status says it.

Source: kubernetes v1.36 dynamic-resource-allocation structured/internal/incubating Allocate,
createNodeSelector.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from scheduler_core.objects.dynamic_resources import Document
from scheduler_core.objects.types import LabelSelectorRequirement, NodeSelector, NodeSelectorTerm
from scheduler_core.predicates.devices.identity import AllocationError
from scheduler_core.predicates.devices.search import ClaimSearch, Given, Wanted

UNNAMED_SHARE = ""
"""Stands for the share ID, which is drawn when the allocation is written."""


def allocation_of(search: ClaimSearch, node: str) -> Document:
    """Return the allocation of a claim as kubectl prints it. Raises AllocationError."""
    devices: Document = {"results": [_result(given) for given in search.given]}
    if config := [*_of_classes(search), *_of_claim(search)]:
        devices["config"] = config
    allocation: Document = {"devices": devices}
    if selector := _node_selector(search.given, node):
        allocation["nodeSelector"] = selector
    return allocation


def _result(given: Given) -> Document:
    request, device, identity = given.request, given.candidate.device, given.candidate.id
    result: Document = {
        "request": request.full_name,
        "driver": identity.driver,
        "pool": identity.pool,
        "device": identity.device,
    }
    if request.admin_access:
        result["adminAccess"] = True
    if request.asked.tolerations:
        result["tolerations"] = [_plain(one) for one in request.asked.tolerations]
    if device.binding_conditions:
        result["bindingConditions"] = list(device.binding_conditions)
    if device.binding_failure_conditions:
        result["bindingFailureConditions"] = list(device.binding_failure_conditions)
    if given.consumed is not None:
        result["shareID"] = UNNAMED_SHARE
        if given.consumed:
            result["consumedCapacity"] = {name: str(amount) for name, amount in given.consumed.items()}
    return result


def _plain(view: msgspec.Struct) -> Document:
    fields: Document = msgspec.to_builtins(view)
    return {name: value for name, value in fields.items() if value is not None}


# -- configuration -------------------------------------------------------------------------------------


def _of_classes(search: ClaimSearch) -> list[Document]:
    """Return the classes' configuration, each class once, with all requests that use it."""
    found: list[Document] = []
    by_class: dict[str, list[Document]] = {}
    for place in range(len(search.wanted)):
        request = _chosen(search, place).request
        name = request.device_class.metadata.name
        if name in by_class:
            for entry in by_class[name]:
                entry["requests"].append(request.full_name)
            continue
        by_class[name] = [
            {"source": "FromClass", "requests": [request.full_name], **config}
            for config in request.device_class.spec.config or ()
        ]
        found += by_class[name]
    return found


def _of_claim(search: ClaimSearch) -> Iterable[Document]:
    """Yield the claim's configuration, once for each request that an entry names."""
    for config in search.claim.spec.devices.config or ():
        named = config.get("requests") or []
        content = {name: value for name, value in config.items() if name != "requests"}
        entry = {"source": "FromClaim", **({"requests": named} if named else {}), **content}
        if not named:
            yield entry
            continue
        for place in range(len(search.wanted)):
            request = _chosen(search, place).request
            if request.base in named or (request.is_alternative and request.full_name in named):
                yield entry


def _chosen(search: ClaimSearch, place: int) -> Wanted:
    return search.wanted[place][search.chosen.get(place, 0)]


# -- where the devices can be used ---------------------------------------------------------------------


def _node_selector(given: Sequence[Given], node: str) -> Document | None:
    """Return which nodes the devices are for, None where these are all nodes. Raises AllocationError."""
    term: dict[str, list[Document]] = {"matchExpressions": [], "matchFields": []}
    for one in given:
        device, spec = one.candidate.device, one.candidate.slice.spec
        place = device if spec.per_device_node_selection else spec
        if place.node_name is not None or device.binds_to_node:
            field = {"key": "metadata.name", "operator": "In", "values": [node]}
            return {"nodeSelectorTerms": [{"matchFields": [field]}]}
        if place.node_selector is not None:
            _add_requirements(term, place.node_selector)
    found = {name: requirements for name, requirements in term.items() if requirements}
    return {"nodeSelectorTerms": [found]} if found else None


def _add_requirements(term: dict[str, list[Document]], selector: NodeSelector) -> None:
    terms: list[NodeSelectorTerm] = selector.node_selector_terms or []
    if len(terms) > 1:
        raise AllocationError(f"unsupported ResourceSlice.NodeSelector with {len(terms)} terms")
    for one in terms:
        _add_new(term["matchFields"], one.match_fields)
        _add_new(term["matchExpressions"], one.match_expressions)


def _add_new(known: list[Document], requirements: list[LabelSelectorRequirement] | None) -> None:
    for requirement in requirements or ():
        wanted = (requirement.key, requirement.operator, set(requirement.values or ()))
        if all((one["key"], one["operator"], set(one.get("values") or ())) != wanted for one in known):
            known.append(_plain(requirement))
