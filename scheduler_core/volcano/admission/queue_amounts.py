"""What a queue says of resources must be amounts, and guarantee <= deserved <= capability.

Source: volcano v1.16 pkg/webhooks/admission/queues/validate; kubernetes v1.36 core validation
ValidateResourceQuantityValue.
"""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.go.quote import quote
from scheduler_core.objects.amounts.quantity import Quantity, QuantityError, parse_quantity
from scheduler_core.objects.amounts.requests import is_extended
from scheduler_core.objects.types import ResourceList
from scheduler_core.volcano.admission.answers import Denied
from scheduler_core.volcano.model.custom_resources import QueueSpec

_COUNTED = frozenset(
    {
        "pods",
        "resourcequotas",
        "services",
        "replicationcontrollers",
        "secrets",
        "configmaps",
        "persistentvolumeclaims",
        "services.nodeports",
        "services.loadbalancers",
    }
)
"""Of these there are whole ones only, as of extended resources."""
Amounts = dict[str, Quantity]


def amount_faults(spec: QueueSpec) -> Iterator[str]:
    """Yield what is wrong. Raises Denied where something is no amount at all."""
    capability = _read(spec.capability, "capability")
    deserved = _read(spec.deserved, "deserved")
    guarantee = _read(spec.guarantee.resource, "guarantee.resource")
    yield from _value_faults(capability, "capability")
    yield from _value_faults(deserved, "deserved")
    yield from _value_faults(guarantee, "guarantee.resource")
    for name, least in guarantee.items():
        given = deserved.get(name)
        if given is None:
            yield _invalid_deserved(name, "<nil>", f"deserved[{name}] must be >= guarantee[{name}]={least}")
        elif given.nanos < least.nanos:
            reason = f"deserved[{name}]={given} must be >= guarantee[{name}]={least}"
            yield _invalid_deserved(name, str(given), reason)
    for name, given in deserved.items():
        most = capability.get(name)
        if most is not None and given.nanos > most.nanos:
            reason = f"deserved[{name}]={given} must be <= capability[{name}]={most}"
            yield _invalid_deserved(name, str(given), reason)


def _read(amounts: ResourceList | None, field: str) -> Amounts:
    try:
        return {name: parse_quantity(text) for name, text in (amounts or {}).items()}
    except QuantityError as error:
        raise Denied(f"spec.{field}: {error}", f"spec.{field}") from None


def _value_faults(amounts: Amounts, field: str) -> Iterator[str]:
    for name, amount in amounts.items():
        place = f"requestBody.spec.{field}.{name}: Invalid value: {quote(str(amount))}"
        if amount.nanos < 0:
            yield f"{place}: must be greater than or equal to 0"
        if (name in _COUNTED or is_extended(name)) and amount.nanos % 10**9:
            yield f"{place}: must be an integer"


def _invalid_deserved(name: str, value: str, reason: str) -> str:
    return f"requestBody.spec.deserved.{name}: Invalid value: {quote(value)}: {reason}"
