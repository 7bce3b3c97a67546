"""The devices of a snapshot in sentences: how many claims hold, and how many claims have none."""

from dashboard.answers.printers.words import plain
from dashboard.answers.sentence import Sentence, number, sentence, strong
from dashboard.kinds.kube.services.devices import Devices


def lead(told: Devices) -> Sentence:
    """Return a sentence about the devices, one about those that share hardware, and one about the claims."""
    total, held = sum(one.devices for one in told.offers), sum(one.held for one in told.offers)
    waiting = sum(not one.allocated for one in told.claims)
    parts = sum(one.parts for one in told.offers)
    devices = sentence(
        strong(f"{plain([number(total, 'device')])} in slices, of which claims hold {held:,}.")
    )
    if parts:
        together = " of them share counters: not all of these can be held at once."
        devices = sentence(devices, " ", number(parts), together)
    claims = number(len(told.claims), "claim")
    return sentence(devices, " ", claims, ", of which ", number(waiting), " without devices so far.")
