"""Why devices were passed over, as lines: one for each request, below it one for devices that are alike."""

from __future__ import annotations

from collections.abc import Iterator

from dashboard.answers.answer import Line
from dashboard.answers.sentence import Sentence, Words, number, sentence, strong
from scheduler_core.events.devices_tried import (
    ClaimHeld,
    DevicesAlike,
    DevicesTried,
    DeviceTried,
    RequestTried,
)

_NAMED = 3


def devices_tried(told: DevicesTried, node: str) -> list[Line]:
    """Return what came of each device of a node for a pod's claims."""
    return [
        *(_held(one, node) for one in told.held),
        *(_request(one) for one in told.requests),
        *_beside(told),
    ]


def _held(one: ClaimHeld, node: str) -> Line:
    can = "can use them" if one.usable else "can't use them"
    return Line(
        "pending",
        sentence("Claim ", one.claim, ":"),
        sentence("it has its devices already, and ", node, f" {can}."),
        [sentence(device, ".") for device in one.devices[:_NAMED]],
    )


def _request(one: RequestTried) -> Line:
    claim = f"Extended resource {one.resource}" if one.resource else f"Claim {one.claim}"
    asks = sentence("all devices") if one.number is None else sentence(number(one.number, "device"))
    says = sentence(asks, " of class ", one.device_class, "" if one.tried else "; the search ended before it")
    return Line(
        "pending",
        sentence(claim, f", request {one.request}:"),
        sentence(says, "."),
        [_alike(group) for group in one.devices],
    )


def _alike(group: DevicesAlike) -> Sentence:
    said = sentence(strong(_count(group.number)), " ", group.reason)
    if group.about:
        said = sentence(said, ", ", [Words(group.about)])
    named = [_device(one) for one in group.devices[:_NAMED]]
    more = group.number - len(named)
    rest = f" and {more:,} more" if more else ""
    return sentence(said, ": ", ", ".join(named), rest, ".")


def _count(devices: int) -> str:
    return "1 device" if devices == 1 else f"{devices:,} devices"


def _device(one: DeviceTried) -> str:
    """Return a device within its pool, with its own value and for whom it is held."""
    notes = [one.said] if one.said else []
    if one.pods:
        notes.append(f"for {' and '.join(one.pods)}")
    elif one.claims:
        notes.append(f"by {' and '.join(one.claims)}")
    name = one.device.rpartition("/")[2]
    return f"{name} ({'; '.join(notes)})" if notes else name


def _beside(told: DevicesTried) -> Iterator[Line]:
    under = [_alike(one) for one in told.unusable]
    if told.elsewhere:
        under.append(sentence(strong(_count(told.elsewhere)), " in slices for other nodes."))
    if told.replaced:
        under.append(sentence(strong(_count(told.replaced)), " in slices of an older generation of a pool."))
    if told.error:
        under.append(sentence("The search ended with an error: ", [Words(told.error)]))
    if under:
        yield Line("pending", sentence("Beside that:"), sentence("what no request was tried with."), under)
