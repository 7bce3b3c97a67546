"""The devices of a node in an explanation: what came of each for the requests of a pod's claims."""

from collections import Counter
from typing import Literal

from scheduler_core.events.changes import Event

DeviceVerdict = Literal[
    "node", "class", "request", "in-use", "error", "tainted", "too-small", "capacity", "constraint",
    "counters", "fits", "chosen", "unseen", "taken", "incomplete", "invalid",
]  # fmt: skip
"""What came of a device for a request: it is for another node; a selector of the class or of the request
does not take it, or ends with an error; a claim holds it; a taint, a capacity, a constraint or a shared
counter stands against it; too-small: it never gives the capacity that is asked for. It fits, but not all that
the pod asks for was found; another request of the pod was tried with it; nobody looked at it; it is taken.
Its pool is incomplete, or contradicts itself."""


class DeviceTried(Event, frozen=True, omit_defaults=True):
    """A device, `driver/pool/device`; `said` is its own value of what the reason is about.

    `claims` hold it, `namespace/name`, and are reserved for `pods`.
    """

    device: str
    said: str = ""
    claims: list[str] = []
    pods: list[str] = []


class DevicesAlike(Event, frozen=True, omit_defaults=True):
    """So many devices for which the same is true, of which the first ones are named.

    `reason` is the verdict in words that stand behind "7 devices". `about` is the expression, the taint, the
    attribute, the counter, the capacity, the pool or the error that it is about.
    """

    verdict: DeviceVerdict
    reason: str
    number: int
    devices: list[DeviceTried]
    about: str = ""


class RequestTried(Event, frozen=True, omit_defaults=True):
    """A request of a claim and the devices that it was tried with; none where the search ended before it.

    `request` is `request` or `request/alternative`. `number`: so many devices are asked for, null for all
    that match. `resource` is the extended resource that it stands for.
    """

    claim: str
    request: str
    device_class: str
    number: int | None
    tried: bool
    devices: list[DevicesAlike] = []
    resource: str = ""


class ClaimHeld(Event, frozen=True):
    """A claim that has its devices already, `driver/pool/device`, and whether the node can use them."""

    claim: str
    devices: list[str]
    usable: bool


class DevicesTried(Event, frozen=True, omit_defaults=True):
    """What came of each device of a node for a pod's claims.

    `unusable` are devices of pools that can't be used. So many are `elsewhere`, in slices for other nodes,
    and `replaced` by newer generations of their pools. `fits`: there is a way. `error`: the text with which
    the search ended.
    """

    fits: bool
    requests: list[RequestTried] = []
    held: list[ClaimHeld] = []
    unusable: list[DevicesAlike] = []
    elsewhere: int = 0
    replaced: int = 0
    error: str = ""

    def in_short(self) -> dict[str, int]:
        """Return how many devices were passed over for each reason, by the last request that was tried."""
        last = next((one.devices for one in reversed(self.requests) if one.tried), [])
        counts: Counter[str] = Counter()
        for one in [*last, *self.unusable]:
            if one.verdict not in ("taken", "unseen", "chosen"):
                counts[one.reason] += one.number
        return dict(counts)
