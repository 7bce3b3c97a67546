"""The fields of a recorded cycle about ResourceClaims; each is absent when there is nothing to say."""

from typing import Any

from recorded.kube.cycles import verdict
from scheduler_core.kube.dynamic_resources.claims_state import ClaimsOfPod, claims_in
from scheduler_core.kube.dynamic_resources.extended_resources import IN_MEMORY
from scheduler_core.kube.look import Look, Looked
from scheduler_core.objects.dynamic_resources import Document, results_of
from scheduler_core.state.claim_documents import ClaimKey
from scheduler_core.state.device_claims import DeviceClaims


def fields_of_claims(look: Look, claims: DeviceClaims) -> dict[str, Any]:
    """Return the fields of an attempt that was carried out; `claims` are as they stand afterwards."""
    result = look.result if isinstance(look, Looked) else None
    found = None if result is None else claims_in(result.cycle)
    fault = None if found is None or result is None else found.fault or result.reserve
    made = {one.key for one in claims.written if one.verb == "create"}
    keys = dict.fromkeys(one.key for one in claims.written)
    fields = {
        "claim_writes": [f"{one.verb} {_name(one.key)}" for one in claims.written],
        "claims": {_name(key): _as_it_stands(claims.documents.get(key), is_made=key in made) for key in keys},
        "prebind": None if found is None else verdict(found.fault),
        "extended_resource_claim_status": None if found is None else found.status_of_pod,
        "unreserved": fault is not None,
    }
    return {name: value for name, value in fields.items() if value}


def allocations_of(look: Look) -> dict[str, Any]:
    """Return what the pod's claims would get on each node that fits: to be asked before it is carried out."""
    found = claims_in(look.result.cycle) if isinstance(look, Looked) else None
    given = {} if found is None else _allocations(found, _fitting(look))
    return {"allocations": given} if given else {}


def _name(key: ClaimKey) -> str:
    return "/".join(key)


def _fitting(look: Look) -> frozenset[int]:
    """Return the nodes that passed the filters as they are."""
    verdicts = look.result.verdicts if isinstance(look, Looked) else None
    return frozenset() if verdicts is None else frozenset(verdicts.fits.nonzero()[0].tolist())


def _allocations(found: ClaimsOfPod, fitting: frozenset[int]) -> dict[str, dict[str, list[str]]]:
    names = [
        IN_MEMORY if found.extended is not None and place == len(found.own) else found.keys[place][1]
        for place in found.to_allocate
    ]
    return {
        found.state.nodes.names[node]: dict(zip(names, map(_devices, allocations), strict=True))
        for node in fitting
        if (allocations := found.given_on(node))
    }


def _devices(allocation: Document) -> list[str]:
    return [
        f"{result['request']} {result['driver']}/{result['pool']}/{result['device']}"
        for result in results_of(allocation)
    ]


def _as_it_stands(document: Document | None, *, is_made: bool) -> Document | None:
    """Return what is recorded of a claim: its status without the instant of its allocation."""
    if document is None:
        return None
    status = dict(document.get("status") or {})
    if "allocation" in status:
        status["allocation"] = {
            name: value for name, value in status["allocation"].items() if name != "allocationTimestamp"
        }
    return {"status": status, **({"spec": document["spec"]} if is_made else {})}
